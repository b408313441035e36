// Promise.all, allSettled, any, race, and allKeyed, allSettledKeyed of the await-dictionary proposal (ECMAScript 27.2.4).
//
// With %Promise% itself in an intact realm, the elements' promises are reacted to directly; else through the functions of the
// specification. Both share the same records.

import { newArray, newElements, throwArrayLength } from "../src/array.js";
import { call1, invoke } from "../src/call.js";
import { caught, makeErrorWith, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { IteratorRecord, getIterator, iteratorCloseThrow, iteratorStepValue } from "../src/iterate.js";
import { createData, get, getOwn, isCallable, newObjectWith, ownKeys } from "../src/object.js";
import {
  type PromiseObject,
  type Reaction,
  isPristinePromise,
  isPromise,
  newCapability,
  newPromise,
  react,
  rejectPromise,
  resolvePromise,
  toPromise,
} from "../src/promise.js";
import { type PropertySpec, closureCode, method, nativeClosure } from "../src/realm.js";
import { R, charge } from "../src/run-state.js";
import { DATA, Flag, childShape } from "../src/shape.js";
import { OBJECT_ROOT } from "../src/object.js";
import { type FunctionObject, GuestObject, HOLE, type Key, Kind, type Value, isObject } from "../src/values.js";

/** The promise that a combinator gives, and how it is settled. */
class Target implements Reaction {
  readonly promise: GuestObject;
  /** The capability's functions; null for a promise of %Promise% as long as nobody needs them. */
  private resolveFunction: Value | null;
  private rejectFunction: Value | null;
  /** The promise, where it can be settled directly. */
  private readonly direct: PromiseObject | null;
  private settled = false;
  constructor(c: Value) {
    if (isBuiltinPromise(c)) {
      this.promise = this.direct = newPromise();
      this.resolveFunction = null;
      this.rejectFunction = null;
    } else {
      const capability = newCapability(c);
      this.promise = capability.promise;
      this.resolveFunction = capability.resolve;
      this.rejectFunction = capability.reject;
      this.direct = null;
    }
  }
  get isDirect(): boolean {
    return this.direct !== null;
  }
  get resolver(): Value {
    return (this.resolveFunction ??= nativeClosure(RESOLVE_TARGET, this));
  }
  get rejecter(): Value {
    return (this.rejectFunction ??= nativeClosure(REJECT_TARGET, this));
  }
  onFulfilled(v: Value): void {
    if (this.direct === null) call1(this.resolveFunction!, undefined, v);
    else if (!this.settled) {
      this.settled = true;
      resolvePromise(this.direct, v);
    }
  }
  onRejected(reason: Value): void {
    if (this.direct === null) call1(this.rejectFunction!, undefined, reason);
    else if (!this.settled) {
      this.settled = true;
      rejectPromise(this.direct, reason);
    }
  }
}

const RESOLVE_TARGET = closureCode("", 1, (fn, v) => void (fn.d.data as Target).onFulfilled(v));
const REJECT_TARGET = closureCode("", 1, (fn, v) => void (fn.d.data as Target).onRejected(v));

function isBuiltinPromise(c: Value): boolean {
  return R.intact && isObject(c) && c === R.intrinsics[Intrinsic.Promise];
}

const enum Mode {
  ALL,
  ALL_SETTLED,
  ANY,
}

/** The values that a combinator waits for. */
class Group {
  readonly mode: Mode;
  readonly target: Target;
  /** Given for the keyed combinators: the keys of the values. */
  readonly keys: Key[] | null;
  readonly values: Value[] = newElements();
  remaining = 1;
  constructor(mode: Mode, target: Target, keys: Key[] | null) {
    this.mode = mode;
    this.target = target;
    this.keys = keys;
  }
  put(index: number, v: Value): void {
    this.values[index] = v;
    this.release();
  }
  /** One thing less to wait for; with the last one, the result is there. */
  release(): void {
    if (--this.remaining > 0) return;
    const { values, target } = this;
    if (this.mode === Mode.ANY)
      target.onRejected(makeErrorWith(Intrinsic.AggregateErrorPrototype, "All promises were rejected", [["errors", newArray(values)]]));
    else target.onFulfilled(this.keys === null ? newArray(values) : keyed(this.keys, values));
  }
}

/** CreateKeyedPromiseCombinatorResultObject. */
function keyed(keys: readonly Key[], values: readonly Value[]): GuestObject {
  const o = newObjectWith(null);
  keys.forEach((key, i) => createData(o, key, values[i]));
  return o;
}

/** What happens to one value of a group; each is taken once. */
class Element implements Reaction {
  private readonly group: Group;
  private readonly index: number;
  private called = false;
  constructor(group: Group, index: number) {
    this.group = group;
    this.index = index;
  }
  onFulfilled(v: Value): void {
    const { group } = this;
    if (group.mode === Mode.ANY) return group.target.onFulfilled(v);
    if (this.take()) group.put(this.index, group.mode === Mode.ALL ? v : outcome(FULFILLED, "fulfilled", v));
  }
  onRejected(reason: Value): void {
    const { group } = this;
    if (group.mode === Mode.ALL) return group.target.onRejected(reason);
    if (this.take()) group.put(this.index, group.mode === Mode.ANY ? reason : outcome(REJECTED, "rejected", reason));
  }
  private take(): boolean {
    if (this.called) return false;
    return (this.called = true);
  }
  fulfilledFunction(): Value {
    return this.group.mode === Mode.ANY ? this.group.target.resolver : nativeClosure(FULFILL_ELEMENT, this);
  }
  rejectedFunction(): Value {
    return this.group.mode === Mode.ALL ? this.group.target.rejecter : nativeClosure(REJECT_ELEMENT, this);
  }
}

const element = (fn: FunctionObject): Element => fn.d.data as Element;
const FULFILL_ELEMENT = closureCode("", 1, (fn, v) => void element(fn).onFulfilled(v));
const REJECT_ELEMENT = closureCode("", 1, (fn, v) => void element(fn).onRejected(v));

const STATUS = childShape(OBJECT_ROOT, "status", DATA);
const FULFILLED = childShape(STATUS, "value", DATA);
const REJECTED = childShape(STATUS, "reason", DATA);

function outcome(shape: typeof FULFILLED, status: string, v: Value): GuestObject {
  R.mem -= 88;
  return new GuestObject(shape, Kind.ORDINARY, undefined, status, v, undefined, undefined);
}

/** Adds a value to a group: PromiseResolve, then `then` with the element's functions. */
function add(group: Group, resolve: (v: Value) => Value, v: Value): void {
  const index = group.values.length;
  if (index >= R.arrayLength) throwArrayLength();
  if ((R.mem -= 64) < 0) R.run.outOfMemory();
  group.values.push(undefined);
  const next = resolve(v);
  const e = new Element(group, index);
  group.remaining++;
  if (group.target.isDirect && isPromise(next) && isPristinePromise(next)) react(next, e);
  else invoke(next, "then", [e.fulfilledFunction(), e.rejectedFunction()]);
}

/** GetPromiseResolve, as a function of the value. */
function resolverOf(c: Value): (v: Value) => Value {
  if (isBuiltinPromise(c)) return toPromise;
  const resolve = get(c as GuestObject, "resolve"); // a capability was made of it, so it is an object
  if (!isCallable(resolve)) throwTypeError("Promise resolve or reject function is not callable");
  return (v) => call1(resolve, c, v);
}

/** Runs `each` for the values of `iterable`; what is thrown on the way rejects the target. */
function overIterable(
  target: Target,
  c: Value,
  iterable: Value,
  each: (resolve: (v: Value) => Value, v: Value) => void,
  end: () => void,
): GuestObject {
  let record: IteratorRecord | null = null;
  try {
    const resolve = resolverOf(c);
    record = getIterator(iterable);
    for (;;) {
      const v = iteratorStepValue(record);
      if (v === HOLE) break;
      each(resolve, v);
    }
    record.done = true;
    end();
  } catch (e) {
    target.onRejected(record === null ? caught(e) : reasonOf(record, e));
  }
  return target.promise;
}

/** IteratorClose with a throw completion, as the reason of a rejection. */
function reasonOf(record: IteratorRecord, e: unknown): Value {
  try {
    return iteratorCloseThrow(record, e);
  } catch (inner) {
    return caught(inner);
  }
}

function combine(mode: Mode): (c: Value, iterable: Value) => Value {
  return (c, iterable) => {
    const target = new Target(c);
    const group = new Group(mode, target, null);
    return overIterable(
      target,
      c,
      iterable,
      (resolve, v) => add(group, resolve, v),
      () => group.release(),
    );
  };
}

function combineKeyed(mode: Mode): (c: Value, promises: Value) => Value {
  return (c, promises) => {
    const target = new Target(c);
    try {
      const resolve = resolverOf(c);
      if (!isObject(promises)) throwTypeError("Promise.allKeyed and allSettledKeyed take an object");
      const keys: Key[] = [];
      const group = new Group(mode, target, keys);
      for (const key of ownKeys(promises)) {
        charge(1);
        const own = getOwn(promises, key);
        if (own === undefined || (own.flags & Flag.ENUMERABLE) === 0) continue;
        const v = get(promises, key);
        keys.push(key);
        add(group, resolve, v);
      }
      group.release();
    } catch (e) {
      target.onRejected(caught(e));
    }
    return target.promise;
  };
}

function race(c: Value, iterable: Value): Value {
  const target = new Target(c);
  return overIterable(
    target,
    c,
    iterable,
    (resolve, v) => {
      const next = resolve(v);
      if (target.isDirect && isPromise(next) && isPristinePromise(next)) react(next, target);
      else invoke(next, "then", [target.resolver, target.rejecter]);
    },
    () => {},
  );
}

export const COMBINATORS: PropertySpec[] = [
  method("all", 1, combine(Mode.ALL)),
  method("allKeyed", 1, combineKeyed(Mode.ALL)),
  method("allSettled", 1, combine(Mode.ALL_SETTLED)),
  method("allSettledKeyed", 1, combineKeyed(Mode.ALL_SETTLED)),
  method("any", 1, combine(Mode.ANY)),
  method("race", 1, race),
];
