/** What the rest of the house sees of a regular expression. */

/** The flags of a pattern, under the names of the accessors of RegExp.prototype. */
export interface Flags {
  readonly hasIndices: boolean;
  readonly global: boolean;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly unicode: boolean;
  readonly unicodeSets: boolean;
  readonly sticky: boolean;
}

/**
 * Where a match takes its fuel from. The engine lowers `fuel` by the work it does, and calls `outOfFuel` when it is below 0:
 * that adds fuel, or throws to end the match. It must not start another match.
 */
export interface Meter {
  fuel: number;
  outOfFuel(): void;
}

/** Start and end of each group, group 0 first, in code units: `[start0, end0, start1, end1, …]`; -1, -1 for a group that took no part. */
export type Captures = number[];

/** A compiled pattern. Holds no state between matches, so one may serve many RegExp objects and realms. */
export interface Pattern {
  readonly source: string;
  readonly flags: Flags;
  /** The steps to charge for compiling it; the same when it comes from the cache. */
  readonly cost: number;
  /** Memory that it takes, about. */
  readonly bytes: number;
  /** The number of groups, the whole match (group 0) included. */
  readonly groupCount: number;
  /** The numbers of the groups of each name, names in the order of the source; several numbers for a duplicate name. */
  readonly groupNames: ReadonlyMap<string, readonly number[]>;
  /**
   * The first match at or after `lastIndex` (only at `lastIndex` for a sticky pattern), or null.
   * With the flags `u` or `v`, a `lastIndex` inside a surrogate pair means the start of the pair.
   * Throws what `meter.outOfFuel` throws, and `MatchLimit`.
   * @see https://tc39.es/ecma262/#sec-regexpbuiltinexec
   */
  match(input: string, lastIndex: number, meter: Meter): Captures | null;
  /** The match that starts at `index`, or null, whatever the flags say. */
  matchAt(input: string, index: number, meter: Meter): Captures | null;
}

/** The pattern or its flags are no regular expression, or one too large. The message is what stands after `Invalid regular expression: /…/: `. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** The match keeps more alternatives open than the engine allows memory for. Not to be caught by the guest. */
export class MatchLimit extends Error {
  override readonly name = "MatchLimit";
}
