// The built command line as a process, in a folder of its own.

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { serverCommand, type ServerName } from "@airlock/fixtures";
import { onTestFinished, vi } from "vitest";

// A busy machine starts a process in seconds.
vi.setConfig({ testTimeout: 120_000 });

export const MAIN = fileURLToPath(new URL("../dist/src/main.js", import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Folder {
  path: string;
  env: { [name: string]: string };
  /** Writes a file, a value as JSON; gives its path. */
  write(name: string, content: unknown): string;
  start(...args: string[]): Started;
  run(...args: string[]): Promise<Ended>;
  /** The same with a text on stdin. */
  pipe(stdin: string | Buffer, ...args: string[]): Promise<Ended>;
}

export interface Started {
  child: ChildProcessWithoutNullStreams;
  ended: Promise<Ended>;
  /** Resolves once stderr has the text. */
  told(text: string): Promise<void>;
}

/** A folder with a person's configuration and data folders beside it; all gone after the test. */
export function folder(): Folder {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "airlock-test-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  const path = join(base, "project");
  mkdirSync(path);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: base,
    AIRLOCK_CONFIG_DIR: join(base, "config"),
    AIRLOCK_DATA_DIR: join(base, "data"),
    NO_COLOR: "1",
  };
  const start = (args: string[]): Started => {
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: path, env });
    onTestFinished(() => void child.kill("SIGKILL"));
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdin.on("error", () => {});
    const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
    return {
      child,
      ended,
      async told(text) {
        for (const end = Date.now() + 60_000; !stderr.includes(text); await new Promise((resolve) => setTimeout(resolve, 20))) {
          if (Date.now() > end || child.exitCode !== null) throw new Error(`stderr has no ${JSON.stringify(text)}: ${stderr}`);
        }
      },
    };
  };
  return {
    path,
    env,
    write(name, content) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content, null, 2));
      return file;
    },
    start: (...args) => start(args),
    run(...args) {
      const { child, ended } = start(args);
      child.stdin.end();
      return ended;
    },
    pipe(stdin, ...args) {
      const { child, ended } = start(args);
      child.stdin.end(stdin);
      return ended;
    },
  };
}

/** A configuration over fixtures, with everything allowed unless said otherwise. */
export function config(servers: readonly ServerName[], more: object = {}): object {
  return { permission: { "*": "allow" }, mcpServers: Object.fromEntries(servers.map((name) => [name, serverCommand(name)])), ...more };
}

/** A server of npm, as it is installed here. */
export function npmServer(name: "filesystem" | "memory" | "everything", ...args: string[]): { command: string; args: string[] } {
  return {
    command: process.execPath,
    args: [fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`)), ...args],
  };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** True once it holds, within some seconds. */
export async function soon(holds: () => boolean, ms = 10_000): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20))) if (holds()) return true;
  return holds();
}
