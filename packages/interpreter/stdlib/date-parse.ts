// Date.parse (ECMAScript 21.4.3.2): the ISO form of the specification, the forms that toString and toUTCString give, and the freer forms
// that people write and V8 takes ("Mar 14, 2025 09:30", "2025-03-14 09:30", "14 March 2025 10:00 GMT+0100", "3/14/2025 9:30 PM").

import { chargeText } from "../src/run-state.js";
import { makeDate, makeDay, makeTime, timeClip } from "./date-time.js";
import { utc } from "./date-zone.js";

const MAX_LENGTH = 1000;

/** The time value that a text means, or NaN. */
export function parseDate(text: string): number {
  chargeText(text.length);
  const s = text.trim();
  if (s.length > MAX_LENGTH) return NaN;
  const iso = parseIso(s);
  if (iso !== undefined) return iso;
  return parseWritten(s) ?? parseFree(s);
}

const ISO = /^(\d{4}|[+-]\d{6})(?:-(\d\d)(?:-(\d\d))?)?(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Undefined for what has not the form; NaN for what has it with numbers out of range. */
function parseIso(s: string): number | undefined {
  const m = ISO.exec(s);
  if (m === null) return undefined;
  if (m[1] === "-000000") return NaN;
  const month = m[2] === undefined ? 1 : Number(m[2]);
  const day = m[3] === undefined ? 1 : Number(m[3]);
  if (month < 1 || month > 12 || day < 1 || day > 31) return NaN;
  const date = makeDay(Number(m[1]), month - 1, day);
  if (m[4] === undefined) return timeClip(makeDate(date, 0));
  const time = clock(Number(m[4]), Number(m[5]), Number(m[6] ?? 0), Number(`${m[7] ?? ""}000`.slice(0, 3)));
  if (Number.isNaN(time)) return NaN;
  const t = makeDate(date, time);
  if (m[8] === undefined) return timeClip(utc(t));
  if (m[8] === "Z") return timeClip(t);
  const hours = Number(m[8].slice(1, 3));
  const minutes = Number(m[8].slice(4, 6));
  if (hours > 23 || minutes > 59) return NaN;
  return timeClip(t - (m[8][0] === "-" ? -1 : 1) * (hours * 60 + minutes) * 60_000);
}

/** Milliseconds within the day; NaN out of range. 24:00 is the end of the day. */
function clock(hour: number, minute: number, second: number, ms: number): number {
  if (hour > 24 || minute > 59 || second > 59 || (hour === 24 && (minute > 0 || second > 0 || ms > 0))) return NaN;
  return makeTime(hour, minute, second, ms);
}

const WRITTEN =
  /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)(?:, (\d\d) ([A-Z][a-z]{2})| ([A-Z][a-z]{2}) (\d\d)) (-?\d{4,6}) (\d\d):(\d\d):(\d\d) GMT(?:([+-])(\d\d)(\d\d)(?: \([^()]*\))?)?$/;

/** What `toString` and `toUTCString` give, also for years before 0. */
function parseWritten(s: string): number | undefined {
  const m = WRITTEN.exec(s);
  if (m === null) return undefined;
  const month = MONTH_NAMES.indexOf((m[2] ?? m[3]).toLowerCase());
  if (month < 0) return undefined;
  const time = clock(Number(m[6]), Number(m[7]), Number(m[8]), 0);
  const offset = m[9] === undefined ? 0 : (m[9] === "-" ? -1 : 1) * (Number(m[10]) * 60 + Number(m[11])) * 60_000;
  return timeClip(makeDate(makeDay(Number(m[5]), month, Number(m[1] ?? m[4])), time) - offset);
}

const MONTH_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Hours east of Greenwich. */
const ZONES: Record<string, number | undefined> = {
  utc: 0,
  ut: 0,
  gmt: 0,
  z: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

const TOKEN = /\d+|[A-Za-z\u00c0-\u024f]+\.?|[+\-:.,/]|\s+|\((?:[^()]|\([^()]*\))*\)|[^]/g;

/** A hand-written form, in any order that is not ambiguous. */
function parseFree(s: string): number {
  return new FreeParser(s.match(TOKEN) ?? []).parse();
}

class FreeParser {
  private readonly tokens: readonly string[];
  private i = 0;
  private readonly numbers: number[] = [];
  private yearFirst = false;
  private month = -1;
  private readonly time: number[] = [];
  private ms = 0;
  private afternoon: boolean | null = null;
  /** Minutes east of Greenwich. */
  private zone: number | null = null;
  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  parse(): number {
    const { tokens } = this;
    while (this.i < tokens.length) {
      const token = tokens[this.i];
      if (/^\d/.test(token)) {
        if (!this.number(token)) return NaN;
      } else if (/^[A-Za-z\u00c0-\u024f]/.test(token)) {
        if (!this.word(token)) return NaN;
      } else if ((token === "+" || token === "-") && this.startsOffset()) {
        if (!this.offset(token === "-" ? -1 : 1)) return NaN;
      } else if (!/^[\s,./()-]/.test(token) || token === "+") {
        if (this.numbers.length > 0 || this.time.length > 0) return NaN;
        this.i++;
      } else {
        this.i++;
      }
    }
    return this.result();
  }

  private number(digits: string): boolean {
    const next = this.tokens[this.i + 1];
    const n = Number(digits);
    this.i++;
    const inTime = this.time.length > 0 && this.tokens[this.i - 2] === ":";
    if (next === ":" && (this.time.length === 0 || inTime) && this.time.length < 3) {
      this.time.push(n);
      this.i++;
      return /^\d/.test(this.tokens[this.i] ?? "");
    }
    if (inTime) {
      if (this.time.length >= 3) return false;
      this.time.push(n);
      if (next === "." && this.time.length === 3 && /^\d/.test(this.tokens[this.i + 1] ?? "")) {
        this.ms = Number(`${this.tokens[this.i + 1]}000`.slice(0, 3));
        this.i += 2;
      }
      return true;
    }
    // "9 PM"
    const word = this.wordAfterSpace();
    if (this.time.length === 0 && (word === "am" || word === "pm") && n <= 12) {
      this.time.push(n);
      return true;
    }
    if (this.numbers.length >= 3) return false;
    if (this.numbers.length === 0 && digits.length >= 3) this.yearFirst = true;
    this.numbers.push(n);
    // "14th"
    if (/^(?:st|nd|rd|th)$/i.test(this.tokens[this.i] ?? "") && n >= 1 && n <= 31) this.i++;
    return true;
  }

  private wordAfterSpace(): string {
    let j = this.i;
    if (/^\s/.test(this.tokens[j] ?? "")) j++;
    return (this.tokens[j] ?? "").toLowerCase().replaceAll(".", "");
  }

  private word(token: string): boolean {
    this.i++;
    const word = token.toLowerCase().replace(".", "");
    const hasNumber = this.numbers.length > 0 || this.time.length > 0;
    if (word === "am" || word === "pm") {
      if (this.time.length === 0 || this.afternoon !== null) return false;
      this.afternoon = word === "pm";
      return true;
    }
    if (word === "t" && this.numbers.length === 3 && this.time.length === 0) return true;
    const zone = ZONES[word];
    if (Object.hasOwn(ZONES, word) && zone !== undefined && hasNumber) {
      this.zone = zone * 60;
      return true;
    }
    const month = word.length >= 3 ? MONTH_NAMES.indexOf(word.slice(0, 3)) : -1;
    if (month >= 0) {
      if (this.month >= 0) return false;
      this.month = month;
      return true;
    }
    // Words before the first number are names of days and the like; behind it they mean something that we don't know.
    if (!hasNumber) return true;
    return /^(?:sun|mon|tue|wed|thu|fri|sat)/.test(word) || word === "at" || word === "of";
  }

  /** A sign starts an offset after a time or a zone's name; else a minus is a separator. */
  private startsOffset(): boolean {
    if (!/^\d/.test(this.tokens[this.i + 1] ?? "")) return false;
    return this.zone !== null || this.time.length > 0;
  }

  private offset(sign: number): boolean {
    const digits = this.tokens[this.i + 1];
    this.i += 2;
    let hours: number;
    let minutes = 0;
    if (this.tokens[this.i] === ":" && /^\d/.test(this.tokens[this.i + 1] ?? "")) {
      hours = Number(digits);
      minutes = Number(this.tokens[this.i + 1]);
      this.i += 2;
    } else if (digits.length <= 2) {
      hours = Number(digits);
    } else if (digits.length <= 4) {
      hours = Math.floor(Number(digits) / 100);
      minutes = Number(digits) % 100;
    } else {
      return false;
    }
    if (hours > 23 || minutes > 59) return false;
    this.zone = sign * (hours * 60 + minutes);
    return true;
  }

  private result(): number {
    const day = this.day();
    if (Number.isNaN(day)) return NaN;
    let [hour = 0] = this.time;
    const [, minute = 0, second = 0] = this.time;
    if (this.afternoon !== null) {
      if (hour < 1 || hour > 12) return NaN;
      hour = (hour % 12) + (this.afternoon ? 12 : 0);
    }
    const time = clock(hour, minute, second, this.ms);
    if (Number.isNaN(time)) return NaN;
    const t = makeDate(day, time);
    return timeClip(this.zone === null ? utc(t) : t - this.zone * 60_000);
  }

  private day(): number {
    const n = this.numbers;
    let year: number;
    let month: number;
    let day: number;
    if (this.month >= 0) {
      if (n.length === 0 || n.length > 2) return NaN;
      month = this.month + 1;
      if (n.length === 1) {
        // "March 2025" or "March 14"
        [year, day] = n[0] > 31 ? [n[0], 1] : [2001, n[0]];
      } else if (this.yearFirst || n[0] > 31) [year, day] = n;
      else [day, year] = n;
    } else if (n.length === 3) {
      if (this.yearFirst || n[0] > 31) [year, month, day] = n;
      else [month, day, year] = n;
    } else if (n.length === 2) {
      if (this.yearFirst || n[0] > 31) [year, month, day] = [n[0], n[1], 1];
      else [year, month, day] = [2001, n[0], n[1]];
    } else if (n.length === 1 && this.time.length === 0) {
      if (!this.yearFirst && n[0] > 12 && n[0] <= 31) return NaN;
      [year, month, day] = n[0] >= 1 && n[0] <= 12 && !this.yearFirst ? [2001, n[0], 1] : [n[0], 1, 1];
    } else {
      return NaN;
    }
    if (month < 1 || month > 12 || day < 1 || day > 31) return NaN;
    if (!this.yearFirst) {
      if (year >= 0 && year <= 49) year += 2000;
      else if (year >= 50 && year <= 99) year += 1900;
    }
    return makeDay(year, month - 1, day);
  }
}
