// The programs of the shared sandbox folder through the whole runtime, in workers; each in a host process of its own with checks of the
// host. (Without isolation they are run by the interpreter's tests.)

import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const shared = process.env.AIRLOCK_SHARED ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
const folder = join(shared, "cases", "sandbox");
const there = existsSync(folder);
if (!there) console.log(`Skipped: ${folder} is not there. Set AIRLOCK_SHARED to the folder with cases.`);

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

const CHILD = fileURLToPath(new URL("support/sandbox-child.mjs", import.meta.url));
const KILL_MS = 60_000;
const AT_ONCE = 3;
let free = AT_ONCE;
const waiting: (() => void)[] = [];

async function inChild(isolation: string, path: string): Promise<Report> {
  if (free > 0) free--;
  else await new Promise<void>((go) => waiting.push(go));
  try {
    return await new Promise((resolve) => {
      const child = spawn(process.execPath, ["--max-old-space-size=1024", CHILD, isolation, path], {
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

function header(source: string, key: string): string | undefined {
  return new RegExp(`^// ${key}: (.*)$`, "m").exec(source)?.[1];
}

describe.skipIf(!there)("sandbox cases in a worker", () => {
  it.concurrent.each(there ? readdirSync(folder).filter((file) => file.endsWith(".js")) : [])(
    "%s",
    async (file) => {
      const path = join(folder, file);
      const source = readFileSync(path, "utf8");
      const report = await inChild("worker", path);
      const allowed = [...ALLOWED[header(source, "outcome") ?? "ok"]];
      if (header(source, "needs") !== undefined) allowed.push("refused");
      expect(report.faults, `${file}: ${report.shown}`).toEqual([]);
      expect(allowed, report.shown).toContain(report.end);
    },
    300_000,
  );
});
