// Hostile and ordinary programs at the same time in one host; prints what became of them and the longest stall of the host's event loop.
//   node crowd.mjs ISOLATION HOW_MANY_OF_EACH WORKERS

import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createCatalog } from "@airlock/catalog";
import { createRuntime } from "../../dist/src/index.js";
import { DEPTH, MEMORY, WORK } from "../../../interpreter/fuzz/hostile.mjs";

const [isolation, count, workers] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const items = Array.from({ length: 200 }, (_, id) => ({ id, name: `item ${id}`, tags: ["a", "b"], price: id * 3 }));
const tools = [
  {
    server: "shop",
    name: "list",
    inputSchema: { type: "object" },
    execute: async ({ page }) => ({ items: items.slice(page * 50, page * 50 + 50) }),
  },
  { server: "shop", name: "price", inputSchema: { type: "object" }, execute: async ({ id }) => items[id].price },
];
const ordinary = (n) => ({
  code: `
const pages = await Promise.all([0, 1, 2, 3].map((page) => tools.shop.list({ page })));
const all = pages.flatMap((p) => p.items).filter((item) => item.id % ${(n % 7) + 2} === 0);
let sum = 0;
for (const { id } of all.slice(0, 5)) sum += await tools.shop.price({ id });
console.log("sum", sum);
return { sum, count: all.length, names: all.map((item) => item.name.toUpperCase()).sort().slice(0, 3) };`,
  expected: (() => {
    const all = items.filter((item) => item.id % ((n % 7) + 2) === 0);
    return JSON.stringify({
      sum: all.slice(0, 5).reduce((sum, item) => sum + item.price, 0),
      count: all.length,
      names: all
        .map((item) => item.name.toUpperCase())
        .sort()
        .slice(0, 3),
    });
  })(),
});
const hostile = [...Object.values(WORK), ...Object.values(MEMORY), ...Object.values(DEPTH)];

const escaped = [];
process.on("unhandledRejection", (reason) => escaped.push(String(reason)));
process.on("uncaughtException", (error) => escaped.push(String(error)));
const runtime = createRuntime({
  catalog: createCatalog(tools),
  permission: { "*": "allow" },
  isolation,
  workers,
  limits: { computeMs: 400, wallMs: 20_000, memoryBytes: 67_108_864 },
});
for (let i = 0; i < 5; i++) await runtime.execute(ordinary(i).code);
// The numbers of a warm run: the host's own code is compiled, one worker is ready.
const warm = [];
for (let i = 0; i < 30; i++) {
  const from = performance.now();
  await runtime.execute("return 1");
  warm.push(performance.now() - from);
}

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
// On a busy machine the host waits for a processor too. What it was itself busy with, without turning its loop, is the stall that counts.
const onCpu = () => {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return undefined;
  }
};
let busiest = 0;
let before = onCpu();
const ticks = setInterval(() => {
  const now = onCpu();
  if (now !== undefined) busiest = Math.max(busiest, now - before);
  before = now;
}, 5);
const started = performance.now();
const wrong = [];
const endings = {};
await Promise.all(
  Array.from({ length: count }, (_, i) => [
    (async () => {
      const { code, expected } = ordinary(i);
      const outcome = await runtime.execute(code);
      if (JSON.stringify(outcome.value) !== expected) wrong.push(JSON.stringify(outcome.error ?? outcome.value)?.slice(0, 300));
    })(),
    (async () => {
      const outcome = await runtime.execute(hostile[(i * 13) % hostile.length]);
      const ending = outcome.status === "failed" ? (outcome.error.limit ?? outcome.error.kind) : "completed";
      endings[ending] = (endings[ending] ?? 0) + 1;
    })(),
  ]).flat(),
);
delay.disable();
clearInterval(ticks);
const wall = performance.now() - started;
const after = await runtime.execute("return 1");
await runtime.close();
process.stdout.write(
  `${JSON.stringify({ wrong, endings, escaped, after: after.value, stallMs: Math.round(delay.max / 1e5) / 10, busyMs: before === undefined ? null : Math.round(busiest * 10) / 10, meanMs: Math.round(delay.mean / 1e5) / 10, wallMs: Math.round(wall), warmMs: warm.sort((a, b) => a - b)[15], warmMinMs: warm[0], rssMb: Math.round(process.resourceUsage().maxRSS / 1024) })}\n`,
);
process.exit(0);
