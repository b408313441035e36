// airlock check FILE: what a program would do, nothing run.

import { resolveLimits } from "@airlock/interpreter";
import { findPerson } from "../ask.js";
import { EXIT } from "../exit.js";
import { interruption } from "../interrupt.js";
import { tellProblems } from "../outcome.js";
import { isBarred, planDocument, planText } from "../plan-text.js";
import { readProgram } from "../program-file.js";
import { openSession, type SessionFlags } from "../session.js";
import { ink, print, printJson } from "../terminal.js";

export interface CheckFlags extends SessionFlags {
  json?: boolean;
}

/** 0: it can run. 1: it is no program, or names tools that are not there. 3: the rules deny a call. */
export async function check(file: string, flags: CheckFlags): Promise<number> {
  interruption();
  const person = findPerson();
  const session = await openSession(flags, person === undefined ? {} : { confirm: person.confirm });
  try {
    const program = await readProgram(file, resolveLimits(session.settings.limits).sourceBytes);
    if ("problem" in program) return tellProblems([program.problem], { name: program.name, json: flags.json });
    const plan = session.createRuntime(undefined, { isolation: "none" }).plan(program.code);
    if (plan.problems.length > 0) return tellProblems(plan.problems, { name: program.name, json: flags.json });
    if (flags.json) printJson(planDocument(plan));
    else print(planText(plan, ink));
    return isBarred(plan) ? EXIT.denied : EXIT.completed;
  } finally {
    await session.close();
  }
}
