// Running a program: text in, outcome out.

import { type Outcome, ProgramError, type RunOptions } from "./api.js";
import { resolveLimits } from "./limits.js";
import { type CachedProgram, programOf } from "./program-cache.js";
import { Execution, type HostOptions } from "./run/execution.js";
import { checkTree } from "./run/tree.js";
import "../stdlib/index.js";

/** A program that has been parsed and compiled. It may be run any number of times, also at the same time. */
export interface Program {
  readonly source: string;
  /** As `run`, without parsing. */
  run(options?: RunOptions & HostOptions): Promise<Outcome>;
}

const DEFAULT_NAME = "program";

/**
 * Runs a program to its end. The outcome is its value with logs, warnings and figures, or a diagnostic of why there is none: a fault of
 * the program never rejects. Rejects with a RangeError for unknown limits or an unknown time zone, with a TypeError for a tool tree of
 * anything but functions.
 *
 *     const outcome = await run("return (await tools.math.add({ a: 1, b: 2 })).sum", { tools: { math: { add: ({ a, b }) => ({ sum: a + b }) } } });
 *     if (outcome.status === "completed") outcome.value   // 3
 */
export async function run(source: string, options: RunOptions & HostOptions = {}): Promise<Outcome> {
  const limits = resolveLimits(options.limits);
  checkOptions(options);
  let found: CachedProgram;
  try {
    found = programOf(String(source), limits);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    const seed = options.seed ?? 0;
    return {
      status: "failed",
      error: error.diagnostic,
      logs: [],
      warnings: [],
      stats: { steps: 0, computeMs: 0, wallMs: 0, allocatedBytes: 0, peakDepth: 0, toolCalls: 0, seed, cachedProgram: false },
    };
  }
  return new Execution({ compiled: found.compiled, filename: DEFAULT_NAME, isCached: found.isCached }, options, limits).start();
}

/**
 * Parses and compiles a program. `filename` is how stack traces name it. Throws a ProgramError, which carries the diagnostic.
 *
 *     compile("return 1 + 1").run()   // { status: "completed", value: 2, … }
 */
export function compile(source: string, options: { filename?: string } = {}): Program {
  const { compiled } = programOf(source, resolveLimits());
  const filename = options.filename ?? DEFAULT_NAME;
  return {
    source,
    async run(runOptions = {}) {
      const limits = resolveLimits(runOptions.limits);
      checkOptions(runOptions);
      return new Execution({ compiled, filename, isCached: true }, runOptions, limits).start();
    },
  };
}

const zones = new Set(["UTC"]);

function checkOptions(options: RunOptions): void {
  const { timeZone, globals, tools } = options;
  if (tools !== undefined) checkTree(tools);
  if (timeZone !== undefined && !zones.has(timeZone)) {
    Intl.DateTimeFormat("en-US", { timeZone }); // throws the RangeError
    zones.add(timeZone);
  }
  if (globals !== undefined && Object.hasOwn(globals, "tools"))
    throw new TypeError('The name "tools" is taken: a program finds its tools there. Give the global another name.');
}
