// The TypedArray constructors (ECMAScript 23.2).

import { callbackOf, getAt } from "../src/array-like.js";
import { type BufferObject, checkAttached, isArrayBuffer } from "../src/buffer.js";
import { getMethod, protoFromNewTarget } from "../src/call.js";
import { describe, lengthOf, toIndex, toObject } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { type IteratorRecord, isPlainIterable, iteratorFromMethod, iteratorStepValue, listFromIterable } from "../src/iterate.js";
import { isConstructor } from "../src/object.js";
import { define, defineConstructor, defineGlobal, getter, method, ref, value, variadic } from "../src/realm.js";
import { R, charge, enterNative, leaveNative } from "../src/run-state.js";
import { type Shape } from "../src/shape.js";
import { allocateTyped, constructorOf, prototypeOf, throwOutOfBounds, typedArrayOver, typedFromConstructor } from "../src/typed-array.js";
import {
  ELEMENT_NAMES,
  ELEMENT_SIZES,
  ElementType,
  type TypedArrayObject,
  isBigIntType,
  isOutOfBounds,
  isTypedArray,
  readElement,
  typedLength,
  typedSet,
  writeElement,
} from "../src/typed-array-exotic.js";
import { type GuestObject, HOLE, SYM, type Value, isObject } from "../src/values.js";
import { copyBytes } from "./array-buffer.js";
import { setOrThrow } from "./typed-array-mutators.js";
import { typedPrototypeProps } from "./typed-array-prototype.js";
import { uint8Methods, uint8Statics } from "./uint8-encoding.js";

defineConstructor(Intrinsic.TypedArray, {
  name: "TypedArray",
  length: 0,
  prototype: Intrinsic.TypedArrayPrototype,
  call: () => throwTypeError("Abstract class TypedArray not directly constructable"),
  construct: () => throwTypeError("Abstract class TypedArray not directly constructable"),
  props: [method("from", 1, from), variadic("of", 0, of), getter(SYM.species, (t) => t)],
});

define(Intrinsic.TypedArrayPrototype, { props: [ref("constructor", Intrinsic.TypedArray), ...typedPrototypeProps] });

for (let type: ElementType = ElementType.INT8; type <= ElementType.FLOAT64; type++) {
  const name = `${ELEMENT_NAMES[type]}Array`;
  const size = value("BYTES_PER_ELEMENT", ELEMENT_SIZES[type], 0);
  const isUint8 = type === ElementType.UINT8;
  const element: ElementType = type;
  defineConstructor(constructorOf(element), {
    name,
    length: 3,
    prototype: prototypeOf(element),
    proto: Intrinsic.TypedArray,
    call: null,
    construct: (args, newTarget) => construct(element, args, newTarget),
    props: [size, ...(isUint8 ? uint8Statics : [])],
  });
  define(prototypeOf(element), {
    proto: Intrinsic.TypedArrayPrototype,
    props: [ref("constructor", constructorOf(element)), size, ...(isUint8 ? uint8Methods : [])],
  });
  defineGlobal(name, constructorOf(element));
}

function construct(type: ElementType, args: Value[], newTarget: GuestObject): Value {
  const first = args[0];
  if (!isObject(first)) {
    const n = toIndex(first, `Invalid typed array length: ${describe(first)}`);
    return allocateTyped(type, n, protoFromNewTarget(newTarget, prototypeOf(type)));
  }
  const shape = protoFromNewTarget(newTarget, prototypeOf(type));
  if (isTypedArray(first)) return fromTypedArray(type, shape, first);
  if (isArrayBuffer(first)) return fromBuffer(type, shape, first, args[1], args[2]);
  const iteration = getMethod(first, SYM.iterator);
  if (iteration === undefined) {
    const n = lengthOf(first);
    const o = allocateTyped(type, n, shape);
    for (let i = 0; i < n; i++) {
      if (--R.fuel < 0) R.run.outOfFuel();
      typedSet(o, i, getAt(first, i));
    }
    return o;
  }
  const values = isPlainIterable(first) ? listFromIterable(first) : iteratorToList(iteratorFromMethod(first, iteration));
  const o = allocateTyped(type, values.length, shape);
  for (let i = 0; i < values.length; i++) typedSet(o, i, values[i]);
  return o;
}

function iteratorToList(record: IteratorRecord): Value[] {
  const out: Value[] = [];
  for (;;) {
    const v = iteratorStepValue(record);
    if (v === HOLE) return out;
    if (out.length >= R.arrayLength) throwRangeError(`A list may have at most ${R.arrayLength} elements here`);
    R.mem -= 8;
    out.push(v);
  }
}

/** InitializeTypedArrayFromTypedArray. */
function fromTypedArray(type: ElementType, shape: Shape, source: TypedArrayObject): Value {
  const s = source.d;
  if (isOutOfBounds(s)) throwOutOfBounds("Construct");
  const n = typedLength(s);
  if (isBigIntType(s.type) !== isBigIntType(type)) throwTypeError("Cannot mix BigInt and other types, use explicit conversions");
  const o = allocateTyped(type, n, shape);
  if (s.type === type) copyBytes(s.data, s.offset, o.d.data, 0, n * s.size);
  else {
    charge(n);
    for (let i = 0; i < n; i++) writeElement(o.d, i, readElement(s, i));
  }
  return o;
}

/** InitializeTypedArrayFromArrayBuffer. */
function fromBuffer(type: ElementType, shape: Shape, buffer: BufferObject, byteOffset: Value, length: Value): Value {
  const size = ELEMENT_SIZES[type];
  const name = `${ELEMENT_NAMES[type]}Array`;
  const offset = toIndex(byteOffset, "Start offset is too large");
  if (offset % size !== 0) throwRangeError(`start offset of ${name} should be a multiple of ${size}`);
  const n = length === undefined ? -1 : toIndex(length, "Invalid typed array length");
  const d = buffer.d;
  checkAttached(d, "Construct");
  if (n < 0 && d.max >= 0) {
    if (offset > d.length) throwRangeError(`Start offset ${offset} is outside the bounds of the buffer`);
    return typedArrayOver(type, buffer, offset, -1, shape);
  }
  if (n < 0) {
    if (d.length % size !== 0) throwRangeError(`byte length of ${name} should be a multiple of ${size}`);
    if (offset > d.length) throwRangeError(`Start offset ${offset} is outside the bounds of the buffer`);
    return typedArrayOver(type, buffer, offset, (d.length - offset) / size, shape);
  }
  if (offset + n * size > d.length) throwRangeError(`Invalid typed array length: ${n}`);
  return typedArrayOver(type, buffer, offset, n, shape);
}

function from(c: Value, source: Value, mapper: Value, thisArg: Value): Value {
  if (!isConstructor(c)) throwTypeError(`${describe(c)} is not a constructor`);
  const fn = mapper === undefined ? null : callbackOf(mapper);
  const iteration = getMethod(source, SYM.iterator);
  let list: Value[] | null = null;
  let like: GuestObject | null = null;
  let n: number;
  if (iteration !== undefined) {
    list = isPlainIterable(source) ? listFromIterable(source) : iteratorToList(iteratorFromMethod(source, iteration));
    n = list.length;
  } else {
    like = toObject(source);
    n = lengthOf(like);
  }
  const o = typedFromConstructor(c, [n], "write");
  enterNative(400);
  for (let i = 0; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const v = list !== null ? list[i] : getAt(like!, i);
    setOrThrow(o, i, fn === null ? v : fn.d.code.c2(fn, thisArg, v, i));
  }
  leaveNative(400);
  return o;
}

function of(c: Value, items: Value[]): Value {
  if (!isConstructor(c)) throwTypeError(`${describe(c)} is not a constructor`);
  const o = typedFromConstructor(c, [items.length], "write");
  charge(items.length);
  items.forEach((v, i) => setOrThrow(o, i, v));
  return o;
}
