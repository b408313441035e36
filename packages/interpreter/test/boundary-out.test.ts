// Values on their way out: results and tool inputs. Each row of the table in architecture.md, section 3.

import { describe, expect, test } from "vitest";
import { type Json, run, type ToolTree } from "@airlock/interpreter";
import { failure, value, warnings } from "./program.js";

/** The same value as a result and as a tool's input. */
async function both(expression: string): Promise<Json> {
  const result = await value(`return ${expression}`);
  let input: Json = null;
  await value(`await tools.x.f({ v: ${expression} })`, { tools: { x: { f: (given) => void (input = given) } } as ToolTree });
  expect((input as unknown as { v?: Json }).v ?? null).toEqual(result);
  return result;
}

describe("outward", () => {
  test.each<[string, Json]>([
    ["{ a: 1, b: 'x', c: [true, null], d: {} }", { a: 1, b: "x", c: [true, null], d: {} }],
    ["{ b: 1, a: 2, 2: 'two', 1: 'one' }", { 1: "one", 2: "two", b: 1, a: 2 }],
    ["[1, , 3]", [1, null, 3]],
    ["{ a: undefined, b: [undefined] }", { b: [null] }],
    ["undefined", null],
    ["[NaN, Infinity, -Infinity]", [null, null, null]],
    ["10n ** 20n", "100000000000000000000"],
    ["new Date(0)", "1970-01-01T00:00:00.000Z"],
    ["new Date(NaN)", null],
    ["new URL('https://a.example/p?q=1')", "https://a.example/p?q=1"],
    ["new URLSearchParams({ a: 1, b: 'x y' })", "a=1&b=x+y"],
    ["new Map([['a', 1], ['b', { c: 2 }]])", { a: 1, b: { c: 2 } }],
    [
      "new Map([[1, 'x'], ['b', 2]])",
      [
        [1, "x"],
        ["b", 2],
      ],
    ],
    ["new Map()", {}],
    ["new Set([1, 'a', [2]])", [1, "a", [2]]],
    ["new Uint8Array([1, 255])", [1, 255]],
    ["new Float32Array([0.5, NaN])", [0.5, null]],
    ["new BigInt64Array([5n])", ["5"]],
    ["new Uint8Array([1, 2]).buffer", [1, 2]],
    ["{ [Symbol('s')]: 1, a: 1 }", { a: 1 }],
    ["new TypeError('bad')", { name: "TypeError", message: "bad" }],
    ["Object.assign(new Error('m', { cause: 'c' }), { code: 7 })", { name: "Error", message: "m", cause: "c", code: 7 }],
    ["{ toJSON() { return { x: 1 } } }", { x: 1 }],
    ["{ a: { toJSON(key) { return key } }, b: [{ toJSON(key) { return key } }] }", { a: "a", b: ["0"] }],
    ["{ get a() { return 1 } }", { a: 1 }],
    ["new (class P { x = 1; #y = 2; get z() { return 3 } m() {} })()", { x: 1 }],
    ["new Proxy({ a: 1 }, {})", { a: 1 }],
    ["new Proxy([1, 2], {})", [1, 2]],
    ["Object.create({ inherited: 1 }, { hidden: { value: 1 }, shown: { value: 2, enumerable: true } })", { shown: 2 }],
    ["Object.create(null)", {}],
    ["Object.freeze([1, Object.freeze({ a: 1 })])", [1, { a: 1 }]],
    ["[new Number(1), new String('s'), new Boolean(false), Object(2n)]", [1, "s", false, "2"]],
    ["(() => { const a = []; a[5000] = 1; a.length = 3; return a })()", [null, null, null]],
    ["/x/g", {}],
    ["'\\ud800'", "\ud800"],
    ['JSON.parse(\'{"a":[{"b":1},{"b":2,"c":3}]}\')', { a: [{ b: 1 }, { b: 2, c: 3 }] }],
  ])("%s", async (expression, expected) => {
    expect(await both(expression)).toEqual(expected);
  });

  test("-0 becomes 0", async () => {
    expect(Object.is(await value("return -0"), 0)).toBe(true);
    expect(Object.is(((await value("return [-0]")) as Json[])[0], 0)).toBe(true);
  });

  test("an own __proto__ key is a key like any other", async () => {
    const got = (await value('return JSON.parse(\'{"__proto__":{"admin":true},"a":1}\')')) as { [key: string]: Json };
    expect(Object.keys(got)).toEqual(["__proto__", "a"]);
    expect(Object.getPrototypeOf(got)).toBe(Object.prototype);
  });

  test("what was changed is told once for each kind, with the first place", async () => {
    expect(await warnings("return { a: [NaN, NaN], b: 1n, c: Infinity }")).toEqual([
      "result.a[0] is NaN and became null, as JSON has no such number (and 1 more).",
      "result.b is a BigInt and became its decimal text.",
      "result.c is Infinity and became null, as JSON has no such number.",
    ]);
    expect(await warnings("return { it: [1].values() }")).toEqual([
      "result.it is an iterator and became {}; spread it into an array: [...values].",
    ]);
    expect(await warnings("await tools.x.f({ n: NaN }); return 1", { tools: { x: { f: async () => 1 } } })).toEqual([
      "tools.x.f: input.n is NaN and became null, as JSON has no such number.",
    ]);
  });

  test("a promise on top is awaited, a deeper one is told with its path", async () => {
    expect(await value("return Promise.resolve({ a: 1 })")).toEqual({ a: 1 });
    expect(await failure("return { list: [1, Promise.resolve(2)] }")).toMatchObject({
      kind: "invalid-result",
      message: "The result cannot be given out: result.list[1] is a promise.",
    });
    expect((await failure("return [Promise.resolve(2)]")).hints[0]).toContain("Promise.all");
  });

  test.each([
    ["{ items: [0, 1, 2, { next: () => 1 }] }", "result.items[3].next is a function."],
    ["{ 'a b': { c: Symbol('s') } }", 'result["a b"].c is a symbol.'],
    ["class A {}", "result is a class."],
    ["(() => { const o = { kids: [{}] }; o.kids[0].parent = o; return o })()", "result.kids[0].parent is a cycle: it contains itself."],
    ["new Map([['f', () => 1]])", "result.f is a function."],
    ["tools.x.f", "result is a tool."],
    ["{ t: tools }", "result.t is a part of the tool tree."],
    ["new Proxy(() => 1, {})", "result is a function."],
  ])("%s is refused with its path", async (expression, message) => {
    const error = await failure(`return ${expression}`, { tools: { x: { f: async () => 1 } } });
    expect(error).toMatchObject({ kind: "invalid-result", message: `The result cannot be given out: ${message}` });
    expect(error.hints.length).toBe(1);
  });

  test("depth up to 200 crosses", async () => {
    const nest = (n: number): string => `let d = 1; for (let i = 0; i < ${n}; i++) d = [d]; return d`;
    expect((await run(nest(200))).status).toBe("completed");
    expect((await failure(nest(201))).message).toContain("nested deeper than 200 levels");
  });

  test("shared parts are not cycles", async () => {
    expect(await value("const s = { n: 1 }; return [s, s, { s }]")).toEqual([{ n: 1 }, { n: 1 }, { s: { n: 1 } }]);
  });

  test("accessors and toJSON run once; what toJSON gives is not asked again", async () => {
    expect(await value("let n = 0; const r = { get a() { return ++n } }; return r")).toEqual({ a: 1 });
    expect(await failure("return { toJSON() { return { toJSON() { return 1 } } } }")).toMatchObject({
      message: "The result cannot be given out: result.toJSON is a function.",
    });
  });

  test("what a getter throws ends the run as the program's own error", async () => {
    const error = await failure("return { list: [{ get a() { throw new TypeError('no') } }] }");
    expect(error).toMatchObject({ kind: "uncaught", name: "TypeError", message: "no" });
    expect(error.hints).toEqual(["It was thrown while the result was read, at result.list[0].a."]);
  });

  test("code that runs during the copy may change what is copied", async () => {
    expect(await value("const o = { get a() { o.b = 9; delete o.c; return 1 }, b: 2, c: 3 }; return o")).toEqual({ a: 1, b: 9 });
    expect(await value("const l = [{ toJSON() { l.length = 2; return 'x' } }, 1, 2]; return l")).toEqual(["x", 1, null]);
    expect(await value("const r = { a: { toJSON() { r.b = 5; r.d = 1; return 0 } }, b: 2 }; return r")).toEqual({ a: 0, b: 5 });
  });

  test("changed prototypes are asked", async () => {
    expect(await value("Object.prototype.toJSON = function () { return 'o' }; return [{}, 1]")).toEqual("o");
    expect(await value("Date.prototype.toJSON = () => 'day'; return [new Date(0)]")).toEqual(["day"]);
  });
});
