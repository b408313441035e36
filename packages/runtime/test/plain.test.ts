// Section 3 of the architecture, the inward column.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, type Limits } from "@airlock/interpreter";
import { CallFailure } from "../dist/src/call/failure.js";
import { isJson, plainToJson, toPlain, type Plain } from "../dist/src/call/plain.js";

const plain = (value: unknown, limits: Partial<Limits> = {}, warnings: string[] = []): Plain =>
  toPlain(value, {
    limits: { ...DEFAULT_LIMITS, ...limits },
    warn: (message) => warnings.push(message),
    keepBytes: (bytes) => ({ media: "m", mimeType: "application/octet-stream", bytes: bytes.byteLength }),
  });
const refused = (value: unknown): string => {
  try {
    plain(value);
  } catch (error) {
    if (error instanceof CallFailure) return `${error.diagnostic.kind}: ${error.message}`;
    throw error;
  }
  return "taken";
};
class Secret {
  #p = 1;
  a = 1;
  get live(): number {
    return this.#p;
  }
}
const laughs = (): unknown => {
  let a: unknown = ["ha"];
  for (let i = 0; i < 30; i++) a = [a, a];
  return a;
};

describe("what crosses", () => {
  it.each<[string, unknown, Plain]>([
    ["plain data", { a: [1, "x", true, null] }, { a: [1, "x", true, null] }],
    ["undefined", { a: undefined, b: [undefined, 1] }, { b: [null, 1] }],
    ["undefined on top", undefined, null],
    ["holes", [1, , 3], [1, null, 3]], // oxlint-disable-line no-sparse-arrays
    ["numbers", [Number.NaN, Infinity, -0], [Number.NaN, Infinity, -0]],
    ["BigInt", 10n, 10n],
    ["Date", new Date(0), new Date(0)],
    ["URL", new URL("http://x.test/a?b"), "http://x.test/a?b"],
    ["URLSearchParams", new URLSearchParams({ a: "1" }), "a=1"],
    [
      "Map with text keys",
      new Map([
        ["a", 1],
        ["__proto__", 2],
      ]),
      JSON.parse('{"a":1,"__proto__":2}') as Plain,
    ],
    ["Map with others", new Map([[1, 2]]), [[1, 2]]],
    ["Set", new Set([1, "a"]), [1, "a"]],
    ["bytes", new Uint8Array([1, 2]), [1, 2]],
    ["a buffer", Buffer.from("ab"), [97, 98]],
    ["ArrayBuffer", new Uint8Array([3]).buffer, [3]],
    ["floats", new Float64Array([1.5]), [1.5]],
    ["many bytes", new Uint8Array(65_537), { media: "m", mimeType: "application/octet-stream", bytes: 65_537 }],
    ["symbol keys", { a: 1, [Symbol.for("s")]: 2 }, { a: 1 }],
    ["Error", Object.assign(new TypeError("given"), { code: 7 }), { name: "TypeError", message: "given", code: 7 }],
    ["toJSON is not called", { toJSON: undefined, a: 1 }, { a: 1 }],
    ["a null prototype", Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }],
    ["boxed", [Object(1), Object("x")], [1, "x"]],
    ["an own __proto__ key", JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}') as Plain],
  ])("%s", (_, value, wanted) => expect(plain(value)).toEqual(wanted));

  it("accessors never run and are dropped; instances cross as their own properties: each with a warning and the path", () => {
    const warnings: string[] = [];
    expect(
      plain(
        {
          x: {
            get live(): never {
              throw new Error("ran");
            },
            b: 2,
          },
          list: [new Secret()],
        },
        {},
        warnings,
      ),
    ).toEqual({ x: { b: 2 }, list: [{ a: 1 }] });
    expect(warnings).toEqual([
      "a property with a getter was left out (result.x)",
      "a class instance crossed as its own properties (result.list[0])",
    ]);
  });
  it("keeps no object of the host", () => {
    const inner = { n: 1 };
    const copy = plain({ inner, again: inner }) as { inner: { n: number }; again: object };
    inner.n = 2;
    expect(copy.inner.n).toBe(1);
    expect(copy.inner).not.toBe(copy.again);
  });
});

describe("what is refused, with its path", () => {
  const cycle: { items: unknown[] } = { items: [] };
  cycle.items.push(0, { next: cycle });
  const deep = (n: number): object => (n === 0 ? {} : { d: deep(n - 1) });
  it.each<[string, unknown, string]>([
    ["a function", { a: [() => 1] }, "gave a function at result.a[0]"],
    ["a symbol", Symbol("s"), "gave a symbol at result"],
    ["a promise below the top", { p: Promise.resolve(1) }, "gave a promise at result.p"],
    [
      "a proxy",
      {
        "a b": new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error("trap");
            },
          },
        ),
      },
      'gave a proxy at result["a b"]',
    ],
    ["a cycle", cycle, "gave a cycle at result.items[1].next"],
    ["depth", deep(200), "gave data nested deeper than 200 at result.d"],
  ])("%s", (_, value, wanted) => expect(refused(value)).toContain(`invalid-output: ${wanted}`));
  it("takes depth 200", () => expect(refused(deep(199))).toBe("taken"));
  it("a proxy as prototype runs nothing", () =>
    expect(
      plain(
        Object.create(
          new Proxy(
            {},
            {
              getPrototypeOf: () => {
                throw new Error("trap");
              },
            },
          ),
        ) as object,
      ),
    ).toEqual({}));
});

describe("within the budget", () => {
  const sparse: unknown[] = [];
  sparse.length = 2 ** 32 - 1;
  it.each<[string, unknown, keyof Limits]>([
    ["shared data that explodes", laughs(), "memoryBytes"],
    ["a huge text", "h".repeat(33_554_433), "stringLength"],
    ["a huge array", sparse, "arrayLength"],
  ])("%s", (_, value, limit) => {
    expect(refused(value)).toContain("limit: gave");
    expect(() => plain(value)).toThrow(expect.objectContaining({ diagnostic: expect.objectContaining({ limit }) as unknown }) as Error);
  });
});

describe("as JSON", () => {
  it("Date, BigInt and odd numbers become what the outward column says", () => {
    expect(plainToJson([new Date(0), new Date(Number.NaN), 10n, Number.NaN, -0, "x"])).toEqual([
      "1970-01-01T00:00:00.000Z",
      null,
      "10",
      null,
      0,
      "x",
    ]);
  });
  it("JSON crosses unchanged, and is known as JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const wanted = JSON.parse(JSON.stringify(value)) as Plain;
        const copy = plain(wanted);
        expect(copy).toEqual(wanted);
        expect(isJson(copy)).toBe(true);
        expect(plainToJson(copy)).toEqual(wanted);
      }),
    );
  });
});
