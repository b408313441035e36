// Array (ECMAScript 23.1).

import { checkArrayLength, createAt, getAt, wrapElements } from "../src/array-like.js";
import { arrayFrom, newElements, throwArrayLength, truncateOrGrow } from "../src/array.js";
import { callN, construct, getMethod, protoFromNewTarget } from "../src/call.js";
import { describe, isArray, lengthOf, toObject } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { drain, forOf, isPlainIterable, iteratorFromMethod } from "../src/iterate.js";
import { createData, isCallable, isConstructor, newKind, newObjectWith, set } from "../src/object.js";
import { define, defineConstructor, defineGlobal, getter, intrinsic, method, ref, variadic } from "../src/realm.js";
import { R, charge } from "../src/run-state.js";
import { Flag, type Shape } from "../src/shape.js";
import { type ArrayObject, type GuestObject, Kind, SYM, SparseData, type Value } from "../src/values.js";
import { callbackMethods } from "./array-callbacks.js";
import { ArrayIteration, arrayIterator } from "./array-iterator.js";
import { mutatorMethods } from "./array-mutators.js";
import { readerMethods } from "./array-readers.js";
import { sortMethods } from "./array-sort.js";

function makeArray(args: Value[], newTarget: GuestObject): Value {
  const shape: Shape = protoFromNewTarget(newTarget, Intrinsic.ArrayPrototype);
  R.mem -= 16;
  const a = newKind(shape, Kind.ARRAY, newElements()) as ArrayObject;
  if (args.length === 1 && typeof args[0] === "number") {
    const n = args[0];
    if (n >>> 0 !== n) throwRangeError("Invalid array length");
    if (n > R.arrayLength) throwArrayLength();
    truncateOrGrow(a, n);
    return a;
  }
  if (args.length > R.arrayLength) throwArrayLength();
  charge(args.length);
  R.mem -= 8 * args.length;
  for (const v of args) a.d.push(v);
  return a;
}

defineConstructor(Intrinsic.Array, {
  name: "Array",
  length: 1,
  prototype: Intrinsic.ArrayPrototype,
  call: (_t, args) => makeArray(args, intrinsic(Intrinsic.Array)),
  construct: makeArray,
  props: [
    method("isArray", 1, (_t, v) => isArray(v)),
    method("from", 1, from),
    variadic("of", 0, (t, args) => {
      charge(args.length);
      if (!isOtherConstructor(t)) return arrayFrom(args);
      const a = construct(t, [args.length]);
      args.forEach((v, i) => createAt(a, i, v));
      set(a, "length", args.length);
      return a;
    }),
    getter(SYM.species, (t) => t),
  ],
});
defineGlobal("Array", Intrinsic.Array);

/** True if the receiver of a static method makes it give something else than a plain array. */
function isOtherConstructor(c: Value): c is GuestObject {
  return c !== R.intrinsics[Intrinsic.Array] && isConstructor(c);
}

function from(c: Value, items: Value, mapper: Value, thisArg: Value): Value {
  if (mapper !== undefined && !isCallable(mapper)) throwTypeError(`${describe(mapper)} is not a function`);
  if (items === undefined || items === null) throwTypeError(`${describe(items)} is not iterable`);
  const iteration = getMethod(items, SYM.iterator);
  const other = isOtherConstructor(c) ? c : null;
  const out = newElements();
  const add = (a: GuestObject | null, k: number, v: Value): void => {
    const mapped = mapper === undefined ? v : callN(mapper, thisArg, [v, k]);
    if (a !== null) createAt(a, k, mapped);
    else {
      if (k >= R.arrayLength) throwArrayLength();
      R.mem -= 8;
      out.push(mapped);
    }
  };
  if (iteration !== undefined) {
    const a = other === null ? null : construct(other, []);
    let k = 0;
    const each = (v: Value): void => add(a, k++, v);
    if (isPlainIterable(items)) forOf(items, each);
    else drain(iteratorFromMethod(items, iteration), each);
    if (a === null) return wrapElements(out);
    set(a, "length", k);
    return a;
  }
  const o = toObject(items);
  const n = lengthOf(o);
  if (other === null) checkArrayLength(n);
  const a = other === null ? null : construct(other, [n]);
  for (let k = 0; k < n; k++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    add(a, k, hasNoElements(o) ? undefined : getAt(o, k));
  }
  if (a === null) return wrapElements(out);
  set(a, "length", n);
  return a;
}

/** True of `{ length: n }`, the usual source of Array.from besides iterables. */
function hasNoElements(o: GuestObject): boolean {
  return o.kind === Kind.ORDINARY && !o.shape.hasIndexKeys && o.shape.protoId === Intrinsic.ObjectPrototype && R.intact;
}

const UNSCOPABLES = [
  "at",
  "copyWithin",
  "entries",
  "fill",
  "find",
  "findIndex",
  "findLast",
  "findLastIndex",
  "flat",
  "flatMap",
  "includes",
  "keys",
  "toReversed",
  "toSorted",
  "toSpliced",
  "values",
];

define(Intrinsic.ArrayPrototype, {
  // Not a dense one: an element put into it must end the realm's intactness.
  kind: Kind.SPARSE_ARRAY,
  data: () => new SparseData(0, true),
  props: [
    ref("constructor", Intrinsic.Array),
    ...readerMethods,
    ...callbackMethods,
    ...mutatorMethods,
    ...sortMethods,
    method("entries", 0, (t) => arrayIterator(toObject(t), ArrayIteration.ENTRIES)),
    method("keys", 0, (t) => arrayIterator(toObject(t), ArrayIteration.KEYS)),
    ref("values", Intrinsic.ArrayProtoValues),
    ref(SYM.iterator, Intrinsic.ArrayProtoValues),
    ref(
      SYM.unscopables,
      () => {
        const list = newObjectWith(null);
        for (const name of UNSCOPABLES) createData(list, name, true);
        return list;
      },
      Flag.CONFIGURABLE,
    ),
  ],
});
