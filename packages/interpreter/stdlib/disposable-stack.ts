// DisposableStack and AsyncDisposableStack (ECMAScript, explicit resource management).

import { type AsyncBody, runAsync } from "../src/async-native.js";
import { call0, call1, protoFromNewTarget } from "../src/call.js";
import { describe } from "../src/convert.js";
import { type DisposableResource, addDisposable, disposeError } from "../src/disposal.js";
import { GuestThrow, makeError, throwReferenceError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { isCallable, newKind } from "../src/object.js";
import { newPromise, rejectPromise, resolvePromise } from "../src/promise.js";
import {
  type PropertySpec,
  alias,
  closureCode,
  define,
  defineConstructor,
  defineGlobal,
  getter,
  method,
  nativeClosure,
  ref,
  value,
} from "../src/realm.js";
import { R, charge, enterNative, leaveNative } from "../src/run-state.js";
import { Flag, rootOf } from "../src/shape.js";
import { Kind, SYM, type Value, isObject } from "../src/values.js";

/** [[DisposeCapability]] with the state. */
class StackData {
  resources: DisposableResource[] = [];
  disposed = false;
}

interface Sort {
  name: "DisposableStack" | "AsyncDisposableStack";
  kind: Kind;
  prototype: Intrinsic;
  hint: "sync" | "async";
}
const SYNC: Sort = { name: "DisposableStack", kind: Kind.DISPOSABLE_STACK, prototype: Intrinsic.DisposableStackPrototype, hint: "sync" };
const ASYNC: Sort = {
  name: "AsyncDisposableStack",
  kind: Kind.ASYNC_DISPOSABLE_STACK,
  prototype: Intrinsic.AsyncDisposableStackPrototype,
  hint: "async",
};

function thisStack(sort: Sort, t: Value, name: string): StackData {
  if (!isObject(t) || t.kind !== sort.kind)
    throwTypeError(`Method ${sort.name}.prototype.${name} called on incompatible receiver ${describe(t)}`);
  return t.d as StackData;
}

function pending(sort: Sort, t: Value, name: string): StackData {
  const d = thisStack(sort, t, name);
  if (d.disposed) throwReferenceError(`Cannot use a ${sort.name} that has already been disposed`);
  R.mem -= 64;
  return d;
}

const ADOPTED = closureCode("", 0, (fn) => {
  const { v, onDispose } = fn.d.data as { v: Value; onDispose: Value };
  return call1(onDispose, undefined, v);
});

function callback(f: Value): Value {
  if (!isCallable(f)) throwTypeError(`${describe(f)} is not a function`);
  return f;
}

/** The properties that both have. */
function common(sort: Sort): PropertySpec[] {
  return [
    getter("disposed", (t) => thisStack(sort, t, "disposed").disposed),
    method("use", 1, (t, v) => {
      const d = pending(sort, t, "use");
      addDisposable(d.resources, v, sort.hint);
      return v;
    }),
    method("adopt", 2, (t, v, onDispose) => {
      const d = pending(sort, t, "adopt");
      d.resources.push({ value: undefined, hint: sort.hint, method: nativeClosure(ADOPTED, { v, onDispose: callback(onDispose) }) });
      return v;
    }),
    method("defer", 1, (t, onDispose) => {
      const d = pending(sort, t, "defer");
      d.resources.push({ value: undefined, hint: sort.hint, method: callback(onDispose) });
      return undefined;
    }),
    method("move", 0, (t) => {
      const d = pending(sort, t, "move");
      const moved = new StackData();
      moved.resources = d.resources;
      d.resources = [];
      d.disposed = true;
      return newKind(rootOf(sort.prototype), sort.kind, moved);
    }),
    value(SYM.toStringTag, sort.name, Flag.CONFIGURABLE),
  ];
}

/** The resources of a stack that is disposed from now on, last first. */
function takeResources(d: StackData): DisposableResource[] {
  const resources = d.resources;
  charge(resources.length);
  d.resources = [];
  d.disposed = true;
  return resources.toReversed();
}

function dispose(t: Value): Value {
  const d = thisStack(SYNC, t, "dispose");
  if (d.disposed) return undefined;
  const { depth, stack } = R;
  let failure: GuestThrow | null = null;
  enterNative(400);
  for (const resource of takeResources(d)) {
    try {
      call0(resource.method, resource.value);
    } catch (e) {
      if (!(e instanceof GuestThrow)) throw e;
      R.depth = depth;
      R.stack = stack + 400;
      failure = disposeError(e, failure);
    }
  }
  leaveNative(400);
  if (failure !== null) throw failure;
  return undefined;
}

function disposeAsync(t: Value): Value {
  if (!isObject(t) || t.kind !== ASYNC.kind) {
    const promise = newPromise();
    rejectPromise(
      promise,
      makeError(
        Intrinsic.TypeErrorPrototype,
        `Method AsyncDisposableStack.prototype.disposeAsync called on incompatible receiver ${describe(t)}`,
      ),
    );
    return promise;
  }
  const d = t.d as StackData;
  if (d.disposed) {
    const promise = newPromise();
    resolvePromise(promise, undefined);
    return promise;
  }
  return runAsync(disposeResources(takeResources(d)));
}

/** DisposeResources with awaits. */
function* disposeResources(resources: DisposableResource[]): AsyncBody {
  let failure: GuestThrow | null = null;
  let needsAwait = false;
  let hasAwaited = false;
  const { depth, stack } = R;
  for (const { value: v, hint, method: f } of resources) {
    if (hint === "sync" && needsAwait && !hasAwaited) {
      yield undefined;
      needsAwait = false;
    }
    if (f === undefined) {
      needsAwait = true;
      continue;
    }
    try {
      const result = call0(f, v);
      if (hint === "async") {
        hasAwaited = true;
        yield result;
      }
    } catch (e) {
      if (!(e instanceof GuestThrow)) throw e;
      R.depth = Math.min(R.depth, depth);
      R.stack = Math.min(R.stack, stack);
      failure = disposeError(e, failure);
    }
  }
  if (needsAwait && !hasAwaited) yield undefined;
  if (failure !== null) throw failure;
  return undefined;
}

defineConstructor(Intrinsic.DisposableStack, {
  name: SYNC.name,
  length: 0,
  prototype: SYNC.prototype,
  call: null,
  construct: (_args, newTarget) => newKind(protoFromNewTarget(newTarget, SYNC.prototype), SYNC.kind, new StackData()),
});
define(Intrinsic.DisposableStackPrototype, {
  props: [
    ref("constructor", Intrinsic.DisposableStack),
    method("dispose", 0, dispose),
    alias(SYM.dispose, Intrinsic.DisposableStackPrototype, "dispose"),
    ...common(SYNC),
  ],
});
defineGlobal(SYNC.name, Intrinsic.DisposableStack);

defineConstructor(Intrinsic.AsyncDisposableStack, {
  name: ASYNC.name,
  length: 0,
  prototype: ASYNC.prototype,
  call: null,
  construct: (_args, newTarget) => newKind(protoFromNewTarget(newTarget, ASYNC.prototype), ASYNC.kind, new StackData()),
});
define(Intrinsic.AsyncDisposableStackPrototype, {
  props: [
    ref("constructor", Intrinsic.AsyncDisposableStack),
    method("disposeAsync", 0, disposeAsync),
    alias(SYM.asyncDispose, Intrinsic.AsyncDisposableStackPrototype, "disposeAsync"),
    ...common(ASYNC),
  ],
});
defineGlobal(ASYNC.name, Intrinsic.AsyncDisposableStack);
