// The Chat Completions API, through OpenAI's SDK: what local servers speak, each with deviations that are mended here.

import type OpenAI from "openai";
import type { ProviderEvent } from "../events.js";
import { inputForWire, text, textOf, type ImagePart, type Message, type TextPart } from "../messages.js";
import { newId } from "../ids.js";
import type { Provider, ProviderRequest } from "../provider.js";
import { failureOf } from "./failure.js";

type Chat = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type ChatMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Delta = OpenAI.Chat.Completions.ChatCompletionChunk.Choice.Delta;

export interface OpenAIChatOptions {
  model: string;
  /** With its version, e.g. `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  /** Few local servers want one. */
  apiKey?: string;
  maxOutputTokens?: number;
}

export function openaiChat(options: OpenAIChatOptions): Provider {
  let client: Promise<OpenAI> | undefined;
  return {
    name: "local",
    model: options.model,
    async *stream(request, signal) {
      try {
        client ??= connect(options);
        yield* translate(await (await client).chat.completions.create(body(options, request), { signal }));
      } catch (error) {
        yield { type: "provider.error", error: failureOf(error) };
      }
    },
  };
}

/** Nothing of the environment's OpenAI account goes to a local server. */
async function connect({ apiKey, baseUrl }: OpenAIChatOptions): Promise<OpenAI> {
  const { default: Sdk } = await import("openai");
  return new Sdk({ apiKey: apiKey ?? "none", baseURL: baseUrl, organization: null, project: null, maxRetries: 0, logLevel: "off" });
}

function body(options: OpenAIChatOptions, request: ProviderRequest): Chat {
  const system = request.system.filter((part) => part !== "").join("\n\n");
  return {
    model: options.model,
    stream: true,
    stream_options: { include_usage: true },
    messages: [...(system ? [{ role: "system" as const, content: system }] : []), ...request.messages.flatMap(messagesOf)],
    ...(request.tools.length > 0
      ? {
          tools: request.tools.map(({ name, description, inputSchema }) => ({
            type: "function",
            function: { name, description, parameters: { ...inputSchema } },
          })),
        }
      : {}),
    ...(options.maxOutputTokens ? { max_tokens: options.maxOutputTokens } : {}),
  };
}

function messagesOf(message: Message): ChatMessage[] {
  if (message.role === "user") return [{ role: "user", content: userContent(message.parts) }];
  if (message.role === "assistant") {
    const content = textOf(message.parts);
    const tool_calls = message.parts.flatMap((part) =>
      part.type === "tool-call"
        ? [{ id: part.callId, type: "function" as const, function: { name: part.name, arguments: JSON.stringify(inputForWire(part)) } }]
        : [],
    );
    if (content === "" && tool_calls.length === 0) return [];
    return [{ role: "assistant", content: content === "" ? null : content, ...(tool_calls.length > 0 ? { tool_calls } : {}) }];
  }
  // A tool message holds text only: images follow as the user's.
  const images = message.results.flatMap(({ name, content }) => {
    const found = content.filter((part) => part.type === "image");
    return found.length > 0 ? [text(`From the result of ${name}:`), ...found] : [];
  });
  return [
    ...message.results.map((result): ChatMessage => ({
      role: "tool",
      tool_call_id: result.callId,
      content: textOf(result.content) || "(no output)",
    })),
    ...(images.length > 0 ? [{ role: "user" as const, content: userContent(images) }] : []),
  ];
}

/** A plain string where it does: not every server takes parts. */
function userContent(parts: readonly (TextPart | ImagePart)[]): string | OpenAI.Chat.Completions.ChatCompletionContentPart[] {
  if (parts.every((part) => part.type === "text")) return textOf(parts);
  return parts.map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text }
      : { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  );
}

async function* translate(stream: AsyncIterable<OpenAI.Chat.Completions.ChatCompletionChunk>): AsyncGenerator<ProviderEvent> {
  const calls = new CallDeltas();
  let finish: string | undefined;
  for await (const chunk of stream) {
    if (chunk.usage) {
      yield {
        type: "usage",
        usage: {
          input: chunk.usage.prompt_tokens ?? 0,
          output: chunk.usage.completion_tokens ?? 0,
          cacheRead: chunk.usage.prompt_tokens_details?.cached_tokens ?? 0,
          cacheWrite: 0,
          reasoning: chunk.usage.completion_tokens_details?.reasoning_tokens ?? 0,
        },
      };
    }
    // The chunk with the usage has no choice.
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    const delta = choice.delta ?? {};
    const reasoning = reasoningOf(delta);
    if (reasoning) yield { type: "reasoning", part: "0", delta: reasoning };
    if (delta.content) yield { type: "text", part: "0", delta: delta.content };
    if (delta.refusal) yield { type: "text", part: "0", delta: delta.refusal };
    for (const call of delta.tool_calls ?? []) yield* calls.add(call);
    finish = choice.finish_reason ?? finish;
  }
  if (finish === undefined) return;
  yield* calls.end();
  yield {
    type: "stop",
    reason: finish === "length" ? "max-tokens" : finish === "content_filter" ? "refusal" : calls.any ? "tool-calls" : "stop",
  };
}

/** Not in OpenAI's format; llama.cpp, vLLM and DeepSeek say `reasoning_content`, Ollama and OpenRouter `reasoning`. */
function reasoningOf(delta: object): string | undefined {
  const value: unknown = "reasoning_content" in delta ? delta.reasoning_content : "reasoning" in delta ? delta.reasoning : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Puts deltas of calls together: servers leave out the index or the id, use an id twice, name the tool late, or send the arguments as an object. */
class CallDeltas {
  readonly #calls = new Map<string, { callId: string; name: string; held: string }>();
  #last: string | undefined;

  get any(): boolean {
    return this.#calls.size > 0;
  }

  *add(wire: Partial<NonNullable<Delta["tool_calls"]>[number]>): Generator<ProviderEvent> {
    const key =
      typeof wire.index === "number" ? String(wire.index) : wire.id || this.#last === undefined ? `id ${wire.id ?? ""}` : this.#last;
    this.#last = key;
    const call = this.#calls.get(key) ?? this.#open(key, wire.id);
    const given: unknown = wire.function?.arguments;
    const delta = typeof given === "string" ? given : given ? JSON.stringify(given) : "";
    if (call.name === "" && wire.function?.name) {
      call.name = wire.function.name;
      yield { type: "tool.input.start", callId: call.callId, name: call.name };
      if (call.held !== "") yield { type: "tool.input.delta", callId: call.callId, delta: call.held };
    }
    if (call.name === "") call.held += delta;
    else if (delta !== "") yield { type: "tool.input.delta", callId: call.callId, delta };
  }

  *end(): Generator<ProviderEvent> {
    for (const { callId, name, held } of this.#calls.values()) {
      if (name === "") yield { type: "tool.input.start", callId, name };
      if (name === "" && held !== "") yield { type: "tool.input.delta", callId, delta: held };
      yield { type: "tool.input.end", callId };
    }
  }

  #open(key: string, id: string | undefined): { callId: string; name: string; held: string } {
    const taken = [...this.#calls.values()].some(({ callId }) => callId === id);
    const call = { callId: id && !taken ? id : newId("call"), name: "", held: "" };
    this.#calls.set(key, call);
    return call;
  }
}
