// airlock run FILE|-

import { readFileSync } from "node:fs";
import { resolveLimits, type Json } from "@airlock/interpreter";
import { findPerson } from "../ask.js";
import { EXIT, UsageError } from "../exit.js";
import { interruption } from "../interrupt.js";
import { saveMedia, tellExecution, tellProblems } from "../outcome.js";
import { isBarred, planDocument, planText } from "../plan-text.js";
import { readProgram } from "../program-file.js";
import { Progress } from "../progress.js";
import { openSession, type SessionFlags } from "../session.js";
import { ink, print, printJson, say } from "../terminal.js";

export interface RunFlags extends SessionFlags {
  input?: string;
  json?: boolean;
  check?: boolean;
  dryRun?: boolean;
  media?: string;
}

export async function run(file: string, flags: RunFlags): Promise<number> {
  const interrupted = interruption();
  const input = inputOf(flags.input);
  const progress = new Progress({ log: flags.json !== true });
  const person = findPerson((open) => progress.pause(open));
  const session = await openSession(flags, person === undefined ? {} : { confirm: person.confirm });
  try {
    const program = await readProgram(file, resolveLimits(session.settings.limits).sourceBytes);
    const told = { name: program.name, json: flags.json, interruption: interrupted };
    if ("problem" in program) return tellProblems([program.problem], told);
    const runtime = session.createRuntime(person?.ask);
    if (flags.check || flags.dryRun) {
      const plan = runtime.plan(program.code);
      if (plan.problems.length > 0) return tellProblems(plan.problems, told);
      if (flags.dryRun) {
        if (flags.json) printJson(planDocument(plan));
        else print(planText(plan, ink));
        return isBarred(plan) ? EXIT.denied : EXIT.completed;
      }
      if (isBarred(plan)) {
        say(`${planText(plan)}\nNothing was run: the rules deny a call of the program.`);
        return EXIT.denied;
      }
    }
    const execution = await runtime.execute(program.code, {
      signal: interrupted.signal,
      onEvent: progress.onEvent,
      ...(input === undefined ? {} : { input }),
    });
    progress.stop();
    if (flags.media !== undefined && execution.status === "completed") saveMedia(execution.value, runtime, flags.media);
    return tellExecution(execution, told);
  } finally {
    progress.stop();
    await session.close();
  }
}

/** `--input '{"a":1}'`, or `--input @file.json`. */
function inputOf(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  let source = text;
  if (text.startsWith("@")) {
    try {
      source = readFileSync(text.slice(1), "utf8");
    } catch (error) {
      throw new UsageError(`--input ${text}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  try {
    return JSON.parse(source) as Json;
  } catch (error) {
    throw new UsageError(`--input is not JSON: ${error instanceof Error ? error.message : String(error)}.`, [
      `A text needs its quotes: --input '"text"'. A file: --input @data.json.`,
    ]);
  }
}
