// Runs one case of the shared sandbox folder through the whole runtime, isolated, and reports as one line of JSON how it ended and what the
// host checks found.
//   node sandbox-child.mjs ISOLATION CASE.js

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { createCatalog } from "@airlock/catalog";
import { createRuntime } from "../../dist/src/index.js";
import { makeFixtureTools } from "../../../interpreter/test/cases/fixture-tools.mjs";
import { changedIntrinsic, notPlain, snapshotIntrinsics } from "../../../interpreter/test/cases/host-checks.mjs";

const LIMITS = { computeMs: 2_500, wallMs: 6_000, toolMs: 1_500, memoryBytes: 134_217_728 };
const GRACE_MS = 10_000;
const MAX_RSS_BYTES = 1_400_000_000;
const QUIET_MS = 500;

const [isolation, file] = process.argv.slice(2);
const source = readFileSync(file, "utf8");
const name = basename(file, ".js");
const faults = [];
process.on("unhandledRejection", (reason) => faults.push(`unhandledRejection: ${String(reason)}`));
process.on("uncaughtException", (error) => faults.push(`uncaughtException: ${String(error)}`));

const host = makeFixtureTools();
let calls = 0;
const tools = Object.entries(host.tools).flatMap(([server, namespace]) =>
  Object.entries(namespace).map(([tool, execute]) => ({
    server,
    name: tool,
    inputSchema: {},
    execute: (input) => {
      calls++;
      return execute(input);
    },
  })),
);
const catalog = createCatalog(tools);
const runtime = createRuntime({ catalog, permission: { "*": "allow" }, isolation, limits: LIMITS, workers: 2 });
let events = 0;
const execute = () => runtime.execute(source, { onEvent: () => events++ });

await runtime.execute("return 1"); // modules that load late are loaded, a worker is warm
for (const key of Object.getOwnPropertyNames(globalThis)) void globalThis[key]; // Node makes some of its globals when they are first read
const before = snapshotIntrinsics();
const stackHook = Error.prepareStackTrace;
const stackLimit = Error.stackTraceLimit;
const started = performance.now();
const beside = name.includes("sibling") ? execute() : undefined;
let outcome = await execute();
if (name.includes("earlier-run")) outcome = await execute();
await beside;
const wall = performance.now() - started;
const callsAtEnd = calls;
const eventsAtEnd = events;
await new Promise((done) => setTimeout(done, QUIET_MS));

const changed = changedIntrinsic(before);
if (changed !== null) faults.push(`host intrinsics: ${changed}`);
if (Error.prepareStackTrace !== stackHook || Error.stackTraceLimit !== stackLimit) faults.push("the stack hooks changed");
if (wall > LIMITS.wallMs + GRACE_MS) faults.push(`took ${Math.round(wall)} ms`);
const peak = process.resourceUsage().maxRSS * 1024;
if (peak > MAX_RSS_BYTES) faults.push(`used ${Math.round(peak / 1e6)} MB`);
const { stats: _, calls: __, ...told } = outcome;
const odd =
  notPlain(told.status === "completed" ? told.value : told.error, 5_000_000) ??
  notPlain(told.logs, 1_500_000) ??
  notPlain(told.warnings, 500_000);
if (odd !== null) faults.push(`what came out ${odd}`);
const text = JSON.stringify(told.status === "completed" ? told.warnings : [told.error, told.warnings]);
if (/node:internal|file:\/\/|node_modules|\/dist\/src\//.test(text)) faults.push("a text names the host's files");
if (calls !== callsAtEnd) faults.push("a tool was called after the end");
if (events !== eventsAtEnd) faults.push("something was told after the end");
if ((await runtime.execute("return 1")).value !== 1) faults.push("the next run does not work");
if (/catalog-characters|colliding-tool-names/.test(name)) faults.push(...catalogFaults());
await runtime.close();
await new Promise((done) => setImmediate(done));
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
  })}\n`,
);
process.exit(0);

/** What the model sees of the catalog: each tool once, without a character that could end its line or its comment. */
function catalogFaults() {
  const found = [];
  const listing = runtime.instructions().catalog;
  const declarations = catalog.declarations();
  for (const [what, shown] of Object.entries({ listing, declarations })) {
    // oxlint-disable-next-line no-control-regex -- these are the characters that must not be there
    if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(shown))
      found.push(`the ${what} has control characters`);
  }
  for (const { name: tool } of tools.filter(({ server }) => server === "odd")) {
    const resolved = catalog.resolve(pathOf(tool));
    if (!("tool" in resolved) || resolved.tool.name !== tool) found.push(`the tool ${JSON.stringify(tool)} is not found by its name`);
  }
  return found;
}

function pathOf(tool) {
  return /^[A-Za-z_$][\w$]*$/.test(tool) ? `tools.odd.${tool}` : `tools.odd[${JSON.stringify(tool)}]`;
}
