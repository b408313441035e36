// The operators on any operands (ECMAScript 13.15.3): the slow halves of the compiled ones, which take numbers and strings themselves.

import { bigintWords, chargeBigint, describe, stringToBigInt, toKey, toNumeric, toPrimitive, toStr } from "./convert.js";
import { instanceOf } from "./call.js";
import { throwRangeError, throwTypeError } from "./errors.js";
import { numbered } from "./labels.js";
import { hasProperty } from "./object.js";
import { R } from "./run-state.js";
import { type GuestObject, type Value } from "./values.js";

export function throwStringLength(): never {
  throwRangeError(`Invalid string length: a string may have at most ${R.stringLength} characters here`);
}

/** From this length on a text that is put together counts as a whole: the host makes it flat when it is next read, and no one sees when. */
const LONG_ROPE = 4096;

/** Two texts put together. */
export function concat(a: string, b: string): string {
  const n = a.length + b.length;
  if (n > R.stringLength) throwStringLength();
  const least = a.length < b.length ? a.length : b.length;
  if ((R.mem -= 32 + (n > LONG_ROPE ? n : least)) < 0) R.run.outOfMemory();
  return a + b;
}

export function add(a: Value, b: Value): Value {
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (typeof a === "string") {
    if (typeof b === "string") return concat(a, b);
    if (typeof b === "number") return numbered(a, b, concat);
  } else if (typeof b === "string" && typeof a === "number") return concat(`${a}`, b);
  const pa = toPrimitive(a);
  const pb = toPrimitive(b);
  if (typeof pa === "string" || typeof pb === "string") {
    const sa = toStr(pa); // in this order: a Symbol on the left throws first
    return concat(sa, toStr(pb));
  }
  const na = toNumeric(pa);
  const nb = toNumeric(pb);
  if (typeof na === "bigint" && typeof nb === "bigint") {
    chargeBigint(na);
    chargeBigint(nb);
    return checkedBigint(na + nb);
  }
  if (typeof na !== typeof nb) mixed();
  return (na as number) + (nb as number);
}

function mixed(): never {
  throwTypeError("Cannot mix BigInt and other types, use explicit conversions");
}

const MAX_BIGINT_WORDS = 16_384; // a million bits, as engines allow about as much

/** Bounds the size of a result. */
function checkedBigint(v: bigint): bigint {
  chargeBigint(v);
  return v;
}

function tooLarge(): never {
  throwRangeError("Maximum BigInt size exceeded");
}

function workOfTwo(a: bigint, b: bigint): void {
  const wa = bigintWords(a);
  const wb = bigintWords(b);
  if (wa + wb < 8) return;
  const cost = Math.ceil((wa * wb) / 16) + wa + wb;
  if ((R.fuel -= Math.min(cost, 0x3fffffff)) < 0) R.run.outOfFuel();
  if ((R.mem -= 8 * (wa + wb)) < 0) R.run.outOfMemory();
}

type Numeric = number | bigint;

function arithmetic(a: Value, b: Value, numbers: (a: number, b: number) => number, bigints: (a: bigint, b: bigint) => bigint): Numeric {
  const na = toNumeric(a);
  const nb = toNumeric(b);
  if (typeof na === "number" && typeof nb === "number") return numbers(na, nb);
  if (typeof na === "bigint" && typeof nb === "bigint") return bigints(na, nb);
  return mixed();
}

export function subtract(a: Value, b: Value): Numeric {
  return arithmetic(
    a,
    b,
    (x, y) => x - y,
    (x, y) => (workOfTwo(x, y), x - y),
  );
}
export function multiply(a: Value, b: Value): Numeric {
  return arithmetic(a, b, (x, y) => x * y, bigMultiply);
}
function bigMultiply(a: bigint, b: bigint): bigint {
  if (bigintWords(a) + bigintWords(b) > MAX_BIGINT_WORDS) tooLarge();
  workOfTwo(a, b);
  return a * b;
}
export function divide(a: Value, b: Value): Numeric {
  return arithmetic(
    a,
    b,
    (x, y) => x / y,
    (x, y) => {
      if (y === 0n) throwRangeError("Division by zero");
      workOfTwo(x, y);
      return x / y;
    },
  );
}
export function remainder(a: Value, b: Value): Numeric {
  return arithmetic(
    a,
    b,
    (x, y) => x % y,
    (x, y) => {
      if (y === 0n) throwRangeError("Division by zero");
      workOfTwo(x, y);
      return x % y;
    },
  );
}
export function exponentiate(a: Value, b: Value): Numeric {
  return arithmetic(
    a,
    b,
    (x, y) => x ** y,
    (x, y) => {
      if (y < 0n) throwRangeError("Exponent must be non-negative");
      if (x !== 0n && x !== 1n && x !== -1n) {
        const words = bigintWords(x);
        if (y > BigInt(MAX_BIGINT_WORDS * 64)) tooLarge();
        const bits = x < 0n ? (-x).toString(2).length : words === 1 ? x.toString(2).length : words * 64;
        const result = Math.ceil((bits * Number(y)) / 64);
        if (result > MAX_BIGINT_WORDS + words) tooLarge();
        if ((R.fuel -= Math.min(Math.ceil((result * result) / 16) + 1, 0x3fffffff)) < 0) R.run.outOfFuel();
        if ((R.mem -= 8 * result) < 0) R.run.outOfMemory();
      }
      return x ** y;
    },
  );
}
export function bitAnd(a: Value, b: Value): Numeric {
  return arithmetic(
    a,
    b,
    (x, y) => x & y,
    (x, y) => (chargeBigint(x), chargeBigint(y), x & y),
  );
}
export function bitOr(a: Value, b: Value): Numeric {
  return arithmetic(
    a,
    b,
    (x, y) => x | y,
    (x, y) => (chargeBigint(x), chargeBigint(y), x | y),
  );
}
export function bitXor(a: Value, b: Value): Numeric {
  return arithmetic(
    a,
    b,
    (x, y) => x ^ y,
    (x, y) => (chargeBigint(x), chargeBigint(y), x ^ y),
  );
}
export function shiftLeft(a: Value, b: Value): Numeric {
  return arithmetic(a, b, (x, y) => x << y, bigShift);
}
function bigShift(x: bigint, y: bigint): bigint {
  if (y > 0n && x !== 0n) {
    if (y > BigInt(MAX_BIGINT_WORDS * 64)) tooLarge();
    const words = bigintWords(x) + Math.ceil(Number(y) / 64);
    if (words > MAX_BIGINT_WORDS + 1) tooLarge();
    if ((R.mem -= 8 * words) < 0) R.run.outOfMemory();
    if ((R.fuel -= words) < 0) R.run.outOfFuel();
  } else chargeBigint(x);
  return x << y;
}
export function shiftRight(a: Value, b: Value): Numeric {
  return arithmetic(
    a,
    b,
    (x, y) => x >> y,
    (x, y) => bigShift(x, -y),
  );
}
export function shiftRightUnsigned(a: Value, b: Value): Numeric {
  return arithmetic(
    a,
    b,
    (x, y) => x >>> y,
    () => throwTypeError("BigInts have no unsigned right shift, use >> instead"),
  );
}

export function negate(v: Value): Numeric {
  const n = toNumeric(v);
  if (typeof n === "bigint") chargeBigint(n);
  return -n;
}
export function bitNot(v: Value): Numeric {
  const n = toNumeric(v);
  if (typeof n === "bigint") chargeBigint(n);
  return ~n;
}
export function increment(n: Numeric): Numeric {
  if (typeof n === "number") return n + 1;
  chargeBigint(n);
  return n + 1n;
}
export function decrement(n: Numeric): Numeric {
  if (typeof n === "number") return n - 1;
  chargeBigint(n);
  return n - 1n;
}

/** IsLessThan of primitives: undefined where one is NaN. */
function lessThan(px: Exclude<Value, GuestObject>, py: Exclude<Value, GuestObject>): boolean | undefined {
  if (typeof px === "string" && typeof py === "string") {
    const n = px.length < py.length ? px.length : py.length;
    if (n > 256 && (R.fuel -= n >> 4) < 0) R.run.outOfFuel();
    return px < py;
  }
  if (typeof px === "bigint" && typeof py === "string") {
    const ny = stringToBigInt(py);
    return ny === undefined ? undefined : px < ny;
  }
  if (typeof px === "string" && typeof py === "bigint") {
    const nx = stringToBigInt(px);
    return nx === undefined ? undefined : nx < py;
  }
  const nx = toNumeric(px);
  const ny = toNumeric(py);
  if ((nx as number) !== (nx as number) || (ny as number) !== (ny as number)) return undefined;
  return nx < ny;
}

export function less(a: Value, b: Value): boolean {
  const pa = toPrimitive(a, "number");
  const pb = toPrimitive(b, "number");
  return lessThan(pa, pb) === true;
}
export function greater(a: Value, b: Value): boolean {
  const pa = toPrimitive(a, "number");
  const pb = toPrimitive(b, "number");
  return lessThan(pb, pa) === true;
}
export function lessOrEqual(a: Value, b: Value): boolean {
  const pa = toPrimitive(a, "number");
  const pb = toPrimitive(b, "number");
  return lessThan(pb, pa) === false;
}
export function greaterOrEqual(a: Value, b: Value): boolean {
  const pa = toPrimitive(a, "number");
  const pb = toPrimitive(b, "number");
  return lessThan(pa, pb) === false;
}

/** `key in o`. */
export function isIn(key: Value, o: Value): boolean {
  if (typeof o !== "object" || o === null) throwTypeError(`Cannot use 'in' operator to search for ${describe(key)} in ${describe(o)}`);
  return hasProperty(o, toKey(key));
}

export { instanceOf };
export { looseEquals, typeOf } from "./convert.js";
