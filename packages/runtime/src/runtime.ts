// `createRuntime`: the parts put together.

import { setMaxListeners } from "node:events";
import { loadValidation, type Catalog, type Registration } from "@airlock/catalog";
import { resolveLimits, run as interpret } from "@airlock/interpreter";
import { MediaStore } from "./call/media.js";
import { loadTracing } from "./call/span.js";
import { callDirectly } from "./direct.js";
import { execute, type ExecutionServices } from "./execution.js";
import { DESCRIPTION } from "./instructions.js";
import { laneProcess } from "./isolation/child.js";
import { inline, type Run } from "./isolation/inline.js";
import { Pool } from "./isolation/pool.js";
import type { Isolation } from "./isolation/program.js";
import { laneThread } from "./isolation/thread.js";
import { explain } from "./permission/explain.js";
import { Gate } from "./permission/gate.js";
import { hidingRule } from "./permission/judge.js";
import { flattenRules, RuleSet } from "./permission/rules.js";
import { planProgram } from "./plan/plan.js";
import { SEARCH_CALL, withSearch } from "./search.js";
import type { Runtime, RuntimeOptions } from "./types.js";

/** What tests put in place of the interpreter: a function, or for workers the address of a module that exports `run`. */
export interface Internals {
  run?: Run;
  module?: string;
}

/**
 * A runtime over a catalog: programs and direct calls through one pipeline, judged by one set of rules.
 *
 * @throws RangeError for a limit that does not exist or is no number; TypeError for a permission that is no rule.
 * @example
 *   const runtime = createRuntime({ catalog, permission: { "*": "allow" } });
 *   const { status } = await runtime.execute("return await tools.math.add({ a: 1, b: 2 })");
 */
export function createRuntime(options: RuntimeOptions, internals: Internals = {}): Runtime {
  const limits = resolveLimits(options.limits);
  const rules = new RuleSet(flattenRules(options.permission));
  const root = options.root ?? process.cwd();
  const { catalog: source } = options;
  const catalog = typeof source === "function" ? source : () => source;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const isolation = isolate(options, limits.memoryBytes, internals);
  const services: ExecutionServices = {
    catalog,
    gate: new Gate({ rules, ask: options.ask, onSaved: options.onSaved, root }),
    media: new MediaStore(limits),
    limits,
    text: options.text ?? "auto",
    rules,
    unavailable: options.unavailable ?? (() => []),
    run: isolation.run,
    closed: closing.signal,
  };
  const visible = visibility(rules, options.search === true);
  let shown: Catalog | undefined;
  const snapshotOf = (given: Catalog | undefined): Catalog => given ?? shown ?? visible(catalog());

  return {
    instructions() {
      shown = visible(catalog());
      return {
        description: DESCRIPTION,
        catalog: shown.listing({
          search: options.search === true && shown.get("catalog", "search") !== undefined && SEARCH_CALL,
          ...options.listing,
        }),
        snapshot: shown,
      };
    },
    execute: (code, given = {}) => execute(services, code, snapshotOf(given.catalog), given),
    call: (path, input, given = {}) => callDirectly(services, path, input, snapshotOf(given.catalog), given),
    media: (id) => services.media.content(id),
    plan: (code, given = {}) => planProgram(code, snapshotOf(given.catalog), services),
    async explain(path, input) {
      const everything = catalog();
      const resolved = everything.resolve(path);
      const registration = "tool" in resolved ? everything.get(resolved.tool.server, resolved.tool.name) : undefined;
      if (registration === undefined)
        throw new RangeError(
          `There is no tool ${path}.${"nearest" in resolved && resolved.nearest.length > 0 ? ` Did you mean ${resolved.nearest.join(" or ")}?` : ""}`,
        );
      return explain(rules, registration, input, root);
    },
    async close() {
      closing.abort(new Error("the runtime was closed."));
      await isolation.close();
    },
  };
}

function isolate(options: RuntimeOptions, memoryBytes: number, internals: Internals): Isolation {
  const kind = options.isolation ?? "none";
  if (kind === "none") return { run: inline(internals.run ?? interpret), close: async () => {} };
  // While the first worker starts: a call's time is the tool's.
  setImmediate(() => {
    loadValidation();
    loadTracing();
  });
  const lane = { memoryBytes, interpreter: internals.module };
  return new Pool({ size: options.workers ?? DEFAULT_WORKERS, start: () => (kind === "process" ? laneProcess(lane) : laneThread(lane)) });
}

/** Snapshots without the tools that the rules deny whatever the input. Rules only gain approvals, so what is hidden stays so. */
function visibility(rules: RuleSet, search: boolean): (catalog: Catalog) => Catalog {
  const known = new WeakMap<Catalog, Catalog>();
  const keep = ({ tool }: Registration): boolean => hidingRule(rules, tool) === undefined;
  return (catalog) => {
    let snapshot = known.get(catalog);
    if (snapshot !== undefined) return snapshot;
    snapshot = catalog.filter(keep);
    if (search) snapshot = withSearch(snapshot).filter(keep);
    known.set(catalog, snapshot);
    return snapshot;
  };
}

const DEFAULT_WORKERS = 8;
