// Sections 2.5 and 4: the pipeline, its records and events, and the end of a run.
import { AsyncLocalStorageContextManager } from "./support/otel.js";
import { context, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import type { CallContext, Catalog } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import { spansOf } from "./support/otel.js";
import { catalogOf, never, recorder, runtimeOf, sleep, tool } from "./support/kit.js";

const a = tool("svc.a");

describe("records and events", () => {
  it("a call has an id, its input, a decision, a result, times and an end; events tell of it as it happens", async () => {
    const { events, onEvent } = recorder();
    const outcome = await runtimeOf([a]).execute("return await tools.svc.a({ n: 1 })", { onEvent });
    expect(outcome).toMatchObject({ id: expect.stringMatching(/^run_/) as string, status: "completed", value: { n: 1 } });
    expect(outcome.calls).toEqual([
      {
        id: `${outcome.id}.1`,
        path: "tools.svc.a",
        server: "svc",
        name: "a",
        input: { n: 1 },
        state: "completed",
        decision: { action: "allow", by: "rule", rule: { permission: "*", pattern: "*", action: "allow", source: "user" } },
        result: { value: { n: 1 }, attachments: [], metadata: {}, complete: true },
        location: { line: 1, column: 24 },
        startedAt: expect.any(Number) as number,
        endedAt: expect.any(Number) as number,
      },
    ]);
    expect(events.map((event) => [event.type, "call" in event ? event.call.state : ""])).toEqual([
      ["call.started", "running"],
      ["call.settled", "completed"],
    ]);
  });
  it("a tool called without input gets {}", async () =>
    expect(await runtimeOf([a]).execute("return await tools.svc.a()")).toMatchObject({ value: {} }));
  it("a failing event handler disturbs nothing", async () => {
    process.once("warning", () => {});
    expect(
      await runtimeOf([a]).execute("return await tools.svc.a({})", {
        onEvent: () => {
          throw new Error("handler");
        },
      }),
    ).toMatchObject({ status: "completed" });
  });
  it("the tool learns about its call, reports progress, and logs", async () => {
    let seen: CallContext | undefined;
    const chatty = tool("svc.chatty", (_, call) => {
      seen = call;
      call.metadata({ title: "Step 1", done: 1 });
      call.metadata({ done: 2 });
      call.log({ level: "info", text: "half", args: [] });
      return Promise.resolve("ok");
    });
    const { events, onEvent, types } = recorder();
    const outcome = await runtimeOf([chatty]).execute("return await tools.svc.chatty({})", {
      onEvent,
      sessionId: "s",
      messageId: "m",
      agent: "build",
    });
    expect(seen).toMatchObject({
      callId: outcome.calls[0].id,
      path: "tools.svc.chatty",
      sessionId: "s",
      messageId: "m",
      agent: "build",
      location: { line: 1 },
    });
    expect(types()).toEqual(["call.started", "call.progress", "call.progress", "log", "call.settled"]);
    expect(events[1]).toMatchObject({ update: { title: "Step 1", done: 1 } });
    expect(outcome.calls[0].result).toMatchObject({ title: "Step 1", metadata: { done: 2 } });
  });
  it("the program's logs are events too", async () => {
    const { events, onEvent } = recorder();
    await runtimeOf([a]).execute("console.log('x')", { onEvent });
    expect(events).toMatchObject([{ type: "log", entry: { text: "x" } }]);
  });
});

describe("input", () => {
  const typed = tool("svc.typed", undefined, {
    inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"], additionalProperties: false },
  });
  it("a wrong input calls nothing and tells what is wrong and how it should be", async () => {
    const { events, onEvent } = recorder();
    const outcome = await runtimeOf([typed]).execute("return await tools.svc.typed({ m: 1 })", { onEvent });
    expect(outcome).toMatchObject({ status: "failed", error: { kind: "invalid-input", hints: [expect.stringContaining("Signature: ")] } });
    expect(outcome).toMatchObject({
      error: { message: expect.stringMatching(/^tools\.svc\.typed was not called, its input is wrong: /) as string },
    });
    expect(events.map((event) => event.type)).toEqual(["call.settled"]);
  });
  it("a tool may explain it itself", async () => {
    const explaining = tool("svc.typed", undefined, {
      inputSchema: typed.inputSchema,
      explainInvalid: (errors) => `${errors.length} faults`,
    });
    expect((await runtimeOf([explaining]).call("svc.typed", {})).error?.message).toContain("1 faults");
  });
});

describe("the snapshot", () => {
  it("a tool that is gone or was replaced since is stale, and nothing is called", async () => {
    let current: Catalog = catalogOf(a);
    const runtime = runtimeOf(() => current);
    runtime.instructions();
    current = catalogOf(tool("svc.b"));
    expect(await runtime.execute("return await tools.svc.a({})")).toMatchObject({
      status: "failed",
      error: { kind: "stale-tool", message: "tools.svc.a is no longer there since its signature was shown. Nothing was called." },
    });
    current = catalogOf(tool("svc.a"));
    expect(await runtime.execute("return await tools.svc.a({})")).toMatchObject({
      error: { kind: "stale-tool", message: expect.stringContaining("was replaced by another version") as string },
    });
    runtime.instructions();
    expect(await runtime.execute("return await tools.svc.a({})")).toMatchObject({ status: "completed" });
  });
  it("an unchanged tool in a newer catalog is not stale", async () => {
    let current = catalogOf(a);
    const runtime = runtimeOf(() => current);
    runtime.instructions();
    current = catalogOf(a, tool("svc.b"));
    expect(await runtime.execute("return await tools.svc.a({})")).toMatchObject({ status: "completed" });
  });
  it("execute's own catalog comes first", async () => {
    const other = catalogOf(tool("other.x"));
    const runtime = runtimeOf(catalogOf(a));
    expect(await runtime.execute("return Object.keys(tools)", { catalog: other })).toMatchObject({ value: ["other"] });
  });
});

describe("one direct call", () => {
  it("goes the same way, and never throws", async () => {
    const runtime = runtimeOf([a, tool("svc.fails", () => Promise.reject(new Error("no"))), tool("svc.never", never)], {
      limits: { toolMs: 50 },
    });
    expect(await runtime.call("tools.svc.a", { n: 1 })).toMatchObject({ state: "completed", result: { value: { n: 1 } } });
    expect(await runtime.call("svc.fails", {})).toMatchObject({ state: "error", error: { kind: "tool-failed", message: "no" } });
    expect(await runtime.call("svc.never", {})).toMatchObject({ state: "interrupted", error: { kind: "limit", limit: "toolMs" } });
    expect(await runtime.call("svc.aa", {})).toMatchObject({
      state: "error",
      server: "svc",
      name: "aa",
      error: { kind: "unknown-tool", hints: ["Did you mean tools.svc.a?"] },
    });
  });
  it("progress restarts its time", async () => {
    const slow = tool("svc.slow", async (_, call) => {
      for (let i = 0; i < 6; i++) {
        await sleep(40);
        call.metadata({ i });
      }
      return "done";
    });
    expect((await runtimeOf([slow], { limits: { toolMs: 150 } }).call("svc.slow", {})).state).toBe("completed");
  });
  it("ends with its signal", async () => {
    const end = new AbortController();
    setTimeout(() => end.abort(), 20);
    expect(await runtimeOf([tool("svc.never", never)]).call("svc.never", {}, { signal: end.signal })).toMatchObject({
      state: "interrupted",
      error: { kind: "aborted" },
    });
  });
});

describe("the end of a run, for any reason", () => {
  const watched = (): { signal?: AbortSignal; settle?: (value: Json) => void; tool: ReturnType<typeof tool> } => {
    const state: ReturnType<typeof watched> = {
      tool: tool("svc.w", (_, call) => {
        state.signal = call.signal;
        return new Promise((resolve) => (state.settle = resolve));
      }),
    };
    return state;
  };
  it.each([
    ["aborted", "return await tools.svc.w({})", "aborted"],
    ["failed", "void tools.svc.w({}).catch(() => 0); await new Promise(r => setTimeout(r, 30)); throw new Error('x')", "uncaught"],
    ["completed", "void tools.svc.w({}).catch(() => 0); await new Promise(r => setTimeout(r, 30)); return 1", undefined],
  ])("%s: calls get their abort signal, their outcome is unknown, late results go nowhere", async (how, code, kind) => {
    const state = watched();
    const { events, onEvent } = recorder();
    const end = new AbortController();
    const done = runtimeOf([state.tool], { limits: { wallMs: 300 } }).execute(code, { signal: end.signal, onEvent });
    while (state.signal === undefined) await sleep(2);
    if (how === "aborted") end.abort();
    const outcome = await done;
    expect(outcome.status === "failed" ? outcome.error.kind : undefined).toBe(kind);
    expect(state.signal.aborted).toBe(true);
    expect(outcome.calls[0].state).toBe("interrupted");
    const before = JSON.stringify([outcome, events]);
    state.settle?.("late");
    await sleep(10);
    expect(JSON.stringify([outcome, events])).toBe(before);
  });
  it("a tool that asks for its signal later, or has taken its context apart, is told all the same", async () => {
    const contexts: CallContext[] = [];
    const late = tool("svc.late", (_, call) => (contexts.push(call), never()));
    const apart = tool("svc.apart", (_, call) => (contexts.push({ ...call }), never()));
    const end = new AbortController();
    setTimeout(() => end.abort(new Error("enough")), 20);
    await runtimeOf([late, apart]).execute("await Promise.all([tools.svc.late({}), tools.svc.apart({})])", { signal: end.signal });
    expect(contexts.map(({ signal }) => [signal.aborted, (signal.reason as Error).message])).toEqual([
      [true, "tools.svc.late was stopped: the run ended first."],
      [true, "tools.svc.apart was stopped: the run ended first."],
    ]);
  });
  it("nothing starts any more", async () => {
    let ran = 0;
    const slowToPermit = tool("svc.s", () => Promise.resolve(++ran), { permissions: async () => (await sleep(40), []) });
    const end = new AbortController();
    setTimeout(() => end.abort(), 10);
    const outcome = await runtimeOf([slowToPermit]).execute("return await tools.svc.s({})", { signal: end.signal });
    await sleep(60);
    expect([outcome.calls[0].state, ran]).toEqual(["error", 0]);
  });
  it("an aborted signal starts nothing; a closed runtime neither", async () => {
    const runtime = runtimeOf([a]);
    expect(await runtime.execute("return 1", { signal: AbortSignal.abort() })).toMatchObject({
      status: "failed",
      error: { kind: "aborted" },
    });
    await runtime.close();
    expect(await runtime.execute("return 1")).toMatchObject({
      status: "failed",
      error: { kind: "aborted", message: "The run was aborted: the runtime was closed." },
    });
  });
  it("a timeout of one call is the program's to catch, and its outcome is unknown", async () => {
    const outcome = await runtimeOf([tool("svc.never", never)], { limits: { toolMs: 30 } }).execute(
      "try { await tools.svc.never({}) } catch (e) { return 'caught' }",
    );
    expect(outcome).toMatchObject({
      status: "completed",
      value: "caught",
      calls: [{ state: "interrupted", error: { kind: "limit", limit: "toolMs" } }],
    });
  });
  it("a fault of the interpreter is data, not a thrown error", async () => {
    const { createRuntime } = await import("../dist/src/index.js");
    const runtime = createRuntime({ catalog: catalogOf(a), permission: {} }, { run: () => Promise.reject(new Error("fault")) });
    expect(await runtime.execute("return 1")).toMatchObject({
      status: "failed",
      error: { kind: "internal", message: "The run failed inside of the runtime: fault" },
    });
  });
});

describe("many runs at once", () => {
  it("share nothing", async () => {
    const echo = tool("svc.echo", async (input) => (await sleep(Math.random() * 10), input));
    const runtime = runtimeOf([echo]);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, n) => runtime.execute("return await tools.svc.echo({ n: input.n })", { input: { n } })),
    );
    outcomes.forEach((outcome, n) => expect(outcome).toMatchObject({ status: "completed", value: { n }, calls: [{ input: { n } }] }));
    expect(new Set(outcomes.map((one) => one.id)).size).toBe(30);
  });
});

describe("spans", () => {
  it("one tool.execute per call, with names and ids and no contents", async () => {
    const spans = spansOf();
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    let active: unknown;
    const spied = tool("svc.spied", () => {
      active = trace.getActiveSpan();
      return Promise.resolve("secret");
    });
    const runtime = runtimeOf([spied, tool("svc.fails", () => Promise.reject(new Error("secret")))]);
    const record = await runtime.call("svc.spied", { password: "secret" }, { sessionId: "s1", messageId: "m1" });
    await runtime.call("svc.fails", {});
    expect(spans).toMatchObject([
      {
        name: "tool.execute",
        attributes: { "tool.name": "svc.spied", "tool.call_id": record.id, "session.id": "s1", "message.id": "m1" },
        ended: true,
      },
      { name: "tool.execute", status: { code: 2 }, ended: true },
    ]);
    expect(active).toBe(spans[0]);
    expect(JSON.stringify(spans)).not.toContain("secret");
  });
});
