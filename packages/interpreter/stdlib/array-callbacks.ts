// Array.prototype: the methods that call back for each element (ECMAScript 23.1.3).

import { arraySpeciesCreate, callbackOf, createAt, elementAt, getAt, wrapElements } from "../src/array-like.js";
import { newElements } from "../src/array.js";
import { lengthOf, toObject } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { type PropertySpec, method, variadic } from "../src/realm.js";
import { R, enterNative, leaveNative } from "../src/run-state.js";
import { HOLE, Kind, type Value, isFunction } from "../src/values.js";

const WEIGHT = 200;

// In all loops the element is read as in `elementAt`, by hand: the host array is read afresh each time, for the callback may change it.

function forEach(t: Value, f: Value, thisArg: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const fn = isFunction(f) ? f : callbackOf(f);
  const code = fn.d.code;
  enterNative(WEIGHT);
  for (let i = 0; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    let v: Value = HOLE;
    if (o.kind === Kind.ARRAY) {
      const d = o.d as Value[];
      if (i < d.length) v = d[i];
    }
    if (v === HOLE && (v = elementAt(o, i)) === HOLE) continue;
    code.c3(fn, thisArg, v, i, o);
  }
  leaveNative(WEIGHT);
  return undefined;
}

function map(t: Value, f: Value, thisArg: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const fn = isFunction(f) ? f : callbackOf(f);
  const code = fn.d.code;
  const a = arraySpeciesCreate(o, n);
  if (a === null && (R.mem -= 8 * n) < 0) R.run.outOfMemory();
  // A list that grows leaves twice its size behind; a copy has the size that the result will have.
  const out = a === null && o.kind === Kind.ARRAY ? (o.d as Value[]).slice(0, n) : newElements();
  enterNative(WEIGHT);
  for (let i = 0; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    let v: Value = HOLE;
    if (o.kind === Kind.ARRAY) {
      const d = o.d as Value[];
      if (i < d.length) v = d[i];
    }
    const isPresent = v !== HOLE || (v = elementAt(o, i)) !== HOLE;
    const mapped = isPresent ? code.c3(fn, thisArg, v, i, o) : HOLE;
    if (a !== null) {
      if (isPresent) createAt(a, i, mapped);
    } else if (i < out.length) out[i] = mapped;
    else out.push(mapped);
  }
  leaveNative(WEIGHT);
  return a ?? wrapElements(out);
}

function filter(t: Value, f: Value, thisArg: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const fn = isFunction(f) ? f : callbackOf(f);
  const code = fn.d.code;
  const a = arraySpeciesCreate(o, 0);
  const out = newElements();
  let to = 0;
  enterNative(WEIGHT);
  for (let i = 0; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    let v: Value = HOLE;
    if (o.kind === Kind.ARRAY) {
      const d = o.d as Value[];
      if (i < d.length) v = d[i];
    }
    if (v === HOLE && (v = elementAt(o, i)) === HOLE) continue;
    if (!code.c3(fn, thisArg, v, i, o)) continue;
    if (a === null) {
      R.mem -= 8;
      out.push(v);
    } else createAt(a, to++, v);
  }
  leaveNative(WEIGHT);
  return a ?? wrapElements(out);
}

function some(t: Value, f: Value, thisArg: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const fn = isFunction(f) ? f : callbackOf(f);
  const code = fn.d.code;
  enterNative(WEIGHT);
  let found = false;
  for (let i = 0; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    let v: Value = HOLE;
    if (o.kind === Kind.ARRAY) {
      const d = o.d as Value[];
      if (i < d.length) v = d[i];
    }
    if (v === HOLE && (v = elementAt(o, i)) === HOLE) continue;
    if (code.c3(fn, thisArg, v, i, o)) {
      found = true;
      break;
    }
  }
  leaveNative(WEIGHT);
  return found;
}

function every(t: Value, f: Value, thisArg: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const fn = isFunction(f) ? f : callbackOf(f);
  const code = fn.d.code;
  enterNative(WEIGHT);
  let all = true;
  for (let i = 0; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    let v: Value = HOLE;
    if (o.kind === Kind.ARRAY) {
      const d = o.d as Value[];
      if (i < d.length) v = d[i];
    }
    if (v === HOLE && (v = elementAt(o, i)) === HOLE) continue;
    if (!code.c3(fn, thisArg, v, i, o)) {
      all = false;
      break;
    }
  }
  leaveNative(WEIGHT);
  return all;
}

/** FindViaPredicate: the index or the element of the hit. */
function find(t: Value, f: Value, thisArg: Value, backwards: boolean, wantIndex: boolean): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const fn = isFunction(f) ? f : callbackOf(f);
  const code = fn.d.code;
  const step = backwards ? -1 : 1;
  const end = backwards ? -1 : n;
  enterNative(WEIGHT);
  for (let i = backwards ? n - 1 : 0; i !== end; i += step) {
    if (--R.fuel < 0) R.run.outOfFuel();
    let v: Value = HOLE;
    if (o.kind === Kind.ARRAY) {
      const d = o.d as Value[];
      if (i < d.length) v = d[i];
    }
    if (v === HOLE) v = getAt(o, i);
    if (code.c3(fn, thisArg, v, i, o)) {
      leaveNative(WEIGHT);
      return wantIndex ? i : v;
    }
  }
  leaveNative(WEIGHT);
  return wantIndex ? -1 : undefined;
}

function reduce(t: Value, args: Value[]): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const fn = callbackOf(args[0]);
  const code = fn.d.code;
  let i = 0;
  let sum: Value = HOLE;
  if (args.length > 1) sum = args[1];
  else {
    while (i < n && sum === HOLE) {
      if (--R.fuel < 0) R.run.outOfFuel();
      sum = elementAt(o, i++);
    }
    if (sum === HOLE) throwTypeError("Reduce of empty array with no initial value");
  }
  enterNative(WEIGHT);
  for (; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    let v: Value = HOLE;
    if (o.kind === Kind.ARRAY) {
      const d = o.d as Value[];
      if (i < d.length) v = d[i];
    }
    if (v === HOLE && (v = elementAt(o, i)) === HOLE) continue;
    // A callback whose entries for two and three arguments are one looks at no more than two.
    sum = code.c3 === code.c2 ? code.c2(fn, undefined, sum, v) : code.cN(fn, undefined, [sum, v, i, o]);
  }
  leaveNative(WEIGHT);
  return sum;
}

function reduceRight(t: Value, args: Value[]): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const fn = callbackOf(args[0]);
  const code = fn.d.code;
  let i = n - 1;
  let sum: Value = HOLE;
  if (args.length > 1) sum = args[1];
  else {
    while (i >= 0 && sum === HOLE) {
      if (--R.fuel < 0) R.run.outOfFuel();
      sum = elementAt(o, i--);
    }
    if (sum === HOLE) throwTypeError("Reduce of empty array with no initial value");
  }
  enterNative(WEIGHT);
  for (; i >= 0; i--) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const v = elementAt(o, i);
    if (v === HOLE) continue;
    sum = code.cN(fn, undefined, [sum, v, i, o]);
  }
  leaveNative(WEIGHT);
  return sum;
}

export const callbackMethods: PropertySpec[] = [
  method("forEach", 1, forEach),
  method("map", 1, map),
  method("filter", 1, filter),
  method("some", 1, some),
  method("every", 1, every),
  method("find", 1, (t, f, thisArg) => find(t, f, thisArg, false, false)),
  method("findIndex", 1, (t, f, thisArg) => find(t, f, thisArg, false, true)),
  method("findLast", 1, (t, f, thisArg) => find(t, f, thisArg, true, false)),
  method("findLastIndex", 1, (t, f, thisArg) => find(t, f, thisArg, true, true)),
  variadic("reduce", 1, reduce),
  variadic("reduceRight", 1, reduceRight),
];
