// How Airlock scales: node bench/scale.mjs [part …]   (parts: executes, memory, rows, copy, catalog; all without)
//
// Each part is a process of its own. Times are processor time of that process, medians of the rounds.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createCatalog } from "../packages/catalog/dist/src/index.js";
import { run } from "../packages/interpreter/dist/index.js";
import { createRuntime } from "../packages/runtime/dist/src/index.js";

/** Processor time in milliseconds that `f` takes: the median of `rounds`. */
async function cpu(f, rounds = 5) {
  const times = [];
  for (let i = 0; i < rounds; i++) {
    const before = process.cpuUsage();
    await f(i);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return median(times);
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

function table(title, head, lines) {
  console.log(`\n## ${title}\n\n| ${head.join(" | ")} |\n| ---${" | ---:".repeat(head.length - 1)} |`);
  for (const line of lines) console.log(`| ${line.join(" | ")} |`);
}

const tool = (server, name, execute) => ({ server, name, description: `Gives ${name}.`, inputSchema: { type: "object" }, execute });

/** A small program as models write them: two calls, a filter, a sum. */
const SMALL = `const { items } = await tools.shop.list({ page: 1 });
const cheap = items.filter((item) => item.price < 50);
const rate = await tools.shop.rate({ currency: "EUR" });
return { count: cheap.length, total: cheap.reduce((sum, item) => sum + item.price * rate, 0) };`;

function shop() {
  const items = Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}`, price: id * 5 }));
  return createCatalog([tool("shop", "list", async () => ({ items })), tool("shop", "rate", async () => 1.5)]);
}

async function executes() {
  const count = 2_000;
  const lines = [];
  for (const isolation of ["none", "worker"]) {
    const runtime = createRuntime({ catalog: shop(), permission: { "*": "allow" }, isolation });
    for (const [what, source] of [
      ["the same source", () => SMALL],
      ["a new source each time", (i) => `${SMALL} // ${i}`],
    ]) {
      for (let i = 0; i < 300; i++) await runtime.execute(source(-1 - i));
      const rounds = [];
      const ms = await cpu(async (round) => {
        const from = performance.now();
        for (let i = 0; i < count; i++) {
          const outcome = await runtime.execute(source(round * count + i));
          if (outcome.status !== "completed") throw new Error(outcome.error.message);
        }
        rounds.push(performance.now() - from);
      }, 3);
      lines.push([`${isolation}, ${what}`, Math.round((count * 1_000) / ms), Math.round((count * 1_000) / median(rounds))]);
    }
    await runtime.close();
  }
  table("Executes a second, one after another", ["a program with two calls", "per second of processor time", "per second"], lines);
}

async function memory() {
  const lines = [];
  for (const [isolation, count] of [
    ["none", 1_000],
    ["worker", 20],
  ]) {
    const catalog = shop();
    const warm = createRuntime({ catalog, permission: { "*": "allow" }, isolation });
    await warm.execute(SMALL);
    globalThis.gc();
    const before = process.memoryUsage();
    const idle = [];
    for (let i = 0; i < count; i++) {
      const runtime = createRuntime({ catalog, permission: { "*": "allow" }, isolation });
      await runtime.execute(SMALL);
      idle.push(runtime);
    }
    globalThis.gc();
    const after = process.memoryUsage();
    lines.push([
      isolation,
      count,
      isolation === "worker" ? "its own" : Math.round((after.heapUsed - before.heapUsed) / count / 1_024),
      Math.round((after.rss - before.rss) / count / 1_024),
    ]);
    await Promise.all([warm, ...idle].map((runtime) => runtime.close()));
  }
  table("Memory of an idle runtime that has run a program", ["isolation", "runtimes", "heap each (KB)", "resident each (KB)"], lines);
}

const ROWS = {
  "filter, map, reduce": `let rows = []; for (let i = 0; i < n; i++) rows.push({ id: i, price: i % 97, tag: i % 7 });
    return rows.filter((r) => r.tag < 3).map((r) => r.price * 2).reduce((a, b) => a + b, 0)`,
  "group by key": `const groups = {}; for (let i = 0; i < n; i++) { const key = "k" + (i % 1000); groups[key] = (groups[key] ?? 0) + i; }
    return Object.keys(groups).length`,
  "Map and Set": `const seen = new Map(); for (let i = 0; i < n; i++) seen.set(i, i); let sum = 0; for (const [k, v] of seen) sum += k - v; return [seen.size, sum]`,
  "text, joined and split": `const parts = []; for (let i = 0; i < n; i++) parts.push("row " + i); return parts.join("\\n").split("\\n").length`,
  "queue by shift": `const queue = []; for (let i = 0; i < n; i++) queue.push(i); let sum = 0; while (queue.length > 0) sum += queue.shift(); return sum`,
  "result of n rows": `const rows = []; for (let i = 0; i < n; i++) rows.push({ id: i, name: "n" + i }); return rows`,
  "sort (n log n)": `const rows = []; for (let i = 0; i < n; i++) rows.push((i * 7919) % 1000003); rows.sort((a, b) => a - b); return rows[0]`,
};

/** A shift moves all elements, in the host's arrays too: a queue of a million takes minutes in both. */
const MOST = { "queue by shift": 100_000 };

async function rows() {
  const sizes = [1_000, 10_000, 100_000, 1_000_000];
  const lines = [];
  const limits = { memoryBytes: 4 * 2 ** 30, steps: 1e12, computeMs: 60_000, wallMs: 60_000, resultBytes: 2 ** 30, arrayLength: 2 ** 25 };
  for (const [name, source] of Object.entries(ROWS)) {
    const times = [];
    for (const n of sizes.filter((size) => size <= (MOST[name] ?? Infinity))) {
      const once = async () => {
        const outcome = await run(source, { globals: { n }, limits });
        if (outcome.status !== "completed") throw new Error(`${name}, ${n}: ${outcome.error.message}`);
      };
      await once();
      times.push((await cpu(once, n < 1e6 ? 5 : 3)) / n);
    }
    lines.push([name, ...sizes.map((_, i) => (times[i] === undefined ? "" : (times[i] * 1e6).toFixed(0)))]);
  }
  table("Cost of a row (ns of processor time)", ["", ...sizes.map((n) => n.toLocaleString("en-US"))], lines);
}

async function copy() {
  const records = Array.from({ length: 48_000 }, (_, id) => ({
    id,
    name: `record number ${id}`,
    active: id % 2 === 0,
    score: id / 7,
    tags: ["red", "blue"],
    at: { line: id, column: 3 },
  }));
  const bytes = JSON.stringify(records).length;
  const tools = { t: { give: () => records, take: () => 1 } };
  const limits = { resultBytes: 2 ** 26 };
  const timed = async (source) => {
    const outcome = await run(source, { tools, limits });
    if (outcome.status !== "completed") throw new Error(outcome.error.message);
  };
  const ways = {
    structuredClone: async () => void structuredClone(records),
    "into the program (a call's result)": () => timed("await tools.t.give({}); return 1"),
    "into the program and out of it (the result)": () => timed("return await tools.t.give({})"),
  };
  const times = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
  for (let i = 0; i < 15; i++) for (const [way, f] of Object.entries(ways)) times[way].push(await cpu(f, 1));
  table(
    `Copies of 48,000 records (${(bytes / 1e6).toFixed(1)} MB as JSON), one after another in turns`,
    ["", "median (ms)", "least (ms)"],
    Object.entries(times).map(([way, list]) => [way, median(list).toFixed(0), Math.min(...list).toFixed(0)]),
  );
}

async function catalog() {
  const schema = (i) => ({
    type: "object",
    properties: { id: { type: "string", description: `The id of thing ${i}` }, limit: { type: "integer", minimum: 1, maximum: 100 } },
    required: ["id"],
  });
  const tools = Array.from({ length: 10_000 }, (_, i) => ({
    server: `server${i % 50}`,
    name: `${["list", "get", "create", "update", "delete"][i % 5]}_thing_${i}`,
    description: `Works on thing ${i} of the ${["billing", "calendar", "issues", "files"][i % 4]} service.`,
    inputSchema: schema(i),
    execute: () => 1,
  }));
  let made;
  const lines = [
    ["create", await cpu(() => void (made = createCatalog(tools)))],
    ["listing under its budget", await cpu(() => void createCatalog(tools).listing())],
    ["first search (the index is made)", await cpu(() => createCatalog(tools).search("create a calendar thing"), 3)],
    ["next search", (made.search("files"), await cpu(() => made.search("update billing thing 77")))],
    ["all signatures", await cpu(() => void createCatalog(tools).declarations(), 1)],
  ];
  const runtime = createRuntime({ catalog: made, permission: { "*": "allow" } });
  await runtime.execute("return 1");
  lines.push(["a run of a program with one call", await cpu(() => runtime.execute("return await tools.server7.get_thing_7 ? 1 : 0"), 21)]);
  await runtime.close();
  table(
    "A catalog of 10,000 tools",
    ["", "ms"],
    lines.map(([what, ms]) => [what, ms.toFixed(1)]),
  );
}

const PARTS = { executes, memory, rows, copy, catalog };
const CHILD = "--in-this-process";

if (process.argv[2] === CHILD) await PARTS[process.argv[3]]();
else {
  const parts = process.argv.slice(2);
  const unknown = parts.find((part) => !Object.hasOwn(PARTS, part));
  if (unknown !== undefined) {
    console.error(`There is no part ${unknown}: ${Object.keys(PARTS).join(", ")}.`);
    process.exit(2);
  }
  for (const part of parts.length > 0 ? parts : Object.keys(PARTS)) {
    const { status } = spawnSync(process.execPath, ["--expose-gc", fileURLToPath(import.meta.url), CHILD, part], { stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
}
