// Array.prototype: sort, and the methods that return a changed copy (ECMAScript 23.1.3).

import { callbackOf, checkArrayLength, deleteAt, elementAt, getAt, relativeIndex, setAt, wrapElements } from "../src/array-like.js";
import { isPlainArray, newElements } from "../src/array.js";
import { describe, lengthOf, toIntegerOrInfinity, toNumber, toObject, toStr } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { mergeSort } from "../src/merge-sort.js";
import { isCallable } from "../src/object.js";
import { type PropertySpec, method, variadic } from "../src/realm.js";
import { forgetText } from "../src/parsed-text.js";
import { R, allocate, charge, chargeText, enterNative, leaveNative } from "../src/run-state.js";
import { type GuestObject, HOLE, Kind, type Value, isObject } from "../src/values.js";

const WEIGHT = 500;

function checkComparator(f: Value): void {
  if (f !== undefined && !isCallable(f)) throwTypeError(`The comparison function must be either a function or undefined: ${describe(f)}`);
}

/** CompareArrayElements over a list without undefined: sorts it in place. */
export function sortList(list: Value[], comparator: Value): void {
  if (list.length < 2) return;
  if ((R.mem -= 8 * list.length) < 0) R.run.outOfMemory();
  if (comparator !== undefined) {
    const fn = callbackOf(comparator);
    const code = fn.d.code;
    enterNative(WEIGHT);
    mergeSort(list, (a, b) => {
      const v = code.c2(fn, undefined, a, b);
      return typeof v === "number" ? (v !== v ? 0 : v) : toNumber(v) || 0;
    });
    leaveNative(WEIGHT);
    return;
  }
  if (list.every((v) => typeof v === "string")) {
    mergeSort(list as string[], compareTexts);
    return;
  }
  if (list.some(isObject)) {
    // Their conversion can be observed: at each comparison, as the specification says.
    enterNative(WEIGHT);
    mergeSort(list, (a, b) => {
      const x = toStr(a);
      return compareTexts(x, toStr(b));
    });
    leaveNative(WEIGHT);
    return;
  }
  allocate(64 * list.length);
  const keyed = list.map((v) => ({ text: toStr(v), v }));
  mergeSort(keyed, (a, b) => compareTexts(a.text, b.text));
  keyed.forEach((k, i) => (list[i] = k.v));
}

function compareTexts(a: string, b: string): number {
  if (a.length > 64 && b.length > 64) chargeText(Math.min(a.length, b.length));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What sorting has to move: the elements that are defined, and how many are undefined. */
function gather(elements: Value[]): { defined: Value[]; undefinedCount: number } {
  if (!elements.includes(undefined)) return { defined: elements, undefinedCount: 0 };
  const defined = newElements();
  for (const v of elements) if (v !== undefined) defined.push(v);
  return { defined, undefinedCount: elements.length - defined.length };
}

function sort(t: Value, comparator: Value): Value {
  checkComparator(comparator);
  const o = toObject(t);
  const n = lengthOf(o);
  const { defined, undefinedCount } = gather(packedCopy(o, n) ?? presentElements(o, n));
  sortList(defined, comparator);
  const count = defined.length + undefinedCount;
  charge(n >>> 2);
  if (o.kind === Kind.ARRAY && (o.d as Value[]).length === count && count === n && !(o.d as Value[]).includes(HOLE)) {
    const d = o.d as Value[];
    if (R.texts) forgetText(o);
    for (let i = 0; i < defined.length; i++) d[i] = defined[i];
    for (let i = defined.length; i < count; i++) d[i] = undefined;
    return o;
  }
  for (let i = 0; i < count; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    setAt(o, i, i < defined.length ? defined[i] : undefined);
  }
  for (let i = count; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    deleteAt(o, i);
  }
  return o;
}

/** SortIndexedProperties, skipping holes. */
function presentElements(o: GuestObject, n: number): Value[] {
  const present = newElements();
  for (let i = 0; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const v = elementAt(o, i);
    if (v === HOLE) continue;
    R.mem -= 8;
    present.push(v);
  }
  return present;
}

/** The elements of a plain array of n without holes, in a list of just that size; null for anything else. */
function packedCopy(o: GuestObject, n: number): Value[] | null {
  if (!isPlainArray(o) || o.d.length !== n || o.d.includes(HOLE)) return null;
  charge(n);
  if ((R.mem -= 8 * n) < 0) R.run.outOfMemory();
  return o.d.slice();
}

/** Appends the elements in [from, to) to `list`, holes read through. */
function copyRange(o: GuestObject, from: number, to: number, list: Value[]): Value[] {
  if (from < to) {
    charge(to - from);
    if ((R.mem -= 8 * (to - from)) < 0) R.run.outOfMemory();
  }
  for (let i = from; i < to; i++) list.push(getAt(o, i));
  return list;
}

function toSorted(t: Value, comparator: Value): Value {
  checkComparator(comparator);
  const o = toObject(t);
  const n = lengthOf(o);
  checkArrayLength(n);
  const { defined, undefinedCount } = gather(packedCopy(o, n) ?? copyRange(o, 0, n, newElements()));
  sortList(defined, comparator);
  for (let i = 0; i < undefinedCount; i++) defined.push(undefined);
  return wrapElements(defined);
}

function toReversed(t: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  checkArrayLength(n);
  charge(n);
  if ((R.mem -= 8 * n) < 0) R.run.outOfMemory();
  const out = newElements();
  for (let i = n - 1; i >= 0; i--) out.push(getAt(o, i));
  return wrapElements(out);
}

function toSpliced(t: Value, args: Value[]): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const start = relativeIndex(args[0], n);
  const skip = args.length === 0 ? 0 : args.length === 1 ? n - start : Math.min(Math.max(toIntegerOrInfinity(args[1]), 0), n - start);
  const added = Math.max(args.length - 2, 0);
  const length = n + added - skip;
  if (length > Number.MAX_SAFE_INTEGER) throwTypeError("Inserting elements past the largest array length");
  checkArrayLength(length);
  const out = copyRange(o, 0, start, newElements());
  charge(added);
  R.mem -= 8 * added;
  for (let i = 2; i < args.length; i++) out.push(args[i]);
  return wrapElements(copyRange(o, start + skip, n, out));
}

function withElement(t: Value, index: Value, v: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const relative = toIntegerOrInfinity(index);
  const at = relative >= 0 ? relative : n + relative;
  if (at >= n || at < 0) throwRangeError(`Invalid index: ${relative}`);
  checkArrayLength(n);
  const copy = packedCopy(o, n);
  if (copy !== null) {
    copy[at] = v;
    return wrapElements(copy);
  }
  const out = copyRange(o, 0, at, newElements());
  out.push(v);
  return wrapElements(copyRange(o, at + 1, n, out));
}

export const sortMethods: PropertySpec[] = [
  method("sort", 1, sort),
  method("toSorted", 1, toSorted),
  method("toReversed", 0, toReversed),
  variadic("toSpliced", 2, toSpliced),
  method("with", 2, withElement),
];
