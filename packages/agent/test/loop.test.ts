// The loop against a runtime by its interface and a scripted model: events and records, one by one.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ExecutionEvent } from "@airlock/runtime";
import {
  conversation,
  memoryStore,
  parseTranscript,
  runAgent,
  scripted,
  SessionBusyError,
  textOf,
  UnknownSessionError,
  type AgentEvent,
  type AgentResult,
  type Provider,
  type RunAgentOptions,
  type SessionRecord,
  type SessionStore,
  type TranscriptStep,
} from "../dist/src/index.js";
import { completed, failed, fakeRuntime, formatExecution, record } from "./fake-runtime.js";

const fixture = (name: string): Provider =>
  scripted(parseTranscript(readFileSync(new URL(`../../../fixtures/transcripts/${name}.json`, import.meta.url), "utf8")));
const script = (...steps: TranscriptStep[]): Provider => scripted({ format: "airlock-transcript/1", steps });

type Ran = AgentResult & { events: AgentEvent[]; records: SessionRecord[]; store: SessionStore };

async function run(provider: Provider, options: Partial<RunAgentOptions> = {}): Promise<Ran> {
  const store = options.store ?? memoryStore();
  const events: AgentEvent[] = [];
  const defaults = { runtime: fakeRuntime(), store, prompt: "Go", formatExecution, retry: { baseMs: 1 } };
  const result = await runAgent({
    ...defaults,
    provider,
    ...options,
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  return { ...result, events, store, records: await store.records(result.sessionId) };
}

const types = (ran: Ran): string[] => ran.events.map(({ type }) => type);
const plain = (events: AgentEvent[]): object[] =>
  events.map(({ sessionId: _session, ...event }) => ("messageId" in event ? { ...event, messageId: "msg" } : event));
/** The last record's results, by call. */
const results = (ran: Ran): [string, string, string][] =>
  conversation(ran.records).flatMap((message) =>
    message.role === "tool"
      ? message.results.map(({ callId, state, content }): [string, string, string] => [callId, state, textOf(content)])
      : [],
  );
const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

test("code mode: the events in their order, and the records", async () => {
  const runtime = fakeRuntime({
    execute: (_, { onEvent }) => {
      onEvent?.({ type: "log", executionId: "exe_1", entry: { level: "log", text: "hi", args: ["hi"] } });
      return completed(3, [record("tools.github.list_issues", {})]);
    },
  });
  const ran = await run(fixture("agent-code-mode"), { runtime, prompt: "How many issues?", agent: "build" });
  const input = { code: "const issues = await tools.github.list_issues({})\nreturn issues.length" };
  const callId = "call_1_3";
  const result = { callId, name: "execute", state: "completed", content: [{ type: "text", text: "result: 3" }] };
  const first = { ...zero, input: 100, output: 20 };
  const second = { ...zero, input: 130, output: 5, cacheRead: 100 };
  const step = (number: number, ...events: object[]): object[] => events.map((event) => ({ step: number, ...event }));
  expect(plain(ran.events)).toEqual([
    ...step(
      1,
      { type: "step.start", messageId: "msg", provider: "scripted", model: "transcript" },
      { type: "reasoning", part: "0", delta: "I count " },
      { type: "reasoning", part: "0", delta: "them." },
      { type: "text", part: "1", delta: "Let me " },
      { type: "text", part: "1", delta: "count." },
      { type: "tool.input.start", callId, name: "execute" },
      { type: "tool.input.delta", callId, delta: JSON.stringify(input) },
      { type: "tool.input.end", callId },
      { type: "usage", usage: first },
      { type: "tool.call", callId, name: "execute", input },
      { type: "execution", callId, event: { type: "log", executionId: "exe_1", entry: { level: "log", text: "hi", args: ["hi"] } } },
      { type: "tool.result", callId, name: "execute", result },
      { type: "step.end", messageId: "msg", reason: "tool-calls", usage: first },
    ),
    ...step(
      2,
      { type: "step.start", messageId: "msg", provider: "scripted", model: "transcript" },
      { type: "text", part: "0", delta: "There are " },
      { type: "text", part: "0", delta: "3." },
      { type: "usage", usage: second },
      { type: "step.end", messageId: "msg", reason: "stop", usage: second },
      { type: "finish", reason: "stop", steps: 2, usage: { ...zero, input: 230, output: 25, cacheRead: 100 } },
    ),
  ]);
  expect(ran).toMatchObject({ text: "There are 3.", reason: "stop", steps: 2 });
  expect(ran.records.map((each) => each.type)).toEqual([
    "run.started",
    "message",
    "message",
    "tool.started",
    "tool.result",
    "message",
    "run.ended",
  ]);
  expect(ran.records.find((each) => each.type === "tool.result")?.calls).toMatchObject([
    { path: "tools.github.list_issues", state: "completed" },
  ]);
  expect(conversation(ran.records).map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  const { options } = runtime.executed[0];
  expect(options).toMatchObject({ sessionId: ran.sessionId, agent: "build", catalog: runtime.instructions().snapshot });
  expect(options.messageId).toBe(ran.events.flatMap((event) => (event.type === "step.start" ? [event.messageId] : []))[0]);
});

test("classic mode: tools by themselves, side by side, results in the order of the calls", async () => {
  const running: string[] = [];
  let second = (): void => {};
  const both = new Promise<void>((resolve) => (second = resolve));
  const runtime = fakeRuntime({
    tools: [
      { server: "odd server", name: "a/b", run: () => (second(), { n: 1 }) },
      {
        server: "github",
        name: "list_issues",
        toModel: (value) => ({ text: Object.values(value as object).join(", ") }),
        run: async () => (await both, running.push("slow"), { a: "one", b: "two" }),
      },
      { server: "docs", name: "resolve-library-id" },
    ],
  });
  const ran = await run(fixture("agent-classic"), { runtime, codeMode: false });
  expect(ran).toMatchObject({ reason: "stop", text: "Done." });
  expect(results(ran)).toEqual([
    ["first", "completed", "one, two"],
    ["second", "completed", '{"n":1}'],
  ]);
  expect(ran.events.flatMap((event) => (event.type === "tool.result" ? [event.callId] : []))).toEqual(["second", "first"]);
  for (const { options } of runtime.called)
    expect(options).toMatchObject({ catalog: runtime.instructions().snapshot, sessionId: ran.sessionId });
  expect(runtime.called.map(({ path, input }) => [path, input])).toEqual([
    ["tools.github.list_issues", { state: "open" }],
    ['tools.odd server["a/b"]', {}],
  ]);
});

test("classic mode: a failed call tells its kind and its hints; an unknown name tells the nearest", async () => {
  const runtime = fakeRuntime({
    failCall: () => ({ kind: "denied", message: "list_issues is denied by a rule", hints: ["Ask the person."] }),
  });
  const ran = await run(
    script(
      {
        events: [
          { tool: "github_list_issues", id: "a" },
          { tool: "list_issue", id: "b" },
          { tool: "execute", id: "c", input: { code: "1" } },
        ],
      },
      {
        expect: {
          results: [
            "denied: list_issues is denied by a rule\nAsk the person.",
            "The nearest: github_list_issues.",
            'no tool "execute", so nothing ran. Tools: github_list_issues.',
          ],
        },
      },
    ),
    { runtime, codeMode: false },
  );
  expect(ran.reason).toBe("stop");
  expect(results(ran).map(([, state]) => state)).toEqual(["error", "error", "error"]);
});

test("every mistake of a weak model gets the answer that gets it going", async () => {
  const runtime = fakeRuntime({ tools: [{ server: "github", name: "list_issues" }] });
  const ran = await run(fixture("agent-mistakes"), { runtime });
  expect(ran).toMatchObject({ reason: "stop", text: "I give up." });
  expect(runtime.executed).toEqual([]);
  expect(results(ran).every(([, state]) => state === "error")).toBe(true);
});

test("a search by itself gets the program that searches, where programs can", async () => {
  const runtime = fakeRuntime({ catalog: 'Find more with search("words").' });
  const ran = await run(
    script(
      { events: [{ tool: "search", input: { limit: 3, query: 'open "bugs"' } }] },
      { expect: { results: JSON.stringify({ code: 'return search("open \\"bugs\\"")' }) } },
    ),
    { runtime },
  );
  expect(ran.reason).toBe("stop");
});

test("programs of one answer run one after the other", async () => {
  let running = 0;
  const runtime = fakeRuntime({
    execute: async (code) => {
      expect(++running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return completed(code);
    },
  });
  const ran = await run(
    script(
      {
        events: [
          { tool: "execute", id: "a", code: ["1"] },
          { tool: "execute", id: "b", code: ["2"] },
        ],
      },
      {},
    ),
    { runtime },
  );
  expect(results(ran)).toEqual([
    ["a", "completed", 'result: "1"'],
    ["b", "completed", 'result: "2"'],
  ]);
});

test("media in a result become images, each once; others are named", async () => {
  const handle = (media: string, mimeType: string): object => ({ media, mimeType, bytes: 5 });
  const runtime = fakeRuntime({
    execute: () =>
      completed(
        JSON.parse(
          JSON.stringify({
            list: [handle("m1", "image/png"), handle("m1", "image/png")],
            sound: handle("m2", "audio/wav"),
            gone: handle("m3", "image/gif"),
          }),
        ),
      ),
    media: { m1: { type: "image", mimeType: "image/png", data: "AAAA" }, m2: { type: "audio", mimeType: "audio/wav", data: "AAAA" } },
  });
  const ran = await run(script({ events: [{ tool: "execute", code: ["1"] }] }, {}), { runtime });
  const content = ran.events.find((event) => event.type === "tool.result")?.result.content.slice(1);
  expect(content).toEqual([
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "text", text: "[audio/wav, 5 bytes: not an image, so it can't be shown here]" },
    { type: "text", text: "[image/gif, 5 bytes: no longer held]" },
  ]);
});

describe("ends", () => {
  test("a program's failure is a tool error, and the run goes on", async () => {
    const runtime = fakeRuntime({ execute: () => failed({ kind: "uncaught", message: "x is not defined" }) });
    const ran = await run(
      script(
        { events: [{ tool: "execute", code: ["x"] }] },
        { expect: { results: "uncaught: x is not defined" }, events: [{ text: "Oh." }] },
      ),
      { runtime },
    );
    expect(ran.reason).toBe("stop");
    expect(types(ran)).toContain("tool.error");
  });

  test("a person's plain refusal ends the run; calls after it don't run", async () => {
    const runtime = fakeRuntime({ execute: () => failed({ kind: "rejected", message: "refused" }) });
    const ran = await run(
      script({
        events: [
          { tool: "execute", id: "a", code: ["1"] },
          { tool: "execute", id: "b", code: ["2"] },
        ],
      }),
      { runtime },
    );
    expect(ran.reason).toBe("rejected");
    expect(runtime.executed).toHaveLength(1);
    expect(results(ran).map(([id, state]) => [id, state])).toEqual([
      ["a", "error"],
      ["b", "interrupted"],
    ]);
  });

  test("max steps: the last calls have results, and the session goes on with another prompt", async () => {
    const ran = await run(script({ events: [{ tool: "execute", code: ["1"] }] }, { events: [{ tool: "execute", code: ["2"] }] }), {
      maxSteps: 2,
    });
    expect(ran).toMatchObject({ reason: "max-steps", steps: 2 });
    expect(results(ran).map(([, state]) => state)).toEqual(["completed", "completed"]);
    const next = await run(script({ expect: { prompt: "Go on" }, events: [{ text: "Fine." }] }), {
      store: ran.store,
      sessionId: ran.sessionId,
      prompt: "Go on",
    });
    expect(next).toMatchObject({ reason: "stop", text: "Fine.", sessionId: ran.sessionId });
    expect(conversation(next.records)).toHaveLength(7);
  });

  test("a text cut by its length is reported; calls cut again and again end the run", async () => {
    expect(await run(script({ events: [{ text: "Once upon" }], stop: "max-tokens" }))).toMatchObject({
      reason: "max-tokens",
      text: "Once upon",
    });
    const cut: TranscriptStep = { events: [{ tool: "execute", rawInput: "" }], stop: "max-tokens" };
    expect(await run(script(cut, cut, cut))).toMatchObject({ reason: "max-tokens", steps: 3 });
  });

  test("a call that was whole before the cut runs", async () => {
    const runtime = fakeRuntime();
    const ran = await run(
      script(
        {
          events: [
            { tool: "execute", id: "a", code: ["1"] },
            { tool: "execute", id: "b", rawInput: '{"co' },
          ],
          stop: "max-tokens",
        },
        {},
      ),
      { runtime },
    );
    expect(runtime.executed.map(({ code }) => code)).toEqual(["1"]);
    expect(results(ran).map(([id, state]) => [id, state])).toEqual([
      ["a", "completed"],
      ["b", "error"],
    ]);
  });

  test("a call whose input was cut before its first character does not run without one", async () => {
    const runtime = fakeRuntime();
    const cut = await run(script({ events: [{ tool: "github_list_issues", id: "a", rawInput: "" }], stop: "max-tokens" }, {}), {
      runtime,
      codeMode: false,
    });
    expect(results(cut)).toEqual([["a", "error", expect.stringContaining("length limit")]]);
    expect(runtime.called).toEqual([]);
    await run(script({ events: [{ tool: "github_list_issues", id: "a", rawInput: "" }] }, {}), { runtime, codeMode: false });
    expect(runtime.called.map(({ input }) => input)).toEqual([{}]);
  });

  test.each(["refusal", "context-overflow"] as const)("%s is reported", async (stop) => {
    expect((await run(script({ events: [{ text: "No" }], stop }))).reason).toBe(stop);
  });

  test("a failure of the provider after a whole call: the call does not run, its result says why", async () => {
    const runtime = fakeRuntime();
    const ran = await run(
      script({ events: [{ tool: "execute", id: "a", code: ["1"] }, { text: "and" }], error: { message: "broke", retryable: true } }),
      { runtime },
    );
    expect(ran).toMatchObject({ reason: "error", error: { message: "broke" } });
    expect(runtime.executed).toEqual([]);
    expect(results(ran)).toEqual([["a", "interrupted", expect.stringContaining("did not run")]]);
    expect(types(ran).slice(-4)).toEqual(["provider.error", "tool.error", "step.end", "finish"]);
  });

  test("a failure that may pass is asked again, with the events of it", async () => {
    const busy = { error: { message: "busy", status: 529, retryable: true, retryAfterMs: 1 } };
    const ran = await run(script(busy, busy, { events: [{ text: "Here." }] }));
    expect(ran.text).toBe("Here.");
    expect(ran.events.flatMap((event) => (event.type === "retry" ? [event.attempt] : []))).toEqual([1, 2]);
    expect(ran.steps).toBe(1);
  });

  test("a provider that throws is a failure like others", async () => {
    const provider: Provider = {
      name: "odd",
      model: "m",
      async *stream() {
        yield { type: "text", part: "0", delta: "Half" };
        throw new Error("oops");
      },
    };
    expect(await run(provider)).toMatchObject({
      reason: "error",
      text: "Half",
      error: { message: "internal error of the provider odd: oops" },
    });
  });

  test("a wait longer than the bound is not waited for", async () => {
    const ran = await run(script({ error: { message: "tomorrow", retryable: true, retryAfterMs: 3_600_000 } }));
    expect(ran).toMatchObject({ reason: "error", error: { message: "tomorrow", retryAfterMs: 3_600_000 } });
  });
});

describe("abort", () => {
  test("before the first step", async () => {
    const ran = await run(script(), { signal: AbortSignal.abort() });
    expect(ran).toMatchObject({ reason: "aborted", steps: 0 });
    expect(types(ran)).toEqual(["finish"]);
  });

  test("in a call: the runtime's report is kept, the call is marked interrupted", async () => {
    const stop = new AbortController();
    const runtime = fakeRuntime({
      execute: (_, { signal }) =>
        new Promise((resolve) => signal?.addEventListener("abort", () => resolve(failed({ kind: "aborted", message: "1 call was done" })))),
    });
    const ran = await run(
      script({
        events: [
          { tool: "execute", id: "a", code: ["1"] },
          { tool: "execute", id: "b", code: ["2"] },
        ],
      }),
      { runtime, signal: stop.signal, onEvent: ({ type }) => type === "tool.call" && setTimeout(() => stop.abort(), 5) },
    );
    expect(ran.reason).toBe("aborted");
    expect(results(ran)).toEqual([
      ["a", "interrupted", "aborted: 1 call was done"],
      ["b", "interrupted", expect.stringContaining("did not run")],
    ]);
    expect(types(ran).slice(-2)).toEqual(["step.end", "finish"]);
  });

  test("in a call that does not end: its result says that the outcome is unknown", async () => {
    const stop = new AbortController();
    const late: ExecutionEvent = { type: "log", executionId: "exe_1", entry: { level: "log", text: "late", args: [] } };
    const runtime = fakeRuntime({ execute: (_, { onEvent }) => (setTimeout(() => onEvent?.(late), 40), new Promise(() => {})) });
    const ran = await run(script({ events: [{ tool: "execute", id: "a", code: ["1"] }] }), {
      runtime,
      graceMs: 10,
      signal: stop.signal,
      onEvent: ({ type }) => type === "tool.call" && setTimeout(() => stop.abort(), 5),
    });
    expect(results(ran)).toEqual([["a", "interrupted", expect.stringContaining("unknown")]]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(types(ran).at(-1)).toBe("finish");
    expect(ran.records.at(-1)).toMatchObject({ type: "run.ended", reason: "aborted" });
  });

  test("in a call by itself: a failure then is the interruption", async () => {
    const stop = new AbortController();
    const runtime = fakeRuntime({ failCall: () => (stop.abort(), { kind: "aborted", message: "ended", hints: [] }) });
    const ran = await run(script({ events: [{ tool: "github_list_issues", id: "a" }] }), { runtime, codeMode: false, signal: stop.signal });
    expect(results(ran)).toEqual([["a", "interrupted", "aborted: ended"]]);
  });

  test("in a scripted stream: the text so far is kept", async () => {
    const stop = new AbortController();
    const ran = await run(script({ events: [{ text: ["a", "b", "c"] }], delayMs: 1 }), {
      signal: stop.signal,
      onEvent: (event) => event.type === "text" && event.delta === "b" && stop.abort(),
    });
    expect(ran).toMatchObject({ reason: "aborted", text: "ab" });
  });
});

describe("sessions", () => {
  test("one run at a time, and free again after it", async () => {
    const store = memoryStore();
    const { id } = await store.create();
    const slow = run(script({ events: [{ text: "x" }], delayMs: 20 }), { store, sessionId: id });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await expect(run(script({}), { store, sessionId: id })).rejects.toThrow(SessionBusyError);
    await slow;
    expect((await run(script({}), { store, sessionId: id })).reason).toBe("stop");
  });

  test("an unknown session", async () => {
    await expect(run(script({}), { sessionId: "ses_nowhere" })).rejects.toThrow(UnknownSessionError);
  });

  test("a session that a crash left open is closed before the next prompt, call by call", async () => {
    const store = memoryStore();
    const { id } = await store.create();
    const call = (callId: string): object => ({ type: "tool-call", callId, name: "execute", input: { code: "1" } });
    await store.append(id, { type: "message", messageId: "m1", message: { role: "user", parts: [{ type: "text", text: "one" }] } });
    await store.append(id, {
      type: "message",
      messageId: "m2",
      message: {
        role: "assistant",
        provider: "p",
        model: "m",
        stop: "tool-calls",
        usage: zero,
        parts: ["done", "begun", "waiting"].map(call) as never,
      },
    });
    await store.append(id, { type: "tool.started", messageId: "m2", callId: "done" });
    await store.append(id, {
      type: "tool.result",
      messageId: "m2",
      calls: [],
      result: { callId: "done", name: "execute", state: "completed", content: [{ type: "text", text: "ok" }] },
    });
    await store.append(id, { type: "tool.started", messageId: "m2", callId: "begun" });
    const ran = await run(script({ expect: { prompt: "two" }, events: [{ text: "Hi." }] }), { store, sessionId: id, prompt: "two" });
    expect(results(ran)).toEqual([
      ["done", "completed", "ok"],
      ["begun", "interrupted", expect.stringContaining("unknown")],
      ["waiting", "interrupted", expect.stringContaining("did not run")],
    ]);
    expect(ran.records.filter((each) => each.type === "tool.result")).toHaveLength(3);
  });

  test("records are copies, their ids sort in the order of appending", async () => {
    const ran = await run(fixture("agent-code-mode"), {
      prompt: "How many issues?",
      runtime: fakeRuntime({ execute: () => completed(3) }),
    });
    const ids = ran.records.map(({ id }) => id);
    expect([...ids].sort()).toEqual(ids);
    ran.records.length = 0;
    expect(await ran.store.records(ran.sessionId)).toHaveLength(7);
  });

  test("what an observer throws ends the run, is thrown on, and leaves the session whole and free", async () => {
    const store = memoryStore();
    const { id } = await store.create();
    const runtime = fakeRuntime();
    const broken = run(script({ events: [{ tool: "execute", id: "a", code: ["1"] }] }), {
      store,
      sessionId: id,
      runtime,
      onEvent: ({ type }) => {
        if (type === "tool.call") throw new Error("EPIPE");
      },
    });
    await expect(broken).rejects.toThrow("EPIPE");
    expect(runtime.executed).toEqual([]);
    const records = await store.records(id);
    expect(records.at(-1)).toMatchObject({ type: "run.ended", reason: "aborted" });
    expect(conversation(records).at(-1)).toMatchObject({ role: "tool", results: [{ callId: "a", state: "interrupted" }] });
    expect((await run(script({}), { store, sessionId: id })).reason).toBe("stop");
  });
});
