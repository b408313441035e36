// The texts of dates that do not depend on a locale (ECMAScript 21.4.4.41).

import { civilOf, hourOf, minuteOf, msOf, secondOf, weekDay } from "./date-time.js";
import { localTime, offsetAt, zoneNameAt } from "./date-zone.js";

export const WEEK_DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const two = (n: number): string => String(n).padStart(2, "0");
const yearText = (year: number): string => `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;

/** DateString of a local time. */
function dateString(local: number): string {
  const { year, month, day } = civilOf(local);
  return `${WEEK_DAYS[weekDay(local)]} ${MONTHS[month]} ${two(day)} ${yearText(year)}`;
}

/** TimeString. */
function timeString(t: number): string {
  return `${two(hourOf(t))}:${two(minuteOf(t))}:${two(secondOf(t))} GMT`;
}

/** TimeZoneString of an instant. */
function zoneString(t: number): string {
  const offset = offsetAt(t);
  const minutes = Math.floor(Math.abs(offset) / 60_000);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${two(minutes % 60)} (${zoneNameAt(t)})`;
}

/** ToDateString. */
export function toDateString(t: number): string {
  if (Number.isNaN(t)) return "Invalid Date";
  const local = localTime(t);
  return `${dateString(local)} ${timeString(local)}${zoneString(t)}`;
}

export function datePart(t: number): string {
  return Number.isNaN(t) ? "Invalid Date" : dateString(localTime(t));
}

export function timePart(t: number): string {
  return Number.isNaN(t) ? "Invalid Date" : `${timeString(localTime(t))}${zoneString(t)}`;
}

export function toUtcString(t: number): string {
  if (Number.isNaN(t)) return "Invalid Date";
  const { year, month, day } = civilOf(t);
  return `${WEEK_DAYS[weekDay(t)]}, ${two(day)} ${MONTHS[month]} ${yearText(year)} ${timeString(t)}`;
}

/** The simplified ISO form; the time value is finite. */
export function toIsoString(t: number): string {
  const { year, month, day } = civilOf(t);
  const y = year >= 0 && year <= 9999 ? String(year).padStart(4, "0") : `${year < 0 ? "-" : "+"}${String(Math.abs(year)).padStart(6, "0")}`;
  return `${y}-${two(month + 1)}-${two(day)}T${two(hourOf(t))}:${two(minuteOf(t))}:${two(secondOf(t))}.${String(msOf(t)).padStart(3, "0")}Z`;
}
