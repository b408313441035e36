// Where the time of a workload goes: node bench/profile.mjs <workload or file> [--first] [--callers] [--ms n] [--top n] [--build folder]
//
// Profiles Airlock in this process with V8's sampler: warm, or the first run (--first). Prints the own share of each function of ours, and
// with --callers who calls it.

import { Session } from "node:inspector/promises";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { bundle } from "../packages/interpreter/bundle.mjs";
import { prepareRecords, tools } from "./tools.mjs";
import { WORKLOADS, sourceOf } from "./workloads.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    first: { type: "boolean" },
    callers: { type: "boolean" },
    build: { type: "string" },
    ms: { type: "string", default: "3000" },
    top: { type: "string", default: "25" },
  },
});
process.env.BENCH_BASELINE = options.build === undefined ? "" : pathToFileURL(options.build.replace(/\/*$/, "/")).href;
await bundle();
const engine = await import("./engines/airlock.mjs");
await engine.create();

const texts = new Map();
const workload = WORKLOADS.find(({ name }) => name === positionals[0]);
const source = workload === undefined ? readFileSync(positionals[0], "utf8") : sourceOf(workload);
if (workload === undefined || workload.records) prepareRecords();

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 200 });

if (!options.first) await repeat(Number(options.ms) / 3);
await session.post("Profiler.start");
const count = await repeat(options.first ? 0 : Number(options.ms));
const { profile } = await session.post("Profiler.stop");
report(profile, count);

async function repeat(ms) {
  const end = performance.now() + ms;
  let runs = 0;
  do {
    await engine.run(source, tools);
    runs++;
  } while (performance.now() < end);
  return runs;
}

function report({ nodes, samples, timeDeltas }, runs) {
  const own = new Map(nodes.map((node) => [node.id, 0]));
  samples.forEach((id, i) => own.set(id, own.get(id) + timeDeltas[i]));
  const parents = new Map();
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node);
  const total = nodes.reduce((sum, node) => sum + (isIdle(node.callFrame) ? 0 : own.get(node.id)), 0);
  const shares = new Map();
  const callers = new Map();
  for (const node of nodes) {
    if (isIdle(node.callFrame)) continue;
    const name = nameOf(node.callFrame);
    const time = own.get(node.id);
    shares.set(name, (shares.get(name) ?? 0) + time);
    const parent = parents.get(node.id);
    if (parent === undefined) continue;
    const from = callers.get(name) ?? new Map();
    callers.set(name, from.set(nameOf(parent.callFrame), (from.get(nameOf(parent.callFrame)) ?? 0) + time));
  }
  const percent = (time) => ((100 * time) / total).toFixed(1).padStart(5) + " %";
  console.log(`${(total / 1000 / runs).toFixed(2)} ms a run, ${runs} runs`);
  for (const [name, time] of [...shares].toSorted((a, b) => b[1] - a[1]).slice(0, Number(options.top))) {
    console.log(`${percent(time)}  ${name}`);
    if (options.callers)
      for (const [from, part] of [...(callers.get(name) ?? [])].toSorted((a, b) => b[1] - a[1]).slice(0, 3))
        if (part > 0.1 * time) console.log(`           ${percent(part)}  from ${from}`);
  }
}

/** Not our work: waiting, and the profiler's own. */
function isIdle({ functionName, url }) {
  return url === "" && ["(idle)", "(program)", "(root)", "dispatch"].includes(functionName);
}

/** With the text of the line, as most functions of the compiler have no name. */
function nameOf({ functionName, url, lineNumber }) {
  if (url === "") return functionName || "(anonymous)";
  const place = `${url.replace(/^.*\/dist\//, "").replace(/^.*\/node_modules\//, "")}:${lineNumber + 1}`;
  return functionName && !url.includes("/compile/") ? `${functionName} ${place}` : `${place}  ${lineOf(url, lineNumber)}`;
}

function lineOf(url, line) {
  if (!url.startsWith("file:")) return "";
  if (!texts.has(url)) texts.set(url, readFileSync(new URL(url), "utf8").split("\n"));
  return texts.get(url)[line]?.trim().slice(0, 90) ?? "";
}
