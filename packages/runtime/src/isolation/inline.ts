// No isolation: the program runs in the host's own thread. It shares the host's heap and stack, and nothing else.

import type { HostOptions, Outcome, RunOptions } from "@airlock/interpreter";
import { guestClock } from "./clock.js";
import type { ProgramOptions } from "./program.js";

/** The interpreter's `run`, or what a test puts in its place. */
export type Run = (source: string, options: RunOptions & HostOptions) => Promise<Outcome>;

export function inline(run: Run): (source: string, options: ProgramOptions & HostOptions) => Promise<Outcome> {
  return (source, { startTime, ...options }) => {
    if (startTime === undefined) return run(source, options);
    return run(source, { ...options, ...guestClock(startTime, options.tools ?? {}) });
  };
}
