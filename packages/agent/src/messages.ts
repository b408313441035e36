// The conversation in our own form. Providers translate it to their wire and back; nothing else knows a wire.

import type { Json } from "@airlock/interpreter";

export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  role: "user";
  parts: (TextPart | ImagePart)[];
}

export interface AssistantMessage {
  role: "assistant";
  provider: string;
  model: string;
  parts: AssistantPart[];
  stop: StopReason;
  usage: Usage;
  /** Set if the provider failed while it answered; `parts` then holds what had come. */
  error?: ProviderFailure;
}

/** The results of all calls of the assistant message before it, in the order of its calls. */
export interface ToolMessage {
  role: "tool";
  results: ToolResult[];
}

export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

export interface TextPart {
  type: "text";
  text: string;
  /** The provider's own data about the part. It goes back to the same provider and model unchanged, and to no other. */
  opaque?: Json;
}

export interface ReasoningPart {
  type: "reasoning";
  text: string;
  /** Signature, encrypted content, item id: without it a provider does not take its reasoning back. */
  opaque?: Json;
}

export interface ToolCallPart {
  type: "tool-call";
  callId: string;
  /** As the model wrote it, whether such a tool exists or not. */
  name: string;
  input: { [key: string]: Json };
  /** Set if the input is not one whole JSON object: the text as it came. `input` is then empty, and the call is answered with an error. */
  malformed?: string;
}

export interface ImagePart {
  type: "image";
  mimeType: string;
  /** Base64. */
  data: string;
}

export interface ToolResult {
  callId: string;
  name: string;
  /** `interrupted`: the call was cut short or never begun; what it did may be unknown, and its text says so. */
  state: "completed" | "error" | "interrupted";
  content: (TextPart | ImagePart)[];
}

/** Why the model stopped. `error` and `aborted` are ours: the stream failed, or somebody ended it. */
export type StopReason = "stop" | "tool-calls" | "max-tokens" | "context-overflow" | "refusal" | "error" | "aborted";

/** Tokens. `input` is the whole prompt; `cacheRead` and `cacheWrite` are parts of it, `reasoning` is a part of `output`. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  reasoning: number;
}

export interface ProviderFailure {
  message: string;
  /** HTTP status, where there was an answer. */
  status?: number;
  /** The provider's own code or type, e.g. `overloaded_error`. */
  code?: string;
  requestId?: string;
  /** The same request may succeed later. */
  retryable: boolean;
  /** How long the provider asks to wait. */
  retryAfterMs?: number;
}

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
  };
}

export function text(value: string): TextPart {
  return { type: "text", text: value };
}

/** The text of a message or a result, its other parts left out. */
export function textOf(parts: readonly { type: string; text?: string }[]): string {
  return parts.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : [])).join("");
}

export function callsOf(message: AssistantMessage): ToolCallPart[] {
  return message.parts.filter((part) => part.type === "tool-call");
}

/**
 * The input of a call as it goes back to a provider. A malformed one is wrapped, because wires want an object here and the model
 * must see what it wrote (the wrapping is Anthropic's: docs, "fine-grained tool streaming").
 */
export function inputForWire(part: ToolCallPart): { [key: string]: Json } {
  return part.malformed === undefined ? part.input : { INVALID_JSON: part.malformed };
}

/** True if the provider's own data in a message may be sent to this provider and model. */
export function ownsOpaque(message: AssistantMessage, provider: { name: string; model: string }): boolean {
  return message.provider === provider.name && message.model === provider.model;
}
