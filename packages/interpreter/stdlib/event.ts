// Event and EventTarget (DOM Standard 2), without a tree: an event goes to its target only. They are no globals: programs meet them as
// what AbortSignal inherits from.

import { call1, getMethod, protoFromNewTarget } from "../src/call.js";
import { describe, toBoolean, toStr } from "../src/convert.js";
import { caught, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get, isCallable, newKind } from "../src/object.js";
import { newPromise, rejectPromise } from "../src/promise.js";
import { type PropertySpec, define, defineConstructor, getter, method, ref, value, variadic } from "../src/realm.js";
import { R, charge } from "../src/run-state.js";
import { DATA, Flag, type Shape, rootOf } from "../src/shape.js";
import { type GuestObject, Kind, SYM, type Value, isObject } from "../src/values.js";
import { throwDomException } from "./dom-exception.js";
import { attribute } from "./web-idl.js";

// Event ----------------------------------------------------------------------------------------------------------------------------

export class EventData {
  readonly type: string;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly composed: boolean;
  readonly timeStamp: number;
  trusted = false;
  target: GuestObject | null = null;
  currentTarget: GuestObject | null = null;
  canceled = false;
  stopped = false;
  stoppedNow = false;
  dispatching = false;
  passive = false;
  constructor(type: string, bubbles: boolean, cancelable: boolean, composed: boolean) {
    this.type = type;
    this.bubbles = bubbles;
    this.cancelable = cancelable;
    this.composed = composed;
    this.timeStamp = R.run.now();
  }
}

function thisEvent(t: Value): EventData {
  if (isObject(t) && t.kind === Kind.HOST_DATA && t.d instanceof EventData) return t.d;
  throwTypeError("Value of 'this' must be of type Event");
}

/** An event that the runtime itself fires. */
export function newEvent(type: string): GuestObject {
  R.mem -= 150;
  const data = new EventData(type, false, false, false);
  data.trusted = true;
  return newKind(rootOf(Intrinsic.EventPrototype), Kind.HOST_DATA, data);
}

const readFlag = (options: Value, name: string): boolean => isObject(options) && toBoolean(get(options, name));

defineConstructor(Intrinsic.Event, {
  name: "Event",
  length: 1,
  prototype: Intrinsic.EventPrototype,
  call: null,
  construct(args, newTarget) {
    if (args.length === 0) throwTypeError('The "type" argument must be specified');
    const type = toStr(args[0]);
    const options = args[1];
    if (options !== undefined && options !== null && !isObject(options)) throwTypeError('The "options" argument must be an object');
    const bubbles = readFlag(options, "bubbles");
    const cancelable = readFlag(options, "cancelable");
    const composed = readFlag(options, "composed");
    R.mem -= 150;
    return newKind(
      protoFromNewTarget(newTarget, Intrinsic.EventPrototype),
      Kind.HOST_DATA,
      new EventData(type, bubbles, cancelable, composed),
    );
  },
  props: phases(),
});

function phases(): PropertySpec[] {
  return ["NONE", "CAPTURING_PHASE", "AT_TARGET", "BUBBLING_PHASE"].map((name, i) => value(name, i, Flag.ENUMERABLE));
}

const read = (name: string, f: (e: EventData) => Value): PropertySpec => attribute(getter(name, (t) => f(thisEvent(t))));
const act = (name: string, f: (e: EventData) => void): PropertySpec => method(name, 0, (t) => void f(thisEvent(t)), DATA);

define(Intrinsic.EventPrototype, {
  props: [
    ref("constructor", Intrinsic.Event),
    read("type", (e) => e.type),
    read("target", (e) => e.target),
    read("srcElement", (e) => e.target),
    read("currentTarget", (e) => e.currentTarget),
    read("eventPhase", (e) => (e.dispatching ? 2 : 0)),
    read("bubbles", (e) => e.bubbles),
    read("cancelable", (e) => e.cancelable),
    read("composed", (e) => e.composed),
    read("defaultPrevented", (e) => e.canceled),
    read("returnValue", (e) => !e.canceled),
    read("isTrusted", (e) => e.trusted),
    read("timeStamp", (e) => e.timeStamp),
    act("preventDefault", (e) => {
      if (e.cancelable && !e.passive) e.canceled = true;
    }),
    act("stopPropagation", (e) => {
      e.stopped = true;
    }),
    act("stopImmediatePropagation", (e) => {
      e.stopped = true;
      e.stoppedNow = true;
    }),
    ...phases(),
    value(SYM.toStringTag, "Event", Flag.CONFIGURABLE),
  ],
});

// EventTarget ----------------------------------------------------------------------------------------------------------------------

interface Listener {
  type: string;
  callback: GuestObject;
  capture: boolean;
  once: boolean;
  passive: boolean;
  removed: boolean;
}

export class TargetData {
  readonly listeners: Listener[] = [];
  /** The `on…` handler, for targets that have one. */
  handler: Value = null;
}

export function thisTarget(t: Value): { object: GuestObject; data: TargetData } {
  if (isObject(t) && t.kind === Kind.HOST_DATA && t.d instanceof TargetData) return { object: t, data: t.d };
  throwTypeError("Value of 'this' must be of type EventTarget");
}

const MAX_LISTENERS = 10_000;

function flatten(options: Value): boolean {
  return isObject(options) ? toBoolean(get(options, "capture")) : toBoolean(options);
}

defineConstructor(Intrinsic.EventTarget, {
  name: "EventTarget",
  length: 0,
  prototype: Intrinsic.EventTargetPrototype,
  call: null,
  construct: (_args, newTarget) => targetOf(protoFromNewTarget(newTarget, Intrinsic.EventTargetPrototype)),
});

function targetOf(shape: Shape): GuestObject {
  R.mem -= 100;
  return newKind(shape, Kind.HOST_DATA, new TargetData());
}

/** Handed in by abort.ts: runs `f` when the signal aborts; undefined for what is no signal. */
let onAbort: (signal: Value, f: () => void) => boolean | undefined = () => undefined;
export function setOnAbort(f: typeof onAbort): void {
  onAbort = f;
}

define(Intrinsic.EventTargetPrototype, {
  props: [
    ref("constructor", Intrinsic.EventTarget),
    variadic(
      "addEventListener",
      2,
      (t, args) => {
        const { data } = thisTarget(t);
        if (args.length < 2) throwTypeError('The "type" and "listener" arguments must be specified');
        const type = toStr(args[0]);
        const callback = args[1];
        const options = args[2];
        const capture = flatten(options);
        const once = readFlag(options, "once");
        const passive = readFlag(options, "passive");
        const signal = isObject(options) ? get(options, "signal") : undefined;
        if (callback === null || callback === undefined) return undefined;
        if (!isObject(callback)) throwTypeError(`The "listener" argument must be a function or an object, not ${describe(callback)}`);
        charge(1 + data.listeners.length);
        if (data.listeners.some((l) => l.type === type && l.callback === callback && l.capture === capture)) return undefined;
        if (data.listeners.length >= MAX_LISTENERS) throwTypeError(`An EventTarget may have at most ${MAX_LISTENERS} listeners`);
        const listener: Listener = { type, callback, capture, once, passive, removed: false };
        if (signal !== undefined) {
          const aborted = onAbort(signal, () => remove(data, listener));
          if (aborted === undefined) throwTypeError('The "options.signal" property must be an AbortSignal');
          if (aborted) return undefined;
        }
        R.mem -= 100;
        data.listeners.push(listener);
        return undefined;
      },
      DATA,
    ),
    variadic(
      "removeEventListener",
      2,
      (t, args) => {
        const { data } = thisTarget(t);
        const type = toStr(args[0]);
        const capture = flatten(args[2]);
        charge(1 + data.listeners.length);
        const found = data.listeners.find((l) => l.type === type && l.callback === args[1] && l.capture === capture);
        if (found !== undefined) remove(data, found);
        return undefined;
      },
      DATA,
    ),
    method(
      "dispatchEvent",
      1,
      (t, event) => {
        const { object, data } = thisTarget(t);
        if (!isObject(event) || !(event.d instanceof EventData)) throwTypeError('The "event" argument must be an instance of Event');
        if (event.d.dispatching) throwDomException("InvalidStateError", "The event is already being dispatched");
        event.d.trusted = false;
        return dispatch(object, data, event, event.d);
      },
      DATA,
    ),
    value(SYM.toStringTag, "EventTarget", Flag.CONFIGURABLE),
  ],
});

function remove(data: TargetData, listener: Listener): void {
  listener.removed = true;
  const i = data.listeners.indexOf(listener);
  if (i >= 0) data.listeners.splice(i, 1);
}

/**
 * Fires an event at its target. False: a listener has prevented the default. What a listener throws does not keep the others from
 * running; it is reported as the rejection of a promise that nobody handles.
 */
export function dispatch(target: GuestObject, data: TargetData, event: GuestObject, e: EventData): boolean {
  e.target = e.currentTarget = target;
  e.dispatching = true;
  try {
    const handler = data.handler;
    const listeners = data.listeners.filter((l) => l.type === e.type);
    charge(1 + data.listeners.length);
    if (isCallable(handler) && e.type === "abort") report(() => call1(handler, target, event));
    for (const listener of listeners) {
      if (e.stoppedNow) break;
      if (listener.removed) continue;
      if (listener.once) remove(data, listener);
      e.passive = listener.passive;
      charge(1);
      report(() => {
        if (isCallable(listener.callback)) return call1(listener.callback, target, event);
        const handle = getMethod(listener.callback, "handleEvent");
        return handle === undefined ? undefined : call1(handle, listener.callback, event);
      });
      e.passive = false;
    }
  } finally {
    e.currentTarget = null;
    e.dispatching = false;
    e.stopped = e.stoppedNow = false;
  }
  return !e.canceled;
}

function report(f: () => Value): void {
  try {
    f();
  } catch (e) {
    rejectPromise(newPromise(), caught(e));
  }
}
