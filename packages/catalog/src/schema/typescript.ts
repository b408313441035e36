// JSON Schema → TypeScript type.
//
// The value property: a value that validates is assignable to the type. Where TypeScript can't say what the schema says, the type is
// wider, never narrower. Fields that an open schema allows without naming them are the one exception: they are not shown, so that a
// misspelt field is found.

import type { Json } from "@airlock/interpreter";
import { quoteText } from "../text.js";
import { isPlainName } from "../paths.js";
import { defIndex, targetOf, type CleanDocument, type CleanNode, type CleanSchema, type JsonType } from "./clean.js";
import { docComment } from "./docs.js";
import { PROTO_PATTERN } from "./intake.js";

export interface TypeOptions {
  /** Objects and arrays inside each other that are written out; what is deeper is `unknown`. */
  depth: number;
  /** UTF-16 units of the whole type. */
  maxLength: number;
  /** Literals in one union; above, the type of the literals is shown. */
  maxLiterals: number;
  /** Several lines, with comments on the fields. Default: one line. */
  indent?: string;
  /** A name for the target of a reference, in place of its text. */
  nameOf?: (index: number) => string;
}

/** The type would be longer than `maxLength`. */
export class TypeTooLong extends Error {}

/**
 * The type of the values of a schema, by default in one line.
 *
 * @throws {TypeTooLong}
 * @example typeText({ root: { type: "array", items: { type: "string" } }, … }, { … }) // "string[]"
 */
export function typeText(document: CleanDocument, schema: CleanSchema, options: TypeOptions): string {
  return new TypeWriter(document, options).convert(schema, ANY, options.depth, options.indent ?? "").text;
}

/** TypeScript's kinds of JSON values. */
type Kind = "object" | "array" | "string" | "number" | "boolean" | "null";
const ANY: readonly Kind[] = ["object", "array", "string", "number", "boolean", "null"];

interface Type {
  text: string;
  /** What needs parentheses: a union inside an intersection, both before `[]`. */
  form: "union" | "intersection" | "primary";
}

const primary = (text: string): Type => ({ text, form: "primary" });
const UNKNOWN = primary("unknown");
const NEVER = primary("never");

class TypeWriter {
  readonly #document: CleanDocument;
  readonly #options: TypeOptions;
  readonly #open = new Set<number>();
  #length = 0;

  constructor(document: CleanDocument, options: TypeOptions) {
    this.#document = document;
    this.#options = options;
  }

  /** `allowed`: the kinds that the place can have by what is known from outside of the schema. */
  convert(schema: CleanSchema, allowed: readonly Kind[], depth: number, indent: string): Type {
    // Each visit counts: shared references can lead to exponentially many places that add no text.
    if (++this.#length > this.#options.maxLength) throw new TypeTooLong();
    if (schema === true) return UNKNOWN;
    if (schema === false) return NEVER;
    const kinds = kindsOf(schema)?.filter((kind) => allowed.includes(kind)) ?? allowed;
    const inPlace = (part: CleanSchema): Type => this.convert(part, kinds, depth, indent);
    const parts: Type[] = [];
    for (const part of schema.allOf ?? []) parts.push(inPlace(part));
    for (const choice of [schema.anyOf, schema.oneOf]) if (choice !== undefined) parts.push(union(choice.map(inPlace)));
    const covered = parts.some((part) => part !== UNKNOWN);
    if (schema.$ref !== undefined) parts.unshift(this.#reference(schema.$ref, kinds, depth, indent));
    const inlined = covered || (parts[0] !== undefined && parts[0] !== UNKNOWN && this.#options.nameOf === undefined);
    const base = this.#base(schema, kinds, allowed, depth, indent);
    if (!(inlined && isImplied(schema))) parts.unshift(base);
    return intersection(parts);
  }

  #count(text: string): string {
    this.#length += text.length;
    if (this.#length > this.#options.maxLength) throw new TypeTooLong();
    return text;
  }

  #reference(ref: string, kinds: readonly Kind[], depth: number, indent: string): Type {
    const index = defIndex(ref);
    if (this.#options.nameOf !== undefined) return primary(this.#count(this.#options.nameOf(index)));
    if (this.#open.has(index)) return UNKNOWN;
    this.#open.add(index);
    const type = this.convert(targetOf(this.#document, ref), kinds, depth, indent);
    this.#open.delete(index);
    return type;
  }

  /** What the schema says by its own type, values and fields. */
  #base(schema: CleanNode, kinds: readonly Kind[], allowed: readonly Kind[], depth: number, indent: string): Type {
    if (schema.enum !== undefined) return this.#literals(schema.enum, kinds);
    if (schema.type === undefined) {
      const shaped = (allowed.includes("object") && hasFields(schema)) || (allowed.includes("array") && hasItems(schema));
      if (!shaped) return UNKNOWN;
    }
    return union(kinds.map((kind) => this.#ofKind(kind, schema, depth, indent)));
  }

  #ofKind(kind: Kind, schema: CleanNode, depth: number, indent: string): Type {
    if (kind === "object") return this.#object(schema, depth, indent);
    if (kind === "array") return this.#array(schema, depth, indent);
    return primary(this.#count(kind));
  }

  #literals(values: readonly Json[], kinds: readonly Kind[]): Type {
    const fitting = values.filter((value) => kinds.includes(kindOf(value)));
    if (fitting.length <= this.#options.maxLiterals) return union(fitting.map((value) => this.#literal(value, 3)));
    return union([...new Set(fitting.map(kindOf))].map((kind) => widest(kind)));
  }

  #literal(value: Json, depth: number): Type {
    if (typeof value === "string") return primary(this.#count(quoteText(value)));
    if (typeof value !== "object" || value === null) return primary(this.#count(JSON.stringify(value)));
    if (depth === 0) return widest(kindOf(value));
    if (Array.isArray(value)) return primary(`[${value.map((item) => this.#literal(item, depth - 1).text).join(", ")}]`);
    const fields = Object.entries(value).map(([key, item]) => `${this.#count(fieldName(key))}: ${this.#literal(item, depth - 1).text}`);
    return fields.length === 0 ? widest("object") : primary(`{ ${fields.join("; ")} }`);
  }

  #array(schema: CleanNode, depth: number, indent: string): Type {
    const items = schema.items ?? true;
    if (depth <= 0) return primary(this.#count("unknown[]"));
    const rest = (): string => postfix(this.convert(items, ANY, depth - 1, indent), "[]");
    if (schema.prefixItems === undefined) return primary(this.#count(schema.items === false || schema.maxItems === 0 ? "[]" : rest()));
    if (schema.prefixItems.length > 30) return primary(this.#count("unknown[]"));
    const least = schema.minItems ?? 0;
    const most = schema.maxItems ?? Infinity;
    const shown = schema.prefixItems.slice(0, most);
    const members = shown.map((item, i) => {
      const type = this.convert(item, ANY, depth - 1, indent);
      return i < least ? type.text : postfix(type, "?");
    });
    if (items !== false && most > shown.length) members.push(`...${rest()}`);
    return primary(this.#count(`[${members.join(", ")}]`));
  }

  #object(schema: CleanNode, depth: number, indent: string): Type {
    if (depth <= 0) return primary(this.#record("unknown"));
    const properties = Object.entries(schema.properties ?? {});
    const required = new Set(schema.required);
    const fields = properties.map(([key, field]) => this.#field(key, required.has(key), field, depth, indent));
    for (const key of required) {
      if (schema.properties === undefined || !Object.hasOwn(schema.properties, key)) fields.push(this.#count(`${fieldName(key)}: unknown`));
    }
    const others = this.#otherFields(schema, fields.length > 0, depth, indent);
    if (fields.length === 0) return primary(others ?? this.#record(schema.additionalProperties === false ? "never" : "unknown"));
    if (others !== undefined) fields.push(this.#count("[key: string]: unknown"));
    if (this.#options.indent === undefined) return primary(`{ ${fields.join("; ")} }`);
    const inner = `${indent}  `;
    return primary(`{\n${fields.map((field) => `${inner}${field};\n`).join("")}${indent}}`);
  }

  #field(key: string, required: boolean, field: CleanSchema, depth: number, indent: string): string {
    const inner = this.#options.indent === undefined ? indent : `${indent}  `;
    const type = !required && OF_ALL_OBJECTS.has(key) ? UNKNOWN : this.convert(field, ANY, depth - 1, inner);
    const comment = this.#options.indent === undefined ? "" : this.#count(docComment(this.#described(field), inner));
    return `${comment}${this.#count(`${fieldName(key)}${required ? "" : "?"}: `)}${type.text}`;
  }

  /** A field's own words, or those of what it refers to. */
  #described(schema: CleanSchema): CleanSchema {
    if (typeof schema === "boolean" || schema.$ref === undefined || schema.description !== undefined) return schema;
    return targetOf(this.#document, schema.$ref);
  }

  /** The type of the fields that have no name in the schema: undefined if there are none, or none worth showing. */
  #otherFields(schema: CleanNode, named: boolean, depth: number, indent: string): string | undefined {
    const patterns = Object.entries(schema.patternProperties ?? {}).filter(([pattern]) => pattern !== PROTO_PATTERN);
    const extra = schema.additionalProperties;
    if (patterns.length === 0 && (extra === undefined || extra === false)) return undefined;
    if (named) return "unknown"; // an index signature has to hold for the named fields too
    const types = patterns.map(([, field]) => this.convert(field, ANY, depth - 1, indent));
    if (extra !== false) types.push(this.convert(extra ?? true, ANY, depth - 1, indent));
    return this.#record(union(types).text);
  }

  /** An alias that refers to itself may do so in an index signature, not in `Record`. */
  #record(type: string): string {
    const [before, after] = this.#options.nameOf === undefined ? ["Record<string, ", ">"] : ["{ [key: string]: ", " }"];
    this.#count(before);
    return `${before}${type}${after}`;
  }
}

/** To TypeScript every object has these: `{}` is not assignable to `{ constructor?: string }`. */
const OF_ALL_OBJECTS = new Set([
  "constructor",
  "toString",
  "toLocaleString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
]);

/** Whether the schema's own part adds nothing to parts that were converted for just its kinds. */
function isImplied(schema: CleanNode): boolean {
  return schema.enum === undefined && !hasFields(schema) && !hasItems(schema);
}

function hasFields(schema: CleanNode): boolean {
  return (
    schema.properties !== undefined ||
    (schema.required?.length ?? 0) > 0 ||
    schema.additionalProperties !== undefined ||
    schema.patternProperties !== undefined
  );
}

function hasItems(schema: CleanNode): boolean {
  return schema.items !== undefined || schema.prefixItems !== undefined;
}

function kindsOf(schema: CleanNode): Kind[] | undefined {
  if (schema.type === undefined) return undefined;
  const types = typeof schema.type === "string" ? [schema.type] : schema.type;
  return [...new Set(types.map(ofType))];
}

const ofType = (type: JsonType): Kind => (type === "integer" ? "number" : type);

function kindOf(value: Json): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}

function widest(kind: Kind): Type {
  return primary(kind === "object" ? "Record<string, unknown>" : kind === "array" ? "unknown[]" : kind);
}

function union(types: readonly Type[]): Type {
  if (types.some((type) => type.text === "unknown")) return UNKNOWN;
  const distinct = [...new Map(types.filter((type) => type !== NEVER).map((type) => [type.text, type])).values()];
  if (distinct.length === 0) return NEVER;
  return distinct.length === 1 ? distinct[0] : { text: distinct.map((type) => type.text).join(" | "), form: "union" };
}

function intersection(types: readonly Type[]): Type {
  if (types.includes(NEVER)) return NEVER;
  const distinct = [...new Map(types.filter((type) => type.text !== "unknown").map((type) => [type.text, type])).values()];
  if (distinct.length === 0) return UNKNOWN;
  if (distinct.length === 1) return distinct[0];
  return { text: distinct.map((type) => (type.form === "union" ? `(${type.text})` : type.text)).join(" & "), form: "intersection" };
}

function postfix(type: Type, suffix: string): string {
  return type.form === "primary" ? `${type.text}${suffix}` : `(${type.text})${suffix}`;
}

/** A name as a key of an object type. */
export function fieldName(key: string): string {
  return isPlainName(key) ? key : quoteText(key);
}
