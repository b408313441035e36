// Date (ECMAScript 21.4): the constructor and what reads a date. The setters are in date-setters.ts.

import { invoke, protoFromNewTarget } from "../src/call.js";
import { ordinaryToPrimitive, toNumber, toObject, toPrimitive, toStr } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { newKind } from "../src/object.js";
import { type PropertySpec, alias, define, defineConstructor, defineGlobal, method, ref, variadic } from "../src/realm.js";
import { R } from "../src/run-state.js";
import { Flag } from "../src/shape.js";
import { Kind, SYM, type Value, isObject } from "../src/values.js";
import { parseDate } from "./date-parse.js";
import { SETTERS, thisTime } from "./date-setters.js";
import { datePart, timePart, toDateString, toIsoString, toUtcString } from "./date-text.js";
import { civilOf, hourOf, makeDate, makeDay, makeFullYear, makeTime, minuteOf, msOf, secondOf, timeClip, weekDay } from "./date-time.js";
import { localTime, offsetAt, utc } from "./date-zone.js";
import { dateToLocaleString } from "./intl-date-time-format.js";

const now = (): number => timeClip(R.run.now());

/** The parts of Date.UTC and of the constructor, in order; absent ones have their defaults. */
function fromParts(args: readonly Value[]): number {
  const n: number[] = [];
  for (let i = 0; i < 7 && i < args.length; i++) n.push(toNumber(args[i]));
  const [year = NaN, month = 0, date = 1, hours = 0, minutes = 0, seconds = 0, ms = 0] = n;
  return makeDate(makeDay(makeFullYear(year), month, date), makeTime(hours, minutes, seconds, ms));
}

function timeFrom(args: Value[]): number {
  if (args.length === 0) return now();
  if (args.length > 1) return timeClip(utc(fromParts(args)));
  const v = args[0];
  if (isObject(v) && v.kind === Kind.DATE) return v.d as number;
  const p = toPrimitive(v);
  return typeof p === "string" ? parseDate(p) : timeClip(toNumber(p));
}

defineConstructor(Intrinsic.Date, {
  name: "Date",
  length: 7,
  prototype: Intrinsic.DatePrototype,
  call: () => toDateString(now()),
  construct(args, newTarget) {
    const t = timeFrom(args);
    return newKind(protoFromNewTarget(newTarget, Intrinsic.DatePrototype), Kind.DATE, t);
  },
  props: [
    method("now", 0, () => now()),
    method("parse", 1, (_t, text) => parseDate(toStr(text))),
    variadic("UTC", 7, (_t, args) => timeClip(fromParts(args))),
  ],
});

/** `getX` and `getUTCX`. */
function getters(name: string, read: (t: number) => number): PropertySpec[] {
  return [
    method(`get${name}`, 0, (t) => {
      const time = thisTime(t, `get${name}`);
      return Number.isNaN(time) ? NaN : read(localTime(time));
    }),
    method(`getUTC${name}`, 0, (t) => {
      const time = thisTime(t, `getUTC${name}`);
      return Number.isNaN(time) ? NaN : read(time);
    }),
  ];
}

const text = (name: string, f: (t: number) => string): PropertySpec => method(name, 0, (t) => f(thisTime(t, name)));

define(Intrinsic.DatePrototype, {
  props: [
    ref("constructor", Intrinsic.Date),
    ...getters("Date", (t) => civilOf(t).day),
    ...getters("Day", weekDay),
    ...getters("FullYear", (t) => civilOf(t).year),
    ...getters("Hours", hourOf),
    ...getters("Milliseconds", msOf),
    ...getters("Minutes", minuteOf),
    ...getters("Month", (t) => civilOf(t).month),
    ...getters("Seconds", secondOf),
    method("getTime", 0, (t) => thisTime(t, "getTime")),
    method("getTimezoneOffset", 0, (t) => {
      const time = thisTime(t, "getTimezoneOffset");
      return Number.isNaN(time) ? NaN : -offsetAt(time) / 60_000 + 0;
    }),
    method("getYear", 0, (t) => {
      const time = thisTime(t, "getYear");
      return Number.isNaN(time) ? NaN : civilOf(localTime(time)).year - 1900;
    }),
    ...SETTERS,
    text("toDateString", datePart),
    method("toISOString", 0, (t) => {
      const time = thisTime(t, "toISOString");
      if (Number.isNaN(time)) throwRangeError("Invalid time value");
      return toIsoString(time);
    }),
    method("toJSON", 1, (t) => {
      const o = toObject(t);
      const p = toPrimitive(o, "number");
      if (typeof p === "number" && !Number.isFinite(p)) return null;
      return invoke(o, "toISOString");
    }),
    method("toLocaleDateString", 0, (t, locales, options) =>
      dateToLocaleString(thisTime(t, "toLocaleDateString"), locales, options, "date", "date"),
    ),
    method("toLocaleString", 0, (t, locales, options) => dateToLocaleString(thisTime(t, "toLocaleString"), locales, options, "any", "all")),
    method("toLocaleTimeString", 0, (t, locales, options) =>
      dateToLocaleString(thisTime(t, "toLocaleTimeString"), locales, options, "time", "time"),
    ),
    text("toString", toDateString),
    text("toTimeString", timePart),
    text("toUTCString", toUtcString),
    alias("toGMTString", Intrinsic.DatePrototype, "toUTCString"),
    method("valueOf", 0, (t) => thisTime(t, "valueOf")),
    method(
      SYM.toPrimitive,
      1,
      (t, hint) => {
        if (!isObject(t)) throwTypeError("Date.prototype [ @@toPrimitive ] called on a non-object");
        if (hint === "string" || hint === "default") return ordinaryToPrimitive(t, "string");
        if (hint === "number") return ordinaryToPrimitive(t, "number");
        throwTypeError("Invalid hint for Date.prototype [ @@toPrimitive ]");
      },
      Flag.CONFIGURABLE,
    ),
  ],
});

defineGlobal("Date", Intrinsic.Date);
