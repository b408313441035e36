// pnpm test262 --dir PATH [--filter GLOB] [--json FILE] [--jobs N] [--update]
//
// Runs the files under test/language and test/built-ins of a checkout of tc39/test262 and compares with expectations.txt.

import { execFileSync, fork } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync, existsSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { parseArgs } from "node:util";

const { values: args } = parseArgs({
  options: { dir: { type: "string" }, filter: { type: "string" }, json: { type: "string" }, jobs: { type: "string", default: "2" }, update: { type: "boolean" }, revision: { type: "string" }, quiet: { type: "boolean" } },
});
if (args.dir === undefined || !existsSync(join(args.dir, "harness"))) {
  console.error("usage: pnpm test262 --dir PATH [--filter GLOB] [--json FILE] [--jobs N] [--update] [--revision HASH]\nPATH is a checkout of tc39/test262.");
  process.exit(2);
}
const EXPECTATIONS = new URL("expectations.txt", import.meta.url);
const SILENT_MS = 60_000;

function* walk(folder) {
  for (const entry of readdirSync(join(args.dir, "test", folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(path);
    else if (path.endsWith(".js") && !path.endsWith("_FIXTURE.js")) yield path;
  }
}

const match = args.filter === undefined ? () => true : (path) => path.startsWith(args.filter) || (matchesGlob?.(path, args.filter) ?? path.includes(args.filter.replaceAll("*", "")));
const paths = [...walk("language"), ...walk("built-ins")].filter(match);
const results = new Map();
const queue = [];
const CHUNK = 50;
for (let i = 0; i < paths.length; i += CHUNK) queue.push(paths.slice(i, i + CHUNK));
const began = Date.now();

function progress() {
  if (args.quiet || !process.stderr.isTTY) return;
  process.stderr.write(`\r${results.size} of ${paths.length}`);
}

function worker() {
  return new Promise((resolve) => {
    let current = null;
    let pending = [];
    let child;
    let timer;
    const start = () => {
      child = fork(new URL("child.mjs", import.meta.url), [args.dir], { execArgv: ["--stack-size=7000", "--max-old-space-size=3000"], stdio: ["ignore", "ignore", "pipe", "ipc"] });
      let err = "";
      child.stderr.on("data", (d) => (err = (err + d).slice(-2000)));
      child.on("message", (m) => {
        clearTimeout(timer);
        timer = setTimeout(() => child.kill("SIGKILL"), SILENT_MS);
        if (m.started !== undefined) current = m.started;
        else if (m.result !== undefined) {
          results.set(m.result.path, m.result);
          pending = pending.filter((p) => p !== m.result.path);
          current = null;
          progress();
        } else if (m.idle) next();
      });
      child.on("exit", (code, signal) => {
        clearTimeout(timer);
        if (code === 0 && pending.length === 0) return;
        if (current !== null) {
          results.set(current, { path: current, status: "failed", reason: `crash: ${signal ?? code} ${err.match(/.*(Error|FATAL).*/)?.[0]?.slice(0, 200) ?? ""}` });
          pending = pending.filter((p) => p !== current);
          current = null;
        }
        if (pending.length > 0) queue.unshift(pending);
        pending = [];
        if (queue.length > 0) start();
        else resolve();
      });
    };
    const next = () => {
      const chunk = queue.shift();
      if (chunk === undefined) {
        clearTimeout(timer);
        child.removeAllListeners("exit");
        child.on("exit", () => resolve());
        child.disconnect();
        child.kill();
        return;
      }
      pending = chunk;
      child.send({ paths: chunk });
    };
    start();
  });
}

await Promise.all(Array.from({ length: Math.max(1, Number(args.jobs)) }, worker));
const all = paths.map((p) => results.get(p) ?? { path: p, status: "failed", reason: "not run" });

// Report ---------------------------------------------------------------------------------------------------------------------------

function revision() {
  if (args.revision !== undefined) return args.revision;
  try {
    return execFileSync("git", ["-C", args.dir, "rev-parse", "HEAD"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "unknown";
  }
}
const rate = (list) => {
  const passed = list.filter((r) => r.status === "passed").length;
  const failed = list.filter((r) => r.status === "failed").length;
  return { passed, failed, out: list.length - passed - failed, text: `${passed} of ${passed + failed} (${((100 * passed) / Math.max(1, passed + failed)).toFixed(2)} %), ${list.length - passed - failed} out of scope` };
};
const totals = Object.fromEntries(["language", "built-ins"].map((top) => [top, rate(all.filter((r) => r.path.startsWith(`${top}/`)))]));
if (!args.quiet) process.stderr.write("\r");
for (const [top, t] of Object.entries(totals)) console.log(`${top}: ${t.text}`);
console.log(`${all.length} files in ${((Date.now() - began) / 1000).toFixed(0)} s`);
if (args.json !== undefined) writeFileSync(args.json, JSON.stringify({ revision: revision(), results: all }, null, 1));

const failing = all.filter((r) => r.status === "failed");
if (args.update) {
  const head = [
    "# Files of test262 that fail, each with what happened. Written by `pnpm test262 --dir PATH --update`.",
    `# revision ${revision()}`,
    ...Object.entries(totals).map(([top, t]) => `# ${top}: ${t.text}`),
  ];
  writeFileSync(EXPECTATIONS, `${[...head, ...failing.map((r) => `${r.path}\t${r.reason.replace(/\s+/g, " ").slice(0, 160)}`)].join("\n")}\n`);
  console.log(`wrote ${failing.length} expectations`);
} else {
  const expected = new Set(existsSync(EXPECTATIONS) ? readFileSync(EXPECTATIONS, "utf8").split("\n").filter((l) => l !== "" && !l.startsWith("#")).map((l) => l.split("\t")[0]) : []);
  const news = failing.filter((r) => !expected.has(r.path));
  const fixed = all.filter((r) => r.status === "passed" && expected.has(r.path));
  for (const r of news) console.log(`newly fails: ${r.path}: ${r.reason}`);
  for (const r of fixed) console.log(`newly passes: ${r.path}`);
  process.exitCode = news.length > 0 ? 1 : 0;
}
