// Compiled programs by source: the machine code that the host made for their closures stays with them.

import { type Limits, ProgramError } from "./api.js";
import { type CompiledProgram, compileProgram } from "./compile/index.js";
import { parseProgram } from "./parse/index.js";
import { internalDiagnostic } from "./run/diagnostics.js";

export interface CachedProgram {
  compiled: CompiledProgram;
  /** It was there already. */
  isCached: boolean;
}

const MAX_PROGRAMS = 256;
const MAX_BYTES = 8 * 1024 * 1024;

interface Entry {
  compiled: CompiledProgram;
  sourceBytes: number;
  astDepth: number;
}

/** The least recently used first. */
const programs = new Map<string, Entry>();
let bytes = 0;

/** The compiled program of a source. Throws a ProgramError for what is none under these limits. */
export function programOf(source: string, limits: Pick<Limits, "sourceBytes" | "astDepth">): CachedProgram {
  const { sourceBytes, astDepth } = limits;
  const known = programs.get(source);
  // What smaller limits accepted, larger ones do.
  if (known !== undefined && known.sourceBytes <= sourceBytes && known.astDepth <= astDepth) {
    programs.delete(source);
    programs.set(source, known);
    return { compiled: known.compiled, isCached: true };
  }
  const compiled = compileSource(source, { sourceBytes, astDepth });
  keep(source, { compiled, sourceBytes, astDepth });
  return { compiled, isCached: false };
}

/** What goes wrong otherwise is a fault of ours, and no exception of the caller's. */
function compileSource(source: string, limits: Pick<Limits, "sourceBytes" | "astDepth">): CompiledProgram {
  try {
    return compileProgram(parseProgram(source, limits));
  } catch (error) {
    throw error instanceof ProgramError ? error : new ProgramError(internalDiagnostic(error));
  }
}

function keep(source: string, entry: Entry): void {
  forget(source);
  programs.set(source, entry);
  bytes += size(source);
  for (const oldest of programs.keys()) {
    if (programs.size <= MAX_PROGRAMS && bytes <= MAX_BYTES) break;
    forget(oldest);
  }
}

function forget(source: string): void {
  if (programs.delete(source)) bytes -= size(source);
}

function size(source: string): number {
  return 2 * source.length;
}
