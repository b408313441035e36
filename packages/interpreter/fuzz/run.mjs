// The fuzzer: programs and values by mutation and from a grammar, and what must hold after each (check.mjs).
//   node run.mjs [--minutes 10] [--seconds S] [--seed N] [--jobs 2] [--only INDEX] [--out FOLDER]
// Prints its seed; the same seed gives the same programs. A program with a fault is made smaller and written into FOLDER.

import { fork } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { faultOf, shrink } from "./shrink.mjs";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    seconds: { type: "string" },
    seed: { type: "string" },
    jobs: { type: "string" },
    only: { type: "string" },
    out: { type: "string" },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const ms = values.seconds !== undefined ? Number(values.seconds) * 1_000 : Number(values.minutes ?? 10) * 60_000;
const jobs = Number(values.jobs ?? 2);
const out = values.out ?? join(tmpdir(), "airlock-fuzz");
const CHILD = fileURLToPath(new URL("child.mjs", import.meta.url));
/** A program that takes longer is stuck: all its limits are far below. */
const STUCK_MS = 30_000;
/** For all faults together: what is found is told in any case. */
const SHRINK_MS = 120_000;

console.log(`Fuzzing for ${Math.round(ms / 1000)} s, seed ${seed}.`);
const end = Date.now() + ms;
const endings = new Map();
const faults = [];
let tried = 0;
let next = 0;

if (values.only !== undefined) {
  const { run } = await import("../dist/src/index.js");
  const { Programs } = await import("./programs.mjs");
  const program = (await Programs.create(seed, run)).at(Number(values.only));
  console.log(program);
  console.log(await faultOf(program, seed, Number(values.only)));
  process.exit(0);
}

await Promise.all(Array.from({ length: jobs }, series));
const shrinkUntil = Date.now() + SHRINK_MS;
for (const fault of faults) await tell(fault);
console.log(
  `${tried} programs: ${[...endings]
    .sort((a, b) => b[1] - a[1])
    .map(([status, n]) => `${status} ${n}`)
    .join(", ")}.`,
);
console.log(faults.length === 0 ? "Nothing found." : `${faults.length} faults, in ${out}.`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Processes one after the other, until the time is up. */
async function series() {
  while (Date.now() < end && faults.length < 20) await batch();
}

function batch() {
  const from = next;
  next += 2_000;
  return new Promise((resolve) => {
    const child = fork(CHILD, [String(seed), String(from), "1"], { execArgv: ["--max-old-space-size=1024"], silent: true });
    let current = from;
    let since = Date.now();
    let ended = false;
    let err = "";
    child.stderr.on("data", (chunk) => (err = (err + chunk).slice(-4_000)));
    const watch = setInterval(() => {
      if (Date.now() > end) {
        ended = true;
        child.kill("SIGKILL");
      } else if (Date.now() - since > STUCK_MS) {
        faults.push({ index: current, fault: { kind: "dead", text: `stuck for ${STUCK_MS} ms` } });
        ended = true;
        child.kill("SIGKILL");
      }
    }, 200);
    child.on("message", (message) => {
      since = Date.now();
      if (message.start !== undefined) current = message.start;
      else {
        tried++;
        endings.set(message.status, (endings.get(message.status) ?? 0) + 1);
        if (message.fault !== null) {
          faults.push({ index: message.end, fault: message.fault, program: message.program });
          next = Math.min(next, current + 1 > next - 2_000 ? current + 1 : next);
        }
      }
    });
    child.on("exit", (code, signal) => {
      clearInterval(watch);
      if (!ended && code !== 0)
        faults.push({
          index: current,
          fault: { kind: "dead", text: `the process ended with ${signal ?? code}: ${err.match(/(FATAL ERROR|\w*Error).*/)?.[0] ?? ""}` },
        });
      resolve();
    });
  });
}

async function tell({ index, fault, program }) {
  const { run } = await import("../dist/src/index.js");
  const { Programs } = await import("./programs.mjs");
  const text = program ?? (await Programs.create(seed, run)).at(index);
  const again = await faultOf(text, seed, index);
  const small = again?.kind === fault.kind ? await shrink(text, fault.kind, seed, index, shrinkUntil) : text;
  mkdirSync(out, { recursive: true });
  const file = join(out, `${fault.kind}-${seed}-${index}.js`);
  writeFileSync(file, `// seed ${seed}, program ${index}: ${fault.text.replaceAll("\n", " ")}\n${small}\n`);
  console.log(
    `FAULT ${fault.kind} (program ${index}${again?.kind === fault.kind ? "" : ", not shown again alone"}): ${fault.text}\n  ${file}`,
  );
}
