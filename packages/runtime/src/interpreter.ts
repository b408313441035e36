// What the runtime needs of the interpreter beside its types. (For now read at run time: `run` and `parseProgram` are exported soon.)

import * as interpreter from "@airlock/interpreter";
import type { Outcome, RunOptions, SourceLocation } from "@airlock/interpreter";

interface Exports {
  run(source: string, options: RunOptions): Promise<Outcome>;
  parseProgram(source: string, options: { sourceBytes: number; astDepth: number }): { body: unknown; locate(offset: number): SourceLocation };
  frameOf(source: string, location: SourceLocation): string;
}

const exported = interpreter as object as Partial<Exports>;

export function run(source: string, options: RunOptions): Promise<Outcome> {
  if (exported.run === undefined) return Promise.reject(new Error("this build of the interpreter has no run"));
  return exported.run(source, options);
}

export function parseProgram(source: string, options: { sourceBytes: number; astDepth: number }): ReturnType<Exports["parseProgram"]> {
  return exported.parseProgram?.(source, options) ?? { body: [], locate: () => ({ line: 1, column: 1 }) };
}

export function frameOf(source: string, location: SourceLocation): string {
  return exported.frameOf?.(source, location) ?? "";
}
