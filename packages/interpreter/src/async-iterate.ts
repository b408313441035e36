// Async iteration: GetIterator(v, async), with sync iterators made async (ECMAScript 7.4.4 and 27.1.6).

import { call0, call1, getMethod } from "./call.js";
import { describe } from "./convert.js";
import { GuestThrow, caught, makeError, throwTypeError } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { IteratorRecord, iteratorCloseThrow, iteratorFromMethod } from "./iterate.js";
import { get, iterResult, newKind } from "./object.js";
import { newPromise, react, rejectPromise, resolvePromise, toPromise, type PromiseObject } from "./promise.js";
import { define, method, variadic } from "./realm.js";
import { rootOf } from "./shape.js";
import { type GuestObject, Kind, SYM, type Value } from "./values.js";

/** GetIterator(v, async). */
export function asyncIterator(v: Value): IteratorRecord {
  const asyncMethod = v === undefined || v === null ? undefined : getMethod(v, SYM.asyncIterator);
  if (asyncMethod === undefined) {
    const syncMethod = v === undefined || v === null ? undefined : getMethod(v, SYM.iterator);
    if (syncMethod === undefined) throwTypeError(`${describe(v)} is not async iterable`);
    return asyncFromSync(iteratorFromMethod(v, syncMethod));
  }
  const iterator = call0(asyncMethod, v);
  if (typeof iterator !== "object" || iterator === null) throwTypeError("Result of the Symbol.asyncIterator method is not an object");
  return new IteratorRecord(iterator, get(iterator, "next"));
}

/** CreateAsyncFromSyncIterator. */
export function asyncFromSync(sync: IteratorRecord): IteratorRecord {
  const o = newKind(rootOf(Intrinsic.AsyncFromSyncIteratorPrototype), Kind.ITERATOR, sync);
  return new IteratorRecord(o, get(o, "next"));
}

/** Runs `f`; a guest exception rejects the promise that it works for. */
function rejecting(f: (promise: PromiseObject) => void): PromiseObject {
  const promise = newPromise();
  try {
    f(promise);
  } catch (e) {
    rejectPromise(promise, caught(e));
  }
  return promise;
}

/** AsyncFromSyncIteratorContinuation. */
function continuation(result: Value, promise: PromiseObject, sync: IteratorRecord, close: boolean): void {
  if (typeof result !== "object" || result === null) throwTypeError(`Iterator result ${describe(result)} is not an object`);
  const done = !!get(result, "done");
  const value = get(result, "value");
  let wrapped: PromiseObject;
  try {
    wrapped = toPromise(value);
  } catch (e) {
    if (!done && close && e instanceof GuestThrow) iteratorCloseThrow(sync, e);
    throw e;
  }
  react(wrapped, {
    onFulfilled: (v) => resolvePromise(promise, iterResult(v, done)),
    onRejected: (reason) => {
      let error = reason;
      if (!done && close) {
        try {
          iteratorCloseThrow(sync, new GuestThrow(reason));
        } catch (e) {
          error = caught(e);
        }
      }
      rejectPromise(promise, error);
    },
  });
}

const recordOf = (t: Value): IteratorRecord => (t as GuestObject).d as IteratorRecord; // reachable from our own code only

define(Intrinsic.AsyncFromSyncIteratorPrototype, {
  proto: Intrinsic.AsyncIteratorPrototype,
  props: [
    variadic("next", 1, (t, args) =>
      rejecting((promise) => {
        const sync = recordOf(t);
        continuation(args.length === 0 ? call0(sync.next, sync.iterator) : call1(sync.next, sync.iterator, args[0]), promise, sync, true);
      }),
    ),
    variadic("return", 1, (t, args) =>
      rejecting((promise) => {
        const sync = recordOf(t);
        const f = getMethod(sync.iterator, "return");
        if (f === undefined) return resolvePromise(promise, iterResult(args[0], true));
        continuation(args.length === 0 ? call0(f, sync.iterator) : call1(f, sync.iterator, args[0]), promise, sync, false);
      }),
    ),
    method("throw", 1, (t, v) =>
      rejecting((promise) => {
        const sync = recordOf(t);
        const f = getMethod(sync.iterator, "throw");
        if (f === undefined) {
          sync.done = false;
          const close = getMethod(sync.iterator, "return");
          if (close !== undefined) {
            const r = call0(close, sync.iterator);
            if (typeof r !== "object" || r === null) throwTypeError(`${describe(r)} is not an object`);
          }
          return rejectPromise(promise, makeError(Intrinsic.TypeErrorPrototype, "The iterator does not provide a 'throw' method"));
        }
        continuation(call1(f, sync.iterator, v), promise, sync, true);
      }),
    ),
  ],
});
