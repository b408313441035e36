// What the bridge's tests share.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CallContext, ToolResult } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import { afterEach } from "vitest";
import { connectServers, type ConnectOptions, type McpConnections, type ServerConfig } from "../dist/src/index.js";

const cleanups: (() => unknown)[] = [];

/** Run after the test, whatever comes of it. */
export function later(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export async function connect(servers: { [name: string]: ServerConfig }, options?: ConnectOptions): Promise<McpConnections> {
  const connections = await connectServers(servers, options);
  later(() => connections.close());
  return connections;
}

export interface Call {
  signal?: AbortSignal;
  updates?: object[];
}

export async function call(
  connections: McpConnections,
  path: string,
  input: Json = {},
  { signal, updates }: Call = {},
): Promise<ToolResult> {
  const [server, ...name] = path.split(".");
  const tool = connections.tools.find((candidate) => candidate.server === server && candidate.name === name.join("."));
  if (!tool) throw new Error(`no tool ${path}`);
  const context: CallContext = {
    callId: "call-1",
    path: `tools.${path}`,
    signal: signal ?? new AbortController().signal,
    metadata: (update) => updates?.push(update),
    log: () => {},
  };
  return (await tool.execute(input, context)) as ToolResult;
}

/** The one text of a result. */
export async function text(...call_: Parameters<typeof call>): Promise<string> {
  const { content } = await call(...call_);
  if (content?.length !== 1 || content[0].type !== "text") throw new Error(`not one text: ${JSON.stringify(content)}`);
  return content[0].text;
}

/** The error that a promise is rejected with. */
export async function failure<Failure extends Error & { data?: Json }>(promise: Promise<unknown>): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    return error as Failure;
  }
  throw new Error("it did not fail");
}

/** The path of a file in a folder of its own, gone after the test. */
export function temporaryFile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "airlock-"));
  later(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

/** Whether a process lives; one that only waits to be reaped does not. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || readFileSync(stat, "utf8").split(") ")[1]?.[0] !== "Z";
}

export async function eventually(condition: () => boolean, ms = 8_000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs a program that may import this package and the fixtures, as a process of its own. */
export function runProgram(name: string, source: string): ChildProcess {
  const file = fileURLToPath(new URL(`../dist/test-${name}.mjs`, import.meta.url));
  writeFileSync(file, source);
  later(() => rmSync(file, { force: true }));
  const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "pipe"] });
  later(() => child.kill("SIGKILL"));
  return child;
}

/** The first line that the process writes on stdout. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = "";
    let err = "";
    child.stderr?.on("data", (chunk) => (err += String(chunk)));
    child.stdout?.on("data", (chunk) => {
      out += String(chunk);
      if (out.includes("\n")) resolve(out.split("\n")[0]);
    });
    child.once("exit", (code) => reject(new Error(`exit ${code}: ${err}`)));
  });
}
