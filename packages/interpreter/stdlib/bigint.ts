// BigInt (ECMAScript 21.2).

import { bigintText, bigintWords, chargeBigint, toBigInt, toIndex, toIntegerOrInfinity, toPrimitive } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { Flag } from "../src/shape.js";
import { define, defineConstructor, defineGlobal, method, ref, value } from "../src/realm.js";
import { Kind, SYM, type Value } from "../src/values.js";
import { allocate, charge } from "../src/run-state.js";
import { bigintToLocaleString } from "./intl-number-format.js";

/** V8's own bound on the bits of a BigInt; wider results are refused before the host would. */
const MAX_BITS = 2 ** 30;

function bigintFrom(v: Value): bigint {
  const p = toPrimitive(v, "number");
  if (typeof p !== "number") return toBigInt(p);
  if (!Number.isInteger(p)) throwRangeError(`The number ${p} cannot be converted to a BigInt because it is not an integer`);
  return BigInt(p);
}

function asN(signed: boolean, bits: Value, v: Value): bigint {
  const n = toIndex(bits, "Invalid value: not (convertible to) a safe integer");
  const x = toBigInt(v);
  chargeBigint(x);
  if (signed) return BigInt.asIntN(n, x);
  // A negative number of a huge width is all ones in front: as large as the width says.
  if (x < 0n && n > 64) {
    if (n > MAX_BITS) throwRangeError("Maximum BigInt size exceeded");
    charge(n >>> 6);
    allocate(n >>> 3);
  }
  return BigInt.asUintN(n, x);
}

defineConstructor(Intrinsic.BigInt, {
  name: "BigInt",
  length: 1,
  prototype: Intrinsic.BigIntPrototype,
  call: (_t, args) => bigintFrom(args[0]),
  construct() {
    throwTypeError("BigInt is not a constructor");
  },
  props: [method("asUintN", 2, (_t, bits, v) => asN(false, bits, v)), method("asIntN", 2, (_t, bits, v) => asN(true, bits, v))],
});

function thisBigIntValue(v: Value, name: string): bigint {
  if (typeof v === "bigint") return v;
  if (typeof v === "object" && v !== null && v.kind === Kind.BIGINT) return v.d as bigint;
  throwTypeError(`BigInt.prototype.${name} requires that 'this' be a BigInt`);
}

define(Intrinsic.BigIntPrototype, {
  props: [
    ref("constructor", Intrinsic.BigInt),
    method("toLocaleString", 0, (t, locales, options) => bigintToLocaleString(thisBigIntValue(t, "toLocaleString"), locales, options)),
    method("toString", 0, (t, radix) => {
      const x = thisBigIntValue(t, "toString");
      const r = radix === undefined ? 10 : toIntegerOrInfinity(radix);
      if (r < 2 || r > 36) throwRangeError("toString() radix must be between 2 and 36");
      allocate(24 * bigintWords(x));
      return bigintText(x, r);
    }),
    method("valueOf", 0, (t) => thisBigIntValue(t, "valueOf")),
    value(SYM.toStringTag, "BigInt", Flag.CONFIGURABLE),
  ],
});

defineGlobal("BigInt", Intrinsic.BigInt);
