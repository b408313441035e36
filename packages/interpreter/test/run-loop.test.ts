// The event loop: order of arrival, timers, ends, and many runs in one process.

import { describe, expect, test } from "vitest";
import { compile, run, type ToolCall, type ToolTree } from "@airlock/interpreter";
import { failure, value } from "./program.js";

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

describe("order", () => {
  test("calls are told in order of arrival, each before the next", async () => {
    const finish: ((v: number) => void)[] = [];
    const tools = { x: { f: () => new Promise((done) => finish.push(done)) } } as unknown as ToolTree;
    const outcome = run(
      "const log = []; const one = (n) => tools.x.f().then((v) => { log.push(n + ':' + v); return Promise.resolve() }).then(() => log.push(n + ' after')); await Promise.all([one('a'), one('b'), one('c')]); return log",
      { tools },
    );
    finish[2](1);
    finish[0](2);
    finish[1](3);
    expect(await outcome).toMatchObject({ value: ["c:1", "c after", "a:2", "a after", "b:3", "b after"] });
  });

  test("timers go by their delays", async () => {
    expect(
      await value(
        "const log = []; const at = (ms) => new Promise((r) => setTimeout(() => { log.push(ms); r() }, ms)); await Promise.all([at(15), at(5), at(0), at(10), at(5)]); return log",
      ),
    ).toEqual([0, 5, 5, 10, 15]);
  });

  test("arguments, intervals, clearing, also of what is due", async () => {
    expect(
      await value(
        "const log = []; const id = setInterval((a) => { log.push(a); if (log.length === 3) clearInterval(id) }, 1, 'tick'); const x = setTimeout(() => log.push('no'), 2); setTimeout(() => clearTimeout(x), 1); while (log.length < 3) await new Promise((r) => setTimeout(r, 5)); await new Promise((r) => setTimeout(r, 10)); return log",
      ),
    ).toEqual(["tick", "tick", "tick"]);
  });

  test("jobs come before timers", async () => {
    expect(
      await value(
        "const log = []; setTimeout(() => log.push('timer'), 0); queueMicrotask(() => log.push('job')); await null; log.push('main'); await new Promise((r) => setTimeout(r, 5)); return log",
      ),
    ).toEqual(["job", "main", "timer"]);
  });

  test("calls that answer at once come before timers, however late it is", async () => {
    const tools = { x: { f: async ({ n }: { n: number }) => n } } as unknown as ToolTree;
    expect(
      await value(
        "const log = []; setTimeout(() => log.push('timer'), 5); for (const n of [1, 2, 3]) tools.x.f({ n }).then((v) => log.push(v)); const end = Date.now() + 40; while (Date.now() < end); await new Promise((r) => setTimeout(r, 10)); return log",
        { tools },
      ),
    ).toEqual([1, 2, 3, "timer"]);
  });

  test("a long drain lets the host's loop run", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await value("for (let i = 0; i < 3e5; i++) await null; return 1");
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });

  test("so does a long series of calls that answer at once", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const tools = { x: { f: async () => 1 } };
    await value("for (let i = 0; i < 20000; i++) await tools.x.f(); return 1", { tools, limits: { toolCalls: Infinity } });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });
});

describe("stalled", () => {
  test("at once, with the place of the innermost await", async () => {
    const started = performance.now();
    expect(await failure("async function wait() {\n  await new Promise(() => {});\n}\nawait wait();")).toMatchObject({
      kind: "stalled",
      location: { line: 2, column: 3 },
    });
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test("not while a tool may still answer", async () => {
    const tools = { x: { f: () => sleep(30) } } as unknown as ToolTree;
    expect(await failure("tools.x.f(); await new Promise(() => {})", { tools })).toMatchObject({ kind: "stalled" });
  });
});

describe("the end", () => {
  test("drops jobs and timers: nothing runs, logs or calls afterwards", async () => {
    const seen: string[] = [];
    const tools = { x: { f: ({ n }: { n: string }) => void seen.push(n) } } as unknown as ToolTree;
    await run(
      "setTimeout(() => tools.x.f({ n: 'timer' }), 1); setInterval(() => console.log('tick'), 1); const again = () => Promise.resolve().then(() => { console.log('job'); again() }); again(); return 1",
      { tools, onLog: (entry) => seen.push(entry.text) },
    );
    const count = seen.length;
    expect(seen).not.toContain("timer");
    await sleep(40);
    expect(seen.length).toBe(count);
    expect(process.getActiveResourcesInfo().filter((kind) => kind === "Immediate")).toEqual([]);
  });

  test("fires the signals of open calls and ignores what they give", async () => {
    let call: ToolCall | undefined;
    let settle: (v: unknown) => void = () => {};
    const tools = {
      x: {
        f: (_: unknown, c: ToolCall) => {
          call = c;
          return new Promise((done) => (settle = done));
        },
      },
    } as unknown as ToolTree;
    expect(await failure("tools.x.f(); throw new Error('end')", { tools })).toMatchObject({ message: "end" });
    expect(call!.signal.aborted).toBe(true);
    settle(1);
    call!.progress();
    call!.pauseClocks()();
    await sleep(5);
  });

  test("an abort ends the run while it waits, computes in jobs, or before it starts", async () => {
    const tools = { x: { never: () => new Promise(() => {}) } } as unknown as ToolTree;
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 20);
    expect(await failure("await tools.x.never()", { tools, signal: controller.signal })).toMatchObject({
      kind: "aborted",
      message: "The run was aborted: enough",
    });
    const second = new AbortController();
    setTimeout(() => second.abort(), 20);
    expect(await failure("for (;;) await null", { signal: second.signal })).toMatchObject({
      kind: "aborted",
      message: "The run was aborted.",
    });
    expect(await failure("return 1", { signal: second.signal })).toMatchObject({ kind: "aborted" });
  });

  test("an abort by a tool in the middle of the program's work ends it at its next steps", async () => {
    const controller = new AbortController();
    const tools = { x: { stop: () => controller.abort() } } as unknown as ToolTree;
    expect(
      await failure("try { tools.x.stop(); for (;;) {} } finally { console.log('no') }", { tools, signal: controller.signal }),
    ).toMatchObject({ kind: "aborted" });
  });
});

describe("many runs in one process", () => {
  test("interleave with limits, realms, seeds and logs of their own", async () => {
    const program = compile(
      "Array.prototype.mark = input; const got = []; for (let i = 0; i < 20; i++) { got.push(await tools.x.f({ i })); if ([].mark !== input) throw new Error('mixed') } console.log(input); return [input, got.length, Math.random()]",
    );
    const tools = { x: { f: async ({ i }: { i: number }) => (await sleep(i % 3), i) } } as unknown as ToolTree;
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((n) => program.run({ tools, globals: { input: n }, seed: n, limits: { steps: n === 3 ? 60 : 10_000 } })),
    );
    expect(outcomes.map((o) => o.status)).toEqual(["completed", "completed", "failed", "completed"]);
    outcomes.forEach((o, i) => {
      if (o.status === "completed") {
        expect((o.value as number[]).slice(0, 2)).toEqual([i + 1, 20]);
        expect(o.logs.map((entry) => entry.text)).toEqual([String(i + 1)]);
      }
    });
    expect(await value("return [].mark === undefined")).toBe(true);
  });

  test("nest: a tool runs a program", async () => {
    const tools = {
      x: {
        run: async ({ n }: { n: number }) =>
          ((await run("const f = (n) => n === 0 ? 0 : 1 + f(n - 1); return f(input)", { globals: { input: n } })) as { value: number })
            .value,
      },
    } as unknown as ToolTree;
    expect(await value("let sum = 0; for (let i = 1; i <= 5; i++) sum += await tools.x.run({ n: i }); return sum", { tools })).toBe(15);
  });

  test("a nested run that starts inside the outer one's stretch leaves it as it was", async () => {
    let inner: Promise<unknown> | undefined;
    const tools = {
      x: { start: () => void (inner = run("Object.prototype.p = 1; let s = 0; for (let i = 0; i < 1e5; i++) s += i; return s")) },
    } as unknown as ToolTree;
    expect(
      await value("const o = {}; tools.x.start(); let n = 0; for (let i = 0; i < 10; i++) n += i; return [n, o.p === undefined]", {
        tools,
      }),
    ).toEqual([45, true]);
    expect(await inner).toMatchObject({ value: 4999950000 });
  });

  test("a finished realm is collected", async () => {
    const { setFlagsFromString } = await import("node:v8");
    const { runInNewContext } = await import("node:vm");
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    const collected: number[] = [];
    const registry = new FinalizationRegistry<number>((n) => collected.push(n));
    const program = compile(
      "class A { m() { return this.x } } const a = new A(); a.x = 1; const big = { list: [1, 2, 3].map((x) => ({ x })) }; await tools.t.f(big); return a.m() + big.list.length",
    );
    for (let i = 0; i < 5; i++) {
      const tools = { t: { f: async () => 1 } };
      registry.register(tools.t.f, i);
      expect((await program.run({ tools })).status).toBe("completed");
    }
    for (let i = 0; i < 20 && collected.length < 4; i++) {
      await sleep(5);
      gc();
    }
    expect(collected.length).toBeGreaterThanOrEqual(4);
  });
});
