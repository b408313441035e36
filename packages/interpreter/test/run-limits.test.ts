// The limits: each ends the run where no program can catch it, and says which it was.

import { describe, expect, test } from "vitest";
import { type Limits, run } from "@airlock/interpreter";
import { failure, value } from "./program.js";

/** A failure by a limit, which no catch or finally of the program sees. */
async function limited(code: string, limits: Partial<Limits>, options: object = {}): Promise<string | undefined> {
  const seen: string[] = [];
  const error = await failure(`try { ${code} } catch { console.log("caught") } finally { console.log("finally") }`, {
    limits,
    onLog: (entry) => seen.push(entry.text),
    ...options,
  });
  expect(error.kind).toBe("limit");
  expect(seen).toEqual([]);
  expect(error.message).toContain(`(limit ${error.limit})`);
  expect(error.hints.length).toBeGreaterThan(0);
  return error.limit;
}

describe("limits of the program itself", () => {
  test("steps: loops, calls, builtins", async () => {
    expect(await limited("for (;;) {}", { steps: 10_000 })).toBe("steps");
    expect(await limited("const f = () => 1; for (let i = 0; i < 1e9; i++) f()", { steps: 10_000 })).toBe("steps");
    expect(await limited("new Array(1e6).fill(0).map((x) => x)", { steps: 10_000 })).toBe("steps");
    expect(await limited("'x'.repeat(1e6).split('')", { steps: 10_000 })).toBe("steps");
  });

  test("steps are counted exactly enough to be a limit, and a program may use all of them", async () => {
    const { stats } = await run("for (let i = 0; i < 1000; i++) {}");
    expect(stats.steps).toBeGreaterThanOrEqual(1000);
    expect((await run("for (let i = 0; i < 1000; i++) {}", { limits: { steps: stats.steps } })).status).toBe("completed");
    expect((await run("for (let i = 0; i < 1000; i++) {}", { limits: { steps: stats.steps - 1 } })).status).toBe("failed");
    // Work that is refused is none that was done.
    expect((await run("return 'x'.repeat(1e7)", { limits: { steps: 1000 } })).stats.steps).toBe(1000);
  });

  test("computeMs: the line of the loop is told", async () => {
    const error = await failure("let n = 0;\nwhile (true) {\n  n++;\n}", { limits: { computeMs: 30 } });
    expect(error).toMatchObject({ kind: "limit", limit: "computeMs", location: { line: 2 } });
  });

  test("computeMs: waiting for tools does not count, work in jobs does", async () => {
    const tools = { x: { slow: () => new Promise((done) => setTimeout(done, 120)) } };
    expect(await value("await tools.x.slow(); return 1", { tools, limits: { computeMs: 100 } })).toBe(1);
    expect(await limited("const step = () => Promise.resolve().then(step); await step()", { computeMs: 50 })).toBe("computeMs");
  });

  test("computeMs: a tool's own synchronous work does not count", async () => {
    const tools = {
      x: {
        busy: () => {
          const end = performance.now() + 150;
          while (performance.now() < end);
        },
      },
    };
    expect(await value("await tools.x.busy(); return 1", { tools, limits: { computeMs: 100 } })).toBe(1);
  });

  test("wallMs ends waiting, with the place of the await", async () => {
    const tools = { x: { never: () => new Promise(() => {}) } };
    expect(await failure("const a = 1;\nawait tools.x.never();", { tools, limits: { wallMs: 40 } })).toMatchObject({
      kind: "limit",
      limit: "wallMs",
      location: { line: 2 },
    });
    expect(await failure("await new Promise((r) => setTimeout(r, 1e6))", { limits: { wallMs: 40 } })).toMatchObject({ limit: "wallMs" });
  });

  test("memoryBytes: what is held counts, what is dropped does not", async () => {
    expect(await limited("const all = []; for (;;) all.push({ a: 1, b: [1, 2, 3] })", { memoryBytes: 4e7, computeMs: 120_000 })).toBe(
      "memoryBytes",
    );
    expect(
      await limited("let s = 'x'; const all = []; for (;;) all.push(Array.from({ length: 1e4 }, (v, i) => s + i).join())", {
        memoryBytes: 4e7,
        computeMs: 120_000,
      }),
    ).toBe("memoryBytes");
    expect(await limited("const m = new Map(); for (let i = 0; ; i++) m.set(i, i)", { memoryBytes: 4e7, computeMs: 120_000 })).toBe(
      "memoryBytes",
    );
    const dropped = await run("let n = 0; for (let i = 0; i < 2e6; i++) { const o = { a: i, b: [i] }; n += o.b.length } return n", {
      limits: { memoryBytes: 4e7, computeMs: 120_000 },
    });
    expect(dropped).toMatchObject({ status: "completed", value: 2e6 });
    expect(dropped.stats.allocatedBytes).toBeGreaterThan(4e7);
  }, 120_000);

  test("callDepth: recursion of all sorts", async () => {
    expect(await limited("const f = () => f(); f()", {})).toBe("callDepth");
    expect(await limited("const f = (n) => n === 0 ? 0 : 1 + f(n - 1); f(200)", { callDepth: 100 })).toBe("callDepth");
    expect(await value("const f = (n) => n === 0 ? 0 : 1 + f(n - 1); return f(90)", { limits: { callDepth: 100 } })).toBe(90);
    expect(await limited("const f = (n) => [n].map(f)[0]; f(1)", {})).toBe("callDepth");
    expect(await limited("class A { get x() { return this.x } } new A().x", {})).toBe("callDepth");
    expect(await limited("const o = { toString() { return `${o}` } }; String(o)", {})).toBe("callDepth");
    expect(await limited("const f = async () => { await f() }; await f()", {})).toBe("callDepth");
  });

  test("stringLength and arrayLength can be caught", async () => {
    const limits = { stringLength: 1000, arrayLength: 100 };
    const code = (made: string): string => `try { ${made}; return "made" } catch (e) { return [e.name, e instanceof RangeError] }`;
    for (const made of [
      "'x'.repeat(1001)",
      "'x'.padEnd(2000)",
      "let s = 'x'; for (let i = 0; i < 20; i++) s += s",
      "new Array(101).fill(0)",
      "[].length = 101",
      "Array.from({ length: 101 })",
      "const a = []; for (let i = 0; i < 101; i++) a.push(i)",
    ]) {
      expect(await value(code(made), { limits }), made).toEqual(["RangeError", true]);
    }
  });

  test("pendingPromises and timers", async () => {
    expect(await limited("const all = []; for (let i = 0; i < 200; i++) all.push(new Promise(() => {}))", { pendingPromises: 100 })).toBe(
      "pendingPromises",
    );
    expect(await limited("for (let i = 0; i < 200; i++) setTimeout(() => {}, 1e5)", { timers: 100 })).toBe("timers");
    expect(await value("for (let i = 0; i < 200; i++) clearTimeout(setTimeout(() => {}, 1e5)); return 1", { limits: { timers: 10 } })).toBe(
      1,
    );
    expect(await value("for (let i = 0; i < 1000; i++) await Promise.resolve(); return 1", { limits: { pendingPromises: 100 } })).toBe(1);
  });

  test("a limit holds in async code, generators, getters of the result", async () => {
    expect(await limited("await null; for (;;) {}", { steps: 10_000 })).toBe("steps");
    expect(
      await limited("function* g() { try { for (;;) yield 1 } finally { for (;;) {} } } for (const x of g()) {}", { steps: 10_000 }),
    ).toBe("steps");
    expect(await limited("await Promise.allSettled([(async () => { for (;;) {} })()])", { steps: 10_000 })).toBe("steps");
    expect(await failure("return { get x() { for (;;) {} } }", { limits: { steps: 10_000 } })).toMatchObject({ limit: "steps" });
    expect(await failure("return { toJSON() { for (;;) {} } }", { limits: { steps: 10_000 } })).toMatchObject({ limit: "steps" });
    expect(await failure("const t = () => ({ then(r) { r(t()) } }); return t()", { limits: { steps: 10_000 } })).toMatchObject({
      limit: "steps",
    });
  });
});

describe("limits of what comes out", () => {
  test("resultBytes counts the JSON text", async () => {
    expect(await failure("return 'x'.repeat(1000)", { limits: { resultBytes: 1000 } })).toMatchObject({
      kind: "limit",
      limit: "resultBytes",
    });
    expect(await value("return 'x'.repeat(998)", { limits: { resultBytes: 1000 } })).toHaveLength(998);
    expect(await failure("return 'é'.repeat(900)", { limits: { resultBytes: 1000 } })).toMatchObject({ limit: "resultBytes" });
    expect(await failure("return Array.from({ length: 100 }, (v, i) => 1e15 + i)", { limits: { resultBytes: 1000 } })).toMatchObject({
      limit: "resultBytes",
    });
    expect(await failure("const a = ['xxxxxxxxxx']; let b = a; for (let i = 0; i < 40; i++) b = [b, b]; return b")).toMatchObject({
      limit: "resultBytes",
    });
  });

  test.each([
    "k",
    "{ [k]: 1 }",
    "{ a: { [k]: { [k]: k } } }",
    "[[k]]",
    "new Map([[k, k]])",
    "new Map([[{ [k]: 1 }, 2]])",
    "new Set([k])",
    "Symbol(k)",
    "{ [Symbol(k)]: 1 }",
    "Object(Symbol(k))",
    "Object(k)",
    "Object.defineProperty(() => {}, 'name', { value: k })",
    "{ [k]() {} }[k]",
    "new Error(k)",
    "Object.assign(new Error(), { name: k, [k]: 1 })",
    "Object.defineProperty({}, Symbol.toStringTag, { value: k })",
    "new (class { static name = k })()",
    "new RegExp(k)",
    "10n ** 20000n",
    "new URL('http://a.test/' + k)",
    "new Uint8Array(1e5)",
  ])("logBytes holds wherever the text stands: %s", async (shown) => {
    for (const method of ["log", "dir", "table", "error", "group", "count", "time", "assert"]) {
      const call =
        method === "assert"
          ? `console.assert(false, (${shown}))`
          : method === "table"
            ? `console.table([(${shown})])`
            : `console.${method}((${shown}))`;
      const { logs, status } = await run(
        `const k = "k".repeat(1e5); for (let i = 0; i < 3; i++) { try { ${call}; ${method === "time" ? `console.timeEnd(${shown})` : ""} } catch {} } return 1`,
        {
          limits: { logBytes: 2000, computeMs: 60_000 },
        },
      );
      expect(status).toBe("completed");
      expect(JSON.stringify(logs).length, method).toBeLessThan(2 * 2000 + 1000);
    }
  });

  test("logBytes cuts the log with one warning, and the run goes on", async () => {
    const outcome = await run("for (let i = 0; i < 1000; i++) console.log('line ' + i); return 'done'", { limits: { logBytes: 2000 } });
    expect(outcome).toMatchObject({ status: "completed", value: "done", warnings: [{ kind: "limit", limit: "logBytes" }] });
    expect(outcome.logs.length).toBeLessThan(60);
    const long = await run("console.log('x'.repeat(1e5)); return 1", { limits: { logBytes: 1000 } });
    expect(long.logs[0].text.length).toBeLessThan(1000);
    expect(long.warnings).toHaveLength(1);
  });

  test("Infinity switches a limit off", async () => {
    const outcome = await run("const all = []; for (let i = 0; i < 1e5; i++) all.push({ i }); return all.length", {
      limits: { steps: Infinity, computeMs: Infinity, wallMs: Infinity, memoryBytes: Infinity, callDepth: Infinity, resultBytes: Infinity },
    });
    expect(outcome).toMatchObject({ value: 1e5 });
  });
});
