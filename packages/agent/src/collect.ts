// An assistant message out of a provider's events, complete at every moment: what has come is never lost.

import type { Json } from "@airlock/interpreter";
import type { ProviderEvent } from "./events.js";
import {
  noUsage,
  type AssistantMessage,
  type AssistantPart,
  type ProviderFailure,
  type StopReason,
  type ToolCallPart,
} from "./messages.js";

export interface Collector {
  add(event: ProviderEvent): void;
  /** The message as it stands. Inputs of calls are parsed here; one that was cut or is no JSON object makes a malformed call. */
  message(aborted: boolean): AssistantMessage;
}

export function collector(provider: string, model: string): Collector {
  const parts = new Map<string, AssistantPart>();
  const inputs = new Map<string, string>();
  let usage = noUsage;
  let stop: StopReason | undefined;
  let error: ProviderFailure | undefined;

  const prose = (type: "text" | "reasoning", id: string): { text: string; opaque?: Json } => {
    const found = parts.get(`${type} ${id}`);
    if (found !== undefined && found.type !== "tool-call") return found;
    const part = { type, text: "" };
    parts.set(`${type} ${id}`, part);
    return part;
  };

  return {
    add(event) {
      switch (event.type) {
        case "text":
        case "reasoning":
          prose(event.type, event.part).text += event.delta;
          break;
        case "opaque":
          prose(event.kind, event.part).opaque = event.data;
          break;
        case "tool.input.start":
          parts.set(`call ${event.callId}`, { type: "tool-call", callId: event.callId, name: event.name, input: {} });
          inputs.set(event.callId, "");
          break;
        case "tool.input.delta":
          inputs.set(event.callId, (inputs.get(event.callId) ?? "") + event.delta);
          break;
        case "usage":
          usage = event.usage;
          break;
        case "stop":
          stop = event.reason;
          break;
        case "provider.error":
          error = event.error;
          break;
      }
    },
    message(aborted) {
      const reason = aborted ? "aborted" : error ? "error" : (stop ?? "error");
      const kept = [...parts.values()]
        .filter((part) => part.type === "tool-call" || part.text !== "" || part.opaque !== undefined)
        .map((part) => (part.type === "tool-call" ? withInput(part, inputs.get(part.callId) ?? "", reason) : part));
      return { role: "assistant", provider, model, parts: kept, stop: reason, usage, ...(error && !aborted ? { error } : {}) };
    },
  };
}

/** An empty text is a call without arguments, except where the answer was cut: there it is the beginning of an input. */
function withInput(part: ToolCallPart, input: string, reason: StopReason): ToolCallPart {
  const whole = reason === "stop" || reason === "tool-calls";
  if (input.trim() === "" && whole) return part;
  try {
    const value: Json = JSON.parse(input);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...part, input: value };
  } catch {
    // Kept as it came, below.
  }
  return { ...part, malformed: input };
}
