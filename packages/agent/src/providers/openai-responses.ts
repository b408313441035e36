// OpenAI's Responses API, through its SDK. Nothing is stored at the provider: the whole conversation goes out each time.

import type OpenAI from "openai";
import type { Json } from "@airlock/interpreter";
import type { ProviderEvent } from "../events.js";
import { inputForWire, ownsOpaque, type AssistantMessage, type ImagePart, type Message, type TextPart } from "../messages.js";
import type { Effort, Provider, ProviderRequest } from "../provider.js";
import { failureOf, reportedFailure } from "./failure.js";

type Responses = OpenAI.Responses.ResponseCreateParamsStreaming;
type Item = OpenAI.Responses.ResponseInputItem;

export interface OpenAIResponsesOptions {
  model: string;
  apiKey: string;
  baseUrl?: string;
  maxOutputTokens?: number;
  effort?: Effort;
}

export function openaiResponses(options: OpenAIResponsesOptions): Provider {
  let client: Promise<OpenAI> | undefined;
  const provider = { name: "openai", model: options.model };
  return {
    ...provider,
    async *stream(request, signal) {
      try {
        client ??= connect(options);
        yield* translate(await (await client).responses.create(body(options, provider, request), { signal }));
      } catch (error) {
        yield { type: "provider.error", error: failureOf(error) };
      }
    },
  };
}

async function connect({ apiKey, baseUrl }: OpenAIResponsesOptions): Promise<OpenAI> {
  const { default: Sdk } = await import("openai");
  return new Sdk({ apiKey, baseURL: baseUrl ?? "https://api.openai.com/v1", maxRetries: 0, logLevel: "off" });
}

function body(options: OpenAIResponsesOptions, provider: { name: string; model: string }, request: ProviderRequest): Responses {
  // Models before the reasoning ones refuse to be asked for what they don't have.
  const reasons = options.effort !== undefined || !/^(gpt-3|gpt-4|chatgpt)/.test(options.model);
  return {
    model: options.model,
    stream: true,
    store: false,
    instructions: request.system.filter((part) => part !== "").join("\n\n"),
    input: request.messages.flatMap((message) => itemsOf(message, provider)),
    tools: request.tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      parameters: { ...inputSchema },
      strict: false,
    })),
    ...(request.sessionId ? { prompt_cache_key: request.sessionId } : {}),
    ...(options.maxOutputTokens ? { max_output_tokens: options.maxOutputTokens } : {}),
    ...(reasons ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(options.effort ? { reasoning: { effort: options.effort, summary: "auto" } } : {}),
  };
}

function itemsOf(message: Message, provider: { name: string; model: string }): Item[] {
  if (message.role === "user") return [{ type: "message", role: "user", content: proseContent(message.parts) }];
  if (message.role === "assistant") return assistantItems(message, ownsOpaque(message, provider));
  return message.results.map((result): Item => {
    const output = proseContent(result.content);
    return { type: "function_call_output", call_id: result.callId, output: output.length > 0 ? output : "(no output)" };
  });
}

function assistantItems(message: AssistantMessage, own: boolean): Item[] {
  return message.parts.flatMap((part): Item[] => {
    const opaque =
      own && "opaque" in part && typeof part.opaque === "object" && part.opaque !== null && !Array.isArray(part.opaque) ? part.opaque : {};
    if (part.type === "tool-call")
      return [{ type: "function_call", call_id: part.callId, name: part.name, arguments: JSON.stringify(inputForWire(part)) }];
    if (part.type === "text") {
      const phase = opaque.phase === "commentary" || opaque.phase === "final_answer" ? opaque.phase : null;
      return part.text === "" ? [] : [{ type: "message", role: "assistant", content: part.text, ...(phase && { phase }) }];
    }
    // What is not stored there can only come back encrypted.
    if (typeof opaque.id !== "string" || typeof opaque.encrypted !== "string") return [];
    const summary = Array.isArray(opaque.summary) ? opaque.summary.filter((text) => typeof text === "string") : [];
    return [
      {
        type: "reasoning",
        id: opaque.id,
        encrypted_content: opaque.encrypted,
        summary: summary.map((text) => ({ type: "summary_text", text })),
      },
    ];
  });
}

function proseContent(
  parts: readonly (TextPart | ImagePart)[],
): (OpenAI.Responses.ResponseInputText | OpenAI.Responses.ResponseInputImage)[] {
  return parts.flatMap((part): (OpenAI.Responses.ResponseInputText | OpenAI.Responses.ResponseInputImage)[] => {
    if (part.type === "image") return [{ type: "input_image", detail: "auto", image_url: `data:${part.mimeType};base64,${part.data}` }];
    return part.text === "" ? [] : [{ type: "input_text", text: part.text }];
  });
}

async function* translate(stream: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>): AsyncGenerator<ProviderEvent> {
  /** Output index → the call there, and how much of its input has been passed on. */
  const calls = new Map<number, { callId: string; sent: number }>();
  const summaries = new Map<number, number>();
  for await (const event of stream) {
    switch (event.type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        yield { type: "text", part: String(event.output_index), delta: event.delta };
        break;
      case "response.reasoning_summary_text.delta": {
        const part = String(event.output_index);
        const previous = summaries.get(event.output_index);
        if (previous !== undefined && previous !== event.summary_index) yield { type: "reasoning", part, delta: "\n\n" };
        summaries.set(event.output_index, event.summary_index);
        yield { type: "reasoning", part, delta: event.delta };
        break;
      }
      case "response.reasoning_text.delta":
        yield { type: "reasoning", part: String(event.output_index), delta: event.delta };
        break;
      case "response.output_item.added":
        if (event.item.type === "function_call") {
          calls.set(event.output_index, { callId: event.item.call_id, sent: 0 });
          yield { type: "tool.input.start", callId: event.item.call_id, name: event.item.name };
        }
        break;
      case "response.function_call_arguments.delta": {
        const call = calls.get(event.output_index);
        if (call === undefined || event.delta === "") break;
        call.sent += event.delta.length;
        yield { type: "tool.input.delta", callId: call.callId, delta: event.delta };
        break;
      }
      case "response.output_item.done":
        yield* itemDone(event.item, event.output_index, calls);
        break;
      case "response.completed":
      case "response.incomplete":
        yield* ended(event.response, calls.size > 0);
        return;
      case "response.failed":
        yield* ended(event.response, false, false);
        yield {
          type: "provider.error",
          error: reportedFailure(event.response.error?.code, event.response.error?.message ?? "the response failed, without a reason"),
        };
        return;
      case "error":
        yield { type: "provider.error", error: reportedFailure(event.code, event.message) };
        return;
    }
  }
}

function* itemDone(
  item: OpenAI.Responses.ResponseOutputItem,
  index: number,
  calls: Map<number, { callId: string; sent: number }>,
): Generator<ProviderEvent> {
  if (item.type === "function_call") {
    const call = calls.get(index);
    if (call === undefined) yield { type: "tool.input.start", callId: item.call_id, name: item.name };
    const rest = item.arguments.slice(call?.sent ?? 0);
    if (rest !== "") yield { type: "tool.input.delta", callId: item.call_id, delta: rest };
    yield { type: "tool.input.end", callId: item.call_id };
    if (call === undefined) calls.set(index, { callId: item.call_id, sent: item.arguments.length });
  }
  if (item.type === "reasoning" && item.encrypted_content) {
    const data: Json = { id: item.id, encrypted: item.encrypted_content, summary: item.summary.map(({ text }) => text) };
    yield { type: "opaque", part: String(index), kind: "reasoning", data };
  }
  if (item.type === "message" && item.phase) yield { type: "opaque", part: String(index), kind: "text", data: { phase: item.phase } };
}

function* ended(response: OpenAI.Responses.Response, called: boolean, stop = true): Generator<ProviderEvent> {
  const { usage } = response;
  if (usage) {
    yield {
      type: "usage",
      usage: {
        input: usage.input_tokens,
        output: usage.output_tokens,
        cacheRead: usage.input_tokens_details?.cached_tokens ?? 0,
        cacheWrite: usage.input_tokens_details?.cache_write_tokens ?? 0,
        reasoning: usage.output_tokens_details?.reasoning_tokens ?? 0,
      },
    };
  }
  if (!stop) return;
  const cut = response.status === "incomplete" ? response.incomplete_details?.reason : undefined;
  yield {
    type: "stop",
    reason: cut === "content_filter" ? "refusal" : cut === "max_output_tokens" ? "max-tokens" : called ? "tool-calls" : "stop",
  };
}
