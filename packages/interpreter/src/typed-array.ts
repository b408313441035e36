// Making typed arrays, and checking those given (ECMAScript 23.2.4, 23.2.5.1).

import { type BufferObject, allocateBuffer } from "./buffer.js";
import { construct, speciesConstructor } from "./call.js";
import { describe } from "./convert.js";
import { throwRangeError, throwTypeError } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { R } from "./run-state.js";
import { type Shape, rootOf } from "./shape.js";
import {
  ELEMENT_SIZES,
  type ElementType,
  TypedData,
  type TypedArrayObject,
  isBigIntType,
  isOutOfBounds,
  isTypedArray,
  typedLength,
} from "./typed-array-exotic.js";
import { GuestObject, Kind, type Value } from "./values.js";

export const prototypeOf = (type: ElementType): Intrinsic => Intrinsic.Int8ArrayPrototype + type;

/** A typed array without properties of its own, with the prototypes as made. */
export function isPlainTyped(o: TypedArrayObject): boolean {
  return R.intact && o.shape === rootOf(prototypeOf(o.d.type));
}
export const constructorOf = (type: ElementType): Intrinsic => Intrinsic.Int8Array + type;

/** A typed array over a buffer; the bounds are right. */
export function typedArrayOver(
  type: ElementType,
  buffer: BufferObject,
  offset: number,
  fixed: number,
  shape: Shape = rootOf(prototypeOf(type)),
): TypedArrayObject {
  R.mem -= 250;
  return new GuestObject(
    shape,
    Kind.TYPED_ARRAY,
    new TypedData(type, buffer, offset, fixed),
    undefined,
    undefined,
    undefined,
    undefined,
  ) as TypedArrayObject;
}

/** AllocateTypedArray with AllocateTypedArrayBuffer. */
export function allocateTyped(type: ElementType, length: number, shape?: Shape): TypedArrayObject {
  const bytes = length * ELEMENT_SIZES[type];
  if (bytes > 2 ** 32) throwRangeError(`Invalid typed array length: ${length}`);
  return typedArrayOver(type, allocateBuffer(bytes), 0, length, shape);
}

export function throwOutOfBounds(name: string): never {
  throwTypeError(`Cannot perform ${name} on a detached ArrayBuffer, or out of the bounds of a resized one`);
}

/** ValidateTypedArray. */
export function validTyped(v: Value, name: string, mode: "read" | "write" = "read"): TypedArrayObject {
  if (!isTypedArray(v)) throwTypeError(`${describe(v)} is not a typed array`);
  if (mode === "write" && v.d.data.immutable) throwTypeError(`Cannot perform ${name} on an immutable ArrayBuffer`);
  if (isOutOfBounds(v.d)) throwOutOfBounds(name);
  return v;
}

/** TypedArrayCreateFromConstructor. */
export function typedFromConstructor(c: GuestObject, args: Value[], mode: "read" | "write" = "read"): TypedArrayObject {
  const length = args.length === 1 ? args[0] : undefined;
  const made = validTyped(construct(c, args), "a constructor's result", mode);
  if (typeof length === "number" && typedLength(made.d) < length)
    throwTypeError("Derived TypedArray constructor created an array which was too small");
  return made;
}

/** TypedArraySpeciesCreate. */
export function typedSpeciesCreate(o: TypedArrayObject, args: Value[], mode: "read" | "write" = "read"): TypedArrayObject {
  const type = o.d.type;
  if (isPlainTyped(o) && args.length === 1) return allocateTyped(type, args[0] as number); // a single argument is a length
  const made = typedFromConstructor(speciesConstructor(o) ?? R.realm.intrinsic(constructorOf(type)), args, mode);
  if (isBigIntType(made.d.type) !== isBigIntType(type)) throwTypeError("Content type of the species constructor's result differs");
  return made;
}
