// Conformance programs with recorded answers, in this process; and programs that try the sandbox, each in a process of its own with
// checks of the host. What they are is told in the shared folder's cases/README.md.

import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { run } from "@airlock/interpreter";
import { sharedPath } from "./shared.js";

const conformance = sharedPath("cases", "conformance");
const sandbox = sharedPath("cases", "sandbox");

function casesIn(folder: string | undefined): string[] {
  return folder === undefined ? [] : readdirSync(folder).filter((file) => file.endsWith(".js"));
}

function header(source: string, key: string): string | undefined {
  return new RegExp(`^// ${key}: (.*)$`, "m").exec(source)?.[1];
}

/** Where the recorded answer of Node 20 is not ours, and why. */
const DIFFERS: { [file: string]: string } = {
  "033-callbacks-get-right-arguments.js": "a reviver of JSON.parse gets a third argument by now",
};

describe.skipIf(conformance === undefined)("conformance", () => {
  test.each(casesIn(conformance))("%s", async (file) => {
    const source = readFileSync(join(conformance!, file), "utf8");
    if (header(source, "needs") === "sloppy") return; // programs are strict
    const outcome = await run(source);
    if (DIFFERS[file] !== undefined) {
      console.log(`${file}: ${DIFFERS[file]}`);
      return;
    }
    if (outcome.status === "failed") expect(outcome.error).toBeUndefined();
    else expect(outcome.value).toEqual(JSON.parse(readFileSync(join(conformance!, file.replace(/\.js$/, ".json")), "utf8")));
  });
});

type End = "ok" | "not-ok" | "limit" | "refused" | "error";

const ALLOWED: { [outcome: string]: End[] } = {
  ok: ["ok"],
  "ok-or-refused": ["ok", "refused"],
  "ok-or-limit": ["ok", "limit"],
  "limit-or-ok": ["ok", "limit"],
  limit: ["limit"],
  "limit-or-error": ["limit", "error"],
  "ok-or-error": ["ok", "error"],
  error: ["error"],
  "any-bounded": ["ok", "limit", "error", "refused"],
};

interface Report {
  end: End;
  faults: string[];
  shown?: string;
}

const CHILD = fileURLToPath(new URL("cases/sandbox-child.mjs", import.meta.url));
const KILL_MS = 30_000;
const AT_ONCE = 2;
let free = AT_ONCE;
const waiting: (() => void)[] = [];

/** Runs a case in a process of its own; at most AT_ONCE at a time. */
async function inChild(path: string): Promise<Report> {
  if (free > 0) free--;
  else await new Promise<void>((go) => waiting.push(go));
  try {
    return await new Promise((resolve) => {
      const child = spawn(process.execPath, ["--max-old-space-size=1024", CHILD, path], {
        stdio: ["ignore", "pipe", "pipe"],
        env: { PATH: process.env.PATH, TZ: "America/New_York" },
      });
      const timer = setTimeout(() => child.kill("SIGKILL"), KILL_MS);
      let out = "";
      let err = "";
      child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        const last = out.trim().split("\n").pop() ?? "";
        if (last.startsWith("{")) resolve(JSON.parse(last) as Report);
        else resolve({ end: "error", faults: [`the process ended (${signal ?? code}): ${err.slice(-600)}`] });
      });
    });
  } finally {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  }
}

describe.skipIf(sandbox === undefined)("sandbox", () => {
  test.concurrent.each(casesIn(sandbox))(
    "%s",
    async (file) => {
      const path = join(sandbox!, file);
      const source = readFileSync(path, "utf8");
      const report = await inChild(path);
      const allowed = [...ALLOWED[header(source, "outcome") ?? "ok"]];
      if (header(source, "needs") !== undefined) allowed.push("refused");
      expect(report.faults, `${basename(file)}: ${report.shown}`).toEqual([]);
      expect(allowed, report.shown).toContain(report.end);
    },
    120_000,
  );
});
