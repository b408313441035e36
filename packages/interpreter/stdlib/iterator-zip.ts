// Iterator.zip and Iterator.zipKeyed (ECMAScript 27.1.3.2.4, joint iteration).

import { newArray, newElements } from "../src/array.js";
import { describe } from "../src/convert.js";
import { GuestThrow, makeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { type IteratorRecord, closeAll, getIterator, iteratorClose, iteratorStep, iteratorStepValue } from "../src/iterate.js";
import { createData, get, getOwn, newObjectWith, ownKeys } from "../src/object.js";
import { type PropertySpec, method } from "../src/realm.js";
import { R, allocate, charge } from "../src/run-state.js";
import { Flag } from "../src/shape.js";
import { type GuestObject, HOLE, type Key, type Value, isObject } from "../src/values.js";
import { HelperIterator, helperObject, iteratorFlattenable } from "./iterator-helpers.js";

type Mode = "shortest" | "longest" | "strict";

interface Options {
  mode: Mode;
  padding: GuestObject | undefined;
}

function readOptions(v: Value): Options {
  if (v !== undefined && !isObject(v)) throwTypeError(`The options must be an object: ${describe(v)}`);
  const given = v === undefined ? undefined : get(v, "mode");
  const mode = given === undefined ? "shortest" : given;
  if (mode !== "shortest" && mode !== "longest" && mode !== "strict")
    throwTypeError(`mode must be "shortest", "longest" or "strict": ${describe(mode)}`);
  const padding = mode === "longest" && v !== undefined ? get(v, "padding") : undefined;
  if (padding !== undefined && !isObject(padding)) throwTypeError(`padding must be an object: ${describe(padding)}`);
  return { mode, padding };
}

/** IteratorCloseAll with a normal or return completion: the last closed are first; a throw in one goes on to the others. */
function closeAllNormally(records: IteratorRecord[]): void {
  for (let i = records.length - 1; i >= 0; i--) {
    try {
      iteratorClose(records[i]);
    } catch (e) {
      closeAll(records.slice(0, i), e);
    }
  }
}

/** Runs `f`; when it throws, closes the iterators that are open (IfAbruptCloseIterators). */
function orClose<T>(open: () => IteratorRecord[], f: () => T): T {
  try {
    return f();
  } catch (e) {
    if (!(e instanceof GuestThrow)) throw e;
    closeAll(open(), e);
  }
}

class Zipped extends HelperIterator {
  private readonly records: (IteratorRecord | null)[];
  private readonly open: Set<IteratorRecord>;
  private readonly mode: Mode;
  private readonly padding: Value[];
  private readonly finish: (results: Value[]) => Value;
  constructor(records: IteratorRecord[], mode: Mode, padding: Value[], finish: (results: Value[]) => Value) {
    super();
    this.records = records;
    this.open = new Set(records);
    this.mode = mode;
    this.padding = padding;
    this.finish = finish;
  }

  protected produce(): Value {
    const records = this.records;
    const n = records.length;
    if (n === 0) return HOLE;
    charge(n);
    allocate(8 * n);
    const results = newElements();
    for (let i = 0; i < n; i++) {
      const record = records[i];
      if (record === null) {
        results.push(this.padding[i]);
        continue;
      }
      const v = this.stepOr(record, () => iteratorStepValue(record));
      if (v !== HOLE) {
        results.push(v);
        continue;
      }
      this.open.delete(record);
      if (this.mode === "shortest") {
        closeAllNormally([...this.open]);
        return HOLE;
      }
      if (this.mode === "strict") {
        this.checkOthersDone(i);
        return HOLE;
      }
      if (this.open.size === 0) return HOLE;
      records[i] = null;
      results.push(this.padding[i]);
    }
    return this.finish(results);
  }

  /** A step; when it throws, the iterator counts as closed and all others are closed. */
  private stepOr<T>(record: IteratorRecord, step: () => T): T {
    try {
      return step();
    } catch (e) {
      if (!(e instanceof GuestThrow)) throw e;
      this.open.delete(record);
      closeAll([...this.open], e);
    }
  }

  /** Mode "strict", and iterator `i` is done: all must be done at the same time. */
  private checkOthersDone(i: number): void {
    if (i !== 0) closeAll([...this.open], uneven());
    for (let k = 1; k < this.records.length; k++) {
      const record = this.records[k]!;
      const result = this.stepOr(record, () => iteratorStep(record));
      if (result !== undefined) closeAll([...this.open], uneven());
      this.open.delete(record);
    }
  }

  protected close(): void {
    closeAllNormally([...this.open]);
  }
}

function uneven(): GuestThrow {
  return new GuestThrow(makeError(Intrinsic.TypeErrorPrototype, "The iterators must all end at the same time in strict mode"));
}

function zip(_t: Value, iterables: Value, optionsArg: Value): Value {
  if (!isObject(iterables)) throwTypeError(`${describe(iterables)} is not an object`);
  const options = readOptions(optionsArg);
  const records: IteratorRecord[] = [];
  const input = getIterator(iterables);
  for (;;) {
    const v = orClose(
      () => records,
      () => iteratorStepValue(input),
    );
    if (v === HOLE) break;
    R.mem -= 64;
    records.push(
      orClose(
        () => [input, ...records],
        () => iteratorFlattenable(v, "reject-primitives"),
      ),
    );
  }
  const padding: Value[] = [];
  if (options.mode === "longest") {
    const given = options.padding;
    charge(records.length);
    let source =
      given === undefined
        ? null
        : orClose(
            () => records,
            () => getIterator(given),
          );
    for (let i = 0; i < records.length; i++) {
      const v: Value =
        source === null
          ? undefined
          : orClose(
              () => records,
              () => iteratorStepValue(source!),
            );
      if (v === HOLE) source = null;
      padding.push(v === HOLE ? undefined : v);
    }
    if (source !== null)
      orClose(
        () => records,
        () => iteratorClose(source!),
      );
  }
  return helperObject(new Zipped(records, options.mode, padding, newArray));
}

function zipKeyed(_t: Value, iterables: Value, optionsArg: Value): Value {
  if (!isObject(iterables)) throwTypeError(`${describe(iterables)} is not an object`);
  const options = readOptions(optionsArg);
  const records: IteratorRecord[] = [];
  const keys: Key[] = [];
  for (const key of ownKeys(iterables)) {
    const own = orClose(
      () => records,
      () => getOwn(iterables, key),
    );
    if (own === undefined || (own.flags & Flag.ENUMERABLE) === 0) continue;
    const v = orClose(
      () => records,
      () => get(iterables, key),
    );
    if (v === undefined) continue;
    R.mem -= 64;
    keys.push(key);
    records.push(
      orClose(
        () => records,
        () => iteratorFlattenable(v, "reject-primitives"),
      ),
    );
  }
  const padding: Value[] = [];
  if (options.mode === "longest") {
    const given = options.padding;
    for (const key of keys)
      padding.push(
        given === undefined
          ? undefined
          : orClose(
              () => records,
              () => get(given, key),
            ),
      );
  }
  return helperObject(
    new Zipped(records, options.mode, padding, (results) => {
      const o = newObjectWith(null);
      keys.forEach((key, i) => createData(o, key, results[i]));
      return o;
    }),
  );
}

export const zipMethods: PropertySpec[] = [method("zip", 1, zip), method("zipKeyed", 1, zipKeyed)];
