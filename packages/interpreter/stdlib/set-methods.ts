// The methods of Set.prototype that take another set (ECMAScript 24.2.4), and `has`, which they recognise.

import { call1 } from "../src/call.js";
import { ENTRY_BYTES, type SetData, addTo } from "../src/collections.js";
import { describe, toIntegerOrInfinity, toNumber } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { type IteratorRecord, iteratorClose, iteratorFromMethod, iteratorStepValue } from "../src/iterate.js";
import { get, isCallable, newKind } from "../src/object.js";
import { type PropertySpec, method, nativeCode } from "../src/realm.js";
import { R, charge, chargeKey } from "../src/run-state.js";
import { rootOf } from "../src/shape.js";
import { type GuestObject, HOLE, Kind, type Value, isFunction } from "../src/values.js";
import { thisSet } from "./set.js";

export const HAS = nativeCode("has", 1, (t, v) => (chargeKey(v), thisSet(t, "has").has(v)));

/** Set Record. */
class SetRecord {
  readonly object: GuestObject;
  readonly size: number;
  private readonly hasMethod: GuestObject;
  private readonly keysMethod: GuestObject;
  /** The data of a Set whose `has` is the builtin one. */
  private readonly direct: SetData | null;
  /** GetSetRecord. */
  constructor(v: Value) {
    if (typeof v !== "object" || v === null) throwTypeError(`${describe(v)} is not an object with 'size', 'has' and 'keys'`);
    this.object = v;
    const size = toNumber(get(v, "size"));
    if (size !== size) throwTypeError("The 'size' property must be a number");
    this.size = toIntegerOrInfinity(size);
    if (this.size < 0) throwRangeError(`'${this.size}' is an invalid size`);
    const has = get(v, "has");
    if (!isCallable(has)) throwTypeError("The 'has' property must be a function");
    this.hasMethod = has;
    const keys = get(v, "keys");
    if (!isCallable(keys)) throwTypeError("The 'keys' property must be a function");
    this.keysMethod = keys;
    this.direct = v.kind === Kind.SET && isFunction(has) && has.d.code === HAS ? (v.d as SetData) : null;
  }
  has(v: Value): boolean {
    if (--R.fuel < 0) R.run.outOfFuel();
    chargeKey(v);
    return this.direct !== null ? this.direct.has(v) : !!call1(this.hasMethod, this.object, v);
  }
  keys(): IteratorRecord {
    return iteratorFromMethod(this.object, this.keysMethod);
  }
}

function copyOf(s: SetData): SetData {
  charge(s.size);
  if ((R.mem -= ENTRY_BYTES * s.size) < 0) R.run.outOfMemory();
  return new Set(s);
}

function newSet(s: SetData): Value {
  R.mem -= 100;
  return newKind(rootOf(Intrinsic.SetPrototype), Kind.SET, s);
}

/** Runs `f` for each key of the other set; `f` ends it, with a close, by returning true. */
function eachKey(keys: IteratorRecord, f: (key: Value) => boolean | void): void {
  for (;;) {
    const key = iteratorStepValue(keys);
    if (key === HOLE) return;
    chargeKey(key);
    if (f(key) === true) {
      iteratorClose(keys);
      return;
    }
  }
}

function union(t: Value, v: Value): Value {
  const s = thisSet(t, "union");
  const other = new SetRecord(v);
  const keys = other.keys();
  const out = copyOf(s);
  eachKey(keys, (key) => addTo(out, key));
  return newSet(out);
}

// Loops over `s` are live, as the specification's: `has` may be code of the program that changes it.

function intersection(t: Value, v: Value): Value {
  const s = thisSet(t, "intersection");
  const other = new SetRecord(v);
  const out: SetData = new Set();
  if (s.size <= other.size) {
    for (const e of s) if (other.has(e)) addTo(out, e);
  } else {
    eachKey(other.keys(), (key) => {
      if (s.has(key)) addTo(out, key);
    });
  }
  return newSet(out);
}

function difference(t: Value, v: Value): Value {
  const s = thisSet(t, "difference");
  const other = new SetRecord(v);
  if (s.size <= other.size) {
    const out = copyOf(s);
    for (const e of out) if (other.has(e)) out.delete(e);
    return newSet(out);
  }
  const keys = other.keys();
  const out = copyOf(s);
  eachKey(keys, (key) => {
    out.delete(key);
  });
  return newSet(out);
}

function symmetricDifference(t: Value, v: Value): Value {
  const s = thisSet(t, "symmetricDifference");
  const other = new SetRecord(v);
  const keys = other.keys();
  const out = copyOf(s);
  eachKey(keys, (key) => {
    if (s.has(key)) out.delete(key);
    else addTo(out, key);
  });
  return newSet(out);
}

function isSubsetOf(t: Value, v: Value): Value {
  const s = thisSet(t, "isSubsetOf");
  const other = new SetRecord(v);
  if (s.size > other.size) return false;
  for (const e of s) if (!other.has(e)) return false;
  return true;
}

function isSupersetOf(t: Value, v: Value): Value {
  const s = thisSet(t, "isSupersetOf");
  const other = new SetRecord(v);
  if (s.size < other.size) return false;
  let all = true;
  eachKey(other.keys(), (key) => {
    if (!s.has(key)) all = false;
    return !all;
  });
  return all;
}

function isDisjointFrom(t: Value, v: Value): Value {
  const s = thisSet(t, "isDisjointFrom");
  const other = new SetRecord(v);
  if (s.size <= other.size) {
    for (const e of s) if (other.has(e)) return false;
    return true;
  }
  let disjoint = true;
  eachKey(other.keys(), (key) => {
    if (s.has(key)) disjoint = false;
    return !disjoint;
  });
  return disjoint;
}

export const setMethods: PropertySpec[] = [
  method("union", 1, union),
  method("intersection", 1, intersection),
  method("difference", 1, difference),
  method("symmetricDifference", 1, symmetricDifference),
  method("isSubsetOf", 1, isSubsetOf),
  method("isSupersetOf", 1, isSupersetOf),
  method("isDisjointFrom", 1, isDisjointFrom),
];
