// One fuzzed run, and what must hold after it.

import { changedIntrinsic, notPlain, snapshotIntrinsics } from "../test/cases/host-checks.mjs";
import { ParsedText } from "../dist/src/index.js";
import { fuzzTools, hostValue } from "./host-values.mjs";
import { walkHeap } from "./walk.mjs";
import { randomFor } from "./random.mjs";

export const LIMITS = {
  computeMs: 60,
  wallMs: 400,
  toolMs: 100,
  memoryBytes: 33_554_432,
  steps: 20_000_000,
  toolCalls: 50,
  resultBytes: 200_000,
  logBytes: 50_000,
  timers: 500,
  pendingPromises: 5_000,
};
/** What one operation may take past the limit, in CPU time of a busy machine; and memory. */
const MAX_OVER_MS = 2_500;
const MAX_RSS = 1_300_000_000;
const KINDS = new Set(
  "syntax unsupported type unknown-tool stale-tool invalid-input invalid-output denied rejected tool-failed uncaught limit stalled aborted invalid-result internal".split(
    " ",
  ),
);
const PATHS = /node:internal|file:\/\/|node_modules|\/dist\//;

/** Values that remember their text reach a tool as such. */
function withoutTexts(v, depth) {
  if (typeof v !== "object" || v === null || depth > 250) return v;
  if (v instanceof ParsedText) return v.text;
  if (Array.isArray(v)) return v.some((item) => typeof item === "object") ? v.map((item) => withoutTexts(item, depth + 1)) : v;
  if (Object.getPrototypeOf(v) !== Object.prototype || !Object.values(v).some((item) => typeof item === "object")) return v;
  return Object.fromEntries(Object.entries(v).map(([key, item]) => [key, withoutTexts(item, depth + 1)]));
}

/** Runs programs in this process; `check` gives the fault of a program, or null. */
export class Checker {
  static async create() {
    const { run } = await import("../dist/src/index.js");
    const { GuestObject } = await import("../dist/src/values.js");
    const checker = new Checker();
    checker.run = run;
    checker.GuestObject = GuestObject;
    process.on(
      "unhandledRejection",
      (reason) => (checker.escaped ??= `unhandled rejection: ${String(reason?.stack ?? reason).slice(0, 500)}`),
    );
    process.on("uncaughtException", (error) => (checker.escaped ??= `uncaught exception: ${String(error?.stack ?? error).slice(0, 500)}`));
    await run("return 1", { tools: fuzzTools(randomFor(0, 0), () => {}) });
    for (const key of Object.getOwnPropertyNames(globalThis)) void globalThis[key];
    process.airlockObjects = [];
    checker.before = snapshotIntrinsics();
    return checker;
  }

  /** Looks at the host as a whole; slow, so not after each program. */
  host() {
    const changed = changedIntrinsic(this.before);
    return changed === null ? null : { kind: "host", text: `the host changed: ${changed}` };
  }

  async check(program, seed, index) {
    const r = randomFor(seed ^ 0x5bd1e995, index);
    let fault = null;
    const fail = (kind, text) => {
      fault ??= { kind, text };
    };
    const seen = (input) => {
      const wrong = notPlain(withoutTexts(input, 0), 64_000_000);
      if (wrong !== null) fail("input", `a tool's input ${wrong}`);
    };
    process.airlockObjects.length = 0;
    const cpu = process.cpuUsage();
    let outcome;
    let logged = 0;
    try {
      outcome = await this.run(program, {
        tools: fuzzTools(r, seen),
        globals: r.chance(0.3) ? { input: hostValue(r) } : { input: 1 },
        limits: LIMITS,
        seed: 7,
        now: () => 0,
        onLog: () => logged++,
      });
    } catch (error) {
      fail("rejected", `run() rejected: ${String(error?.stack ?? error).slice(0, 800)}`);
    }
    if (outcome !== undefined) this.outcome(outcome, cpu, fail);
    const after = logged;
    const wrong = walkHeap(process.airlockObjects, this.GuestObject);
    if (wrong !== null) fail("heap", wrong);
    if (index % 16 === 0) {
      const next = await this.run("return [1, 'a'.replace(/a/, 'b'), (await tools.t.u({})).x]", { tools: { t: { u: () => ({ x: 2 }) } } });
      if (JSON.stringify(next.value) !== '[1,"b",2]')
        fail("next", `the next run does not work: ${JSON.stringify(next.error ?? next.value)}`);
    }
    if (logged !== after) fail("late", "something was logged after the end");
    if (this.escaped !== undefined) {
      fail("escaped", this.escaped);
      this.escaped = undefined;
    }
    return { fault, status: outcome?.status === "failed" ? (outcome.error.limit ?? outcome.error.kind) : outcome?.status };
  }

  outcome(outcome, cpu, fail) {
    const { user, system } = process.cpuUsage(cpu);
    const { stats, status, logs, warnings } = outcome;
    const over = (user + system) / 1000 - stats.computeMs;
    if (over > MAX_OVER_MS) fail("slow", `took ${Math.round(over)} ms past its limit`);
    if (process.memoryUsage.rss() > MAX_RSS) fail("memory", `the process has ${Math.round(process.memoryUsage.rss() / 1e6)} MB`);
    for (const name of ["steps", "computeMs", "wallMs", "allocatedBytes", "peakDepth", "toolCalls", "seed"])
      if (typeof stats[name] !== "number" || !(stats[name] >= 0)) fail("outcome", `stats.${name} is ${String(stats[name])}`);
    if (status !== "completed" && status !== "failed") fail("outcome", `its status is ${String(status)}`);
    const told = status === "completed" ? outcome.value : outcome.error;
    if (told === undefined) fail("outcome", "it has neither a value nor an error");
    for (const [what, v, most] of [
      ["the end", told, 1_000_000],
      ["the log", logs, 400_000],
      ["the warnings", warnings, 500_000],
    ]) {
      const wrong = notPlain(v, most);
      if (wrong !== null) fail("outcome", `${what} ${wrong}`);
    }
    for (const diagnostic of [...(status === "failed" ? [outcome.error] : []), ...warnings]) {
      if (!KINDS.has(diagnostic.kind)) fail("outcome", `a diagnostic of the kind ${String(diagnostic.kind)}`);
      if (diagnostic.kind === "internal") fail("internal", diagnostic.message);
      if (typeof diagnostic.message !== "string" || diagnostic.message.length > 4_000 || !Array.isArray(diagnostic.hints))
        fail("outcome", "a diagnostic without a bounded message");
      // The frame is a part of the program, which may have such words of its own.
      const text = JSON.stringify({ ...diagnostic, frame: undefined });
      if (PATHS.test(text)) fail("secret", `a diagnostic names the host's files: ${text.slice(0, 300)}`);
    }
    const all = JSON.stringify([told, warnings]);
    const at = all.indexOf("zz-host-secret");
    if (at >= 0) fail("secret", `what only the host's own objects hold came out: ${all.slice(Math.max(0, at - 200), at + 20)}`);
  }
}
