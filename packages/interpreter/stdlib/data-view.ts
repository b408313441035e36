// DataView (ECMAScript 25.3).

import { type BufferData, type BufferObject, checkAttached, checkMutable, isArrayBuffer } from "../src/buffer.js";
import { protoFromNewTarget } from "../src/call.js";
import { describe, toBigInt, toIndex, toNumber } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { float16FromBits, float16ToBits } from "../src/float16.js";
import { Intrinsic } from "../src/intrinsics.js";
import { newKind } from "../src/object.js";
import { type PropertySpec, define, defineConstructor, defineGlobal, getter, method, ref, value } from "../src/realm.js";
import { R } from "../src/run-state.js";
import { Flag, rootOf } from "../src/shape.js";
import { type GuestObject, Kind, SYM, type Value, isObject } from "../src/values.js";

class DataViewData {
  readonly buffer: BufferObject;
  readonly data: BufferData;
  readonly offset: number;
  /** [[ByteLength]], or -1 for "auto". */
  readonly fixed: number;
  readonly view: DataView;
  constructor(buffer: BufferObject, offset: number, fixed: number) {
    this.buffer = buffer;
    this.data = buffer.d;
    this.offset = offset;
    this.fixed = fixed;
    this.view = new DataView(buffer.d.bytes, offset, fixed < 0 ? undefined : fixed);
  }
  /** GetViewByteLength, or -1 out of bounds. */
  length(): number {
    const data = this.data;
    if (data.plain) return this.fixed;
    if (data.detached || this.offset > data.length) return -1;
    if (this.fixed < 0) return data.length - this.offset;
    return this.offset + this.fixed > data.length ? -1 : this.fixed;
  }
}

const OUTSIDE = "Start offset is outside the bounds of the buffer";

defineConstructor(Intrinsic.DataView, {
  name: "DataView",
  length: 1,
  prototype: Intrinsic.DataViewPrototype,
  call: null,
  construct(args, newTarget) {
    const buffer = args[0];
    if (!isArrayBuffer(buffer)) throwTypeError("First argument to DataView constructor must be an ArrayBuffer");
    const offset = toIndex(args[1], OUTSIDE);
    const d = buffer.d;
    checkAttached(d, "DataView");
    if (offset > d.length) throwRangeError(`${OUTSIDE}: ${offset}`);
    let fixed: number;
    if (args[2] === undefined) fixed = d.max < 0 ? d.length - offset : -1;
    else {
      fixed = toIndex(args[2], "Invalid DataView length");
      if (offset + fixed > d.length) throwRangeError(`Invalid DataView length ${fixed}`);
    }
    const shape = protoFromNewTarget(newTarget, Intrinsic.DataViewPrototype);
    // Reading the prototype may have changed the buffer.
    checkAttached(d, "DataView");
    if (offset > d.length || (args[2] !== undefined && offset + fixed > d.length)) throwRangeError(`Invalid DataView length ${fixed}`);
    R.mem -= 150;
    return newKind(shape, Kind.DATA_VIEW, new DataViewData(buffer, offset, fixed));
  },
});
defineGlobal("DataView", Intrinsic.DataView);

function thisView(t: Value, name: string): DataViewData {
  if (!isObject(t) || t.kind !== Kind.DATA_VIEW)
    throwTypeError(`Method DataView.prototype.${name} called on incompatible receiver ${describe(t)}`);
  return t.d as DataViewData;
}

function lengthInBounds(d: DataViewData, name: string): number {
  const n = d.length();
  if (n < 0) throwTypeError(`Cannot perform DataView.prototype.${name}: the view is out of the bounds of its buffer`);
  return n;
}

type Read = (view: DataView, at: number, littleEndian: boolean) => number | bigint;
type Write<T> = (view: DataView, at: number, x: T, littleEndian: boolean) => void;

/** GetViewValue and SetViewValue of a type. */
function accessors<T extends number | bigint>(
  type: string,
  size: number,
  convert: (v: Value) => T,
  read: Read,
  write: Write<T>,
): PropertySpec[] {
  const getName = `get${type}`;
  const setName = `set${type}`;
  return [
    method(getName, 1, (t, index, littleEndian) => {
      const d = thisView(t, getName);
      const i = toIndex(index, "Offset is outside the bounds of the DataView");
      if (i + size > lengthInBounds(d, getName)) throwRangeError("Offset is outside the bounds of the DataView");
      return read(d.view, i, !!littleEndian);
    }),
    method(setName, 2, (t, index, v, littleEndian) => {
      const d = thisView(t, setName);
      checkMutable(d.data, `DataView.prototype.${setName}`);
      const i = toIndex(index, "Offset is outside the bounds of the DataView");
      const x = convert(v);
      if (i + size > lengthInBounds(d, setName)) throwRangeError("Offset is outside the bounds of the DataView");
      write(d.view, i, x, !!littleEndian);
      return undefined;
    }),
  ];
}

define(Intrinsic.DataViewPrototype, {
  props: [
    ref("constructor", Intrinsic.DataView),
    getter("buffer", (t) => thisView(t, "buffer").buffer),
    getter("byteLength", (t) => lengthInBounds(thisView(t, "byteLength"), "byteLength")),
    getter("byteOffset", (t) => {
      const d = thisView(t, "byteOffset");
      lengthInBounds(d, "byteOffset");
      return d.offset;
    }),
    ...accessors(
      "Int8",
      1,
      toNumber,
      (d, i) => d.getInt8(i),
      (d, i, x) => d.setInt8(i, x),
    ),
    ...accessors(
      "Uint8",
      1,
      toNumber,
      (d, i) => d.getUint8(i),
      (d, i, x) => d.setUint8(i, x),
    ),
    ...accessors(
      "Int16",
      2,
      toNumber,
      (d, i, e) => d.getInt16(i, e),
      (d, i, x, e) => d.setInt16(i, x, e),
    ),
    ...accessors(
      "Uint16",
      2,
      toNumber,
      (d, i, e) => d.getUint16(i, e),
      (d, i, x, e) => d.setUint16(i, x, e),
    ),
    ...accessors(
      "Int32",
      4,
      toNumber,
      (d, i, e) => d.getInt32(i, e),
      (d, i, x, e) => d.setInt32(i, x, e),
    ),
    ...accessors(
      "Uint32",
      4,
      toNumber,
      (d, i, e) => d.getUint32(i, e),
      (d, i, x, e) => d.setUint32(i, x, e),
    ),
    ...accessors(
      "Float16",
      2,
      toNumber,
      (d, i, e) => float16FromBits(d.getUint16(i, e)),
      (d, i, x, e) => d.setUint16(i, float16ToBits(x), e),
    ),
    ...accessors(
      "Float32",
      4,
      toNumber,
      (d, i, e) => d.getFloat32(i, e),
      (d, i, x, e) => d.setFloat32(i, x, e),
    ),
    ...accessors(
      "Float64",
      8,
      toNumber,
      (d, i, e) => d.getFloat64(i, e),
      (d, i, x, e) => d.setFloat64(i, x, e),
    ),
    ...accessors(
      "BigInt64",
      8,
      toBigInt,
      (d, i, e) => d.getBigInt64(i, e),
      (d, i, x, e) => d.setBigInt64(i, x, e),
    ),
    ...accessors(
      "BigUint64",
      8,
      toBigInt,
      (d, i, e) => d.getBigUint64(i, e),
      (d, i, x, e) => d.setBigUint64(i, x, e),
    ),
    value(SYM.toStringTag, "DataView", Flag.CONFIGURABLE),
  ],
});

/** A DataView of a copy of the buffer, for structuredClone. */
export function cloneDataView(v: GuestObject, cloneBuffer: (b: BufferObject) => BufferObject): GuestObject {
  const d = v.d as DataViewData;
  return newKind(rootOf(Intrinsic.DataViewPrototype), Kind.DATA_VIEW, new DataViewData(cloneBuffer(d.buffer), d.offset, d.fixed));
}
