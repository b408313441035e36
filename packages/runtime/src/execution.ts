// One execution: the checks before the run, the run with its calls, and the account of it afterwards.

import { randomUUID } from "node:crypto";
import type { Catalog } from "@airlock/catalog";
import type { Diagnostic, Outcome, SourceLocation, ToolTree } from "@airlock/interpreter";
import { makeCall, type CallRun, type Services } from "./call/pipeline.js";
import { Stopping } from "./call/stopping.js";
import { abortedBy, ended, type RunProgram } from "./isolation/program.js";
import { planProgram, type Unavailable } from "./plan/plan.js";
import type { RuleSet } from "./permission/rules.js";
import { ownTurn } from "./turns.js";
import type { Execution, ExecuteOptions, ExecutionEvent } from "./types.js";

export interface ExecutionServices extends Services {
  rules: RuleSet;
  unavailable: Unavailable;
  run: RunProgram;
  /** Aborted when the runtime is closed. */
  closed: AbortSignal;
}

/** Runs a program. Its failure, of whatever kind, is in the result: never thrown. */
export async function execute(services: ExecutionServices, code: string, snapshot: Catalog, options: ExecuteOptions): Promise<Execution> {
  const id = `run_${randomUUID()}`;
  const emit = safely(options.onEvent);
  const end = new Stopping();
  const stop = linkAborts([options.signal, services.closed], end);
  const warnings: Diagnostic[] = [];
  const lines = code.split(/\r\n|[\n\r\u2028\u2029]/);
  const run: CallRun = {
    id,
    snapshot,
    media: services.media.openRun(),
    end,
    sessionId: options.sessionId,
    messageId: options.messageId,
    agent: options.agent,
    calls: [],
    line: (location) => (location === undefined ? undefined : lines[location.line - 1]?.trim()),
    emit,
    warn: (message, location) => void warnings.push(warning(message, location)),
  };
  let outcome: Outcome;
  // Not awaited where there is time: what follows must count before the next execution asks.
  const turn = ownTurn();
  if (turn !== undefined) await turn;
  try {
    outcome = end.isStopped
      ? ended(abortedBy(end.signal.reason))
      : (refusal(services, code, snapshot, options.seed) ??
        (await services.run(code, {
          tools: toolTree(services, run),
          aliases: { ...snapshot.aliases },
          globals: options.input === undefined ? undefined : { input: options.input },
          limits: services.limits,
          signal: end.signal,
          onLog: (entry) => emit?.({ type: "log", executionId: id, entry }),
          seed: options.seed,
          startTime: options.startTime,
          timeZone: options.timeZone,
        })));
  } catch (error) {
    outcome = ended({
      kind: "internal",
      message: `The run failed inside of the runtime: ${error instanceof Error ? error.message : String(error)}`,
      hints: [],
    });
  }
  // Calls that still run are told to stop; what they give later goes nowhere.
  end.stop(new Error("The run has ended."));
  for (const call of run.calls) call.interrupt(stillOpen(call.record.path, outcome));
  stop();
  run.media.end();
  return { ...outcome, warnings: [...outcome.warnings, ...warnings], id, calls: run.calls.map((call) => ({ ...call.record })) };
}

/**
 * Larger programs are run without being looked at first: that is done in the host's own thread, where nothing meters it. What it would
 * have found, the run finds.
 */
const MAX_PLANNED = 16_384;

/** Why the program does not run at all, or undefined. */
function refusal(services: ExecutionServices, code: string, snapshot: Catalog, seed: number | undefined): Outcome | undefined {
  if (code.length > MAX_PLANNED) return undefined;
  const { problems } = planProgram(code, snapshot, services);
  if (problems.length === 0) return undefined;
  const [first, ...others] = problems;
  const also = others
    .slice(0, 5)
    .map((other) => `Also in line ${other.location?.line ?? "?"}: ${other.message} ${other.hints.join(" ")}`.trim());
  return ended({ ...first, hints: [...first.hints, ...also] }, { seed });
}

function toolTree(services: ExecutionServices, run: CallRun): ToolTree {
  // Without prototypes: a server or a tool may be called `__proto__`.
  const tree: ToolTree = Object.create(null) as ToolTree;
  for (const registration of run.snapshot.registrations) {
    const { server, name } = registration.tool;
    const branch = (tree[server] ??= Object.create(null) as ToolTree) as ToolTree;
    branch[name] = (input, site) => makeCall(services, run, registration, input, site);
  }
  return tree;
}

function stillOpen(path: string, outcome: Outcome): Diagnostic {
  const why = outcome.status === "completed" ? "the run had ended" : `the run ended first (${outcome.error.kind})`;
  return { kind: "aborted", message: `${path} was stopped: ${why}.`, hints: [] };
}

function warning(message: string, location: SourceLocation | undefined): Diagnostic {
  return { kind: "invalid-output", message, ...(location !== undefined && { location }), hints: [] };
}

/** An event handler of the host can't disturb a run. */
export function safely(onEvent: ((event: ExecutionEvent) => void) | undefined): ((event: ExecutionEvent) => void) | undefined {
  if (onEvent === undefined) return undefined;
  return (event) => {
    try {
      onEvent(event);
    } catch (error) {
      process.emitWarning(
        `An event handler of an execution failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  };
}

/** Stops `target` with the first of the signals. The returned function takes the listeners away. */
export function linkAborts(signals: readonly (AbortSignal | undefined)[], target: Stopping): () => void {
  const listeners: (() => void)[] = [];
  for (const signal of signals) {
    if (signal === undefined) continue;
    const abort = (): void => target.stop(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    listeners.push(() => signal.removeEventListener("abort", abort));
  }
  return () => listeners.forEach((remove) => remove());
}
