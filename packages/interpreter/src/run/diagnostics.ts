// Why a run ended, in words that help whoever wrote the program. All texts are bounded.

import type { Diagnostic, Limits, SourceLocation } from "../api.js";
import { describe } from "../convert.js";
import { type ErrorData, FatalEnd } from "../errors.js";
import { isError, peek } from "../error-text.js";
import { inspect } from "../../stdlib/inspect.js";
import { type GuestObject, Kind, type Value } from "../values.js";

/** Where a call site of the program is. */
export type Located = (site: number) => SourceLocation | undefined;

const MAX_TEXT = 2_000;
const MAX_NAME = 200;
const MAX_HINTS = 6;

/** A text with a mark where it was cut. */
export function bounded(text: string, length: number = MAX_TEXT): string {
  if (text.length <= length) return text;
  // Not in the middle of a surrogate pair.
  const code = text.charCodeAt(length - 1);
  const end = code >= 0xd800 && code <= 0xdbff ? length - 1 : length;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

export function diagnostic(kind: Diagnostic["kind"], message: string, location?: SourceLocation, hints: string[] = []): Diagnostic {
  const made: Diagnostic = { kind, message: bounded(message), hints: hints.slice(0, MAX_HINTS).map((hint) => bounded(hint)) };
  if (location !== undefined) made.location = location;
  return made;
}

// Limits ---------------------------------------------------------------------------------------------------------------------------

interface LimitTexts {
  message(value: string): string;
  hint: string;
}

const LIMITS: { [name in keyof Limits]?: LimitTexts } = {
  steps: {
    message: (n) => `The program took more than ${n} steps`,
    hint: "Look for a loop that does not end, or do less: a step is a call, a loop turn, or an element that a builtin touches. Let a tool filter or aggregate.",
  },
  computeMs: {
    message: (n) => `The program computed for more than ${n} ms`,
    hint: "Look for a loop that does not end, or do less. Time spent waiting for tools is not counted.",
  },
  wallMs: {
    message: (n) => `The run took more than ${n} ms`,
    hint: "Call fewer or faster tools, call them at the same time with Promise.all, or split the work into several programs.",
  },
  memoryBytes: {
    message: (n) => `The program held more than ${n} bytes of memory`,
    hint: "Work on smaller parts and keep only the fields that are needed; do not build large texts or lists piece by piece.",
  },
  callDepth: {
    message: (n) => `The program's calls were nested too deeply: at most ${n} calls, or less if they are large`,
    hint: "Look for a recursion that does not end, or turn it into a loop with a list of what is still to be done.",
  },
  toolCalls: {
    message: (n) => `The program made more than ${n} tool calls`,
    hint: "Ask for more with each call (larger pages, filters), or split the work into several programs.",
  },
  pendingPromises: {
    message: (n) => `More than ${n} promises were pending at once`,
    hint: "Work through long lists in parts, and await each part.",
  },
  timers: {
    message: (n) => `More than ${n} timers were set at once`,
    hint: "Wait with one timer at a time.",
  },
};

/** The diagnostic of a limit that was passed: which, its value, where, and how to stay under it. */
export function limitDiagnostic(limit: keyof Limits, limits: Limits, at: { location?: SourceLocation; depth?: number }): Diagnostic {
  const texts = LIMITS[limit];
  let message = texts === undefined ? `The limit ${limit} was passed` : texts.message(String(limits[limit]));
  if (at.depth !== undefined && at.depth - 1 <= limits.callDepth) {
    message =
      at.depth < 50
        ? "Something is nested too deeply for the stack: calls, or data that a builtin walks through"
        : `The program's calls were nested too deeply: the stack bears no more than these ${at.depth - 1} calls here`;
  }
  const made = diagnostic("limit", `${message} (limit ${limit}).`, at.location, texts === undefined ? [] : [texts.hint]);
  made.limit = limit;
  return made;
}

// What a program threw -------------------------------------------------------------------------------------------------------------

/** The diagnostic of an exception or rejection that nobody handled. `site` is where it was thrown, if its value does not say. */
export function thrownDiagnostic(value: Value, site: number, locate: Located): Diagnostic {
  if (!isError(value)) return diagnostic("uncaught", `The program threw ${shown(value)}, which is no Error.`, locate(site));
  const data = value.d as ErrorData;
  const known = data.diagnostic;
  const made = diagnostic(known?.kind ?? "uncaught", textOf(value, "message") || "(no message)", locationOf(data, site, locate), [
    ...(known?.hints ?? []),
    ...explained(data),
    ...causes(value),
  ]);
  made.name = bounded(textOf(value, "name") || "Error", MAX_NAME);
  if (known?.limit !== undefined) made.limit = known.limit;
  return made;
}

function explained({ explain }: ErrorData): string[] {
  try {
    const hint = explain?.();
    return hint === undefined ? [] : [hint];
  } catch {
    // Whatever a hint fails of: the program's error stays.
    return [];
  }
}

function locationOf(data: ErrorData, site: number, locate: Located): SourceLocation | undefined {
  for (const made of data.sites) {
    const location = locate(made);
    if (location !== undefined) return location;
  }
  return locate(site);
}

/** A data property as text; code of the program does not run. */
function textOf(o: GuestObject, key: string): string {
  const v = peek(o, key);
  if (typeof v === "string") return v;
  return v === undefined ? "" : describe(v);
}

/** The chain of `cause`, and the parts of an AggregateError, as hints. */
function causes(error: GuestObject): string[] {
  const found: string[] = [];
  const errors = peek(error, "errors");
  if (typeof errors === "object" && errors !== null && errors.kind === Kind.ARRAY) {
    for (const inner of (errors.d as Value[]).slice(0, 3)) found.push(`One of the errors: ${oneLine(inner)}`);
  }
  let cause = peek(error, "cause");
  for (let i = 0; i < 3 && cause !== undefined; i++) {
    found.push(`Cause: ${oneLine(cause)}`);
    cause = isError(cause) ? peek(cause, "cause") : undefined;
  }
  return found;
}

/** A thrown value in one line: `TypeError: x is not a function`. */
export function oneLine(v: Value): string {
  if (!isError(v)) return shown(v);
  const name = textOf(v, "name") || "Error";
  const message = textOf(v, "message");
  return bounded(message === "" ? name : `${name}: ${message}`, 500);
}

function shown(v: Value): string {
  try {
    return bounded(typeof v === "object" && v !== null ? inspect(v, 2) : describe(v, 200), 1_000);
  } catch (e) {
    // No budget is left to look at it.
    if (e instanceof FatalEnd) return describe(v);
    throw e;
  }
}

// What went wrong on our side ------------------------------------------------------------------------------------------------------

export function isStackOverflow(e: unknown): boolean {
  return e instanceof RangeError && e.message === "Maximum call stack size exceeded";
}

const EXHAUSTED =
  /^(?:Invalid (?:string|array|typed array) length|Array buffer allocation failed|(?:Map|Set) maximum size exceeded|Maximum BigInt size exceeded)/;

/** Whether the host could not make something as large as was asked for: only runs whose own limits are raised or off come so far. */
export function isExhaustion(e: unknown): boolean {
  return e instanceof RangeError && EXHAUSTED.test(e.message);
}

/** A fault of the interpreter. Says what it can without texts that may name the host's files. */
export function internalDiagnostic(e: unknown, location?: SourceLocation): Diagnostic {
  const said = e instanceof Error ? `${e.name}: ${e.message}` : "an unknown error";
  const isClean = !/[\\/]|\n/.test(said);
  return diagnostic(
    "internal",
    `The interpreter failed${isClean ? ` (${bounded(said, 300)})` : ""}. This is a fault of the interpreter, not of the program.`,
    location,
    ["Write that part in another way."],
  );
}

export function abortedDiagnostic(reason: unknown): Diagnostic {
  const why = reason instanceof Error && reason.name !== "AbortError" && reason.message !== "" ? `: ${reason.message}` : ".";
  return diagnostic("aborted", `The run was aborted${why}`);
}
