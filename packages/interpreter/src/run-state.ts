// The current run: one object of constant layout, read and written by every hot path. Entering guest code installs a run's state,
// leaving restores the outer one, so that many runs share a process and nothing else.

import type { LogEntry } from "./api.js";
import type { Intrinsic } from "./intrinsics.js";
import type { Labels } from "./labels.js";
import type { Shape } from "./shape.js";
import type { GuestObject, Value } from "./values.js";

/** What the core needs of a realm. */
export interface RealmState {
  intrinsics: (GuestObject | undefined)[];
  intrinsic(id: Intrinsic): GuestObject;
  /** An intrinsic object is no longer as it was made. */
  detached(id: Intrinsic | 0): void;
  /** The layout of an object used as a prototype has changed: caches of prototype hits are void. */
  newEpoch(): void;
  /** Made when the program first puts a text and a small number together. */
  labels: Labels | null;
}

/** What the core needs of a run. */
export interface RunControl {
  /** Fuel is used up: adds it to the total, looks at clock, abort and memory, refills or ends the run. */
  outOfFuel(): void;
  /** The depth or the stack's weight is over its limit. Never returns. */
  tooDeep(): never;
  /** The allocation counter is used up: measures, refills or ends the run. */
  outOfMemory(): void;
  now(): number;
  random(): number;
  timeZone: string;
  /** A call site as a stack trace shows it: `name (program:LINE:COLUMN)`. */
  siteText(site: number): string;
  /** An entry of the console: its text as a person reads it, and the arguments as they were given. Bounded by `logBytes`. */
  log(level: LogEntry["level"], text: string, args: Value[]): void;
  /** Calls back in a turn of its own after `ms`, again and again with `repeat`. The timer's id, above 0. Ends the run over `timers`. */
  setTimer(callback: () => void, ms: number, repeat: boolean): number;
  /** Unknown ids are ignored. */
  clearTimer(id: number): void;
  /** More promises are pending than `pendingPromises` allows. Never returns. */
  tooManyPromises?(): never;
  /** A better error where a property of undefined is read at this site, if the run knows one (`tools.nosuch.name`). */
  explainNullish?(site: number): GuestObject | undefined;
  /** The layout of the object that the tool of a path gave last. */
  shapeGiven?(path: string): Shape | undefined;
}

export interface RunState {
  /** Steps left of the chunk; below zero: `run.outOfFuel()`. A Smi. */
  fuel: number;
  /** Guest calls now active, and how many may be. */
  depth: number;
  depthMax: number;
  /** Estimated bytes of host stack in use, and how many may be. */
  stack: number;
  stackMax: number;
  /** Bytes left to allocate before memory is measured. A Smi. */
  mem: number;
  /** The call site that is being executed: an index into the program's sites. */
  site: number;
  /** The call site of each active guest call, by depth. */
  sites: Int32Array;
  /** Which state of prototypes caches must be from. Realms as made share 0; every change gives a number never used before. */
  epoch: number;
  /** True while every intrinsic object (but the global one) is as made. */
  intact: boolean;
  stringLength: number;
  arrayLength: number;
  /** Whether some value of this run remembers the text that it was parsed from. */
  texts: boolean;
  /** `new.target` on its way into a constructor that asks for it. */
  newTarget: Value;
  realm: RealmState;
  intrinsics: (GuestObject | undefined)[];
  /** Slots of the global object while its builtin part is as made, else null. */
  globals: (Value | unknown)[] | null;
  run: RunControl;
}

const none = (): never => {
  throw new Error("no run is active");
};

export const R: RunState = {
  fuel: 0,
  depth: 0,
  depthMax: 0,
  stack: 0,
  stackMax: 0,
  mem: 0,
  site: 0,
  sites: new Int32Array(16),
  epoch: 0,
  intact: true,
  stringLength: 33_554_432,
  arrayLength: 10_000_000,
  texts: false,
  newTarget: undefined,
  realm: { intrinsics: [], intrinsic: none, detached: none, newEpoch: none, labels: null },
  intrinsics: [],
  globals: null,
  run: {
    outOfFuel: none,
    tooDeep: none,
    outOfMemory: none,
    now: none,
    random: none,
    timeZone: "UTC",
    siteText: none,
    log: none,
    setTimer: none,
    clearTimer: none,
  },
};

/** Charges `n` steps of work inside a builtin, before the work is done. */
export function charge(n: number): void {
  if (n > 0x3fffffff) {
    // Keep the counter a Smi.
    while (n > 0x3fffffff) {
      n -= 0x3fffffff;
      R.fuel -= 0x3fffffff;
      R.run.outOfFuel();
    }
  }
  if ((R.fuel -= n) < 0) R.run.outOfFuel();
}

/** Charges for `n` UTF-16 units of text that a builtin reads or writes. */
export function chargeText(n: number): void {
  if ((R.fuel -= (n >> 4) + 1) < 0) R.run.outOfFuel();
}

/** From this length on, comparing or hashing a text is charged. */
export const LONG_TEXT = 1024;

/** Charges for a text that is used as a key or compared: it is hashed or read to its end. */
export function chargeKey(v: Value): void {
  if (typeof v === "string" && v.length > LONG_TEXT) chargeText(v.length);
}

/** `a === b`, charged: two long texts of one length are compared to their end. */
export function isSame(a: Value, b: Value): boolean {
  if (typeof a === "string" && a.length > LONG_TEXT && typeof b === "string" && b.length === a.length) chargeText(a.length);
  return a === b;
}

/** Charges an allocation of `bytes`, before it is made; a large one is looked at once. */
export function allocate(bytes: number): void {
  if ((R.mem -= bytes) < 0) R.run.outOfMemory();
}

/** Around native code that calls back or recurses: weighs what it needs of the host's stack. `leaveNative` gives it back. */
export function enterNative(weight: number): void {
  if ((R.stack += weight) > R.stackMax) R.run.tooDeep();
}

export function leaveNative(weight: number): void {
  R.stack -= weight;
}
