// The entry file of a worker thread: runs one program at a time and speaks with the host by messages. It has no tools of its own.

import { parentPort, workerData } from "node:worker_threads";
import { type LogEntry, type ToolCall, type ToolFunction, type ToolTree } from "@airlock/interpreter";
import { inline, type Run } from "./inline.js";
import { carry, carryError, uncarry, uncarryError, type FromWorker, type ToWorker, type TreeNames } from "./messages.js";

interface OpenCall {
  site: ToolCall;
  resume?: () => void;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface OpenRun {
  id: number;
  end: AbortController;
  calls: Map<number, OpenCall>;
  made: number;
}

const port = parentPort;
if (port === null) throw new Error("This file is the entry of a worker thread.");
/** What is said while several calls begin. */
let together: FromWorker[] | undefined;
const post = (message: FromWorker): void => {
  if (together === undefined) port.postMessage([message]);
  else together.push(message);
};
/** Tests put another module in the interpreter's place. */
const module = (workerData as { interpreter?: string } | null)?.interpreter ?? "@airlock/interpreter";
const { run } = (await import(module)) as { run: Run };
const runProgram = inline(run);
let current: OpenRun | undefined;

port.on("message", (said: readonly ToWorker[]) => said.forEach(receive));
post({ type: "ready" });

function receive(message: ToWorker): void {
  if (message.type === "ping") return post({ type: "pong" });
  if (message.type === "run") return void start(message);
  if (current?.id !== message.run) return;
  if (message.type === "abort") return current.end.abort(new Error(message.reason));
  const call = current.calls.get(message.call);
  if (call === undefined) return;
  switch (message.type) {
    case "result":
      current.calls.delete(message.call);
      return call.resolve(uncarry(message.result));
    case "failure":
      current.calls.delete(message.call);
      return call.reject(uncarryError(message.failure));
    case "progress":
      return call.site.progress();
    case "pause":
      call.resume ??= call.site.pauseClocks();
      return;
    case "resume":
      call.resume?.();
      call.resume = undefined;
  }
}

async function start(message: ToWorker & { type: "run" }): Promise<void> {
  const opened: OpenRun = { id: message.run, end: new AbortController(), calls: new Map(), made: 0 };
  current = opened;
  try {
    const outcome = await runProgram(message.source, {
      tools: stubs(opened, message.tree, { count: 0 }),
      aliases: message.aliases,
      globals: message.globals,
      limits: message.limits,
      signal: opened.end.signal,
      onLog: (entry: LogEntry) => post({ type: "log", run: opened.id, entry }),
      seed: message.seed,
      startTime: message.startTime,
      timeZone: message.timeZone,
      together: sayTogether,
    });
    post({ type: "outcome", run: opened.id, outcome });
  } catch (error) {
    post({ type: "broken", run: opened.id, message: error instanceof Error ? error.message : String(error) });
  }
  if (current === opened) current = undefined;
}

function sayTogether(start: () => void): void {
  if (together !== undefined) return start();
  const said: FromWorker[] = (together = []);
  try {
    start();
  } finally {
    together = undefined;
    if (said.length > 0) port?.postMessage(said);
  }
}

function stubs(opened: OpenRun, names: TreeNames, numbering: { count: number }): ToolTree {
  const tree = Object.create(null) as ToolTree;
  for (const [name, inner] of names) tree[name] = inner === null ? stub(opened, numbering.count++) : stubs(opened, inner, numbering);
  return tree;
}

function stub(opened: OpenRun, tool: number): ToolFunction {
  return (input, site) =>
    new Promise((resolve, reject) => {
      const call = ++opened.made;
      opened.calls.set(call, { site, resolve, reject });
      const { callId, path, location } = site;
      post({ type: "call", run: opened.id, call, tool, callId, path, location, input: carry(input) });
      site.onStop((reason) => {
        if (!opened.calls.delete(call)) return;
        post({ type: "cancel", run: opened.id, call, reason: carryError(reason) });
        reject(reason);
      });
    });
}
