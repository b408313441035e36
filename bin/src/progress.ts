// Progress on stderr while calls run: the first calls a line each, then counts; in a terminal a line that is written over.

import { canonicalJson, type CallRecord, type ExecutionEvent } from "@airlock/runtime";
import { colors, colorsOf, count, duration, shown, shownLine, type Colors } from "./terminal.js";

export interface ProgressOptions {
  output?: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  /** Calls that get a line of their own. Default 20. */
  lines?: number;
  /** Show the program's log as it comes. Default true. */
  log?: boolean;
}

interface Tally {
  done: number;
  failed: number;
  ms: number;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export class Progress {
  readonly #output: NonNullable<ProgressOptions["output"]>;
  readonly #lines: number;
  readonly #log: boolean;
  readonly #colors: Colors;
  readonly #running = new Map<string, string>();
  readonly #tallies = new Map<string, Tally>();
  #startedAt = 0;
  #stopped = false;
  #settled = 0;
  #told = 0;
  #frame = 0;
  #hasStatus = false;
  #paused = false;
  #held: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ProgressOptions = {}) {
    this.#output = options.output ?? process.stderr;
    this.#colors = options.output === undefined ? colors : colorsOf(options.output);
    this.#lines = options.lines ?? 20;
    this.#log = options.log ?? true;
  }

  readonly onEvent = (event: ExecutionEvent): void => {
    switch (event.type) {
      case "call.started":
        this.#running.set(event.call.id, event.call.path);
        this.#startedAt ||= performance.now();
        this.#timer ??= setInterval(() => this.#tick(), this.#output.isTTY ? 100 : 1_000).unref();
        return;
      case "call.settled":
        return this.#settle(event.call);
      case "log": {
        if (!this.#log) return;
        const { level, text } = event.entry;
        const line = shown(text);
        return this.line(level === "error" ? this.#colors.red(line) : level === "warn" ? this.#colors.yellow(line) : line);
      }
      default:
        return;
    }
  };

  /** A line of its own, above the status. */
  line(text: string): void {
    if (this.#paused) return void this.#held.push(text);
    this.#clear();
    this.#output.write(`${text}\n`);
  }

  /** While a person is asked there is no status, and lines wait until the dialog is over. */
  pause(paused: boolean): void {
    this.#paused = paused;
    if (paused) return this.#clear();
    for (const line of this.#held.splice(0)) this.line(line);
  }

  /** The last word: what was called, where it was not said call by call. */
  stop(): void {
    clearInterval(this.#timer);
    this.pause(false);
    this.#clear();
    if (this.#stopped || this.#settled <= this.#lines) return;
    this.#stopped = true;
    for (const [path, { done, failed, ms }] of this.#tallies) {
      this.line(this.#colors.dim(`${shownLine(path, 100)} ×${done}${failed > 0 ? `, ${failed} failed` : ""}, ${duration(ms / done)} each`));
    }
  }

  #settle(call: CallRecord): void {
    const began = this.#running.delete(call.id);
    this.#settled += 1;
    const ms = (call.endedAt ?? call.startedAt) - call.startedAt;
    const tally = this.#tallies.get(call.path) ?? { done: 0, failed: 0, ms: 0 };
    const failed = call.state !== "completed";
    this.#tallies.set(call.path, { done: tally.done + 1, failed: tally.failed + (failed ? 1 : 0), ms: tally.ms + ms });
    if (this.#settled <= this.#lines) this.line(callLine(call, began ? ms : undefined, this.#colors));
  }

  #tick(): void {
    if (this.#paused) return;
    if (this.#running.size === 0) return this.#clear();
    const running = [...this.#running.values()];
    const elapsed = duration(performance.now() - this.#startedAt);
    const names = [...new Set(running)].map(
      (path) =>
        `${shownLine(path, 60)}${running.filter((other) => other === path).length > 1 ? ` ×${running.filter((other) => other === path).length}` : ""}`,
    );
    const status = `${count(this.#settled, "call")} done, ${running.length} running${names.length === 0 ? "" : `: ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}`}, ${elapsed}`;
    if (!this.#output.isTTY) {
      // Where lines stay, only what is new is worth one.
      if (this.#settled !== this.#told || this.#frame++ % 10 === 0) this.#output.write(`${status}\n`);
      this.#told = this.#settled;
      return;
    }
    this.#frame = (this.#frame + 1) % FRAMES.length;
    this.#output.write(`\r\u001b[2K${this.#colors.dim(`${FRAMES[this.#frame]} ${status}`.slice(0, (this.#output.columns ?? 80) - 1))}`);
    this.#hasStatus = true;
  }

  #clear(): void {
    if (this.#hasStatus) this.#output.write("\r\u001b[2K");
    this.#hasStatus = false;
  }
}

/** `✓ tools.issues.get_issue({"number":1}) 12 ms`; without a time if it never began. */
function callLine(call: CallRecord, ms: number | undefined, paint: Colors): string {
  const input = canonicalJson(call.input);
  const head = `${shownLine(call.path, 100)}(${input === "{}" ? "" : shownLine(input, 100)})`;
  const time = ms === undefined ? "" : ` ${paint.dim(duration(ms))}`;
  if (call.state === "completed") return `${paint.green("✓")} ${head}${time}`;
  const why = shownLine(call.error?.message ?? "failed", 300);
  return `${paint.red("✗")} ${head}${time}\n  ${call.state === "interrupted" ? "outcome unknown: " : ""}${why}`;
}
