// Stands in the interpreter's place where a test is about the runtime: runs the program natively, in the host. Not a sandbox.
import { ToolError } from "@airlock/interpreter";

const stats = { steps: 0, computeMs: 0, wallMs: 0, allocatedBytes: 0, peakDepth: 0, toolCalls: 0, seed: 0, cachedProgram: false };
const AsyncFunction = (async () => {}).constructor;

export function run(source, { tools = {}, globals = {}, signal, onLog, limits = {}, now }) {
  return new Promise((settle) => {
    const logs = [];
    let calls = 0;
    const fail = (error) => settle({ status: "failed", error: { hints: [], ...error }, logs, warnings: [], stats });
    const ends = [];
    const call = (path, fn) => (input) =>
      new Promise((resolve, reject) => {
        const end = new AbortController();
        ends.push(end);
        let left = limits.toolMs ?? 60_000;
        let timer;
        let pauses = 0;
        const arm = () => {
          clearTimeout(timer);
          if (pauses > 0) return;
          timer = setTimeout(() => {
            const late = new ToolError(`${path} did not answer in time`, { diagnostic: { kind: "limit", limit: "toolMs" } });
            end.abort(late);
            reject(late);
          }, left);
        };
        arm();
        const site = {
          callId: `c${++calls}`,
          path,
          location: { line: 1, column: 1 },
          signal: end.signal,
          progress: arm,
          pauseClocks: () => {
            pauses++;
            clearTimeout(timer);
            return () => {
              pauses--;
              arm();
            };
          },
        };
        Promise.resolve()
          .then(() => fn(input === undefined ? {} : input, site))
          .then(resolve, (error) => {
            if (error.fatal) fail({ kind: "rejected", message: error.message, ...error.diagnostic });
            else reject(error);
          })
          .finally(() => clearTimeout(timer));
      });
    // Object.fromEntries defines own properties, so a name like __proto__ is one like any other.
    const wrap = (tree, path) => Object.fromEntries(Object.entries(tree).map(([name, inner]) => [name, typeof inner === "function" ? call(`${path}.${name}`, inner) : wrap(inner, `${path}.${name}`)]));
    const console = Object.fromEntries(
      ["log", "warn", "error"].map((level) => [
        level,
        (...args) => {
          const entry = { level, text: args.join(" "), args };
          logs.push(entry);
          onLog?.(entry);
        },
      ]),
    );
    const abort = () => {
      for (const end of ends) end.abort(signal.reason);
      fail({ kind: "aborted", message: "The run was aborted." });
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    const names = { ...globals, tools: wrap(tools, "tools"), console, now };
    new AsyncFunction(...Object.keys(names), source)(...Object.values(names)).then(
      (value) => settle({ status: "completed", value: value === undefined ? null : value, logs, warnings: [], stats }),
      (error) => fail({ kind: "uncaught", name: error.name, message: error.message, ...error.diagnostic }),
    );
  });
}
