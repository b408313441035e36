// Date.parse (ECMAScript 21.4.3.2): the specification's form, and what engines take beyond it. The specification leaves the latter open;
// programs are written for V8, so this reads a text as V8 does ("Mar 14, 2025 09:30", "2025-03-14 09:30", "14 March 2025 10:00 GMT+0100",
// "3/14/2025 9:30 PM", and with the same quirks). Tested against it by the differential tests.

import { chargeText } from "../src/run-state.js";
import { makeDate, makeDay, makeTime, timeClip } from "./date-time.js";
import { utc } from "./date-zone.js";

/** The time value that a text means, or NaN. */
export function parseDate(text: string): number {
  chargeText(text.length * 2);
  return text.length <= 29 && COMMON.test(text) ? commonForm(text) : new DateReader(tokensOf(text)).read();
}

/** The form that JSON has: YYYY-MM-DD, with THH:MM:SS[.s[s[s]]] and Z or ±HH:MM, in the ranges of all its parts. */
const COMMON =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

function commonForm(text: string): number {
  const day = makeDay(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, Number(text.slice(8, 10)));
  if (text.length === 10) return timeClip(makeDate(day, 0));
  const zone = text.endsWith("Z") ? text.length - 1 : text.length - 6;
  const ms = zone > 20 ? Number(text.slice(20, zone).padEnd(3, "0")) : 0;
  const time = makeTime(Number(text.slice(11, 13)), Number(text.slice(14, 16)), Number(text.slice(17, 19)), ms);
  const east = text.endsWith("Z")
    ? 0
    : (Number(text.slice(zone + 1, zone + 3)) * 60 + Number(text.slice(zone + 4))) * (text[zone] === "-" ? -1 : 1);
  return timeClip(makeDate(day, time) - east * 60_000);
}

// Tokens ---------------------------------------------------------------------------------------------------------------------------

const enum Sort {
  NUMBER,
  /** One of `: . + - )`. */
  MARK,
  SPACE,
  MONTH,
  HALF_OF_DAY,
  ZONE,
  /** The "T" before a time. */
  TIME,
  WORD,
  /** Anything else; a text in parentheses too. */
  OTHER,
  END,
}

interface Token {
  sort: Sort;
  text: string;
  /** Of a number its value, of a name what it stands for. */
  value: number;
}

const END: Token = { sort: Sort.END, text: "", value: 0 };
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Hours east of Greenwich. */
const ZONES = new Map([
  ["ut", 0],
  ["utc", 0],
  ["z", 0],
  ["gmt", 0],
  ["cdt", -5],
  ["cst", -6],
  ["edt", -4],
  ["est", -5],
  ["mdt", -6],
  ["mst", -7],
  ["pdt", -7],
  ["pst", -8],
]);

const PART = /(\d+)|([:.+\-)])|([\t\v\f \u00a0\ufeff\p{Zs}\n\r\u2028\u2029]+)|([^\0-@\u00a0\ufeff\p{Zs}\u2028\u2029]+)|[^]/gu;
/** Numbers are read to nine digits after leading zeros. */
const MOST_DIGITS = 9;

function tokensOf(text: string): Token[] {
  const out: Token[] = [];
  // A NUL ends the text.
  for (let at = 0; at < text.length && text[at] !== "\0";) {
    if (text[at] === "(") {
      at = endOfParentheses(text, at);
      out.push({ sort: Sort.OTHER, text: "(", value: 0 });
      continue;
    }
    PART.lastIndex = at;
    const m = PART.exec(text)!; // the last alternative takes anything
    at = PART.lastIndex;
    const [part, digits, mark, space, word] = m;
    if (digits !== undefined)
      out.push({ sort: Sort.NUMBER, text: part, value: Number(digits.replace(/^0+(?=\d)/, "").slice(0, MOST_DIGITS)) });
    else if (mark !== undefined) out.push({ sort: Sort.MARK, text: part, value: 0 });
    else if (space !== undefined) out.push({ sort: Sort.SPACE, text: part, value: 0 });
    else if (word !== undefined) out.push(nameOf(part));
    else out.push({ sort: Sort.OTHER, text: part, value: 0 });
  }
  return out;
}

function endOfParentheses(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return i + 1;
  }
  return text.length;
}

/** A word means what its first three letters mean; longer ones only months. */
function nameOf(text: string): Token {
  const word = text.slice(0, 3).replace(/[A-Z]/g, (c) => c.toLowerCase());
  const month = MONTHS.indexOf(word);
  if (month >= 0) return { sort: Sort.MONTH, text, value: month + 1 };
  if (text.length <= 3) {
    if (word === "am" || word === "pm") return { sort: Sort.HALF_OF_DAY, text, value: word === "pm" ? 12 : 0 };
    if (word === "t") return { sort: Sort.TIME, text, value: 0 };
    const zone = ZONES.get(word);
    if (zone !== undefined) return { sort: Sort.ZONE, text, value: zone };
  }
  return { sort: Sort.WORD, text, value: 0 };
}

// Reading --------------------------------------------------------------------------------------------------------------------------

const isMinute = (n: number): boolean => n < 60;
const isDay = (n: number): boolean => n >= 1 && n <= 31;
const isMonth = (n: number): boolean => n >= 1 && n <= 12;

class DateReader {
  private readonly tokens: readonly Token[];
  private i = 0;
  private readonly date: number[] = [];
  private month = 0;
  private isIso = false;
  private readonly time: number[] = [];
  private halfOfDay = -1;
  private sign = 0;
  private zoneHour = -1;
  private zoneMinute = -1;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  read(): number {
    const first = this.isoForm();
    if (first === null || !this.freeForm(first)) return NaN;
    return this.result();
  }

  private get peek(): Token {
    return this.tokens[this.i] ?? END;
  }

  private take(): Token {
    const token = this.peek;
    this.i++;
    return token;
  }

  private skip(mark: string): boolean {
    if (!this.isMark(mark)) return false;
    this.i++;
    return true;
  }

  private isMark(mark: string): boolean {
    return this.peek.sort === Sort.MARK && this.peek.text === mark;
  }

  /** The value of a number of so many digits, if it comes next. */
  private digits(count: number): number | undefined {
    return this.peek.sort === Sort.NUMBER && this.peek.text.length === count ? this.peek.value : undefined;
  }

  private isZ(): boolean {
    return this.peek.sort === Sort.ZONE && this.peek.text.length === 1;
  }

  /** YYYY[-MM[-DD]][THH:MM[:SS[.s…]][Z|±HH:MM]]. The token from which the free form goes on (END: none), null for an error. */
  private isoForm(): Token | null {
    if (this.isMark("+") || this.isMark("-")) {
      const sign = this.take();
      const year = this.digits(6);
      if (year === undefined) return sign;
      this.i++;
      if (sign.text === "-" && year === 0) return sign;
      this.date.push(sign.text === "-" ? -year : year);
    } else {
      const year = this.digits(4);
      if (year === undefined) return this.take();
      this.i++;
      this.date.push(year);
    }
    for (const isValid of [isMonth, isDay]) {
      if (!this.skip("-")) break;
      const n = this.digits(2);
      if (n === undefined || !isValid(n)) return this.take();
      this.i++;
      this.date.push(n);
    }
    const after = this.take();
    if (after.sort !== Sort.TIME) {
      if (after.sort !== Sort.END) return after;
    } else if (!this.isoTime() || !this.isoZone() || this.peek.sort !== Sort.END) return null;
    // A date alone is in UTC, with a time it is local.
    if (this.zoneHour < 0 && this.time.length === 0) this.setZone(0);
    this.isIso = true;
    return END;
  }

  private isoTime(): boolean {
    const hour = this.digits(2);
    if (hour === undefined || hour > 24) return false;
    this.i++;
    this.time.push(hour);
    const isRest = (n: number | undefined): n is number => n !== undefined && isMinute(n) && (hour < 24 || n === 0);
    if (!this.skip(":")) return false;
    const minute = this.digits(2);
    if (!isRest(minute)) return false;
    this.i++;
    this.time.push(minute);
    if (!this.skip(":")) return true;
    const second = this.digits(2);
    if (!isRest(second)) return false;
    this.i++;
    this.time.push(second);
    if (!this.skip(".")) return true;
    if (this.peek.sort !== Sort.NUMBER || (hour === 24 && this.peek.value > 0)) return false;
    this.time.push(milliseconds(this.take()));
    return true;
  }

  private isoZone(): boolean {
    if (this.isZ()) {
      this.i++;
      this.setZone(0);
      return true;
    }
    if (!this.isMark("+") && !this.isMark("-")) return true;
    this.sign = this.take().text === "+" ? 1 : -1;
    const both = this.digits(4);
    let hour: number | undefined;
    let minute: number | undefined;
    if (both !== undefined) {
      this.i++;
      [hour, minute] = [Math.trunc(both / 100), both % 100];
    } else {
      hour = this.digits(2);
      this.i++;
      if (hour === undefined || !this.skip(":")) return false;
      minute = this.digits(2);
      this.i++;
    }
    if (hour > 23 || minute === undefined || !isMinute(minute)) return false;
    [this.zoneHour, this.zoneMinute] = [hour, minute];
    return true;
  }

  private setZone(hours: number): void {
    this.sign = hours < 0 ? -1 : 1;
    this.zoneHour = Math.abs(hours);
    this.zoneMinute = 0;
  }

  /** Numbers and names in any order that says what they are. False for an error. */
  private freeForm(first: Token): boolean {
    let hasNumber = this.date.length > 0;
    for (let token = first.sort === Sort.END ? this.take() : first; token.sort !== Sort.END; token = this.take()) {
      if (token.sort === Sort.NUMBER) {
        hasNumber = true;
        if (!this.number(token.value)) return false;
      } else if (token.sort === Sort.MONTH) {
        this.month = token.value;
        this.skip("-");
      } else if (token.sort === Sort.HALF_OF_DAY && this.time.length > 0) {
        this.halfOfDay = token.value;
      } else if (token.sort === Sort.ZONE && hasNumber) {
        this.setZone(token.value);
      } else if (token.sort >= Sort.HALF_OF_DAY && token.sort <= Sort.WORD) {
        // Other words may stand before the first number only, and apart from it.
        if (hasNumber || this.peek.sort === Sort.NUMBER) return false;
      } else if (
        token.sort === Sort.MARK &&
        (token.text === "+" || token.text === "-") &&
        ((this.zoneHour === 0 && this.zoneMinute === 0) || this.time.length > 0)
      ) {
        hasNumber = true;
        if (!this.offset(token.text === "+" ? 1 : -1)) return false;
      } else if (token.sort === Sort.MARK && "+-)".includes(token.text) && hasNumber) {
        return false;
      }
    }
    return true;
  }

  private number(n: number): boolean {
    const { time } = this;
    if (this.skip(":")) {
      if (this.skip(":")) {
        if (time.length > 0) return false;
        time.push(n, 0);
        return true;
      }
      if (time.length >= 4) return false;
      time.push(n);
      this.skip(".");
      return true;
    }
    if (this.skip(".") && this.expectsTime(n)) {
      time.push(n);
      if (this.peek.sort !== Sort.NUMBER) return false;
      this.endTime(milliseconds(this.take()));
      return true;
    }
    if (this.zoneHour >= 0 && this.zoneMinute < 0 && isMinute(n)) {
      this.zoneMinute = n;
      return true;
    }
    if (this.expectsTime(n)) {
      this.endTime(n);
      const { sort } = this.peek;
      return sort === Sort.END || sort === Sort.SPACE || this.isZ() || this.isMark("+") || this.isMark("-");
    }
    if (this.date.length >= 3) return false;
    this.date.push(n);
    this.skip("-");
    return true;
  }

  private expectsTime(n: number): boolean {
    const { length } = this.time;
    return ((length === 1 || length === 2) && isMinute(n)) || (length === 3 && n < 1000);
  }

  private endTime(n: number): void {
    if (this.time.length < 4) this.time.push(n);
    while (this.time.length < 4) this.time.push(0);
  }

  private offset(sign: number): boolean {
    this.sign = sign;
    let n = 0;
    let length = 0;
    if (this.peek.sort === Sort.NUMBER)
      ({
        value: n,
        text: { length },
      } = this.take());
    if (this.isMark(":")) [this.zoneHour, this.zoneMinute] = [n, -1];
    else if (length === 1 || length === 2) [this.zoneHour, this.zoneMinute] = [n, 0];
    else if (length === 3 || length === 4) [this.zoneHour, this.zoneMinute] = [Math.trunc(n / 100), n % 100];
    else return false;
    return true;
  }

  // The result -----------------------------------------------------------------------------------------------------------------------

  private result(): number {
    const day = this.day();
    let [hour = 0] = this.time;
    const [, minute = 0, second = 0, ms = 0] = this.time;
    if (this.halfOfDay >= 0) {
      if (hour > 12) return NaN;
      hour = (hour % 12) + this.halfOfDay;
    }
    if ((hour > 23 || !isMinute(minute) || !isMinute(second) || ms > 999) && (hour !== 24 || minute > 0 || second > 0 || ms > 0))
      return NaN;
    const t = makeDate(day, makeTime(hour, minute, second, ms));
    if (this.sign === 0) return timeClip(utc(t));
    return timeClip(t - this.sign * (Math.max(0, this.zoneHour) * 60 + Math.max(0, this.zoneMinute)) * 60_000);
  }

  private day(): number {
    if (this.date.length === 0) return NaN;
    const [a, b = 1, c = 1] = this.date;
    let year: number;
    let month = this.month;
    let day: number;
    if (month === 0) {
      if (this.isIso || !isDay(a)) [year, month, day] = [a, b, c];
      else [month, day, year] = [a, b, c];
    } else if (!isDay(a)) [year, day] = [a, b];
    else [day, year] = [a, b];
    if (!this.isIso) {
      if (year >= 0 && year <= 49) year += 2000;
      else if (year >= 50 && year <= 99) year += 1900;
    }
    return isMonth(month) && isDay(day) ? makeDay(year, month - 1, day) : NaN;
  }
}

/** The first three digits behind the point. */
function milliseconds({ text }: Token): number {
  return Number(`${text}00`.slice(0, 3));
}
