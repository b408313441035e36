// RegExp objects: how they are made, and RegExpBuiltinExec (ECMAScript 22.2.7.2) over our own engine.
//
// A RegExp's `d` is a CompiledRegExp, which holds no realm data and is shared by all objects of one pattern. `lastIndex` is in s0.

import { ARRAY_ROOT, MATCH_ROOT, newArray, newElements } from "../src/array.js";
import { call1 } from "../src/call.js";
import { toLength, toStr } from "../src/convert.js";
import { FatalEnd, throwSyntaxError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get, isCallable, newKind, set } from "../src/object.js";
import { type Captures, MatchLimit, type Meter, type Pattern, PatternError, compilePattern } from "../src/regexp/index.js";
import { R, allocate, charge, chargeText } from "../src/run-state.js";
import { DATA, Flag, NULL_ROOT, type Shape, childShape, literalShape, rootOf } from "../src/shape.js";
import { type ArrayObject, GuestObject, Kind, type Value } from "../src/values.js";

/** What RegExpInitialize makes of a pattern and flags. */
export class CompiledRegExp {
  readonly pattern: Pattern;
  readonly source: string;
  readonly flags: string;
  readonly global: boolean;
  readonly sticky: boolean;
  readonly unicode: boolean;
  readonly hasIndices: boolean;
  /** The shape of the groups object, or null without named groups. */
  readonly groupsShape: Shape | null;
  /** For each name, the numbers of its groups. */
  readonly groups: readonly (readonly number[])[];
  private escaped: string | null = null;
  constructor(pattern: Pattern, source: string, flags: string) {
    const f = pattern.flags;
    this.pattern = pattern;
    this.source = source;
    this.flags = flags;
    this.global = f.global;
    this.sticky = f.sticky;
    this.unicode = f.unicode || f.unicodeSets;
    this.hasIndices = f.hasIndices;
    const names = [...pattern.groupNames.keys()];
    this.groupsShape = names.length === 0 ? null : literalShape(NULL_ROOT, names);
    this.groups = [...pattern.groupNames.values()];
  }
  /** EscapeRegExpPattern: the source as it can stand between slashes. */
  get text(): string {
    return (this.escaped ??= escapePattern(this.source));
  }
}

const compiled = new WeakMap<Pattern, CompiledRegExp>();

/** The compiled form of a pattern; a guest SyntaxError if it is none. Kept for as long as the engine keeps the pattern. */
export function compileRegExp(source: string, flags: string): CompiledRegExp {
  charge(10 + ((source.length + flags.length) >> 4));
  let pattern: Pattern;
  try {
    pattern = compilePattern(source, flags);
  } catch (e) {
    if (!(e instanceof PatternError)) throw e;
    if (/[^dgimsuvy]|(.).*\1/s.test(flags)) throwSyntaxError(`Invalid flags supplied to RegExp constructor '${flags.slice(0, 40)}'`);
    throwSyntaxError(`Invalid regular expression: /${source.length > 200 ? `${source.slice(0, 200)}…` : source}/${flags}: ${e.message}`);
  }
  allocate(pattern.bytes);
  charge(pattern.cost); // also for one that is known: a run's steps do not depend on the runs before it
  let c = compiled.get(pattern);
  if (c === undefined) compiled.set(pattern, (c = new CompiledRegExp(pattern, source, flags)));
  return c;
}

/** The shape of RegExp objects as made. One with this shape in an intact realm behaves as the specification's own. */
export const REGEXP_SHAPE: Shape = childShape(rootOf(Intrinsic.RegExpPrototype), "lastIndex", Flag.WRITABLE);

/** A new RegExp object, as a literal makes on each evaluation. */
export function newRegExp(c: CompiledRegExp): GuestObject {
  R.mem -= 88;
  return new GuestObject(REGEXP_SHAPE, Kind.REGEXP, c, 0, undefined, undefined, undefined);
}

/** A RegExp object of any prototype. */
export function newRegExpWith(root: Shape, c: CompiledRegExp): GuestObject {
  const o = newKind(childShape(root, "lastIndex", Flag.WRITABLE), Kind.REGEXP, c);
  o.s0 = 0;
  return o;
}

/** The value of a regular expression literal; a guest SyntaxError if it is none. */
export function regExpLiteral(source: string, flags: string): GuestObject {
  return newRegExp(compileRegExp(source, flags));
}

/** RegExpCreate. */
export function regExpCreate(pattern: Value, flags: Value): GuestObject {
  const p = pattern === undefined ? "" : toStr(pattern);
  return newRegExp(compileRegExp(p, flags === undefined ? "" : toStr(flags)));
}

/** True for a RegExp object whose methods, flags and `exec` are as made and whose `lastIndex` is a number: nothing of the guest's runs when it is used. */
export function isPristine(rx: GuestObject): boolean {
  return rx.shape === REGEXP_SHAPE && R.intact && typeof rx.s0 === "number";
}

class RunMeter implements Meter {
  fuel = 0;
  outOfFuel(): void {
    R.fuel = this.fuel;
    R.run.outOfFuel();
    this.fuel = R.fuel;
  }
}
const meter = new RunMeter();

/** The first match at or after `index` (only there with flag y); charged by what the engine does. */
export function matchPattern(c: CompiledRegExp, text: string, index: number): Captures | null {
  meter.fuel = R.fuel - 1;
  try {
    const found = c.pattern.match(text, index, meter);
    R.fuel = meter.fuel;
    return found;
  } catch (e) {
    throw e instanceof MatchLimit ? tooManyAlternatives(e) : e;
  }
}

/** The match that starts at `index`, whatever the flags. */
export function matchPatternAt(c: CompiledRegExp, text: string, index: number): Captures | null {
  meter.fuel = R.fuel - 1;
  try {
    const found = c.pattern.matchAt(text, index, meter);
    R.fuel = meter.fuel;
    return found;
  } catch (e) {
    throw e instanceof MatchLimit ? tooManyAlternatives(e) : e;
  }
}

function tooManyAlternatives(e: MatchLimit): FatalEnd {
  return new FatalEnd({
    kind: "limit",
    limit: "memoryBytes",
    message: `A regular expression needs too much memory: ${e.message}`,
    hints: ["Use a pattern with less to go back over, or match a shorter text."],
  });
}

const MATCH_INDICES_SHAPE: Shape = childShape(MATCH_ROOT, "indices", DATA);
const INDICES_SHAPE: Shape = childShape(ARRAY_ROOT, "groups", DATA);

/** The texts of the groups, the whole match first. */
export function captureTexts(text: string, found: Captures): Value[] {
  const d = newElements();
  R.mem -= 16 * found.length;
  for (let i = 0; i < found.length; i += 2) d.push(found[i] < 0 ? undefined : text.slice(found[i], found[i + 1]));
  return d;
}

/** The object with the named groups, from the elements of a match or of its indices. */
export function groupsObject(c: CompiledRegExp, elements: readonly Value[]): GuestObject | undefined {
  if (c.groupsShape === null) return undefined;
  const values: Value[] = c.groups.map((numbers) => {
    for (const n of numbers) if (elements[n] !== undefined) return elements[n];
    return undefined;
  });
  R.mem -= 88 + 8 * values.length;
  const o = new GuestObject(c.groupsShape, Kind.ORDINARY, undefined, values[0], values[1], values[2], values[3]);
  if (values.length > 4) o.more = values.slice(4);
  return o;
}

/** The array that `exec` gives for a match. */
export function matchResult(c: CompiledRegExp, text: string, found: Captures): ArrayObject {
  const d = captureTexts(text, found);
  const result = newArray(d);
  R.mem -= 32;
  result.shape = MATCH_ROOT;
  result.s0 = found[0];
  result.s1 = text;
  result.s2 = groupsObject(c, d);
  if (c.hasIndices) {
    result.shape = MATCH_INDICES_SHAPE;
    result.s3 = matchIndices(c, found);
  }
  return result;
}

function matchIndices(c: CompiledRegExp, found: Captures): ArrayObject {
  const d = newElements();
  for (let i = 0; i < found.length; i += 2) {
    if (found[i] < 0) d.push(undefined);
    else {
      const pair = newElements();
      pair.push(found[i], found[i + 1]);
      d.push(newArray(pair));
    }
  }
  const indices = newArray(d);
  indices.shape = INDICES_SHAPE;
  indices.s0 = groupsObject(c, d);
  return indices;
}

/** RegExpBuiltinExec, up to the captures: reads and writes `lastIndex`. */
export function builtinMatch(rx: GuestObject, text: string): Captures | null {
  const lastIndex = rx.s0;
  let index =
    typeof lastIndex === "number" && lastIndex >= 0 && lastIndex <= text.length && lastIndex % 1 === 0
      ? lastIndex + 0
      : toLength(get(rx, "lastIndex"));
  const c = rx.d as CompiledRegExp; // after the coercion of lastIndex, which may have called compile()
  const stateful = c.global || c.sticky;
  if (!stateful) index = 0;
  const found = index > text.length ? null : matchPattern(c, text, index);
  if (stateful) setLastIndex(rx, found === null ? 0 : found[1]);
  return found;
}

/** Set(rx, "lastIndex", n, true). */
export function setLastIndex(rx: GuestObject, n: number): void {
  if (rx.shape === REGEXP_SHAPE) rx.s0 = n;
  else set(rx, "lastIndex", n);
}

/** RegExpExec. */
export function regExpExec(rx: GuestObject, text: string): GuestObject | null {
  if (rx.kind === Kind.REGEXP && isPristine(rx)) return builtinExec(rx, text);
  const exec = get(rx, "exec");
  if (isCallable(exec)) {
    const result = call1(exec, rx, text);
    if (typeof result !== "object") throwTypeError("object null or function expected from the exec method of a regular expression");
    return result;
  }
  requireRegExp(rx, "exec");
  return builtinExec(rx, text);
}

export function builtinExec(rx: GuestObject, text: string): GuestObject | null {
  const found = builtinMatch(rx, text);
  return found === null ? null : matchResult(rx.d as CompiledRegExp, text, found);
}

/** RequireInternalSlot(v, [[RegExpMatcher]]). */
export function requireRegExp(v: Value, name: string): GuestObject {
  if (typeof v === "object" && v !== null && v.kind === Kind.REGEXP) return v;
  throwTypeError(`RegExp.prototype.${name} requires that 'this' be a RegExp object`);
}

/** AdvanceStringIndex. */
export function advanceIndex(text: string, index: number, unicode: boolean): number {
  if (!unicode || index + 1 >= text.length) return index + 1;
  const c = text.charCodeAt(index);
  if (c < 0xd800 || c > 0xdbff) return index + 1;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff ? index + 2 : index + 1;
}

function escapePattern(source: string): string {
  if (source === "") return "(?:)";
  chargeText(source.length);
  let out = "";
  let inClass = false;
  for (let i = 0; i < source.length; i++) {
    const c = source[i];
    if (c === "\\") {
      const next = source[i + 1];
      // An escaped line end means the same as the escape of its name.
      out += next !== undefined && LINE_ENDS[next] !== undefined ? LINE_ENDS[next] : c + (next ?? "");
      i++;
      continue;
    }
    if (c === "[") inClass = true;
    else if (c === "]") inClass = false;
    if (c === "/" && !inClass) out += "\\/";
    else out += LINE_ENDS[c] ?? c;
  }
  return out;
}
const LINE_ENDS: Record<string, string | undefined> = { "\n": "\\n", "\r": "\\r", "\u2028": "\\u2028", "\u2029": "\\u2029" };
