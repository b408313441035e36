// Runs one sandbox case in this process and reports, as one line of JSON, how it ended and what the host checks found.
//   node sandbox-child.mjs CASE.js

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { run } from "@airlock/interpreter";
import { makeFixtureTools } from "./fixture-tools.mjs";
import { changedIntrinsic, notPlain, snapshotIntrinsics } from "./host-checks.mjs";

const LIMITS = { computeMs: 2_500, wallMs: 6_000, toolMs: 1_500, memoryBytes: 134_217_728 };
const GRACE_MS = 4_000;
const MAX_RSS_BYTES = 1_400_000_000;
const QUIET_MS = 500;

const file = process.argv[2];
const source = readFileSync(file, "utf8");
const name = basename(file, ".js");
const faults = [];
process.on("unhandledRejection", (reason) => faults.push(`unhandledRejection: ${String(reason)}`));
process.on("uncaughtException", (error) => faults.push(`uncaughtException: ${String(error)}`));

await run("return 1"); // modules that load late are loaded
for (const key of Object.getOwnPropertyNames(globalThis)) void globalThis[key]; // Node makes some of its globals when they are first read
const host = makeFixtureTools();
let calls = 0;
const counted = (namespace) => {
  const copy = Object.create(null);
  for (const [key, tool] of Object.entries(namespace)) {
    copy[key] = (input) => {
      calls++;
      return tool(input);
    };
  }
  return copy;
};
const tools = { probe: counted(host.tools.probe), odd: counted(host.tools.odd) };
let logged = 0;
const options = { tools, limits: LIMITS, onLog: () => logged++ };

const before = snapshotIntrinsics();
const stackHook = Error.prepareStackTrace;
const stackLimit = Error.stackTraceLimit;
const started = performance.now();
const beside = name.includes("sibling") ? run(source, { ...options, seed: 2 }) : undefined;
let outcome = await run(source, options);
if (name.includes("earlier-run")) outcome = await run(source, options);
await beside;
const wall = performance.now() - started;
const callsAtEnd = calls;
const loggedAtEnd = logged;
await new Promise((done) => setTimeout(done, QUIET_MS));

const changed = changedIntrinsic(before);
if (changed !== null) faults.push(`host intrinsics: ${changed}`);
if (Error.prepareStackTrace !== stackHook || Error.stackTraceLimit !== stackLimit) faults.push("the stack hooks changed");
if (wall > LIMITS.wallMs + GRACE_MS) faults.push(`took ${Math.round(wall)} ms`);
const peak = process.resourceUsage().maxRSS * 1024;
if (peak > MAX_RSS_BYTES) faults.push(`used ${Math.round(peak / 1e6)} MB`);
const { stats: _, ...told } = outcome;
const odd =
  notPlain(told.status === "completed" ? told.value : told.error, 5_000_000) ??
  notPlain(told.logs, 1_500_000) ??
  notPlain(told.warnings, 500_000);
if (odd !== null) faults.push(`what came out ${odd}`);
const text = JSON.stringify(told.status === "completed" ? told.warnings : [told.error, told.warnings]);
if (/node:internal|file:\/\/|node_modules|\/dist\//.test(text)) faults.push("a text names the host's files");
if (calls !== callsAtEnd) faults.push("a tool was called after the end");
if (logged !== loggedAtEnd) faults.push("something was logged after the end");
const left = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout" || kind === "Immediate");
if (left.length > 0) faults.push(`left behind: ${left.join(", ")}`);

const kind = outcome.status === "failed" ? outcome.error.kind : "completed";
process.stdout.write(
  `${JSON.stringify({
    end:
      kind === "completed"
        ? outcome.value?.ok === true
          ? "ok"
          : "not-ok"
        : kind === "limit"
          ? "limit"
          : kind === "syntax" || kind === "unsupported"
            ? "refused"
            : "error",
    faults,
    shown: JSON.stringify(outcome.status === "failed" ? outcome.error : outcome.value)?.slice(0, 1500),
    wall: Math.round(wall),
    peakMb: Math.round(peak / 1e6),
  })}\n`,
);
process.exit(0);
