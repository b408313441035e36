import type { AST, RegExpParser, RegExpSyntaxError } from "@eslint-community/regexpp";
import { regexpp } from "../lazy.js";
import { PatternError, type Flags } from "./types.js";

/** The longest pattern, in code units. */
export const MAX_SOURCE = 262_144;
/** The deepest nesting of groups and classes: the parser and the compiler recurse, and may be called from deep inside a program. */
export const MAX_NESTING = 200;

export const TOO_LARGE = "regular expression too large";

let parser: RegExpParser | undefined;

/** The syntax tree of a pattern. Throws a PatternError. @see https://tc39.es/ecma262/#sec-parsepattern */
export function parsePattern(source: string, flags: Flags): AST.Pattern {
  if (source.length > MAX_SOURCE || nesting(source, flags.unicodeSets) > MAX_NESTING) throw new PatternError(TOO_LARGE);
  parser ??= new (regexpp().RegExpParser)({ ecmaVersion: 2025, strict: false });
  try {
    return parser.parsePattern(source, 0, source.length, { unicode: flags.unicode, unicodeSets: flags.unicodeSets });
  } catch (error) {
    if (error instanceof regexpp().RegExpSyntaxError) throw new PatternError(reason(error, source));
    if (error instanceof RangeError) throw new PatternError(TOO_LARGE);
    throw error;
  }
}

/** The flags of a text such as "gi". Throws a PatternError for an unknown or repeated flag, and for `u` with `v`. */
export function parseFlags(text: string): Flags {
  const seen = new Set(text);
  let valid = seen.size === text.length && !(seen.has("u") && seen.has("v"));
  for (const flag of seen) valid &&= "dgimsuvy".includes(flag);
  if (!valid) throw new PatternError(`Invalid flags '${text}'`);
  return {
    hasIndices: seen.has("d"),
    global: seen.has("g"),
    ignoreCase: seen.has("i"),
    multiline: seen.has("m"),
    dotAll: seen.has("s"),
    unicode: seen.has("u"),
    unicodeSets: seen.has("v"),
    sticky: seen.has("y"),
  };
}

/** The parser's message without what it puts before it. */
function reason(error: RegExpSyntaxError, source: string): string {
  const shown = error.message.indexOf(source);
  const start = error.message.indexOf(": ", shown < 0 ? 0 : shown + source.length);
  return start < 0 ? error.message : error.message.slice(start + 2);
}

/** How deep groups and classes nest, from the text alone. */
function nesting(source: string, nestedClasses: boolean): number {
  let depth = 0;
  let classDepth = 0;
  let deepest = 0;
  for (let i = 0; i < source.length; i++) {
    const char = source[i];
    if (char === "\\") i++;
    else if (char === "[") classDepth = nestedClasses ? classDepth + 1 : 1;
    else if (char === "]") classDepth = Math.max(0, classDepth - 1);
    else if (classDepth > 0) continue;
    else if (char === "(") depth++;
    else if (char === ")") depth = Math.max(0, depth - 1);
    if (depth + classDepth > deepest) deepest = depth + classDepth;
  }
  return deepest;
}
