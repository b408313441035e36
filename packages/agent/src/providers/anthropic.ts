// Anthropic's Messages API, through its SDK.

import type AnthropicSdk from "@anthropic-ai/sdk";
import type { Anthropic } from "@anthropic-ai/sdk";
import type { Json } from "@airlock/interpreter";
import type { ProviderEvent } from "../events.js";
import {
  inputForWire,
  noUsage,
  ownsOpaque,
  type AssistantMessage,
  type ImagePart,
  type Message,
  type TextPart,
  type Usage,
} from "../messages.js";
import type { Effort, Provider, ProviderRequest } from "../provider.js";
import { failureOf } from "./failure.js";

export interface AnthropicOptions {
  model: string;
  apiKey: string;
  baseUrl?: string;
  /** Default 16,000: the wire wants a number. */
  maxOutputTokens?: number;
  effort?: Effort;
}

const cached = { cache_control: { type: "ephemeral" as const } };

export function anthropic(options: AnthropicOptions): Provider {
  let client: Promise<AnthropicSdk> | undefined;
  const provider = { name: "anthropic", model: options.model };
  return {
    ...provider,
    async *stream(request, signal) {
      try {
        client ??= connect(options);
        const stream = await (await client).messages.create({ ...body(options, provider, request), stream: true }, { signal });
        yield* translate(stream);
      } catch (error) {
        yield { type: "provider.error", error: failureOf(error) };
      }
    },
  };
}

async function connect({ apiKey, baseUrl }: AnthropicOptions): Promise<AnthropicSdk> {
  const { default: Sdk } = await import("@anthropic-ai/sdk");
  return new Sdk({ apiKey, authToken: null, baseURL: baseUrl ?? "https://api.anthropic.com", maxRetries: 0, logLevel: "off" });
}

/**
 * The prompt's parts stand in the order tools, system, messages, and a cache holds up to a marked place. Marked are the last tool and
 * the end of the system prompt, which stay, and the end of the conversation, which the next step extends.
 */
function body(
  options: AnthropicOptions,
  provider: { name: string; model: string },
  request: ProviderRequest,
): Anthropic.MessageCreateParams {
  const last = <T extends object>(items: T[]): T[] => items.map((item, i) => (i === items.length - 1 ? { ...item, ...cached } : item));
  const tools = last(
    request.tools.map(({ name, description, inputSchema }): Anthropic.Tool => ({
      name,
      description,
      input_schema: { ...inputSchema, type: "object" },
    })),
  );
  const system = last(request.system.filter((part) => part !== "").map((part): Anthropic.TextBlockParam => ({ type: "text", text: part })));
  return {
    model: options.model,
    max_tokens: options.maxOutputTokens ?? 16_000,
    ...(system.length > 0 ? { system } : {}),
    messages: conversationOf(request.messages, provider),
    ...(tools.length > 0 ? { tools } : {}),
    ...(options.effort ? { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: options.effort } } : {}),
  };
}

function conversationOf(messages: readonly Message[], provider: { name: string; model: string }): Anthropic.MessageParam[] {
  const turns: { role: "user" | "assistant"; content: Anthropic.ContentBlockParam[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content =
      message.role === "assistant"
        ? assistantBlocks(message, provider)
        : message.role === "user"
          ? proseBlocks(message.parts)
          : resultBlocks(message.results);
    if (content.length === 0) continue;
    // Results and a prompt after them are one turn of the user.
    const previous = turns.at(-1);
    if (previous?.role === role) previous.content.push(...content);
    else turns.push({ role, content });
  }
  const end = turns.at(-1)?.content;
  const block = end?.at(-1);
  if (end && block && (block.type === "text" || block.type === "tool_result" || block.type === "image"))
    end[end.length - 1] = { ...block, ...cached };
  return turns;
}

function assistantBlocks(message: AssistantMessage, provider: { name: string; model: string }): Anthropic.ContentBlockParam[] {
  return message.parts.flatMap((part): Anthropic.ContentBlockParam[] => {
    if (part.type === "text") return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
    if (part.type === "tool-call") return [{ type: "tool_use", id: wireId(part.callId), name: part.name, input: inputForWire(part) }];
    const opaque = part.opaque;
    if (!ownsOpaque(message, provider) || typeof opaque !== "object" || opaque === null || Array.isArray(opaque)) return [];
    if (typeof opaque.data === "string") return [{ type: "redacted_thinking", data: opaque.data }];
    return typeof opaque.signature === "string" ? [{ type: "thinking", thinking: part.text, signature: opaque.signature }] : [];
  });
}

function resultBlocks(results: Extract<Message, { role: "tool" }>["results"]): Anthropic.ContentBlockParam[] {
  return results.map((result) => {
    const content = proseBlocks(result.content);
    return {
      type: "tool_result",
      tool_use_id: wireId(result.callId),
      content: content.length > 0 ? content : [{ type: "text", text: "(no output)" }],
      ...(result.state === "completed" ? {} : { is_error: true }),
    };
  });
}

/** The wire refuses empty texts, and images of other types. */
function proseBlocks(parts: readonly (TextPart | ImagePart)[]): (Anthropic.TextBlockParam | Anthropic.ImageBlockParam)[] {
  return parts.flatMap((part): (Anthropic.TextBlockParam | Anthropic.ImageBlockParam)[] => {
    if (part.type === "text") return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
    const media_type = part.mimeType;
    if (media_type === "image/png" || media_type === "image/jpeg" || media_type === "image/gif" || media_type === "image/webp")
      return [{ type: "image", source: { type: "base64", media_type, data: part.data } }];
    return [{ type: "text", text: `(an image of type ${media_type}, which can't be shown)` }];
  });
}

/** Ids of other providers may have characters that this wire refuses. The same for a call and its result. */
function wireId(callId: string): string {
  return callId.replace(/[^a-zA-Z0-9_-]/g, "_");
}

async function* translate(stream: AsyncIterable<Anthropic.MessageStreamEvent>): AsyncGenerator<ProviderEvent> {
  const callIds = new Map<number, string>();
  let usage = noUsage;
  let reason: Anthropic.StopReason | null = null;
  for await (const event of stream) {
    switch (event.type) {
      case "message_start":
        usage = usageOf(usage, event.message.usage);
        yield { type: "usage", usage };
        break;
      case "content_block_start": {
        const block = event.content_block;
        const part = String(event.index);
        if (block.type === "text" && block.text !== "") yield { type: "text", part, delta: block.text };
        if (block.type === "redacted_thinking") yield { type: "opaque", part, kind: "reasoning", data: { data: block.data } };
        if (block.type === "tool_use") {
          callIds.set(event.index, block.id);
          yield { type: "tool.input.start", callId: block.id, name: block.name };
        }
        break;
      }
      case "content_block_delta": {
        const part = String(event.index);
        const callId = callIds.get(event.index);
        const { delta } = event;
        if (delta.type === "text_delta") yield { type: "text", part, delta: delta.text };
        if (delta.type === "thinking_delta") yield { type: "reasoning", part, delta: delta.thinking };
        if (delta.type === "signature_delta")
          yield { type: "opaque", part, kind: "reasoning", data: { signature: delta.signature } satisfies Json };
        if (delta.type === "input_json_delta" && callId !== undefined && delta.partial_json !== "")
          yield { type: "tool.input.delta", callId, delta: delta.partial_json };
        break;
      }
      case "content_block_stop": {
        const callId = callIds.get(event.index);
        if (callId !== undefined) yield { type: "tool.input.end", callId };
        break;
      }
      case "message_delta":
        reason = event.delta.stop_reason;
        usage = usageOf(usage, event.usage);
        yield { type: "usage", usage };
        break;
      case "message_stop":
        yield { type: "stop", reason: stopOf(reason) };
        return;
    }
  }
}

function stopOf(reason: Anthropic.StopReason | null): Extract<ProviderEvent, { type: "stop" }>["reason"] {
  switch (reason) {
    case "tool_use":
      return "tool-calls";
    case "max_tokens":
      return "max-tokens";
    case "model_context_window_exceeded":
      return "context-overflow";
    case "refusal":
      return "refusal";
    default:
      return "stop";
  }
}

/** The wire's numbers are of the whole message so far; what an event leaves out stays. Its `input_tokens` are those outside the cache. */
function usageOf(before: Usage, wire: Partial<Anthropic.MessageDeltaUsage>): Usage {
  const cacheRead = wire.cache_read_input_tokens ?? before.cacheRead;
  const cacheWrite = wire.cache_creation_input_tokens ?? before.cacheWrite;
  const uncached = wire.input_tokens ?? before.input - before.cacheRead - before.cacheWrite;
  return {
    input: uncached + cacheRead + cacheWrite,
    output: wire.output_tokens ?? before.output,
    cacheRead,
    cacheWrite,
    reasoning: wire.output_tokens_details?.thinking_tokens ?? before.reasoning,
  };
}
