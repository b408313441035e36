// ArrayBuffer (ECMAScript 25.1), with the proposal immutable-arraybuffer.

import {
  type BufferObject,
  allocateBuffer,
  checkAttached,
  checkMutable,
  detachBuffer,
  isArrayBuffer,
  newBuffer,
  BufferData,
} from "../src/buffer.js";
import { relativeIndex } from "../src/array-like.js";
import { construct, protoFromNewTarget, speciesConstructor } from "../src/call.js";
import { describe, toIndex } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get } from "../src/object.js";
import { define, defineConstructor, defineGlobal, getter, method, ref, value } from "../src/realm.js";
import { charge } from "../src/run-state.js";
import { Flag } from "../src/shape.js";
import { Kind, SYM, type Value, isObject } from "../src/values.js";

const INVALID_LENGTH = "Invalid array buffer length";

defineConstructor(Intrinsic.ArrayBuffer, {
  name: "ArrayBuffer",
  length: 1,
  prototype: Intrinsic.ArrayBufferPrototype,
  call: null,
  construct(args, newTarget) {
    const n = toIndex(args[0], INVALID_LENGTH);
    const options = args[1];
    const given = isObject(options) ? get(options, "maxByteLength") : undefined;
    const max = given === undefined ? -1 : toIndex(given, "Invalid array buffer max length");
    if (max >= 0 && n > max) throwRangeError("Invalid array buffer max length");
    return allocateBuffer(n, max, protoFromNewTarget(newTarget, Intrinsic.ArrayBufferPrototype));
  },
  props: [
    method("isView", 1, (_t, v) => isObject(v) && (v.kind === Kind.TYPED_ARRAY || v.kind === Kind.DATA_VIEW)),
    getter(SYM.species, (t) => t),
  ],
});
defineGlobal("ArrayBuffer", Intrinsic.ArrayBuffer);

function thisBuffer(t: Value, name: string): BufferObject {
  if (!isArrayBuffer(t)) throwTypeError(`Method ArrayBuffer.prototype.${name} called on incompatible receiver ${describe(t)}`);
  return t;
}

define(Intrinsic.ArrayBufferPrototype, {
  props: [
    ref("constructor", Intrinsic.ArrayBuffer),
    getter("byteLength", (t) => thisBuffer(t, "byteLength").d.length),
    method("slice", 2, slice),
    getter("maxByteLength", (t) => {
      const d = thisBuffer(t, "maxByteLength").d;
      return d.detached ? 0 : d.max < 0 ? d.length : d.max;
    }),
    getter("resizable", (t) => thisBuffer(t, "resizable").d.max >= 0),
    getter("detached", (t) => thisBuffer(t, "detached").d.detached),
    getter("immutable", (t) => thisBuffer(t, "immutable").d.immutable),
    method("resize", 1, resize),
    method("transfer", 0, (t, n) => copyAndDetach(thisBuffer(t, "transfer"), n, "preserve")),
    method("transferToFixedLength", 0, (t, n) => copyAndDetach(thisBuffer(t, "transferToFixedLength"), n, "fixed")),
    method("transferToImmutable", 0, (t, n) => copyAndDetach(thisBuffer(t, "transferToImmutable"), n, "immutable")),
    method("sliceToImmutable", 2, sliceToImmutable),
    value(SYM.toStringTag, "ArrayBuffer", Flag.CONFIGURABLE),
  ],
});

function resize(t: Value, newLength: Value): Value {
  const d = thisBuffer(t, "resize").d;
  if (d.max < 0) throwTypeError("Method ArrayBuffer.prototype.resize called on a buffer of fixed length");
  const n = toIndex(newLength, INVALID_LENGTH);
  checkAttached(d, "ArrayBuffer.prototype.resize");
  if (n > d.max) throwRangeError("ArrayBuffer.prototype.resize: Invalid length parameter");
  charge(Math.abs(n - d.length) >>> 6);
  if (n < d.length) new Uint8Array(d.bytes, n, d.length - n).fill(0); // what grows back later must be zeros
  d.length = n;
  return undefined;
}

/** ArrayBufferCopyAndDetach. */
function copyAndDetach(o: BufferObject, newLength: Value, result: "preserve" | "fixed" | "immutable"): Value {
  const d = o.d;
  const n = newLength === undefined ? d.length : toIndex(newLength, INVALID_LENGTH);
  checkAttached(d, "ArrayBuffer.prototype.transfer");
  checkMutable(d, "ArrayBuffer.prototype.transfer");
  const max = result === "preserve" ? d.max : -1;
  let made: BufferObject;
  if (n === d.length && d.bytes.byteLength === (max < 0 ? n : max)) made = newBuffer(new BufferData(d.bytes, n, max));
  else {
    made = allocateBuffer(n, max);
    copyBytes(d, 0, made.d, 0, Math.min(n, d.length));
  }
  detachBuffer(d);
  made.d.immutable = result === "immutable";
  return made;
}

export function copyBytes(from: BufferData, at: number, to: BufferData, toAt: number, count: number): void {
  if (count <= 0) return;
  charge(count >>> 6);
  new Uint8Array(to.bytes, toAt, count).set(new Uint8Array(from.bytes, at, count));
}

function slice(t: Value, start: Value, end: Value): Value {
  const o = thisBuffer(t, "slice");
  const d = o.d;
  checkAttached(d, "ArrayBuffer.prototype.slice");
  const n = d.length;
  const first = relativeIndex(start, n);
  const count = Math.max(relativeIndex(end, n, n) - first, 0);
  const ctor = speciesConstructor(o);
  const made = ctor === undefined ? allocateBuffer(count) : construct(ctor, [count]);
  if (!isArrayBuffer(made)) throwTypeError("The species constructor did not return an ArrayBuffer");
  const to: BufferData = made.d;
  checkAttached(to, "ArrayBuffer.prototype.slice");
  checkMutable(to, "ArrayBuffer.prototype.slice");
  if (made === o) throwTypeError("ArrayBuffer subclass returned this from species constructor");
  if (to.length < count) throwTypeError("Species constructor returned a too small ArrayBuffer");
  checkAttached(d, "ArrayBuffer.prototype.slice");
  if (first < d.length) copyBytes(d, first, to, 0, Math.min(count, d.length - first));
  return made;
}

function sliceToImmutable(t: Value, start: Value, end: Value): Value {
  const d = thisBuffer(t, "sliceToImmutable").d;
  checkAttached(d, "ArrayBuffer.prototype.sliceToImmutable");
  const n = d.length;
  const first = relativeIndex(start, n);
  const last = relativeIndex(end, n, n);
  const count = Math.max(last - first, 0);
  checkAttached(d, "ArrayBuffer.prototype.sliceToImmutable");
  if (d.length < last) throwRangeError("The ArrayBuffer has been resized below the end of the slice");
  const made = allocateBuffer(count);
  copyBytes(d, first, made.d, 0, count);
  made.d.immutable = true;
  return made;
}
