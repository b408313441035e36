// What a schema wants and what a value is, in words.

import type { Json } from "@airlock/interpreter";
import { cutText, escapeText, quoteText } from "../text.js";
import { targetOf, type CleanDocument, type CleanSchema, type JsonType } from "../schema/clean.js";

const MAX_CHOICES = 12;
const MAX_VALUE = 80;

const WORDS: Readonly<Record<JsonType, readonly [one: string, many: string]>> = {
  string: ["a string", "strings"],
  number: ["a number", "numbers"],
  integer: ["an integer", "integers"],
  boolean: ["true or false", "booleans"],
  null: ["null", "nulls"],
  array: ["an array", "arrays"],
  object: ["an object", "objects"],
};

/** `a string`, `an array of strings`, `one of "open", "closed"`, `a string or null`. */
export function expected(document: CleanDocument, schema: CleanSchema, depth = 4): string {
  if (typeof schema === "boolean" || depth === 0) return schema === false ? "nothing" : "anything";
  if (schema.enum !== undefined) return choices(schema.enum);
  if (schema.type !== undefined) {
    const types = typeof schema.type === "string" ? [schema.type] : schema.type;
    return types.map((type) => ofType(document, type, schema, depth)).join(" or ");
  }
  if (schema.$ref !== undefined) return expected(document, targetOf(document, schema.$ref), depth - 1);
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) return [...new Set(forms.slice(0, MAX_CHOICES).map((form) => expected(document, form, depth - 1)))].join(" or ");
  const part = schema.allOf?.map((inner) => expected(document, inner, depth - 1)).find((text) => text !== "anything");
  return part ?? (schema.properties === undefined ? "anything" : "an object");
}

function ofType(document: CleanDocument, type: JsonType, schema: Exclude<CleanSchema, boolean>, depth: number): string {
  if (type === "string" && schema.format !== undefined) return `a string (${cutText(quoteText(schema.format).slice(1, -1), 40)})`;
  if (type !== "array" || schema.items === undefined || typeof schema.items === "boolean") return WORDS[type][0];
  const item = schema.items.$ref === undefined ? schema.items : targetOf(document, schema.items.$ref);
  if (typeof item === "boolean" || depth === 1) return WORDS[type][0];
  if (item.enum !== undefined) return `an array of ${expected(document, item, 1)}`;
  return typeof item.type === "string" ? `an array of ${WORDS[item.type][1]}` : WORDS[type][0];
}

/** `one of "open", "closed"`, or the one value. */
export function choices(values: readonly Json[]): string {
  const texts = values
    .slice(0, MAX_CHOICES)
    .map((value) => (isText(value) ? shown(value) : cutText(escapeText(JSON.stringify(value)), MAX_VALUE)));
  const more = values.length > MAX_CHOICES ? `, … (${values.length} in all)` : "";
  return values.length === 1 ? texts[0] : `one of ${texts.join(", ")}${more}`;
}

const isText = (value: Json): boolean => typeof value === "string";

/** A value as JSON, cut and escaped. */
export function shown(value: Json): string {
  if (typeof value === "string") return quoteText(cutText(value, MAX_VALUE));
  if (typeof value !== "object" || value === null) return String(value);
  return kind(value);
}

/** `a string`, `null`, `an array`. */
export function kind(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "boolean" ? String(value) : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/**
 * Whether a value has the type that a schema wants, and, if it is an object, the fixed values that tell forms apart.
 *
 * @param effort places of the schema that may still be looked at; beyond, the answer is yes
 */
export function isOfForm(document: CleanDocument, schema: CleanSchema, value: Json, effort = { left: 2_000 }): boolean {
  if (--effort.left < 0) return true;
  if (typeof schema === "boolean") return schema;
  const fits = (part: CleanSchema): boolean => isOfForm(document, part, value, effort);
  if (schema.enum !== undefined && !schema.enum.some((choice) => JSON.stringify(choice) === JSON.stringify(value))) return false;
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOfType(type, value))) return false;
  if (schema.$ref !== undefined && !fits(targetOf(document, schema.$ref))) return false;
  if (schema.allOf?.some((part) => !fits(part))) return false;
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined && !forms.some(fits)) return false;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
  return Object.entries(schema.properties ?? {}).every(([key, field]) => {
    if (typeof field === "boolean" || field.enum === undefined || !Object.hasOwn(value, key)) return true;
    return isOfForm(document, { enum: field.enum }, value[key], effort);
  });
}

function isOfType(type: JsonType, value: Json): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return typeof value === type;
}
