// `using` and `await using`: resources of a scope, disposed of in reverse order when it is left.

import { type DisposableResource, addDisposable, disposeError } from "../disposal.js";
import { call0 } from "../call.js";
import { GuestThrow } from "../errors.js";
import { R } from "../run-state.js";
import { type Frame, type Value } from "../values.js";
import type { Context } from "./context.js";
import type { Scope } from "./scope.js";
import { isSeen } from "./statements.js";
import { awaitOf } from "./suspend-points.js";
import { type Ev, SUSPEND } from "./unit.js";
import { type Store, initialise } from "./variables.js";

/** Declares a resource: its method is read, then the name gets its value. */
export function withDisposal(name: string, kind: "using" | "await using", c: Context): Store {
  const put = initialise(name, c);
  const scope = c.resolve(name)!.binding.scope;
  const slot = (scope.disposeSlot ??= c.newSlot());
  const hint = kind === "using" ? "sync" : "async";
  return (f, v) => {
    addDisposable(resources(f, slot), v, hint);
    put(f, v);
  };
}

function resources(f: Frame, slot: number): DisposableResource[] {
  return f[slot] as unknown as DisposableResource[]; // set when the scope was entered
}

/** Runs a scope's body, then disposes of what it declared. */
export function disposing(body: Ev, scope: Scope, c: Context): Ev {
  const slot = (scope.disposeSlot ??= c.newSlot());
  return (f) => {
    const before = f[slot];
    const list: DisposableResource[] = [];
    f[slot] = list as unknown as Value;
    const { depth, stack } = R;
    let v: Value = undefined;
    let failure: unknown = null;
    try {
      v = body(f);
    } catch (e) {
      if (!isSeen(e)) throw e;
      R.depth = depth;
      R.stack = stack;
      failure = e;
    }
    f[slot] = before;
    for (let i = list.length - 1; i >= 0; i--) {
      const r = list[i];
      try {
        if (r.method !== undefined) call0(r.method, r.value);
      } catch (e) {
        if (!(e instanceof GuestThrow)) throw e;
        failure = disposeError(e, failure);
      }
    }
    if (failure !== null) throw failure;
    return v;
  };
}

/** The same where disposing is awaited, or the body suspends; its states are in the slots from `from` on. */
export function suspendDisposing(body: Ev, from: number, scope: Scope, c: Context): Ev {
  const to = c.fn.frameSize;
  const st = c.newSlot();
  const slot = (scope.disposeSlot ??= c.newSlot());
  const held = c.newSlot();
  const pending = c.newSlot();
  const awaitPending = awaitOf(c.newSlot(), (f) => f[pending], 0);
  const state = (f: Frame): Disposal => f[held] as unknown as Disposal;
  // States: undefined start, 1 body, 2 disposing, 3 awaiting one result.
  return (f) => {
    if (f[st] === undefined) {
      const fresh = new Disposal(f[slot], f[0]);
      f[held] = fresh as unknown as Value;
      f[slot] = fresh.list as unknown as Value;
      f[st] = 1;
    }
    const d = state(f);
    if (f[st] === 1) {
      const { depth, stack } = R;
      try {
        const v = body(f);
        if (v === SUSPEND) return SUSPEND;
        d.value = v;
      } catch (e) {
        if (!isSeen(e)) throw e;
        R.depth = depth;
        R.stack = stack;
        f[0] = d.env;
        for (let i = from; i < to; i++) f[i] = undefined;
        d.failure = e;
      }
      d.index = d.list.length - 1;
      f[st] = 2;
    }
    for (;;) {
      if (f[st] === 3) {
        try {
          if (awaitPending(f) === SUSPEND) return SUSPEND;
        } catch (e) {
          if (!(e instanceof GuestThrow)) throw e;
          d.failure = disposeError(e, d.failure);
        }
        f[st] = 2;
      }
      if (d.index < 0) break;
      const r = d.list[d.index--];
      try {
        if (r.hint === "sync") {
          if (d.needsAwait && !d.hasAwaited) {
            d.index++;
            d.needsAwait = false;
            f[pending] = undefined;
            f[st] = 3;
            continue;
          }
          if (r.method !== undefined) call0(r.method, r.value);
        } else if (r.method === undefined) d.needsAwait = true;
        else {
          d.hasAwaited = true;
          f[pending] = call0(r.method, r.value);
          f[st] = 3;
        }
      } catch (e) {
        if (!(e instanceof GuestThrow)) throw e;
        // The failure of a call that was to be awaited counts as awaited.
        d.failure = disposeError(e, d.failure);
      }
    }
    if (d.needsAwait && !d.hasAwaited) {
      d.needsAwait = false;
      f[pending] = undefined;
      f[st] = 3;
      if (awaitPending(f) === SUSPEND) return SUSPEND;
    }
    f[slot] = d.before;
    f[st] = f[held] = undefined;
    if (d.failure !== null) throw d.failure;
    return d.value;
  };
}

class Disposal {
  readonly before: Value;
  readonly env: Value;
  readonly list: DisposableResource[] = [];
  index = -1;
  value: Value = undefined;
  failure: unknown = null;
  needsAwait = false;
  hasAwaited = false;
  constructor(before: Value, env: Value) {
    this.before = before;
    this.env = env;
  }
}
