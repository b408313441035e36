// A value that validates is assignable to the type shown.

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createCatalog } from "../dist/src/index.js";
import type { Json } from "@airlock/interpreter";
import { anything, tool, typeErrors } from "./helpers.js";

type Schema = Record<string, unknown> | boolean;

const KEYS = ["a", "b", "x-y", "constructor", "__proto__"];
const scalar: fc.Arbitrary<Json> = fc.constantFrom<Json>(null, true, false, 0, -1, 2.5, "", "a", "b", 'q"\n');
const type = fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object");

const conditional = (...parts: Schema[]): Schema => Object.fromEntries(["not", "if", "then"].map((key, i) => [key, parts[i]]));

const { schema } = fc.letrec<{ schema: Schema; object: Schema; array: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Schema>({}, true, { type: "string", nullable: true }, { $ref: "#/$defs/R" }, { $ref: "#/$defs/T" }),
    fc.record({ type }),
    fc.record({ type: fc.uniqueArray(type, { minLength: 1, maxLength: 3 }) }),
    fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 4 }), type }, { requiredKeys: ["enum"] }),
    fc.record({ const: fc.oneof(scalar, fc.constant<Json>({ a: [1, "a"] }), fc.constant<Json>([])) }),
    tie("object"),
    tie("array"),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }), type: fc.constant("object") }, { requiredKeys: ["anyOf"] }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record(
      {
        allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
        properties: fc.dictionary(fc.constantFrom(...KEYS), tie("schema"), { noNullPrototype: true }),
        additionalProperties: fc.constant({}),
      },
      { requiredKeys: ["allOf", "additionalProperties"] },
    ),
    fc.tuple(tie("schema"), tie("schema"), tie("schema")).map(([no, when, so]) => conditional(no, when, so)),
  ),
  object: fc.record(
    {
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom(...KEYS), tie("schema"), { noNullPrototype: true }),
      required: fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 2 }),
      // Always said: what an open schema allows without saying so is not shown (and TypeScript refuses values that share no field with the type).
      additionalProperties: fc.oneof(fc.constant(false), tie("schema")),
      patternProperties: fc.record({ "^b": tie("schema") }),
    },
    { requiredKeys: ["additionalProperties"] },
  ),
  array: fc.record(
    {
      type: fc.constant("array"),
      items: tie("schema"),
      prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
      minItems: fc.nat(2),
      maxItems: fc.nat(3),
    },
    { requiredKeys: ["type"] },
  ),
}));

const withDefs = schema.map((root): Schema => ({
  ...(typeof root === "boolean" ? { allOf: [root] } : root),
  $defs: {
    R: {
      type: "object",
      properties: { a: { $ref: "#/$defs/R" }, b: { type: "array", items: { $ref: "#/$defs/T" } } },
      additionalProperties: false,
    },
    T: {
      anyOf: [
        { type: "string" },
        { type: "array", items: { $ref: "#/$defs/T" } },
        { type: "object", additionalProperties: { $ref: "#/$defs/T" } },
      ],
    },
  },
}));

/** A value that likely fits: fields that the schema does not name are only made where it speaks of them. */
function sample(part: unknown, root: Schema, random: () => number, depth = 0): Json {
  const any = (): Json => [null, true, 1, "a", [], {}][Math.floor(random() * 6)];
  if (typeof part !== "object" || part === null || depth > 6) return any();
  const node = part as Record<string, unknown>;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const inner = (value: unknown): Json => sample(value, root, random, depth + 1);
  if (typeof node["$ref"] === "string" && typeof root === "object")
    return inner((root["$defs"] as Record<string, unknown>)[node["$ref"].slice(-1)]);
  if ("const" in node) return node["const"] as Json;
  if (Array.isArray(node["enum"])) return pick(node["enum"]) as Json;
  const forms = node["anyOf"] ?? node["oneOf"] ?? node["allOf"];
  if (Array.isArray(forms) && random() < 0.9) {
    const made = inner(pick(forms));
    const own = node["properties"] === undefined ? {} : inner({ type: "object", properties: node["properties"] });
    return typeof made === "object" && made !== null && !Array.isArray(made) ? { ...made, ...Object(own) } : made;
  }
  const kinds = [
    node["type"] ?? (node["properties"] || node["required"] ? "object" : pick(["object", "array", "string", "number"])),
  ].flat();
  switch (pick(kinds)) {
    case "string":
      return pick(["", "a", "b", "zz"]);
    case "number":
    case "integer":
      return pick([0, 1, -3]);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    case "array": {
      const prefix = Array.isArray(node["prefixItems"]) ? node["prefixItems"] : [];
      return Array.from({ length: Math.floor(random() * 4) }, (_, i) => inner(prefix[i] ?? node["items"] ?? {}));
    }
    default: {
      const fields = Object.entries(Object(node["properties"])).filter(
        ([key]) => random() < 0.6 || [node["required"]].flat().includes(key),
      );
      const missing = ([node["required"]].flat() as unknown[])
        .filter((key) => typeof key === "string" && !Object.hasOwn(Object(node["properties"]), key))
        .map((key) => [key, {}]);
      const more = random() < 0.6 && node["additionalProperties"] !== undefined ? [["zz", node["additionalProperties"]]] : [];
      const patterned = random() < 0.6 && node["patternProperties"] !== undefined ? [["bb", Object(node["patternProperties"])["^b"]]] : [];
      return Object.fromEntries([...fields, ...missing, ...more, ...patterned].map(([key, field]) => [String(key), inner(field)]));
    }
  }
}

/** The type that has just this value. */
function literal(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  return `{ ${Object.entries(value)
    .map(([key, field]) => `${JSON.stringify(key)}: ${literal(field)}`)
    .join("; ")} }`;
}

const someCase = fc.record({ schema: withDefs, seed: fc.nat(1_000_000) });

function generator(seed: number): () => number {
  let state = seed + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

test("of random schemas and values", { timeout: 180_000 }, async () => {
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(someCase, { minLength: 150, maxLength: 200 }), async (cases) => {
      const tools = cases.map((entry, i) => tool(`s.t${i}`, anything, { outputSchema: entry.schema }));
      const catalog = createCatalog(tools);
      const lines: string[] = [];
      const described: string[] = [];
      for (const [i, entry] of cases.entries()) {
        const registration = catalog.get("s", `t${i}`);
        if (registration === undefined) throw new Error("no tool");
        const random = generator(entry.seed);
        for (let n = 0; n < 8; n++) {
          const value = sample(entry.schema, entry.schema, random);
          if (!(await catalog.validateOutput(registration, value)).ok) continue;
          checked++;
          lines.push(
            `type C${lines.length} = [Fits<Awaited<ReturnType<typeof tools.s.t${i}>>, ${literal(value)}>, Fits<Shown${i}, ${literal(value)}>];`,
          );
          described.push(`${JSON.stringify(entry.schema)} ← ${JSON.stringify(value)} : ${catalog.signature(`s.t${i}`)}`);
        }
      }
      const types = cases.map((_, i) => `type Shown${i} = ${catalog.signature(`s.t${i}`).slice(`tools.s.t${i}(): Promise<`.length, -1)};`);
      const program = `${lines.join("\n")}\nexport {};`;
      const errors = typeErrors({
        "tools.d.ts": catalog.declarations(),
        "shown.d.ts": `${types.join("\n")}\ntype Fits<T, V extends T> = V;`,
        "program.ts": program,
      });
      const faults = errors
        .filter((line) => !line.startsWith(" "))
        .map((line) => `${line}\n${described[Number(/program\.ts\((\d+)/.exec(line)?.[1]) - 1] ?? ""}`);
      expect(faults).toEqual([]);
    }),
    { numRuns: 3, endOnFailure: true },
  );
  expect(checked).toBeGreaterThan(500);
});
