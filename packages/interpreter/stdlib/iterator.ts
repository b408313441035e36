// Iterator: the constructor, and the methods of its prototype that use up an iterator (ECMAScript 27.1.3, 27.1.4).

import { newArray, newElements, throwArrayLength } from "../src/array.js";
import { callbackOf } from "../src/array-like.js";
import { call0, getMethod, ordinaryHasInstance, protoFromNewTarget } from "../src/call.js";
import { describe, sameValueZero, toStr } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { type IteratorRecord, drain, iteratorClose, iteratorDirect, iteratorStepValue } from "../src/iterate.js";
import { iterResult, newKind } from "../src/object.js";
import { define, defineConstructor, defineGlobal, getter, intrinsic, method, variadic } from "../src/realm.js";
import { R, enterNative, leaveNative } from "../src/run-state.js";
import { rootOf } from "../src/shape.js";
import { TextBuilder } from "../src/text.js";
import { type GuestObject, HOLE, Kind, SYM, type Value, isObject } from "../src/values.js";
import { setIgnoringPrototype } from "./ignoring-prototype.js";
import { HelperIterator, checkedArgument, helperMethods, helperObject, iteratorFlattenable, thisIterator } from "./iterator-helpers.js";
import { zipMethods } from "./iterator-zip.js";

defineConstructor(Intrinsic.Iterator, {
  name: "Iterator",
  length: 0,
  prototype: Intrinsic.IteratorPrototype,
  call: null,
  construct(_args, newTarget) {
    if (newTarget === intrinsic(Intrinsic.Iterator)) throwTypeError("Abstract class Iterator not directly constructable");
    return newKind(protoFromNewTarget(newTarget, Intrinsic.IteratorPrototype), Kind.ORDINARY, undefined);
  },
  props: [
    method("from", 1, (_t, v) => {
      const record = iteratorFlattenable(v, "iterate-string-primitives");
      if (ordinaryHasInstance(intrinsic(Intrinsic.Iterator), record.iterator)) return record.iterator;
      return newKind(rootOf(Intrinsic.WrapForValidIteratorPrototype), Kind.ITERATOR, new Wrapped(record));
    }),
    variadic("concat", 0, concat),
    ...zipMethods,
  ],
});
defineGlobal("Iterator", Intrinsic.Iterator);

/** [[Iterated]] of the objects that Iterator.from makes. */
class Wrapped {
  readonly record: IteratorRecord;
  constructor(record: IteratorRecord) {
    this.record = record;
  }
}

function thisWrapped(t: Value, name: string): IteratorRecord {
  if (isObject(t) && t.kind === Kind.ITERATOR && t.d instanceof Wrapped) return t.d.record;
  throwTypeError(`${name} method called on incompatible receiver ${describe(t)}`);
}

define(Intrinsic.WrapForValidIteratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [
    method("next", 0, (t) => {
      const { next, iterator } = thisWrapped(t, "next");
      return call0(next, iterator);
    }),
    method("return", 0, (t) => {
      const { iterator } = thisWrapped(t, "return");
      const f = getMethod(iterator, "return");
      return f === undefined ? iterResult(undefined, true) : call0(f, iterator);
    }),
  ],
});

// Iterator.concat ------------------------------------------------------------------------------------------------------------------

class Concatenated extends HelperIterator {
  private readonly sources: { open: GuestObject; iterable: GuestObject }[];
  private at = 0;
  private inner: IteratorRecord | null = null;
  constructor(sources: { open: GuestObject; iterable: GuestObject }[]) {
    super();
    this.sources = sources;
  }
  protected produce(): Value {
    for (;;) {
      if (this.inner === null) {
        if (this.at === this.sources.length) return HOLE;
        const { open, iterable } = this.sources[this.at++];
        const iterator = call0(open, iterable);
        if (!isObject(iterator)) throwTypeError(`${describe(iterator)} is not an object`);
        this.inner = iteratorDirect(iterator);
      }
      const v = iteratorStepValue(this.inner);
      if (v !== HOLE) return v;
      this.inner = null;
    }
  }
  protected close(): void {
    if (this.inner !== null) iteratorClose(this.inner);
  }
}

function concat(_t: Value, items: Value[]): Value {
  const sources = items.map((iterable) => {
    if (!isObject(iterable)) throwTypeError(`${describe(iterable)} is not an object`);
    const open = getMethod(iterable, SYM.iterator);
    if (open === undefined) throwTypeError(`${describe(iterable)} is not iterable`);
    R.mem -= 48;
    return { open, iterable };
  });
  return helperObject(new Concatenated(sources));
}

// The prototype --------------------------------------------------------------------------------------------------------------------

const WEIGHT = 300;

/** A method that calls back for each value with the value and its index. `each` ends the iteration, with a close, by returning true. */
function calling(name: string, begin: () => { each(result: Value, v: Value): boolean; end(): Value }): ReturnType<typeof method> {
  return method(name, 1, (t, f) => {
    const o = thisIterator(t, name);
    const fn = checkedArgument(o, () => callbackOf(f));
    const work = begin();
    let i = 0;
    enterNative(WEIGHT);
    drain(iteratorDirect(o), (v) => work.each(fn.d.code.c2(fn, undefined, v, i++), v));
    leaveNative(WEIGHT);
    return work.end();
  });
}

function reduce(t: Value, args: Value[]): Value {
  const o = thisIterator(t, "reduce");
  const fn = checkedArgument(o, () => callbackOf(args[0]));
  const record = iteratorDirect(o);
  let sum: Value;
  let i = 0;
  if (args.length > 1) sum = args[1];
  else {
    sum = iteratorStepValue(record);
    if (sum === HOLE) throwTypeError("Reduce of a done iterator with no initial value");
    i = 1;
  }
  enterNative(WEIGHT);
  drain(record, (v) => {
    sum = fn.d.code.c3(fn, undefined, sum, v, i++);
  });
  leaveNative(WEIGHT);
  return sum;
}

function toArray(t: Value): Value {
  const record = iteratorDirect(thisIterator(t, "toArray"));
  const out = newElements();
  for (;;) {
    const v = iteratorStepValue(record);
    if (v === HOLE) return newArray(out);
    if (out.length >= R.arrayLength) throwArrayLength();
    R.mem -= 8;
    out.push(v);
  }
}

function skippedOf(v: Value): number {
  if (v === undefined) return 0;
  if (typeof v !== "number" || (!Number.isInteger(v) && v !== Infinity && v !== -Infinity))
    throwTypeError(`The number of skipped elements must be an integral number: ${describe(v)}`);
  if (v < 0 || (v !== Infinity && v > Number.MAX_SAFE_INTEGER)) throwRangeError(`The number of skipped elements is out of range: ${v}`);
  return v;
}

function includes(t: Value, searched: Value, skippedElements: Value): Value {
  const o = thisIterator(t, "includes");
  let skip = checkedArgument(o, () => skippedOf(skippedElements));
  let found = false;
  drain(iteratorDirect(o), (v) => {
    if (skip > 0) skip--;
    else found = sameValueZero(v, searched);
    return found;
  });
  return found;
}

function join(t: Value, separator: Value): Value {
  const o = thisIterator(t, "join");
  const between = checkedArgument(o, () => (separator === undefined ? "," : toStr(separator)));
  const out = new TextBuilder();
  let first = true;
  drain(iteratorDirect(o), (v) => {
    if (!first) out.add(between);
    first = false;
    if (v !== undefined && v !== null) out.add(toStr(v));
  });
  return out.done();
}

/** The accessor that stands for a data property which subclasses can shadow by assignment (web reality). */
function weird(key: "constructor" | typeof SYM.toStringTag, get: () => Value): ReturnType<typeof getter> {
  return getter(key, get, (t, v) => setIgnoringPrototype(t, intrinsic(Intrinsic.IteratorPrototype), key, v));
}

define(Intrinsic.IteratorPrototype, {
  props: [
    weird("constructor", () => intrinsic(Intrinsic.Iterator)),
    ...helperMethods,
    variadic("reduce", 1, reduce),
    method("toArray", 0, toArray),
    calling("forEach", () => ({ each: () => false, end: () => undefined })),
    calling("some", () => {
      let found = false;
      return { each: (result) => (found = !!result), end: () => found };
    }),
    calling("every", () => {
      let all = true;
      return { each: (result) => !(all = !!result), end: () => all };
    }),
    calling("find", () => {
      let found: Value;
      return {
        each(result, v) {
          if (result) found = v;
          return !!result;
        },
        end: () => found,
      };
    }),
    method("includes", 1, includes),
    method("join", 1, join),
    weird(SYM.toStringTag, () => "Iterator"),
    method(SYM.iterator, 0, (t) => t),
    method(SYM.dispose, 0, (t) => {
      const f = getMethod(t, "return");
      if (f !== undefined) call0(f, t);
      return undefined;
    }),
  ],
});
