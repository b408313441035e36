// Promise: the constructor, then, catch, finally, resolve, reject, try, withResolvers (ECMAScript 27.2). The combinators are in
// promise-combinators.ts, the job queue and settling in src/promise.ts.

import { call0, call1, call2, callN, invoke, protoFromNewTarget, speciesConstructor } from "../src/call.js";
import { describe } from "../src/convert.js";
import { caught, throwTypeError, throwValue } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { createData, isCallable, isConstructor, newKind, newObject } from "../src/object.js";
import {
  closureCode,
  define,
  defineConstructor,
  defineGlobal,
  getter,
  intrinsic,
  method,
  nativeClosure,
  ref,
  value,
  variadic,
} from "../src/realm.js";
import {
  type PromiseCapability,
  PromiseData,
  type PromiseObject,
  type Reaction,
  isPristinePromise,
  isPromise,
  newCapability,
  newPromise,
  promiseResolve,
  react,
  rejectPromise,
  resolvePromise,
  resolvingFunctions,
  toPromise,
} from "../src/promise.js";
import { R } from "../src/run-state.js";
import { Flag } from "../src/shape.js";
import { type GuestObject, Kind, SYM, type Value, isObject } from "../src/values.js";
import { COMBINATORS } from "./promise-combinators.js";

/** A reaction of `then` where nobody can see the capability: the derived promise is settled directly. */
class ThenReaction implements Reaction {
  private readonly fulfilled: Value;
  private readonly rejected: Value;
  private readonly derived: PromiseObject;
  constructor(fulfilled: Value, rejected: Value, derived: PromiseObject) {
    this.fulfilled = fulfilled;
    this.rejected = rejected;
    this.derived = derived;
  }
  onFulfilled(v: Value): void {
    if (isCallable(this.fulfilled)) this.handle(this.fulfilled, v);
    else resolvePromise(this.derived, v);
  }
  onRejected(reason: Value): void {
    if (isCallable(this.rejected)) this.handle(this.rejected, reason);
    else rejectPromise(this.derived, reason);
  }
  private handle(handler: GuestObject, argument: Value): void {
    let result: Value;
    try {
      result = call1(handler, undefined, argument);
    } catch (e) {
      rejectPromise(this.derived, caught(e));
      return;
    }
    resolvePromise(this.derived, result);
  }
}

/** A reaction of `then` with the capability of another constructor. */
class CapabilityReaction implements Reaction {
  private readonly fulfilled: Value;
  private readonly rejected: Value;
  private readonly capability: PromiseCapability;
  constructor(fulfilled: Value, rejected: Value, capability: PromiseCapability) {
    this.fulfilled = fulfilled;
    this.rejected = rejected;
    this.capability = capability;
  }
  onFulfilled(v: Value): void {
    if (isCallable(this.fulfilled)) this.handle(this.fulfilled, v);
    else call1(this.capability.resolve, undefined, v);
  }
  onRejected(reason: Value): void {
    if (isCallable(this.rejected)) this.handle(this.rejected, reason);
    else call1(this.capability.reject, undefined, reason);
  }
  private handle(handler: GuestObject, argument: Value): void {
    let result: Value;
    try {
      result = call1(handler, undefined, argument);
    } catch (e) {
      call1(this.capability.reject, undefined, caught(e));
      return;
    }
    call1(this.capability.resolve, undefined, result);
  }
}

function then(t: Value, onFulfilled: Value, onRejected: Value): GuestObject {
  if (!isPromise(t)) throwTypeError(`Method Promise.prototype.then called on incompatible receiver ${describe(t)}`);
  if (isPristinePromise(t)) return thenPristine(t, onFulfilled, onRejected);
  const c = speciesConstructor(t) ?? intrinsic(Intrinsic.Promise);
  if (c === intrinsic(Intrinsic.Promise)) return thenPristine(t, onFulfilled, onRejected);
  const capability = newCapability(c);
  react(t, new CapabilityReaction(onFulfilled, onRejected, capability));
  return capability.promise;
}

function thenPristine(p: PromiseObject, onFulfilled: Value, onRejected: Value): GuestObject {
  const derived = newPromise();
  react(p, new ThenReaction(onFulfilled, onRejected, derived));
  return derived;
}

/** What the functions of `finally` remember. */
class Finally {
  readonly callback: GuestObject;
  readonly constructorFunction: Value;
  constructor(callback: GuestObject, constructorFunction: Value) {
    this.callback = callback;
    this.constructorFunction = constructorFunction;
  }
  run(): GuestObject {
    return promiseResolve(this.constructorFunction, call0(this.callback, undefined));
  }
}

const VALUE_THUNK = closureCode("", 0, (fn) => fn.d.data as Value);
const THROWER = closureCode("", 0, (fn) => throwValue(fn.d.data as Value));
const THEN_FINALLY = closureCode("", 1, (fn, v) => invoke((fn.d.data as Finally).run(), "then", [nativeClosure(VALUE_THUNK, v)]));
const CATCH_FINALLY = closureCode("", 1, (fn, reason) => invoke((fn.d.data as Finally).run(), "then", [nativeClosure(THROWER, reason)]));

defineConstructor(Intrinsic.Promise, {
  name: "Promise",
  length: 1,
  prototype: Intrinsic.PromisePrototype,
  call: null,
  construct(args, newTarget) {
    const executor = args[0];
    if (!isCallable(executor)) throwTypeError(`Promise resolver ${describe(executor)} is not a function`);
    R.mem -= 112;
    const p = newKind(protoFromNewTarget(newTarget, Intrinsic.PromisePrototype), Kind.PROMISE, new PromiseData()) as PromiseObject;
    const [resolve, reject] = resolvingFunctions(p);
    try {
      call2(executor, undefined, resolve, reject);
    } catch (e) {
      call1(reject, undefined, caught(e));
    }
    return p;
  },
  props: [
    ...COMBINATORS,
    method("reject", 1, (t, reason) => {
      const capability = newCapability(t);
      call1(capability.reject, undefined, reason);
      return capability.promise;
    }),
    method("resolve", 1, (t, v) => {
      if (!isObject(t)) throwTypeError("PromiseResolve called on non-object");
      return R.intact && t === R.intrinsics[Intrinsic.Promise] ? toPromise(v) : promiseResolve(t, v);
    }),
    variadic("try", 1, (t, args) => {
      if (!isObject(t)) throwTypeError("Promise.try called on non-object");
      const capability = newCapability(t);
      let result: Value;
      try {
        result = callN(args[0], undefined, args.slice(1));
      } catch (e) {
        call1(capability.reject, undefined, caught(e));
        return capability.promise;
      }
      call1(capability.resolve, undefined, result);
      return capability.promise;
    }),
    method("withResolvers", 0, (t) => {
      const capability = newCapability(t);
      const o = newObject();
      createData(o, "promise", capability.promise);
      createData(o, "resolve", capability.resolve);
      createData(o, "reject", capability.reject);
      return o;
    }),
    getter(SYM.species, (t) => t),
  ],
});

define(Intrinsic.PromisePrototype, {
  props: [
    ref("constructor", Intrinsic.Promise),
    method("then", 2, then),
    method("catch", 1, (t, onRejected) => {
      if (isPromise(t) && isPristinePromise(t)) return thenPristine(t, undefined, onRejected);
      return invoke(t, "then", [undefined, onRejected]);
    }),
    method("finally", 1, (t, onFinally) => {
      if (!isObject(t)) throwTypeError("Promise.prototype.finally called on a non-object");
      const c = speciesConstructor(t) ?? intrinsic(Intrinsic.Promise);
      if (!isConstructor(c)) throwTypeError("Promise.prototype.finally: the constructor is not one");
      if (!isCallable(onFinally)) return invoke(t, "then", [onFinally, onFinally]);
      const state = new Finally(onFinally, c);
      return invoke(t, "then", [nativeClosure(THEN_FINALLY, state), nativeClosure(CATCH_FINALLY, state)]);
    }),
    value(SYM.toStringTag, "Promise", Flag.CONFIGURABLE),
  ],
});

defineGlobal("Promise", Intrinsic.Promise);
