// The answer to tools/call as a ToolResult: untouched where it is one, made into one where a server is careless. Never throws.

import type { ContentBlock, ToolResult } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import { isObject, type Fields } from "./message.js";

/** Structured content of any kind is kept: whether it fits the tool's schema is judged by the runtime, as a warning. */
export function toToolResult(raw: Fields): ToolResult {
  const structured = raw.structuredContent;
  return {
    content: blocks(raw),
    // Parsed from JSON, so it is Json.
    ...(structured === undefined || structured === null ? {} : { structuredContent: structured as Json }),
    ...(raw.isError === true ? { isError: true } : {}),
  };
}

function blocks(raw: Fields): ContentBlock[] {
  const { content } = raw;
  if (Array.isArray(content)) return content.flatMap(block);
  if (content !== undefined && content !== null) return block(content);
  // The form of protocol version 2024-10-07.
  if (raw.toolResult !== undefined) return block(raw.toolResult);
  return [];
}

function block(raw: unknown): ContentBlock[] {
  if (typeof raw === "string") return [{ type: "text", text: raw }];
  if (!isObject(raw)) return raw === null || raw === undefined ? [] : [asText(raw)];
  switch (raw.type) {
    case "text":
      return typeof raw.text === "string" ? [{ type: "text", text: raw.text }] : raw.text === undefined ? [] : [asText(raw.text)];
    case "image":
    case "audio":
      if (typeof raw.data !== "string") return [note(`${raw.type} without data`)];
      return [{ type: raw.type, data: raw.data, mimeType: typeof raw.mimeType === "string" ? raw.mimeType : "application/octet-stream" }];
    case "resource_link":
      return typeof raw.uri === "string"
        ? [{ type: "resource_link", uri: raw.uri, ...texts(raw, ["name", "title", "description", "mimeType"]) }]
        : [note("resource link without a uri")];
    case "resource": {
      if (!isObject(raw.resource)) return [note("empty resource")];
      const uri = typeof raw.resource.uri === "string" ? raw.resource.uri : "";
      return [{ type: "resource", resource: { uri, ...texts(raw.resource, ["mimeType", "text", "blob"]) } }];
    }
    default:
      return typeof raw.type === "string" ? [note(`content of the unknown type "${raw.type.slice(0, 50)}"`)] : [asText(raw)];
  }
}

function texts<Key extends string>(raw: Fields, keys: Key[]): { [key in Key]?: string } {
  const kept: { [key in Key]?: string } = {};
  for (const key of keys) {
    const value = raw[key];
    if (typeof value === "string") kept[key] = value;
  }
  return kept;
}

function asText(value: unknown): ContentBlock {
  try {
    return { type: "text", text: JSON.stringify(value) };
  } catch {
    return note("content nested too deep");
  }
}

function note(what: string): ContentBlock {
  return { type: "text", text: `[${what}, left out]` };
}
