// Questions to the person at the terminal, on stderr: the tool, its arguments, the program line, and what "always" would save.

import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import { ReadStream } from "node:tty";
import type { PermissionRequest } from "@airlock/catalog";
import { ruleText, type Answer, type Question, type Reply } from "@airlock/runtime";
import { interruption } from "./interrupt.js";
import { colors, shown, shownLine } from "./terminal.js";

export interface PersonOptions {
  /** Opened for each dialog, and closed after it. */
  open(): { input: NodeJS.ReadableStream; close(): void };
  output: NodeJS.WritableStream & { isTTY?: boolean };
  /** Ctrl-C while a question stands. */
  interrupt(): void;
  /** Aborted once the command is interrupted: what is not about a call is then answered with no. */
  signal?: AbortSignal;
  /** Told before and after each dialog: nothing else may write meanwhile. */
  onDialog?(open: boolean): void;
}

export interface Person {
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  confirm(lines: readonly string[], question: string): Promise<boolean>;
}

interface Part {
  reply: Reply;
  message?: string;
}

interface Waiting {
  question: Question;
  signal: AbortSignal;
  answer(answer: Answer): void;
}

/**
 * The person at the terminal; undefined if there is none. Where stdin is taken (by a program), the terminal itself is read.
 */
export function findPerson(onDialog?: PersonOptions["onDialog"]): Person | undefined {
  if (process.stderr.isTTY !== true || process.env.CI) return undefined;
  const open = process.stdin.isTTY ? () => ({ input: process.stdin, close: () => {} }) : openTerminal;
  try {
    open().close();
  } catch {
    return undefined;
  }
  return person({
    open,
    output: process.stderr,
    interrupt: () => process.kill(process.pid, "SIGINT"),
    signal: interruption().signal,
    ...(onDialog === undefined ? {} : { onDialog }),
  });
}

function openTerminal(): ReturnType<PersonOptions["open"]> {
  const input = new ReadStream(openSync("/dev/tty", "r"));
  return { input, close: () => input.destroy() };
}

export function person(options: PersonOptions): Person {
  const batches = new Map<string, Waiting[]>();
  let last: Promise<unknown> = Promise.resolve();

  /** One dialog after the other. */
  function inTurn<T>(dialog: (read: Read) => Promise<T>): Promise<T> {
    const turn = last.then(async () => {
      options.onDialog?.(true);
      const lines = new Lines(options);
      try {
        return await dialog((prompt, signal) => lines.read(prompt, signal));
      } finally {
        lines.close();
        options.onDialog?.(false);
      }
    });
    last = turn.catch(() => {});
    return turn;
  }

  return {
    ask(question, signal) {
      return new Promise<Answer>((answer) => {
        const waiting: Waiting = { question, signal, answer };
        const batch = batches.get(question.batch);
        if (batch !== undefined) return void batch.push(waiting);
        const fresh = [waiting];
        batches.set(question.batch, fresh);
        // The others of this batch are put in the same turn.
        setImmediate(() => {
          batches.delete(question.batch);
          void inTurn((read) => askAll(fresh, read, options.output));
        });
      });
    },
    confirm: (lines, question) =>
      inTurn(async (read) => {
        options.output.write(`${lines.join("\n")}\n`);
        const line = await read(`${question} [y/N] `, options.signal);
        if (line === undefined) options.output.write("\n");
        return /^y(es)?$/i.test(line ?? "");
      }),
  };
}

/** The typed line; undefined at the end of input or once the signal is aborted. */
type Read = (prompt: string, signal?: AbortSignal) => Promise<string | undefined>;

class Lines {
  readonly #reader;
  readonly #source;
  #closed = false;

  constructor({ open, output, interrupt }: PersonOptions) {
    this.#source = open();
    const { input } = this.#source;
    this.#reader = createInterface({ input, output, terminal: output.isTTY === true });
    this.#reader.on("SIGINT", interrupt);
    this.#reader.on("close", () => (this.#closed = true));
  }

  read(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
      if (this.#closed || signal?.aborted) return resolve(undefined);
      const end = (): void => resolve(undefined);
      this.#reader.once("close", end);
      signal?.addEventListener("abort", end, { once: true });
      this.#reader.question(prompt, (line) => resolve(line.trim()));
    });
  }

  close(): void {
    this.#reader.close();
    this.#source.close();
  }
}

/** Asks for a batch at once; whoever wants to answer each by itself can. */
async function askAll(batch: readonly Waiting[], read: Read, output: PersonOptions["output"]): Promise<void> {
  const open = batch.filter(({ signal }) => !signal.aborted);
  if (open.length === 0) return;
  const [first] = open;
  const single = open.length === 1 && first.question.requests.length === 1;
  if (open.length > 1) output.write(`${colors.bold(`${open.length} calls need your permission:`)}\n`);
  open.forEach(({ question }, index) => output.write(describe(question, open.length > 1 ? `${index + 1}. ` : "Permission needed: ")));
  // The dialog is over once nobody waits for its answer any more.
  const over = new AbortController();
  const look = (): void => {
    if (open.every(({ signal }) => signal.aborted)) over.abort();
  };
  for (const { signal } of open) signal.addEventListener("abort", look);
  const part = await choose(read, over.signal, output, {
    each: !single,
    always: open.some(({ question }) => question.requests.some(({ always }) => always.length > 0)),
    all: open.length > 1,
  });
  for (const { signal } of open) signal.removeEventListener("abort", look);
  if (over.signal.aborted) return void output.write(colors.dim("\nNo answer is needed any more.\n"));
  if (part !== "each") {
    for (const { answer, signal } of open) if (!signal.aborted) answer(part);
    return;
  }
  for (const { question, signal, answer } of open) {
    const replies: Part[] = [];
    for (const [index, request] of question.requests.entries()) {
      if (signal.aborted) break;
      output.write(
        `${colors.bold(shownLine(question.path, 120))}${question.requests.length > 1 ? ` (${index + 1} of ${question.requests.length})` : ""}\n${describeRequest(request)}`,
      );
      const reply = await choose(read, signal, output, { each: false, always: request.always.length > 0, all: false });
      replies.push(reply === "each" ? { reply: "reject" } : reply);
    }
    if (!signal.aborted) answer({ replies });
  }
}

interface Choices {
  each: boolean;
  always: boolean;
  all: boolean;
}

async function choose(
  read: Read,
  signal: AbortSignal,
  output: PersonOptions["output"],
  { each, always, all }: Choices,
): Promise<Part | "each"> {
  const names = ["[o]nce", ...(always ? ["[a]lways"] : []), "[r]eject", "reject with a [m]essage", ...(each ? ["[e]ach by itself"] : [])];
  for (;;) {
    const line = await read(`${colors.cyan(names.join(" · "))}${all ? " (for all)" : ""}: `, signal);
    if (line === undefined) {
      if (!signal.aborted) output.write("\n");
      return { reply: "reject" };
    }
    const [, word, rest] = /^(\S*)\s*(.*)$/.exec(line) ?? [];
    switch (word.toLowerCase()) {
      case "o":
      case "once":
      case "y":
      case "yes":
        return { reply: "once" };
      case "a":
      case "always":
        if (always) return { reply: "always" };
        break;
      case "r":
      case "reject":
      case "n":
      case "no":
        return { reply: "reject" };
      case "m":
      case "message": {
        const message = rest || (await read("What should the program be told? ", signal));
        if (message) return { reply: "reject", message };
        break;
      }
      case "e":
      case "each":
        if (each) return "each";
        break;
      default:
    }
    output.write(
      colors.dim(
        "Type the letter in brackets. Reject ends the run; with a message only this call fails, and the program reads the message.\n",
      ),
    );
  }
}

function describe(question: Question, head: string): string {
  const lines = [`${colors.bold(head + shownLine(question.path, 120))}`];
  if (question.line !== undefined) lines.push(`  line ${question.location?.line ?? "?"}: ${shownLine(question.line, 100)}`);
  const input = shown(JSON.stringify(question.input, null, 2)).split("\n");
  const most = 24;
  lines.push(...input.slice(0, most).map((line) => `  ${shownLine(line, 400)}`));
  if (input.length > most) lines.push(colors.dim(`  … ${input.length - most} more lines`));
  return `${lines.join("\n")}\n${question.requests.map(describeRequest).join("")}`;
}

function describeRequest({ permission, patterns, always, metadata }: PermissionRequest): string {
  const lines: string[] = [];
  const { diff } = metadata;
  if (typeof diff === "string")
    lines.push(
      ...shown(diff)
        .split("\n")
        .slice(0, 200)
        .map((line) => `  ${line.startsWith("+") ? colors.green(line) : line.startsWith("-") ? colors.red(line) : line}`),
    );
  const about = patterns.filter((pattern) => !pattern.startsWith("{")).map((pattern) => shownLine(pattern, 120));
  lines.push(`  permission: ${shownLine(permission, 100)}${about.length === 0 ? "" : ` for ${about.join(", ")}`}`);
  if (always.length > 0)
    lines.push(
      `  "always" saves: ${always.map((pattern) => shownLine(ruleText({ permission, pattern, action: "allow", source: "saved" }).replace(/ \([^)]*\)$/, ""))).join(", ")}`,
    );
  return `${lines.join("\n")}\n`;
}
