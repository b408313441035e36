// The two engines: what a program's canonical text is in each.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { run } from "@airlock/interpreter";
import { NOW, textOf } from "./program.mjs";
import { seededRandom } from "./random.mjs";

const ORACLE = fileURLToPath(new URL("oracle.mjs", import.meta.url));
const SEED = 20240517;
/** Where one engine takes so long, the program says nothing. */
const PATIENCE_MS = 10_000;

/** Node's engine in a child process, begun anew when a program never ends there. */
export class Oracle {
  #child;
  #waiting = new Map();
  #id = 0;

  async text(program) {
    this.#child ??= this.#start();
    const id = ++this.#id;
    const child = this.#child;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        this.#child = undefined;
        this.#waiting.delete(id);
        resolve(undefined);
      }, PATIENCE_MS);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer.error === undefined ? answer.text : `${answer.syntax ? "syntax" : "failed"}: ${answer.error}`);
      });
      child.send({ id, text: textOf(program), zone: program.zone, now: NOW, seed: SEED });
    });
  }

  #start() {
    const child = fork(ORACLE, [], { stdio: ["ignore", "inherit", "inherit", "ipc"], execArgv: ["--max-old-space-size=512"] });
    child.on("message", (answer) => {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    return child;
  }

  close() {
    this.#child?.kill();
  }
}

/** The same from our interpreter; undefined where the program needs more memory than a run has: there, no engine's answer is the right one. */
export async function ours(program) {
  const outcome = await run(textOf(program), {
    timeZone: program.zone,
    now: () => NOW,
    random: seededRandom(SEED),
    limits: { stringLength: 2 ** 29 - 24, arrayLength: 2 ** 32 - 1 },
  });
  if (outcome.status === "completed") return [outcome.value, ...outcome.logs.map(({ level, text }) => `${level} ${text}`)].join("\n");
  const { kind, limit, message, location } = outcome.error;
  if (limit === "memoryBytes") return undefined;
  return `${kind === "syntax" ? "syntax" : "failed"}: ${kind} ${message} ${location === undefined ? "" : `${location.line}:${location.column}`}`;
}

/** The first line in which two texts differ, from both; undefined if none does. */
export function difference(wanted, got) {
  if (wanted === got) return undefined;
  if (wanted.startsWith("syntax:") && got.startsWith("syntax:")) return undefined;
  const a = wanted.split("\n");
  const b = got.split("\n");
  const i = a.findIndex((line, at) => !alike(line, b[at] ?? ""));
  if (i < 0 && a.length === b.length) return undefined;
  const at = i < 0 ? a.length : i;
  return { wanted: a[at] ?? "(end)", got: b[at] ?? "(end)", before: a.slice(Math.max(0, at - 3), at) };
}

/** Messages of errors («…») differ only if both engines give one that both know. */
function alike(a, b) {
  if (a === b) return true;
  const [x, y] = [a, b].map((line) => line.split(/«([^»]*)»/));
  return x.length === y.length && x.every((part, i) => part === y[i] || (i % 2 === 1 && (part === "other" || y[i] === "other")));
}
