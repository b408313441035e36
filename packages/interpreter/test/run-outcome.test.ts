// What comes out of a run: values, diagnostics with places, logs, figures.

import { describe, expect, test } from "vitest";
import { compile, ProgramError, run } from "@airlock/interpreter";
import { failure, value } from "./program.js";

describe("outcomes", () => {
  test("a value, the logs and the figures of a run", async () => {
    const outcome = await run('console.log("n", { a: 1 }); console.warn("careful"); return { n: 1 + 1 }', { seed: 7 });
    expect(outcome).toMatchObject({
      status: "completed",
      value: { n: 2 },
      logs: [
        { level: "log", text: "n { a: 1 }", args: ["n", { a: 1 }] },
        { level: "warn", text: "careful", args: ["careful"] },
      ],
      warnings: [],
      stats: { seed: 7, toolCalls: 0 },
    });
    expect(outcome.stats.steps).toBeGreaterThan(0);
    expect(outcome.stats.allocatedBytes).toBeGreaterThan(0);
  });

  test("entries reach onLog as they are made, and its faults do not matter", async () => {
    const seen: string[] = [];
    const outcome = await run('console.log("a"); console.error("b")', {
      onLog(entry) {
        seen.push(`${entry.level} ${entry.text}`);
        throw new Error("listener");
      },
    });
    expect(seen).toEqual(["log a", "error b"]);
    expect(outcome.status).toBe("completed");
  });

  test("programs in every form get tools, console and globals", async () => {
    const globals = { input: { x: 4 } };
    expect(await value("return input.x", { globals })).toBe(4);
    expect(await value("input.x + 1", { globals })).toBe(5);
    expect(await value("async ({ input, tools, console }) => [input.x, typeof tools, typeof console.log]", { globals })).toEqual([
      4,
      "object",
      "function",
    ]);
    expect(await value("export default async function ({ input }) { return input.x }", { globals })).toBe(4);
    expect(await value("return typeof input")).toBe("undefined");
    expect(await value("return globalThis.input.x + globalThis['odd name']", { globals: { ...globals, "odd name": 1 } })).toBe(5);
  });

  test("a global may stand in for a builtin, but not for tools or constants", async () => {
    expect(await value("return Date", { globals: { Date: "today" } })).toBe("today");
    await expect(run("return 1", { globals: { tools: 1 } })).rejects.toThrow(TypeError);
    expect(await failure("return 1", { globals: { undefined: 1 } })).toMatchObject({ kind: "invalid-input" });
    expect(await failure("return 1", { globals: { input: { f: () => 1 } } })).toMatchObject({
      kind: "invalid-input",
      message: "The global input.f is a function.",
    });
  });

  test("a program that does not parse fails with its diagnostic", async () => {
    expect(await failure("return 1 +")).toMatchObject({ kind: "syntax", location: { line: 1 } });
    expect(() => compile("return 1 +")).toThrow(ProgramError);
  });

  test("options that make no sense reject", async () => {
    await expect(run("return 1", { limits: { stepz: 1 } as never })).rejects.toThrow(RangeError);
    await expect(run("return 1", { timeZone: "Mars/Olympus" })).rejects.toThrow(RangeError);
    await expect(run("return 1", { tools: { a: { b: 1 } } as never })).rejects.toThrow(TypeError);
  });

  test("a compiled program runs again, and at the same time", async () => {
    const program = compile("await null; return input * 2", { filename: "double.js" });
    const outcomes = await Promise.all([1, 2, 3].map((input) => program.run({ globals: { input } })));
    expect(outcomes.map((o) => o.status === "completed" && o.value)).toEqual([2, 4, 6]);
    const traced = await compile("return new Error('x').stack", { filename: "double.js" }).run();
    expect(traced).toMatchObject({ value: "Error: x\n    at program (double.js:1:8)" });
  });

  test("the same source is compiled once", async () => {
    const source = `return ${Math.random()}`;
    expect((await run(source)).stats.cachedProgram).toBe(false);
    expect((await run(source)).stats.cachedProgram).toBe(true);
    expect(await failure(source, { limits: { sourceBytes: 10 } })).toMatchObject({ kind: "limit", limit: "sourceBytes" });
  });

  test("random numbers follow the seed, time and zone the options", async () => {
    const code = "return [Math.random(), Math.random()]";
    expect(await value(code, { seed: 5 })).toEqual(await value(code, { seed: 5 }));
    expect(await value(code, { seed: 5 })).not.toEqual(await value(code, { seed: 6 }));
    expect(await value("return Math.random()", { random: () => 0.25 })).toBe(0.25);
    expect(await value("return [Date.now(), new Date().getHours()]", { now: () => 0 })).toEqual([0, 0]);
    expect(await value("return new Date(0).getHours()", { timeZone: "Asia/Tokyo" })).toBe(9);
    const { stats } = await run(code);
    const again = await run(code, { seed: stats.seed });
    const first = await run(code, { seed: stats.seed });
    expect(again).toMatchObject({ value: (first as { value?: unknown }).value });
  });
});

describe("uncaught exceptions", () => {
  test("say name, message, and where the error was made", async () => {
    const error = await failure("const f = () => {\n  throw new TypeError('bad')\n}\nf()");
    expect(error).toEqual({
      kind: "uncaught",
      name: "TypeError",
      message: "bad",
      location: { line: 2, column: 9 },
      frame: "  throw new TypeError('bad')\n        ^",
      hints: [],
    });
  });

  test("of async functions, and after an await", async () => {
    expect(await failure("async function f() {\n  await null;\n  null.x\n}\nawait f()")).toMatchObject({
      name: "TypeError",
      location: { line: 3 },
    });
  });

  test("a thrown value that is no error is shown, with its place", async () => {
    expect(await failure('\nthrow "boom"')).toMatchObject({
      kind: "uncaught",
      message: 'The program threw "boom", which is no Error.',
      location: { line: 2 },
    });
    expect((await failure("throw { a: [1] }")).message).toContain("{ a: [ 1 ] }");
    expect((await failure(`throw "x".repeat(1e6)`)).message.length).toBeLessThan(2100);
    expect((await failure("throw { get a() { throw 1 }, toString() { throw 2 } }")).message).toContain("[Getter]");
  });

  test("causes and the parts of an AggregateError are hints", async () => {
    expect((await failure("throw new Error('outer', { cause: new RangeError('inner') })")).hints).toEqual(["Cause: RangeError: inner"]);
    expect((await failure("await Promise.any([Promise.reject(new Error('one'))])")).hints).toEqual(["One of the errors: Error: one"]);
  });

  test("long messages are cut", async () => {
    const error = await failure("throw new Error('m'.repeat(1e5))");
    expect(error.message.length).toBeLessThan(2100);
    expect(error.message).toMatch(/… \(98000 more characters\)$/);
  });

  test("in a timer end the run", async () => {
    expect(await failure("setTimeout(() => { throw new Error('late') }, 1); await new Promise(() => {})")).toMatchObject({
      kind: "uncaught",
      message: "late",
    });
  });

  test("a method of a promise says that await is missing", async () => {
    const tools = { x: { list: async () => [1] } };
    const error = await failure("return tools.x.list().map((n) => n)", { tools });
    expect(error.message).toContain("it was called on a promise");
    expect(error.hints).toEqual(["Write await before the call that gave the promise."]);
  });

  test("a failure after a call without await names the call", async () => {
    const tools = { x: { list: async () => ({ users: [] }) } };
    const error = await failure("const { users } = tools.x.list();\nreturn users.length", { tools });
    expect(error.hints).toEqual(["tools.x.list (line 1) was called without await: what it gave is a promise, not the result."]);
  });
});
