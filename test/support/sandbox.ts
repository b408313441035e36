// Runs programs that try the sandbox (the shared folder's cases/sandbox), each in a host process of its own with checks of the host.

import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

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

/** The value of a line `// key: value` of a case. */
export function header(source: string, key: string): string | undefined {
  return new RegExp(`^// ${key}: (.*)$`, "m").exec(source)?.[1];
}

/** The programs of a folder; none where it is absent. */
export function casesIn(folder: string | undefined): string[] {
  return folder === undefined ? [] : readdirSync(folder).filter((file) => file.endsWith(".js"));
}

/**
 * Describes one test for each case of the folder.
 *
 * @param child the arguments of a process that takes a case's path as its last one and prints a report as its last line
 * @param killMs after how many milliseconds it is ended
 */
export function testCases(folder: string | undefined, child: readonly string[], atOnce: number, killMs: number): void {
  const line = queue(atOnce);
  test.concurrent.each(casesIn(folder))(
    "%s",
    async (file) => {
      const path = join(folder!, file); // there are cases
      const source = readFileSync(path, "utf8");
      const report = await line(() => inChild([...child, path], killMs));
      const allowed = [...ALLOWED[header(source, "outcome") ?? "ok"]];
      if (header(source, "needs") !== undefined) allowed.push("refused");
      expect(report.faults, `${file}: ${report.shown}`).toEqual([]);
      expect(allowed, report.shown).toContain(report.end);
    },
    300_000,
  );
}

/** Lets so many through at a time. */
function queue(free: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (free > 0) free--;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

function inChild(args: readonly string[], killMs: number): Promise<Report> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--max-old-space-size=1024", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, TZ: "America/New_York" },
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), killMs);
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
}
