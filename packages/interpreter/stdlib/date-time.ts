// Time values and their parts (ECMAScript 21.4.1), all in UTC arithmetic of our own: the host's zone has no part in it.

export const MS_PER_DAY = 86_400_000;
const MAX_TIME = 8.64e15;

/** A day of the proleptic Gregorian calendar; `month` from 0. */
export interface Civil {
  year: number;
  month: number;
  day: number;
}

export const dayOf = (t: number): number => Math.floor(t / MS_PER_DAY);
/** TimeWithinDay. */
export const timeWithinDay = (t: number): number => modulo(t, MS_PER_DAY);

export function modulo(a: number, n: number): number {
  const r = a % n;
  return r < 0 ? r + n : r + 0;
}

/** The day number of the first of a month; any integer year of the range of dates, month from 0 to 11. */
function dayFromCivil(year: number, month: number): number {
  // Years that start in March put the leap day last (Hinnant's algorithm).
  const y = month < 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const m = month < 2 ? month + 10 : month - 2;
  const dayOfYear = Math.floor((153 * m + 2) / 5);
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468;
}

/** The calendar day of a time value. */
export function civilOf(t: number): Civil {
  const z = dayOf(t) + 719468;
  const era = Math.floor(z / 146097);
  const dayOfEra = z - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const m = Math.floor((5 * dayOfYear + 2) / 153);
  const month = m < 10 ? m + 2 : m - 10;
  return { year: yearOfEra + era * 400 + (month < 2 ? 1 : 0), month, day: dayOfYear - Math.floor((153 * m + 2) / 5) + 1 };
}

export const weekDay = (t: number): number => modulo(dayOf(t) + 4, 7);
export const hourOf = (t: number): number => Math.floor(timeWithinDay(t) / 3_600_000);
export const minuteOf = (t: number): number => Math.floor(timeWithinDay(t) / 60_000) % 60;
export const secondOf = (t: number): number => Math.floor(timeWithinDay(t) / 1000) % 60;
export const msOf = (t: number): number => modulo(t, 1000);

export function makeTime(hour: number, min: number, sec: number, ms: number): number {
  if (!Number.isFinite(hour) || !Number.isFinite(min) || !Number.isFinite(sec) || !Number.isFinite(ms)) return NaN;
  return Math.trunc(hour) * 3_600_000 + Math.trunc(min) * 60_000 + Math.trunc(sec) * 1000 + Math.trunc(ms);
}

export function makeDay(year: number, month: number, date: number): number {
  if (!Number.isFinite(year) || !Number.isFinite(month) || !Number.isFinite(date)) return NaN;
  const m = Math.trunc(month);
  const y = Math.trunc(year) + Math.floor(m / 12);
  if (Math.abs(y) > 400_000) return NaN;
  return dayFromCivil(y, modulo(m, 12)) + Math.trunc(date) - 1;
}

export function makeDate(day: number, time: number): number {
  const t = day * MS_PER_DAY + time;
  return Number.isFinite(t) ? t : NaN;
}

export function timeClip(t: number): number {
  return Number.isFinite(t) && Math.abs(t) <= MAX_TIME ? Math.trunc(t) + 0 : NaN;
}

/** MakeFullYear: two digits mean the twentieth century. */
export function makeFullYear(year: number): number {
  if (Number.isNaN(year)) return NaN;
  const y = Math.trunc(year);
  return y >= 0 && y <= 99 ? 1900 + y : y;
}
