// Whole programs, the same in every isolation mode.
import { afterAll, describe, expect, it } from "vitest";
import { createRuntime, type Execution, type ExecuteOptions, type Runtime, type RuntimeOptions } from "../dist/src/index.js";
import { catalogOf, sleep, tool } from "./support/kit.js";

const modes = ["none", "worker", "process"] as const;
const text = (said: string) => Promise.resolve({ content: [{ type: "text", text: said }] } as never);
const tools = catalogOf(
  tool("api.json", () => text('{"items":[{"id":1},{"id":2}],"note":"a"}')),
  tool("api.takes", (input) => Promise.resolve(input), {
    inputSchema: { type: "object", properties: { body: { type: "string" }, data: { type: "object" } } },
  }),
  tool("api.wait", async (input) => (await sleep((input as { ms: number }).ms), input)),
  tool("api.date", () => Promise.resolve({ when: new Date(0), many: [1n, Number.NaN] } as never)),
  tool("api.shot", () => Promise.resolve({ content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] } as never)),
);
const open: Runtime[] = [];
const runtimes = (more: Partial<RuntimeOptions> = {}): Runtime[] =>
  modes.map((isolation) => createRuntime({ catalog: tools, permission: { "*": "allow" }, isolation, ...more }));
let usual: Runtime[] | undefined;
const inAll = async (code: string, options: ExecuteOptions = {}, more?: Partial<RuntimeOptions>): Promise<Execution[]> => {
  const made = more === undefined ? (usual ??= runtimes()) : runtimes(more);
  open.push(...made);
  return Promise.all(made.map((runtime) => runtime.execute(code, options)));
};
const valuesOf = async (code: string, options?: ExecuteOptions): Promise<unknown> => {
  const [first, ...others] = (await inAll(code, options)).map((one) =>
    one.status === "completed" ? { value: one.value } : { error: { ...one.error } },
  );
  for (const other of others) expect(other).toEqual(first);
  return "value" in first ? first.value : first.error;
};
afterAll(() => Promise.all(open.map((runtime) => runtime.close())));

describe("in every isolation mode alike", () => {
  it("a parsed text is a value that remembers its text, also as an input", async () => {
    expect(
      await valuesOf(
        "const r = await tools.api.json(); const back = await tools.api.takes({ body: r, data: r }); return [typeof r, r.items.length, JSON.parse(r).note, `${r}`, back.body, back.data.note, r]",
      ),
    ).toEqual([
      "object",
      2,
      "a",
      '{"items":[{"id":1},{"id":2}],"note":"a"}',
      '{"items":[{"id":1},{"id":2}],"note":"a"}',
      "a",
      { items: [{ id: 1 }, { id: 2 }], note: "a" },
    ]);
  });
  it("dates, BigInt and odd numbers", async () =>
    expect(
      await valuesOf("const v = await tools.api.date(); return [v.when.getTime(), typeof v.many[0], Number.isNaN(v.many[1])]"),
    ).toEqual([0, "bigint", true]));
  it("a media handle is frozen, and goes out as its content", async () => {
    expect(
      await valuesOf(
        "const m = await tools.api.shot(); const back = await tools.api.takes({ body: m }); return [Object.isFrozen(m), m.mimeType, m.bytes, back.body]",
      ),
    ).toEqual([true, "image/png", 3, "AAAA"]);
  });
  it("an unknown tool that is reached by a computed name", async () =>
    expect(await valuesOf("const s = 'api'; try { await tools[s].jsn() } catch (e) { return e.message.includes('json') }")).toBe(true));
  it("random numbers and order of arrival by the seed and the calls", async () => {
    expect(
      await valuesOf(
        "const seen = []; await Promise.all([60, 10].map(async (ms) => { await tools.api.wait({ ms }); seen.push(ms) })); return [seen, Math.random()]",
        { seed: 7 },
      ),
    ).toEqual([[10, 60], expect.any(Number)]);
  });
  it("guest time starts where it is told, stands still, and moves with results and timers", async () => {
    const [still, moved, timer] = (
      await inAll(
        "const a = Date.now(); for (let i = 0; i < 1e6; i++); const b = Date.now(); await tools.api.wait({ ms: 40 }); const c = Date.now(); await new Promise((r) => setTimeout(r, 500)); return [a, b - a, c - b, Date.now() - c]",
        { startTime: 1_000 },
      )
    ).map((one) => (one.status === "completed" ? (one.value as number[]) : []));
    for (const [start, computing, result, timeout] of [still, moved, timer]) {
      expect([start, computing, timeout]).toEqual([1_000, 0, 500]);
      expect(result).toBeGreaterThanOrEqual(38);
    }
  });
  it("failures: place, frame, hints", async () =>
    expect(await valuesOf("const x = 1;\nreturn x.y.z")).toMatchObject({ kind: "uncaught", name: "TypeError", location: { line: 2 } }));
  it("an endless loop ends by computeMs", async () => {
    for (const outcome of await inAll("for (;;);", {}, { limits: { computeMs: 100, steps: Infinity } }))
      expect(outcome).toMatchObject({ status: "failed", error: { kind: "limit", limit: "computeMs" } });
  });
  it("a hoard ends by memoryBytes", async () => {
    for (const outcome of await inAll("const a = []; for (;;) a.push({ n: a.length })", {}, { limits: { memoryBytes: 50_000_000 } }))
      expect(outcome).toMatchObject({ status: "failed", error: { kind: "limit", limit: "memoryBytes" } });
  }, 60_000);
});

describe("isolated", () => {
  it("has a stack for 10 000 calls", async () => {
    const [, worker, child] = await inAll("const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); return f(9_990)");
    expect([worker, child]).toMatchObject([{ value: 9_990 }, { value: 9_990 }]);
  });
  it("many runs at once in few workers", async () => {
    const runtime = createRuntime({ catalog: tools, permission: { "*": "allow" }, isolation: "worker", workers: 3 });
    open.push(runtime);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        runtime.execute("globalThis.mark = (globalThis.mark ?? 0) + 1; return [mark, (await tools.api.wait({ ms: 1, n: input })).n]", {
          input: n,
        }),
      ),
    );
    outcomes.forEach((outcome, n) => expect(outcome).toMatchObject({ status: "completed", value: [1, n] }));
  });
});
