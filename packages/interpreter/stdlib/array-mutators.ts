// Array.prototype: the methods that change the array (ECMAScript 23.1.3).

import {
  arraySpeciesCreate,
  createAt,
  deleteAt,
  elementAt,
  getAt,
  MAX_LENGTH,
  push,
  relativeIndex,
  setAt,
  wrapElements,
} from "../src/array-like.js";
import { isPlainArray, newElements, throwArrayLength } from "../src/array.js";
import { lengthOf, toIntegerOrInfinity, toObject } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { hasProperty, set } from "../src/object.js";
import { type PropertySpec, functionProperty, method, nativeCode, variadic, variadicCode } from "../src/realm.js";
import { forgetText } from "../src/parsed-text.js";
import { R, charge } from "../src/run-state.js";
import { type GuestObject, HOLE, Kind, type Value } from "../src/values.js";

/** What moving `n` elements in memory costs: the host moves them in blocks. */
const moved = (n: number): number => (n >>> 8) + 1;

const PUSH = variadicCode("push", 1, push);
PUSH.c1 = (_fn, t, a) => {
  if (isPlainArray(t) && t.d.length < R.arrayLength) {
    R.mem -= 8;
    return t.d.push(a);
  }
  return push(t, [a]);
};

function pop(t: Value): Value {
  if (typeof t === "object" && t !== null && t.kind === Kind.ARRAY) {
    const d = t.d as Value[];
    const n = d.length;
    if (n === 0) return undefined;
    if (R.texts) forgetText(t);
    if (d[n - 1] !== HOLE) return d.pop();
  }
  const o = toObject(t);
  const n = lengthOf(o);
  if (n === 0) {
    set(o, "length", 0);
    return undefined;
  }
  const v = getAt(o, n - 1);
  deleteAt(o, n - 1);
  set(o, "length", n - 1);
  return v;
}
const POP = nativeCode("pop", 0, pop);
POP.c0 = (_fn, t) => pop(t);

function shift(t: Value): Value {
  if (isPlainArray(t)) {
    charge(moved(t.d.length));
    const v = t.d.shift();
    return v === HOLE ? undefined : v;
  }
  const o = toObject(t);
  const n = lengthOf(o);
  if (n === 0) {
    set(o, "length", 0);
    return undefined;
  }
  const first = getAt(o, 0);
  move(o, 1, 0, n - 1);
  deleteAt(o, n - 1);
  set(o, "length", n - 1);
  return first;
}

/** Moves `count` elements, holes included, from `from` on to `to` on; towards the front in ascending order, else descending. */
function move(o: GuestObject, from: number, to: number, count: number): void {
  const forward = to < from;
  for (let k = 0; k < count; k++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const i = forward ? k : count - 1 - k;
    const v = elementAt(o, from + i);
    if (v === HOLE) deleteAt(o, to + i);
    else setAt(o, to + i, v);
  }
}

function unshift(t: Value, args: Value[]): Value {
  const count = args.length;
  if (isPlainArray(t)) {
    const d = t.d;
    if (d.length + count > R.arrayLength) throwArrayLength();
    charge(count + moved(d.length));
    R.mem -= 8 * count;
    if (count === 1) return d.unshift(args[0]);
    replace(d, 0, 0, args);
    return d.length;
  }
  const o = toObject(t);
  const n = lengthOf(o);
  if (count > 0) {
    if (n + count > MAX_LENGTH) throwTypeError("Inserting elements past the largest array length");
    move(o, 0, count, n);
    charge(count);
    for (let i = 0; i < count; i++) setAt(o, i, args[i]);
  }
  set(o, "length", n + count);
  return n + count;
}

function splice(t: Value, args: Value[]): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const start = relativeIndex(args[0], n);
  const items = args.length > 2 ? args.slice(2) : [];
  const count = args.length === 0 ? 0 : args.length === 1 ? n - start : Math.min(Math.max(toIntegerOrInfinity(args[1]), 0), n - start);
  if (n + items.length - count > MAX_LENGTH) throwTypeError("Inserting elements past the largest array length");
  const a = arraySpeciesCreate(o, count);
  if (a === null && isPlainArray(o) && o.d.length === n) return splicePlain(o.d, start, count, items);
  const out = newElements();
  let k = 0;
  for (; k < count; k++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const v = elementAt(o, start + k);
    if (a === null) {
      R.mem -= 8;
      out.push(v);
    } else if (v !== HOLE) createAt(a, k, v);
  }
  if (a !== null) set(a, "length", count);
  if (items.length < count) {
    move(o, start + count, start + items.length, n - start - count);
    for (let i = n; i > n - count + items.length; i--) {
      if (--R.fuel < 0) R.run.outOfFuel();
      deleteAt(o, i - 1);
    }
  } else if (items.length > count) {
    move(o, start + count, start + items.length, n - start - count);
  }
  charge(items.length);
  for (let i = 0; i < items.length; i++) setAt(o, start + i, items[i]);
  set(o, "length", n - count + items.length);
  return a ?? wrapElements(out);
}

function splicePlain(d: Value[], start: number, count: number, items: Value[]): Value {
  const n = d.length;
  if (n + items.length - count > R.arrayLength) throwArrayLength();
  charge(count + items.length + moved(n - start));
  if ((R.mem -= 8 * (count + items.length)) < 0) R.run.outOfMemory();
  return wrapElements(replace(d, start, count, items));
}

/** The host's splice; its result has the elements kind of `d`. */
function replace(d: Value[], start: number, count: number, items: Value[]): Value[] {
  if (items.length <= 256) return d.splice(start, count, ...items);
  // A host call takes only so many arguments.
  const out = d.slice(start, start + count);
  const tail = d.slice(start + count);
  charge(tail.length);
  d.length = start;
  for (const v of items) d.push(v);
  for (const v of tail) d.push(v);
  return out;
}

function reverse(t: Value): Value {
  if (isPlainArray(t)) {
    charge(t.d.length);
    t.d.reverse();
    return t;
  }
  const o = toObject(t);
  const n = lengthOf(o);
  const middle = Math.floor(n / 2);
  for (let low = 0; low !== middle; low++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const high = n - low - 1;
    // Both are read before either is written, each with its own HasProperty.
    const lowExists = hasProperty(o, String(low));
    const a = lowExists ? getAt(o, low) : undefined;
    const highExists = hasProperty(o, String(high));
    const b = highExists ? getAt(o, high) : undefined;
    if (highExists) setAt(o, low, b);
    else if (lowExists) deleteAt(o, low);
    if (lowExists) setAt(o, high, a);
    else if (highExists) deleteAt(o, high);
  }
  return o;
}

function fill(t: Value, v: Value, start: Value, end: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const from = relativeIndex(start, n);
  const to = relativeIndex(end, n, n);
  if (isPlainArray(o) && o.d.length >= to) {
    charge(to - from);
    o.d.fill(v, from, to);
    return o;
  }
  for (let i = from; i < to; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    setAt(o, i, v);
  }
  return o;
}

function copyWithin(t: Value, target: Value, start: Value, end: Value): Value {
  const o = toObject(t);
  const n = lengthOf(o);
  const to = relativeIndex(target, n);
  const from = relativeIndex(start, n);
  const count = Math.min(relativeIndex(end, n, n) - from, n - to);
  if (count <= 0) return o;
  if (isPlainArray(o) && o.d.length === n) {
    charge(count);
    const d = o.d;
    if (to <= from) for (let i = 0; i < count; i++) d[to + i] = d[from + i];
    else for (let i = count - 1; i >= 0; i--) d[to + i] = d[from + i];
    return o;
  }
  if (to <= from || from + count <= to) {
    for (let i = 0; i < count; i++) copyOne(o, from + i, to + i);
  } else {
    for (let i = count - 1; i >= 0; i--) copyOne(o, from + i, to + i);
  }
  return o;
}

function copyOne(o: GuestObject, from: number, to: number): void {
  if (--R.fuel < 0) R.run.outOfFuel();
  const v = elementAt(o, from);
  if (v === HOLE) deleteAt(o, to);
  else setAt(o, to, v);
}

export const mutatorMethods: PropertySpec[] = [
  functionProperty("push", PUSH),
  functionProperty("pop", POP),
  method("shift", 0, shift),
  variadic("unshift", 1, unshift),
  variadic("splice", 2, splice),
  method("reverse", 0, reverse),
  method("fill", 1, fill),
  method("copyWithin", 2, copyWithin),
];
