import { emit } from "./emit.js";
import { lower } from "./lower.js";
import { run } from "./matcher.js";
import { TOO_LARGE, parseFlags, parsePattern } from "./parse.js";
import type { Program } from "./program.js";
import { PatternError, type Captures, type Flags, type Meter, type Pattern } from "./types.js";

export { MatchLimit, PatternError, type Captures, type Flags, type Meter, type Pattern } from "./types.js";
export { hostRegExp, hostRegExpEngine, type HostRegExp } from "./host.js";

/** Patterns up to this length are kept, so that `split` and loops that make a RegExp don't compile again and again. */
const CACHED_SOURCE = 1_000;
const CACHED_PATTERNS = 500;
const cache = new Map<string, Pattern>();

/**
 * Compiles a regular expression of ECMAScript 2025, with the syntax of Annex B where neither `u` nor `v` is set.
 * Throws a PatternError, whose message is what stands after `Invalid regular expression: /…/: `.
 *
 *     compilePattern("(\\d+)-(?<unit>\\w+)", "u").match("10-km", 0, meter)  // [0, 5, 0, 2, 3, 5]
 *
 * @see https://tc39.es/ecma262/#sec-regexpinitialize
 */
export function compilePattern(source: string, flags: string): Pattern {
  const key = `${flags}/${source}`;
  let pattern = cache.get(key);
  if (pattern !== undefined) return pattern;
  pattern = new CompiledPattern(source, parseFlags(flags));
  if (source.length > CACHED_SOURCE) return pattern;
  if (cache.size >= CACHED_PATTERNS) for (const oldest of cache.keys()) if (cache.size >= CACHED_PATTERNS / 2) cache.delete(oldest);
  cache.set(key, pattern);
  return pattern;
}

/** What a compiled pattern takes beside its code and tables. */
const PATTERN_BYTES = 2_000;

class CompiledPattern implements Pattern {
  readonly cost: number;
  readonly bytes: number;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, readonly number[]>;
  private readonly program: Program;

  constructor(
    readonly source: string,
    readonly flags: Flags,
  ) {
    try {
      const lowered = lower(parsePattern(source, flags), flags);
      this.groupCount = lowered.groupCount;
      this.groupNames = lowered.groupNames;
      this.program = emit(lowered, flags.unicode || flags.unicodeSets);
      this.cost = source.length + (lowered.work() >> 4);
      this.bytes = PATTERN_BYTES + this.program.code.byteLength + this.program.tables.byteLength + this.program.registers.byteLength;
    } catch (error) {
      // The host's stack, which a program may have used up before it came here.
      throw error instanceof RangeError ? new PatternError(TOO_LARGE) : error;
    }
  }

  match(input: string, lastIndex: number, meter: Meter): Captures | null {
    return this.find(input, lastIndex, this.flags.sticky, meter);
  }

  matchAt(input: string, index: number, meter: Meter): Captures | null {
    return this.find(input, index, true, meter);
  }

  private find(input: string, from: number, once: boolean, meter: Meter): Captures | null {
    if (from > input.length) return null;
    return run(this.program, input, from, once, meter);
  }
}
