// Math (ECMAScript 21.3).

import { toNumber, toUint32 } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { forOf } from "../src/iterate.js";
import { type PropertySpec, define, defineGlobal, method, value, variadic } from "../src/realm.js";
import { R, charge } from "../src/run-state.js";
import { Flag } from "../src/shape.js";
import { SYM, type Value } from "../src/values.js";
import { exactSum } from "./math-sum.js";

const unary = (name: string, f: (x: number) => number): PropertySpec =>
  method(name, 1, (_t, v) => f(typeof v === "number" ? v : toNumber(v)));

/** Two arguments without a list, as most calls have; more through the list. */
function extreme(name: "max" | "min", f: (...n: number[]) => number, empty: number): PropertySpec {
  return variadic(name, 2, (_t, args) => {
    if (args.length === 2) {
      const a = args[0];
      const b = args[1];
      return f(typeof a === "number" ? a : toNumber(a), typeof b === "number" ? b : toNumber(b));
    }
    charge(args.length);
    let result = empty;
    for (let i = 0; i < args.length; i++) {
      const v = args[i];
      result = f(result, typeof v === "number" ? v : toNumber(v));
    }
    return result;
  });
}

/** The nearest half-precision number, ties to even. */
export function f16round(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const a = Math.abs(x);
  if (a >= 65520) return x < 0 ? -Infinity : Infinity;
  // The distance of half-precision neighbours at `a`; adding and taking away a power of two rounds to it, ties to even.
  const exponent = Math.max(Math.floor(Math.log2(a)), -14);
  let unit = 2 ** (exponent - 10);
  if (a >= unit * 2048) unit *= 2;
  else if (exponent > -14 && a < unit * 1024) unit /= 2;
  const q = a / unit; // exact: a power of two
  const floor = Math.floor(q);
  const rest = q - floor;
  const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  return x < 0 ? -rounded * unit : rounded * unit;
}

define(Intrinsic.Math, {
  props: [
    value("E", Math.E, 0),
    value("LN10", Math.LN10, 0),
    value("LN2", Math.LN2, 0),
    value("LOG10E", Math.LOG10E, 0),
    value("LOG2E", Math.LOG2E, 0),
    value("PI", Math.PI, 0),
    value("SQRT1_2", Math.SQRT1_2, 0),
    value("SQRT2", Math.SQRT2, 0),
    value(SYM.toStringTag, "Math", Flag.CONFIGURABLE),
    unary("abs", Math.abs),
    unary("acos", Math.acos),
    unary("acosh", Math.acosh),
    unary("asin", Math.asin),
    unary("asinh", Math.asinh),
    unary("atan", Math.atan),
    unary("atanh", Math.atanh),
    method("atan2", 2, (_t, y, x) => {
      const a = toNumber(y);
      return Math.atan2(a, toNumber(x));
    }),
    unary("cbrt", Math.cbrt),
    unary("ceil", Math.ceil),
    method("clz32", 1, (_t, x) => Math.clz32(toUint32(x))),
    unary("cos", Math.cos),
    unary("cosh", Math.cosh),
    unary("exp", Math.exp),
    unary("expm1", Math.expm1),
    unary("f16round", f16round),
    unary("floor", Math.floor),
    unary("fround", Math.fround),
    variadic("hypot", 2, (_t, args) => {
      charge(args.length);
      const numbers: number[] = [];
      for (let i = 0; i < args.length; i++) numbers.push(toNumber(args[i]));
      return hypot(numbers);
    }),
    method("imul", 2, (_t, x, y) => {
      const a = toUint32(x);
      return Math.imul(a, toUint32(y));
    }),
    unary("log", Math.log),
    unary("log10", Math.log10),
    unary("log1p", Math.log1p),
    unary("log2", Math.log2),
    extreme("max", Math.max, -Infinity),
    extreme("min", Math.min, Infinity),
    method("pow", 2, (_t, base, exponent) => {
      const a = toNumber(base);
      return Math.pow(a, toNumber(exponent));
    }),
    method("random", 0, () => R.run.random()),
    unary("round", Math.round),
    unary("sign", Math.sign),
    unary("sin", Math.sin),
    unary("sinh", Math.sinh),
    unary("sqrt", Math.sqrt),
    method("sumPrecise", 1, (_t, items) => sumPrecise(items)),
    unary("tan", Math.tan),
    unary("tanh", Math.tanh),
    unary("trunc", Math.trunc),
  ],
});

function hypot(numbers: number[]): number {
  let largest = 0;
  let nan = false;
  for (const n of numbers) {
    const a = Math.abs(n);
    if (a === Infinity) return Infinity;
    if (a !== a) nan = true;
    else if (a > largest) largest = a;
  }
  if (nan) return NaN;
  if (largest === 0) return 0;
  let sum = 0;
  let lost = 0; // Kahan's compensation
  for (const n of numbers) {
    const q = n / largest;
    const y = q * q - lost;
    const next = sum + y;
    lost = next - sum - y;
    sum = next;
  }
  return Math.sqrt(sum) * largest;
}

function sumPrecise(items: Value): number {
  if (items === undefined || items === null) throwTypeError(`${String(items)} is not iterable`);
  const numbers: number[] = [];
  forOf(items, (v) => {
    if (typeof v !== "number") throwTypeError("Math.sumPrecise: every value must be a number");
    if (numbers.length >= R.arrayLength) throwRangeError("Math.sumPrecise: too many values");
    R.mem -= 8;
    numbers.push(v);
  });
  return exactSum(numbers);
}

defineGlobal("Math", Intrinsic.Math);
