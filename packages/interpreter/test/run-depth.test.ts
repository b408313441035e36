// How deep programs may recurse: on the main thread as far as its stack goes, in a worker with a larger one 10 000 calls; and that no shape
// of recursion gets to the host's own end of the stack.

import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { type Outcome, run } from "@airlock/interpreter";

/** Bodies that recurse for ever, each through another part of the language or of the builtins. */
const ENDLESS: { [shape: string]: string } = {
  expression: "const d = (n) => 1 + d(n + 1); return d(0)",
  statements: "function d(n) { if (n >= 0) { for (let i = 0; i < 1; i++) { if (true) { return 1 + d(n + 1) } } } return 0 } return d(0)",
  "try and finally":
    "function d(n) { for (let i = 0; i < 1; i++) { try { return n >= 0 && (n >= 0 ? 1 + d(n + 1) : 0) } finally { } } } return d(0)",
  "map and reduce": "function d(n) { return [n].map((x) => d(x + 2)).reduce((a, b) => a + b, 1) } return d(0)",
  constructors: "class A { constructor(n) { this.c = new A(n + 1) } } new A(0)",
  fields: "class A { b = new A() } new A()",
  getters: "const mk = (n) => ({ get x() { return mk(n + 1).x } }); return mk(0).x",
  setters: "const o = { set x(v) { o.x = v } }; o.x = 1",
  generators: "function* g(n) { yield* g(n + 1) } for (const x of g(0)) {}",
  "async functions": "const f = async (n) => { await f(n + 1) }; await f(0)",
  toJSON: "const mk = (n) => ({ toJSON() { return JSON.stringify(mk(n + 1)).length } }); return JSON.stringify(mk(0))",
  spread: "const f = (...a) => f(...[a[0] + 1]); return f(0)",
  sort: "const f = () => [2, 1].sort(() => f()); return f()",
  replace: "const f = () => 'x'.replace(/x/g, () => f()); return f()",
  proxies: "const mk = (n) => new Proxy({}, { get() { return mk(n + 1).x } }); return mk(0).x",
  Reflect: "const f = (n) => Reflect.apply(f, null, [n + 1]); return f(0)",
  toString: "const o = { toString() { return `${o}` } }; return String(o)",
  valueOf: "const o = { valueOf() { return o + 1 } }; return o + 1",
  instanceof: "class A { static [Symbol.hasInstance](v) { return v instanceof A } } return 1 instanceof A",
  "tagged templates": "const t = (s, ...v) => t`a${1}b`; return t`x`",
  "optional calls": "const o = { f() { return o?.f?.() } }; return o.f()",
  super: "class A { m() { return new B().m() } } class B extends A { m() { return super.m() } } return new B().m()",
  "deep data": "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a.flat(Infinity)",
  "Array.from": "const f = (n) => Array.from([1], () => f(n + 1)); return f(0)",
  "Map.forEach": "const f = () => new Map([[1, 1]]).forEach(f); return f()",
};

/** Bodies that recurse `N` calls deep and come back. */
const DEEP: { [shape: string]: string } = {
  expression: "const d = (n) => n === 0 ? 0 : 1 + d(n - 1); return d(N)",
  "try and finally":
    "function d(n) { if (n > 0) { for (let i = 0; i < 1; i++) { try { return n > 0 && (n ? 1 + d(n - 1) : 0) } finally { } } } return 0 } return d(N)",
  "map and reduce": "function d(n) { return n <= 0 ? 0 : [n].map((x) => d(x - 2)).reduce((a, b) => a + b, 2) } return d(N)",
  "async functions": "const f = async (n) => n > 0 ? 1 + await f(n - 1) : 0; return await f(N)",
};

function inWorker(source: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("cases/deep-worker.mjs", import.meta.url), {
      workerData: source,
      resourceLimits: { stackSizeMb: 32 },
    });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

describe("recursion without end", () => {
  test.each(Object.entries(ENDLESS))("through %s ends by callDepth", async (_, code) => {
    expect(await run(code)).toMatchObject({ status: "failed", error: { kind: "limit", limit: "callDepth" } });
  });

  test("in a worker too", async () => {
    for (const code of Object.values(ENDLESS))
      expect(await inWorker(code), code).toMatchObject({ error: { kind: "limit", limit: "callDepth" } });
  }, 120_000);
});

describe("recursion with an end", () => {
  test.each(Object.entries(DEEP))("through %s: 300 calls here, 9 900 in a worker", async (_, code) => {
    expect(await run(`const N = 300; ${code}`)).toMatchObject({ value: 300 });
    expect(await inWorker(`const N = 9900; ${code}`)).toMatchObject({ value: 9900 });
  });

  test("the figures say how deep it was", async () => {
    const { stats } = await run("const d = (n) => n === 0 ? 0 : 1 + d(n - 1); return d(99)");
    expect(stats.peakDepth).toBe(100);
  });
});
