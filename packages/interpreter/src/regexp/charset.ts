/** Sets of code points as sorted ranges: `[from, to, from, to, …]`, both ends inclusive, ranges neither overlapping nor touching. */
export type CharSet = readonly number[];

/** The greatest code point, and the greatest code unit: the end of everything, with and without the flags `u` and `v`. */
export const MAX_POINT = 0x10ffff;
export const MAX_UNIT = 0xffff;

export const EMPTY: CharSet = [];
/** `\d` */
export const DIGIT: CharSet = [0x30, 0x39];
/** `\w` @see https://tc39.es/ecma262/#sec-wordcharacters */
export const WORD: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
/** `\w` with `i` and `u` or `v`: U+017F folds to s, U+212A to k. */
export const WORD_FOLDED: CharSet = [...WORD, 0x17f, 0x17f, 0x212a, 0x212a];
/** `\s`: WhiteSpace and LineTerminator. */
export const SPACE: CharSet = [
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000,
  0xfeff, 0xfeff,
];
export const LINE_TERMINATOR: CharSet = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029];

/** A set from ranges in any order, which may overlap. */
export function fromRanges(pairs: readonly number[]): CharSet {
  let sorted = true;
  for (let i = 2; i < pairs.length && sorted; i += 2) sorted = pairs[i] > pairs[i - 1] + 1;
  if (sorted) return pairs;
  const order: number[] = [];
  for (let i = 0; i < pairs.length; i += 2) order.push(i);
  order.sort((a, b) => pairs[a] - pairs[b]);
  const set: number[] = [];
  for (const i of order) {
    const last = set.length - 1;
    if (last > 0 && pairs[i] <= set[last] + 1) set[last] = Math.max(set[last], pairs[i + 1]);
    else set.push(pairs[i], pairs[i + 1]);
  }
  return set;
}

export function union(a: CharSet, b: CharSet): CharSet {
  if (a.length === 0) return b;
  if (b.length === 0 || a === b) return a;
  const set: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const takeA = j >= b.length || (i < a.length && a[i] <= b[j]);
    const from = takeA ? a[i] : b[j];
    const to = takeA ? a[i + 1] : b[j + 1];
    if (takeA) i += 2;
    else j += 2;
    const last = set.length - 1;
    if (last > 0 && from <= set[last] + 1) {
      if (to > set[last]) set[last] = to;
    } else set.push(from, to);
  }
  return set;
}

/** What is not in `set`, up to `max`. */
export function invert(set: CharSet, max: number): CharSet {
  const rest: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length && set[i] <= max; i += 2) {
    if (set[i] > next) rest.push(next, set[i] - 1);
    next = set[i + 1] + 1;
  }
  if (next <= max) rest.push(next, max);
  return rest;
}

export function intersect(a: CharSet, b: CharSet): CharSet {
  const set: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const from = Math.max(a[i], b[j]);
    const to = Math.min(a[i + 1], b[j + 1]);
    if (from <= to) set.push(from, to);
    if (a[i + 1] < b[j + 1]) i += 2;
    else j += 2;
  }
  return set;
}

export function subtract(a: CharSet, b: CharSet): CharSet {
  return intersect(a, invert(b, MAX_POINT));
}

export function disjoint(a: CharSet, b: CharSet): boolean {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] <= b[j + 1] && b[j] <= a[i + 1]) return false;
    if (a[i + 1] < b[j + 1]) i += 2;
    else j += 2;
  }
  return true;
}

export function contains(set: CharSet, point: number): boolean {
  let low = 0;
  let high = (set.length >> 1) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (point < set[middle * 2]) high = middle - 1;
    else if (point > set[middle * 2 + 1]) low = middle + 1;
    else return true;
  }
  return false;
}

/** The one member of a set of one, or -1. */
export function single(set: CharSet): number {
  return set.length === 2 && set[0] === set[1] ? set[0] : -1;
}

/** True if a code unit alone decides membership: no surrogates and nothing beyond U+FFFF. */
export function unitsOnly(set: CharSet): boolean {
  return set.length === 0 || (set[set.length - 1] <= MAX_UNIT && disjoint(set, [0xd800, 0xdfff]));
}

/** The code units a member of `set` can begin with. */
export function leadingUnits(set: CharSet): CharSet {
  if (set.length === 0 || set[set.length - 1] <= MAX_UNIT) return set;
  const units: number[] = [];
  for (let i = 0; i < set.length; i += 2) {
    if (set[i] <= MAX_UNIT) units.push(set[i], Math.min(set[i + 1], MAX_UNIT));
    if (set[i + 1] > MAX_UNIT) units.push(leadSurrogate(Math.max(set[i], MAX_UNIT + 1)), leadSurrogate(set[i + 1]));
  }
  return fromRanges(units);
}

function leadSurrogate(point: number): number {
  return 0xd7c0 + (point >> 10);
}
