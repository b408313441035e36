// The setters of Date.prototype (ECMAScript 21.4.4.20 to 21.4.4.34). The time value is read first, all arguments are converted in order,
// then the new time is made.

import { describe, toNumber } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { type PropertySpec, method, variadic } from "../src/realm.js";
import { type GuestObject, Kind, type Value } from "../src/values.js";
import {
  civilOf,
  dayOf,
  hourOf,
  makeDate,
  makeDay,
  makeFullYear,
  makeTime,
  minuteOf,
  msOf,
  secondOf,
  timeClip,
  timeWithinDay,
} from "./date-time.js";
import { localTime, utc } from "./date-zone.js";

export function thisDate(v: Value, name: string): GuestObject {
  if (typeof v === "object" && v !== null && v.kind === Kind.DATE) return v;
  throwTypeError(name === "toString" ? "this is not a Date object." : `Date.prototype.${name}: this is not a Date object (${describe(v)})`);
}

/** thisTimeValue. */
export function thisTime(v: Value, name: string): number {
  return thisDate(v, name).d as number;
}

/** A setter of up to `length` parts, for local time and for UTC. `make` gets the (local or UTC) time and the arguments as numbers. */
function setters(name: string, length: number, make: (t: number, n: readonly number[]) => number, keepsInvalid = true): PropertySpec[] {
  const run = (full: string, isUtc: boolean): PropertySpec =>
    variadic(full, length, (v, args) => {
      const date = thisDate(v, full);
      let t = date.d as number;
      const n: number[] = [];
      for (let i = 0; i < args.length && i < length; i++) n.push(toNumber(args[i]));
      if (args.length === 0) n[0] = NaN;
      if (Number.isNaN(t)) {
        if (keepsInvalid) return NaN;
        t = 0;
      } else if (!isUtc) t = localTime(t);
      const made = make(t, n);
      return (date.d = timeClip(isUtc ? made : utc(made)));
    });
  return [run(`set${name}`, false), run(`setUTC${name}`, true)];
}

const withTime = (t: number, hour: number, minute: number, second: number, ms: number): number =>
  makeDate(dayOf(t), makeTime(hour, minute, second, ms));

export const SETTERS: PropertySpec[] = [
  ...setters("Date", 1, (t, [date]) => {
    const { year, month } = civilOf(t);
    return makeDate(makeDay(year, month, date), timeWithinDay(t));
  }),
  ...setters(
    "FullYear",
    3,
    (t, [year, month, date]) => {
      const now = civilOf(t);
      return makeDate(makeDay(year, month ?? now.month, date ?? now.day), timeWithinDay(t));
    },
    false,
  ),
  ...setters("Hours", 4, (t, [hour, minute = minuteOf(t), second = secondOf(t), ms = msOf(t)]) => withTime(t, hour, minute, second, ms)),
  ...setters("Milliseconds", 1, (t, [ms]) => withTime(t, hourOf(t), minuteOf(t), secondOf(t), ms)),
  ...setters("Minutes", 3, (t, [minute, second = secondOf(t), ms = msOf(t)]) => withTime(t, hourOf(t), minute, second, ms)),
  ...setters("Month", 2, (t, [month, date]) => {
    const now = civilOf(t);
    return makeDate(makeDay(now.year, month, date ?? now.day), timeWithinDay(t));
  }),
  ...setters("Seconds", 2, (t, [second, ms = msOf(t)]) => withTime(t, hourOf(t), minuteOf(t), second, ms)),
  method("setTime", 1, (v, time) => {
    const date = thisDate(v, "setTime");
    return (date.d = timeClip(toNumber(time)));
  }),
  method("setYear", 1, (v, year) => {
    const date = thisDate(v, "setYear");
    const before = date.d as number;
    const y = toNumber(year);
    const t = Number.isNaN(before) ? 0 : localTime(before);
    if (Number.isNaN(y)) return (date.d = NaN);
    const { month, day } = civilOf(t);
    return (date.d = timeClip(utc(makeDate(makeDay(makeFullYear(y), month, day), timeWithinDay(t)))));
  }),
];
