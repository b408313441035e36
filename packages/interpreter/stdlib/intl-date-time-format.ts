// Intl.DateTimeFormat (ECMA-402 11), and the locale methods of Date. The default zone is the run's.

import { throwTypeError } from "../src/errors.js";
import { get } from "../src/object.js";
import { R, charge } from "../src/run-state.js";
import { toStr } from "../src/convert.js";
import { type GuestObject, type Value } from "../src/values.js";
import { type HostOptions, LOCALE_MATCHER, type OptionSpec, coerceOptions, flag, hostService, number, readLocales, readOptions, text } from "./intl-options.js";

const WIDTHS = ["narrow", "short", "long"];
const DIGITS = ["2-digit", "numeric"];

const BEFORE_ZONE: OptionSpec[] = [LOCALE_MATCHER, text("calendar"), text("numberingSystem"), flag("hour12"), text("hourCycle", "h11", "h12", "h23", "h24")];
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
  return hostService("DateTimeFormat", list, readDateTimeOptions(options, required, defaults), (l, o) => new Intl.DateTimeFormat(l, o as Intl.DateTimeFormatOptions));
}

export function dateToLocaleString(t: number, locales: Value, options: Value, required: Required, defaults: Defaults): string {
  charge(8);
  const format = dateTimeFormat(locales, options, required, defaults);
  return Number.isNaN(t) ? "Invalid Date" : format.format(t);
}
