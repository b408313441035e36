// Values on their way in: tool outputs and globals. Nothing of the host's value runs, nothing of the host's arrives.

import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { type Json, ParsedText, run, type ToolTree } from "@airlock/interpreter";
import { value, warnings } from "./program.js";

const give = (given: unknown): { tools: ToolTree } => ({ tools: { x: { f: () => given } } as unknown as ToolTree });

/** What an expression says about `v`, a value that a tool gave. */
async function seen(given: unknown, expression: string): Promise<Json> {
  return value(`const v = await tools.x.f(); return ${expression}`, give(given));
}

const trap = (): never => {
  throw new Error("ran");
};

describe("inward", () => {
  test.each<[string, unknown, Json]>([
    ["plain data", { a: [1, "x", true, null], b: { c: {} } }, { a: [1, "x", true, null], b: { c: {} } }],
    ["undefined", undefined, null],
    ["fields and elements that are undefined", { a: undefined, b: [undefined, 1] }, { b: [null, 1] }],
    ["holes", [1, , 3], [1, null, 3]], // oxlint-disable-line no-sparse-arrays
    ["a Map of texts", new Map([["a", 1]]), { a: 1 }],
    ["a Map of others", new Map([[1, { b: 2 }]]), [[1, { b: 2 }]]],
    ["a Set", new Set([1, "a"]), [1, "a"]],
    ["bytes", new Uint8Array([1, 2]), [1, 2]],
    ["a Buffer", Buffer.from("ab"), [97, 98]],
    ["an ArrayBuffer", new Uint8Array([3]).buffer, [3]],
    ["a URL", new URL("https://a.example/?q=1"), "https://a.example/?q=1"],
    ["URLSearchParams", new URLSearchParams("a=1&b=2"), "a=1&b=2"],
    ["an error", Object.assign(new TypeError("m"), { code: 1 }), { name: "TypeError", message: "m", code: 1 }],
    ["boxed values", [Object(1), Object("s"), Object(false)], [1, "s", false]],
    ["symbol keys", { a: 1, [Symbol("s")]: 2 }, { a: 1 }],
    ["hidden properties", Object.defineProperty({ a: 1 }, "hidden", { value: 2 }), { a: 1 }],
    ["a value of another context", runInNewContext("({ a: [1, { b: 2 }] })"), { a: [1, { b: 2 }] }],
    ["no prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["indexes as keys", { 2: "b", 1: "a", x: 1 }, { 1: "a", 2: "b", x: 1 }],
    [
      "keys of siblings that differ",
      [{ a: 1, b: 2 }, { a: 1, c: 3 }, { a: 1, b: 2 }, {}, { b: 1 }],
      [{ a: 1, b: 2 }, { a: 1, c: 3 }, { a: 1, b: 2 }, {}, { b: 1 }],
    ],
    ["objects at depths that come later", { list: [{ a: 1 }], o: { b: { c: 1 } } }, { list: [{ a: 1 }], o: { b: { c: 1 } } }],
    ["toJSON is no matter", { toJSON: "text", a: 1 }, { toJSON: "text", a: 1 }],
  ])("%s", async (_, given, expected) => {
    expect(await seen(given, "v")).toEqual(expected);
  });

  test("one value after another, of other layouts at other depths", async () => {
    const all: Json[] = [
      [[{ a: 1 }], { b: 2 }, [[{ a: 1, b: 2 }]]],
      [{ a: 1 }],
      { a: { b: 1 } },
      [],
      [[[{ c: [{ b: 3 }] }]]],
      { b: { a: 1 } },
      { ["long ".repeat(20)]: 1 },
      { a: 2 },
    ];
    let next = 0;
    const code = `const got = []; for (let i = 0; i < ${2 * all.length}; i++) got.push(await tools.x.f()); return got`;
    expect(await value(code, { tools: { x: { f: () => all[next++ % all.length] } } })).toEqual([...all, ...all]);
  });

  test("numbers, BigInts and dates are values of the program", async () => {
    expect(
      await seen(
        [NaN, Infinity, -0, 10n, new Date(5)],
        "[Number.isNaN(v[0]), v[1] === Infinity, Object.is(v[2], -0), v[3] === 10n, v[4] instanceof Date, v[4].getTime()]",
      ),
    ).toEqual([true, true, true, true, true, 5]);
  });

  test("objects are of the program's own classes", async () => {
    expect(
      await seen(
        { a: [{}] },
        "[v instanceof Object, v.a instanceof Array, Object.getPrototypeOf(v.a[0]) === Object.prototype, v.constructor === Object]",
      ),
    ).toEqual([true, true, true, true]);
  });

  test("an own __proto__ key is a key like any other", async () => {
    expect(
      await seen(
        JSON.parse('{"__proto__":{"admin":true},"a":1}'),
        "[Object.keys(v), v.admin === undefined, Object.getPrototypeOf(v) === Object.prototype]",
      ),
    ).toEqual([["__proto__", "a"], true, true]);
  });

  test("objects with very many keys", async () => {
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`k${i}`, { i }]));
    expect(await seen(many, "[Object.keys(v).length, v.k2999.i, Object.keys(v)[101]]")).toEqual([3000, 2999, "k101"]);
  });

  test("accessors are dropped with a warning, never run", async () => {
    const given = { a: 1, list: Object.defineProperty([1, 2], 1, { get: trap, enumerable: true }) };
    Object.defineProperty(given, "live", { get: trap, enumerable: true });
    expect(await seen(given, "v")).toEqual({ a: 1, list: [1, null] });
    expect(await warnings("await tools.x.f(); return 1", give(given))).toEqual([
      "tools.x.f: result.list[1] has a getter, which was not run; it became null.",
      "tools.x.f: result.live has a getter, which was not run; it was left out.",
    ]);
  });

  test("instances cross as their own data, with a warning", async () => {
    class Base {
      get live(): never {
        return trap();
      }
    }
    class Record extends Base {
      a = 1;
      #hidden = 2;
      method(): number {
        return this.#hidden;
      }
    }
    expect(
      await seen(
        [new Record()],
        "[v[0].a, v[0].method === undefined, v[0].live === undefined, Object.getPrototypeOf(v[0]) === Object.prototype]",
      ),
    ).toEqual([1, true, true, true]);
    expect(await warnings("await tools.x.f(); return 1", give(new Record()))).toEqual([
      "tools.x.f: result is an instance of a class; its own data properties crossed.",
    ]);
  });

  test("prototypes of the host do not run either", async () => {
    const behind = new Proxy({}, { get: trap, getPrototypeOf: trap, has: trap, getOwnPropertyDescriptor: trap });
    expect(await seen(Object.setPrototypeOf({ a: 1 }, behind), "v.a")).toBe(1);
    expect(await seen(Object.setPrototypeOf([1, , 2], behind), "v")).toEqual([1, null, 2]); // oxlint-disable-line no-sparse-arrays
    expect(await seen({ then: "text" }, "v.then")).toBe("text");
  });

  test.each<[string, unknown, string]>([
    ["functions", { a: [() => 1] }, "result.a[0] is a function."],
    ["symbols", [Symbol("s")], "result[0] is a symbol."],
    ["promises", { p: Promise.resolve(1) }, "result.p is a promise."],
    ["proxies", { p: new Proxy({}, { get: trap, ownKeys: trap }) }, "result.p is a proxy."],
    ["cycles", Object.assign([0], { 1: { me: null } }), ""],
  ])("%s are refused with their path", async (kind, given, message) => {
    if (kind === "cycles") {
      (given as { me: unknown }[])[1].me = given;
      message = "result[1].me is a cycle: it contains itself.";
    }
    expect(await value("return await tools.x.f().catch((e) => [e instanceof Error, e.name, e.message])", give(given))).toEqual([
      true,
      "InvalidOutputError",
      `tools.x.f gave a result that cannot cross: ${message} The call itself did run.`,
    ]);
  });

  test("depth and size are bounded", async () => {
    const nest = (n: number): unknown => {
      let d: unknown = 1;
      for (let i = 0; i < n; i++) d = [d];
      return d;
    };
    expect(await value("return typeof await tools.x.f()", give(nest(200)))).toBe("object");
    expect(await value("return await tools.x.f().catch((e) => e.message)", give(nest(201)))).toContain("nested deeper than 200 levels");
    let laughs: unknown = ["ha"];
    for (let i = 0; i < 40; i++) laughs = [laughs, laughs];
    expect(await value("return await tools.x.f().catch((e) => e.message)", { ...give(laughs), limits: { memoryBytes: 5e7 } })).toContain(
      "more data than one value may bring",
    );
    const sparse: unknown[] = [];
    sparse.length = 2 ** 32 - 1;
    expect(await value("return await tools.x.f().catch((e) => e.name)", give(sparse))).toBe("RangeError");
  });

  test("many bytes are described", async () => {
    expect(await seen(new Uint8Array(70_000), "[v, Object.isFrozen(v)]")).toEqual([
      { media: "", mimeType: "application/octet-stream", bytes: 70_000 },
      true,
    ]);
    expect(await seen(new Uint8Array(65_536), "v.length")).toBe(65_536);
  });

  test("a media handle is frozen, also once many programs have grown the shapes that all share", async () => {
    const handle = { media: "m1", mimeType: "image/png", bytes: 10 };
    await value("for (let i = 0; i < 25_000; i++) { const p = {}; p['u' + i] = 1; } return 1");
    await value("return 1");
    expect(await seen(handle, "[Object.isFrozen(v), v.media]")).toEqual([true, "m1"]);
  });

  test("a media handle is frozen", async () => {
    expect(await seen({ media: "m1", mimeType: "image/png", bytes: 10 }, "[Object.isFrozen(v), v.media]")).toEqual([true, "m1"]);
  });

  test("shapes are shared with the program's own objects and stay right", async () => {
    expect(
      await seen(
        [{ a: 1, b: 2 }],
        "(() => { const own = { a: 3, b: 4 }; v[0].c = 5; delete own.b; return [v[0], own, { a: 1, b: 1, c: 1 }] })()",
      ),
    ).toEqual([{ a: 1, b: 2, c: 5 }, { a: 3 }, { a: 1, b: 1, c: 1 }]);
  });

  test("host values are not shared: the program's writes stay in the program", async () => {
    const given = { list: [1], o: { n: 1 } };
    await seen(given, "(v.list.push(2), v.o.n = 9, v)");
    expect(given).toEqual({ list: [1], o: { n: 1 } });
  });
});

describe("parsed texts", () => {
  const text = '{ "items": [1, 2], "n": 1 }';
  const list = '[{"a":1}, {"a":2}]';
  const parsed = (expression: string, t: string = text): Promise<Json> => seen(new ParsedText(t), expression);

  test("are their value", async () => {
    expect(await parsed("[typeof v, v.items.length, v.n, Array.isArray(v), Object.keys(v), v === v]")).toEqual([
      "object",
      2,
      1,
      false,
      ["items", "n"],
      true,
    ]);
    expect(await parsed("v")).toEqual({ items: [1, 2], n: 1 });
    expect(await parsed("JSON.stringify(v)")).toBe('{"items":[1,2],"n":1}');
  });

  test("and remember the text", async () => {
    expect(await parsed("[JSON.parse(v).n, String(v), `${v}`, v + '', '' + v]")).toEqual([1, text, text, text, text]);
    expect(await parsed("v.toString()")).toBe(text);
    expect(await parsed("v.length")).toBe(text.length);
    expect(await parsed("v?.length")).toBe(text.length);
    expect(
      await parsed(
        "[v.length, v.map((x) => x.a), String(v), v.slice(1), v.includes(1), v.indexOf(2), v.concat([1]).length, [...v].length]",
        list,
      ),
    ).toEqual([2, [1, 2], list, [{ a: 2 }], false, -1, 3, 2]);
  });

  test("methods that only texts have fail with a hint", async () => {
    const outcome = await run("const v = await tools.x.f(); return v.split(',')", give(new ParsedText(text)));
    expect(outcome).toMatchObject({
      status: "failed",
      error: {
        kind: "uncaught",
        name: "TypeError",
        message: "v.split is not a function: this value was parsed from a tool's text; it is an object now",
      },
    });
  });

  test.each([
    "v.n = 2",
    "v.x = 1",
    "v['n'] = 2",
    "delete v.n",
    "v.n++",
    "v.n += 1",
    "Object.assign(v, { n: 2 })",
    "Object.defineProperty(v, 'y', { value: 1 })",
    "Reflect.set(v, 'n', 3)",
    "Reflect.deleteProperty(v, 'n')",
    "({ a: v.n } = { a: 5 })",
  ])("the first write drops the text: %s", async (write) => {
    expect(await parsed(`(() => { ${write}; return String(v) })()`)).toBe("[object Object]");
  });

  test.each([
    "v[0] = 1",
    "v.push(1)",
    "v.pop()",
    "v.shift()",
    "v.unshift(1)",
    "v.sort(() => -1)",
    "v.reverse()",
    "v.splice(0, 1)",
    "v.length = 1",
    "v.fill(0)",
    "v.copyWithin(0, 1)",
    "let i = 0; v[i] = 2",
    "[v[0]] = [1]",
  ])("of arrays too: %s", async (write) => {
    expect(await parsed(`(() => { ${write}; return String(v) === ${JSON.stringify(list)} })()`, list)).toBe(false);
  });

  test("reading keeps it, writes to inner objects too", async () => {
    expect(await parsed("(() => { v.items.push(3); for (const k in v) v[k]; Object.freeze(v); return String(v) })()")).toBe(text);
  });

  test("as an input both go out: the host decides", async () => {
    const got: unknown[] = [];
    const tools = { x: { f: () => new ParsedText(text), put: (input: unknown) => void got.push(input) } } as unknown as ToolTree;
    await value(
      "const v = await tools.x.f(); await tools.x.put({ body: v, copy: { ...v } }); v.n = 5; await tools.x.put({ body: v }); return 1",
      { tools },
    );
    expect(got).toEqual([{ body: new ParsedText(text), copy: { items: [1, 2], n: 1 } }, { body: { items: [1, 2], n: 5 } }]);
  });

  test("what is no JSON stays text", async () => {
    expect(await parsed("v", "{ not json")).toBe("{ not json");
    expect(await parsed("typeof v", "12")).toBe("string");
  });
});
