// Why a value cannot cross, told by its place; and what was changed on the way.

import type { Limits } from "../api.js";

/** Depth of nesting up to which values cross. */
export const MAX_DEPTH = 200;

/** Thrown by the copiers for a value that cannot cross. The caller makes a diagnostic or an error of the program from it. */
export class Refusal {
  /** What is wrong, without its place: `is a function`. */
  readonly what: string;
  /** Where: `result.items[3].next`. */
  readonly path: string;
  readonly hint: string | undefined;
  readonly limit: keyof Limits | undefined;
  constructor(what: string, path: string, hint?: string, limit?: keyof Limits) {
    this.what = what;
    this.path = path;
    this.hint = hint;
    this.limit = limit;
  }

  get message(): string {
    return `${this.path} ${this.what}.`;
  }
}

/** Counts what a copy changed or left out, each kind once with its first place. */
export class Notes {
  private found: Map<string, { path: string; count: number }> | null = null;

  /** `what` goes after a place: `is NaN or infinite and became null`. */
  add(what: string, path: () => string): void {
    const found = (this.found ??= new Map());
    const known = found.get(what);
    if (known !== undefined) known.count++;
    else found.set(what, { path: path(), count: 1 });
  }

  get isEmpty(): boolean {
    return this.found === null;
  }

  /** The texts, which are forgotten: the notes can serve another copy. */
  take(): readonly string[] {
    const { texts } = this;
    this.found = null;
    return texts;
  }

  get texts(): readonly string[] {
    if (this.found === null) return NONE;
    return [...this.found].map(([what, { path, count }]) => `${path} ${what}${count > 1 ? ` (and ${count - 1} more)` : ""}.`);
  }
}

const NONE: readonly string[] = [];
