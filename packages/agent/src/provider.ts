// What the loop wants of a model's provider.

import type { JsonSchema } from "@airlock/catalog";
import type { ProviderEvent } from "./events.js";
import type { Message } from "./messages.js";

export interface Provider {
  /** `anthropic`, `openai`, `local`, `scripted`. */
  readonly name: string;
  readonly model: string;
  /**
   * Asks once, without retries. Failures are `provider.error` events, never thrown. After an abort the stream ends, with or
   * without an event.
   */
  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderEvent>;
}

export interface ProviderRequest {
  /** Parts of the system prompt, the most stable first, so that prompt caches hold. */
  system: string[];
  messages: Message[];
  tools: ToolDefinition[];
  /** The same for all requests of a session: a key for the provider's prompt cache. */
  sessionId?: string;
}

export interface ToolDefinition {
  /** `[a-zA-Z0-9_-]{1,64}`. */
  name: string;
  description: string;
  /** An object schema without combinators at the top. */
  inputSchema: Exclude<JsonSchema, boolean>;
}

/** How much a model thinks before it answers. Left out: the provider's default, nothing is sent. */
export type Effort = "low" | "medium" | "high";
