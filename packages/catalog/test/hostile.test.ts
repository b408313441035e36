// Hostile tool lists change nothing but their own tool.

import { expect, test } from "vitest";
import { createCatalog } from "../dist/src/index.js";
import type { Json } from "@airlock/interpreter";
import { anything, tool, typeErrors } from "./helpers.js";

const deep = (levels: number): object => JSON.parse(`${'{"type":"object","properties":{"a":'.repeat(levels)}{}${"}}".repeat(levels)}`);
const cyclic: Record<string, unknown> = { type: "object" };
cyclic["properties"] = { self: cyclic };
const laughs = (): object => {
  let schema: object = { type: "string" };
  for (let i = 0; i < 40; i++) schema = { type: "object", properties: { a: schema, b: schema } };
  return schema;
};
const chain = (length: number, link: (next: object) => object): object => ({
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(Array.from({ length }, (_, i) => [`d${i}`, i + 1 < length ? link({ $ref: `#/$defs/d${i + 1}` }) : {}])),
});

/** Schemas that are not taken: their type is unknown, nothing is checked, and there is one warning. */
const REFUSED: Record<string, unknown> = {
  file: { $ref: "file:///etc/passwd" },
  address: { type: "object", properties: { a: { $ref: "http://127.0.0.1:1/x.json" } } },
  relative: { $id: "http://127.0.0.1/root", $ref: "other.json" },
  nowhere: { $ref: "#/$defs/none" },
  prototype: { $ref: "#/constructor" },
  loop: { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
  self: { $ref: "#" },
  deep: deep(2_000),
  cyclic,
  laughs: laughs(),
  multiplying: chain(40, (next) => ({ allOf: [next, next] })),
  huge: { type: "object", properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, {}])) },
  values: { type: "object", properties: { a: { enum: Array.from({ length: 100_000 }, (_, i) => i) } } },
  megabytes: { type: "object", properties: { a: { enum: Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(100_000)) } } },
  text: "object",
  nothing: null,
  list: [],
  getter: {
    get type(): string {
      throw new Error("trap");
    },
  },
  proxy: new Proxy(
    {},
    {
      getOwnPropertyDescriptor: () => {
        throw new Error("trap");
      },
    },
  ),
};

/** Schemas that are taken, without what is hostile in them. */
const TAMED: Record<string, { schema: unknown; signature: string }> = {
  tsType: {
    schema: { type: "object", properties: { a: { type: "string", tsType: "import('fs')", tsEnumNames: ["*/ evil"] } } },
    signature: "(input?: { a?: string }): Promise<unknown>",
  },
  async: {
    schema: { $async: true, type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    signature: "(input: { a: string }): Promise<unknown>",
  },
  data: {
    schema: { type: "object", properties: { a: { type: "string", maxLength: { $data: "/b" } } } },
    signature: "(input?: { a?: string }): Promise<unknown>",
  },
  malformed: {
    schema: { type: "objekt", properties: { a: 5, b: { type: 7, enum: [], pattern: 3, required: "a" } }, required: [1, "b"], anyOf: {} },
    signature: "(input: { a?: unknown; b: unknown }): Promise<unknown>",
  },
  recursive: {
    schema: { type: "object", properties: { child: { $ref: "#" } } },
    signature: "(input?: { child?: { child?: unknown } }): Promise<unknown>",
  },
  bomb: {
    schema: { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } },
    signature: "(input?: { a?: string }): Promise<unknown>",
  },
  keys: {
    schema: { type: "object", properties: { '"]: any }; evil(': { const: '"; evil' } }, required: ['"]: any }; evil('] },
    signature: '(input: { "\\"]: any }; evil(": "\\"; evil" }): Promise<unknown>',
  },
  tuple: {
    schema: { type: "object", properties: { a: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 1_000_000 } } },
    signature: "(input?: { a?: string[] }): Promise<unknown>",
  },
};

const hostile = [...Object.entries(REFUSED), ...Object.entries(TAMED).map(([name, { schema }]) => [name, schema] as const)].map(
  ([name, schema]) => tool(`bad.${name}`, schema),
);
const good = tool("bad.good", { type: "object", properties: { a: { type: "string" } }, required: ["a"] }, { description: "Stays" });

test("the others stay as they are, and all are listed", async () => {
  const catalog = createCatalog([...hostile, good]);
  expect(catalog.registrations).toHaveLength(hostile.length + 1);
  expect(catalog.signature("bad.good")).toBe(createCatalog([good]).signature("bad.good"));
  const registration = catalog.get("bad", "good") ?? catalog.registrations[0];
  expect((await catalog.validateInput(registration, {})).ok).toBe(false);
  expect((await catalog.validateInput(registration, { a: "x" })).ok).toBe(true);
  expect(typeErrors({ "tools.d.ts": catalog.declarations() })).toEqual([]);
  const listing = catalog.listing({ budgetTokens: 20_000 });
  for (const { path } of catalog.registrations) expect(listing).toContain(path);
});

test.each(Object.entries(REFUSED))("%s: unknown, unchecked, one warning", async (name, schema) => {
  for (const direction of ["input", "output"] as const) {
    const catalog = createCatalog([
      direction === "input" ? tool(`bad.${name}`, schema) : tool(`bad.${name}`, anything, { outputSchema: schema }),
    ]);
    expect(catalog.signature(`bad.${name}`)).toBe(
      direction === "input" ? `tools.bad.${name}(input: unknown): Promise<unknown>` : `tools.bad.${name}(): Promise<unknown>`,
    );
    expect(catalog.warnings).toHaveLength(1);
    expect(catalog.warnings[0].message).toContain(`The ${direction} schema of bad.${name} was not taken`);
    const check = direction === "input" ? catalog.validateInput : catalog.validateOutput;
    expect(await check.call(catalog, catalog.registrations[0], { any: ["thing"] })).toEqual({ ok: true, value: { any: ["thing"] } });
  }
});

test.each(Object.entries(TAMED))("%s: taken without it", async (name, { schema, signature }) => {
  const catalog = createCatalog([tool(`bad.${name}`, schema)]);
  expect(catalog.signature(`bad.${name}`)).toBe(`tools.bad.${name}${signature}`);
  expect((await catalog.validateInput(catalog.registrations[0], {})).ok).toBe(!signature.startsWith("(input:"));
});

test("what is left out is remarked", () => {
  const messages = createCatalog([tool("bad.malformed", TAMED["malformed"].schema)]).warnings.map((warning) => warning.message);
  expect(messages).toContain('The input schema of bad.malformed: its keyword "type" is malformed and was left out');
});

const nested = (levels: number): Json => JSON.parse(`${'{"a":'.repeat(levels)}{}${"}".repeat(levels)}`);

test("values that need too long end in bounded time", { timeout: 60_000 }, async () => {
  const branching = {
    $ref: "#/$defs/n",
    $defs: { n: { allOf: [{ properties: { a: { $ref: "#/$defs/n" } } }, { properties: { a: { $ref: "#/$defs/n" } } }] } },
  };
  const cases: [unknown, Json][] = [
    [{ type: "object", properties: { a: { pattern: "^(a+)+$" } } }, { a: `${"a".repeat(60)}!` }],
    [{ type: "object", patternProperties: { "^(a+)+$": { type: "string" } } }, { [`${"a".repeat(60)}!`]: 1 }],
    [
      { type: "object", properties: { list: { items: { pattern: "^(x+x+)+y$" } } } },
      { list: Array.from({ length: 5_000 }, () => "x".repeat(40)) },
    ],
    [branching, nested(150)],
    [
      { type: "object", properties: { list: { items: { enum: Array.from({ length: 10_000 }, (_, i) => ({ i, x: "y" })) } } } },
      { list: Array.from({ length: 20_000 }, () => ({ i: 9_999, x: "y" })) },
    ],
  ];
  for (const [schema, value] of cases) {
    const catalog = createCatalog([tool("bad.t", schema)]);
    const before = process.cpuUsage();
    const result = await catalog.validateInput(catalog.registrations[0], value);
    expect(process.cpuUsage(before).user / 1_000, JSON.stringify(schema).slice(0, 100)).toBeLessThan(10_000);
    expect(result).toMatchObject({ ok: false, message: "bad.t can't be checked: its schema needs too many steps for this value" });
  }
  const distinct = createCatalog([tool("bad.t", { type: "object", properties: { list: { uniqueItems: true } } })]);
  expect((await distinct.validateInput(distinct.registrations[0], { list: Array.from({ length: 50_000 }, (_, i) => ({ i })) })).ok).toBe(
    true,
  );
});

test("a wrong value with very many errors costs no more than its size", async () => {
  const catalog = createCatalog([tool("bad.t", { type: "object", properties: { list: { items: { type: "string" } } } })]);
  const result = await catalog.validateInput(catalog.registrations[0], { list: Array.from({ length: 1_000_000 }, (_, i) => i) });
  expect(result).toMatchObject({ ok: false, message: 'bad.t field "list[0]" should be a string; got 0' });
  expect(result.ok ? [] : result.errors).toHaveLength(1);
});
