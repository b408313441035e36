// A provider that plays a transcript: no key, no network. The demo and the tests run on it. The format is described in the README.

import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "@airlock/interpreter";
import type { ProviderEvent } from "../events.js";
import { noUsage, textOf, type ProviderFailure, type Usage } from "../messages.js";
import type { Provider, ProviderRequest } from "../provider.js";

export interface Transcript {
  format: "airlock-transcript/1";
  description?: string;
  /** One for each request, in order. */
  steps: TranscriptStep[];
}

export interface TranscriptStep {
  /** What the request must hold; otherwise the step is a failure that says what is missing. */
  expect?: Expectation;
  events?: TranscriptEvent[];
  /** Default: `tool-calls` if the step has calls, else `stop`. */
  stop?: Extract<ProviderEvent, { type: "stop" }>["reason"];
  usage?: Partial<Usage>;
  /** The stream fails after the events. */
  error?: Partial<ProviderFailure> & { message: string };
  /** Wait before each delta, so that a demo looks like a stream. Default 0. */
  delayMs?: number;
}

/** An array is the deltas, one after the other. */
export type TranscriptEvent =
  | { text: string | string[] }
  | { reasoning: string | string[]; opaque?: Json }
  /** `input` as JSON, or `rawInput` as the text that the model streams, or `code` as the lines of a program for `execute`. */
  | { tool: string; id?: string; input?: { [key: string]: Json }; rawInput?: string | string[]; code?: string[] };

/** Texts must be contained, names must be exactly these. */
export interface Expectation {
  system?: string | string[];
  /** In the last message of the user. */
  prompt?: string | string[];
  /** In the results right before this step, all of them together. */
  results?: string | string[];
  notInResults?: string | string[];
  /** Names of the tools, in order. */
  tools?: string[];
}

/** A transcript that is not in the format: the message says where. */
export class TranscriptError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "TranscriptError";
  }
}

/** @example const provider = scripted(parseTranscript(await readFile(path, "utf8"))) */
export function scripted(transcript: Transcript, model = "transcript"): Provider {
  let next = 0;
  return {
    name: "scripted",
    model,
    async *stream(request, signal) {
      const number = next++;
      const step = transcript.steps[number];
      const problem =
        step === undefined ? `it has ${transcript.steps.length} steps, and one more was asked for` : unmet(step.expect ?? {}, request);
      if (problem !== undefined || step === undefined) {
        yield {
          type: "provider.error",
          error: { message: `transcript, step ${number + 1}: ${problem}`, code: "transcript", retryable: false },
        };
        return;
      }
      for (const event of play(step, number)) {
        if (step.delayMs) await sleep(step.delayMs, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        yield event;
      }
    },
  };
}

/** @throws TranscriptError */
export function parseTranscript(source: string): Transcript {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new TranscriptError(`the transcript is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isTranscript(value))
    throw new TranscriptError(`the transcript must be an object with "format": "airlock-transcript/1" and "steps": [ … ]`);
  for (const [i, step] of value.steps.entries()) {
    for (const [j, event] of (step.events ?? []).entries())
      if (!("text" in event || "reasoning" in event || "tool" in event))
        throw new TranscriptError(`steps[${i}].events[${j}]: needs "text", "reasoning" or "tool"`);
  }
  return value;
}

function isTranscript(value: unknown): value is Transcript {
  if (typeof value !== "object" || value === null || !("format" in value) || !("steps" in value)) return false;
  const { format, steps } = value;
  return (
    format === "airlock-transcript/1" &&
    Array.isArray(steps) &&
    steps.every((step) => typeof step === "object" && step !== null && Array.isArray(step.events ?? []))
  );
}

function* play(step: TranscriptStep, number: number): Generator<ProviderEvent> {
  let called = false;
  for (const [i, event] of (step.events ?? []).entries()) {
    const part = String(i);
    if ("text" in event) for (const delta of deltas(event.text)) yield { type: "text", part, delta };
    else if ("reasoning" in event) {
      for (const delta of deltas(event.reasoning)) yield { type: "reasoning", part, delta };
      if (event.opaque !== undefined) yield { type: "opaque", part, kind: "reasoning", data: event.opaque };
    } else {
      called = true;
      const callId = event.id ?? `call_${number + 1}_${i + 1}`;
      const input = event.code ? JSON.stringify({ code: event.code.join("\n") }) : JSON.stringify(event.input ?? {});
      yield { type: "tool.input.start", callId, name: event.tool };
      for (const delta of deltas(event.rawInput ?? input)) yield { type: "tool.input.delta", callId, delta };
      // As on the wire: a stream that fails or is cut does not end the input.
      if (!(step.error && i === step.events!.length - 1)) yield { type: "tool.input.end", callId };
    }
  }
  if (step.usage) yield { type: "usage", usage: { ...noUsage, ...step.usage } };
  if (step.error) yield { type: "provider.error", error: { retryable: false, ...step.error } };
  else yield { type: "stop", reason: step.stop ?? (called ? "tool-calls" : "stop") };
}

function unmet(expect: Expectation, request: ProviderRequest): string | undefined {
  const last = request.messages.at(-1);
  const results = last?.role === "tool" ? last.results.map(({ content }) => textOf(content)).join("\n") : "";
  const prompt = textOf(request.messages.findLast((message) => message.role === "user")?.parts ?? []);
  const places: [string, string | string[] | undefined, string][] = [
    ["the system prompt", expect.system, request.system.join("\n\n")],
    ["the prompt", expect.prompt, prompt],
    ["the tool results", expect.results, results],
  ];
  for (const [place, wanted, found] of places) {
    const missing = deltas(wanted ?? []).find((part) => !found.includes(part));
    if (missing !== undefined) return `${place} should contain ${JSON.stringify(missing)}, but it is:\n${found}`;
  }
  const unwanted = deltas(expect.notInResults ?? []).find((part) => results.includes(part));
  if (unwanted !== undefined) return `the tool results should not contain ${JSON.stringify(unwanted)}, but they are:\n${results}`;
  const names = request.tools.map(({ name }) => name);
  if (expect.tools && names.join() !== expect.tools.join())
    return `the tools should be ${expect.tools.join(", ")}, but they are ${names.join(", ")}`;
  return undefined;
}

function deltas(value: string | string[]): string[] {
  return typeof value === "string" ? [value] : value;
}
