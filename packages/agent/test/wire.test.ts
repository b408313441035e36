// The three real SDKs against loopback servers that speak their wires.

import { afterEach, describe, expect, test } from "vitest";
import {
  anthropic,
  memoryStore,
  openaiChat,
  openaiResponses,
  runAgent,
  type AgentEvent,
  type AgentResult,
  type Provider,
  type RunAgentOptions,
} from "../dist/src/index.js";
import { completed, fakeRuntime, formatExecution } from "./fake-runtime.js";
import { loopback, scenarios, type Asked, type Scenarios } from "./loopback.js";

interface Wire {
  make(url: string): Provider;
  scenarios: Scenarios;
}

const wires: { [name: string]: Wire } = {
  anthropic: { make: (url) => anthropic({ model: "claude-test", apiKey: "test-key", baseUrl: url }), scenarios: scenarios("anthropic") },
  "openai-responses": {
    make: (url) => openaiResponses({ model: "gpt-test", apiKey: "test-key", baseUrl: `${url}/v1` }),
    scenarios: scenarios("openai-responses"),
  },
  "openai-chat": { make: (url) => openaiChat({ model: "local-test", baseUrl: `${url}/v1` }), scenarios: scenarios("openai-chat") },
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

type Played = AgentResult & { events: AgentEvent[]; asked: Asked[]; store: ReturnType<typeof memoryStore> };

/** Plays scenarios of a wire, one after the other, as the answers to one run. */
async function play(wire: Wire, names: string[], options: Partial<RunAgentOptions> & { split?: number } = {}): Promise<Played> {
  const server = await loopback(
    names.flatMap((name) => wire.scenarios[name]),
    options,
  );
  open.push(server);
  const store = memoryStore();
  const events: AgentEvent[] = [];
  const runtime = fakeRuntime({ execute: () => completed("é🙂") });
  const defaults = { runtime, store, prompt: "Frage?", formatExecution, retry: { baseMs: 10, random: () => 0 } };
  const result = await runAgent({
    ...defaults,
    provider: wire.make(server.url),
    ...options,
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  return { ...result, events, asked: server.asked, store };
}

/** Events without what differs from run to run. */
function plain(events: AgentEvent[]): object[] {
  return events.map(({ sessionId: _session, ...event }) => ("messageId" in event ? { ...event, messageId: "msg" } : event));
}

const brief = (events: AgentEvent[]): string[] => events.map(({ type }) => type);
const code = "return 'é🙂'";
const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** What differs between the wires in the answers of "tool-use". */
const known = {
  anthropic: {
    name: "anthropic",
    model: "claude-test",
    callId: "toolu_1",
    parts: ["0", "2"],
    first: [{ input: 142, output: 1, cacheRead: 100, cacheWrite: 30, reasoning: 0 }],
    cacheWrite: 30,
    more: { input: 162, output: 1, cacheRead: 142, cacheWrite: 0, reasoning: 0 },
    end: { input: 162, output: 5, cacheRead: 142, cacheWrite: 0, reasoning: 0 },
    gap: [],
  },
  "openai-responses": {
    name: "openai",
    model: "gpt-test",
    callId: "call_a",
    parts: ["0", "1"],
    first: [],
    cacheWrite: 30,
    more: undefined,
    end: { input: 162, output: 5, cacheRead: 142, cacheWrite: 0, reasoning: 0 },
    gap: ["\n\n"],
  },
  "openai-chat": {
    name: "local",
    model: "local-test",
    callId: "call_a",
    parts: ["0", "0"],
    first: [],
    cacheWrite: 0,
    more: undefined,
    end: { input: 162, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    gap: [],
  },
};

describe.each(Object.entries(wires))("%s", (name, wire) => {
  const own = known[name as keyof typeof known];

  function wanted(): object[] {
    const { callId } = own;
    const usage = { input: 142, output: 40, cacheRead: 100, cacheWrite: own.cacheWrite, reasoning: 9 };
    const step = (number: number, ...events: object[]): object[] => events.map((event) => ({ step: number, ...event }));
    const reasoning = ["Überlegen ", ...own.gap, "wir 🤔."].map((delta) => ({ type: "reasoning", part: own.parts[0], delta }));
    const result = { callId, name: "execute", state: "completed", content: [{ type: "text", text: 'result: "é🙂"' }] };
    const answer = { type: "text", part: "0", delta: "Fertig." };
    const inputEnd = { type: "tool.input.end", callId };
    return [
      ...step(
        1,
        { type: "step.start", messageId: "msg", provider: own.name, model: own.model },
        ...own.first.map((each) => ({ type: "usage", usage: each })),
        ...reasoning,
        { type: "text", part: own.parts[1], delta: "Ich schaue 👀 " },
        { type: "text", part: own.parts[1], delta: "nach – 日本語." },
        { type: "tool.input.start", callId, name: "execute" },
        { type: "tool.input.delta", callId, delta: '{"code": "return ' },
        { type: "tool.input.delta", callId, delta: "'é🙂'\"}" },
        // Chat Completions tells the end of an input by the end of the answer.
        ...(name === "openai-chat" ? [{ type: "usage", usage }, inputEnd] : [inputEnd, { type: "usage", usage }]),
        { type: "tool.call", callId, name: "execute", input: { code } },
        { type: "tool.result", callId, name: "execute", result },
        { type: "step.end", messageId: "msg", reason: "tool-calls", usage },
      ),
      ...step(
        2,
        { type: "step.start", messageId: "msg", provider: own.name, model: own.model },
        ...(own.more ? [{ type: "usage", usage: own.more }] : []),
        answer,
        { type: "usage", usage: own.end },
        { type: "step.end", messageId: "msg", reason: "stop", usage: own.end },
        { type: "finish", reason: "stop", steps: 2, usage: { ...usage, input: 304, output: 45, cacheRead: 100 + own.end.cacheRead } },
      ),
    ];
  }

  test("a call and an answer: the events, one by one", async () => {
    const { events, text, reason, asked } = await play(wire, ["tool-use"]);
    expect(plain(events)).toEqual(wanted());
    expect({ text, reason }).toEqual({ text: "Fertig.", reason: "stop" });
    expect(asked).toHaveLength(2);
  });

  test.each([1, 2, 3, 7, 64])("the same events when the stream comes in pieces of %i bytes", async (split) => {
    expect(plain((await play(wire, ["tool-use"], { split })).events)).toEqual(wanted());
  });

  test("a 429 is asked again after the time it names", async () => {
    const { events, asked, reason } = await play(wire, ["limited", "answer"]);
    const retry = events.find((event) => event.type === "retry");
    expect(retry).toMatchObject({
      attempt: 1,
      delayMs: 1000,
      error: { status: 429, message: "Too many requests", requestId: "req_9", retryAfterMs: 1000, retryable: true },
    });
    expect(asked[1].at - asked[0].at).toBeGreaterThanOrEqual(990);
    expect(asked[1].body).toEqual(asked[0].body);
    expect(reason).toBe("stop");
    expect(brief(events).filter((type) => type !== "usage")).toEqual(["step.start", "retry", "text", "step.end", "finish"]);
  });

  test("overload is asked again, as a status and as an error in a stream that has said nothing", async () => {
    const { events, text } = await play(wire, ["overloaded", "overloaded-in-stream", "overloaded", "answer"]);
    expect(events.flatMap((event) => (event.type === "retry" ? [[event.attempt, event.error.message]] : []))).toEqual([
      [1, "Overloaded"],
      [2, "Overloaded"],
      [3, "Overloaded"],
    ]);
    expect(text).toBe("Hello.");
  });

  test("retries are bounded, and there is one implementation of them", async () => {
    const { reason, error, asked, events } = await play(wire, ["overloaded", "overloaded", "overloaded", "answer"], {
      retry: { retries: 2, baseMs: 1 },
    });
    expect({ reason, error: error?.message, asked: asked.length }).toEqual({ reason: "error", error: "Overloaded", asked: 3 });
    expect(brief(events).filter((type) => type !== "usage")).toEqual([
      "step.start",
      "retry",
      "retry",
      "provider.error",
      "step.end",
      "finish",
    ]);
  });

  test("a wrong key is reported once and not asked again", async () => {
    const { reason, error, asked } = await play(wire, ["unauthorised"]);
    expect({ reason, asked: asked.length }).toEqual({ reason: "error", asked: 1 });
    expect(error).toMatchObject({ status: 401, retryable: false, requestId: "req_1" });
    expect(error?.message).toMatch(/key/i);
  });

  test.each([
    ["error-after-text", /Internal server error/],
    ["close-after-text", /closed before the answer was complete/],
    ["drop-in-call", /terminated|aborted|closed|reset/],
  ])("%s: the step ends, what came is kept, nothing is asked again", async (scenario, message) => {
    const { events, reason, error, asked, store, sessionId, text } = await play(wire, [scenario]);
    expect({ reason, asked: asked.length, text }).toEqual({ reason: "error", asked: 1, text: "Half an" });
    expect(error?.message).toMatch(message);
    expect(brief(events).slice(-2)).toEqual(["step.end", "finish"]);
    expect(events.find((event) => event.type === "provider.error")).toMatchObject({ error: { message: error?.message } });
    const records = await store.records(sessionId);
    const kept = records.find((record) => record.type === "message" && record.message.role === "assistant");
    expect(kept).toMatchObject({
      message: {
        stop: "error",
        parts: [
          { type: "text", text: "Half an" },
          ...(scenario === "drop-in-call" ? [{ type: "tool-call", malformed: '{"code": "ret' }] : []),
        ],
      },
    });
    const results = records.filter((record) => record.type === "tool.result");
    expect(results.map((record) => record.result.state)).toEqual(scenario === "drop-in-call" ? ["interrupted"] : []);
    // The session goes on where it stood.
    const next = await loopback(wire.scenarios.answer);
    open.push(next);
    const again = await runAgent({
      runtime: fakeRuntime(),
      provider: wire.make(next.url),
      store,
      sessionId,
      prompt: "Go on",
      formatExecution,
    });
    expect(again).toMatchObject({ reason: "stop", text: "Hello." });
    expect(JSON.stringify(next.asked[0].body)).toContain("Half an");
  });

  test("an answer cut in a call by its length: the model reads so and goes on", async () => {
    const { events, reason, asked } = await play(wire, ["cut-in-call", "answer"]);
    expect(events.find((event) => event.type === "tool.error")).toMatchObject({
      result: { state: "error", content: [{ text: expect.stringContaining("length limit") }] },
    });
    expect(events.some((event) => event.type === "tool.call")).toBe(false);
    expect(JSON.stringify(asked[1].body)).toContain("length limit");
    expect(reason).toBe("stop");
  });

  test("an abort in the middle of a stream ends it", async () => {
    const stop = new AbortController();
    const { events, reason, text, store, sessionId } = await play(wire, ["hang-after-text"], {
      signal: stop.signal,
      onEvent: (event) => event.type === "text" && stop.abort(),
    });
    expect({ reason, text }).toEqual({ reason: "aborted", text: "Half an" });
    expect(events.slice(-2)).toMatchObject([
      { type: "step.end", reason: "aborted" },
      { type: "finish", reason: "aborted" },
    ]);
    expect(brief(events)).not.toContain("provider.error");
    expect((await store.records(sessionId)).at(-1)).toMatchObject({ type: "run.ended", reason: "aborted" });
  });

  test("an abort while waiting for a retry ends the wait", async () => {
    const stop = new AbortController();
    const started = Date.now();
    const { reason, asked } = await play(wire, ["limited", "answer"], {
      signal: stop.signal,
      onEvent: (event) => event.type === "retry" && stop.abort(),
    });
    expect({ reason, asked: asked.length }).toEqual({ reason: "aborted", asked: 1 });
    expect(Date.now() - started).toBeLessThan(900);
  });

  test("a server that is not there", async () => {
    const gone = await loopback([]);
    await gone.close();
    const result = await runAgent({
      runtime: fakeRuntime(),
      provider: wire.make(gone.url),
      store: memoryStore(),
      prompt: "?",
      formatExecution,
      retry: { retries: 1, baseMs: 1 },
    });
    expect(result).toMatchObject({
      reason: "error",
      usage: zero,
      error: { message: expect.stringMatching(/ECONNREFUSED/), retryable: true },
    });
  });
});

test("openai: an exhausted quota does not pass by waiting", async () => {
  const { reason, asked, error } = await play(wires["openai-responses"], ["no-quota"]);
  expect({ reason, asked: asked.length, code: error?.code }).toEqual({ reason: "error", asked: 1, code: "insufficient_quota" });
});

test("chat: calls without index, with a used id, a late name, arguments as an object, or none", async () => {
  const { events } = await play(wires["openai-chat"], ["no-index-no-id", "answer"]);
  const calls = events.filter((event) => event.type === "tool.call");
  expect(calls.map(({ name, input }) => [name, input])).toEqual([
    ["execute", { code: "1" }],
    ["execute", { code: "2" }],
    ["execute", {}],
  ]);
  expect(calls[0].callId).toBe("same");
  expect(new Set(calls.map(({ callId }) => callId)).size).toBe(3);
});
