// Patterns of schemas, run by our own engine: the host's has no limit and can need exponential time.

import { hostRegExp } from "@airlock/interpreter";

/** Steps of the engine for one text. */
const MAX_STEPS = 1_000_000;

export interface Pattern {
  test(text: string): boolean;
  /** Unlike for each pattern: ajv tells patterns apart by it. */
  toString(): string;
}

/** Undefined for a text that is no pattern of ours (another language's syntax, for example). */
export function patternFor(source: string): Pattern | undefined {
  for (const flags of ["u", ""]) {
    try {
      const engine = hostRegExp(source, flags, MAX_STEPS);
      return { test: (text) => engine.test(text), toString: () => `/${source}/${flags}` };
    } catch {
      // With `u`, escapes such as `\-` are refused: JSON Schema wants `u`, real schemas are often written without.
    }
  }
  return undefined;
}
