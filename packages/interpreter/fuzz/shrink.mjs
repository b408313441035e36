// Makes a program with a fault smaller, as long as a process of its own shows a fault of the same kind.

import { fork } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CHILD = fileURLToPath(new URL("child.mjs", import.meta.url));
const KILL_MS = 20_000;

/** The fault of a program in a process of its own, or null. */
export function faultOf(program, seed, index) {
  const file = join(mkdtempSync(join(tmpdir(), "airlock-fuzz-")), "program.js");
  writeFileSync(file, program);
  return new Promise((resolve) => {
    const child = fork(CHILD, ["--file", file, String(seed), String(index)], { execArgv: ["--max-old-space-size=1024"], silent: true });
    let fault;
    const timer = setTimeout(() => child.kill("SIGKILL"), KILL_MS);
    child.on("message", (message) => (fault = message.fault));
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      resolve(fault !== undefined ? fault : { kind: "dead", text: `the process ended with ${signal ?? code}` });
    });
  });
}

export async function shrink(program, kind, seed, index, untilMs) {
  let parts = program.match(/[^\n;]*[\n;]?/g).filter((part) => part !== "");
  let best = program;
  for (const split of [/[^\n;]*[\n;]?/g, /[^\s(){}[\],;]+|[(){}[\],;]|\s+/g]) {
    parts = best.match(split).filter((part) => part !== "");
    for (let size = Math.ceil(parts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < parts.length;) {
        if (Date.now() > untilMs) return best;
        const smaller = [...parts.slice(0, at), ...parts.slice(at + size)];
        const fault = await faultOf(smaller.join(""), seed, index);
        if (fault?.kind === kind) {
          parts = smaller;
          best = parts.join("");
        } else at += size;
      }
    }
  }
  return best;
}
