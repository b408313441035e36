// Section 5 of the architecture, sentence by sentence.
import { describe, expect, it } from "vitest";
import type { Tool } from "@airlock/catalog";
import { createRuntime, type Answer, type Rule } from "../dist/src/index.js";
import { catalogOf, never, person, recorder, runtimeOf, sleep, tool } from "./support/kit.js";

const a = tool("svc.a");
const b = tool("svc.b");
const edit = tool("fs.edit", undefined, {
  permissions: (input) => [
    { permission: "edit", patterns: [String((input as { path: string }).path)], always: ["*"], metadata: { diff: "+1" } },
  ],
});
const stateOfEdit = async (permission: Record<string, "allow" | "deny" | "ask">): Promise<string> =>
  (await runtimeOf([edit], { permission }).call("fs.edit", { path: "x" })).state;
const shown = (
  permission: Record<string, "allow" | "deny" | Record<string, "allow" | "deny">>,
  ...tools: Parameters<typeof runtimeOf>[0] & unknown[]
): string[] =>
  runtimeOf(tools as never, { permission })
    .instructions()
    .snapshot.registrations.map((one) => one.path);
const slow = (ms: number): Tool =>
  tool(`svc.slow${ms}`, undefined, {
    permissions: async () => (await sleep(ms), [{ permission: "edit", patterns: ["x"], always: [], metadata: {} }]),
  });
const slowly = async (): Promise<Answer> => (await sleep(250), { reply: "once" });

describe("without anybody to ask", () => {
  it("an ask is a clear denial, not a hang and not silent", async () => {
    const { events, onEvent } = recorder();
    const outcome = await runtimeOf([a], { permission: {} }).execute("return await tools.svc.a({})", { onEvent });
    expect(outcome).toMatchObject({
      status: "failed",
      error: { kind: "denied", message: 'tools.svc.a was denied: it needs permission for "svc.a", and there is nobody to ask.' },
    });
    expect(outcome.calls[0]).toMatchObject({ state: "error", decision: { action: "deny", by: "default" } });
    expect(events.map((event) => event.type)).toEqual(["call.settled"]);
  });
  it("the program can catch it", async () => {
    const outcome = await runtimeOf([a], { permission: {} }).execute("try { await tools.svc.a({}) } catch (e) { return e.name }");
    expect(outcome).toMatchObject({ status: "completed", value: "DeniedError" });
  });
  it("names the rule that asked", async () => {
    const record = await runtimeOf([a], { permission: { "svc.*": "ask" } }).call("svc.a", {});
    expect(record.decision).toMatchObject({ action: "deny", by: "rule", rule: { permission: "svc.*" } });
  });
});

describe("what is asked", () => {
  it("permission server.name over the canonical JSON of the input, by default", async () => {
    const { ask, questions } = person({ reply: "once" });
    await runtimeOf([a], { permission: {}, ask }).call("svc.a", { z: 1, a: { y: [true, null], b: "x" } });
    expect(questions[0].requests).toEqual([
      { permission: "svc.a", patterns: ['{"a":{"b":"x","y":[true,null]},"z":1}'], always: ["*"], metadata: {} },
    ]);
  });
  it("shows the tool, the arguments, the diff, the program line, and what always would save", async () => {
    const { ask, questions } = person({ reply: "once" });
    await runtimeOf([edit], { permission: {}, ask }).execute("return await tools.fs.edit({ path: 'x' }) // the line");
    expect(questions[0]).toMatchObject({
      path: "tools.fs.edit",
      input: { path: "x" },
      location: { line: 1 },
      line: "return await tools.fs.edit({ path: 'x' }) // the line",
    });
    expect(questions[0].requests[0]).toMatchObject({ metadata: { diff: "+1" }, always: ["*"] });
  });
  it("only the parts that need an answer, in one question; each can be answered apart", async () => {
    const two = tool("svc.two", undefined, {
      permissions: () => [
        { permission: "edit", patterns: ["x"], always: ["x"], metadata: {} },
        { permission: "shell", patterns: ["ls"], always: ["ls *"], metadata: {} },
        { permission: "fetch", patterns: ["u"], always: [], metadata: {} },
      ],
    });
    const saved: Rule[] = [];
    const { ask, questions } = person({ replies: [{ reply: "once" }, { reply: "always" }] });
    const record = await runtimeOf([two], { permission: { fetch: "allow" }, ask, onSaved: (rule) => saved.push(rule) }).call("svc.two", {});
    expect(record).toMatchObject({ state: "completed", decision: { action: "allow", by: "person" } });
    expect(questions).toHaveLength(1);
    expect(questions[0].requests.map((one) => one.permission)).toEqual(["edit", "shell"]);
    expect(saved).toEqual([{ permission: "shell", pattern: "ls *", action: "allow", source: "saved" }]);
  });
  it("all requests must pass: one denied fails the call without a question", async () => {
    const two = tool("svc.two", undefined, {
      permissions: () => [
        { permission: "edit", patterns: ["x"], always: [], metadata: {} },
        { permission: "shell", patterns: ["ls", "rm x"], always: [], metadata: {} },
      ],
    });
    const { ask, questions } = person({ reply: "once" });
    const record = await runtimeOf([two], { permission: { edit: "ask", shell: { "*": "allow", "rm *": "deny" } }, ask }).call(
      "svc.two",
      {},
    );
    expect(record).toMatchObject({
      state: "error",
      error: { kind: "denied" },
      decision: { action: "deny", by: "rule", rule: { pattern: "rm *" } },
    });
    expect(record.error?.message).toBe('tools.svc.two was denied: the rule "shell": { "rm *": "deny" } (user) forbids it.');
    expect(questions).toEqual([]);
  });
  it("a call that needs nothing passes", async () => {
    const free = tool("svc.free", undefined, { permissions: () => [] });
    expect(await runtimeOf([free], { permission: {} }).call("svc.free", {})).toMatchObject({
      state: "completed",
      decision: { action: "allow", by: "default" },
    });
  });
  it("a request without patterns is judged as one about everything", async () => {
    const wide = tool("svc.wide", undefined, { permissions: () => [{ permission: "edit", patterns: [], always: [], metadata: {} }] });
    expect(await runtimeOf([wide], { permission: { edit: { "src/*": "allow" } } }).call("svc.wide", {})).toMatchObject({ state: "error" });
    expect(await runtimeOf([wide], { permission: { edit: "allow" } }).call("svc.wide", {})).toMatchObject({ state: "completed" });
  });
  it("permissions() that fails lets nothing run", async () => {
    let ran = false;
    const broken = tool("svc.x", () => Promise.resolve((ran = true)), { permissions: () => Promise.reject(new Error("no diff")) });
    const record = await runtimeOf([broken]).call("svc.x", {});
    expect([record.state, record.error?.message, ran]).toEqual([
      "error",
      "tools.svc.x was not called, it could not say which permission it needs: no diff",
      false,
    ]);
  });
});

describe("groups and named rules", () => {
  it("a rule that names server.name applies as well; the stricter answer wins", async () => {
    expect(await stateOfEdit({ edit: "allow", "fs.edit": "deny" })).toBe("error");
    expect(await stateOfEdit({ edit: "deny", "fs.edit": "allow" })).toBe("error");
    expect(await stateOfEdit({ edit: "allow", "fs.edit": "allow" })).toBe("completed");
    expect(await stateOfEdit({ edit: "allow", "fs.edit": "ask" })).toBe("error");
  });
  it("a bare * names nothing: the group's answer alone counts", async () => {
    expect((await runtimeOf([edit], { permission: { edit: "allow", "*": "deny" } }).call("fs.edit", { path: "x" })).state).toBe("error");
    expect((await runtimeOf([edit], { permission: { "*": "deny", edit: "allow" } }).call("fs.edit", { path: "x" })).state).toBe(
      "completed",
    );
  });
});

describe("answers", () => {
  it("once allows this call only", async () => {
    const { ask, questions } = person({ reply: "once" });
    const runtime = runtimeOf([a], { permission: {}, ask });
    await runtime.call("svc.a", {});
    await runtime.call("svc.a", {});
    expect(questions).toHaveLength(2);
  });
  it("always saves, and the next call is not asked", async () => {
    const saved: Rule[] = [];
    const { ask, questions } = person({ reply: "always" });
    const runtime = runtimeOf([a], { permission: { "svc.a": "ask" }, ask, onSaved: (rule) => saved.push(rule) });
    await runtime.call("svc.a", { n: 1 });
    expect(await runtime.call("svc.a", { n: 2 })).toMatchObject({
      state: "completed",
      decision: { action: "allow", by: "saved", rule: { permission: "svc.a", pattern: "*", source: "saved" } },
    });
    expect([questions.length, saved.length]).toEqual([1, 1]);
  });
  it("always settles every waiting question that it now allows, and no other", async () => {
    const answers = new Map<string, (answer: Answer) => void>();
    const asked = recorder();
    const runtime = createRuntime({
      catalog: catalogOf(a, b),
      permission: {},
      ask: (question, signal) =>
        new Promise((resolve, reject) => {
          answers.set(JSON.stringify([question.path, question.input]), resolve);
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    });
    const done = runtime.execute("return await Promise.all([tools.svc.a({ n: 1 }), tools.svc.a({ n: 2 }), tools.svc.b({})])", {
      onEvent: asked.onEvent,
    });
    while (answers.size < 3) await sleep(5);
    answers.get('["tools.svc.a",{"n":1}]')?.({ reply: "always" });
    await sleep(20);
    expect(asked.events.flatMap((event) => (event.type === "replied" ? [event.by] : []))).toEqual(["person", "saved"]);
    answers.get('["tools.svc.b",{}]')?.({ reply: "once" });
    expect(await done).toMatchObject({
      status: "completed",
      calls: [{ decision: { by: "person" } }, { decision: { by: "saved" } }, { decision: { by: "person" } }],
    });
  });
  it("a plain reject fails all waiting questions and ends the run; no catch sees it", async () => {
    const { ask, signals } = person({ reply: "reject" }, new Promise<Answer>(() => {}));
    const outcome = await runtimeOf([a, b], { permission: {}, ask }).execute(
      "const r = await Promise.allSettled([tools.svc.a({}), tools.svc.b({})]); return r.length",
    );
    expect(outcome).toMatchObject({
      status: "failed",
      error: { kind: "rejected", message: "The user rejected tools.svc.a. The run has ended." },
    });
    expect(outcome.calls.map((call) => [call.state, call.error?.kind, call.decision.action, call.decision.by])).toEqual([
      ["error", "rejected", "reject", "person"],
      ["error", "rejected", "reject", "person"],
    ]);
    expect(signals[1].aborted).toBe(true);
  });
  it("a plain reject leaves other runs alone", async () => {
    const answers: ((answer: Answer) => void)[] = [];
    const runtime = runtimeOf([a], { permission: {}, ask: () => new Promise<Answer>((resolve) => answers.push(resolve)) });
    const runs = [runtime.execute("return await tools.svc.a({})"), runtime.execute("return await tools.svc.a({})")];
    while (answers.length < 2) await sleep(5);
    answers[0]({ reply: "reject" });
    expect(await runs[0]).toMatchObject({ error: { kind: "rejected" } });
    answers[1]({ reply: "once" });
    expect(await runs[1]).toMatchObject({ status: "completed" });
  });
  it("a reject with a message fails that call alone, and the program reads it", async () => {
    const { ask } = person({ reply: "reject", message: "use the staging repository" }, { reply: "once" });
    const outcome = await runtimeOf([a, b], { permission: {}, ask }).execute(
      "const [x, y] = await Promise.allSettled([tools.svc.a({}), tools.svc.b({})]); return [x.reason.name, x.reason.message, y.status]",
    );
    expect(outcome).toMatchObject({
      status: "completed",
      value: ["DeniedError", "tools.svc.a was rejected by the user: use the staging repository", "fulfilled"],
    });
    expect(outcome.calls[0]).toMatchObject({ decision: { action: "reject", by: "person" }, error: { kind: "denied" } });
  });
  it("an uncaught denial ends the run as denied", async () => {
    expect(
      await runtimeOf([a], { permission: { "svc.a": { "*1*": "deny" } } }).execute("return await tools.svc.a({ n: 1 })"),
    ).toMatchObject({ status: "failed", error: { kind: "denied" } });
  });
  it.each<[string, () => Promise<unknown>]>([
    ["a rejection", () => Promise.reject(new Error("terminal gone"))],
    [
      "a thrown error",
      () => {
        throw new Error("no terminal");
      },
    ],
    ["nothing", () => Promise.resolve(undefined)],
    ["too few replies", () => Promise.resolve({ replies: [] })],
    ["an unknown reply", () => Promise.resolve({ reply: "yes" })],
  ])("an answer that can't be used (%s) is a clear denial", async (_, answer) => {
    const record = await runtimeOf([a], { permission: {}, ask: answer as () => Promise<Answer> }).call("svc.a", {});
    expect(record).toMatchObject({ state: "error", error: { kind: "denied" }, decision: { action: "deny" } });
    expect(record.error?.message).toMatch(/could not be answered \(.+\)\.$/);
  });
  it("a host that can't keep an approval does not stop the run", async () => {
    const warned = new Promise((resolve) => process.once("warning", resolve));
    const { ask } = person({ reply: "always" });
    const record = await runtimeOf([a], {
      permission: {},
      ask,
      onSaved: () => {
        throw new Error("disk full");
      },
    }).call("svc.a", {});
    expect(record.state).toBe("completed");
    expect(String(await warned)).toContain("disk full");
  });
});

describe("together", () => {
  it("questions of the same moment share a batch; later ones do not", async () => {
    const { ask, questions } = person({ reply: "once" });
    await runtimeOf([a, b], { permission: {}, ask }).execute(
      "await Promise.all([tools.svc.a({}), tools.svc.b({}), tools.svc.a({ n: 1 })]); return await tools.svc.a({ n: 2 })",
    );
    expect(questions.map((one) => one.batchSize)).toEqual([3, 3, 3, 1]);
    expect(new Set(questions.map((one) => one.batch)).size).toBe(2);
  });
  it("waits a moment for slow permissions of the same step, and no longer", async () => {
    const { ask, questions } = person({ reply: "once" });
    await runtimeOf([a, slow(15), slow(300)], { permission: {}, ask }).execute(
      "return await Promise.all([tools.svc.a({}), tools.svc.slow15({}), tools.svc.slow300({})])",
    );
    expect(questions.map((one) => one.batchSize)).toEqual([2, 2, 1]);
  });
  it("asked and replied carry ids, and every question has its reply", async () => {
    const { events, onEvent } = recorder();
    const { ask, questions } = person({ reply: "once" });
    const outcome = await runtimeOf([a], { permission: {}, ask }).execute("return await tools.svc.a({})", { onEvent });
    expect(events).toMatchObject([
      { type: "asked", executionId: outcome.id, question: { id: questions[0].id, callId: outcome.calls[0].id } },
      { type: "replied", questionId: questions[0].id, answer: { reply: "once" }, by: "person" },
      { type: "call.started" },
      { type: "call.settled" },
    ]);
  });
  it("waiting for a person counts in no limit", async () => {
    const runtime = runtimeOf([a], { permission: {}, ask: slowly, limits: { toolMs: 100 } });
    expect((await runtime.call("svc.a", {})).state).toBe("completed");
    expect((await runtime.execute("return await tools.svc.a({})")).status).toBe("completed");
  });
  it("the end of the run takes its questions back", async () => {
    const { events, onEvent } = recorder();
    const { ask, signals } = person();
    const end = new AbortController();
    const done = runtimeOf([a], { permission: {}, ask }).execute("return await tools.svc.a({})", { signal: end.signal, onEvent });
    while (signals.length === 0) await sleep(5);
    end.abort();
    expect(await done).toMatchObject({ status: "failed", error: { kind: "aborted" }, calls: [{ state: "error" }] });
    expect(signals[0].aborted).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: "call.settled" });
    expect(events.some((event) => event.type === "replied" && event.by === "end")).toBe(true);
  });
});

describe("a deny of the configuration", () => {
  it.each(["saved", "flag"] as const)("beats %s", async (source) => {
    const runtime = runtimeOf([a], {
      permission: [
        { permission: "svc.a", pattern: "*n*", action: "deny", source: "project" },
        { permission: "*", pattern: "*", action: "allow", source },
      ],
    });
    expect((await runtime.call("svc.a", { n: 1 })).state).toBe("error");
    expect((await runtime.call("svc.a", { m: 1 })).state).toBe("completed");
  });
});

describe("hidden tools", () => {
  it("only if the last rule for the permission has the pattern * and denies", () => {
    expect(shown({ "*": "allow", "svc.a": "deny" }, a, b)).toEqual(["tools.svc.b"]);
    expect(shown({ "svc.a": { "*": "deny", "*x*": "allow" } }, a)).toEqual(["tools.svc.a"]);
    expect(shown({ "svc.a": { "*x*": "deny" } }, a)).toEqual(["tools.svc.a"]);
    expect(shown({ "svc.a": "deny", "*": "allow" }, a)).toEqual(["tools.svc.a"]);
  });
  it("by the group, for tools of ours", () => {
    expect(shown({ "*": "deny", edit: "allow" }, edit)).toEqual(["tools.fs.edit"]);
    expect(shown({ "*": "allow", write: "deny" }, edit)).toEqual([]);
    expect(shown({ edit: "allow", "fs.edit": "deny" }, edit)).toEqual([]);
  });
  it("the gate checks all the same", async () => {
    const catalog = catalogOf(a);
    const runtime = runtimeOf(catalog, { permission: { "svc.a": "deny" } });
    expect(await runtime.call("svc.a", {}, { catalog })).toMatchObject({ state: "error", error: { kind: "denied" } });
    expect(await runtime.call("svc.a", {})).toMatchObject({
      state: "error",
      error: { kind: "denied", message: 'tools.svc.a was denied: the rule "svc.a": "deny" (user) forbids it.' },
    });
  });
});

describe("explain", () => {
  it("tells which rule decides, without and with an input", async () => {
    const runtime = runtimeOf([a, edit], {
      permission: { "*": "allow", "svc.a": { "*secret*": "deny" }, edit: { "src/*": "allow", "*.env": "ask" } },
    });
    expect(await runtime.explain("svc.a")).toMatchObject({
      action: "depends",
      parts: [{ rules: [{ pattern: "*secret*" }, { permission: "*" }] }],
    });
    const why = await runtime.explain("svc.a", { q: "secret" });
    expect(why).toMatchObject({
      action: "deny",
      parts: [{ permission: "svc.a", pattern: '{"q":"secret"}', rules: [{ pattern: "*secret*" }] }],
    });
    expect(why.text).toBe('tools.svc.a: denied\n  "svc.a" for {"q":"secret"}: deny by "svc.a": { "*secret*": "deny" } (user)');
    expect(await runtime.explain("fs.edit", { path: "x.env" })).toMatchObject({
      action: "ask",
      parts: [{ permission: "edit", pattern: "x.env" }],
    });
    await expect(runtime.explain("svc.nope")).rejects.toThrow(/There is no tool svc.nope/);
  });
  it("says that no rule matches, and what is hidden", async () => {
    expect((await runtimeOf([a], { permission: {} }).explain("svc.a")).text).toBe('tools.svc.a: asks\n  "svc.a": ask, no rule matches');
    expect(await runtimeOf([a], { permission: { "svc.*": "deny" } }).explain("svc.a")).toMatchObject({
      action: "deny",
      hidden: { permission: "svc.*" },
    });
  });
  it("runs nothing", async () => {
    await expect(runtimeOf([tool("svc.n", never)]).explain("svc.n", {})).resolves.toMatchObject({ action: "allow" });
  });
});
