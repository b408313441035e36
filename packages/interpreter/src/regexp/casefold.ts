import { contains, fromRanges, union, type CharSet } from "./charset.js";
import { textOfPoints } from "./unicode.js";

/**
 * Canonicalize(ch) of a pattern that ignores case: simple case folding with the flags `u` and `v`, else the rule of toUpperCase.
 * What it returns stands for the class of `point`, and need not be the character that the Unicode file names.
 * @see https://tc39.es/ecma262/#sec-runtime-semantics-canonicalize-ch
 */
export function canonicalize(point: number, unicode: boolean): number {
  if (point < 128) return point >= 0x61 && point <= 0x7a ? point - 32 : point;
  return classes(unicode).representative.get(point) ?? point;
}

/** All the characters whose Canonicalize is that of a member of `set`. */
export function closeOver(set: CharSet, unicode: boolean): CharSet {
  const ascii = closeAscii(set, unicode);
  if (beyondAscii(set) !== "some") return ascii;
  const { members } = classes(unicode);
  const extra: number[] = [];
  for (const group of members) {
    let found = false;
    for (let i = 0; i < group.length && !found; i++) found = contains(ascii, group[i]);
    if (found) for (const point of group) extra.push(point, point);
  }
  return union(ascii, fromRanges(extra));
}

/** The other case of ASCII letters; with Unicode folding also U+017F (s) and U+212A (k), in both directions. */
function closeAscii(set: CharSet, unicode: boolean): CharSet {
  const extra: number[] = [];
  for (let i = 0; i < set.length && set[i] <= 0x7a; i += 2) {
    addShifted(extra, set[i], set[i + 1], 0x41, 0x5a, 32);
    addShifted(extra, set[i], set[i + 1], 0x61, 0x7a, -32);
  }
  if (unicode) {
    if (contains(set, 0x4b) || contains(set, 0x6b)) extra.push(0x212a, 0x212a);
    if (contains(set, 0x53) || contains(set, 0x73)) extra.push(0x17f, 0x17f);
    if (contains(set, 0x212a)) extra.push(0x4b, 0x4b, 0x6b, 0x6b);
    if (contains(set, 0x17f)) extra.push(0x53, 0x53, 0x73, 0x73);
  }
  return extra.length === 0 ? set : union(set, fromRanges(extra));
}

function addShifted(out: number[], from: number, to: number, low: number, high: number, by: number): void {
  const first = Math.max(from, low);
  const last = Math.min(to, high);
  if (first <= last) out.push(first + by, last + by);
}

/** How much of what is not ASCII is in the set. None and all of it need no table. */
function beyondAscii(set: CharSet): "none" | "some" | "all" {
  const last = set.length - 2;
  if (last < 0 || set[last + 1] < 128) return "none";
  return set[last] <= 128 && set[last + 1] >= 0xffff ? "all" : "some";
}

interface CaseClasses {
  /** Each class of two or more characters that are equal when case is ignored. */
  readonly members: readonly (readonly number[])[];
  readonly representative: ReadonlyMap<number, number>;
}

const cache: { simple?: CaseClasses; upper?: CaseClasses } = {};

function classes(unicode: boolean): CaseClasses {
  return unicode
    ? (cache.simple ??= collect(casedPoints(0x1ffff), foldPartner))
    : (cache.upper ??= collect(casedPoints(0xffff), upperPartner));
}

/** Joins each character with its partners. */
function collect(points: readonly number[], partners: (point: number) => readonly number[]): CaseClasses {
  const groupOf = new Map<number, number[]>();
  for (const point of points) {
    for (const partner of partners(point)) {
      const a = groupOf.get(point) ?? [point];
      const b = groupOf.get(partner) ?? [partner];
      if (a === b) continue;
      const joined = [...a, ...b];
      for (const member of joined) groupOf.set(member, joined);
    }
  }
  const members = new Set(groupOf.values());
  const representative = new Map<number, number>();
  for (const group of members) {
    group.sort((a, b) => a - b);
    const first = canonicalAscii(group[0]);
    for (const member of group) representative.set(member, first);
  }
  return { members: [...members], representative };
}

function canonicalAscii(point: number): number {
  return point >= 0x61 && point <= 0x7a ? point - 32 : point;
}

/** toUppercase, where it is one code unit and does not lead from outside of ASCII into it. */
function upperPartner(point: number): readonly number[] {
  const upper = String.fromCharCode(point).toUpperCase();
  if (upper.length !== 1) return [];
  const unit = upper.charCodeAt(0);
  return unit === point || (point >= 128 && unit < 128) ? [] : [unit];
}

/**
 * Simple case folding, from the mappings to upper and lower case: they join the same characters, but for the dotless i and the dotted I (which fold
 * to themselves), and for pairs whose upper case is several characters.
 */
function foldPartner(point: number): readonly number[] {
  if (point === 0x130 || point === 0x131) return [];
  const text = String.fromCodePoint(point);
  const partners: number[] = [];
  for (const other of [text.toLowerCase(), text.toUpperCase()]) {
    const folded = other.codePointAt(0) ?? point;
    if (folded !== point && other.length === (folded > 0xffff ? 2 : 1)) partners.push(folded);
  }
  for (const [a, b] of FULL_PAIRS) if (point === a) partners.push(b);
  return partners;
}

/** Joined by Unicode 15.1. */
const FULL_PAIRS: readonly (readonly [number, number])[] =
  Number.parseFloat(process.versions["unicode"] ?? "0") < 15.1
    ? []
    : [
        [0x1fd3, 0x390],
        [0x1fe3, 0x3b0],
        [0xfb05, 0xfb06],
      ];

/** The characters that have another case, found block by block. */
function casedPoints(max: number): readonly number[] {
  const points: number[] = [];
  for (const [from, to] of [
    [0, 0xd800],
    [0xe000, 0x10000],
    [0x10000, 0x20000],
  ]) {
    if (from > max) break;
    const text = textOfPoints(from, to);
    const width = from > 0xffff ? 2 : 1;
    for (let block = 0; block < text.length; block += 256) {
      const part = text.slice(block, block + 256);
      const upper = part.toUpperCase();
      const lower = part.toLowerCase();
      if (upper === part && lower === part) continue;
      // A character whose other case is longer shifts those after it: then each is asked.
      const aligned = upper.length === part.length && lower.length === part.length;
      for (let i = 0; i < part.length; i += width) {
        const char = part.slice(i, i + width);
        const same = aligned
          ? upper.startsWith(char, i) && lower.startsWith(char, i)
          : char.toUpperCase() === char && char.toLowerCase() === char;
        if (!same) points.push(from + (block + i) / width);
      }
    }
  }
  return points;
}
