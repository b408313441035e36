// Everything that a run of the agent tells, as one union. The order in which events come is drawn in the README.

import type { ExecutionEvent } from "@airlock/runtime";
import type { Json } from "@airlock/interpreter";
import type { ProviderFailure, StopReason, ToolResult, Usage } from "./messages.js";

/**
 * What a provider streams. A `part` is one piece of the answer: deltas of the same part belong together, parts come in the order of
 * their first event. A stream ends with one `stop` or one `provider.error`; it never throws.
 */
export type ProviderEvent =
  | { type: "text"; part: string; delta: string }
  | { type: "reasoning"; part: string; delta: string }
  /** The provider's own data about a part, to be kept and sent back. Stays in the session; observers don't get it. */
  | { type: "opaque"; part: string; kind: "text" | "reasoning"; data: Json }
  | { type: "tool.input.start"; callId: string; name: string }
  | { type: "tool.input.delta"; callId: string; delta: string }
  | { type: "tool.input.end"; callId: string }
  /** Of this step so far: the last one counts. */
  | { type: "usage"; usage: Usage }
  | { type: "stop"; reason: Exclude<StopReason, "error" | "aborted"> }
  | { type: "provider.error"; error: ProviderFailure };

/** A provider failed before it had said anything, and is asked once more after `delayMs`. */
export interface RetryEvent {
  type: "retry";
  /** 1 for the first retry. */
  attempt: number;
  delayMs: number;
  error: ProviderFailure;
}

export type AgentEvent = { sessionId: string; step: number } & (
  | { type: "step.start"; messageId: string; provider: string; model: string }
  | Exclude<ProviderEvent, { type: "opaque" | "stop" }>
  | RetryEvent
  /** A call is about to run, its input is known. Calls with a malformed input have a `tool.error` only. */
  | { type: "tool.call"; callId: string; name: string; input: { [key: string]: Json } }
  /** What happens inside the call: calls of the program, its log, questions to the person. */
  | { type: "execution"; callId: string; event: ExecutionEvent }
  | { type: "tool.result"; callId: string; name: string; result: ToolResult }
  | { type: "tool.error"; callId: string; name: string; result: ToolResult }
  | { type: "step.end"; messageId: string; reason: StopReason; usage: Usage }
  /** The last event of a run. `usage` is that of all its steps. */
  | { type: "finish"; reason: FinishReason; steps: number; usage: Usage; error?: ProviderFailure }
);

/**
 * Why a run ended. `stop`: the model was done. `max-tokens`: its answer was cut. `rejected`: a person refused a call, so the turn is
 * theirs. `error`: the provider failed.
 */
export type FinishReason = "stop" | "max-steps" | "max-tokens" | "context-overflow" | "refusal" | "rejected" | "error" | "aborted";
