import { createRequire } from "node:module";
import type { Attributes, Span } from "@opentelemetry/api";
import type { CallRecord } from "../types.js";

const require = createRequire(import.meta.url);
let api: typeof import("@opentelemetry/api") | undefined;

/** Loads OpenTelemetry's API, which is 50 files: with the first call, or before it. */
export function loadTracing(): typeof import("@opentelemetry/api") {
  return (api ??= require("@opentelemetry/api") as typeof import("@opentelemetry/api"));
}

/**
 * Runs one call in a span `tool.execute`. Attributes are names and ids only: no inputs, no results, no messages, which may hold secrets.
 * Without a registered tracer provider this costs nothing to speak of.
 */
export function inSpan<T>(call: CallRecord, run: { sessionId?: string; messageId?: string }, work: () => Promise<T>): Promise<T> {
  const { isSpanContextValid, trace } = loadTracing();
  const attributes: Attributes = { "tool.name": `${call.server}.${call.name}`, "tool.call_id": call.id };
  if (run.sessionId !== undefined) attributes["session.id"] = run.sessionId;
  if (run.messageId !== undefined) attributes["message.id"] = run.messageId;
  const span = trace.getTracer("airlock").startSpan("tool.execute", { attributes });
  // One that leads nowhere and records nothing: there is no provider.
  return isSpanContextValid(span.spanContext()) || span.isRecording() ? within(span, work) : work();
}

async function within<T>(span: Span, work: () => Promise<T>): Promise<T> {
  const { context, SpanStatusCode, trace } = loadTracing();
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : "Error" });
    throw error;
  } finally {
    span.end();
  }
}
