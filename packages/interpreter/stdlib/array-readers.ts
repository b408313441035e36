// Array.prototype: the methods that read (ECMAScript 23.1.3).

import { arraySpeciesCreate, callbackOf, createAt, elementAt, getAt, relativeIndex, wrapElements } from "../src/array-like.js";
import { isPlainArray, newElements, throwArrayLength } from "../src/array.js";
import { call0, callN } from "../src/call.js";
import { getV, isArray, lengthOf, sameValueZero, toIntegerOrInfinity, toObject, toStr } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { get, isCallable, set } from "../src/object.js";
import { type PropertySpec, currentRealm, method, variadic } from "../src/realm.js";
import { LONG_TEXT, R, charge, enterNative, isSame, leaveNative } from "../src/run-state.js";
import { TextBuilder } from "../src/text.js";
import { type FunctionObject, type GuestObject, HOLE, SYM, type Value, isObject } from "../src/values.js";
import { objectToString } from "./object-prototype.js";

const MAX_LENGTH = Number.MAX_SAFE_INTEGER;

function at(t: Value, index: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const i = toIntegerOrInfinity(index);
  const k = i >= 0 ? i : n + i;
  return k < 0 || k >= n ? undefined : getAt(o, k);
}

function isConcatSpreadable(v: Value): v is GuestObject {
  if (!isObject(v)) return false;
  const spreadable = get(v, SYM.isConcatSpreadable);
  return spreadable !== undefined ? !!spreadable : isArray(v);
}

function concat(t: Value, args: Value[]): Value {
  const o = toObject(t);
  const a = arraySpeciesCreate(o, 0);
  if (a === null && isPlainArray(o)) {
    const plain = concatPlain(o.d, args);
    if (plain !== null) return plain;
  }
  const out = newElements();
  let n = 0;
  for (let i = -1; i < args.length; i++) {
    const e = i < 0 ? o : args[i];
    if (!isConcatSpreadable(e)) {
      if (n >= MAX_LENGTH) throwTypeError("Concatenating past the largest array length");
      charge(1);
      addTo(a, out, n++, e);
      continue;
    }
    const length = lengthOf(e);
    if (n + length > MAX_LENGTH) throwTypeError("Concatenating past the largest array length");
    for (let k = 0; k < length; k++, n++) {
      if (--R.fuel < 0) R.run.outOfFuel();
      const v = elementAt(e, k);
      if (v !== HOLE || a === null) addTo(a, out, n, v);
    }
  }
  if (a === null) return wrapElements(out);
  set(a, "length", n);
  return a;
}

function addTo(a: GuestObject | null, out: Value[], i: number, v: Value): void {
  if (a !== null) createAt(a, i, v);
  else {
    if (out.length >= R.arrayLength) throwArrayLength();
    R.mem -= 8;
    out.push(v);
  }
}

const MAX_CONCATS = 4;

/** Plain arrays and primitives only, else null. */
function concatPlain(first: Value[], args: Value[]): Value | null {
  let n = first.length;
  for (const v of args) {
    if (!isObject(v)) n++;
    else if (isPlainArray(v)) n += v.d.length;
    else return null;
  }
  if (n > R.arrayLength) throwArrayLength();
  charge(n);
  if ((R.mem -= 8 * n) < 0) R.run.outOfMemory();
  let out = first.slice();
  for (const v of args) {
    if (!isPlainArray(v)) out.push(v);
    else if (v.d.length < 64 || args.length > MAX_CONCATS) for (const item of v.d) out.push(item);
    else out = out.concat(v.d); // copies what is there already, so not for many
  }
  return wrapElements(out);
}

function indexOf(t: Value, args: Value[]): Value {
  const v = args[0];
  const o = toObject(t);
  const n = lengthOf(o);
  if (n === 0) return -1;
  const from = relativeIndex(args[1], n);
  if (isPlainArray(o) && !isLongText(v)) {
    const i = o.d.indexOf(v, from); // strict equality of the host, and no value is a HOLE
    charge((i < 0 ? o.d.length : i + 1) >>> 2);
    return i;
  }
  for (let i = from; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const e = elementAt(o, i);
    if (e !== HOLE && isSame(e, v)) return i;
  }
  return -1;
}

/** Compared with each element of its length, which has to be charged one by one. */
const isLongText = (v: Value): boolean => typeof v === "string" && v.length > LONG_TEXT;

function lastIndexOf(t: Value, args: Value[]): Value {
  const v = args[0];
  const o = toObject(t);
  const n = lengthOf(o);
  if (n === 0) return -1;
  const from = args.length > 1 ? toIntegerOrInfinity(args[1]) : n - 1;
  for (let i = from >= 0 ? Math.min(from, n - 1) : n + from; i >= 0; i--) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const e = elementAt(o, i);
    if (e !== HOLE && isSame(e, v)) return i;
  }
  return -1;
}

function includes(t: Value, v: Value, fromIndex: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  if (n === 0) return false;
  const from = relativeIndex(fromIndex, n);
  if (isPlainArray(o) && !isLongText(v)) {
    const d = o.d;
    const found = d.includes(v, from) || (v === undefined && d.includes(HOLE, from));
    charge(found ? 1 : d.length >>> 2);
    return found;
  }
  for (let i = from; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    if (sameValueZero(getAt(o, i), v)) return true;
  }
  return false;
}

function slice(t: Value, start: Value, end: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const from = relativeIndex(start, n);
  const to = relativeIndex(end, n, n);
  const count = Math.max(to - from, 0);
  const a = arraySpeciesCreate(o, count);
  if (a === null && isPlainArray(o) && to <= o.d.length) {
    charge((count >>> 2) + 1);
    if ((R.mem -= 8 * count) < 0) R.run.outOfMemory();
    return wrapElements(o.d.slice(from, to < from ? from : to));
  }
  const out = newElements();
  let k = 0;
  for (let i = from; i < to; i++, k++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const v = elementAt(o, i);
    if (v !== HOLE || a === null) addTo(a, out, k, v);
  }
  if (a === null) return wrapElements(out);
  set(a, "length", k);
  return a;
}

// Text -----------------------------------------------------------------------------------------------------------------------------

const JOINING = {};
const JOIN_WEIGHT = 800;

/** The text of an array-like's elements with `separator` between; empty inside itself, as all engines have it for cycles. */
export function joinElements(o: GuestObject, separator: string, n: number, text: (v: Value) => string): string {
  const active = currentRealm().slot(JOINING, (): GuestObject[] => []);
  if (active.includes(o)) return "";
  active.push(o);
  enterNative(JOIN_WEIGHT);
  try {
    const out = new TextBuilder();
    for (let i = 0; i < n; i++) {
      if (i > 0 && separator !== "") out.add(separator);
      const v = getAt(o, i);
      if (--R.fuel < 0) R.run.outOfFuel();
      if (typeof v === "string" && text === toStr) out.add(v);
      else if (v !== undefined && v !== null) out.add(text(v));
    }
    return out.done();
  } finally {
    active.length--; // no code of the program runs here
    leaveNative(JOIN_WEIGHT);
  }
}

function join(t: Value, separator: Value): string {
  const o = toObject(t);
  const n = lengthOf(o);
  return joinElements(o, separator === undefined ? "," : toStr(separator), n, toStr);
}

/** Array.prototype.toString. */
function toString(t: Value): Value {
  const o = toObject(t);
  const f = get(o, "join");
  return isCallable(f) ? call0(f, o) : objectToString(o);
}

function toLocaleString(t: Value, args: Value[]): Value {
  const o = toObject(t);
  return joinElements(o, ",", lengthOf(o), (v) => toStr(callN(getV(v, "toLocaleString"), v, [args[0], args[1]])));
}

// Flattening -----------------------------------------------------------------------------------------------------------------------

const FLAT_WEIGHT = 300;

class Flat {
  readonly target: GuestObject | null;
  readonly out: Value[] = newElements();
  count = 0;
  constructor(target: GuestObject | null) {
    this.target = target;
  }

  /** FlattenIntoArray. */
  add(source: GuestObject, length: number, depth: number, mapper: FunctionObject | null, thisArg: Value): void {
    enterNative(FLAT_WEIGHT);
    for (let i = 0; i < length; i++) {
      if (--R.fuel < 0) R.run.outOfFuel();
      let v = elementAt(source, i);
      if (v === HOLE) continue;
      if (mapper !== null) v = mapper.d.code.c3(mapper, thisArg, v, i, source);
      if (depth > 0 && isArray(v)) this.add(v, lengthOf(v), depth - 1, null, undefined);
      else {
        if (this.count >= MAX_LENGTH) throwTypeError("Flattening past the largest array length");
        addTo(this.target, this.out, this.count++, v);
      }
    }
    leaveNative(FLAT_WEIGHT);
  }
}

function flat(t: Value, depthArg: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const depth = depthArg === undefined ? 1 : toIntegerOrInfinity(depthArg);
  const flattening = new Flat(arraySpeciesCreate(o, 0));
  flattening.add(o, n, depth, null, undefined);
  return flattening.target ?? wrapElements(flattening.out);
}

function flatMap(t: Value, f: Value, thisArg: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const mapper = callbackOf(f);
  const flattening = new Flat(arraySpeciesCreate(o, 0));
  flattening.add(o, n, 1, mapper, thisArg);
  return flattening.target ?? wrapElements(flattening.out);
}

export const readerMethods: PropertySpec[] = [
  method("at", 1, at),
  variadic("concat", 1, concat),
  variadic("indexOf", 1, indexOf),
  variadic("lastIndexOf", 1, lastIndexOf),
  method("includes", 1, includes),
  method("slice", 2, slice),
  method("join", 1, join),
  method("toString", 0, toString),
  variadic("toLocaleString", 0, toLocaleString),
  method("flat", 0, flat),
  method("flatMap", 1, flatMap),
];
