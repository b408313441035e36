// Making texts within the limits: the length is checked and the work is charged before the text is made.

import { requireObjectCoercible, toStr } from "./convert.js";
import { throwRangeError } from "./errors.js";
import { R } from "./run-state.js";
import { type Value } from "./values.js";

/** ToString(RequireObjectCoercible(this value)) of a method of String.prototype. */
export function thisText(t: Value, name: string): string {
  if (typeof t === "string") return t;
  requireObjectCoercible(t, `String.prototype.${name}`);
  return toStr(t);
}

/** To be called before a text of `n` UTF-16 units is made. A catchable RangeError over `stringLength`. */
export function prepareText(n: number): void {
  if (n > R.stringLength) throwStringLength();
  if ((R.fuel -= (n >> 4) + 1) < 0) R.run.outOfFuel();
  if ((R.mem -= 32 + 2 * n) < 0) R.run.outOfMemory();
}

export function throwStringLength(): never {
  throwRangeError(`Invalid string length: a string may have at most ${R.stringLength} characters here`);
}

/** The least length of the flat parts of a text that is gathered. */
const PART = 4096;

/** Gathers a text piece by piece, within the limits. */
export class TextBuilder {
  length = 0;
  private readonly parts: string[] = [];
  private part = "";
  add(piece: string): void {
    const n = this.length + piece.length;
    if (n > R.stringLength) throwStringLength();
    if ((R.fuel -= (piece.length >> 4) + 1) < 0) R.run.outOfFuel();
    if ((R.mem -= 2 * piece.length + 16) < 0) R.run.outOfMemory();
    this.length = n;
    if ((this.part += piece).length > PART) this.flush();
  }
  done(): string {
    if (this.parts.length === 0) return this.part;
    this.flush();
    return this.parts.join("");
  }
  private flush(): void {
    this.part.charCodeAt(0); // makes the host flatten it now: many small pieces take more memory than the text
    this.parts.push(this.part);
    this.part = "";
  }
}

// Searching. The host's search is fast but can take length times length; for texts where that would be long, a linear search is used.

const SHORT_NEEDLE = 64;
const LARGE_PRODUCT = 5e7;

function isRisky(text: string, needle: string): boolean {
  return needle.length > SHORT_NEEDLE && text.length * needle.length > LARGE_PRODUCT;
}

/** `text.indexOf(needle, from)`, charged, in linear time. */
export function indexOfText(text: string, needle: string, from: number): number {
  if ((R.fuel -= ((text.length - from) >> 4) + 1) < 0) R.run.outOfFuel();
  if (!isRisky(text, needle)) return text.indexOf(needle, from);
  return search(text, needle, from);
}

/** `text.lastIndexOf(needle, from)`, charged, in linear time. */
export function lastIndexOfText(text: string, needle: string, from: number): number {
  if ((R.fuel -= (Math.min(text.length, from) >> 4) + 1) < 0) R.run.outOfFuel();
  if (!isRisky(text, needle)) return text.lastIndexOf(needle, from);
  return searchBack(text, needle, Math.min(from, text.length - needle.length));
}

/** For each prefix of `needle` (seen through `at`): the length of its longest border. Knuth, Morris, Pratt. */
function borders(n: number, at: (i: number) => number): Int32Array {
  if ((R.mem -= 4 * n) < 0) R.run.outOfMemory();
  if ((R.fuel -= n >> 2) < 0) R.run.outOfFuel();
  const table = new Int32Array(n);
  for (let i = 1, k = 0; i < n; i++) {
    while (k > 0 && at(i) !== at(k)) k = table[k - 1];
    if (at(i) === at(k)) k++;
    table[i] = k;
  }
  return table;
}

function search(text: string, needle: string, from: number): number {
  const n = needle.length;
  if (n > text.length - from) return -1;
  const table = borders(n, (i) => needle.charCodeAt(i));
  if ((R.fuel -= (text.length - from) >> 2) < 0) R.run.outOfFuel();
  for (let i = from, k = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    while (k > 0 && c !== needle.charCodeAt(k)) k = table[k - 1];
    if (c === needle.charCodeAt(k) && ++k === n) return i - n + 1;
  }
  return -1;
}

function searchBack(text: string, needle: string, from: number): number {
  const n = needle.length;
  if (from < 0) return -1;
  const table = borders(n, (i) => needle.charCodeAt(n - 1 - i));
  if ((R.fuel -= from >> 2) < 0) R.run.outOfFuel();
  for (let i = from + n - 1, k = 0; i >= 0; i--) {
    const c = text.charCodeAt(i);
    while (k > 0 && c !== needle.charCodeAt(n - 1 - k)) k = table[k - 1];
    if (c === needle.charCodeAt(n - 1 - k) && ++k === n) return i;
  }
  return -1;
}
