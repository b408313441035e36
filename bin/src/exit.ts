// How a command ends: the exit codes, and the failures that are the person's to mend.

export const EXIT = { completed: 0, failed: 1, usage: 2, denied: 3, interrupted: 130 } as const;

/** Wrong usage or configuration: the message says what and where, the hints what to do. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly hints: readonly string[];
  constructor(message: string, hints: readonly string[] = []) {
    super(message);
    this.hints = hints;
  }
}
