// `await` and `yield`: where a function leaves its frame and is entered again.

import { call0, call1, getMethod } from "../call.js";
import { describe } from "../convert.js";
import { GuestThrow, caught, throwTypeError } from "../errors.js";
import { asyncIterator } from "../async-iterate.js";
import { getIterator, type IteratorRecord } from "../iterate.js";
import { get } from "../object.js";
import { R } from "../run-state.js";
import { type Frame, HOLE, RESULT, type Value } from "../values.js";
import { type Activation, Mode, Pause, ReturnSignal } from "./activation.js";
import type { Context } from "./context.js";
import { expression } from "./expressions.js";
import { type Expression, type estree, unparenthesized } from "./nodes.js";
import { ACTIVATION } from "./scope.js";
import { type Ev, SUSPEND } from "./unit.js";
import { localOf } from "./variables.js";

// Functions that suspend keep their activation in the frame.

/** An expression that suspends, as a statement: it gives SUSPEND or undefined. */
export function suspendPointStatement(node: Expression, c: Context): Ev {
  const n = unparenthesized(node);
  if (n.type === "AwaitExpression") return awaitExpression(n, c, true);
  if (n.type === "YieldExpression" && !c.fn.isAsync) return n.delegate ? yieldDelegate(n, c, true) : yieldExpression(n, c, true);
  const e = expression(n, c);
  return (f) => (e(f) === SUSPEND ? SUSPEND : undefined);
}

export function awaitExpression(node: estree.AwaitExpression, c: Context, discards = false): Ev {
  const st = c.newSlot();
  const argument = expression(node.argument, c);
  const site = c.site(node);
  return awaitOf(st, argument, site, discards);
}

/** Awaits what `argument` gives. */
export function awaitOf(st: number, argument: Ev, site: number, discards = false): Ev {
  return (f) => {
    if (f[st] === undefined) {
      const v = argument(f);
      if (v === SUSPEND) return SUSPEND;
      const a = f[ACTIVATION] as unknown as Activation;
      a.out = v;
      a.pause = Pause.AWAIT;
      f[st] = 1;
      R.site = site;
      return SUSPEND;
    }
    f[st] = undefined;
    const a = f[ACTIVATION] as unknown as Activation;
    const v = a.value;
    a.value = undefined;
    R.site = site;
    if (a.mode === Mode.THROW) throw new GuestThrow(v);
    return discards ? undefined : v;
  };
}

export function yieldExpression(node: estree.YieldExpression, c: Context, discards = false): Ev {
  const st = c.newSlot();
  const argument: Ev = node.argument ? expression(node.argument, c) : () => undefined;
  const site = c.site(node);
  return c.fn.isAsync
    ? asyncYield(st, argument, site, c)
    : plainYield(st, node.argument ? localOf(node.argument, c) : -1, argument, site, discards);
}

function plainYield(st: number, local: number, argument: Ev, site: number, discards: boolean): Ev {
  return (f) => {
    if (f[st] === undefined) {
      const v = local >= 0 ? f[local] : argument(f);
      if (v === SUSPEND) return SUSPEND;
      const a = f[ACTIVATION] as unknown as Activation;
      a.out = v;
      a.pause = Pause.YIELD;
      f[st] = 1;
      return SUSPEND;
    }
    f[st] = undefined;
    const a = f[ACTIVATION] as unknown as Activation;
    R.site = site;
    if (a.mode === Mode.NEXT) return discards ? undefined : a.value;
    if (a.mode === Mode.THROW) throw new GuestThrow(a.value);
    throw new ReturnSignal(a.value);
  };
}

/** `yield v` of an async generator: awaits v, gives it out; a `return(v)` that comes in awaits its value first. */
function asyncYield(st: number, argument: Ev, site: number, c: Context): Ev {
  const awaited = awaitOf(c.newSlot(), argument, site);
  return asyncYieldOf(st, awaited, site, c);
}

/** AsyncGeneratorYield of what `value` gives. */
function asyncYieldOf(st: number, value: Ev, site: number, c: Context): Ev {
  const returned = c.newSlot();
  const awaitReturn = awaitOf(c.newSlot(), (f) => f[returned], site);
  return (f) => {
    if (f[st] === undefined) {
      const v = value(f);
      if (v === SUSPEND) return SUSPEND;
      const a = f[ACTIVATION] as unknown as Activation;
      a.out = v;
      a.pause = Pause.YIELD;
      f[st] = 1;
      return SUSPEND;
    }
    const a = f[ACTIVATION] as unknown as Activation;
    if (f[st] === 1) {
      R.site = site;
      if (a.mode === Mode.NEXT || a.mode === Mode.THROW) {
        f[st] = undefined;
        if (a.mode === Mode.NEXT) return a.value;
        throw new GuestThrow(a.value);
      }
      f[returned] = a.value;
      f[st] = 2;
    }
    const v = awaitReturn(f);
    if (v === SUSPEND) return SUSPEND;
    f[st] = undefined;
    throw new ReturnSignal(v);
  };
}

/** `yield*`: hands requests to the inner iterator until it is done. */
export function yieldDelegate(node: estree.YieldExpression, c: Context, discards = false): Ev {
  const st = c.newSlot();
  const argument = expression(node.argument!, c);
  const iterator = c.newSlot();
  const pending = c.newSlot();
  const site = c.site(node);
  const isAsync = c.fn.isAsync;
  const awaitPending = awaitOf(c.newSlot(), (f) => f[pending], site);
  const give = isAsync ? asyncYieldRaw(c.newSlot(), pending) : null;
  const sent = c.newSlot();
  // States: undefined start; 1 to call the inner iterator; 2 awaiting its result; 3 given out; 4 awaiting a return value; 5 awaiting the close;
  // 6 awaiting the value of a `return` that came in.
  return (f) => {
    const a = f[ACTIVATION] as unknown as Activation;
    let mode: Mode = Mode.NEXT;
    let received: Value = undefined;
    if (f[st] === undefined) {
      const v = argument(f);
      if (v === SUSPEND) return SUSPEND;
      R.site = site;
      f[iterator] = (isAsync ? asyncIterator(v) : getIterator(v)) as unknown as Value;
      f[st] = 1;
    } else if (f[st] === 3) {
      if (give !== null) give(f); // clears its state
      mode = a.mode;
      received = a.value;
      f[st] = 1;
      if (isAsync && mode === Mode.RETURN) {
        f[pending] = received;
        f[st] = 6;
      }
    }
    if (f[st] === 6) {
      try {
        received = awaitPending(f);
        if (received === SUSPEND) return SUSPEND;
        mode = Mode.RETURN;
      } catch (e) {
        received = caught(e);
        mode = Mode.THROW;
      }
      f[st] = 1;
    }
    const record = f[iterator] as unknown as IteratorRecord;
    for (;;) {
      if (f[st] === 1) {
        R.site = site;
        let result: Value;
        if (mode === Mode.NEXT && record.native !== null) {
          // A builtin iterator or a generator, as made: no result objects. (Those of async generators are no such.)
          if (--R.fuel < 0) R.run.outOfFuel();
          const v = record.native.step(received);
          if (v === HOLE) {
            f[st] = f[iterator] = undefined;
            return discards ? undefined : record.native.out;
          }
          if (v !== RESULT) {
            a.out = v;
            a.pause = Pause.YIELD;
            f[st] = 3;
            return SUSPEND;
          }
          result = record.native.out;
        } else if (mode === Mode.NEXT) result = call1(record.next, record.iterator, received);
        else if (mode === Mode.THROW) {
          const method = getMethod(record.iterator, "throw");
          if (method !== undefined) result = call1(method, record.iterator, received);
          else {
            // The inner iterator cannot take it: it is closed, and that is an error.
            const close = getMethod(record.iterator, "return");
            f[pending] = close === undefined ? undefined : call0(close, record.iterator);
            if (close !== undefined && !isAsync && (typeof f[pending] !== "object" || f[pending] === null))
              throwTypeError(`${describe(f[pending])} is not an object`);
            f[st] = 5;
            if (!isAsync || close === undefined) return noThrow(f, st, iterator);
            continue;
          }
        } else {
          const method = getMethod(record.iterator, "return");
          if (method === undefined) {
            f[pending] = received;
            f[st] = 4;
            if (!isAsync) {
              f[st] = undefined;
              f[iterator] = undefined;
              throw new ReturnSignal(received);
            }
            continue;
          }
          result = call1(method, record.iterator, received);
        }
        f[pending] = result;
        f[sent] = mode;
        f[st] = 2;
      }
      if (f[st] === 5) {
        const v = awaitPending(f);
        if (v === SUSPEND) return SUSPEND;
        if (typeof v !== "object" || v === null) throwTypeError(`${describe(v)} is not an object`);
        return noThrow(f, st, iterator);
      }
      if (f[st] === 4) {
        const v = awaitPending(f);
        if (v === SUSPEND) return SUSPEND;
        f[st] = undefined;
        f[iterator] = undefined;
        throw new ReturnSignal(v);
      }
      let result = f[pending];
      if (isAsync) {
        result = awaitPending(f);
        if (result === SUSPEND) return SUSPEND;
      }
      R.site = site;
      if (typeof result !== "object" || result === null) throwTypeError(`Iterator result ${describe(result)} is not an object`);
      const done = !!get(result, "done");
      if (done) {
        const value = get(result, "value");
        const asked = f[sent];
        f[st] = undefined;
        f[iterator] = undefined;
        if (asked === Mode.RETURN) throw new ReturnSignal(value);
        return discards ? undefined : value;
      }
      f[st] = 3;
      if (give === null) {
        a.out = result;
        a.pause = Pause.YIELD_RESULT;
        return SUSPEND;
      }
      f[pending] = get(result, "value");
      const v = give(f);
      if (v === SUSPEND) return SUSPEND;
    }
  };
}

function noThrow(f: Frame, st: number, iterator: number): never {
  f[st] = undefined;
  f[iterator] = undefined;
  throwTypeError("The iterator does not provide a 'throw' method");
}

/** Gives out a value of an async generator's inner iterator; what comes in is handed on as it is. */
function asyncYieldRaw(st: number, from: number): Ev {
  return (f) => {
    if (f[st] === undefined) {
      const a = f[ACTIVATION] as unknown as Activation;
      a.out = f[from];
      a.pause = Pause.YIELD;
      f[st] = 1;
      return SUSPEND;
    }
    f[st] = undefined;
    return undefined;
  };
}
