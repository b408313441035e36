// A server's tools/list, all pages of it, in bounds. One bad tool costs that tool (or its one bad field), never the list.

import type { JsonSchema, ToolAnnotations } from "@airlock/catalog";
import { isObject, type Fields } from "./message.js";

export interface ListingLimits {
  pages: number;
  tools: number;
  /** Of all definitions as JSON. */
  bytes: number;
}

export const LISTING_LIMITS: ListingLimits = { pages: 200, tools: 5_000, bytes: 16_777_216 };

export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
}

export interface Listing {
  definitions: ToolDefinition[];
  warnings: string[];
}

/** Asks `page` for one page after another. What `page` throws for the first page is thrown; later it is a warning. */
export async function listTools(page: (cursor: string | undefined) => Promise<unknown>, limits: ListingLimits): Promise<Listing> {
  const byName = new Map<string, ToolDefinition>();
  const warnings: string[] = [];
  let unsaid = 0;
  const warn = (message: string) => void (warnings.length < WARNINGS ? warnings.push(message) : unsaid++);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let bytes = 0;
  let cut: string | undefined;
  for (let number = 1; cut === undefined; number++) {
    let result: unknown;
    try {
      result = await page(cursor);
    } catch (error) {
      if (number === 1) throw error;
      cut = `page ${number} of the tool list failed (${error instanceof Error ? error.message : String(error)}): later tools are missing`;
      break;
    }
    const tools: unknown[] = isObject(result) && Array.isArray(result.tools) ? result.tools : [];
    if (!isObject(result) || !Array.isArray(result.tools)) warn(`page ${number} of the tool list has no list of tools`);
    for (const [index, raw] of tools.entries()) {
      const tool = definition(raw, `tool ${index + 1} on page ${number}`, warn);
      if (!tool) continue;
      bytes += tool.bytes;
      if (byName.size >= limits.tools) cut = `the tool list is cut at ${limits.tools} tools`;
      else if (bytes > limits.bytes) cut = `the tool list is cut at ${limits.bytes} bytes`;
      else if (byName.has(tool.definition.name)) warn(`there are two tools named "${shown(tool.definition.name)}": the first counts`);
      else byName.set(tool.definition.name, tool.definition);
      if (cut !== undefined) break;
    }
    const next = isObject(result) ? result.nextCursor : undefined;
    if (typeof next !== "string" || next === "") break;
    if (cursors.has(next)) cut ??= "the tool list repeats a page: it is cut there";
    else if (number >= limits.pages) cut ??= `the tool list is cut at ${limits.pages} pages`;
    cursors.add(next);
    cursor = next;
  }
  if (unsaid > 0) warnings.push(`${unsaid} more entries of the tool list are odd`);
  if (cut !== undefined) warnings.push(cut);
  return { definitions: [...byName.values()], warnings };
}

const WARNINGS = 50;

function definition(
  raw: unknown,
  place: string,
  warn: (message: string) => void,
): { definition: ToolDefinition; bytes: number } | undefined {
  if (!isObject(raw) || typeof raw.name !== "string" || raw.name === "") {
    warn(`${place} has no name: left out`);
    return undefined;
  }
  const name = raw.name;
  const schema = (field: "inputSchema" | "outputSchema") => {
    const value = raw[field];
    if (isObject(value)) return value;
    if (value !== undefined && value !== null) warn(`the ${field} of "${shown(name)}" is not an object: ignored`);
    return undefined;
  };
  if (raw.inputSchema === undefined || raw.inputSchema === null) warn(`"${shown(name)}" has no inputSchema: any input is taken`);
  const outputSchema = schema("outputSchema");
  const annotations = isObject(raw.annotations) ? hints(raw.annotations) : undefined;
  const title = typeof raw.title === "string" ? raw.title : annotations?.title;
  const found: ToolDefinition = {
    name,
    ...(title === undefined ? {} : { title }),
    ...(typeof raw.description === "string" ? { description: raw.description } : {}),
    inputSchema: schema("inputSchema") ?? { type: "object" },
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  try {
    return { definition: found, bytes: Buffer.byteLength(JSON.stringify(found)) };
  } catch {
    // Nested so deep that it cannot be written, so nothing else could walk it either.
    warn(`the schema of "${shown(name)}" is nested too deep: left out`);
    return undefined;
  }
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

function hints(raw: Fields): ToolAnnotations {
  const kept: ToolAnnotations = typeof raw.title === "string" ? { title: raw.title } : {};
  for (const hint of HINTS) {
    const value = raw[hint];
    if (typeof value === "boolean") kept[hint] = value;
  }
  return kept;
}

function shown(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}
