// What a tool gave, normalised: to a CallResult for the record, and to the value that the program gets.

import type { Attachment, Catalog, ContentBlock, Registration, ToolResult } from "@airlock/catalog";
import { ParsedText, type Json, type Limits } from "@airlock/interpreter";
import type { CallResult, TextMode } from "../types.js";
import { isRecord } from "../schema.js";
import { CallFailure, cut } from "./failure.js";
import type { MediaRun } from "./media.js";
import { isJson, plainToJson, toPlain, type Plain } from "./plain.js";

export interface ResultOptions {
  registration: Registration;
  catalog: Catalog;
  media: MediaRun;
  limits: Limits;
  text: TextMode;
  warn(message: string): void;
}

/** A settled call. The program gets `guest`: plain data, or a parsed text. */
export interface Settled {
  result: CallResult;
  guest: Plain | ParsedText;
}

/**
 * Checks and normalises what `execute` returned.
 * @throws CallFailure: "tool-failed" if the result says so itself, "invalid-output" for what can't cross or (own tools) does not fit the schema, "limit".
 */
export async function normalise(returned: unknown, options: ResultOptions): Promise<Settled> {
  const { path, tool } = options.registration;
  const plain = reduce(returned, options);
  if (!isToolResult(plain)) {
    const json = isJson(plain) ? plain : plainToJson(plain);
    if (options.registration.tool.outputSchema === undefined) return { result: resultOf(json), guest: plain };
    const checked = await check(json, options);
    const value = checked.ok ? checked.value : json;
    return { result: resultOf(value), guest: value === json ? plain : value };
  }
  const parts = split(plain.content ?? [], options);
  const text = parts.texts.join("\n");
  const structured = plain.structuredContent === undefined ? undefined : plainToJson(plain.structuredContent);
  if (plain.isError === true) throw failed(path, text, structured);
  const complete = plain.complete !== false;
  const known = { attachments: parts.media, metadata: {}, complete };

  if (structured !== undefined) {
    const checked = await check(structured, options);
    // A foreign server's wrong data is worth less than the text that it meant for people.
    const value = checked.ok ? withMedia(checked.value, parts) : text !== "" ? text : structured;
    return { result: { ...known, value }, guest: value };
  }
  const value = valueOf(text, parts);
  if (tool.outputSchema !== undefined) {
    const checked = await check(value, options);
    if (checked.ok) return { result: { ...known, value: checked.value }, guest: checked.value };
    return { result: { ...known, value }, guest: value };
  }
  const parsed = typeof value === "string" ? parse(value, options.text) : undefined;
  if (parsed === undefined) return { result: { ...known, value }, guest: value };
  const remembers = parsed !== null && typeof parsed === "object";
  return { result: { ...known, value: parsed, ...(remembers && { text }) }, guest: remembers ? new ParsedText(text) : parsed };
}

/** A returned object is a ToolResult if it has `structuredContent`, or a `content` array whose items all have a text `type`. */
function isToolResult(value: Plain): value is Plain & ToolResult & { structuredContent?: Json } {
  if (!isRecord(value)) return false;
  if (Object.hasOwn(value, "structuredContent")) return true;
  return Array.isArray(value.content) && value.content.every((item) => isRecord(item) && typeof item.type === "string");
}

function reduce(returned: unknown, { registration, media, limits, warn }: ResultOptions): Plain {
  try {
    return toPlain(returned, {
      limits,
      warn: (message) => warn(`${registration.path}: ${message}.`),
      keepBytes: (bytes) => media.keepBytes(bytes),
    });
  } catch (error) {
    throw error instanceof CallFailure ? after(error, registration.path) : error;
  }
}

/** A failure that says what the tool gave, with the tool in front and what that means: the call did happen. */
function after(failure: CallFailure, path: string): CallFailure {
  const { kind = "invalid-output", limit, hints } = failure.diagnostic;
  return new CallFailure(kind, `${path} ${failure.message}. ${DID_RUN}`, { limit, hints, name: failure.name });
}

async function check(value: Json, { catalog, registration, warn }: ResultOptions): Promise<{ ok: true; value: Json } | { ok: false }> {
  const { tool, path } = registration;
  if (tool.outputSchema === undefined) return { ok: true, value };
  const validation = await catalog.validateOutput(registration, value);
  if (validation.ok) return validation;
  const message = `${path} gave a result that does not fit its output schema: ${cut(validation.message, 2_000)}`;
  if (tool.foreign !== true) throw new CallFailure("invalid-output", `${message}. ${DID_RUN}`);
  warn(`${message}.`);
  return { ok: false };
}

function failed(path: string, text: string, data: Json | undefined): CallFailure {
  return new CallFailure("tool-failed", text.trim() === "" ? `${path} failed without a message` : cut(text, 16_384), { data });
}

interface Parts {
  texts: string[];
  media: Attachment[];
  links: { [key: string]: Json }[];
}

function split(content: readonly ContentBlock[], { media, registration, warn }: ResultOptions): Parts {
  const parts: Parts = { texts: [], media: [], links: [] };
  for (const block of content) {
    const understood = isRecord(block) && take(block, parts, (kept) => guardMedia(() => media.keep(kept), registration.path));
    if (!understood) warn(`${registration.path}: a content block of type "${cut(String(block.type), 100)}" was left out.`);
  }
  return parts;
}

function take(block: ContentBlock, parts: Parts, keep: (block: Parameters<MediaRun["keep"]>[0]) => Attachment): boolean {
  switch (block.type) {
    case "text":
      if (typeof block.text === "string") parts.texts.push(block.text);
      return typeof block.text === "string";
    case "image":
    case "audio":
      if (typeof block.data !== "string" || typeof block.mimeType !== "string") return false;
      parts.media.push(keep({ type: block.type, data: block.data, mimeType: block.mimeType }));
      return true;
    case "resource_link": {
      if (typeof block.uri !== "string") return false;
      const { type: _, ...link } = block;
      parts.links.push(link);
      return true;
    }
    case "resource": {
      if (!isRecord(block.resource)) return false;
      const { uri, mimeType, text, blob } = block.resource;
      if (typeof text === "string") parts.texts.push(text);
      else if (typeof blob === "string")
        parts.media.push(
          keep({ type: "resource", resource: { uri: String(uri), blob, ...(typeof mimeType === "string" && { mimeType }) } }),
        );
      else return false;
      return true;
    }
    default:
      return false;
  }
}

function guardMedia(keep: () => Attachment, path: string): Attachment {
  try {
    return keep();
  } catch (error) {
    throw error instanceof CallFailure ? after(error, path) : error;
  }
}

/**
 * The value of unstructured content: only text, the text; one handle or link, this; several, their array; text and others,
 * `{ text, attachments?, links? }`; nothing, null.
 */
function valueOf(text: string, { texts, media, links }: Parts): Json {
  const items: Json[] = [...media.map((handle) => ({ ...handle })), ...links];
  if (items.length === 0) return texts.length === 0 ? null : text;
  if (texts.length === 0) return items.length === 1 ? items[0] : items;
  return { text, ...(media.length > 0 && { attachments: media.map((handle) => ({ ...handle })) }), ...(links.length > 0 && { links }) };
}

/** Structured content stands as it is; media beside it would be lost to the program, so they come along as `attachments` where that name is free. */
function withMedia(value: Json, { media }: Parts): Json {
  if (media.length === 0 || value === null || typeof value !== "object" || Array.isArray(value) || Object.hasOwn(value, "attachments"))
    return value;
  return { ...value, attachments: media.map((handle) => ({ ...handle })) };
}

/** Undefined: the text stays text. Mode "auto" takes objects and arrays, "json" any JSON. */
function parse(text: string, mode: TextMode): Json | undefined {
  const first = text.trimStart()[0];
  if (mode === "string" || (mode === "auto" && first !== "{" && first !== "[")) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return depthOf(value, MAX_DEPTH) < MAX_DEPTH ? value : undefined;
  } catch {
    return undefined;
  }
}

function depthOf(value: Json, most: number): number {
  if (value === null || typeof value !== "object" || most === 0) return 0;
  let deepest = 0;
  for (const key of Object.keys(value)) deepest = Math.max(deepest, depthOf((value as { [key: string]: Json })[key], most - 1));
  return deepest + 1;
}

function resultOf(value: Json): CallResult {
  return { value, attachments: [], metadata: {}, complete: true };
}

const DID_RUN = "The call itself did run.";
const MAX_DEPTH = 200;
