// Iterator helper objects (ECMAScript 27.1.2.1, 27.1.4): the methods of Iterator.prototype that give a new iterator, and `chunks` and
// `windows` of the proposal iterator-chunking. In the specification they are generators; here they are state machines that step natively.

import { newArray, newElements, throwArrayLength } from "../src/array.js";
import { callbackOf } from "../src/array-like.js";
import { call0, getMethod } from "../src/call.js";
import { describe, toIntegerOrInfinity, toNumber } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import {
  IteratorRecord,
  NativeIterator,
  iteratorClose,
  iteratorCloseThrow,
  iteratorDirect,
  iteratorStep,
  iteratorStepValue,
  nextCode,
} from "../src/iterate.js";
import { iterResult, newKind } from "../src/object.js";
import { type PropertySpec, define, functionProperty, method, value } from "../src/realm.js";
import { R, enterNative, leaveNative } from "../src/run-state.js";
import { Flag, rootOf } from "../src/shape.js";
import { type Code, type FunctionObject, type GuestObject, HOLE, Kind, SYM, type Value, isObject } from "../src/values.js";

const enum State {
  START,
  YIELDED,
  RUNNING,
  DONE,
}

const STEP_WEIGHT = 500;

export abstract class HelperIterator extends NativeIterator {
  private state: State = State.START;

  /** The next value, or HOLE at the end. */
  protected abstract produce(): Value;
  /** What a return completion does: closes what is open below. */
  protected abstract close(): void;

  get nextCode(): Code {
    return NEXT;
  }

  step(): Value {
    if (this.state === State.RUNNING) throwTypeError("Iterator helper is already running");
    if (this.state === State.DONE) return HOLE;
    this.state = State.RUNNING;
    enterNative(STEP_WEIGHT);
    let v: Value;
    try {
      v = this.produce();
    } catch (e) {
      this.state = State.DONE;
      throw e;
    }
    leaveNative(STEP_WEIGHT);
    this.state = v === HOLE ? State.DONE : State.YIELDED;
    return v;
  }

  return(): void {
    if (this.state === State.RUNNING) throwTypeError("Iterator helper is already running");
    if (this.state === State.DONE) return;
    // Before the first step it is done at once; later it runs while it closes.
    this.state = this.state === State.START ? State.DONE : State.RUNNING;
    enterNative(STEP_WEIGHT);
    try {
      this.close();
    } finally {
      this.state = State.DONE;
    }
    leaveNative(STEP_WEIGHT);
  }
}
const NEXT: Code = nextCode("Iterator Helper", HelperIterator);

define(Intrinsic.IteratorHelperPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [
    functionProperty("next", NEXT),
    method("return", 0, (t) => {
      if (!isObject(t) || t.kind !== Kind.ITERATOR || !(t.d instanceof HelperIterator))
        throwTypeError("return method called on incompatible receiver: it is no Iterator Helper");
      t.d.return();
      return iterResult(undefined, true);
    }),
    value(SYM.toStringTag, "Iterator Helper", Flag.CONFIGURABLE),
  ],
});

export function helperObject(h: HelperIterator): GuestObject {
  R.mem -= 100;
  return newKind(rootOf(Intrinsic.IteratorHelperPrototype), Kind.ITERATOR, h);
}

/** The receiver, an object, of a method of Iterator.prototype. */
export function thisIterator(t: Value, name: string): GuestObject {
  if (!isObject(t)) throwTypeError(`Iterator.prototype.${name} called on non-object`);
  return t;
}

/** An argument's check: closes the iterator, whose `next` was not read yet, when it fails. */
export function checkedArgument<T>(o: GuestObject, check: () => T): T {
  try {
    return check();
  } catch (e) {
    iteratorCloseThrow(new IteratorRecord(o, undefined), e);
  }
}

/** GetIteratorFlattenable. */
export function iteratorFlattenable(v: Value, strings: "reject-primitives" | "iterate-string-primitives"): IteratorRecord {
  if (!isObject(v) && !(strings === "iterate-string-primitives" && typeof v === "string"))
    throwTypeError(`${describe(v)} is not an object`);
  const f = getMethod(v, SYM.iterator);
  const iterator = f === undefined ? v : call0(f, v);
  if (!isObject(iterator)) throwTypeError(`${describe(iterator)} is not an object`);
  return iteratorDirect(iterator);
}

abstract class OverOne extends HelperIterator {
  protected readonly source: IteratorRecord;
  constructor(source: IteratorRecord) {
    super();
    this.source = source;
  }
  protected close(): void {
    iteratorClose(this.source);
  }
}

abstract class Calling extends OverOne {
  protected readonly fn: FunctionObject;
  protected counter = 0;
  constructor(source: IteratorRecord, fn: FunctionObject) {
    super(source);
    this.fn = fn;
  }
  protected call(v: Value): Value {
    try {
      return this.fn.d.code.c2(this.fn, undefined, v, this.counter++);
    } catch (e) {
      iteratorCloseThrow(this.source, e);
    }
  }
}

class Mapped extends Calling {
  protected produce(): Value {
    const v = iteratorStepValue(this.source);
    return v === HOLE ? HOLE : this.call(v);
  }
}

class Filtered extends Calling {
  protected produce(): Value {
    for (;;) {
      const v = iteratorStepValue(this.source);
      if (v === HOLE || this.call(v)) return v;
    }
  }
}

class FlatMapped extends Calling {
  private inner: IteratorRecord | null = null;
  protected produce(): Value {
    for (;;) {
      if (this.inner === null) {
        const v = iteratorStepValue(this.source);
        if (v === HOLE) return HOLE;
        const mapped = this.call(v);
        try {
          this.inner = iteratorFlattenable(mapped, "reject-primitives");
        } catch (e) {
          iteratorCloseThrow(this.source, e);
        }
      }
      let item: Value;
      try {
        item = iteratorStepValue(this.inner);
      } catch (e) {
        iteratorCloseThrow(this.source, e);
      }
      if (item !== HOLE) return item;
      this.inner = null;
    }
  }
  protected override close(): void {
    if (this.inner !== null) {
      try {
        iteratorClose(this.inner);
      } catch (e) {
        iteratorCloseThrow(this.source, e);
      }
    }
    iteratorClose(this.source);
  }
}

class Taken extends OverOne {
  private remaining: number;
  constructor(source: IteratorRecord, limit: number) {
    super(source);
    this.remaining = limit;
  }
  protected produce(): Value {
    if (this.remaining === 0) {
      iteratorClose(this.source);
      return HOLE;
    }
    this.remaining--;
    return iteratorStepValue(this.source);
  }
}

class Dropped extends OverOne {
  private remaining: number;
  constructor(source: IteratorRecord, limit: number) {
    super(source);
    this.remaining = limit;
  }
  protected produce(): Value {
    while (this.remaining > 0) {
      this.remaining--;
      // The values that are skipped are not read.
      if (this.source.native !== null ? iteratorStepValue(this.source) === HOLE : iteratorStep(this.source) === undefined) return HOLE;
    }
    return iteratorStepValue(this.source);
  }
}

function addToBuffer(buffer: Value[], v: Value): void {
  if (buffer.length >= R.arrayLength) throwArrayLength();
  R.mem -= 8;
  buffer.push(v);
}

class Chunked extends OverOne {
  private readonly size: number;
  private ended = false;
  constructor(source: IteratorRecord, size: number) {
    super(source);
    this.size = size;
  }
  protected produce(): Value {
    if (this.ended) return HOLE;
    const buffer = newElements();
    while (buffer.length < this.size) {
      const v = iteratorStepValue(this.source);
      if (v === HOLE) {
        this.ended = true;
        return buffer.length === 0 ? HOLE : newArray(buffer);
      }
      addToBuffer(buffer, v);
    }
    return newArray(buffer);
  }
}

class Windowed extends OverOne {
  private readonly size: number;
  private readonly partial: boolean;
  private readonly buffer = newElements();
  private ended = false;
  constructor(source: IteratorRecord, size: number, partial: boolean) {
    super(source);
    this.size = size;
    this.partial = partial;
  }
  protected produce(): Value {
    if (this.ended) return HOLE;
    const buffer = this.buffer;
    for (;;) {
      const v = iteratorStepValue(this.source);
      if (v === HOLE) {
        this.ended = true;
        return this.partial && buffer.length > 0 && buffer.length < this.size ? this.copy() : HOLE;
      }
      if (buffer.length === this.size) buffer.shift();
      addToBuffer(buffer, v);
      if (buffer.length === this.size) return this.copy();
    }
  }
  private copy(): Value {
    if ((R.fuel -= this.buffer.length >>> 2) < 0) R.run.outOfFuel();
    return newArray(this.buffer.slice());
  }
}

/** The limit of `take` and `drop`. */
function limitOf(limit: Value): number {
  const n = toNumber(limit);
  if (n !== n) throwRangeError(`${describe(limit)} must be positive`);
  if (n !== Infinity && n > Number.MAX_SAFE_INTEGER) throwRangeError(`${describe(limit)} is too large`);
  const i = toIntegerOrInfinity(n);
  if (i < 0) throwRangeError(`${describe(limit)} must be positive`);
  return i;
}

/** The size of `chunks` and `windows`. */
function sizeOf(size: Value): number {
  if (typeof size !== "number" || !Number.isInteger(size)) throwTypeError(`The size must be an integral number: ${describe(size)}`);
  if (size < 1 || size > 4294967295) throwRangeError(`The size must be from 1 to 4294967295: ${size}`);
  return size;
}

const calling = (name: string, make: new (source: IteratorRecord, fn: FunctionObject) => Calling): PropertySpec =>
  method(name, 1, (t, f) => {
    const o = thisIterator(t, name);
    const fn = checkedArgument(o, () => callbackOf(f));
    return helperObject(new make(iteratorDirect(o), fn));
  });

export const helperMethods: PropertySpec[] = [
  calling("map", Mapped),
  calling("filter", Filtered),
  calling("flatMap", FlatMapped),
  method("take", 1, (t, limit) => {
    const o = thisIterator(t, "take");
    const n = checkedArgument(o, () => limitOf(limit));
    return helperObject(new Taken(iteratorDirect(o), n));
  }),
  method("drop", 1, (t, limit) => {
    const o = thisIterator(t, "drop");
    const n = checkedArgument(o, () => limitOf(limit));
    return helperObject(new Dropped(iteratorDirect(o), n));
  }),
  method("chunks", 1, (t, size) => {
    const o = thisIterator(t, "chunks");
    const n = checkedArgument(o, () => sizeOf(size));
    return helperObject(new Chunked(iteratorDirect(o), n));
  }),
  method("windows", 1, (t, size, undersized) => {
    const o = thisIterator(t, "windows");
    const n = checkedArgument(o, () => {
      const checked = sizeOf(size);
      if (undersized !== undefined && undersized !== "only-full" && undersized !== "allow-partial") {
        throwTypeError(`undersized must be "only-full" or "allow-partial": ${describe(undersized)}`);
      }
      return checked;
    });
    return helperObject(new Windowed(iteratorDirect(o), n, undersized === "allow-partial"));
  }),
];
