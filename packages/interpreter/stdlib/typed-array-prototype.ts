// %TypedArray%.prototype (ECMAScript 23.2.3): what reads, and the list of all its properties.

import { callbackOf, relativeIndex } from "../src/array-like.js";
import { callN } from "../src/call.js";
import { describe, getV, sameValueZero, toIntegerOrInfinity, toStr } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { type PropertySpec, alias, getter, method, variadic } from "../src/realm.js";
import { R, charge, enterNative, leaveNative } from "../src/run-state.js";
import { typedSpeciesCreate, validTyped } from "../src/typed-array.js";
import { ELEMENT_NAMES, type TypedArrayObject, isOutOfBounds, isTypedArray, typedGet, typedLength } from "../src/typed-array-exotic.js";
import { type FunctionObject, SYM, type Value } from "../src/values.js";
import { joinElements } from "./array-readers.js";
import { ArrayIteration, arrayIterator } from "./array-iterator.js";
import { typedMutators, setOrThrow } from "./typed-array-mutators.js";

const WEIGHT = 200;

function thisTyped(t: Value, name: string): TypedArrayObject {
  if (!isTypedArray(t)) throwTypeError(`Method TypedArray.prototype.${name} called on incompatible receiver ${describe(t)}`);
  return t;
}

/** Runs the callback for each element, as it is at its turn; `each` ends the loop by returning true. */
function loop(
  name: string,
  t: Value,
  f: Value,
  thisArg: Value,
  each: (result: Value, v: Value, i: number) => boolean | void,
  backwards = false,
): void {
  const o = validTyped(t, name);
  const n = typedLength(o.d);
  const fn = callbackOf(f);
  const code = fn.d.code;
  enterNative(WEIGHT);
  for (let k = 0; k < n; k++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const i = backwards ? n - 1 - k : k;
    const v = typedGet(o, i);
    if (each(code.c3(fn, thisArg, v, i, o), v, i) === true) break;
  }
  leaveNative(WEIGHT);
}

function find(name: string, t: Value, f: Value, thisArg: Value, backwards: boolean, wantIndex: boolean): Value {
  let found: Value = wantIndex ? -1 : undefined;
  loop(
    name,
    t,
    f,
    thisArg,
    (result, v, i) => {
      if (result) found = wantIndex ? i : v;
      return !!result;
    },
    backwards,
  );
  return found;
}

function reduce(name: string, t: Value, args: Value[], backwards: boolean): Value {
  const o = validTyped(t, name);
  const n = typedLength(o.d);
  const fn: FunctionObject = callbackOf(args[0]);
  let k = 0;
  let sum: Value;
  if (args.length > 1) sum = args[1];
  else {
    if (n === 0) throwTypeError("Reduce of empty array with no initial value");
    sum = typedGet(o, backwards ? n - 1 : 0);
    k = 1;
  }
  enterNative(WEIGHT);
  for (; k < n; k++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const i = backwards ? n - 1 - k : k;
    sum = fn.d.code.cN(fn, undefined, [sum, typedGet(o, i), i, o]);
  }
  leaveNative(WEIGHT);
  return sum;
}

function map(t: Value, f: Value, thisArg: Value): Value {
  const o = validTyped(t, "map");
  const n = typedLength(o.d);
  const fn = callbackOf(f);
  const a = typedSpeciesCreate(o, [n], "write");
  enterNative(WEIGHT);
  for (let i = 0; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    setOrThrow(a, i, fn.d.code.c3(fn, thisArg, typedGet(o, i), i, o));
  }
  leaveNative(WEIGHT);
  return a;
}

function filter(t: Value, f: Value, thisArg: Value): Value {
  const kept: Value[] = [];
  loop("filter", t, f, thisArg, (result, v) => {
    if (!result) return;
    R.mem -= 8;
    kept.push(v);
  });
  const a = typedSpeciesCreate(t as TypedArrayObject, [kept.length], "write"); // `loop` has checked it
  charge(kept.length);
  kept.forEach((v, i) => setOrThrow(a, i, v));
  return a;
}

function indexOf(t: Value, args: Value[]): Value {
  const o = validTyped(t, "indexOf");
  const n = typedLength(o.d);
  if (n === 0) return -1;
  const from = relativeIndex(args[1], n);
  charge(Math.max(n - from, 0) >>> 2);
  const end = Math.min(n, typedLength(o.d));
  for (let i = from; i < end; i++) if (typedGet(o, i) === args[0]) return i;
  return -1;
}

function lastIndexOf(t: Value, args: Value[]): Value {
  const o = validTyped(t, "lastIndexOf");
  const n = typedLength(o.d);
  if (n === 0) return -1;
  const relative = args.length > 1 ? toIntegerOrInfinity(args[1]) : n - 1;
  const from = relative >= 0 ? Math.min(relative, n - 1) : n + relative;
  charge(Math.max(from, 0) >>> 2);
  for (let i = Math.min(from, typedLength(o.d) - 1); i >= 0; i--) if (typedGet(o, i) === args[0]) return i;
  return -1;
}

function includes(t: Value, v: Value, fromIndex: Value): Value {
  const o = validTyped(t, "includes");
  const n = typedLength(o.d);
  if (n === 0) return false;
  const from = relativeIndex(fromIndex, n);
  charge(Math.max(n - from, 0) >>> 2);
  for (let i = from; i < n; i++) if (sameValueZero(typedGet(o, i), v)) return true;
  return false;
}

function at(t: Value, index: Value): Value {
  const o = validTyped(t, "at");
  const n = typedLength(o.d);
  const relative = toIntegerOrInfinity(index);
  const i = relative >= 0 ? relative : n + relative;
  return i < 0 || i >= n ? undefined : typedGet(o, i);
}

function join(t: Value, separator: Value): Value {
  const o = validTyped(t, "join");
  const n = typedLength(o.d);
  return joinElements(o, separator === undefined ? "," : toStr(separator), n, toStr);
}

function toLocaleString(t: Value, args: Value[]): Value {
  const o = validTyped(t, "toLocaleString");
  return joinElements(o, ",", typedLength(o.d), (v) => toStr(callN(getV(v, "toLocaleString"), v, [args[0], args[1]])));
}

export const typedPrototypeProps: PropertySpec[] = [
  getter("buffer", (t) => thisTyped(t, "buffer").d.buffer),
  getter("byteLength", (t) => {
    const d = thisTyped(t, "byteLength").d;
    return typedLength(d) * d.size;
  }),
  getter("byteOffset", (t) => {
    const d = thisTyped(t, "byteOffset").d;
    return isOutOfBounds(d) ? 0 : d.offset;
  }),
  getter("length", (t) => typedLength(thisTyped(t, "length").d)),
  method("at", 1, at),
  method("entries", 0, (t) => arrayIterator(validTyped(t, "entries"), ArrayIteration.ENTRIES)),
  method("keys", 0, (t) => arrayIterator(validTyped(t, "keys"), ArrayIteration.KEYS)),
  method("values", 0, (t) => arrayIterator(validTyped(t, "values"), ArrayIteration.VALUES)),
  alias(SYM.iterator, Intrinsic.TypedArrayPrototype, "values"),
  method("every", 1, (t, f, thisArg) => {
    let all = true;
    loop("every", t, f, thisArg, (result) => !(all = !!result));
    return all;
  }),
  method("some", 1, (t, f, thisArg) => {
    let found = false;
    loop("some", t, f, thisArg, (result) => (found = !!result));
    return found;
  }),
  method("forEach", 1, (t, f, thisArg) => {
    loop("forEach", t, f, thisArg, () => false);
    return undefined;
  }),
  method("filter", 1, filter),
  method("map", 1, map),
  method("find", 1, (t, f, thisArg) => find("find", t, f, thisArg, false, false)),
  method("findIndex", 1, (t, f, thisArg) => find("findIndex", t, f, thisArg, false, true)),
  method("findLast", 1, (t, f, thisArg) => find("findLast", t, f, thisArg, true, false)),
  method("findLastIndex", 1, (t, f, thisArg) => find("findLastIndex", t, f, thisArg, true, true)),
  variadic("reduce", 1, (t, args) => reduce("reduce", t, args, false)),
  variadic("reduceRight", 1, (t, args) => reduce("reduceRight", t, args, true)),
  variadic("indexOf", 1, indexOf),
  variadic("lastIndexOf", 1, lastIndexOf),
  method("includes", 1, includes),
  method("join", 1, join),
  variadic("toLocaleString", 0, toLocaleString),
  alias("toString", Intrinsic.ArrayPrototype, "toString"),
  ...typedMutators,
  getter(SYM.toStringTag, (t) => (isTypedArray(t) ? `${ELEMENT_NAMES[t.d.type]}Array` : undefined)),
];
