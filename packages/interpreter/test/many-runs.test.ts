// Many runs at once in one process share nothing: budgets, realms, queues, random numbers, symbols, calls.

import { describe, expect, test } from "vitest";
import { type Limits, type Outcome, run } from "@airlock/interpreter";

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const value = (outcome: Outcome): unknown => (outcome.status === "completed" ? outcome.value : outcome.error);

describe("runs at the same time", () => {
  test("each has its own limits, though they interleave", async () => {
    const program = "for (let i = 0; i < 50; i++) { await tools.t.turn(); for (let j = 0; j < 100; j++); } return 'done'";
    const tools = { t: { turn: () => wait(1) } };
    const limits: Partial<Limits>[] = [{ steps: 2_000 }, {}, { toolCalls: 10 }, {}, { steps: 500_000 }, { wallMs: 20 }];
    const outcomes = await Promise.all(limits.map((own) => run(program, { tools, limits: own })));
    expect(outcomes.map((o) => (o.status === "failed" ? o.error.limit : o.value))).toEqual([
      "steps",
      "done",
      "toolCalls",
      "done",
      "done",
      "wallMs",
    ]);
  });

  test("what one counts, another does not", async () => {
    const small = "await tools.t.turn(); return 1";
    const large = "let n = 0; for (let i = 0; i < 2e5; i++) n += i; await tools.t.turn(); for (let i = 0; i < 2e5; i++) n += i; return n";
    const tools = { t: { turn: () => wait(2) } };
    const alone = await run(small, { tools });
    const [beside, big] = await Promise.all([run(small, { tools }), run(large, { tools })]);
    expect(beside.stats.steps).toBe(alone.stats.steps);
    expect(beside.stats.toolCalls).toBe(1);
    expect(big.stats.steps).toBeGreaterThan(400_000);
  });

  test("realms: prototypes, globals, registered symbols, template objects, regular expressions", async () => {
    const tools = { t: { turn: () => wait(1) } };
    const write =
      "Object.prototype.zz = 1; globalThis.zz = 1; Array.prototype.map = () => 'changed'; Promise.prototype.zz = 1; await tools.t.turn(); return [({}).zz, [].map()]";
    const read = "await tools.t.turn(); return [({}).zz ?? null, typeof zz, [1].map((x) => x + 1), Object.keys(globalThis).includes('zz')]";
    const outcomes = await Promise.all([write, read, write, read].map((program) => run(program, { tools })));
    expect(outcomes.map(value)).toEqual([
      [1, "changed"],
      [null, "undefined", [2], false],
      [1, "changed"],
      [null, "undefined", [2], false],
    ]);
  });

  test("the state of a shared regular expression's engine: a callback runs another match", async () => {
    const program = "return 'a1b22c333'.replace(/[a-z](\\d+)/g, (m, d) => m.match(/\\d/g).length + d.replace(/(\\d)/g, '<$1>'))";
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => run(program)));
    for (const outcome of outcomes) expect(value(outcome)).toBe("1<1>2<2><2>3<3><3><3>");
  });

  test("a program that is cached runs many times at once, each with its own variables and caches", async () => {
    const program =
      "let sum = 0; const o = { n: input }; for (let i = 0; i < 20; i++) { sum += o.n; if (i % 5 === 0) await tools.t.turn(); o.n++; } return sum";
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, n) => run(program, { globals: { input: n }, tools: { t: { turn: () => wait(n % 3) } } })),
    );
    expect(outcomes.map(value)).toEqual(Array.from({ length: 30 }, (_, n) => 20 * n + 190));
  });

  test("random numbers come from each run's own seed", async () => {
    const program = "const out = []; for (let i = 0; i < 5; i++) { out.push(Math.random()); await tools.t.turn(); } return out";
    const tools = { t: { turn: () => wait(1) } };
    const seeded = (seed: number): Promise<Outcome> => run(program, { tools, seed });
    const [a, b, c] = await Promise.all([seeded(1), seeded(2), seeded(1)]);
    expect(value(a)).toEqual(value(c));
    expect(value(a)).not.toEqual(value(b));
    expect(value(await seeded(1))).toEqual(value(a));
  });

  test("queues: jobs and timers of one do not run in another, and end with it", async () => {
    const seen: string[] = [];
    const options = (name: string): object => ({
      tools: { t: { note: (input: unknown) => void seen.push(`${name} ${JSON.stringify(input)}`), turn: () => wait(1) } },
    });
    const endless = "setInterval(() => tools.t.note('late'), 1); const f = () => queueMicrotask(f); await tools.t.turn(); return 1";
    const [first, second] = await Promise.all([
      run(endless, options("a")),
      run("await tools.t.turn(); await new Promise((r) => setTimeout(r, 5)); return 2", options("b")),
    ]);
    expect([value(first), value(second)]).toEqual([1, 2]);
    const atEnd = seen.length;
    await wait(20);
    expect(seen).toHaveLength(atEnd);
    expect(seen.filter((line) => line.startsWith("b"))).toEqual([]);
  });

  test("results of calls reach the run that made them", async () => {
    const program = "return await Promise.all([3, 1, 2].map((ms) => tools.t.echo({ ms, of: input })))";
    const echo = async (input: unknown): Promise<unknown> => (await wait((input as { ms: number }).ms), input);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => run(program, { globals: { input: n }, tools: { t: { echo } } })),
    );
    outcomes.forEach((outcome, n) => expect(value(outcome)).toEqual([3, 1, 2].map((ms) => ({ ms, of: n }))));
  });

  test("a run inside of a tool of another run: both go on with their own", async () => {
    const inner = (): Promise<unknown> =>
      run("Array.prototype.zz = 1; let n = 0; for (let i = 0; i < 1000; i++) n++; return n", { limits: { steps: 5_000 } }).then(value);
    const outcome = await run("const got = []; for (let i = 0; i < 3; i++) got.push(await tools.t.inner()); return [got, [].zz ?? null]", {
      tools: { t: { inner } },
      limits: { steps: 500 },
    });
    expect(value(outcome)).toEqual([[1000, 1000, 1000], null]);
  });

  test("one that fails by a limit leaves the others as they are", async () => {
    const hostile = [
      "for (;;);",
      "const f = () => f(); f()",
      "const a = []; for (;;) a.push([1, 2, 3])",
      "await new Promise(() => {})",
      "throw 1",
      "/(a+)+$/.test('a'.repeat(40) + 'b')",
    ];
    const good = "let sum = 0; for (let i = 0; i < 30; i++) { sum += i; await tools.t.turn(); } return sum";
    const limits = { computeMs: 50, memoryBytes: 33_554_432 };
    const [goods] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => run(good, { tools: { t: { turn: () => wait(1) } }, limits: { computeMs: 60_000 } }))),
      Promise.all(hostile.map((program) => run(program, { limits }))),
    ]);
    for (const outcome of goods) expect(value(outcome)).toBe(435);
  });
});
