// How a program's exceptions, and the ends that it cannot catch, travel through the host's stack.

import type { Diagnostic } from "./api.js";
import { Intrinsic } from "./intrinsics.js";
import { R } from "./run-state.js";
import { HIDDEN, addProperty, childShape, rootOf, type Shape } from "./shape.js";
import { GuestObject, Kind, type Value } from "./values.js";

/** A guest exception in flight. Not an Error of the host's: no stack is captured, and no host error is ever a guest value. */
export class GuestThrow {
  readonly value: Value;
  /** The site that was active when it was thrown. */
  readonly site: number;
  constructor(value: Value) {
    this.value = value;
    this.site = R.site;
  }
}

/** The end of a run that no guest code sees: limits, abort, a plain reject. Skips `catch`, `finally` and promise handlers. */
export class FatalEnd {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    this.diagnostic = diagnostic;
  }
}

export class ErrorData {
  /** Call sites from the innermost outwards, as they were when the error was made. */
  readonly sites: readonly number[];
  /** Made when first read. */
  stack: Value | undefined;
  /** What the host knows of the failure beyond name and message: the kind of diagnostic if nobody catches it. */
  diagnostic: Partial<Diagnostic> | null;
  /** A hint of what led to it. Made only if nobody catches it. */
  explain: (() => string | undefined) | null;
  constructor(sites: readonly number[]) {
    this.sites = sites;
    this.stack = undefined;
    this.diagnostic = null;
    this.explain = null;
  }
}

export const MAX_STACK_FRAMES = 10;

/** The active call sites, innermost first. */
export function captureSites(): number[] {
  // The site from which the outermost activation was entered is none of the program's.
  const n = Math.min(R.depth - 1, MAX_STACK_FRAMES - 1);
  if (n <= 0) return [R.site];
  const out = new Array<number>(n + 1); // of this size: growing one takes four times the room, and many calls can wait
  out[0] = R.site;
  for (let i = 0; i < n; i++) out[i + 1] = R.sites[R.depth - i];
  return out;
}

/** Whether the active call sites are these. */
export function areActive(sites: readonly number[]): boolean {
  const n = Math.max(0, Math.min(R.depth - 1, MAX_STACK_FRAMES - 1));
  if (sites.length !== n + 1 || sites[0] !== R.site) return false;
  for (let i = 0; i < n; i++) if (sites[i + 1] !== R.sites[R.depth - i]) return false;
  return true;
}

export type NativeErrorPrototype =
  | Intrinsic.ErrorPrototype
  | Intrinsic.EvalErrorPrototype
  | Intrinsic.RangeErrorPrototype
  | Intrinsic.ReferenceErrorPrototype
  | Intrinsic.SyntaxErrorPrototype
  | Intrinsic.TypeErrorPrototype
  | Intrinsic.URIErrorPrototype
  | Intrinsic.AggregateErrorPrototype
  | Intrinsic.SuppressedErrorPrototype
  | Intrinsic.DOMExceptionPrototype;

const messageShapes: (Shape | undefined)[] = [];

/** An error object of the current realm with a `message`. */
export function makeError(proto: NativeErrorPrototype, message: string): GuestObject {
  const shape = (messageShapes[proto] ??= childShape(rootOf(proto), "message", HIDDEN));
  R.mem -= 200;
  return new GuestObject(shape, Kind.ERROR, new ErrorData(captureSites()), message, undefined, undefined, undefined);
}

export function throwValue(value: Value): never {
  throw new GuestThrow(value);
}
export function throwTypeError(message: string): never {
  throw new GuestThrow(makeError(Intrinsic.TypeErrorPrototype, message));
}
export function throwRangeError(message: string): never {
  throw new GuestThrow(makeError(Intrinsic.RangeErrorPrototype, message));
}
export function throwReferenceError(message: string): never {
  throw new GuestThrow(makeError(Intrinsic.ReferenceErrorPrototype, message));
}
export function throwSyntaxError(message: string): never {
  throw new GuestThrow(makeError(Intrinsic.SyntaxErrorPrototype, message));
}
export function throwUriError(message: string): never {
  throw new GuestThrow(makeError(Intrinsic.URIErrorPrototype, message));
}

/** An error with further own properties, e.g. `cause` (all writable, configurable, not enumerable). */
export function makeErrorWith(proto: NativeErrorPrototype, message: string, own: [string, Value][]): GuestObject {
  const e = makeError(proto, message);
  for (const [key, value] of own) addProperty(e, key, value, HIDDEN);
  return e;
}

/**
 * What a host exception caught beside guest code is to the guest: the value of a GuestThrow. Everything else (ends of the run, host
 * errors, a host stack overflow) must go on: rethrown here. A host RangeError may have cut an operation in half, so it ends the run.
 */
export function caught(e: unknown): Value {
  if (e instanceof GuestThrow) return e.value;
  throw e;
}
