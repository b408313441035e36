// ArrayBuffers (ECMAScript 25.1). The bytes are in a host ArrayBuffer, which never becomes a value of a program.

import { throwRangeError, throwTypeError } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { newKind } from "./object.js";
import { R, charge } from "./run-state.js";
import { type Shape, rootOf } from "./shape.js";
import { GuestObject, Kind, type Value } from "./values.js";

/** Larger ones the host might not be able to make. */
const MAX_BYTES = 2 ** 30;
const NO_BYTES = new ArrayBuffer(0);

export class BufferData {
  /** As large as the buffer may become. Views of the host stay valid until the buffer is detached. */
  bytes: ArrayBuffer;
  length: number;
  /** [[ArrayBufferMaxByteLength]], or -1 for a buffer of fixed length. */
  readonly max: number;
  immutable = false;
  detached = false;
  /** Neither resizable nor detached: what views of it see never changes its size. */
  plain: boolean;
  constructor(bytes: ArrayBuffer, length: number, max: number) {
    this.bytes = bytes;
    this.length = length;
    this.max = max;
    this.plain = max < 0;
  }
}

export interface BufferObject extends GuestObject {
  kind: Kind.ARRAY_BUFFER;
  d: BufferData;
}

export function isArrayBuffer(v: Value): v is BufferObject {
  return typeof v === "object" && v !== null && v.kind === Kind.ARRAY_BUFFER;
}

/** A host buffer of zeros, counted and charged before it is made. */
export function newBytes(n: number): ArrayBuffer {
  if (n > MAX_BYTES) throwRangeError(`Array buffer allocation failed: ${n} bytes`);
  charge(n >>> 6);
  if ((R.mem -= n + 160) < 0) R.run.outOfMemory();
  try {
    return new ArrayBuffer(n);
  } catch {
    return throwRangeError(`Array buffer allocation failed: ${n} bytes`);
  }
}

/** AllocateArrayBuffer; `max` -1: of fixed length. `shape` says the prototype. */
export function allocateBuffer(n: number, max = -1, shape: Shape = rootOf(Intrinsic.ArrayBufferPrototype)): BufferObject {
  if (max >= 0 && n > max) throwRangeError("Invalid array buffer max length");
  return newBuffer(new BufferData(newBytes(max < 0 ? n : max), n, max), shape);
}

export function newBuffer(data: BufferData, shape: Shape = rootOf(Intrinsic.ArrayBufferPrototype)): BufferObject {
  return newKind(shape, Kind.ARRAY_BUFFER, data) as BufferObject;
}

/** DetachArrayBuffer. The caller has checked that it is neither detached nor immutable. */
export function detachBuffer(data: BufferData): void {
  data.bytes = NO_BYTES;
  data.length = 0;
  data.detached = true;
  data.plain = false;
}

export function checkAttached(data: BufferData, name: string): void {
  if (data.detached) throwTypeError(`Cannot perform ${name} on a detached ArrayBuffer`);
}

export function checkMutable(data: BufferData, name: string): void {
  if (data.immutable) throwTypeError(`Cannot perform ${name} on an immutable ArrayBuffer`);
}
