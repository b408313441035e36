// Standard Schemas (zod, valibot, arktype, …) beside JSON Schemas.

import type { JsonSchema, StandardSchema } from "../types.js";

/** Whether the schema validates itself. A JSON text can't pretend to be one: it has no functions. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null || !("~standard" in schema)) return false;
  const standard = schema["~standard"];
  return typeof standard === "object" && standard !== null && "validate" in standard && typeof standard.validate === "function";
}

/**
 * The JSON Schema of what goes into a Standard Schema (or, for `direction` "output", of what comes out), by its own `~standard.jsonSchema`.
 * Undefined if the library does not offer it, or can't for this schema (a transform, for example).
 */
export function toJsonSchema(schema: StandardSchema, direction: "input" | "output" = "input"): JsonSchema | undefined {
  const standard: object = schema["~standard"];
  try {
    const converter: unknown = Reflect.get(standard, "jsonSchema");
    if (typeof converter !== "object" || converter === null) return undefined;
    const convert: unknown = Reflect.get(converter, direction);
    if (typeof convert !== "function") return undefined;
    const result: unknown = convert.call(converter, { target: "draft-2020-12" });
    return isJsonSchema(result) ? result : undefined;
  } catch {
    return undefined; // by contract it throws for what JSON Schema can't say
  }
}

function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value));
}
