// %TypedArray%.prototype (ECMAScript 23.2.3): what writes, copies and orders elements.

import { callbackOf, getAt, relativeIndex } from "../src/array-like.js";
import { type BufferData } from "../src/buffer.js";
import { describe, lengthOf, toIntegerOrInfinity, toNumber, toObject } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { mergeSort } from "../src/merge-sort.js";
import { isCallable } from "../src/object.js";
import { type PropertySpec, method } from "../src/realm.js";
import { R, allocate, charge, enterNative, leaveNative } from "../src/run-state.js";
import { allocateTyped, throwOutOfBounds, typedSpeciesCreate, validTyped } from "../src/typed-array.js";
import {
  ElementType,
  type TypedArrayObject,
  type TypedData,
  isBigIntType,
  isOutOfBounds,
  isTypedArray,
  readElement,
  toElement,
  typedGet,
  typedLength,
  typedSet,
  writeElement,
} from "../src/typed-array-exotic.js";
import { type Value } from "../src/values.js";
import { copyBytes } from "./array-buffer.js";

/** Set(o, i, v, true) on a typed array. */
export function setOrThrow(o: TypedArrayObject, i: number, v: Value): void {
  if (!typedSet(o, i, v)) throwTypeError(`Cannot assign to read only property '${i}' of a typed array over an immutable ArrayBuffer`);
}

/** A host array of bytes of what `d` sees. */
function bytesOf(data: BufferData): Uint8Array {
  return new Uint8Array(data.bytes);
}

function fill(t: Value, v: Value, start: Value, end: Value): Value {
  const o = validTyped(t, "fill", "write");
  const d = o.d;
  const n = typedLength(d);
  const x = toElement(d.type, v);
  const from = relativeIndex(start, n);
  let to = relativeIndex(end, n, n);
  if (isOutOfBounds(d)) throwOutOfBounds("fill");
  to = Math.min(to, typedLength(d));
  if (from >= to) return o;
  charge((to - from) >>> 3);
  writeElement(d, from, x);
  const first = d.view[from];
  // One store has converted it; the host repeats what it made.
  if (typeof first === "bigint") (d.view as BigInt64Array).fill(first, from, to);
  else (d.view as Float64Array).fill(first, from, to);
  return o;
}

function copyWithin(t: Value, target: Value, start: Value, end: Value): Value {
  const o = validTyped(t, "copyWithin", "write");
  const d = o.d;
  const n = typedLength(d);
  const to = relativeIndex(target, n);
  const from = relativeIndex(start, n);
  let count = Math.min(relativeIndex(end, n, n) - from, n - to);
  if (count <= 0) return o;
  if (isOutOfBounds(d)) throwOutOfBounds("copyWithin");
  count = Math.min(count, typedLength(d) - Math.max(from, to));
  if (count <= 0) return o;
  charge(count >>> 3);
  d.view.copyWithin(to, from, from + count);
  return o;
}

function reverse(t: Value): Value {
  const o = validTyped(t, "reverse", "write");
  const n = typedLength(o.d);
  charge(n >>> 2);
  o.d.view.subarray(0, n).reverse();
  return o;
}

function slice(t: Value, start: Value, end: Value): Value {
  const o = validTyped(t, "slice");
  const d = o.d;
  const n = typedLength(d);
  const from = relativeIndex(start, n);
  let to = relativeIndex(end, n, n);
  let count = Math.max(to - from, 0);
  const a = typedSpeciesCreate(o, [count], "write");
  if (count === 0) return a;
  if (isOutOfBounds(d)) throwOutOfBounds("slice");
  to = Math.min(to, typedLength(d));
  count = Math.max(to - from, 0);
  charge(count);
  const r = a.d;
  if (r.type !== d.type) {
    for (let i = 0; i < count; i++) setOrThrow(a, i, typedGet(o, from + i));
    return a;
  }
  const bytes = Math.min(count * d.size, typedLength(r) * r.size);
  if (r.data !== d.data) copyBytes(d.data, d.offset + from * d.size, r.data, r.offset, bytes);
  else {
    // Byte by byte from the front, as the specification says for what overlaps.
    const all = bytesOf(d.data);
    for (let i = 0; i < bytes; i++) all[r.offset + i] = all[d.offset + from * d.size + i];
  }
  return a;
}

function subarray(t: Value, start: Value, end: Value): Value {
  if (!isTypedArray(t)) throwTypeError(`Method TypedArray.prototype.subarray called on incompatible receiver ${describe(t)}`);
  const d = t.d;
  const n = typedLength(d);
  const from = relativeIndex(start, n);
  const begin = d.offset + from * d.size;
  if (d.fixed < 0 && end === undefined) return typedSpeciesCreate(t, [d.buffer, begin]);
  const to = relativeIndex(end, n, n);
  return typedSpeciesCreate(t, [d.buffer, begin, Math.max(to - from, 0)]);
}

function set(t: Value, source: Value, offsetArg: Value): Value {
  if (!isTypedArray(t)) throwTypeError(`Method TypedArray.prototype.set called on incompatible receiver ${describe(t)}`);
  const d: TypedData = t.d;
  if (d.data.immutable) throwTypeError("Cannot perform set on an immutable ArrayBuffer");
  const offset = toIntegerOrInfinity(offsetArg);
  if (offset < 0) throwRangeError("offset is out of bounds");
  if (isTypedArray(source)) setFromTyped(d, offset, source.d);
  else setFromArrayLike(t, offset, source);
  return undefined;
}

/** SetTypedArrayFromTypedArray. */
function setFromTyped(d: TypedData, offset: number, s: TypedData): void {
  if (isOutOfBounds(d)) throwOutOfBounds("set");
  const length = typedLength(d);
  if (isOutOfBounds(s)) throwOutOfBounds("set");
  const n = typedLength(s);
  if (isBigIntType(d.type) !== isBigIntType(s.type)) throwTypeError("Cannot mix BigInt and other types, use explicit conversions");
  if (n + offset > length) throwRangeError("offset is out of bounds");
  charge((n >>> 2) + 1);
  const from = s.view.subarray(0, n);
  if (s.type === d.type) (d.view as Float64Array).set(from as Float64Array, offset); // the host's set copies overlapping parts first
  else if (s.type !== ElementType.FLOAT16 && d.type !== ElementType.FLOAT16) {
    if (isBigIntType(d.type)) (d.view as BigInt64Array).set(from as BigInt64Array, offset);
    else (d.view as Float64Array).set(from as Float64Array, offset);
  } else {
    allocate(16 * n);
    const values: (number | bigint)[] = [];
    for (let i = 0; i < n; i++) values.push(readElement(s, i));
    for (let i = 0; i < n; i++) writeElement(d, offset + i, values[i]);
  }
}

/** SetTypedArrayFromArrayLike. */
function setFromArrayLike(o: TypedArrayObject, offset: number, source: Value): void {
  if (isOutOfBounds(o.d)) throwOutOfBounds("set");
  const length = typedLength(o.d);
  const src = toObject(source);
  const n = lengthOf(src);
  if (n + offset > length) throwRangeError("offset is out of bounds");
  for (let i = 0; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    typedSet(o, offset + i, getAt(src, i));
  }
}

// Order ----------------------------------------------------------------------------------------------------------------------------

function checkComparator(f: Value): void {
  if (f !== undefined && !isCallable(f)) throwTypeError(`The comparison function must be either a function or undefined: ${describe(f)}`);
}

/** CompareTypedArrayElements without a comparator: NaN last, -0 before 0. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a !== a) return b !== b ? 0 : 1;
  if (b !== b) return -1;
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === 0 && b === 0) return Object.is(a, -0) ? (Object.is(b, -0) ? 0 : -1) : Object.is(b, -0) ? 1 : 0;
  return 0;
}

function sortedElements(o: TypedArrayObject, n: number, comparator: Value): (number | bigint)[] {
  charge(n);
  if ((R.mem -= 16 * n) < 0) R.run.outOfMemory();
  const list: (number | bigint)[] = [];
  for (let i = 0; i < n; i++) list.push(readElement(o.d, i));
  if (comparator === undefined) {
    mergeSort(list, compareNumbers);
    return list;
  }
  const fn = callbackOf(comparator);
  enterNative(500);
  mergeSort(list, (a, b) => {
    const v = fn.d.code.c2(fn, undefined, a, b);
    return typeof v === "number" ? (v !== v ? 0 : v) : toNumber(v) || 0;
  });
  leaveNative(500);
  return list;
}

function sort(t: Value, comparator: Value): Value {
  checkComparator(comparator);
  const o = validTyped(t, "sort", "write");
  const d = o.d;
  const n = typedLength(d);
  if (comparator === undefined && d.type !== ElementType.FLOAT16) {
    charge(Math.ceil(n * Math.log2(n + 2)) >>> 2);
    d.view.subarray(0, n).sort(); // without a comparator the host's order is the specification's
    return o;
  }
  const list = sortedElements(o, n, comparator);
  const end = Math.min(n, typedLength(d));
  for (let i = 0; i < end; i++) writeElement(d, i, list[i]);
  return o;
}

function toSorted(t: Value, comparator: Value): Value {
  checkComparator(comparator);
  const o = validTyped(t, "toSorted");
  const n = typedLength(o.d);
  const a = allocateTyped(o.d.type, n);
  const list = sortedElements(o, n, comparator);
  for (let i = 0; i < n; i++) writeElement(a.d, i, list[i]);
  return a;
}

function toReversed(t: Value): Value {
  const o = validTyped(t, "toReversed");
  const n = typedLength(o.d);
  const a = allocateTyped(o.d.type, n);
  charge(n >>> 2);
  copyBytes(o.d.data, o.d.offset, a.d.data, 0, n * o.d.size);
  a.d.view.reverse();
  return a;
}

function withElement(t: Value, index: Value, v: Value): Value {
  const o = validTyped(t, "with");
  const d = o.d;
  const n = typedLength(d);
  const relative = toIntegerOrInfinity(index);
  const at = relative >= 0 ? relative : n + relative;
  const x = toElement(d.type, v);
  if (!(at >= 0 && at < typedLength(d))) throwRangeError("Invalid typed array index");
  const a = allocateTyped(d.type, n);
  copyBytes(d.data, d.offset, a.d.data, 0, Math.min(n, typedLength(d)) * d.size);
  writeElement(a.d, at, x);
  return a;
}

export const typedMutators: PropertySpec[] = [
  method("fill", 1, fill),
  method("copyWithin", 2, copyWithin),
  method("reverse", 0, reverse),
  method("slice", 2, slice),
  method("subarray", 2, subarray),
  method("set", 1, set),
  method("sort", 1, sort),
  method("toSorted", 1, toSorted),
  method("toReversed", 0, toReversed),
  method("with", 2, withElement),
];
