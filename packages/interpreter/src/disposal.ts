// Explicit resource management (ECMAScript, "using"): what a scope or a DisposableStack keeps, and how failures add up.

import { call0, getMethod } from "./call.js";
import { describe } from "./convert.js";
import { GuestThrow, makeErrorWith, throwTypeError } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { closureCode, nativeClosure } from "./realm.js";
import { newPromise, rejectPromise, resolvePromise } from "./promise.js";
import { SYM, type Value } from "./values.js";

/** DisposableResource Record. */
export interface DisposableResource {
  value: Value;
  hint: "sync" | "async";
  method: Value;
}

/** AddDisposableResource without a method given. */
export function addDisposable(list: DisposableResource[], v: Value, hint: "sync" | "async"): void {
  if (v === undefined || v === null) {
    if (hint === "async") list.push({ value: undefined, hint, method: undefined });
    return;
  }
  if (typeof v !== "object") throwTypeError(`${describe(v)} is not an object, so it cannot be a resource`);
  list.push({ value: v, hint, method: disposeMethod(v, hint) });
}

/** GetDisposeMethod: throws if there is none. */
export function disposeMethod(v: Value, hint: "sync" | "async"): Value {
  if (hint === "async") {
    const method = getMethod(v, SYM.asyncDispose);
    if (method !== undefined) return method;
    const sync = getMethod(v, SYM.dispose);
    if (sync === undefined) throwTypeError("The resource has no [Symbol.asyncDispose] and no [Symbol.dispose] method");
    return nativeClosure(SYNC_AS_ASYNC, sync);
  }
  const method = getMethod(v, SYM.dispose);
  if (method === undefined) throwTypeError("The resource has no [Symbol.dispose] method");
  return method;
}

/** A sync method in an async place: its result is dropped, its failure rejects. */
const SYNC_AS_ASYNC = closureCode("", 0, () => undefined);
SYNC_AS_ASYNC.c0 = (fn, t) => {
  const promise = newPromise();
  try {
    call0(fn.d.data as Value, t);
    resolvePromise(promise, undefined);
  } catch (e) {
    if (!(e instanceof GuestThrow)) throw e;
    rejectPromise(promise, e.value);
  }
  return promise;
};

/** The failure after one more: a SuppressedError if there was one before. Anything but a guest exception before is replaced. */
export function disposeError(e: GuestThrow, before: unknown): GuestThrow {
  if (!(before instanceof GuestThrow)) return e;
  return new GuestThrow(
    makeErrorWith(Intrinsic.SuppressedErrorPrototype, "An error was suppressed during disposal", [
      ["error", e.value],
      ["suppressed", before.value],
    ]),
  );
}
