// Array iterators (ECMAScript 23.1.5).

import { getAt } from "../src/array-like.js";
import { newArray, newElements } from "../src/array.js";
import { lengthOf, toObject } from "../src/convert.js";
import { Intrinsic } from "../src/intrinsics.js";
import { NativeIterator, nextCode, setArrayValues } from "../src/iterate.js";
import { newKind } from "../src/object.js";
import { define, functionProperty, nativeCode, value } from "../src/realm.js";
import { R } from "../src/run-state.js";
import { Flag, rootOf } from "../src/shape.js";
import { throwOutOfBounds } from "../src/typed-array.js";
import { isOutOfBounds, isTypedArray, typedGet, typedLength } from "../src/typed-array-exotic.js";
import { type Code, FunctionData, type GuestObject, HOLE, Kind, SYM, type Value } from "../src/values.js";

export const enum ArrayIteration {
  KEYS,
  VALUES,
  ENTRIES,
}

class ArrayIterator extends NativeIterator {
  private target: GuestObject | null;
  private index = 0;
  private readonly mode: ArrayIteration;
  constructor(target: GuestObject, mode: ArrayIteration) {
    super();
    this.target = target;
    this.mode = mode;
  }
  get nextCode(): Code {
    return NEXT;
  }
  step(): Value {
    const o = this.target;
    if (o === null) return HOLE;
    const i = this.index;
    if (i >= (o.kind === Kind.ARRAY ? (o.d as Value[]).length : iteratedLength(o))) {
      this.target = null;
      return HOLE;
    }
    this.index = i + 1;
    if (this.mode === ArrayIteration.KEYS) return i;
    let v = o.kind === Kind.ARRAY ? (o.d as Value[])[i] : HOLE;
    if (v === HOLE) v = isTypedArray(o) ? typedGet(o, i) : getAt(o, i);
    return this.mode === ArrayIteration.VALUES ? v : entry(i, v);
  }
}

function iteratedLength(o: GuestObject): number {
  if (!isTypedArray(o)) return lengthOf(o);
  if (isOutOfBounds(o.d)) throwOutOfBounds("%ArrayIteratorPrototype%.next");
  return typedLength(o.d);
}

function entry(i: number, v: Value): Value {
  const d = newElements();
  d.push(i, v);
  return newArray(d);
}

const NEXT: Code = nextCode("Array Iterator", ArrayIterator);

const ROOT = rootOf(Intrinsic.ArrayIteratorPrototype);

/** CreateArrayIterator. */
export function arrayIterator(o: GuestObject, mode: ArrayIteration): GuestObject {
  R.mem -= 48;
  return newKind(ROOT, Kind.ITERATOR, new ArrayIterator(o, mode));
}

setArrayValues((o) => arrayIterator(o, ArrayIteration.VALUES));

define(Intrinsic.ArrayIteratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [functionProperty("next", NEXT), value(SYM.toStringTag, "Array Iterator", Flag.CONFIGURABLE)],
});

/** %Array.prototype.values%, an intrinsic of its own: arguments objects share it. */
const VALUES = nativeCode("values", 0, (t) => arrayIterator(toObject(t), ArrayIteration.VALUES));
define(Intrinsic.ArrayProtoValues, {
  kind: Kind.FUNCTION,
  data: () => new FunctionData(VALUES, null, null, null),
  props: [value("length", 0, Flag.CONFIGURABLE), value("name", "values", Flag.CONFIGURABLE)],
});
