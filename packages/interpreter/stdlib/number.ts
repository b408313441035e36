// Number (ECMAScript 21.1).

import { protoFromNewTarget } from "../src/call.js";
import { toIntegerOrInfinity, toNumeric } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { newKind } from "../src/object.js";
import { define, defineConstructor, defineGlobal, method, ref, value } from "../src/realm.js";
import { chargeBigint } from "../src/convert.js";
import { Kind, type Value } from "../src/values.js";
import { PARSE_FLOAT, PARSE_INT } from "./globals.js";
import { numberToLocaleString } from "./intl-number-format.js";

function numberOf(args: Value[]): number {
  if (args.length === 0) return 0;
  const v = args[0];
  if (typeof v === "number") return v;
  const n = toNumeric(v);
  if (typeof n === "number") return n;
  chargeBigint(n);
  return Number(n);
}

const isInteger = (v: Value): boolean => Number.isInteger(v);

defineConstructor(Intrinsic.Number, {
  name: "Number",
  length: 1,
  prototype: Intrinsic.NumberPrototype,
  call: (_t, args) => numberOf(args),
  construct(args, newTarget) {
    const n = numberOf(args);
    return newKind(protoFromNewTarget(newTarget, Intrinsic.NumberPrototype), Kind.NUMBER, n);
  },
  props: [
    value("MAX_SAFE_INTEGER", Number.MAX_SAFE_INTEGER, 0),
    value("MIN_SAFE_INTEGER", Number.MIN_SAFE_INTEGER, 0),
    value("MAX_VALUE", Number.MAX_VALUE, 0),
    value("MIN_VALUE", Number.MIN_VALUE, 0),
    value("EPSILON", Number.EPSILON, 0),
    value("POSITIVE_INFINITY", Infinity, 0),
    value("NEGATIVE_INFINITY", -Infinity, 0),
    value("NaN", NaN, 0),
    method("isFinite", 1, (_t, v) => Number.isFinite(v)),
    method("isInteger", 1, (_t, v) => isInteger(v)),
    method("isNaN", 1, (_t, v) => Number.isNaN(v)),
    method("isSafeInteger", 1, (_t, v) => Number.isSafeInteger(v)),
    PARSE_FLOAT,
    PARSE_INT,
  ],
});

function thisNumberValue(v: Value, name: string): number {
  if (typeof v === "number") return v;
  if (typeof v === "object" && v !== null && v.kind === Kind.NUMBER) return v.d as number;
  throwTypeError(`Number.prototype.${name} requires that 'this' be a Number`);
}

define(Intrinsic.NumberPrototype, {
  kind: Kind.NUMBER,
  data: () => 0,
  props: [
    ref("constructor", Intrinsic.Number),
    method("toExponential", 1, (t, digits) => {
      const x = thisNumberValue(t, "toExponential");
      const f = toIntegerOrInfinity(digits);
      if (!Number.isFinite(x)) return `${x}`;
      if (f < 0 || f > 100) throwRangeError("toExponential() argument must be between 0 and 100");
      return digits === undefined ? x.toExponential() : x.toExponential(f);
    }),
    method("toFixed", 1, (t, digits) => {
      const x = thisNumberValue(t, "toFixed");
      const f = toIntegerOrInfinity(digits);
      if (f < 0 || f > 100) throwRangeError("toFixed() digits argument must be between 0 and 100");
      return x.toFixed(f);
    }),
    method("toLocaleString", 0, (t, locales, options) => numberToLocaleString(thisNumberValue(t, "toLocaleString"), locales, options)),
    method("toPrecision", 1, (t, precision) => {
      const x = thisNumberValue(t, "toPrecision");
      if (precision === undefined) return `${x}`;
      const p = toIntegerOrInfinity(precision);
      if (!Number.isFinite(x)) return `${x}`;
      if (p < 1 || p > 100) throwRangeError("toPrecision() argument must be between 1 and 100");
      return x.toPrecision(p);
    }),
    method("toString", 1, (t, radix) => {
      const x = thisNumberValue(t, "toString");
      const r = radix === undefined ? 10 : toIntegerOrInfinity(radix);
      if (r < 2 || r > 36) throwRangeError("toString() radix must be between 2 and 36");
      return x.toString(r);
    }),
    method("valueOf", 0, (t) => thisNumberValue(t, "valueOf")),
  ],
});

defineGlobal("Number", Intrinsic.Number);
