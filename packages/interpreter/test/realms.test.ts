// Realms end with their runs: a cached program keeps none alive, and many runs at once share nothing.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { run } from "../dist/src/index.js";
import { R } from "../dist/src/run-state.js";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

test("a finished realm is collected though its program is cached", async () => {
  const code = `
    class Point { constructor(x) { this.x = x; } get double() { return this.x * 2; } static make(x) { return new Point(x); } #p = 1; p() { return this.#p; } }
    class Far extends Point { move(n) { this.x += n; return super.p() + n; } }
    const all = [1, 2, 3].map((n) => new Far(n));
    for (const p of all) p.move(tools.t.n ? 1 : 2);
    const big = Array.from({ length: 1000 }, (_, i) => ({ i, s: "x".repeat(10) }));
    Array.prototype.extra = function () { return this.length; };
    return [all.map((p) => p.double + p.p()), big.extra(), Object.keys({ ...all[0] }), \`\${all}\`.length, await tools.t.n({})];`;
  const seen: WeakRef<object>[] = [];
  for (let i = 0; i < 3; i++) {
    const outcome = await run(code, {
      tools: {
        t: {
          n: () => {
            seen.push(new WeakRef(R.realm));
            return 1;
          },
        },
      },
    });
    expect(outcome.status).toBe("completed");
    expect(outcome.stats.cachedProgram).toBe(i > 0);
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  gc();
  await new Promise((resolve) => setTimeout(resolve, 20));
  gc();
  expect(seen).toHaveLength(3);
  expect(seen.map((r) => r.deref() === undefined)).toEqual([true, true, true]);
});

test("a realm as changed by one run is not what the next one of the same program sees", async () => {
  const code =
    "const before = [3].at; Array.prototype.at = () => 'changed'; Object.prototype.zz = 1; return [typeof before, [1].at(0), ({}).zz, [5].map((x) => x)[0]];";
  for (let i = 0; i < 3; i++) expect((await run(code)) as unknown).toMatchObject({ value: ["function", "changed", 1, 5] });
  expect(await run("return [[1].at(0), ({}).zz === undefined]")).toMatchObject({ value: [1, true] });
});

test("runs that are interleaved keep their own limits, prototypes and random numbers", async () => {
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const tools = { t: { wait: async (input: unknown) => wait((input as { ms: number }).ms) } };
  const code = (n: number): string => `Number.prototype.mine = function () { return ${n}; }; const r = [];
    for (let i = 0; i < 5; i++) { await tools.t.wait({ ms: 1 }); r.push((1).mine(), Math.random()); } return r;`;
  const alone = await Promise.all([1, 2, 3].map((n) => run(code(n), { tools, seed: n })));
  const again: Awaited<ReturnType<typeof run>>[] = [];
  for (const n of [1, 2, 3]) again.push(await run(code(n), { tools, seed: n }));
  alone.forEach((o, i) => {
    expect(o.status).toBe("completed");
    expect(again[i]).toMatchObject({ value: (o as { value: unknown }).value });
  });
  const [small, large] = await Promise.all([
    run("let n = 0; for (;;) { n++; if (n % 1000 === 0) await null; }", { limits: { steps: 20_000 } }),
    run("let n = 0; for (let i = 0; i < 100000; i++) { n++; if (n % 1000 === 0) await null; } return n;"),
  ]);
  expect(small).toMatchObject({ status: "failed", error: { kind: "limit", limit: "steps" } });
  expect(large).toMatchObject({ status: "completed", value: 100_000 });
});
