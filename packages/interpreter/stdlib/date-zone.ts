// Local time in the run's zone (ECMAScript 21.4.1.25 and 26). Offsets come from the host's Intl, asked about instants; a stretch of days
// with one offset at both ends has it all through, else its one change is searched for. What is known is kept, for all runs.

import { R, charge } from "../src/run-state.js";
import { MS_PER_DAY, makeDate, makeDay, makeTime } from "./date-time.js";

const STRETCH = 15 * MS_PER_DAY;
const MAX_STRETCHES = 4000;
const MAX_ZONES = 20;
/** Before this no zone changes: local mean time. */
const EARLIEST = -6e12;

interface Stretch {
  before: number;
  /** From this instant on: `after`. */
  change: number;
  after: number;
}

class Zone {
  private readonly format: Intl.DateTimeFormat;
  private readonly names: Intl.DateTimeFormat;
  private readonly stretches = new Map<number, Stretch>();
  constructor(name: string) {
    this.format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    this.names = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "long" });
  }

  offsetAt(t: number): number {
    if (t < EARLIEST) t = EARLIEST;
    const index = Math.floor(t / STRETCH);
    let s = this.stretches.get(index);
    if (s === undefined) {
      if (this.stretches.size >= MAX_STRETCHES) this.stretches.clear();
      this.stretches.set(index, (s = this.measure(index * STRETCH, (index + 1) * STRETCH)));
    }
    return t < s.change ? s.before : s.after;
  }

  private measure(from: number, to: number): Stretch {
    const before = this.ask(from);
    const after = this.ask(to - 1);
    let low = from;
    let high = to - 1;
    if (before === after) return { before, change: to, after };
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.ask(middle) === before) low = middle;
      else high = middle;
    }
    return { before, change: high, after };
  }

  private ask(t: number): number {
    charge(10);
    const clamped = Math.max(-8.64e15, Math.min(8.64e15, t));
    const parts: Record<string, string> = {};
    for (const part of this.format.formatToParts(clamped)) parts[part.type] = part.value;
    const year = parts.era.startsWith("B") ? 1 - Number(parts.year) : Number(parts.year);
    const local = makeDate(
      makeDay(year, Number(parts.month) - 1, Number(parts.day)),
      makeTime(Number(parts.hour), Number(parts.minute), Number(parts.second), 0),
    );
    return local - Math.floor(clamped / 1000) * 1000;
  }

  nameAt(t: number): string {
    const name = this.askName(t);
    if (!name.startsWith("GMT")) return name;
    // The host names only the times of some years; others get the name that the same offset has today.
    const offset = this.offsetAt(t);
    for (let month = 0; month < 12; month += 3) {
      const day = makeDate(makeDay(2024, month, 10), 0);
      if (this.offsetAt(day) === offset) return this.askName(day);
    }
    return name;
  }

  private askName(t: number): string {
    charge(10);
    for (const part of this.names.formatToParts(t)) if (part.type === "timeZoneName") return part.value;
    return "";
  }
}

const zones = new Map<string, Zone>();
let lastName = "";
let last: Zone | null = null;

function zone(): Zone {
  const name = R.run.timeZone;
  if (name === lastName && last !== null) return last;
  let z = zones.get(name);
  if (z === undefined) {
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(name, (z = new Zone(name)));
  }
  lastName = name;
  return (last = z);
}

/** What is added to a UTC time to get the run's local time, in milliseconds. */
export function offsetAt(t: number): number {
  return R.run.timeZone === "UTC" ? 0 : zone().offsetAt(t);
}

/** The English name of the zone at an instant, e.g. `Central European Summer Time`. */
export function zoneNameAt(t: number): string {
  return R.run.timeZone === "UTC" ? "Coordinated Universal Time" : zone().nameAt(t);
}

/** LocalTime. */
export function localTime(t: number): number {
  return t + offsetAt(t);
}

/** UTC(t): of two instants the earlier one; in a gap, with the offset from before it. */
export function utc(local: number): number {
  if (!Number.isFinite(local)) return NaN;
  if (R.run.timeZone === "UTC") return local;
  const before = offsetAt(local - 1.5 * MS_PER_DAY);
  const after = offsetAt(local + 1.5 * MS_PER_DAY);
  if (before === after) return local - before;
  const early = Math.min(local - before, local - after);
  if (localTime(early) === local) return early;
  const late = Math.max(local - before, local - after);
  if (localTime(late) === local) return late;
  return local - before;
}
