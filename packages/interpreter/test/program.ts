// A program in one line of a test.

import { expect } from "vitest";
import { type Diagnostic, type Json, type Outcome, run, type RunOptions } from "@airlock/interpreter";

/** A busy machine is no reason to end a program, unless the test says so. */
const patient = (options: RunOptions): RunOptions => ({ ...options, limits: { computeMs: 60_000, ...options.limits } });

/** The value of a program that has to complete. */
export async function value(code: string, options: RunOptions = {}): Promise<Json> {
  const outcome = await run(code, patient(options));
  if (outcome.status === "failed") expect(outcome.error, code).toBeUndefined();
  return (outcome as Outcome & { status: "completed" }).value;
}

/** The diagnostic of a program that has to fail. */
export async function failure(code: string, options: RunOptions = {}): Promise<Diagnostic> {
  const outcome = await run(code, patient(options));
  if (outcome.status === "completed") expect(outcome.value, code).toBe("a failure");
  return (outcome as Outcome & { status: "failed" }).error;
}

/** The messages of the warnings of a program that has to complete. */
export async function warnings(code: string, options: RunOptions = {}): Promise<string[]> {
  const outcome = await run(code, patient(options));
  if (outcome.status === "failed") expect(outcome.error).toBeUndefined();
  return outcome.warnings.map((warning) => warning.message);
}

/** What this host's own engine makes of the same program. */
export async function hostValue(code: string): Promise<Json> {
  const make = Object.getPrototypeOf(async function () {}).constructor as new (code: string) => () => Promise<unknown>;
  const result = await new make(`"use strict";\n${code}`)();
  return JSON.parse(JSON.stringify(result ?? null)) as Json;
}
