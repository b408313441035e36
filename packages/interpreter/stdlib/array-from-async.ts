// Array.fromAsync (ECMAScript 23.1.2.2).

import { arrayCreate, createAt, getAt } from "../src/array-like.js";
import { newArray, newElements } from "../src/array.js";
import { asyncFromSync } from "../src/async-iterate.js";
import { type AsyncBody, runAsync } from "../src/async-native.js";
import { call0, call2, construct, getMethod } from "../src/call.js";
import { describe, lengthOf, toObject } from "../src/convert.js";
import { GuestThrow, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { type IteratorRecord, iteratorFromMethod } from "../src/iterate.js";
import { get, isCallable, isConstructor, set } from "../src/object.js";
import { extend, method } from "../src/realm.js";
import { R } from "../src/run-state.js";
import { type GuestObject, SYM, type Value, isObject } from "../src/values.js";

extend(Intrinsic.Array, [method("fromAsync", 1, (c, items, mapper, thisArg) => runAsync(fromAsync(c, items, mapper, thisArg)))]);

function* fromAsync(c: Value, items: Value, mapper: Value, thisArg: Value): AsyncBody {
  if (mapper !== undefined && !isCallable(mapper)) throwTypeError(`${describe(mapper)} is not a function`);
  const record = iteratorOf(items);
  if (record !== null) return yield* fromIterator(isConstructor(c) ? construct(c, []) : newArray(newElements()), record, mapper, thisArg);
  const like = toObject(items);
  const n = lengthOf(like);
  const a = isConstructor(c) ? construct(c, [n]) : arrayCreate(n);
  for (let k = 0; k < n; k++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    let v = yield getAt(like, k);
    if (mapper !== undefined) v = yield call2(mapper, thisArg, v, k);
    createAt(a, k, v);
  }
  set(a, "length", n);
  return a;
}

function iteratorOf(items: Value): IteratorRecord | null {
  const asyncMethod = getMethod(items, SYM.asyncIterator);
  if (asyncMethod !== undefined) return iteratorFromMethod(items, asyncMethod);
  const syncMethod = getMethod(items, SYM.iterator);
  return syncMethod === undefined ? null : asyncFromSync(iteratorFromMethod(items, syncMethod));
}

function* fromIterator(a: GuestObject, record: IteratorRecord, mapper: Value, thisArg: Value): AsyncBody {
  for (let k = 0; ; k++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const result = yield call0(record.next, record.iterator);
    if (!isObject(result)) throwTypeError(`Iterator result ${describe(result)} is not an object`);
    if (get(result, "done")) {
      set(a, "length", k);
      return a;
    }
    let v = get(result, "value");
    try {
      if (mapper !== undefined) v = yield call2(mapper, thisArg, v, k);
      createAt(a, k, v);
    } catch (e) {
      if (!(e instanceof GuestThrow)) throw e;
      yield* closeQuietly(record);
      throw e;
    }
  }
}

/** AsyncIteratorClose with a throw completion: what closing gives or throws is dropped. */
function* closeQuietly(record: IteratorRecord): Generator<Value, void, Value> {
  try {
    const f = getMethod(record.iterator, "return");
    if (f !== undefined) yield call0(f, record.iterator);
  } catch (e) {
    if (!(e instanceof GuestThrow)) throw e;
  }
}
