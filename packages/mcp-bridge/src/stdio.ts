// MCP over a child process. Unlike the SDK's transport: a process group that ends as a whole, stdout with noise, messages of any
// size in linear time, the last of stderr kept for messages.

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { adoptGroup, endGroup, hasGroups, signalGroup } from "./groups.js";
import { lineReader } from "./lines.js";
import { toMessages } from "./message.js";

const STDERR_BYTES = 4_096;
const NOISE_LINES = 5;

export interface StdioOptions {
  command: string;
  args: string[];
  /** The whole environment of the child. */
  env: { [name: string]: string };
  cwd?: string;
  /** A longer message ends the connection. */
  maxMessageBytes: number;
  /** How long the server has to end by itself, and then after SIGTERM. Default 1000. */
  graceMs?: number;
}

/** How a server process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The server had ended before the message was sent: it cannot have acted on it. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";
}

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Lines on stdout that are no JSON-RPC: how many, and the last few. */
  readonly noise = { lines: 0, last: [] as string[] };
  /** Set once the process has ended. */
  exit?: Exit;
  /** Why we ended the connection, if the server broke a limit. */
  broken?: string;

  readonly #options: StdioOptions;
  #child?: ChildProcessWithoutNullStreams;
  #stderr: Buffer = Buffer.alloc(0);
  #stopped = false;
  /** Settles when the process is gone with its whole group. */
  #gone: Promise<void> = Promise.resolve();
  #closing?: Promise<void>;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  /** The last 4 KB of stderr. */
  get stderr(): string {
    return this.#stderr.toString("utf8");
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, maxMessageBytes } = this.#options;
    const child = spawn(command, args, { env, cwd, detached: hasGroups, stdio: "pipe", windowsHide: true });
    const spawned = new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    child.on("error", (error) => this.onerror?.(error));
    // Without an id nothing was started. With one it is in care before anything can end us or this transport.
    const { pid } = child;
    if (pid === undefined) return spawned;
    adoptGroup(pid);
    this.#child = child;
    child.stdin.on("error", (error) => this.onerror?.(error));
    const lines = lineReader(
      maxMessageBytes,
      (line) => this.#onLine(line),
      () => this.#break(`it sent a message of more than ${maxMessageBytes} bytes`),
    );
    child.stdout.on("data", (chunk: Buffer) => lines.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk.subarray(-STDERR_BYTES)]).subarray(-STDERR_BYTES);
    });
    this.#gone = this.#watch(child, pid);
    await spawned;
  }

  async #watch(child: ChildProcessWithoutNullStreams, pid: number): Promise<void> {
    await new Promise<void>((resolve) => {
      child.once("exit", (code, signal) => {
        this.exit = { code, signal };
        resolve();
      });
    });
    // What was written before the end is still read; but a grandchild may hold stdout open.
    await within(200, new Promise((resolve) => child.once("close", resolve)));
    this.#stop();
    await endGroup(pid, this.#options.graceMs ?? 1_000);
    child.stdout.destroy();
    child.stderr.destroy();
  }

  #onLine(line: Buffer): void {
    if (this.#stopped || line.length === 0) return;
    const messages = parse(line);
    if (messages.length === 0) {
      this.noise.lines += 1;
      this.noise.last.push(line.toString("utf8", 0, 200));
      if (this.noise.last.length > NOISE_LINES) this.noise.last.shift();
    }
    for (const message of messages) this.onmessage?.(message);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (!child || this.#stopped || this.#closing) return Promise.reject(new NotSentError("the server process has ended"));
    return new Promise((resolve, reject) => {
      child.stdin.write(JSON.stringify(message) + "\n", (error) => (error ? reject(new NotSentError(error.message)) : resolve()));
    });
  }

  /** Waits a moment for the end of a server that reads no more: how it ended and what it said are known then. */
  async ended(): Promise<void> {
    await within(this.#options.graceMs ?? 1_000, this.#gone);
  }

  /** Ends the server: stdin is closed, then SIGTERM, then SIGKILL to its group. Resolves when the group is gone. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child) {
      const grace = this.#options.graceMs ?? 1_000;
      child.stdin.end();
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        if (await within(grace, this.#exited(child))) break;
        signalGroup(child.pid as number, signal);
      }
      await within(grace + 2_000, this.#gone);
    }
    this.#stop();
  }

  #exited(child: ChildProcessWithoutNullStreams): Promise<void> {
    if (this.exit) return Promise.resolve();
    return new Promise((resolve) => child.once("exit", () => resolve()));
  }

  #break(reason: string): void {
    this.broken = reason;
    this.#stop();
    void this.close();
  }

  /** From here on there is no connection; said once. */
  #stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.onclose?.();
  }
}

function parse(line: Buffer): JSONRPCMessage[] {
  // Nearly all noise is told apart by its first character, without an exception for each line.
  const first = line.toString("latin1", 0, 64).trimStart().charAt(0);
  if (first !== "{" && first !== "[") return [];
  try {
    return toMessages(JSON.parse(line.toString("utf8")));
  } catch {
    return [];
  }
}

/** True if the promise settles within the time. */
async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const done = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return done;
}
