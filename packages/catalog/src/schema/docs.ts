// What a schema says beside its type, as a JSDoc comment.

import { cutText, escapeText, oneLine } from "../text.js";
import type { CleanNode, CleanSchema } from "./clean.js";

const MAX_DESCRIPTION = 400;
const MAX_VALUE = 100;

/** Keywords that become tags, in this order. */
const TAGS = [
  "format",
  "pattern",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
] as const satisfies readonly (keyof CleanNode)[];

/** A comment with a line end, or "" if there is nothing to say. Foreign text in it can't end it. */
export function docComment(schema: CleanSchema, indent: string): string {
  if (typeof schema === "boolean") return "";
  const lines: string[] = [];
  const description = oneLine(schema.description ?? schema.title, MAX_DESCRIPTION);
  if (description !== "") lines.push(description);
  if (schema.deprecated === true) lines.push("@deprecated");
  if (schema.type === "integer") lines.push("@integer");
  for (const tag of TAGS) if (schema[tag] !== undefined) lines.push(`@${tag} ${shown(schema[tag])}`);
  if (schema.distinctItems === true) lines.push("@uniqueItems");
  if (schema.default !== undefined) lines.push(`@default ${shown(JSON.stringify(schema.default))}`);
  return comment(lines, indent);
}

/** `/** … *\/` of lines that are safe already. */
export function comment(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return "";
  if (lines.length === 1) return `/** ${lines[0]} */\n${indent}`;
  return `/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n${indent}`;
}

function shown(value: string | number): string {
  return escapeText(cutText(String(value), MAX_VALUE));
}
