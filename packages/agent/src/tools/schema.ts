// Input schemas as the providers take them. The gate validates against the tool's own schema; this one only has to be accepted and to tell
// the model what to send.

import { isStandardSchema, toJsonSchema, type JsonSchema, type StandardSchema } from "@airlock/catalog";

type Node = { [keyword: string]: unknown };

const deepest = 40;
/** Anthropic refuses property names with other characters. */
const takenName = /^[a-zA-Z0-9_.-]{1,64}$/;
/** Say which dialect or document a schema is, or are another tool's extensions. */
const dropped = new Set([
  "$schema",
  "$id",
  "id",
  "$comment",
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$vocabulary",
  "tsType",
  "tsEnumNames",
]);

/**
 * An object schema of draft 2020-12 without combinators at the top: what all three wires accept. `left` are properties whose names no
 * wire takes; the schema stays open for them.
 */
export function wireSchema(schema: JsonSchema | StandardSchema): { schema: Node; left: string[] } {
  // One that can't be described takes any object here; the gate knows more.
  const source = isStandardSchema(schema) ? toJsonSchema(schema) : schema;
  const root = isNode(source) ? source : {};
  const left = new Set<string>();
  const top = flatten(root, root, 0);
  const clean = cleaned({ ...top, type: "object" }, 0, left);
  if (!isNode(clean.properties)) clean.properties = {};
  if (left.size > 0) delete clean.additionalProperties;
  return { schema: clean, left: [...left] };
}

/**
 * Takes combinators off the top: all of `allOf`'s properties are asked for; of `anyOf` and `oneOf`, those that every branch requires.
 * A reference at the top is followed inside the document.
 */
function flatten(node: Node, root: Node, depth: number): Node {
  const { allOf, anyOf, oneOf, $ref, not: _not, if: _if, then: _then, else: _else, enum: _enum, const: _const, ...rest } = node;
  if (depth > deepest) return rest;
  const target = typeof $ref === "string" ? pointed(root, $ref) : undefined;
  const all = [...branches(allOf), ...(isNode(target) ? [target] : [])].map((branch) => flatten(branch, root, depth + 1));
  const choices = [branches(anyOf), branches(oneOf)]
    .filter((some) => some.length > 0)
    .map((some) => some.map((branch) => flatten(branch, root, depth + 1)));
  if (all.length === 0 && choices.length === 0) return rest;
  const properties: Node = {};
  const required = new Set(namesIn(rest.required));
  for (const branch of [...choices.flat(), ...all, rest]) if (isNode(branch.properties)) Object.assign(properties, branch.properties);
  for (const branch of all) for (const name of namesIn(branch.required)) required.add(name);
  for (const some of choices)
    for (const name of namesIn(some[0].required)) if (some.every((branch) => namesIn(branch.required).includes(name))) required.add(name);
  // Another branch may forbid what this one allows.
  const { additionalProperties: _closed, ...open } = rest;
  return { ...open, properties, ...(required.size > 0 ? { required: [...required] } : {}) };
}

/** The node with forms of older drafts written in today's, and what wires refuse taken out. */
function cleaned(node: Node, depth: number, left: Set<string>): Node {
  const out: Node = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (dropped.has(keyword) || (keyword === "$ref" && !(typeof value === "string" && value.startsWith("#")))) continue;
    if (keyword === "properties" || keyword === "$defs" || keyword === "definitions" || keyword === "patternProperties")
      out[keyword] = mapped(value, depth, left, keyword === "properties");
    else if (keyword === "enum" || keyword === "const" || keyword === "default" || keyword === "examples") out[keyword] = value;
    else if (keyword === "required") out.required = namesIn(value);
    else if (Array.isArray(value)) out[keyword] = value.map((inner: unknown) => child(inner, depth, left));
    else out[keyword] = isNode(value) ? child(value, depth, left) : value;
  }
  modernise(out);
  if (isNode(out.properties) && Array.isArray(out.required)) {
    const { properties } = out;
    out.required = [...new Set(namesIn(out.required))].filter((name) => Object.hasOwn(properties, name) || takenName.test(name));
  }
  if (Array.isArray(out.required) && out.required.length === 0) delete out.required;
  return out;
}

function child(value: unknown, depth: number, left: Set<string>): unknown {
  if (!isNode(value)) return value;
  return depth >= deepest ? {} : cleaned(value, depth + 1, left);
}

function mapped(value: unknown, depth: number, left: Set<string>, filter: boolean): Node {
  const out: Node = {};
  for (const [name, inner] of Object.entries(isNode(value) ? value : {})) {
    if (filter && !takenName.test(name)) left.add(name);
    else if (isNode(inner) || typeof inner === "boolean")
      Object.defineProperty(out, name, { value: child(inner, depth, left), enumerable: true, writable: true, configurable: true });
  }
  return out;
}

/** Draft 4's boolean bounds and draft 7's tuples; `nullable` and other keywords that mean nothing are ignored by the wires. */
function modernise(node: Node): void {
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ]) {
    if (typeof node[exclusive] !== "boolean") continue;
    if (node[exclusive] && typeof node[bound] === "number") {
      node[exclusive] = node[bound];
      delete node[bound];
    } else delete node[exclusive];
  }
  if (Array.isArray(node.items)) {
    node.prefixItems = node.items;
    if (node.additionalItems === undefined) delete node.items;
    else node.items = node.additionalItems;
  }
  delete node.additionalItems;
}

function pointed(root: Node, ref: string): unknown {
  if (ref === "#" || !ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const step of ref.slice(2).split("/")) {
    const name = decodeURIComponent(step).replace(/~1/g, "/").replace(/~0/g, "~");
    at = isNode(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

function branches(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
