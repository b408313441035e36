import { compilePattern } from "./index.js";
import type { Captures, Pattern } from "./types.js";

/** A pattern from elsewhere (a tool's schema, a user's filter) for host code, matched by our engine and never by the host's. */
export interface HostRegExp {
  readonly source: string;
  readonly flags: string;
  /** Whether the pattern matches somewhere in `text`. Throws an Error if that takes more than the steps it was given. */
  test(text: string): boolean;
  /** Start and end of each group of the first match from `from` on, or null. */
  find(text: string, from?: number): Captures | null;
  /** `/source/flags`. ajv tells patterns apart by it. */
  toString(): string;
}

/** Steps that decide any sane pattern on a text of some kilobytes. */
const DEFAULT_STEPS = 1_000_000;

/**
 * A pattern whose matches end after `maxSteps` steps at the latest. Throws a PatternError for what is no pattern.
 *
 *     hostRegExp("^(a+)+$", "u", 100_000).test("aaaa!")  // false
 */
export function hostRegExp(pattern: string, flags: string, maxSteps = DEFAULT_STEPS): HostRegExp {
  const compiled = compilePattern(pattern, flags);
  const find = (text: string, from = 0): Captures | null => compiled.match(text, from, budget(compiled, maxSteps));
  return { source: pattern, flags, find, test: (text) => find(text) !== null, toString: () => `/${pattern}/${flags}` };
}

hostRegExp.code = "hostRegExp";

/** `hostRegExp` with its steps set: what ajv's option `code.regExp` takes. */
export function hostRegExpEngine(maxSteps: number): { (pattern: string, flags: string): HostRegExp; code: string } {
  return Object.assign((pattern: string, flags: string) => hostRegExp(pattern, flags, maxSteps), { code: "hostRegExp" });
}

function budget(pattern: Pattern, maxSteps: number): { fuel: number; outOfFuel(): never } {
  return {
    fuel: maxSteps,
    outOfFuel() {
      throw new Error(`The pattern /${pattern.source}/ took more than ${maxSteps} steps on this text. Use a simpler pattern.`);
    },
  };
}
