// Every server runs in a process group of its own (`npx` starts a shell that starts the server: ending the direct child is not
// enough). This file knows the groups that live and ends them with us: on exit, exception and signals here, on SIGKILL by the guard.

import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const live = new Set<number>();
let guard: ChildProcess | undefined;

/** Whether children get a group of their own here. Windows has none: there only the direct child is ended. */
export const hasGroups = process.platform !== "win32";

/** Takes the group led by `pid` into care: it ends at the latest when we do. */
export function adoptGroup(pid: number): void {
  if (live.size === 0) watchOurEnd();
  live.add(pid);
  if (hasGroups) tellGuard(`+${pid}\n`);
}

/** Ends what is left of the group: SIGTERM, then SIGKILL after `graceMs`. Resolves when it is gone (or cannot be ended). */
export async function endGroup(pid: number, graceMs: number): Promise<void> {
  if (signalGroup(pid, "SIGTERM") && !(await goneWithin(pid, graceMs))) {
    signalGroup(pid, "SIGKILL");
    // Nothing survives this; but where no one reaps orphans, the group still counts as there.
    await goneWithin(pid, 250);
  }
  live.delete(pid);
  if (hasGroups) tellGuard(`-${pid}\n`);
  if (live.size === 0) stopWatching();
}

/** False if nothing of the group is left. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(hasGroups ? -pid : pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function goneWithin(pid: number, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  for (let wait = 5; signalGroup(pid, 0); wait = Math.min(wait * 2, 50)) {
    if (performance.now() > end) return false;
    await sleep(wait);
  }
  return true;
}

function watchOurEnd(): void {
  process.on("exit", endAllNow);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function stopWatching(): void {
  process.off("exit", endAllNow);
  for (const signal of SIGNALS) process.off(signal, onSignal);
  guard?.stdin?.end();
  guard = undefined;
}

/** With a guard, servers get SIGTERM and the guard ends those that ignore it. */
function endAllNow(): void {
  for (const pid of live) signalGroup(pid, guard?.exitCode === null ? "SIGTERM" : "SIGKILL");
}

/** If the program handles the signal itself, its end (or its going on) is its own decision. Else we end as we would have without us. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  endAllNow();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}

function tellGuard(line: string): void {
  if (guard === undefined && line.startsWith("+")) {
    guard = startGuard();
    // A guard started again must know all groups, not only the newest.
    line = [...live].map((pid) => `+${pid}\n`).join("");
  }
  guard?.stdin?.write(line);
}

function startGuard(): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(new URL("./guard.js", import.meta.url))], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: { ...process.env, NODE_OPTIONS: "" },
    cwd: "/",
  });
  const forget = () => {
    if (guard === child) guard = undefined;
  };
  child.on("error", forget);
  child.on("exit", forget);
  child.stdin.on("error", forget);
  child.unref();
  // A child's stdin is a socket, although its type says only "writable".
  (child.stdin as unknown as Socket).unref();
  return child;
}
