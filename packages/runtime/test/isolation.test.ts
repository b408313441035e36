// A run in a worker or a process: the same outcomes, and what happens when the worker is stuck, out of memory or broken.
import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { type Json, ToolError } from "@airlock/interpreter";
import { createRuntime, type Answer, type Runtime, type RuntimeOptions } from "../dist/src/index.js";
import { catalogOf, never, person, recorder, sleep, tool } from "./support/kit.js";

const faulty = new URL("support/faulty.mjs", import.meta.url).href;
const open: Runtime[] = [];
const isolated = (
  isolation: "worker" | "process",
  tools: Parameters<typeof catalogOf>,
  more: Partial<RuntimeOptions> = {},
  module?: string,
): Runtime => {
  const runtime = createRuntime({ catalog: catalogOf(...tools), permission: { "*": "allow" }, isolation, ...more }, { module });
  open.push(runtime);
  return runtime;
};
const slowly = async (): Promise<Answer> => (await sleep(300), { reply: "once" });
afterAll(() => Promise.all(open.map((runtime) => runtime.close())));

describe.each(["worker", "process"] as const)("isolation: %s", (isolation) => {
  it("runs a program with calls by message", async () => {
    const { types, onEvent } = recorder();
    const add = tool("math.add", (input) => Promise.resolve((input as { a: number; b: number }).a + (input as { a: number; b: number }).b));
    const outcome = await isolated(isolation, [add]).execute(
      "console.log('x'); return [await tools.math.add({ a: 1, b: 2 }), input, await Promise.all([1, 2].map((b) => tools.math.add({ a: b, b })))]",
      { input: { n: 1 }, onEvent },
    );
    expect(outcome).toMatchObject({ status: "completed", value: [3, { n: 1 }, [2, 4]], logs: [{ text: "x" }] });
    expect(outcome.calls).toHaveLength(3);
    expect(types()[0]).toBe("log");
  });
  it("values that are more than JSON cross as they are", async () => {
    const odd = tool("a.odd", () => Promise.resolve({ date: new Date(0), big: 10n, nan: Number.NaN } as never));
    expect(
      await isolated(isolation, [odd]).execute(
        "const v = await tools.a.odd({}); return [v.date instanceof Date, typeof v.big, v.nan !== v.nan]",
      ),
    ).toMatchObject({ value: [true, "bigint", true] });
  });
  it("awkward keys and names cross as any other", async () => {
    const keys = JSON.parse('{"__proto__":{"x":1},"constructor":2}') as Json;
    const odd = { ...tool("a.b"), server: "__proto__", name: "__proto__", execute: (input: Json) => Promise.resolve([input, keys]) };
    const outcome = await isolated(isolation, [odd]).execute(
      "return JSON.stringify(await tools['__proto__']['__proto__'](JSON.parse('{\"__proto__\":1}')))",
    );
    expect(outcome).toMatchObject({ status: "completed", value: '[{"__proto__":1},{"__proto__":{"x":1},"constructor":2}]' });
  });
  it("input that cannot cross ends its own run, and nothing else", async () => {
    const runtime = isolated(isolation, [tool("a.echo")]);
    for (const input of [{ f() {} }, Symbol("s"), new Proxy({}, {})]) {
      const outcome = await runtime.execute("return input", { input: input as never });
      expect(outcome).toMatchObject({ status: "failed", error: { kind: "invalid-input" } });
    }
    expect(await runtime.execute("return tools.a.echo({ n: 1 })")).toMatchObject({ value: { n: 1 } });
  });
  it("data of a failure that cannot cross are left out, and calls beside it go on", async () => {
    const odd = tool("a.odd", () => Promise.reject(new ToolError("no", { data: { f() {} } as never })));
    const outcome = await isolated(isolation, [odd, tool("a.echo")]).execute(
      "return (await Promise.allSettled([tools.a.echo({ n: 1 }), tools.a.odd({}), tools.a.echo({ n: 2 })])).map((r) => r.value?.n ?? r.reason.message)",
    );
    expect(outcome).toMatchObject({ status: "completed", value: [1, "no", 2] });
  });
  it("failures of calls cross with kind, name and data, and the program can catch them", async () => {
    const fails = tool("a.fails", () =>
      Promise.resolve({ content: [{ type: "text", text: "no" }], structuredContent: { code: 7 }, isError: true } as never),
    );
    const runtime = isolated(isolation, [fails]);
    expect(await runtime.execute("try { await tools.a.fails({}) } catch (e) { return [e.message, e.data, e.name] }")).toMatchObject({
      value: ["no", { code: 7 }, "ToolError"],
    });
    expect(await runtime.execute("return await tools.a.fails({})")).toMatchObject({
      status: "failed",
      error: { kind: "tool-failed", message: "no" },
    });
  });
  it("a plain reject ends the run", async () => {
    const { ask } = person({ reply: "reject" });
    expect(
      await isolated(isolation, [tool("a.b")], { permission: {}, ask }).execute("try { await tools.a.b({}) } catch {} return 1"),
    ).toMatchObject({ status: "failed", error: { kind: "rejected" } });
  });
  it("waiting for a person and progress reach the worker's clocks", async () => {
    expect(
      await isolated(isolation, [tool("a.b")], { permission: {}, ask: slowly, limits: { toolMs: 120 } }).execute(
        "return await tools.a.b({})",
      ),
    ).toMatchObject({ status: "completed" });
    const slow = tool("a.slow", async (_, call) => {
      for (let i = 0; i < 5; i++) {
        await sleep(60);
        call.metadata({ i });
      }
      return 1;
    });
    expect(await isolated(isolation, [slow], { limits: { toolMs: 200 } }).execute("return await tools.a.slow({})")).toMatchObject({
      status: "completed",
    });
  });
  it("many calls at once start in order, and each gets its own answer or failure", async () => {
    const started: number[] = [];
    const echo = tool("a.echo", async (input) => {
      const { n } = input as { n: number };
      started.push(n);
      if (n % 3 === 0) await sleep(n % 5);
      if (n % 10 === 9) throw new Error(`no ${n}`);
      return n;
    });
    const outcome = await isolated(isolation, [echo]).execute(
      "return (await Promise.allSettled(Array.from({ length: 300 }, (_, n) => tools.a.echo({ n })))).map((one) => one.value ?? one.reason.message)",
    );
    expect(outcome).toMatchObject({
      status: "completed",
      value: Array.from({ length: 300 }, (_, n) => (n % 10 === 9 ? `no ${n}` : n)),
    });
    expect(started).toEqual(Array.from({ length: 300 }, (_, n) => n));
  });
  it("a call that the program waits for later is on its way while it computes", async () => {
    let startedAt = Infinity;
    const f = tool("a.f", async () => ((startedAt = performance.now()), 1));
    await isolated(isolation, [f]).execute(
      "const p = tools.a.f({}); const end = Date.now() + 400; while (Date.now() < end) {} return await p",
    );
    expect(performance.now() - startedAt).toBeGreaterThan(200);
  });
  it("a call's timeout reaches the tool", async () => {
    let signal: AbortSignal | undefined;
    const hangs = tool("a.hangs", (_, call) => ((signal = call.signal), never()));
    const outcome = await isolated(isolation, [hangs], { limits: { toolMs: 400 } }).execute(
      "try { await tools.a.hangs({}) } catch (e) { return e.message }",
    );
    expect(outcome).toMatchObject({ status: "completed", calls: [{ state: "interrupted", error: { kind: "limit", limit: "toolMs" } }] });
    expect(signal?.aborted).toBe(true);
  });

  it.each([
    ["stuck", "STUCK", { kind: "limit", limit: "computeMs" }],
    ["out of memory", "MEMORY", { kind: "limit", limit: "memoryBytes" }],
    ["gone", "EXIT", { kind: "internal" }],
    ["broken", "CRASH", { kind: "internal" }],
    ["at fault", "REJECT", { kind: "internal" }],
  ])(
    "a worker that is %s is replaced, its run ends with a clear diagnostic, host and other runs go on",
    async (_, word, error) => {
      const runtime = isolated(
        isolation,
        [tool("a.wait", async () => (await sleep(400), 1))],
        { limits: { computeMs: word === "STUCK" ? 200 : 20_000, memoryBytes: 16_777_216 } },
        faulty,
      );
      const other = runtime.execute("return await tools.a.wait({})");
      const outcome = await runtime.execute(`"${word}"; return 0`);
      expect(outcome).toMatchObject({ status: "failed", error });
      expect(outcome.status === "failed" && outcome.error.message).toMatch(/\w+/);
      expect(await other).toMatchObject({ status: "completed", value: 1 });
      expect(await runtime.execute("return 2")).toMatchObject({ status: "completed", value: 2 });
    },
    60_000,
  );

  it("an abort ends even a stuck run soon, and its calls", async () => {
    const end = new AbortController();
    const runtime = isolated(isolation, [], {}, faulty);
    await runtime.execute("return 1");
    setTimeout(() => end.abort(), 50);
    const started = Date.now();
    expect(await runtime.execute("STUCK", { signal: end.signal })).toMatchObject({ status: "failed", error: { kind: "aborted" } });
    expect(Date.now() - started).toBeLessThan(3_000);
  });
  it("close ends what is going on and what waits as aborted", async () => {
    const runtime = isolated(isolation, [tool("a.never", never)], { workers: 1 });
    const runs = [runtime.execute("return await tools.a.never({})"), runtime.execute("return 1")];
    await sleep(200);
    await runtime.close();
    for (const run of runs) expect(await run).toMatchObject({ status: "failed", error: { kind: "aborted" } });
  });
});

describe("a host that is killed", () => {
  it.skipIf(process.platform !== "linux")("leaves no process behind, not even one that is stuck", async () => {
    const script = `
      import { createRuntime } from ${JSON.stringify(new URL("../dist/src/index.js", import.meta.url).href)};
      import { createCatalog } from "@airlock/catalog";
      import { readdirSync, readFileSync } from "node:fs";
      const runtime = createRuntime({ catalog: createCatalog([]), permission: {}, isolation: "process", workers: 1 }, { module: ${JSON.stringify(faulty)} });
      await runtime.execute("return 1");
      void runtime.execute("'STUCK'; return 1");
      const children = readdirSync("/proc").filter((pid) => /^[0-9]+$/.test(pid) && parentOf(pid) === process.pid);
      function parentOf(pid) { try { return Number(/\\) . ([0-9]+)/.exec(readFileSync("/proc/" + pid + "/stat", "utf8"))[1]); } catch { return 0; } }
      setTimeout(() => console.log(JSON.stringify(children)), 300);`;
    const host = spawn(process.execPath, ["--input-type=module", "-e", script], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said = await new Promise<string>((resolve) => host.stdout.once("data", (data: Buffer) => resolve(data.toString())));
    const children = JSON.parse(said) as string[];
    expect(children.length).toBeGreaterThan(0);
    host.kill("SIGKILL");
    const alive = (): string[] => children.filter((pid) => existsSync(`/proc/${pid}/exe`));
    for (let i = 0; i < 50 && alive().length > 0; i++) await sleep(100);
    expect(alive()).toEqual([]);
  });
});

describe("the pool", () => {
  it("is bounded: more runs wait in order, which counts in no limit", async () => {
    let at = 0;
    let most = 0;
    const started: number[] = [];
    const slow = tool("a.slow", async (input) => {
      const { n } = input as { n: number };
      started.push(n);
      most = Math.max(most, ++at);
      // The first one is shorter, so that places become free one at a time: two workers at once tell no order.
      await sleep(n === 0 ? 200 : 400);
      return at--;
    });
    // The last one waits for 800 ms, more than its own limit.
    const runtime = isolated("worker", [slow], { workers: 2, limits: { wallMs: 780, toolMs: 700 } });
    const outcomes = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (n) => (await runtime.execute("return await tools.a.slow(input)", { input: { n } })).status),
    );
    expect(outcomes).toEqual(Array.from({ length: 6 }, () => "completed"));
    expect(most).toBe(2);
    expect(started.filter((n) => n > 1)).toEqual([2, 3, 4, 5]);
  });
  it("an abort takes a waiting run out of the line", async () => {
    const runtime = isolated("worker", [tool("a.slow", async () => (await sleep(200), 1))], { workers: 1 });
    const first = runtime.execute("return await tools.a.slow({})");
    expect(await runtime.execute("return 1", { signal: AbortSignal.timeout(30) })).toMatchObject({ error: { kind: "aborted" } });
    expect((await first).status).toBe("completed");
    expect((await runtime.execute("return 3")).status).toBe("completed");
  });
  it("a run started by a tool does not wait for the run that called it", async () => {
    const outer: { runtime?: Runtime } = {};
    const nested = tool("a.nested", async () => (await outer.runtime?.execute("return 7"))?.status ?? "none");
    outer.runtime = isolated("worker", [nested], { workers: 1 });
    expect(await outer.runtime.execute("return await tools.a.nested({})")).toMatchObject({ value: "completed" });
  });
  it("starts warm", async () => {
    const runtime = isolated("worker", []);
    for (let i = 0; i < 5; i++) await runtime.execute("return 1");
    const times: number[] = [];
    for (let i = 0; i < 20; i++) {
      const started = performance.now();
      await runtime.execute("return 1");
      times.push(performance.now() - started);
    }
    // Under 5 ms on a quiet machine; the fastest of many runs is what a busy one still shows.
    expect(Math.min(...times)).toBeLessThan(5);
  });
  it("does not keep a process alive that is done", () => {
    const script = `
      import { createRuntime } from ${JSON.stringify(new URL("../dist/src/index.js", import.meta.url).href)};
      import { createCatalog } from "@airlock/catalog";
      for (const isolation of ["worker", "process"]) {
        const runtime = createRuntime({ catalog: createCatalog([]), permission: {}, isolation });
        console.log((await runtime.execute("return 1")).status);
      }`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      encoding: "utf8",
      timeout: 20_000,
    });
    expect(said).toBe("completed\ncompleted\n");
  });
});
