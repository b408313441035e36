// Names and schemas of tools as the wires take them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedPath } from "../../../test/support/shared.js";
import { wireNames, wireSchema } from "../dist/src/index.js";

const tool = (server: string, name: string): { path: string; tool: { server: string; name: string } } => ({
  path: `tools.${server}.${name}`,
  tool: { server, name },
});
const names = (...tools: [string, string][]): { [path: string]: string } =>
  Object.fromEntries([...wireNames(tools.map(([server, name]) => tool(server, name)))].map(([name, { path }]) => [path, name]));

test("plain names stay readable, others become legal", () => {
  expect(names(["github", "list_issues"], ["docs", "resolve-library-id"], ["odd server", "a/b.c"], ["日本", "語"])).toEqual({
    "tools.github.list_issues": "github_list_issues",
    "tools.docs.resolve-library-id": "docs_resolve-library-id",
    "tools.odd server.a/b.c": "odd_server_a_b_c",
    "tools.日本.語": "___",
  });
});

test("names that would be the same, or are too long, stay apart and don't depend on the order", () => {
  const long = "x".repeat(80);
  const tools: [string, string][] = [
    ["a_b", "c"],
    ["a", "b_c"],
    ["a", "b.c"],
    ["s", `${long}1`],
    ["s", `${long}2`],
  ];
  const found = names(...tools);
  expect(new Set(Object.values(found)).size).toBe(5);
  for (const name of Object.values(found)) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(names(...tools.reverse())).toEqual(found);
});

test("a name that looks like another's mark is no clash", () => {
  const [, marked] = Object.values(names(["a", "b.c"], ["a", "b_c"]));
  const server = marked.slice(0, 1);
  expect(new Set(Object.values(names(["a", "b.c"], ["a", "b_c"], [server, marked.slice(2)]))).size).toBe(3);
});

const schema = (value: object | boolean): object => wireSchema(value as never).schema;

test.each([
  ["nothing", {}, { type: "object", properties: {} }],
  ["true", true, { type: "object", properties: {} }],
  [
    "an object, untouched",
    { type: "object", properties: { a: { type: "string", pattern: "^x" } }, required: ["a"], additionalProperties: false },
    { type: "object", properties: { a: { type: "string", pattern: "^x" } }, required: ["a"], additionalProperties: false },
  ],
  ["object or null", { type: ["object", "null"], properties: { a: {} } }, { type: "object", properties: { a: {} } }],
  [
    "anyOf: what all branches require",
    {
      anyOf: [
        { properties: { a: {}, b: {} }, required: ["a", "b"], additionalProperties: false },
        { properties: { a: {}, c: {} }, required: ["a"] },
      ],
    },
    { type: "object", properties: { a: {}, b: {}, c: {} }, required: ["a"] },
  ],
  [
    "allOf: all that is required",
    {
      allOf: [
        { properties: { a: {} }, required: ["a"] },
        { properties: { b: {} }, required: ["b"] },
      ],
    },
    { type: "object", properties: { a: {}, b: {} }, required: ["a", "b"] },
  ],
  [
    "a reference at the top",
    { $ref: "#/$defs/In", $defs: { In: { type: "object", properties: { a: { $ref: "#/$defs/A" } } }, A: { type: "string" } } },
    {
      type: "object",
      properties: { a: { $ref: "#/$defs/A" } },
      $defs: { In: { type: "object", properties: { a: { $ref: "#/$defs/A" } } }, A: { type: "string" } },
    },
  ],
  ["a reference to itself", { $ref: "#" }, { type: "object", properties: {} }],
  [
    "older drafts",
    {
      $schema: "http://json-schema.org/draft-04/schema#",
      id: "x",
      properties: { n: { minimum: 1, exclusiveMinimum: true }, t: { items: [{ type: "string" }], additionalItems: false } },
    },
    { type: "object", properties: { n: { exclusiveMinimum: 1 }, t: { prefixItems: [{ type: "string" }], items: false } } },
  ],
  [
    "references to elsewhere",
    { properties: { a: { $ref: "https://example.com/x.json" }, b: { $ref: "file:///etc/passwd" } } },
    { type: "object", properties: { a: {}, b: {} } },
  ],
  ["wrong keywords", { type: "object", properties: [], required: "a" }, { type: "object", properties: {} }],
  [
    "properties named like keywords",
    {
      properties: { properties: { type: "string" }, $schema: { type: "string" }, required: { type: "boolean" }, enum: { type: "string" } },
    },
    {
      type: "object",
      properties: { properties: { type: "string" }, $schema: { type: "string" }, required: { type: "boolean" }, enum: { type: "string" } },
    },
  ],
])("%s", (_, given, wanted) => {
  const left = wireSchema(given as never);
  // `$schema` as a property's name has a character that no wire takes.
  const dropped = left.left;
  expect(left.schema).toEqual(JSON.parse(JSON.stringify(wanted), (key, value) => (dropped.includes(key) ? undefined : value)));
});

test("properties that no wire takes are left out, and told", () => {
  expect(wireSchema({ type: "object", properties: { "a b": {}, ok: {} }, required: ["a b", "ok"], additionalProperties: false })).toEqual({
    schema: { type: "object", properties: { ok: {} }, required: ["ok"] },
    left: ["a b"],
  });
});

test("a Standard Schema says what it takes, or takes any object", () => {
  const standard = { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) };
  const described = {
    "~standard": { ...standard, jsonSchema: { input: () => ({ type: "object", properties: { a: { type: "string" } } }) } },
  };
  expect(wireSchema(described as never).schema).toEqual({ type: "object", properties: { a: { type: "string" } } });
  expect(wireSchema({ "~standard": standard } as never).schema).toEqual({ type: "object", properties: {} });
});

test("`__proto__` and deep nesting are harmless", () => {
  const made = schema(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'));
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  let deep: object = {};
  for (let i = 0; i < 20_000; i++) deep = { items: deep };
  expect(JSON.stringify(schema({ properties: { a: deep } })).length).toBeLessThan(2000);
});

const lists = sharedPath("mcp-catalogs");

test.skipIf(lists === undefined)(
  "real tool lists: every name is legal and unique, every schema is an object without combinators at its top",
  () => {
    const tools = readdirSync(lists!, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".json"))
      .flatMap((file) => {
        const list: unknown = JSON.parse(readFileSync(join(lists!, file), "utf8"));
        const found = Array.isArray(list) ? list : Object(list).tools;
        return Array.isArray(found)
          ? found.filter((each) => typeof each.name === "string").map((each) => ({ ...tool(file, each.name), schema: each.inputSchema }))
          : [];
      });
    expect(tools.length).toBeGreaterThan(1000);
    const all = wireNames(tools);
    expect(all.size).toBe(tools.length);
    for (const [name, { schema: given }] of all) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      const { schema: wire } = wireSchema(given);
      expect(wire).toMatchObject({ type: "object", properties: {} });
      for (const keyword of ["anyOf", "oneOf", "allOf", "not", "enum", "$ref", "$schema"]) expect(wire).not.toHaveProperty([keyword]);
    }
  },
);
