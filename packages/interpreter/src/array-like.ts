// Elements of arrays and array-likes, for builtins: dense arrays by their host array, all else by property.

import { ARRAY_ROOT, isPlainArray, newElements, throwArrayLength } from "./array.js";
import { callN, construct } from "./call.js";
import { describe, isArray, lengthOf, toIntegerOrInfinity, toObject } from "./convert.js";
import { throwRangeError, throwTypeError } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { createDataOrThrow, deleteProperty, get, hasProperty, isCallable, isConstructor, set } from "./object.js";
import { forgetText } from "./parsed-text.js";
import { nativeClosure } from "./realm.js";
import { R, charge } from "./run-state.js";
import {
  type ArrayObject,
  Code,
  FunctionFlag,
  type FunctionObject,
  GuestObject,
  HOLE,
  Kind,
  SYM,
  type Value,
  isFunction,
} from "./values.js";

/** Get(o, i). */
export function getAt(o: GuestObject, i: number): Value {
  if (o.kind === Kind.ARRAY) {
    const d = o.d as Value[];
    if (i < d.length) {
      const v = d[i];
      if (v !== HOLE) return v;
    }
  }
  return get(o, String(i));
}

/** Get(o, i) if HasProperty(o, i), else HOLE. */
export function elementAt(o: GuestObject, i: number): Value {
  if (o.kind === Kind.ARRAY) {
    const d = o.d as Value[];
    if (i < d.length) {
      const v = d[i];
      if (v !== HOLE) return v;
    }
  }
  const key = String(i);
  return hasProperty(o, key) ? get(o, key) : HOLE;
}

/** Set(o, i, v, true). */
export function setAt(o: GuestObject, i: number, v: Value): void {
  if (o.kind === Kind.ARRAY) {
    const d = o.d as Value[];
    if (i < d.length && d[i] !== HOLE) {
      if (R.texts) forgetText(o);
      d[i] = v;
      return;
    }
  }
  set(o, String(i), v);
}

/** CreateDataPropertyOrThrow(o, i, v). */
export function createAt(o: GuestObject, i: number, v: Value): void {
  if (o.kind === Kind.ARRAY) {
    const d = o.d as Value[];
    if (i < d.length) {
      d[i] = v;
      return;
    }
    if (i === d.length && i < R.arrayLength) {
      R.mem -= 8;
      d.push(v);
      return;
    }
  }
  createDataOrThrow(o, String(i), v);
}

/** DeletePropertyOrThrow(o, i). */
export function deleteAt(o: GuestObject, i: number): void {
  if (!deleteProperty(o, String(i))) throwTypeError(`Cannot delete property '${i}' of ${describe(o)}`);
}

/** A relative index argument as a position in [0, length]. */
export function relativeIndex(v: Value, length: number, absent = 0): number {
  if (v === undefined) return absent;
  const n = toIntegerOrInfinity(v);
  return n < 0 ? Math.max(length + n, 0) : Math.min(n, length);
}

/** ArrayCreate's checks of a length. */
export function checkArrayLength(n: number): void {
  if (n > R.arrayLength) {
    if (n > 4294967295) throwRangeError("Invalid array length");
    throwArrayLength();
  }
}

/** An array of elements whose memory has been counted already. */
export function wrapElements(d: Value[]): ArrayObject {
  R.mem -= 104;
  return new GuestObject(ARRAY_ROOT, Kind.ARRAY, d, undefined, undefined, undefined, undefined) as ArrayObject;
}

/** ArrayCreate: `n` holes. */
export function arrayCreate(n: number): ArrayObject {
  checkArrayLength(n);
  if ((R.fuel -= n >>> 2) < 0) R.run.outOfFuel();
  if ((R.mem -= 8 * n) < 0) R.run.outOfMemory();
  const d = newElements();
  for (let i = 0; i < n; i++) d.push(HOLE);
  return wrapElements(d);
}

/** ArraySpeciesCreate; null for a plain Array, whose elements the caller gathers itself (its length is checked). */
export function arraySpeciesCreate(o: GuestObject, n: number): GuestObject | null {
  if (!isPlainArray(o) && isArray(o)) {
    let c = get(o, "constructor");
    if (typeof c === "object" && c !== null) {
      c = get(c, SYM.species);
      if (c === null) c = undefined;
    }
    if (c !== undefined && c !== R.intrinsics[Intrinsic.Array]) {
      if (!isConstructor(c)) throwTypeError("object.constructor[Symbol.species] is not a constructor");
      return construct(c, [n]);
    }
  }
  checkArrayLength(n);
  return null;
}

/** A callback whose `d.code` can be called in a loop. A TypeError for what is not callable. */
export function callbackOf(f: Value): FunctionObject {
  if (isFunction(f)) return f;
  if (!isCallable(f)) throwTypeError(`${describe(f)} is not a function`);
  return nativeClosure(FORWARD, f);
}

const forward = (fn: FunctionObject): GuestObject => fn.d.data as GuestObject; // the callable proxy given to callbackOf
const FORWARD = new Code("", 0, FunctionFlag.NATIVE);
FORWARD.c0 = (fn, t) => callN(forward(fn), t, []);
FORWARD.c1 = (fn, t, a) => callN(forward(fn), t, [a]);
FORWARD.c2 = (fn, t, a, b) => callN(forward(fn), t, [a, b]);
FORWARD.c3 = (fn, t, a, b, c) => callN(forward(fn), t, [a, b, c]);
FORWARD.cN = (fn, t, args) => callN(forward(fn), t, args);

/** The largest length of an array-like. */
export const MAX_LENGTH = Number.MAX_SAFE_INTEGER;

/** Array.prototype.push. */
export function push(t: Value, args: Value[]): Value {
  if (isPlainArray(t)) {
    const d = t.d;
    if (d.length + args.length > R.arrayLength) throwArrayLength();
    charge(args.length);
    R.mem -= 8 * args.length;
    for (let i = 0; i < args.length; i++) d.push(args[i]);
    return d.length;
  }
  const o = toObject(t);
  let n = lengthOf(o);
  if (n + args.length > MAX_LENGTH) throwTypeError("Pushing elements past the largest array length");
  charge(args.length);
  for (const v of args) setAt(o, n++, v);
  set(o, "length", n);
  return n;
}
