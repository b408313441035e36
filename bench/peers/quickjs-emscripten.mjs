// QuickJS in WebAssembly, the synchronous build: a fresh runtime and context for each run, with its memory limit and interrupt handler.
// Tools give deferred promises and values cross as JSON text, which is faster here than a handle for each property.

import { createRequire } from "node:module";
import { getQuickJS } from "quickjs-emscripten";

export const version = createRequire(import.meta.url)("./node_modules/quickjs-emscripten/package.json").version;

let quickjs;

export async function create() {
  quickjs = await getQuickJS();
}

const PRELUDE = `const tools = {};
for (const path of __paths.split(" ")) {
  const [server, name] = path.split(".");
  (tools[server] ??= {})[name] = async (input) => {
    const text = await __call(path, JSON.stringify(input));
    return text === undefined ? undefined : JSON.parse(text);
  };
}
`;

export function run(source, tools, limits) {
  const runtime = quickjs.newRuntime();
  const deadline = Date.now() + limits.timeMs;
  runtime.setMemoryLimit(limits.memoryMb * 2 ** 20);
  runtime.setInterruptHandler(() => Date.now() > deadline);
  const context = runtime.newContext();
  const open = new Set();
  let timer;
  let settled = false;
  const free = () => {
    clearTimeout(timer);
    for (const deferred of open) deferred.dispose();
    context.dispose();
    runtime.dispose();
  };
  return new Promise((resolve, reject) => {
    const settle = (how, value) => {
      if (settled) return;
      settled = true;
      how(value);
      setImmediate(free);
    };
    const failed = (handle) => {
      const error = context.dump(handle);
      handle.dispose();
      settle(reject, new Error(`${error?.name}: ${error?.message ?? error}`));
    };
    const drain = () => {
      if (settled) return;
      const result = runtime.executePendingJobs();
      if (result.error) failed(result.error);
    };
    const define = (name, f) => context.newFunction(name, f).consume((handle) => context.setProp(context.global, name, handle));
    define("__call", (path, input) => {
      const deferred = context.newPromise();
      open.add(deferred);
      const [server, name] = context.getString(path).split(".");
      const end = (settling) => {
        if (settled) return;
        settling();
        open.delete(deferred);
        deferred.dispose();
        drain();
      };
      tools[server][name](JSON.parse(context.getString(input))).then(
        (value) => end(() => (value === undefined ? deferred.resolve(context.undefined) : context.newString(JSON.stringify(value)).consume((text) => deferred.resolve(text)))),
        (error) => end(() => context.newError(String(error)).consume((handle) => deferred.reject(handle))),
      );
      return deferred.handle;
    });
    define("__done", (text) => settle(resolve, context.typeof(text) === "undefined" ? undefined : JSON.parse(context.getString(text))));
    define("__fail", (text) => settle(reject, new Error(context.getString(text))));
    timer = setTimeout(() => settle(reject, new Error("time limit")), limits.timeMs);
    const paths = Object.entries(tools).flatMap(([server, members]) => Object.keys(members).map((name) => `${server}.${name}`));
    const code = `const __paths = ${JSON.stringify(paths.join(" "))};\n${PRELUDE}(async () => {${source}\n})().then((value) => __done(JSON.stringify(value)), (error) => __fail(String(error)));`;
    const result = context.evalCode(code, "program.js");
    if (result.error) return failed(result.error);
    result.value.dispose();
    drain();
  });
}
