// airlock agent [PROMPT]: a conversation with a model that works with the tools. Its words on stdout, what it does on stderr.

import { text as readAll } from "node:stream/consumers";
import { createInterface } from "node:readline/promises";
import {
  createProvider,
  ModelError,
  runAgent,
  TranscriptError,
  UnknownSessionError,
  type AgentEvent,
  type AgentResult,
  type Provider,
} from "@airlock/agent";
import { findPerson } from "../ask.js";
import { EXIT, UsageError } from "../exit.js";
import { interruption } from "../interrupt.js";
import { Progress } from "../progress.js";
import { openSession, type SessionFlags } from "../session.js";
import { fileStore } from "../session-store.js";
import { colors, printJson, say, shown } from "../terminal.js";

export interface AgentFlags extends SessionFlags {
  model?: string;
  codeMode?: boolean;
  continue?: string;
  json?: boolean;
}

export async function agent(words: readonly string[], flags: AgentFlags): Promise<number> {
  const interrupted = interruption();
  const progress = new Progress();
  const person = findPerson((open) => progress.pause(open));
  const session = await openSession(flags, person === undefined ? {} : { confirm: person.confirm });
  try {
    const provider = providerOf(flags.model ?? session.settings.model);
    const runtime = session.createRuntime(person?.ask);
    const store = fileStore();
    const screen = new Screen(progress, flags.json === true);
    let sessionId = flags.continue;
    let code: number = EXIT.completed;
    for await (const prompt of prompts(words)) {
      const result = await runAgent({
        runtime,
        provider,
        store,
        prompt,
        codeMode: flags.codeMode ?? session.settings.codeMode ?? true,
        signal: interrupted.signal,
        onEvent: screen.onEvent,
        ...(sessionId === undefined ? {} : { sessionId }),
      });
      sessionId = result.sessionId;
      screen.end(result);
      code = codeOf(result, interrupted.exitCode);
      if (interrupted.signal.aborted) break;
    }
    if (sessionId !== undefined && !flags.json) say(colors.dim(`Session ${sessionId}: airlock agent --continue ${sessionId}`));
    return interrupted.exitCode ?? code;
  } catch (error) {
    if (error instanceof UnknownSessionError) throw new UsageError(`--continue: ${error.message}.`);
    throw error;
  } finally {
    progress.stop();
    await session.close();
  }
}

function providerOf(model: string | undefined): Provider {
  if (model === undefined)
    throw new UsageError("No model is named.", [
      'Name one: --model anthropic/claude-sonnet-4-5, or "model" in airlock.jsonc.',
      "Without a key: local/MODEL (AIRLOCK_LOCAL_BASE_URL), or scripted/FILE for a transcript.",
    ]);
  try {
    return createProvider(model);
  } catch (error) {
    if (error instanceof ModelError || error instanceof TranscriptError) throw new UsageError(`--model: ${error.message}.`);
    throw error;
  }
}

/** The words of the command line; else what stdin holds; else line after line from the terminal. */
async function* prompts(words: readonly string[]): AsyncGenerator<string> {
  if (words.length > 0) return void (yield words.join(" "));
  if (!process.stdin.isTTY) {
    const piped = (await readAll(process.stdin)).trim();
    if (piped === "") throw new UsageError("There is no prompt: airlock agent 'What should be done?'");
    return void (yield piped);
  }
  for (;;) {
    // One reader for each line: while the agent works, stdin is the permission dialog's.
    const reader = createInterface({ input: process.stdin, output: process.stderr });
    reader.on("SIGINT", () => {
      process.kill(process.pid, "SIGINT");
      reader.close();
    });
    const line = await Promise.race([
      reader.question("\n> "),
      new Promise<undefined>((resolve) => reader.once("close", () => resolve(undefined))),
    ]).finally(() => reader.close());
    if (line === undefined || line.trim() === "") return;
    yield line;
  }
}

class Screen {
  readonly #progress: Progress;
  readonly #json: boolean;
  #open = false;

  constructor(progress: Progress, json: boolean) {
    this.#progress = progress;
    this.#json = json;
  }

  readonly onEvent = (event: AgentEvent): void => {
    switch (event.type) {
      case "text":
        if (this.#json) return;
        process.stdout.write(process.stdout.isTTY ? shown(event.delta) : event.delta);
        this.#open = !event.delta.endsWith("\n");
        return;
      case "tool.call":
        this.#line();
        return this.#progress.line(
          colors.dim(
            typeof event.input.code === "string"
              ? indented(shown(event.input.code))
              : shown(`${event.name}(${JSON.stringify(event.input)})`),
          ),
        );
      case "execution":
        return this.#progress.onEvent(event.event);
      case "tool.error":
        return this.#progress.line(
          colors.yellow(indented(shown(event.result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")))),
        );
      case "retry":
        this.#line();
        return this.#progress.line(colors.yellow(`${shown(event.error.message)}; asked again in ${Math.round(event.delayMs / 1_000)} s`));
      default:
        return;
    }
  };

  end({ sessionId, reason, text, steps, usage, error }: AgentResult): void {
    this.#line();
    if (this.#json) return printJson({ sessionId, reason, text, steps, usage, ...(error === undefined ? {} : { error }) });
    if (reason !== "stop") say(colors.yellow(`The agent ended: ${reason}${error === undefined ? "" : `: ${shown(error.message)}`}`));
  }

  /** The model's words end with a line before anything else comes. */
  #line(): void {
    if (this.#open) process.stdout.write("\n");
    this.#open = false;
  }
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

function codeOf({ reason }: AgentResult, interruptedWith: number | undefined): number {
  if (reason === "stop") return EXIT.completed;
  if (reason === "aborted") return interruptedWith ?? EXIT.interrupted;
  return reason === "rejected" ? EXIT.denied : EXIT.failed;
}
