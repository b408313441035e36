// One measurement in a process of its own: node cell.mjs <task as JSON>. Writes one line, "@@" and the result as JSON.
//
// task: { file (the engine's adapter), source, kind, count, records, mode: "fresh" | "again" | "polluted", budgetMs, limits }
//   fresh: the first run, then the same source again and again.   again: each run has a source of its own, so that it is compiled.
//   polluted: as fresh, after ten other programs.

import { existsSync, readFileSync, writeSync } from "node:fs";
import { OTHERS } from "./others.mjs";
import { prepareRecords, tools } from "./tools.mjs";

const task = JSON.parse(process.argv[2]);
const { source, kind, budgetMs, limits } = task;

function finish(result) {
  writeSync(1, `\n@@${JSON.stringify(result)}\n`);
  process.exit(0);
}
function fail(error) {
  const text = `${error?.name ?? ""} ${error?.message ?? error}`;
  const status =
    error?.limit ??
    (error?.kind === "syntax" || error?.kind === "unsupported" || /SyntaxError|Unexpected token/.test(text) ? "unsupported" : "error");
  finish({ status, message: text.trim().slice(0, 200) });
}
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

const cpuSince = (start) => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const summary = (runs) => ({
  runs: runs.length,
  wall: median(runs.map((run) => run.wall)),
  cpu: median(runs.map((run) => run.cpu)),
  least: Math.min(...runs.map((run) => run.wall)),
});

if (task.records) prepareRecords();
const start = performance.now();
const startCpu = process.cpuUsage();
const engine = await import(new URL(task.file, import.meta.url));
await engine.create();
const load = { wall: performance.now() - start, cpu: cpuSince(startCpu) };

/** One more source with the same meaning, that nobody has compiled yet. */
let copies = 0;
const another = () => `${source}\n// ${++copies}\n`;

async function once(text) {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const value = await engine.run(text, tools, limits);
  return { wall: performance.now() - begin, cpu: cpuSince(cpu), value };
}

async function repeat(text) {
  const runs = [];
  const end = performance.now() + budgetMs;
  while (runs.length < 500 && (performance.now() < end || runs.length < 2)) runs.push(await once(text()));
  return summary(runs);
}

/** The time of each of many runs, one after another. */
async function many(text) {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  let runs = 0;
  while (runs < task.count && performance.now() - begin < 8_000) {
    await engine.run(text(), tools, limits);
    runs++;
  }
  const wall = (performance.now() - begin) / runs;
  return { runs, wall, cpu: cpuSince(cpu) / runs, least: wall };
}

/** The peak of this process. (On Linux, maxRSS starts with what the parent had when it forked.) */
function peakMb() {
  const kilobytes = existsSync("/proc/self/status") && /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return (Number(kilobytes) || process.resourceUsage().maxRSS) / 1024;
}

try {
  if (task.mode === "polluted") for (const other of OTHERS) await engine.run(other, tools, limits);
  const measure = kind === "many" ? many : repeat;
  const result = { status: "ok", version: engine.version };
  const first = await once(source);
  result.value = JSON.stringify(first.value);
  if (kind === "memory") finish({ ...result, cells: { memory: peakMb() } });
  const firstCell = { runs: 1, wall: first.wall, cpu: first.cpu, least: first.wall };
  const isSlow = first.wall > 12_000;
  const repeated = isSlow ? firstCell : await measure(task.mode === "again" ? another : () => source);
  if (task.mode === "again") result.cells = { again: repeated };
  else if (task.mode === "polluted") result.cells = { "polluted-first": firstCell, polluted: repeated };
  else
    result.cells = {
      cold: { ...firstCell, wall: load.wall + first.wall, cpu: load.cpu + first.cpu, least: load.wall + first.wall },
      first: firstCell,
      warm: repeated,
    };
  finish(result);
} catch (error) {
  fail(error);
}
