// Properties of the copier: plain data comes through as it is, everything else as the table says (architecture, section 3), within the budget.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, run } from "@airlock/interpreter";

/** What a program returns that only hands on what a tool gives. */
async function through(v: unknown): Promise<Json> {
  const outcome = await run("return await tools.t.echo(await tools.t.give())", { tools: { t: { give: () => v, echo: (input) => input } } });
  if (outcome.status === "failed") throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
  return outcome.value;
}

const key = fc.oneof(
  fc.string(),
  fc.constantFrom("__proto__", "constructor", "toString", "length", "then", "toJSON", "0", "01", "-1", "a.b", ""),
);

/** JSON data with awkward keys. */
const plain = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    fc.string({ unit: "binary" }),
    fc.array(tie("json"), { maxLength: 5 }),
    fc.array(fc.tuple(key, tie("json")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries) as Json),
  ),
})).json;

/** A value of the host's, and what comes out on the other side of a program and a tool. */
interface Sample {
  given: unknown;
  expected: Json | undefined;
}
const sample = (given: unknown, expected: Json | undefined): Sample => ({ given, expected });

class Point {
  x: number;
  #hidden = 1;
  constructor(x: number) {
    this.x = x;
  }
  get live(): number {
    return this.#hidden;
  }
}

const odd = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 4 },
    plain.map((v) => sample(v, v)),
    fc.constant(sample(undefined, undefined)),
    fc.constant(sample(NaN, null)),
    fc.constant(sample(-Infinity, null)),
    fc.constant(sample(-0, 0)),
    fc.bigInt().map((n) => sample(n, String(n))),
    fc.date({ noInvalidDate: true }).map((d) => sample(d, d.toISOString())),
    fc.constant(sample(new Date(NaN), null)),
    fc.uint8Array({ maxLength: 8 }).map((a) => sample(a, [...a])),
    fc.float32Array({ maxLength: 4, noNaN: true, noDefaultInfinity: true }).map((a) =>
      sample(
        a,
        [...a].map((n) => n + 0),
      ),
    ),
    fc.webUrl().map((u) => sample(new URL(u), new URL(u).href)),
    fc.integer().map((n) => sample(new Point(n), { x: n })),
    fc.string().map((message) => sample(Object.assign(new TypeError(message), { code: 1 }), { name: "TypeError", message, code: 1 })),
    fc.array(tie("sample"), { maxLength: 4 }).map((all) =>
      sample(
        all.map((s) => s.given),
        all.map((s) => s.expected ?? null),
      ),
    ),
    fc.array(tie("sample"), { maxLength: 4 }).map((all) =>
      sample(
        new Set(all.map((s) => [s.given])),
        all.map((s) => [s.expected ?? null]),
      ),
    ),
    fc.array(fc.tuple(key, tie("sample")), { maxLength: 4 }).map((entries) => {
      const given = Object.fromEntries(entries.map(([k, s]) => [k, s.given]));
      const kept = entries.filter(([k]) => Object.hasOwn(given, k)).map(([k, s]) => [k, s.expected] as const);
      const last = new Map(kept);
      return sample(given, Object.fromEntries([...last].filter(([, v]) => v !== undefined)) as Json);
    }),
    fc.array(fc.tuple(fc.string(), tie("sample")), { maxLength: 3 }).map((entries) => {
      const last = new Map(entries);
      return sample(
        new Map([...last].map(([k, s]) => [k, s.given])),
        Object.fromEntries([...last].filter(([, s]) => s.expected !== undefined).map(([k, s]) => [k, s.expected])) as Json,
      );
    }),
  ),
})).sample;

/** Of an object with a property `toJSON` or `then` that is no function nothing is special; `__proto__` is compared as an own key. */
const asText = (v: Json | undefined): string =>
  JSON.stringify(v ?? null, (_, inner: Json) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner) ? Object.entries(inner) : inner,
  );

describe("the copier", () => {
  test("plain data comes through as it is", async () => {
    await fc.assert(
      fc.asyncProperty(plain, async (v) => {
        expect(asText(await through(v))).toBe(asText(v));
      }),
      { numRuns: 400 },
    );
  });

  test("odd values come through as the table says", async () => {
    await fc.assert(
      fc.asyncProperty(odd, async ({ given, expected }) => {
        expect(asText(await through(given))).toBe(asText(expected));
      }),
      { numRuns: 400 },
    );
  });

  test("what a program builds from JSON comes out as it is, as a result, an input and a log's argument", async () => {
    await fc.assert(
      fc.asyncProperty(plain, async (v) => {
        const inputs: Json[] = [];
        const outcome = await run("const v = JSON.parse(input); await tools.t.take(v); console.log(v); return v", {
          globals: { input: JSON.stringify(v) },
          tools: { t: { take: (input) => void inputs.push(input) } },
        });
        expect(outcome.status).toBe("completed");
        expect(asText(outcome.status === "completed" ? outcome.value : undefined)).toBe(asText(v));
        expect(asText(inputs[0])).toBe(asText(v));
        expect(asText(outcome.logs[0].args[0])).toBe(asText(v));
      }),
      { numRuns: 200 },
    );
  });

  test("a copy is a copy: neither side sees what the other does to its own", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom("a", "b"), fc.integer()), async (v) => {
        const before = JSON.stringify(v);
        const outcome = await run("const v = await tools.t.give(); v.c = 1; delete v.a; return await tools.t.change(v) === v || v", {
          tools: { t: { give: () => v, change: (input) => Object.assign(input as object, { changed: true }) } },
        });
        expect(JSON.stringify(v)).toBe(before);
        expect(outcome).toMatchObject({ status: "completed" });
        expect(JSON.stringify(outcome)).not.toContain("changed");
      }),
      { numRuns: 50 },
    );
  });

  test("the budget of a result is its bytes as JSON, to the byte", async () => {
    await fc.assert(
      fc.asyncProperty(plain, fc.integer({ min: -3, max: 3 }), async (v, more) => {
        const bytes = Buffer.byteLength(JSON.stringify(v));
        const resultBytes = Math.max(0, bytes + more);
        const outcome = await run("return JSON.parse(input)", { globals: { input: JSON.stringify(v) }, limits: { resultBytes } });
        expect(outcome.status).toBe(bytes <= resultBytes ? "completed" : "failed");
        if (outcome.status === "failed") expect(outcome.error).toMatchObject({ kind: "limit", limit: "resultBytes" });
      }),
      { numRuns: 200 },
    );
  });

  test("a value that is too large for the run is refused, and the program can go on", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("text", "list", "shared", "keys"), fc.integer({ min: 1, max: 60 }), async (what, size) => {
        const n = size * 20_000;
        const text = "x".repeat(n);
        const given =
          what === "text"
            ? text
            : what === "list"
              ? new Array<number>(n).fill(1)
              : what === "shared"
                ? Array.from({ length: size }, () => [text, text])
                : Object.fromEntries(Array.from({ length: Math.ceil(n / 20) }, (_, i) => [`k${i}`, i]));
        const outcome = await run("try { const v = await tools.t.give(); return typeof v } catch (e) { return e.message }", {
          tools: { t: { give: () => given } },
          limits: { memoryBytes: 8_388_608, computeMs: 60_000 },
        });
        if (outcome.status === "failed") expect(outcome.error).toMatchObject({ kind: "limit", limit: "memoryBytes" });
        else expect(outcome.value).toMatch(/^(?:string|object)$|more data than one value may bring/);
      }),
      { numRuns: 40 },
    );
  });
});
