// Iteration (ECMAScript 7.4).

import { call0, getMethod } from "./call.js";
import { describe } from "./convert.js";
import { type ErrorData, GuestThrow, makeError, throwTypeError, throwValue } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { notIterable } from "./run/hints.js";
import { get, iterResult } from "./object.js";
import { nativeCode } from "./realm.js";
import { R } from "./run-state.js";
import { ARRAY_ROOT, MATCH_ROOT, newElements } from "./array.js";
import { type ArrayObject, type Code, GuestObject, HOLE, Kind, RESULT, SYM, type Value, isFunction } from "./values.js";

/** The state of a builtin iterator (`d` of a Kind.ITERATOR), which native code steps without result objects. */
export abstract class NativeIterator {
  /** The code of the `next` method that steps it. */
  abstract readonly nextCode: Code;
  /** The next value, or HOLE at the end. */
  abstract step(): Value;
  get out(): Value {
    return undefined;
  }
}

/** What gives values without result objects: a builtin iterator's state, or a generator's activation. */
export interface Stepper {
  /** The next value; HOLE at the end; RESULT for an inner iterator's result object. `received` is what `next` is called with. */
  step(received: Value): Value;
  /** After HOLE what it returned, after RESULT the object. */
  readonly out: Value;
}

let generatorNext: Code | null = null;
/** Hands in the code of a generator's `next`; the `d` of a generator is a Stepper. */
export function setGeneratorNext(code: Code): void {
  generatorNext = code;
}

function stepperOf(iterator: GuestObject, next: Value): Stepper | null {
  if (!isFunction(next)) return null;
  if (iterator.kind === Kind.GENERATOR) return next.d.code === generatorNext ? (iterator.d as Stepper) : null;
  const state = iterator.kind === Kind.ITERATOR ? iterator.d : null;
  return state instanceof NativeIterator && next.d.code === state.nextCode ? state : null;
}

/** Code of the `next` method for the iterators of one class. */
export function nextCode(tag: string, state: abstract new (...args: never[]) => NativeIterator): Code {
  return nativeCode("next", 0, (t) => {
    if (typeof t !== "object" || t === null || t.kind !== Kind.ITERATOR || !(t.d instanceof state))
      throwTypeError(`next method called on incompatible receiver: it is no ${tag}`);
    const v = t.d.step();
    return v === HOLE ? iterResult(undefined, true) : iterResult(v, false);
  });
}

/** Iterator Record. `done` is set when the iterator has ended or thrown, so that it is not closed then. */
export class IteratorRecord {
  readonly iterator: GuestObject;
  /** Read where `native` is null. */
  readonly next: Value;
  done: boolean;
  /** The state to step, if `next` is the builtin method for it. */
  readonly native: Stepper | null;
  constructor(iterator: GuestObject, next: Value, native = stepperOf(iterator, next)) {
    this.iterator = iterator;
    this.next = next;
    this.done = false;
    this.native = native;
  }
}

let arrayValues: (o: GuestObject) => GuestObject;
/** Hands in CreateArrayIterator for values. */
export function setArrayValues(make: typeof arrayValues): void {
  arrayValues = make;
}

/** GetIterator(v, sync). */
export function getIterator(v: Value): IteratorRecord {
  if (isPlainIterable(v)) {
    const iterator = arrayValues(v);
    return new IteratorRecord(iterator, undefined, iterator.d as NativeIterator);
  }
  const method = v === undefined || v === null ? undefined : getMethod(v, SYM.iterator);
  if (method === undefined) throwNotIterable(v);
  return iteratorFromMethod(v, method);
}

function throwNotIterable(v: Value): never {
  const error = makeError(Intrinsic.TypeErrorPrototype, `${describe(v)} is not iterable`);
  (error.d as ErrorData).explain = () => notIterable(v);
  throwValue(error);
}

/** GetIteratorFromMethod. */
export function iteratorFromMethod(v: Value, method: GuestObject): IteratorRecord {
  const iterator = call0(method, v);
  if (typeof iterator !== "object" || iterator === null) throwTypeError("Result of the Symbol.iterator method is not an object");
  return new IteratorRecord(iterator, get(iterator, "next"));
}

/** GetIteratorDirect. */
export function iteratorDirect(o: GuestObject): IteratorRecord {
  return new IteratorRecord(o, get(o, "next"));
}

/** IteratorStep: the result object, or undefined at the end. Marks the record done at the end and when it throws. */
export function iteratorStep(r: IteratorRecord): GuestObject | undefined {
  if (--R.fuel < 0) R.run.outOfFuel();
  r.done = true; // until the step has gone well
  const result = call0(r.next, r.iterator);
  if (typeof result !== "object" || result === null) throwTypeError(`Iterator result ${describe(result)} is not an object`);
  if (get(result, "done")) return undefined;
  r.done = false;
  return result;
}

/** IteratorStepValue: the value, or HOLE at the end. */
export function iteratorStepValue(r: IteratorRecord): Value {
  if (r.native !== null) {
    if (--R.fuel < 0) R.run.outOfFuel();
    r.done = true;
    const v = r.native.step(undefined);
    if (v === RESULT) {
      const result = r.native.out as GuestObject;
      return get(result, "done") ? HOLE : valueOf(r, result);
    }
    if (v !== HOLE) r.done = false;
    return v;
  }
  const result = iteratorStep(r);
  return result === undefined ? HOLE : valueOf(r, result);
}

function valueOf(r: IteratorRecord, result: GuestObject): Value {
  r.done = true;
  const v = get(result, "value");
  r.done = false;
  return v;
}

/** IteratorClose with a normal completion: errors of `return` count. */
export function iteratorClose(r: IteratorRecord): void {
  r.done = true;
  const f = getMethod(r.iterator, "return");
  if (f === undefined) return;
  const result = call0(f, r.iterator);
  if (typeof result !== "object" || result === null) throwTypeError(`${describe(result)} is not an object`);
}

/** IteratorClose with the throw completion `e`, which is thrown: errors of `return` are dropped. Ends of the run do not close. */
export function iteratorCloseThrow(r: IteratorRecord, e: unknown): never {
  if (e instanceof GuestThrow && !r.done) {
    r.done = true;
    try {
      const f = getMethod(r.iterator, "return");
      if (f !== undefined) call0(f, r.iterator);
    } catch (inner) {
      if (!(inner instanceof GuestThrow)) throw inner;
    }
  }
  throw e;
}

/** True if iterating `v` by the protocol would give just its elements: a plain array with the array iterator as made. */
export function isPlainIterable(v: Value): v is ArrayObject {
  return typeof v === "object" && v !== null && v.kind === Kind.ARRAY && (v.shape === ARRAY_ROOT || v.shape === MATCH_ROOT) && R.intact;
}

/** All values of an iterable, as a host list that the caller owns (holes read as undefined). */
export function listFromIterable(v: Value): Value[] {
  if (isPlainIterable(v)) {
    const d = v.d;
    if ((R.fuel -= d.length) < 0) R.run.outOfFuel();
    if ((R.mem -= 8 * d.length) < 0) R.run.outOfMemory();
    const copy = d.slice();
    for (let i = copy.indexOf(HOLE); i >= 0; i = copy.indexOf(HOLE, i)) copy[i] = undefined;
    return copy;
  }
  if (typeof v === "string" && R.intact) return charactersOf(v);
  const out = newElements();
  forOf(v, (item) => {
    if (out.length >= R.arrayLength) throwTypeError(`A list may have at most ${R.arrayLength} elements here`);
    R.mem -= 8;
    out.push(item);
  });
  return out;
}

/** The code points of a text, as its iterator gives them. */
function charactersOf(text: string): Value[] {
  const n = text.length;
  if ((R.fuel -= n) < 0) R.run.outOfFuel();
  if ((R.mem -= 8 * n) < 0) R.run.outOfMemory();
  const out = newElements();
  for (let i = 0; i < n; i++) {
    if (out.length >= R.arrayLength) throwTypeError(`A list may have at most ${R.arrayLength} elements here`);
    const c = text.codePointAt(i)!;
    if (c > 0xffff) {
      out.push(String.fromCodePoint(c));
      i++;
    } else out.push(text[i]);
  }
  return out;
}

/** Runs `f` for each value of an iterable; closes it when `f` throws. `f` stops the iteration (with a close) by returning true. */
export function forOf(v: Value, f: (item: Value) => boolean | void): void {
  if (isPlainIterable(v)) {
    // Elements are read live, as the array iterator does.
    for (let i = 0; i < (v.kind === Kind.ARRAY ? v.d.length : 0); i++) {
      if (--R.fuel < 0) R.run.outOfFuel();
      const item = v.d[i];
      if (f(item === HOLE ? undefined : item) === true) return;
      if (!isPlainIterable(v)) return forRest(v, i + 1, f);
    }
    return;
  }
  drain(getIterator(v), f);
}

/** Runs `f` for what an iterator still gives. */
export function drain(r: IteratorRecord, f: (item: Value) => boolean | void): void {
  for (;;) {
    const item = iteratorStepValue(r);
    if (item === HOLE) return;
    let stop: boolean | void;
    try {
      stop = f(item);
    } catch (e) {
      iteratorCloseThrow(r, e);
    }
    if (stop === true) return iteratorClose(r);
  }
}

/** The array stopped being plain while it was iterated: goes on as the array iterator, by index. */
function forRest(v: GuestObject, from: number, f: (item: Value) => boolean | void): void {
  for (let i = from; i < Number(get(v, "length")); i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    if (f(get(v, String(i))) === true) return;
  }
}

/** IteratorClose for a list of open iterators, last first (joint iteration). */
export function closeAll(records: IteratorRecord[], e: unknown): never {
  let error = e;
  for (let i = records.length - 1; i >= 0; i--) {
    if (records[i].done) continue;
    try {
      iteratorCloseThrow(records[i], error);
    } catch (inner) {
      error = inner;
    }
  }
  throw error;
}
