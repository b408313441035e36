// A program in one line of a test.

import { expect } from "vitest";
import { type Diagnostic, type Json, type Outcome, run, type RunOptions } from "../dist/src/index.js";

/** The value of a program that has to complete. */
export async function value(code: string, options: RunOptions = {}): Promise<Json> {
  const outcome = await run(code, options);
  if (outcome.status === "failed") expect(outcome.error).toBeUndefined();
  return (outcome as Outcome & { status: "completed" }).value;
}

/** The diagnostic of a program that has to fail. */
export async function failure(code: string, options: RunOptions = {}): Promise<Diagnostic> {
  const outcome = await run(code, options);
  if (outcome.status === "completed") expect(outcome.value).toBe("a failure");
  return (outcome as Outcome & { status: "failed" }).error;
}

/** The messages of the warnings of a program that has to complete. */
export async function warnings(code: string, options: RunOptions = {}): Promise<string[]> {
  const outcome = await run(code, options);
  if (outcome.status === "failed") expect(outcome.error).toBeUndefined();
  return outcome.warnings.map((warning) => warning.message);
}
