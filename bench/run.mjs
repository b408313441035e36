// The benchmark: node bench/run.mjs [options]. What the options are: bench/README.md, or --help.
//
// Each cell (engine, workload, mode, repetition) is a process of its own, and the engines take turns, so that the machine's moods meet all.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { bundle } from "../packages/interpreter/bundle.mjs";
import { ENGINES, LIMITS, engineNamed, isInstalled } from "./engines.mjs";
import { MODES, markdown } from "./report.mjs";
import { WORKLOADS, sourceOf } from "./workloads.mjs";

const HELP = `pnpm bench [options]
  --engines a,b     ${ENGINES.map((engine) => engine.name).join(", ")}
  --workloads a,b   ${WORKLOADS.map((workload) => workload.name).join(", ")}
  --modes a,b       ${MODES.join(", ")} (cold, first and warm are one process)
  --reps n          repetitions of each cell, each in its own process (5)
  --budget ms       how long a cell repeats (700)
  --timeout ms      after which a cell's process is ended (90000)
  --metric m        wall, cpu (of the process) or least: what the tables show (wall)
  --json file       the results, also there
  --quick           1 repetition, 300 ms, first and warm, without sval and ses
  --with-isolated-vm   installs isolated-vm, which compiles for some minutes
  --baseline folder    another build of packages/interpreter/dist, as the engine "baseline"`;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { values: options } = parseArgs({
  options: {
    engines: { type: "string" },
    workloads: { type: "string" },
    modes: { type: "string" },
    reps: { type: "string" },
    budget: { type: "string" },
    timeout: { type: "string", default: "90000" },
    metric: { type: "string", default: "wall" },
    json: { type: "string" },
    quick: { type: "boolean", default: false },
    "with-isolated-vm": { type: "boolean", default: false },
    baseline: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const { quick } = options;
const reps = Number(options.reps ?? (quick ? 1 : 5));
const budgetMs = Number(options.budget ?? (quick ? 300 : 700));
const modes = pick(options.modes, MODES, quick ? ["cold", "first", "warm"] : MODES);
const workloads = pick(
  options.workloads,
  WORKLOADS.map((workload) => workload.name),
).map((name) => WORKLOADS.find((workload) => workload.name === name));
const wanted = pick(
  options.engines,
  ENGINES.map((engine) => engine.name),
  ENGINES.map((engine) => engine.name).filter((name) => name !== "baseline" && !(quick && (name === "sval" || name === "ses"))),
);
if (options.baseline !== undefined && !wanted.includes("baseline")) wanted.push("baseline");

await bundle();
install();
const missing = wanted.filter((name) => !isInstalled(engineNamed(name)));
const engines = wanted.filter((name) => !missing.includes(name)).map(engineNamed);

const results = {
  when: new Date().toISOString(),
  node: process.version,
  machine: `${os.cpus()[0]?.model.trim() ?? "unknown processor"}, ${os.cpus().length} cores, ${os.platform()} ${os.arch()}`,
  metric: options.metric,
  reps,
  budgetMs,
  load: [os.loadavg()[0]],
  notes: missing.map((name) => `${name} is not installed${name === "isolated-vm" ? " (--with-isolated-vm)" : ""}`),
  versions: {},
  /** Engines that compile a source anew with each run: their warm figures are those of `again` too. */
  compilesEachTime: engines.filter((engine) => !engine.compilesOnce).map((engine) => engine.name),
  /** engine → workload → mode → one entry for each repetition. */
  cells: {},
  /** engine → workload → mode → why there is no figure. */
  failures: {},
};

const expected = new Map();
for (const workload of workloads) {
  const answer = await cell(engineNamed("native"), workload, "polluted", 1);
  expected.set(workload.name, answer.value);
}
const processes = ["fresh", "again", "polluted"].filter((mode) => modes.some((name) => processOf(name) === mode));
for (let rep = 0; rep < reps; rep++) {
  for (const workload of workloads) {
    for (const mode of processes) {
      if (workload.kind === "memory" && mode !== "fresh") continue;
      for (const engine of engines) await measure(engine, workload, mode, rep);
    }
  }
  results.load.push(os.loadavg()[0]);
}
save();

async function measure(engine, workload, mode, rep) {
  if (mode === "again" && !engine.compilesOnce) return; // it compiles each time anyhow: `warm` says it
  const failures = ((results.failures[engine.name] ??= {})[workload.name] ??= {});
  if (failures[mode] !== undefined) return;
  const cells = ((results.cells[engine.name] ??= {})[workload.name] ??= {});
  if (rep > 0 && Object.values(cells).some(([first]) => first.wall > 10_000)) return; // too slow to repeat
  const answer = await cell(engine, workload, mode, budgetMs);
  if (answer.status === "ok" && answer.value !== expected.get(workload.name)) {
    answer.status = "wrong";
    answer.message = `${answer.value?.slice(0, 160)} instead of ${expected.get(workload.name)?.slice(0, 160)}`;
  }
  if (answer.status === "ok") {
    results.versions[engine.name] = answer.version;
    for (const [name, figures] of Object.entries(answer.cells)) {
      if (workload.kind === "memory" || modes.includes(name))
        (cells[name] ??= []).push(typeof figures === "number" ? { wall: figures, cpu: figures, least: figures, runs: 1 } : figures);
    }
  } else failures[mode] = { status: answer.status, message: answer.message };
  const told =
    answer.status === "ok"
      ? Object.entries(answer.cells)
          .map(([name, figures]) => `${name} ${(figures.wall ?? figures).toFixed(2)}`)
          .join(", ")
      : `${answer.status}: ${answer.message}`;
  console.error(`${rep + 1}/${reps} ${workload.name} ${engine.name}: ${told}`);
}

function cell(engine, workload, mode, budget) {
  const task = {
    file: engine.file,
    source: sourceOf(workload),
    kind: workload.kind,
    count: budget === 1 ? 1 : workload.count,
    records: workload.records,
    mode,
    budgetMs: budget,
    limits: LIMITS,
  };
  const baseline = engine.name === "baseline" ? pathToFileURL(options.baseline.replace(/\/*$/, "/")).href : "";
  const child = spawn(process.execPath, [...(engine.flags ?? []), here("cell.mjs"), JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TZ: "UTC", BENCH_BASELINE: baseline },
  });
  return new Promise((resolve) => {
    let out = "";
    let err = "";
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, Number(options.timeout));
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (err = (err + data).slice(-2_000)));
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const line = out.split("\n").findLast((text) => text.startsWith("@@"));
      if (isLate) resolve({ status: "timeout", message: `over ${Number(options.timeout) / 1000} s` });
      else if (line !== undefined) resolve(JSON.parse(line.slice(2)));
      else
        resolve({ status: "crash", message: `exit ${code ?? signal}: ${/.*(?:Error|FATAL|abort).*/i.exec(err)?.[0].slice(0, 200) ?? ""}` });
    });
  });
}

function install() {
  const peers = wanted.map(engineNamed).filter((engine) => engine.needs?.startsWith("peers/node_modules/"));
  if (peers.some((engine) => !isInstalled(engine))) ci("peers");
  if (options["with-isolated-vm"] && !isInstalled(engineNamed("isolated-vm"))) ci("peers/isolated-vm");
}

function ci(folder) {
  execFileSync("npm", ["ci", "--prefix", here(folder), "--no-audit", "--no-fund"], {
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
}

function save() {
  const text = markdown(results);
  mkdirSync(here("results"), { recursive: true });
  const name = `results/${results.when.slice(0, 19).replaceAll(":", "")}`;
  const json = JSON.stringify(results, null, 1) + "\n";
  writeFileSync(here(`${name}.md`), text);
  for (const file of [here(`${name}.json`), here("results/latest.json"), options.json]) if (file !== undefined) writeFileSync(file, json);
  console.log(text);
}

function processOf(mode) {
  if (mode === "again") return "again";
  return mode.startsWith("polluted") ? "polluted" : "fresh";
}

function pick(text, known, otherwise = known) {
  if (text === undefined) return [...otherwise];
  const names = text.split(",").filter(Boolean);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    console.error(`There is no "${unknown}". There are: ${known.join(", ")}.`);
    process.exit(2);
  }
  return names;
}
