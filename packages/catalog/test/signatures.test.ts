import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createCatalog, toJsonSchema } from "../dist/src/index.js";
import { anything, signature, tool, type, typeErrors } from "./helpers.js";

test("the form of a signature", () => {
  const input = {
    type: "object",
    properties: { repo: { type: "string" }, title: { type: "string" }, labels: { type: "array", items: { type: "string" } } },
    required: ["repo", "title"],
  };
  const output = { type: "object", properties: { number: { type: "integer" } }, required: ["number"] };
  expect(createCatalog([tool("github.create_issue", input, { outputSchema: output })]).signature("github.create_issue")).toBe(
    "tools.github.create_issue(input: { repo: string; title: string; labels?: string[] }): Promise<{ number: number }>",
  );
});

test("inputs: none, all optional, open, without a type", () => {
  expect(signature({ type: "object" })).toBe("tools.s.t(): Promise<unknown>");
  expect(signature({ type: "object", properties: {}, additionalProperties: false })).toBe("tools.s.t(): Promise<unknown>");
  expect(signature({ type: "object", properties: { a: { type: "number" } } })).toBe("tools.s.t(input?: { a?: number }): Promise<unknown>");
  expect(signature({ properties: { a: { type: "number" } }, required: ["a"] })).toBe("tools.s.t(input: { a: number }): Promise<unknown>");
  for (const schema of [{}, true, { $schema: "http://json-schema.org/draft-07/schema#" }, { type: "object", additionalProperties: true }]) {
    expect(signature(schema)).toBe("tools.s.t(input?: Record<string, unknown>): Promise<unknown>");
  }
  expect(signature({ type: "object", properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] })).toBe(
    "tools.s.t(input: { a?: unknown; b?: unknown } & ({ a: unknown } | { b: unknown })): Promise<unknown>",
  );
});

test.each([
  [{}, "unknown"],
  [true, "unknown"],
  [false, "never"],
  [{ type: "integer" }, "number"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ type: "string", nullable: true }, "string | null"],
  [{ enum: ["a", 1, null, true] }, '"a" | 1 | null | true'],
  [{ type: "string", enum: ["a", 1] }, '"a"'],
  [{ const: { a: [1, "x"] } }, '{ a: [1, "x"] }'],
  [{ const: 'q"*/\n\u202e' }, '"q\\"*\\/\\n\\u202e"'],
  [{ enum: Array.from({ length: 100 }, (_, i) => `v${i}`) }, "string"],
  [{ type: "array" }, "unknown[]"],
  [{ type: "array", items: { type: ["string", "number"] } }, "(string | number)[]"],
  [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 2, items: false }, "[string, number]"],
  [
    { type: "array", prefixItems: [{ type: "string" }, { type: ["number", "null"] }], minItems: 1 },
    "[string, (number | null)?, ...unknown[]]",
  ],
  [{ type: "array", items: [{ type: "string" }], additionalItems: false, $schema: "http://json-schema.org/draft-07/schema#" }, "[string?]"],
  [{ type: "object" }, "Record<string, unknown>"],
  [{ type: "object", additionalProperties: false }, "Record<string, never>"],
  [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
  [
    { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "number" } },
    "{ a?: string; [key: string]: unknown }",
  ],
  [{ type: "object", patternProperties: { "^x": { type: "string" } }, additionalProperties: false }, "Record<string, string>"],
  [
    { type: "object", properties: { "x-y": {}, new: {}, "a*/": {} }, required: ["new", "gone"] },
    '{ "x-y"?: unknown; new: unknown; "a*\\/"?: unknown; gone: unknown }',
  ],
  [{ anyOf: [{ type: "string" }, { type: "null" }, { type: "string", maxLength: 3 }] }, "string | null"],
  [{ anyOf: [{ type: "string" }, {}] }, "unknown"],
  [{ oneOf: [{ type: "object", properties: { k: { const: "a" } }, required: ["k"] }, { type: "number" }] }, '{ k: "a" } | number'],
  [
    {
      allOf: [
        { type: "object", properties: { a: { type: "string" } } },
        { type: "object", properties: { b: { type: "string" } } },
      ],
    },
    "{ a?: string } & { b?: string }",
  ],
  [{ type: "string", allOf: [{ enum: ["a", "b", 3] }] }, '"a" | "b"'],
  [
    { $ref: "#/$defs/A", $defs: { A: { type: "object", properties: { x: { $ref: "#/$defs/B" } } }, B: { type: "string" } } },
    "{ x?: string }",
  ],
  [{ $ref: "#a", definitions: { A: { $id: "#a", type: "string" } } }, "string"],
  [
    {
      $id: "http://x.test/root",
      $ref: "item",
      $defs: { i: { $id: "item", type: "array", items: { $ref: "#/$defs/t" }, $defs: { t: { type: "null" } } } },
    },
    "null[]",
  ],
  [{ type: "object", properties: { child: { $ref: "#" } } }, "{ child?: { child?: unknown } }"],
  [{ properties: { a: { type: "string" } } }, "{ a?: string } | unknown[] | string | number | boolean | null"],
])("type of %j", (schema, wanted) => {
  expect(type(schema)).toBe(wanted);
});

test("a large type loses its depth, not its names", () => {
  const wide = (depth: number): object => ({
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 7 }, (_, i) => [`field_${depth}_${i}`, depth === 0 ? { type: "string" } : wide(depth - 1)]),
    ),
  });
  const text = type(wide(3));
  expect(text.length).toBeLessThan(4_100);
  expect(text).toContain("field_3_6?: { field_2_0?: Record<string, unknown>;");
});

test("Standard Schemas: by their own JSON Schema, each direction its own", () => {
  const schema = z.object({ when: z.string().transform((text) => text.length), n: z.number().default(1) });
  const text = createCatalog([{ ...tool("s.t"), inputSchema: schema, outputSchema: z.object({ a: z.string().optional() }) }]).signature(
    "s.t",
  );
  expect(text).toBe("tools.s.t(input: { when: string; n?: number }): Promise<{ a?: string }>");
  expect(toJsonSchema(schema, "output")).toBeUndefined();
  expect(toJsonSchema({ "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }) } })).toBeUndefined();
});

describe("declarations", () => {
  const node = {
    type: "object",
    properties: { value: { type: "integer", minimum: 0, default: 3 }, next: { $ref: "#/$defs/Node" } },
    required: ["value"],
  };
  const list = { type: "object", properties: { head: { $ref: "#/$defs/Node" } }, $defs: { Node: node } };
  const catalog = createCatalog([
    tool("lists.sum", list, {
      description: "Adds */ up\n\n`x` @deprecated",
      outputSchema: { type: "number" },
      serverDescription: "All about lists */",
    }),
    tool("lists.no-op"),
    tool("lists.text", {
      type: "object",
      properties: { format: { enum: ["a", "b"] }, at: { type: "string", format: "date-time", description: "When.\u2028*/ evil()" } },
      required: ["format"],
    }),
  ]);

  test("TypeScript accepts them, and judges programs by them", () => {
    const program = `
      await tools.lists.sum({ head: { value: 1, next: { value: 2 } } }) + 1;
      await tools.lists["no-op"](); await tools.lists["no-op"]({});
      await tools.lists.text({ format: "a", at: "x" });`;
    expect(typeErrors({ "tools.d.ts": catalog.declarations(), "program.ts": `${program}\nexport {};` })).toEqual([]);
    const wrong = [
      "await tools.lists.sum({ head: { value: 1, next: { valu: 2 } } });",
      "await tools.lists.text({ format: 'c' });",
      "await tools.lists.text({});",
      "(await tools.lists.text({ format: 'a' })).x;",
    ];
    const errors = typeErrors({ "tools.d.ts": catalog.declarations(), "program.ts": `${wrong.join("\n")}\nexport {};` });
    expect(errors.map((line) => /program\.ts\((\d)/.exec(line)?.[1])).toEqual(["1", "2", "3", "4"]);
  });

  test("limits, formats and presets are comments", () => {
    const text = catalog.declarations(["lists.sum"]);
    expect(text).toContain("     * @integer\n     * @minimum 0\n     * @default 3\n");
    expect(text).toContain("readonly sum: (input?: {");
    expect(text).not.toContain("readonly text");
    expect(text.match(/\*\//g)?.length).toBe(text.match(/\/\*\*/g)?.length);
  });

  test("just the tools that are asked for, under the names that are asked for", () => {
    const text = catalog.declarations(["tools.lists.no_op", "lists.gone"], { missingOutput: "any" });
    expect(text).toContain('readonly "no-op": (input?: { [key: string]: never }) => Promise<any>;');
    expect(text).toContain("readonly no_op:");
    expect(text).not.toContain("sum");
    expect(typeErrors({ "tools.d.ts": text, "program.ts": "(await tools.lists.no_op()).x.y; export {};" })).toEqual([]);
  });

  test("odd names and hostile texts", () => {
    const names = [
      "constructor",
      "__proto__",
      "then",
      "new",
      "get",
      "class",
      "a*/b",
      'a"b',
      "a`${1}b",
      "a\nb",
      "a\u2028b",
      "a.b",
      "0a",
      "",
      " ",
      "\u202eabc",
      "readonly",
      "//",
      "/*",
      "[Symbol.iterator]",
    ];
    const hostile = createCatalog([
      ...names.map((name) => ({
        ...tool("odd.x", {
          type: "object",
          properties: Object.fromEntries(names.map((key) => [key, { const: key, description: `${key} */ }; declare const evil: 1; /**` }])),
        }),
        name,
      })),
      ...names.map((server) => ({ ...tool("x.t", anything, { serverDescription: "*/ evil", description: "*/ evil\n * @x" }), server })),
    ]);
    const declarations = hostile.declarations();
    const uses = names.map((name) => `tools.odd[${JSON.stringify(name)}]({}); tools[${JSON.stringify(name)}].t();`).join("\n");
    expect(typeErrors({ "tools.d.ts": declarations, "program.ts": `${uses}\nexport {};` })).toEqual([]);
    expect(typeErrors({ "tools.d.ts": declarations, "program.ts": "evil; export {};" })).toEqual([expect.stringContaining("evil")]);
    const lines = hostile.registrations.map(({ path }, i) => `declare function f${i}${hostile.signature(path).slice(path.length)};`);
    expect(typeErrors({ "signatures.d.ts": lines.join("\n") })).toEqual([]);
    for (const { path } of hostile.registrations) expect(hostile.signature(path)).not.toMatch(/[\n\u2028\u202e]|\*\//);
  });
});
