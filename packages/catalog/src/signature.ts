// A tool's signature in one line: what the model reads in listings and search results.

import { formatPath } from "./paths.js";
import { schemaFacts, type Direction } from "./schema/facts.js";
import type { CleanDocument } from "./schema/clean.js";
import { typeText, TypeTooLong, type TypeOptions } from "./schema/typescript.js";
import type { Tool } from "./types.js";

/** UTF-16 units of one type. The largest of real tool lists would have 30,000. */
const MAX_TYPE = 4_000;
const MAX_LITERALS = 40;

const signatures = new WeakMap<Tool, string>();

/**
 * `tools.github.create_issue(input: { repo: string; title: string; labels?: string[] }): Promise<{ number: number }>`.
 * What a schema does not say, or says in a way that can't be taken, is `unknown`.
 */
export function signatureOf(tool: Tool): string {
  let signature = signatures.get(tool);
  if (signature === undefined) {
    signature = `${formatPath(tool.server, tool.name)}(${parameter(tool)}): Promise<${fittingType(tool, "output")}>`;
    signatures.set(tool, signature);
  }
  return signature;
}

function parameter(tool: Tool): string {
  if (takesNothing(tool)) return "";
  return `input${mayBeLeftOut(tool) ? "?" : ""}: ${fittingType(tool, "input")}`;
}

/** Whether the input has no fields at all. */
export function takesNothing(tool: Tool): boolean {
  const root = schemaFacts(tool, "input").document?.root;
  if (typeof root !== "object" || root.type !== "object") return false;
  const saysMore = root.$ref ?? root.allOf ?? root.anyOf ?? root.oneOf ?? root.patternProperties ?? root.required?.[0];
  return saysMore === undefined && Object.keys(root.properties ?? {}).length === 0 && (root.additionalProperties ?? false) === false;
}

/** Whether the tool can be called without an argument: it gets `{}` then. */
export function mayBeLeftOut(tool: Tool): boolean {
  const root = schemaFacts(tool, "input").document?.root;
  if (typeof root !== "object" || root.type !== "object") return false;
  return (
    (root.$ref ?? root.allOf ?? root.anyOf ?? root.oneOf ?? root.not ?? root.if ?? root.minProperties ?? root.required?.[0]) === undefined
  );
}

function fittingType(tool: Tool, direction: Direction): string {
  const { document } = schemaFacts(tool, direction);
  return document === undefined ? "unknown" : typeWithin(document, { depth: 8, maxLength: MAX_TYPE, maxLiterals: MAX_LITERALS });
}

/** The type at the greatest depth at which it is short enough. */
export function typeWithin(document: CleanDocument, options: TypeOptions, schema = document.root): string {
  for (let depth = options.depth; depth > 0; depth--) {
    try {
      return typeText(document, schema, { ...options, depth });
    } catch (error) {
      if (!(error instanceof TypeTooLong)) throw error;
    }
  }
  return "unknown";
}
