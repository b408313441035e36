// The guard: a process of its own that outlives ours when ours is killed with SIGKILL. It reads lines "+group" and "-group" from a
// pipe; when the pipe ends, it ends the groups that are still listed.

const groups = new Set<number>();
let rest = "";

function signalAll(signal: NodeJS.Signals): void {
  for (const group of groups) {
    try {
      process.kill(-group, signal);
    } catch {
      groups.delete(group);
    }
  }
}

process.stdin.setEncoding("utf8");
process.stdin.on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const group = Number(line.slice(1));
    if (!Number.isSafeInteger(group) || group <= 1) continue;
    if (line.startsWith("+")) groups.add(group);
    else groups.delete(group);
  }
});
process.stdin.on("close", () => {
  signalAll("SIGTERM");
  if (groups.size > 0) setTimeout(() => signalAll("SIGKILL"), 500);
});
// What ends our process must not end its guard first.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
