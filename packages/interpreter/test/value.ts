// Short ways to run a program and look at its end.

import { type Diagnostic, type Json, type RunOptions, run } from "../dist/src/index.js";

/** What the program returns; throws its diagnostic when it fails. */
export async function value(code: string, options: RunOptions = {}): Promise<Json> {
  const outcome = await run(code, options);
  if (outcome.status === "completed") return outcome.value;
  throw new Error(`${outcome.error.kind}: ${outcome.error.message}\n${code}`);
}

/** The diagnostic of a program that must fail. */
export async function failure(code: string, options: RunOptions = {}): Promise<Diagnostic> {
  const outcome = await run(code, options);
  if (outcome.status === "failed") return outcome.error;
  throw new Error(`It completed with ${JSON.stringify(outcome.value)}.\n${code}`);
}

/** What this host's own engine makes of the same program. */
export async function hostValue(code: string): Promise<Json> {
  const make = Object.getPrototypeOf(async function () {}).constructor as new (code: string) => () => Promise<unknown>;
  const result = await new make(`"use strict";\n${code}`)();
  return JSON.parse(JSON.stringify(result ?? null)) as Json;
}
