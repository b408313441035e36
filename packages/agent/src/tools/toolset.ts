// The tools of a step, as the model gets them and as its calls are answered. Code mode and classic mode are the two kinds.

import type { CallRecord, ExecutionEvent, Runtime } from "@airlock/runtime";
import { text, type ImagePart, type TextPart, type ToolCallPart, type ToolResult } from "../messages.js";
import type { ToolDefinition } from "../provider.js";

export interface Toolset {
  definitions: ToolDefinition[];
  /** What the system prompt says of the tools, the most stable first. */
  system: string[];
  /** Calls of one answer may run side by side. */
  concurrent: boolean;
  /** Why a call can't be made, for the model to read; undefined if it can. Asked before `run`. */
  refuse(call: ToolCallPart): string | undefined;
  /** Never throws for what a call does; ends soon after `context.signal`. */
  run(call: ToolCallPart, context: CallScope): Promise<CallOutcome>;
}

export interface CallScope {
  sessionId: string;
  messageId: string;
  agent?: string;
  signal: AbortSignal;
  onEvent(event: ExecutionEvent): void;
}

export interface CallOutcome {
  state: ToolResult["state"];
  content: (TextPart | ImagePart)[];
  /** The records behind it, for the session. */
  calls: CallRecord[];
  /** A person refused without a word: the turn is theirs. */
  rejected: boolean;
}

/** The images behind media handles, as far as the runtime still has them; other media are named in text. */
export function mediaParts(
  runtime: Runtime,
  handles: Iterable<{ media: string; mimeType: string; bytes: number }>,
): (TextPart | ImagePart)[] {
  const parts = new Map<string, TextPart | ImagePart>();
  for (const { media, mimeType, bytes } of handles) {
    const block = runtime.media(media);
    if (block?.type === "image") parts.set(media, { type: "image", mimeType: block.mimeType, data: block.data });
    else parts.set(media, text(`[${mimeType}, ${bytes} bytes: ${block ? "not an image, so it can't be shown here" : "no longer held"}]`));
  }
  return [...parts.values()];
}
