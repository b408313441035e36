import { canonicalize } from "./casefold.js";
import { foldText } from "./classes.js";
import type { HighSet, Program, StringTable } from "./program.js";

/** What the matcher's instructions do in loops of their own over the input. Sets are given as a table of 256 (at `base`) and the rest. */

/** Where a run of members of the set from `pos` ends, at most at `stop`. */
export function spanUnits(units: Uint16Array, pos: number, stop: number, tables: Uint8Array, base: number, high: HighSet): number {
  while (pos < stop) {
    const unit = units[pos];
    if (unit < 256 ? tables[base | unit] === 0 : !high.has(unit)) break;
    pos++;
  }
  return pos;
}

/** The same over code points, of which it takes at most `most`. */
export function spanPoints(
  units: Uint16Array,
  pos: number,
  stop: number,
  most: number,
  tables: Uint8Array,
  base: number,
  high: HighSet,
): number {
  for (; most > 0 && pos < stop; most--) {
    const unit = units[pos];
    if (unit < 256) {
      if (tables[base | unit] === 0) break;
      pos++;
      continue;
    }
    const point = pointAt(units, pos, stop);
    if (!high.has(point)) break;
    pos += point > 0xffff ? 2 : 1;
  }
  return pos;
}

/** Where `count` members of the set from `pos` end, or -1 if there are fewer. */
export function exactPoints(
  units: Uint16Array,
  pos: number,
  stop: number,
  count: number,
  tables: Uint8Array,
  base: number,
  high: HighSet,
): number {
  for (; count > 0; count--) {
    const after = spanPoints(units, pos, stop, 1, tables, base, high);
    if (after === pos) return -1;
    pos = after;
  }
  return pos;
}

/**
 * The first place from `pos` on, past members of the set only and at most at `ceiling`, where what follows passes the filter; if there is none, the
 * complement (~) of how many units it took to know.
 */
export function lazyUnits(
  units: Uint16Array,
  pos: number,
  ceiling: number,
  end: number,
  tables: Uint8Array,
  base: number,
  high: HighSet,
  filterBase: number,
  filterHigh: HighSet,
  atEnd: number,
): number {
  const from = pos;
  const stop = Math.min(end, ceiling) - 4;
  while (pos <= stop) {
    const a = units[pos];
    const b = units[pos + 1];
    const c = units[pos + 2];
    const d = units[pos + 3];
    if ((a | b | c | d) > 255 || (tables[filterBase | a] | tables[filterBase | b] | tables[filterBase | c] | tables[filterBase | d]) !== 0)
      break;
    if ((tables[base | a] & tables[base | b] & tables[base | c] & tables[base | d]) === 0) break;
    pos += 4;
  }
  for (; pos < end; pos++) {
    const unit = units[pos];
    if (unit < 256 ? tables[filterBase | unit] !== 0 : filterHigh.has(unit)) return pos;
    if (pos >= ceiling || (unit < 256 ? tables[base | unit] === 0 : !high.has(unit))) return ~(pos - from);
  }
  return atEnd !== 0 ? pos : ~(pos - from);
}

/** The same over code points. */
export function lazyPoints(
  units: Uint16Array,
  pos: number,
  ceiling: number,
  end: number,
  tables: Uint8Array,
  base: number,
  high: HighSet,
  filterBase: number,
  filterHigh: HighSet,
  atEnd: number,
): number {
  const from = pos;
  while (pos < end) {
    const unit = units[pos];
    if (unit < 256 ? tables[filterBase | unit] !== 0 : filterHigh.has(unit)) return pos;
    const after = pos < ceiling ? spanPoints(units, pos, end, 1, tables, base, high) : pos;
    if (after === pos) return ~(pos - from);
    pos = after;
  }
  return atEnd !== 0 ? pos : ~(pos - from);
}

function pointAt(units: Uint16Array, pos: number, stop: number): number {
  const unit = units[pos];
  if ((unit & 0xfc00) !== 0xd800 || pos + 1 >= stop) return unit;
  const low = units[pos + 1];
  return (low & 0xfc00) === 0xdc00 ? ((unit - 0xd800) << 10) + (low - 0xdc00) + 0x10000 : unit;
}

/** The first place from `from` on where an attempt could succeed, or -1. */
export function seek(program: Program, input: string, units: Uint16Array, from: number): number {
  const last = input.length - program.min;
  if (from > last) return -1;
  const { scan } = program;
  let at = from;
  switch (scan.kind) {
    case "start":
      return at === 0 ? 0 : -1;
    case "lineStart":
      if (at === 0) return 0;
      for (at--; at < last; at++) {
        const unit = units[at];
        if (unit === 0x0a || unit === 0x0d || unit === 0x2028 || unit === 0x2029) return at + 1;
      }
      return -1;
    case "prefix":
      return input.indexOf(scan.prefix, at);
    case "first":
      return seekFirst(program, units, input.length, at, last);
    case "skip":
      return seekSkipping(program, units, input.length, at, last);
    case "everywhere":
      return program.unicode && splitsPair(units, input.length, at) ? (at < last ? at + 1 : -1) : at;
  }
}

function seekFirst(program: Program, units: Uint16Array, length: number, at: number, last: number): number {
  const { tables, unicode } = program;
  const base = program.scan.set << 8;
  const high = program.highs[program.scan.set];
  for (;;) {
    // Four at once, as long as they are of the first 256 and none is in the set.
    while (at + 3 <= last) {
      const a = units[at];
      const b = units[at + 1];
      const c = units[at + 2];
      const d = units[at + 3];
      if ((a | b | c | d) > 255 || (tables[base | a] | tables[base | b] | tables[base | c] | tables[base | d]) !== 0) break;
      at += 4;
    }
    if (at > last) return -1;
    for (const stop = Math.min(at + 3, last); at <= stop; at++) {
      const unit = units[at];
      if (unit < 256 ? tables[base | unit] !== 0 : high.has(unit) && !(unicode && splitsPair(units, length, at))) return at;
    }
  }
}

function seekSkipping(program: Program, units: Uint16Array, length: number, at: number, last: number): number {
  const { tables, unicode, scan } = program;
  const { offset, shifts, highShift, set } = scan;
  const high = program.highs[set];
  const base = set << 8;
  while (at <= last) {
    const ahead = units[at + offset];
    const shift = ahead < 256 ? shifts[ahead] : highShift;
    if (shift !== 0) {
      at += shift;
      continue;
    }
    const unit = units[at];
    if (unit < 256 ? tables[base | unit] !== 0 : high.has(unit) && !(unicode && splitsPair(units, length, at))) return at;
    at++;
  }
  return -1;
}

/** True if `pos` is inside a surrogate pair. */
export function splitsPair(units: Uint16Array, length: number, pos: number): boolean {
  return pos > 0 && pos < length && (units[pos] & 0xfc00) === 0xdc00 && (units[pos - 1] & 0xfc00) === 0xd800;
}

/** @see https://tc39.es/ecma262/#sec-runtime-semantics-iswordchar-abstract-operation */
export function isWordAt(units: Uint16Array, at: number, end: number, tables: Uint8Array, base: number, high: HighSet): boolean {
  if (at < 0 || at >= end) return false;
  const unit = units[at];
  return unit < 256 ? tables[base | unit] !== 0 : high.has(unit);
}

/** Where the text of the instruction's group stands again, its other end; `pos` if the group took no part, -1 if it doesn't stand there. @see https://tc39.es/ecma262/#sec-backreference-matcher */
export function backReference(
  units: Uint16Array,
  length: number,
  pos: number,
  registers: Int32Array,
  code: Int32Array,
  pc: number,
  unicode: boolean,
): number {
  const ignoreCase = (code[pc + 1] & 1) !== 0;
  const backward = (code[pc + 1] & 2) !== 0;
  for (let i = 0; i < code[pc + 2]; i++) {
    const group = code[pc + 3 + i] * 2;
    const from = registers[group];
    const to = registers[group + 1];
    if (from < 0 || to < 0) continue;
    const start = backward ? pos - (to - from) : pos;
    const end = start + (to - from);
    if (start < 0 || end > length || !sameText(units, from, start, to - from, ignoreCase, unicode)) return -1;
    const after = backward ? start : end;
    return unicode && splitsPair(units, length, after) ? -1 : after;
  }
  return pos;
}

function sameText(units: Uint16Array, a: number, b: number, length: number, ignoreCase: boolean, unicode: boolean): boolean {
  for (let i = 0; i < length; i++) {
    const x = units[a + i];
    const y = units[b + i];
    if (x === y) continue;
    if (!ignoreCase) return false;
    if (!unicode) {
      if (canonicalize(x, false) !== canonicalize(y, false)) return false;
      continue;
    }
    // No simple case mapping leaves a plane, so pairs stand opposite to pairs; those that differ in the low half start one unit earlier.
    const back = i > 0 && (x & 0xfc00) === 0xdc00 && (y & 0xfc00) === 0xdc00 ? 1 : 0;
    const p = pointAt(units, a + i - back, a + length);
    const q = pointAt(units, b + i - back, b + length);
    if (canonicalize(p, true) !== canonicalize(q, true)) return false;
    if (p > 0xffff && back === 0) i++;
  }
  return true;
}

/** The index in `table.lengths`, from `first` on, of the next length at which a string of the table stands at `pos`, or -1. */
export function nextString(table: StringTable, input: string, units: Uint16Array, pos: number, first: number, backward: boolean): number {
  for (let i = first; i < table.lengths.length; i++) {
    const length = table.lengths[i];
    const from = backward ? pos - length : pos;
    if (from < 0 || from + length > input.length) continue;
    const text = input.slice(from, from + length);
    if (table.members.has(table.ignoreCase ? foldText(text) : text) && !splitsPair(units, input.length, backward ? from : from + length))
      return i;
  }
  return -1;
}
