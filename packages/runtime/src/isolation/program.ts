// How a program is run, whatever the isolation: the interpreter's `run`, and what stands in its place in a worker or a process.

import type { Failed, Limits, Outcome, RunOptions, Stats, Diagnostic, LogEntry } from "@airlock/interpreter";

/** Options of a run. `now` and `random` are functions and exist without isolation only; `startTime` stands for them everywhere. */
export interface ProgramOptions extends Omit<RunOptions, "now" | "random"> {
  limits: Limits;
  /** Milliseconds since the epoch: guest time starts there and moves only with tool results and timers. */
  startTime?: number;
}

/** Runs a program to its end. Resolves to its outcome; never rejects for a fault of the program. */
export type RunProgram = (source: string, options: ProgramOptions) => Promise<Outcome>;

export interface Isolation {
  run: RunProgram;
  close(): Promise<void>;
}

/** The outcome of a run that was ended from outside, or never began. */
export function ended(error: Diagnostic, known: { logs?: LogEntry[]; toolCalls?: number; startedAt?: number; seed?: number } = {}): Failed {
  const wallMs = known.startedAt === undefined ? 0 : Date.now() - known.startedAt;
  const stats: Stats = {
    steps: 0,
    computeMs: 0,
    wallMs,
    allocatedBytes: 0,
    peakDepth: 0,
    toolCalls: known.toolCalls ?? 0,
    seed: known.seed ?? 0,
    cachedProgram: false,
  };
  return { status: "failed", error, logs: known.logs ?? [], warnings: [], stats };
}

/** What an abort's reason says; empty if it says nothing of its own. */
export function abortReason(reason: unknown): string {
  return reason instanceof Error && reason.name !== "AbortError" ? reason.message : "";
}

/** The diagnostic of an abort by the host. */
export function abortedBy(reason: unknown): Diagnostic {
  const why = abortReason(reason);
  return { kind: "aborted", message: `The run was aborted${why === "" ? "." : `: ${why}`}`, hints: [] };
}
