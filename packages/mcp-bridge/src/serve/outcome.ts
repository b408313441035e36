// An execution as the answer to `execute`: a text that a model reads, the plain document, and the media that the program returned.

import type { ContentBlock } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import type { CallRecord, Execution } from "@airlock/runtime";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { isObject } from "../message.js";

type Content = CallToolResult["content"][number];

export interface OutcomeOptions {
  /** The text of an execution: the runtime's. */
  formatExecution(execution: Execution): string;
  /** The content of a media handle. */
  media(id: string): ContentBlock | undefined;
  /** A result with a longer text is cut in the text, and says so; the document has all of it. */
  textLimit: number;
}

export function outcomeResult(execution: Execution, options: OutcomeOptions): CallToolResult {
  const media = execution.status === "completed" ? [...handles(execution.value)].flatMap((id) => content(options.media(id)) ?? []) : [];
  return {
    content: [{ type: "text", text: options.formatExecution(shortened(execution, options.textLimit)) }, ...media],
    structuredContent: outcomeDocument(execution),
    ...(execution.status === "failed" ? { isError: true } : {}),
  };
}

/** The execution as plain data, without the results of its calls: the program returned of them what it wanted. */
export function outcomeDocument(execution: Execution): { [key: string]: unknown } {
  const { id, status, logs, warnings, stats, calls } = execution;
  return {
    id,
    status,
    ...(execution.status === "completed" ? { value: execution.value } : { error: execution.error }),
    logs: logs.map(({ level, text }) => ({ level, text })),
    warnings,
    calls: calls.map((call) => ({
      id: call.id,
      path: call.path,
      input: call.input,
      outcome: callOutcome(call),
      ...(call.error ? { error: call.error } : {}),
    })),
    stats,
  };
}

function callOutcome(call: CallRecord): "done" | "failed" | "denied" | "unknown" | "not called" {
  if (call.state === "completed") return "done";
  if (call.state === "pending") return "not called";
  if (call.state === "running" || call.state === "interrupted") return "unknown";
  return call.decision.action === "allow" ? "failed" : "denied";
}

function shortened(execution: Execution, limit: number): Execution {
  if (execution.status === "failed") return execution;
  const text = typeof execution.value === "string" ? execution.value : JSON.stringify(execution.value);
  if (text.length <= limit) return execution;
  return {
    ...execution,
    value: `${text.slice(0, limit)}\n\n[Cut: the first ${limit} of ${text.length} characters. Return less: select fields, filter, or count in the program.]`,
  };
}

/** The ids of the media handles in a value, each once, in the order of the value. */
function handles(value: Json, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) {
    for (const item of value) handles(item, found);
  } else if (isObject(value)) {
    if (typeof value.media === "string" && typeof value.mimeType === "string" && typeof value.bytes === "number") found.add(value.media);
    else for (const field of Object.values(value)) handles(field, found);
  }
  return found;
}

function content(block: ContentBlock | undefined): Content | undefined {
  if (block?.type === "image" || block?.type === "audio") return { type: block.type, data: block.data, mimeType: block.mimeType };
  if (block?.type !== "resource") return undefined;
  const { uri, mimeType, text, blob } = block.resource;
  const kind = mimeType === undefined ? {} : { mimeType };
  if (blob !== undefined) return { type: "resource", resource: { uri, blob, ...kind } };
  return text === undefined ? undefined : { type: "resource", resource: { uri, text, ...kind } };
}
