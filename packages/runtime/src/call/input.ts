// A call's input on its way out: parsed texts become text or value, media handles become their content, as the tool's schema wants it.

import type { JsonSchema, Tool } from "@airlock/catalog";
import { ParsedText, type Json } from "@airlock/interpreter";
import { branches, partsAt, wantsText } from "../schema.js";
import { CallFailure } from "./failure.js";
import type { MediaBlock, MediaStore } from "./media.js";
import { put } from "./plain.js";

export interface Inputs {
  /** What the record and the permission rules see: handles stay handles. */
  recorded: Json;
  /** What the tool gets. */
  sent: Json;
}

/** @throws CallFailure of kind "invalid-input" for a handle whose content is gone. */
export function prepareInput(tool: Tool, input: unknown, media: MediaStore): Inputs {
  const root: JsonSchema = "~standard" in Object(tool.inputSchema) ? {} : (tool.inputSchema as JsonSchema);
  const start = branches(root, root);
  const recorded = has(input, isParsedText) ? replace(input, start, root, textOf) : ((input ?? {}) as Json);
  const content = (value: unknown, parts: readonly unknown[]): Json | undefined => {
    const kept = media.resolve(value as Json);
    if (kept === "gone")
      throw new CallFailure("invalid-input", "The input has a media handle whose content is gone.", {
        hints: ["Get the media again from the tool that gave it, and pass the new handle."],
      });
    return kept === undefined ? undefined : contentOf(kept.block, wantsText(parts));
  };
  const sent = has(recorded, looksLikeHandle) ? replace(recorded, start, root, content) : recorded;
  return { recorded, sent };
}

/** Whether some object in `value` passes the test. */
function has(value: unknown, test: (value: object) => boolean): boolean {
  if (value === null || typeof value !== "object") return false;
  return test(value) || Object.values(value).some((inner) => has(inner, test));
}

/** A copy in which `by` has replaced what it knows. */
function replace(
  value: unknown,
  parts: readonly unknown[],
  root: JsonSchema,
  by: (value: unknown, parts: readonly unknown[]) => Json | undefined,
): Json {
  if (value === null || typeof value !== "object") return value as Json;
  const replaced = by(value, parts);
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) {
    const inner = partsAt(parts, 0, root);
    return value.map((item) => replace(item, inner, root, by));
  }
  const copy: { [key: string]: Json } = {};
  for (const [key, inner] of Object.entries(value)) put(copy, key, replace(inner, partsAt(parts, key, root), root, by));
  return copy;
}

function textOf(value: unknown, parts: readonly unknown[]): Json | undefined {
  if (!(value instanceof ParsedText)) return undefined;
  return wantsText(parts) ? value.text : (JSON.parse(value.text) as Json);
}

function isParsedText(value: object): boolean {
  return value instanceof ParsedText;
}

function looksLikeHandle(value: object): boolean {
  return Object.hasOwn(value, "media") && Object.hasOwn(value, "mimeType");
}

/** Where the schema wants a text: base64, or the text of a text resource. Elsewhere the content block. */
function contentOf(block: MediaBlock, asText: boolean): Json {
  if (block.type === "resource") {
    if (asText) return block.resource.blob ?? block.resource.text ?? "";
    return { type: "resource", resource: { ...block.resource } };
  }
  return asText ? block.data : { ...block };
}
