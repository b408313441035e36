// isolated-vm: a fresh isolate for each run with its memory limit; structured copies cross. The program runs on a thread of the pool, so that
// a timer of the host can end it.

import { createRequire } from "node:module";
import ivm from "isolated-vm";
import { withDeadline } from "../../deadline.mjs";

export const version = createRequire(import.meta.url)("./node_modules/isolated-vm/package.json").version;

export async function create() {}

const PRELUDE = `const tools = {};
$0.forEach((path, i) => {
  const [server, name] = path.split(".");
  const reference = arguments[i + 1];
  (tools[server] ??= {})[name] = (input) => reference.apply(undefined, [input], { arguments: { copy: true }, result: { promise: true, copy: true } });
});
`;

export async function run(source, tools, limits) {
  const isolate = new ivm.Isolate({ memoryLimit: limits.memoryMb });
  const dispose = () => {
    if (!isolate.isDisposed) isolate.dispose();
  };
  try {
    const context = await isolate.createContext();
    const members = Object.entries(tools).flatMap(([server, all]) => Object.entries(all).map(([name, tool]) => [`${server}.${name}`, tool]));
    const values = [new ivm.ExternalCopy(members.map(([path]) => path)).copyInto(), ...members.map(([, tool]) => new ivm.Reference(tool))];
    const promise = context.evalClosure(`${PRELUDE}return (async () => {${source}\n})()`, values, { timeout: limits.timeMs, result: { promise: true, copy: true } });
    return await withDeadline(promise, limits.timeMs, dispose);
  } finally {
    dispose();
  }
}
