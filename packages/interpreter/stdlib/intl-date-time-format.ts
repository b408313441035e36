// Intl.DateTimeFormat (ECMA-402 11), and the locale methods of Date. The default zone is the run's.

import { toNumber, toStr } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get } from "../src/object.js";
import { method } from "../src/realm.js";
import { R, charge } from "../src/run-state.js";
import { type GuestObject, type Value } from "../src/values.js";
import { timeClip } from "./date-time.js";
import { boundGetter, defineService, guestOf } from "./intl-service.js";
import {
  type HostOptions,
  LOCALE_MATCHER,
  type OptionSpec,
  coerceOptions,
  flag,
  host,
  hostService,
  number,
  readLocales,
  readOptions,
  text,
} from "./intl-options.js";

const WIDTHS = ["narrow", "short", "long"];
const DIGITS = ["2-digit", "numeric"];

const BEFORE_ZONE: OptionSpec[] = [
  LOCALE_MATCHER,
  text("calendar"),
  text("numberingSystem"),
  flag("hour12"),
  text("hourCycle", "h11", "h12", "h23", "h24"),
];
const AFTER_ZONE: OptionSpec[] = [
  text("weekday", ...WIDTHS),
  text("era", ...WIDTHS),
  text("year", ...DIGITS),
  text("month", ...DIGITS, ...WIDTHS),
  text("day", ...DIGITS),
  text("dayPeriod", ...WIDTHS),
  text("hour", ...DIGITS),
  text("minute", ...DIGITS),
  text("second", ...DIGITS),
  number("fractionalSecondDigits", 1, 3),
  text("timeZoneName", "short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"),
  text("formatMatcher", "basic", "best fit"),
  text("dateStyle", "full", "long", "medium", "short"),
  text("timeStyle", "full", "long", "medium", "short"),
];
const DATE_FIELDS = ["weekday", "year", "month", "day"];
const TIME_FIELDS = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];

export type Required = "date" | "time" | "any";
export type Defaults = "date" | "time" | "all";

/** The options of CreateDateTimeFormat, read in its order, with the defaults filled in. */
export function readDateTimeOptions(v: Value, required: Required, defaults: Defaults): HostOptions {
  const o = coerceOptions(v);
  const out: HostOptions = {};
  readOptions(o, BEFORE_ZONE, out);
  out.timeZone = zoneOption(o);
  readOptions(o, AFTER_ZONE, out);
  const has = (fields: string[]): boolean => fields.some((f) => out[f] !== undefined);
  if (out.dateStyle !== undefined || out.timeStyle !== undefined) {
    if (required === "date" && out.timeStyle !== undefined) throwTypeError("Invalid option : timeStyle");
    if (required === "time" && out.dateStyle !== undefined) throwTypeError("Invalid option : dateStyle");
    return out;
  }
  if ((required !== "time" && has(DATE_FIELDS)) || (required !== "date" && has(TIME_FIELDS))) return out;
  if (defaults !== "time") for (const f of ["year", "month", "day"]) out[f] = "numeric";
  if (defaults !== "date") for (const f of ["hour", "minute", "second"]) out[f] = "numeric";
  return out;
}

function zoneOption(o: GuestObject | undefined): string {
  const zone = o === undefined ? undefined : get(o, "timeZone");
  return zone === undefined ? R.run.timeZone : toStr(zone).slice(0, 200);
}

export function dateTimeFormat(locales: Value, options: Value, required: Required, defaults: Defaults): Intl.DateTimeFormat {
  const list = readLocales(locales);
  return hostService(
    "DateTimeFormat",
    list,
    readDateTimeOptions(options, required, defaults),
    (l, o) => new Intl.DateTimeFormat(l, o as Intl.DateTimeFormatOptions),
  );
}

export function dateToLocaleString(t: number, locales: Value, options: Value, required: Required, defaults: Defaults): string {
  charge(8);
  return Number.isNaN(t) ? "Invalid Date" : dateTimeFormat(locales, options, required, defaults).format(t);
}

/** The time to format: now if it is not given, else a valid time value. */
function timeOf(v: Value): number {
  const t = v === undefined ? timeClip(R.run.now()) : timeClip(toNumber(v));
  if (Number.isNaN(t)) throwRangeError("Invalid time value");
  return t;
}

function range(a: Value, b: Value): [number, number] {
  if (a === undefined || b === undefined) throwTypeError("startDate and endDate must be given");
  const start = toNumber(a);
  const end = toNumber(b);
  return [timeOf(start), timeOf(end)];
}

defineService<Intl.DateTimeFormat>({
  name: "DateTimeFormat",
  id: Intrinsic.IntlDateTimeFormat,
  prototype: Intrinsic.IntlDateTimeFormatPrototype,
  callable: true,
  make: (locales, options) => dateTimeFormat(locales, options, "any", "date"),
  supported: (list) => Intl.DateTimeFormat.supportedLocalesOf(list),
  resolved: (f) => f.resolvedOptions(),
  props: (self) => [
    boundGetter("format", 1, self, ({ host: f }, v) => {
      charge(8);
      return f.format(timeOf(v));
    }),
    method("formatToParts", 1, (t, v) => {
      const f = self(t, "formatToParts").host;
      charge(16);
      return guestOf(f.formatToParts(timeOf(v)));
    }),
    method("formatRange", 2, (t, a, b) => {
      const f = self(t, "formatRange").host;
      const [start, end] = range(a, b);
      charge(16);
      return host(() => f.formatRange(start, end));
    }),
    method("formatRangeToParts", 2, (t, a, b) => {
      const f = self(t, "formatRangeToParts").host;
      const [start, end] = range(a, b);
      charge(32);
      return guestOf(host(() => f.formatRangeToParts(start, end)));
    }),
  ],
});
