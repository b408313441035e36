// Type conversion (ECMAScript 7.1) and testing (7.2).

import { call0, call1 } from "./call.js";
import { throwRangeError, throwSyntaxError, throwTypeError } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { OBJECT_ROOT, get, getFrom, isCallable, keyText, newKind } from "./object.js";
import { intrinsic } from "./realm.js";
import { R, allocate, charge, chargeKey, chargeText, isSame } from "./run-state.js";
import { rootOf } from "./shape.js";
import { type AnyKey, FunctionFlag, type FunctionObject, GuestObject, type Key, Kind, type Value } from "./values.js";
import { parsedTextOf } from "./parsed-text.js";
import { wellKnown } from "./well-known.js";

/** ToPrimitive. */
export function toPrimitive(v: Value, hint: "default" | "number" | "string" = "default"): Exclude<Value, GuestObject> {
  if (typeof v !== "object" || v === null) return v;
  const text = R.texts ? parsedTextOf(v) : undefined;
  if (text !== undefined) return text;
  const exotic = wellKnown.toPrimitive.find(v.shape, v, v);
  if (exotic !== undefined && exotic !== null) {
    const result = call1(exotic, v, hint);
    if (typeof result !== "object" || result === null) return result;
    throwTypeError("Cannot convert object to primitive value");
  }
  return ordinaryToPrimitive(v, hint === "string" ? "string" : "number");
}

export function ordinaryToPrimitive(o: GuestObject, hint: "number" | "string"): Exclude<Value, GuestObject> {
  const { toString, valueOf } = wellKnown;
  const isText = hint === "string";
  let f = (isText ? toString : valueOf).find(o.shape, o, o);
  if (isCallable(f)) {
    const result = call0(f, o);
    if (typeof result !== "object" || result === null) return result;
  }
  f = (isText ? valueOf : toString).find(o.shape, o, o);
  if (isCallable(f)) {
    const result = call0(f, o);
    if (typeof result !== "object" || result === null) return result;
  }
  throwTypeError("Cannot convert object to primitive value");
}

export function toBoolean(v: Value): boolean {
  return !!v; // GuestObject is truthy as any host object is; primitives are the host's own
}

export function toNumber(v: Value): number {
  switch (typeof v) {
    case "number":
      return v;
    case "string":
      if (v.length > 64) chargeText(v.length);
      return Number(v);
    case "boolean":
      return v ? 1 : 0;
    case "undefined":
      return NaN;
    case "bigint":
      return throwTypeError("Cannot convert a BigInt value to a number");
    case "symbol":
      return throwTypeError("Cannot convert a Symbol value to a number");
  }
  if (v === null) return 0;
  return toNumber(toPrimitive(v, "number"));
}

export function toNumeric(v: Value): number | bigint {
  const p = toPrimitive(v, "number");
  return typeof p === "bigint" ? p : toNumber(p);
}

export function toIntegerOrInfinity(v: Value): number {
  const n = typeof v === "number" ? v : toNumber(v);
  return n !== n ? 0 : Math.trunc(n) + 0;
}

/** True for a number that is an index into what has `length` elements. */
export function isIndexInto(v: Value, length: number): v is number {
  return typeof v === "number" && v >= 0 && v < length && v === Math.floor(v);
}

export function toInt32(v: Value): number {
  return (typeof v === "number" ? v : toNumber(v)) | 0;
}
export function toUint32(v: Value): number {
  return (typeof v === "number" ? v : toNumber(v)) >>> 0;
}

export function toLength(v: Value): number {
  const n = toIntegerOrInfinity(v);
  return n <= 0 ? 0 : Math.min(n, Number.MAX_SAFE_INTEGER);
}

/** ToIndex: a RangeError with `message` for what is no index. */
export function toIndex(v: Value, message = "Invalid index"): number {
  if (v === undefined) return 0;
  const n = toIntegerOrInfinity(v);
  if (n < 0 || n > Number.MAX_SAFE_INTEGER) throwRangeError(message);
  return n;
}

/** LengthOfArrayLike. */
export function lengthOf(o: GuestObject): number {
  if (o.kind === Kind.ARRAY) return (o.d as Value[]).length;
  return toLength(get(o, "length"));
}

export function toStr(v: Value): string {
  switch (typeof v) {
    case "string":
      return v;
    case "number":
      return `${v}`;
    case "boolean":
      return v ? "true" : "false";
    case "undefined":
      return "undefined";
    case "bigint":
      return bigintText(v, 10);
    case "symbol":
      return throwTypeError("Cannot convert a Symbol value to a string");
  }
  if (v === null) return "null";
  return toStr(toPrimitive(v, "string"));
}

/** The text of a BigInt; charged by the work, which grows with the square of the digits. */
export function bigintText(v: bigint, radix: number): string {
  chargeBigint(v);
  return v.toString(radix);
}

const SMALL = 1n << 64n;
/** Charges for the size of a BigInt operand, quadratic work for large ones, and for the memory of a result of its size. */
export function chargeBigint(v: bigint): void {
  if (v < SMALL && v > -SMALL) return;
  const words = bigintWords(v);
  const cost = words < 64 ? words : Math.floor((words * words) / 64) + words;
  charge(Math.min(cost, 0x3fffffff));
  allocate(16 + 8 * words);
}

/** The size of a BigInt in 64-bit words, found without making its text. */
export function bigintWords(v: bigint): number {
  if (v < 0n) v = -v;
  let bits = 64;
  // Doubling, then halving: a few shifts, each linear in the size.
  while (v >> BigInt(bits) !== 0n) bits *= 2;
  let low = bits / 2;
  let high = bits;
  while (high - low > 64) {
    const mid = low + Math.floor((high - low) / 128) * 64;
    if (mid === low) break;
    if (v >> BigInt(mid) !== 0n) low = mid;
    else high = mid;
  }
  return Math.ceil(high / 64);
}

export function toKey(v: Value): Key {
  if (typeof v === "string" || typeof v === "symbol") {
    chargeKey(v);
    return v;
  }
  if (typeof v === "number") return `${v}`;
  const p = toPrimitive(v, "string");
  return typeof p === "symbol" ? p : toStr(p);
}

export function toObject(v: Value): GuestObject {
  if (typeof v === "object" && v !== null) return v;
  switch (typeof v) {
    case "string":
      return newKind(rootOf(Intrinsic.StringPrototype), Kind.STRING, v);
    case "number":
      return newKind(rootOf(Intrinsic.NumberPrototype), Kind.NUMBER, v);
    case "boolean":
      return newKind(rootOf(Intrinsic.BooleanPrototype), Kind.BOOLEAN, v);
    case "symbol":
      return newKind(rootOf(Intrinsic.SymbolPrototype), Kind.SYMBOL, v);
    case "bigint":
      return newKind(rootOf(Intrinsic.BigIntPrototype), Kind.BIGINT, v);
  }
  throwTypeError(`Cannot convert ${v === null ? "null" : "undefined"} to object`);
}

export function toBigInt(v: Value): bigint {
  const p = toPrimitive(v, "number");
  switch (typeof p) {
    case "bigint":
      return p;
    case "boolean":
      return p ? 1n : 0n;
    case "string": {
      const n = stringToBigInt(p);
      if (n === undefined) throwSyntaxError(`Cannot convert ${p.slice(0, 60)} to a BigInt`);
      return n;
    }
    case "number":
      throwTypeError(`Cannot convert ${p} to a BigInt`);
  }
  throwTypeError(`Cannot convert ${typeof p === "symbol" ? "a Symbol" : String(p)} to a BigInt`);
}

/** More digits than the largest BigInt has (operators.ts), in any radix but 2. */
const MAX_BIGINT_DIGITS = 400_000;

/** StringToBigInt; undefined for what is no integer literal. */
export function stringToBigInt(text: string): bigint | undefined {
  if (text.length > MAX_BIGINT_DIGITS) throwRangeError("Maximum BigInt size exceeded");
  const words = text.length / 16;
  if (text.length > 64) {
    if ((R.fuel -= Math.min(Math.floor((words * words) / 16) + words, 0x3fffffff) | 0) < 0) R.run.outOfFuel();
  }
  try {
    return BigInt(text);
  } catch {
    return undefined;
  }
}

/** The prototype on which properties of a primitive are looked up. */
export function protoOfPrimitive(v: Value): GuestObject {
  switch (typeof v) {
    case "string":
      return intrinsic(Intrinsic.StringPrototype);
    case "number":
      return intrinsic(Intrinsic.NumberPrototype);
    case "boolean":
      return intrinsic(Intrinsic.BooleanPrototype);
    case "symbol":
      return intrinsic(Intrinsic.SymbolPrototype);
    case "bigint":
      return intrinsic(Intrinsic.BigIntPrototype);
  }
  throw new Error("not a primitive with a prototype");
}

/** GetV: a property of any value. */
export function getV(v: Value, key: Key): Value {
  if (typeof v === "object" && v !== null) return getFrom(v, key, v);
  if (v === undefined || v === null) throwTypeError(`Cannot read properties of ${v} (reading '${keyText(key)}')`);
  if (typeof v === "string") {
    if (key === "length") return v.length;
    if (typeof key === "string") {
      const c = key.charCodeAt(0);
      if (c >= 48 && c <= 57) {
        const i = Number(key);
        if (i < v.length && String(i) === key) return v[i];
      }
    }
  }
  return getFrom(protoOfPrimitive(v), key, v);
}

export function requireObjectCoercible(v: Value, what: string): void {
  if (v === undefined || v === null) throwTypeError(`${what} called on null or undefined`);
}

export function typeOf(v: Value): string {
  if (typeof v !== "object") return typeof v;
  if (v === null) return "object";
  return isCallable(v) ? "function" : "object";
}

/** IsLooselyEqual. */
export function looseEquals(a: Value, b: Value): boolean {
  for (;;) {
    if (typeof a === "string" && typeof b === "string") return isSame(a, b);
    const ao = typeof a === "object" && a !== null;
    const bo = typeof b === "object" && b !== null;
    if (ao && bo) return a === b;
    if (ao) {
      if (b === undefined || b === null) return false;
      if (typeof b === "boolean") b = b ? 1 : 0;
      a = toPrimitive(a);
      continue;
    }
    if (bo) {
      if (a === undefined || a === null) return false;
      if (typeof a === "boolean") a = a ? 1 : 0;
      b = toPrimitive(b);
      continue;
    }
    // oxlint-disable-next-line eqeqeq -- both are primitives: the host's own loose equality is the specification's
    return (a as unknown) == (b as unknown);
  }
}

export function sameValueZero(a: Value, b: Value): boolean {
  return isSame(a, b) || (a !== a && b !== b);
}

/** IsArray. */
export function isArray(v: Value): v is GuestObject {
  if (typeof v !== "object" || v === null) return false;
  if (v.kind === Kind.ARRAY || v.kind === Kind.SPARSE_ARRAY) return true;
  return v.kind === Kind.PROXY && proxyIsArray(v);
}

let proxyIsArray: (o: GuestObject) => boolean = () => false;
/** Handed in by the file of proxies. */
export function setProxyIsArray(f: typeof proxyIsArray): void {
  proxyIsArray = f;
}

/** A value as a message shows it: short, and no code of the program runs. */
export function describe(v: Value, max = 40): string {
  switch (typeof v) {
    case "string": {
      const text = v.length > max ? `${v.slice(0, max)}…` : v;
      return JSON.stringify(text);
    }
    case "symbol": {
      const text = v.toString();
      return text.length > max + 10 ? `${text.slice(0, max)}…` : text;
    }
    case "bigint":
      return `${v > 10n ** 40n || v < -(10n ** 40n) ? "a large BigInt" : `${v}n`}`;
    case "object":
      if (v === null) return "null";
      if (v.kind === Kind.ARRAY || v.kind === Kind.SPARSE_ARRAY) return "an array";
      if (v.kind === Kind.PROMISE) return "a promise";
      if (v.kind === Kind.FUNCTION) {
        const code = (v as FunctionObject).d.code;
        return (code.flags & FunctionFlag.CLASS) !== 0 ? `class ${code.name || "(anonymous)"}` : `function ${code.name || "(anonymous)"}`;
      }
      return v.shape === OBJECT_ROOT ? "#<Object>" : "an object";
    default:
      return String(v);
  }
}

export function describeKey(key: AnyKey): string {
  return keyText(key);
}
