// Intl.NumberFormat (ECMA-402 15), and the locale methods of Number and BigInt.

import { chargeBigint, describe, toBoolean, toNumber, toPrimitive, toStr } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get } from "../src/object.js";
import { method } from "../src/realm.js";
import { charge, chargeText } from "../src/run-state.js";
import { type GuestObject, type Value } from "../src/values.js";
import { boundGetter, defineService, guestOf } from "./intl-service.js";
import {
  type HostOptions,
  LOCALE_MATCHER,
  type OptionSpec,
  coerceOptions,
  host,
  hostService,
  number,
  optionValue,
  readLocales,
  readOption,
  readOptions,
  text,
} from "./intl-options.js";

const BEFORE_DIGITS: OptionSpec[] = [
  LOCALE_MATCHER,
  text("numberingSystem"),
  text("style", "decimal", "percent", "currency", "unit"),
  text("currency"),
  text("currencyDisplay", "code", "symbol", "narrowSymbol", "name"),
  text("currencySign", "standard", "accounting"),
  text("unit"),
  text("unitDisplay", "short", "narrow", "long"),
  text("notation", "standard", "scientific", "engineering", "compact"),
];
const DIGITS: OptionSpec[] = [
  number("minimumFractionDigits", 0, 100),
  number("maximumFractionDigits", 0, 100),
  number("minimumSignificantDigits", 1, 21),
  number("maximumSignificantDigits", 1, 21),
];
const ROUNDING: OptionSpec[] = [
  number("roundingIncrement", 1, 5000),
  text("roundingMode", "ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven"),
  text("roundingPriority", "auto", "morePrecision", "lessPrecision"),
  text("trailingZeroDisplay", "auto", "stripIfInteger"),
];
const GROUPING = ["min2", "auto", "always", "true", "false"];

/** SetNumberFormatDigitOptions: the four digit options are read first and converted after the rounding options. */
export function readDigitOptions(o: GuestObject, out: HostOptions): void {
  readOptions(o, [number("minimumIntegerDigits", 1, 21)], out);
  const raw = DIGITS.map((spec) => get(o, spec.name));
  readOptions(o, ROUNDING, out);
  DIGITS.forEach((spec, i) => {
    if (raw[i] !== undefined) out[spec.name] = optionValue(raw[i], spec);
  });
}

export function readNumberOptions(v: Value): HostOptions {
  const o = coerceOptions(v);
  const out: HostOptions = {};
  if (o === undefined) return out;
  readOptions(o, BEFORE_DIGITS, out);
  readDigitOptions(o, out);
  readOptions(o, [text("compactDisplay", "short", "long")], out);
  const grouping = get(o, "useGrouping");
  if (grouping !== undefined) out.useGrouping = groupingOf(grouping, out.notation === "compact");
  const sign = readOption(o, text("signDisplay", "auto", "never", "always", "exceptZero", "negative"));
  if (sign !== undefined) out.signDisplay = sign;
  return out;
}

/** GetBooleanOrStringNumberFormatOption for `useGrouping`. */
function groupingOf(v: Value, compact: boolean): string | boolean {
  if (v === true) return "always";
  if (!toBoolean(v)) return false;
  const s = toStr(v);
  if (!GROUPING.includes(s)) throwRangeError(`Value ${describe(s)} out of range for Intl.NumberFormat options property useGrouping`);
  return s === "true" || s === "false" ? (compact ? "min2" : "auto") : s;
}

/** A host formatter for what a guest gave as locales and options. */
export function numberFormat(locales: Value, options: Value): Intl.NumberFormat {
  const list = readLocales(locales);
  return hostService("NumberFormat", list, readNumberOptions(options), (l, o) => new Intl.NumberFormat(l, o as Intl.NumberFormatOptions));
}

export function numberToLocaleString(x: number, locales: Value, options: Value): string {
  charge(4);
  return numberFormat(locales, options).format(x);
}

export function bigintToLocaleString(x: bigint, locales: Value, options: Value): string {
  chargeBigint(x);
  return numberFormat(locales, options).format(x);
}

/** Longer texts are rounded to a number first: the host's exact way grows with the square of the digits. */
const MAX_EXACT = 1000;

/** ToIntlMathematicalValue, as what the host takes: a text is read exactly by it. */
function numeric(v: Value): number | bigint {
  const p = toPrimitive(v, "number");
  if (typeof p === "bigint") {
    chargeBigint(p);
    return p;
  }
  if (typeof p !== "string") return toNumber(p);
  chargeText(p.length);
  if (p.length > MAX_EXACT) return Number(p);
  // The host's types know no texts here, but ECMA-402 does. One that is no number is NaN.
  return Number.isNaN(Number(p)) ? NaN : (p as unknown as number);
}

function range(a: Value, b: Value): [number | bigint, number | bigint] {
  if (a === undefined || b === undefined) throwTypeError("start and end must be given");
  const start = numeric(a);
  return [start, numeric(b)];
}

/** What ECMA-402 has and the host's types lack. */
interface RangeFormat {
  formatRange(start: number | bigint, end: number | bigint): string;
  formatRangeToParts(start: number | bigint, end: number | bigint): object[];
}

defineService<Intl.NumberFormat>({
  name: "NumberFormat",
  id: Intrinsic.IntlNumberFormat,
  prototype: Intrinsic.IntlNumberFormatPrototype,
  callable: true,
  make: numberFormat,
  supported: (list) => Intl.NumberFormat.supportedLocalesOf(list),
  resolved: (f) => f.resolvedOptions(),
  props: (self) => [
    boundGetter("format", 1, self, ({ host: f }, v) => {
      charge(4);
      return f.format(numeric(v));
    }),
    method("formatToParts", 1, (t, v) => {
      const f = self(t, "formatToParts").host;
      const n = numeric(v);
      charge(8);
      return guestOf(f.formatToParts(n));
    }),
    method("formatRange", 2, (t, a, b) => {
      const f = self(t, "formatRange").host as unknown as RangeFormat;
      const [start, end] = range(a, b);
      return host(() => f.formatRange(start, end));
    }),
    method("formatRangeToParts", 2, (t, a, b) => {
      const f = self(t, "formatRangeToParts").host as unknown as RangeFormat;
      const [start, end] = range(a, b);
      return guestOf(host(() => f.formatRangeToParts(start, end)));
    }),
  ],
});
