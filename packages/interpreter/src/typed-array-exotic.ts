// TypedArray exotic objects (ECMAScript 10.4.5).

import { type BufferData, type BufferObject } from "./buffer.js";
import { toBigInt, toNumber } from "./convert.js";
import {
  Descriptor,
  EXOTIC,
  Has,
  OwnProperty,
  ordinaryDefineOwn,
  ordinaryDelete,
  ordinaryGet,
  ordinaryGetOwn,
  ordinaryHas,
  ordinaryOwnKeys,
  ordinarySet,
  setOnReceiver,
} from "./object.js";
import { float16FromBits, float16ToBits } from "./float16.js";
import { KEY_BYTES } from "./array.js";
import { throwRangeError } from "./errors.js";
import { R, allocate, charge } from "./run-state.js";
import { DATA, Flag, applyIntegrity, arrayIndex } from "./shape.js";
import { type GuestObject, type Key, Kind, type Value } from "./values.js";

/** In the order of the intrinsics. */
export const enum ElementType {
  INT8,
  UINT8,
  UINT8_CLAMPED,
  INT16,
  UINT16,
  INT32,
  UINT32,
  BIGINT64,
  BIGUINT64,
  FLOAT16,
  FLOAT32,
  FLOAT64,
}

export const ELEMENT_NAMES: readonly string[] = [
  "Int8",
  "Uint8",
  "Uint8Clamped",
  "Int16",
  "Uint16",
  "Int32",
  "Uint32",
  "BigInt64",
  "BigUint64",
  "Float16",
  "Float32",
  "Float64",
];
export const ELEMENT_SIZES: readonly number[] = [1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8];

/** A host view of the elements. Those of FLOAT16 are their bits. */
export type HostView =
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Uint8ClampedArray<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

const VIEWS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
  Uint16Array,
  Float32Array,
  Float64Array,
];

export function isBigIntType(type: ElementType): boolean {
  return type === ElementType.BIGINT64 || type === ElementType.BIGUINT64;
}

export class TypedData {
  readonly type: ElementType;
  readonly size: number;
  readonly buffer: BufferObject;
  /** The buffer's. */
  readonly data: BufferData;
  readonly offset: number;
  /** [[ArrayLength]], or -1 for "auto": it follows the buffer's length. */
  readonly fixed: number;
  /** From `offset` as far as the array can ever reach. */
  readonly view: HostView;
  constructor(type: ElementType, buffer: BufferObject, offset: number, fixed: number) {
    const size = ELEMENT_SIZES[type];
    this.type = type;
    this.size = size;
    this.buffer = buffer;
    this.data = buffer.d;
    this.offset = offset;
    this.fixed = fixed;
    const bytes = buffer.d.bytes;
    this.view = new VIEWS[type](bytes, offset, fixed >= 0 ? fixed : Math.floor((bytes.byteLength - offset) / size));
  }
}

export interface TypedArrayObject extends GuestObject {
  kind: Kind.TYPED_ARRAY;
  d: TypedData;
}

export function isTypedArray(v: Value): v is TypedArrayObject {
  return typeof v === "object" && v !== null && v.kind === Kind.TYPED_ARRAY;
}

/** IsTypedArrayOutOfBounds; true also when the buffer is detached. */
export function isOutOfBounds(d: TypedData): boolean {
  const data = d.data;
  if (data.plain) return false;
  if (data.detached) return true;
  const end = d.fixed < 0 ? data.length : d.offset + d.fixed * d.size;
  return d.offset > data.length || end > data.length;
}

/** TypedArrayLength, 0 out of bounds. */
export function typedLength(d: TypedData): number {
  if (d.data.plain) return d.fixed;
  if (isOutOfBounds(d)) return 0;
  return d.fixed >= 0 ? d.fixed : Math.floor((d.data.length - d.offset) / d.size);
}

/** The element at a valid index. One load site for each type, so that none is megamorphic. */
export function readElement(d: TypedData, i: number): number | bigint {
  switch (d.type) {
    case ElementType.INT8:
      return (d.view as Int8Array)[i];
    case ElementType.UINT8:
      return (d.view as Uint8Array)[i];
    case ElementType.UINT8_CLAMPED:
      return (d.view as Uint8ClampedArray)[i];
    case ElementType.INT16:
      return (d.view as Int16Array)[i];
    case ElementType.UINT16:
      return (d.view as Uint16Array)[i];
    case ElementType.INT32:
      return (d.view as Int32Array)[i];
    case ElementType.UINT32:
      return (d.view as Uint32Array)[i];
    case ElementType.BIGINT64:
      return (d.view as BigInt64Array)[i];
    case ElementType.BIGUINT64:
      return (d.view as BigUint64Array)[i];
    case ElementType.FLOAT16:
      return float16FromBits((d.view as Uint16Array)[i]);
    case ElementType.FLOAT32:
      return (d.view as Float32Array)[i];
    default:
      return (d.view as Float64Array)[i];
  }
}

/** Stores at a valid index; `x` is a bigint for the BigInt types, else a number. */
export function writeElement(d: TypedData, i: number, x: number | bigint): void {
  switch (d.type) {
    case ElementType.INT8:
      (d.view as Int8Array)[i] = x as number;
      return;
    case ElementType.UINT8:
      (d.view as Uint8Array)[i] = x as number;
      return;
    case ElementType.UINT8_CLAMPED:
      (d.view as Uint8ClampedArray)[i] = x as number;
      return;
    case ElementType.INT16:
      (d.view as Int16Array)[i] = x as number;
      return;
    case ElementType.UINT16:
      (d.view as Uint16Array)[i] = x as number;
      return;
    case ElementType.INT32:
      (d.view as Int32Array)[i] = x as number;
      return;
    case ElementType.UINT32:
      (d.view as Uint32Array)[i] = x as number;
      return;
    case ElementType.BIGINT64:
      (d.view as BigInt64Array)[i] = x as bigint;
      return;
    case ElementType.BIGUINT64:
      (d.view as BigUint64Array)[i] = x as bigint;
      return;
    case ElementType.FLOAT16:
      (d.view as Uint16Array)[i] = float16ToBits(x as number);
      return;
    case ElementType.FLOAT32:
      (d.view as Float32Array)[i] = x as number;
      return;
    default:
      (d.view as Float64Array)[i] = x as number;
  }
}

/** What TypedArraySetElement makes of a value first. */
export function toElement(type: ElementType, v: Value): number | bigint {
  return isBigIntType(type) ? toBigInt(v) : typeof v === "number" ? v : toNumber(v);
}

/** `o[i]` for a number `i`. */
export function typedGet(o: GuestObject, i: number): Value {
  const d = o.d as TypedData;
  if (i >>> 0 === i && i < (d.data.plain ? d.fixed : typedLength(d))) return readElement(d, i);
  return undefined;
}

/** `o[i] = v` for a number `i`: TypedArraySetElement. False: refused, for the buffer is immutable. */
export function typedSet(o: GuestObject, i: number, v: Value): boolean {
  const d = o.d as TypedData;
  if (d.data.immutable) return false;
  const x = typeof v === "number" && d.type !== ElementType.BIGINT64 && d.type !== ElementType.BIGUINT64 ? v : toElement(d.type, v);
  if (i >>> 0 === i && i < (d.data.plain ? d.fixed : typedLength(d))) writeElement(d, i, x);
  return true;
}

// Internal methods -----------------------------------------------------------------------------------------------------------------

const NO_INDEX = -2;
const INVALID = -1;

/** CanonicalNumericIndexString and IsValidIntegerIndex: a valid index, INVALID for another number, NO_INDEX for what is no number. */
function indexOf(d: TypedData, key: Key): number {
  if (typeof key !== "string") return NO_INDEX;
  const i = arrayIndex(key);
  if (i >= 0) return i < typedLength(d) ? i : INVALID;
  const c = key.charCodeAt(0);
  // Only texts that start like a number can be one: digits, "-", "Infinity", "NaN".
  if (!((c >= 48 && c <= 57) || c === 45 || c === 73 || c === 78)) return NO_INDEX;
  return key === "-0" || String(Number(key)) === key ? INVALID : NO_INDEX;
}

const flagsOf = (d: TypedData): number => (d.data.immutable ? Flag.ENUMERABLE : DATA);

const dataOf = (o: GuestObject): TypedData => o.d as TypedData; // the kind says so

EXOTIC[Kind.TYPED_ARRAY] = {
  getOwn(o, key) {
    const d = dataOf(o);
    const i = indexOf(d, key);
    if (i === NO_INDEX) return ordinaryGetOwn(o, key);
    return i === INVALID ? undefined : new OwnProperty(readElement(d, i), flagsOf(d));
  },
  has(o, key) {
    const i = indexOf(dataOf(o), key);
    return i === NO_INDEX ? ordinaryHas(o, key) : i >= 0;
  },
  defineOwn(o, key, desc) {
    const d = dataOf(o);
    const i = indexOf(d, key);
    if (i === NO_INDEX) return ordinaryDefineOwn(o, key, desc);
    if (i === INVALID) return false;
    if ((desc.has & (Has.GET | Has.SET)) !== 0) return false;
    const flags = flagsOf(d);
    if (
      differs(desc, Has.CONFIGURABLE, Flag.CONFIGURABLE, flags) ||
      differs(desc, Has.ENUMERABLE, Flag.ENUMERABLE, flags) ||
      differs(desc, Has.WRITABLE, Flag.WRITABLE, flags)
    )
      return false;
    if ((desc.has & Has.VALUE) === 0) return true;
    if (d.data.immutable) return Object.is(desc.value, readElement(d, i));
    typedSet(o, i, desc.value);
    return true;
  },
  get(o, key, receiver) {
    const d = dataOf(o);
    const i = indexOf(d, key);
    if (i === NO_INDEX) return ordinaryGet(o, key, receiver);
    return i === INVALID ? undefined : readElement(d, i);
  },
  set(o, key, v, receiver) {
    const d = dataOf(o);
    const i = indexOf(d, key);
    if (i === NO_INDEX) return ordinarySet(o, key, v, receiver);
    if (o === receiver) return typedSet(o, i >= 0 ? i : arrayIndex(key as string), v); // one that is not valid may be so once the conversion of `v` has resized the buffer
    if (i === INVALID) return true;
    return !d.data.immutable && setOnReceiver(receiver, key, v);
  },
  delete(o, key) {
    const i = indexOf(dataOf(o), key);
    return i === NO_INDEX ? ordinaryDelete(o, key) : i === INVALID;
  },
  ownKeys(o) {
    const n = typedLength(dataOf(o));
    charge(n);
    allocate(KEY_BYTES * n);
    if (n > R.arrayLength) throwRangeError(`A list of keys may have at most ${R.arrayLength} elements here`);
    const keys: Key[] = [];
    for (let i = 0; i < n; i++) keys.push(String(i));
    return ordinaryOwnKeys(o, keys);
  },
  preventExtensions(o) {
    const d = dataOf(o);
    // The elements of one that can grow would be new properties.
    if (d.data.max >= 0) return false;
    if (o.shape.extensible) applyIntegrity(o, 0);
    return true;
  },
};

function differs(desc: Descriptor, has: number, flag: number, flags: number): boolean {
  return (desc.has & has) !== 0 && (desc.flags & flag) !== (flags & flag);
}
