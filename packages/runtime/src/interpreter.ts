// What the runtime needs of the interpreter's parser. (For now read at run time: `parseProgram` is exported soon.)

import * as interpreter from "@airlock/interpreter";
import type { SourceLocation } from "@airlock/interpreter";

interface Exports {
  parseProgram(
    source: string,
    options: { sourceBytes: number; astDepth: number },
  ): { body: unknown; locate(offset: number): SourceLocation };
  frameOf(source: string, location: SourceLocation): string;
}

const exported = interpreter as object as Partial<Exports>;

export function parseProgram(source: string, options: { sourceBytes: number; astDepth: number }): ReturnType<Exports["parseProgram"]> {
  return exported.parseProgram?.(source, options) ?? { body: [], locate: () => ({ line: 1, column: 1 }) };
}

export function frameOf(source: string, location: SourceLocation): string {
  return exported.frameOf?.(source, location) ?? "";
}
