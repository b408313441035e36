// AbortController and AbortSignal (DOM Standard 3).

import { Intrinsic } from "../src/intrinsics.js";
import { describe, toNumber } from "../src/convert.js";
import { protoFromNewTarget } from "../src/call.js";
import { throwTypeError, throwValue } from "../src/errors.js";
import { listFromIterable } from "../src/iterate.js";
import { isCallable, newKind } from "../src/object.js";
import { define, defineConstructor, defineGlobal, getter, method, ref, value } from "../src/realm.js";
import { R, charge } from "../src/run-state.js";
import { DATA, Flag, rootOf } from "../src/shape.js";
import { type GuestObject, Kind, SYM, type Value, isObject } from "../src/values.js";
import { domException } from "./dom-exception.js";
import { EventData, TargetData, dispatch, newEvent, setOnAbort } from "./event.js";
import { attribute } from "./web-idl.js";

class SignalData extends TargetData {
  aborted = false;
  reason: Value = undefined;
  /** Run when it aborts, before the event. */
  algorithms: (() => void)[] = [];
  /** Signals of `any` that follow this one. */
  dependents: GuestObject[] = [];
  /** What a signal of `any` follows. */
  sources: GuestObject[] | null = null;
}

function newSignal(): GuestObject {
  R.mem -= 250;
  return newKind(rootOf(Intrinsic.AbortSignalPrototype), Kind.HOST_DATA, new SignalData());
}

export function isSignal(v: Value): v is GuestObject & { d: SignalData } {
  return isObject(v) && v.kind === Kind.HOST_DATA && v.d instanceof SignalData;
}

function thisSignal(t: Value): GuestObject & { d: SignalData } {
  if (isSignal(t)) return t;
  throwTypeError("Value of 'this' must be of type AbortSignal");
}

/** Aborts a signal: its dependents first get the reason, then the steps and events run, its own first. */
function signalAbort(signal: GuestObject, reason: Value): void {
  const d = signal.d as SignalData;
  if (d.aborted) return;
  const all: GuestObject[] = [signal];
  mark(d, reason === undefined ? domException("AbortError", "This operation was aborted") : reason);
  for (const dependent of d.dependents) {
    const data = dependent.d as SignalData;
    if (data.aborted) continue;
    mark(data, d.reason);
    all.push(dependent);
  }
  d.dependents = [];
  for (const one of all) {
    const data = one.d as SignalData;
    charge(1 + data.algorithms.length);
    const { algorithms } = data;
    data.algorithms = [];
    for (const f of algorithms) f();
    const event = newEvent("abort");
    dispatch(one, data, event, event.d as EventData);
  }
}

function mark(d: SignalData, reason: Value): void {
  d.aborted = true;
  d.reason = reason;
}

setOnAbort((signal, f) => {
  if (!isSignal(signal)) return undefined;
  if (!signal.d.aborted) {
    R.mem -= 64;
    signal.d.algorithms.push(f);
  }
  return signal.d.aborted;
});

defineConstructor(Intrinsic.AbortSignal, {
  name: "AbortSignal",
  length: 0,
  prototype: Intrinsic.AbortSignalPrototype,
  proto: Intrinsic.EventTarget,
  call: null,
  construct: () => throwTypeError("Illegal constructor"),
  props: [
    method(
      "abort",
      0,
      (_t, reason) => {
        const signal = newSignal();
        mark(signal.d as SignalData, reason === undefined ? domException("AbortError", "This operation was aborted") : reason);
        return signal;
      },
      DATA,
    ),
    method(
      "any",
      1,
      (_t, signals) => {
        const sources = listFromIterable(signals);
        for (const s of sources) if (!isSignal(s)) throwTypeError(`AbortSignal.any: ${describe(s)} is not an AbortSignal`);
        const result = newSignal();
        const d = result.d as SignalData;
        const own: GuestObject[] = (d.sources = []);
        for (const s of sources) {
          charge(1);
          if (!isSignal(s)) continue;
          if (s.d.aborted) {
            mark(d, s.d.reason);
            return result;
          }
        }
        // A signal of `any` stands for what it follows.
        for (const s of sources) {
          if (!isSignal(s)) continue;
          for (const source of s.d.sources ?? [s]) {
            charge(1 + (own.length >> 3));
            if (own.includes(source)) continue;
            R.mem -= 16;
            own.push(source);
            (source.d as SignalData).dependents.push(result);
          }
        }
        return result;
      },
      DATA,
    ),
    method(
      "timeout",
      1,
      (_t, milliseconds) => {
        const ms = toNumber(milliseconds);
        if (!(ms >= 0 && ms <= Number.MAX_SAFE_INTEGER)) throwTypeError('The "delay" argument must be a number from 0 to 2^53 - 1');
        const signal = newSignal();
        R.run.setTimer(
          () => signalAbort(signal, domException("TimeoutError", "The operation was aborted due to timeout")),
          Math.min(Math.trunc(ms), 2 ** 31 - 1),
          false,
        );
        return signal;
      },
      DATA,
    ),
  ],
});

define(Intrinsic.AbortSignalPrototype, {
  proto: Intrinsic.EventTargetPrototype,
  props: [
    ref("constructor", Intrinsic.AbortSignal),
    attribute(getter("aborted", (t) => thisSignal(t).d.aborted)),
    attribute(getter("reason", (t) => thisSignal(t).d.reason)),
    attribute(
      getter(
        "onabort",
        (t) => thisSignal(t).d.handler,
        (t, v) => {
          thisSignal(t).d.handler = isCallable(v) ? v : null;
        },
      ),
    ),
    method(
      "throwIfAborted",
      0,
      (t) => {
        const { d } = thisSignal(t);
        if (d.aborted) throwValue(d.reason);
        return undefined;
      },
      DATA,
    ),
    value(SYM.toStringTag, "AbortSignal", Flag.CONFIGURABLE),
  ],
});

class ControllerData {
  readonly signal: GuestObject;
  constructor(signal: GuestObject) {
    this.signal = signal;
  }
}

function thisController(t: Value): ControllerData {
  if (isObject(t) && t.kind === Kind.HOST_DATA && t.d instanceof ControllerData) return t.d;
  throwTypeError("Value of 'this' must be of type AbortController");
}

defineConstructor(Intrinsic.AbortController, {
  name: "AbortController",
  length: 0,
  prototype: Intrinsic.AbortControllerPrototype,
  call: null,
  construct: (_args, newTarget) =>
    newKind(protoFromNewTarget(newTarget, Intrinsic.AbortControllerPrototype), Kind.HOST_DATA, new ControllerData(newSignal())),
});

define(Intrinsic.AbortControllerPrototype, {
  props: [
    ref("constructor", Intrinsic.AbortController),
    attribute(getter("signal", (t) => thisController(t).signal)),
    method(
      "abort",
      0,
      (t, reason) => {
        signalAbort(thisController(t).signal, reason);
        return undefined;
      },
      DATA,
    ),
    value(SYM.toStringTag, "AbortController", Flag.CONFIGURABLE),
  ],
});

defineGlobal("AbortController", Intrinsic.AbortController);
defineGlobal("AbortSignal", Intrinsic.AbortSignal);
