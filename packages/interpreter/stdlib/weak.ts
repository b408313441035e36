// WeakMap, WeakSet, WeakRef (ECMAScript 24.3, 24.4, 26.1). A WeakRef holds its target: when objects go must not be seen. There is no FinalizationRegistry.

import { callbackOf } from "../src/array-like.js";
import { call1, protoFromNewTarget } from "../src/call.js";
import { ENTRY_BYTES } from "../src/collections.js";
import { describe } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { forOf } from "../src/iterate.js";
import { get, isCallable, newKind } from "../src/object.js";
import { define, defineConstructor, defineGlobal, functionProperty, method, nativeCode, ref, value } from "../src/realm.js";
import { R, enterNative, leaveNative } from "../src/run-state.js";
import { Flag } from "../src/shape.js";
import { type GuestObject, Kind, SYM, type Value, isFunction } from "../src/values.js";
import { addEntries } from "./map.js";
import { isRegisteredSymbol } from "./symbol.js";

type Holdable = GuestObject | symbol;
type WeakMapData = WeakMap<Holdable, Value>;
type WeakSetData = WeakSet<Holdable>;

/** CanBeHeldWeakly. */
function canBeHeldWeakly(v: Value): v is Holdable {
  return typeof v === "symbol" ? !isRegisteredSymbol(v) : typeof v === "object" && v !== null;
}

function incompatible(t: Value, name: string): never {
  throwTypeError(`Method ${name} called on incompatible receiver ${describe(t)}`);
}

// WeakMap --------------------------------------------------------------------------------------------------------------------------

function thisWeakMap(t: Value, name: string): WeakMapData {
  if (typeof t === "object" && t !== null && t.kind === Kind.WEAK_MAP) return t.d as WeakMapData;
  return incompatible(t, `WeakMap.prototype.${name}`);
}

function setWeak(m: WeakMapData, k: Value, v: Value): void {
  if (!canBeHeldWeakly(k)) throwTypeError(`Invalid value used as weak map key: ${describe(k)}`);
  R.mem -= ENTRY_BYTES;
  m.set(k, v);
}

const SET = nativeCode("set", 2, (t, k, v) => {
  setWeak(thisWeakMap(t, "set"), k, v);
  return t;
});

defineConstructor(Intrinsic.WeakMap, {
  name: "WeakMap",
  length: 0,
  prototype: Intrinsic.WeakMapPrototype,
  call: null,
  construct(args, newTarget) {
    R.mem -= 100;
    const m: WeakMapData = new WeakMap();
    const o = newKind(protoFromNewTarget(newTarget, Intrinsic.WeakMapPrototype), Kind.WEAK_MAP, m);
    addEntries(o, args[0], SET, (k, v) => setWeak(m, k, v), "WeakMap");
    return o;
  },
});
defineGlobal("WeakMap", Intrinsic.WeakMap);

define(Intrinsic.WeakMapPrototype, {
  props: [
    ref("constructor", Intrinsic.WeakMap),
    method("delete", 1, (t, k) => {
      const m = thisWeakMap(t, "delete");
      return canBeHeldWeakly(k) && m.delete(k);
    }),
    method("get", 1, (t, k) => {
      const m = thisWeakMap(t, "get");
      return canBeHeldWeakly(k) ? m.get(k) : undefined;
    }),
    functionProperty("set", SET),
    method("has", 1, (t, k) => {
      const m = thisWeakMap(t, "has");
      return canBeHeldWeakly(k) && m.has(k);
    }),
    method("getOrInsert", 2, (t, k, v) => {
      const m = thisWeakMap(t, "getOrInsert");
      if (canBeHeldWeakly(k) && m.has(k)) return m.get(k);
      setWeak(m, k, v);
      return v;
    }),
    method("getOrInsertComputed", 2, (t, k, f) => {
      const m = thisWeakMap(t, "getOrInsertComputed");
      if (!canBeHeldWeakly(k)) throwTypeError(`Invalid value used as weak map key: ${describe(k)}`);
      const fn = callbackOf(f);
      if (m.has(k)) return m.get(k);
      enterNative(300);
      const v = fn.d.code.c1(fn, undefined, k);
      leaveNative(300);
      setWeak(m, k, v);
      return v;
    }),
    value(SYM.toStringTag, "WeakMap", Flag.CONFIGURABLE),
  ],
});

// WeakSet --------------------------------------------------------------------------------------------------------------------------

function thisWeakSet(t: Value, name: string): WeakSetData {
  if (typeof t === "object" && t !== null && t.kind === Kind.WEAK_SET) return t.d as WeakSetData;
  return incompatible(t, `WeakSet.prototype.${name}`);
}

function addWeak(s: WeakSetData, v: Value): void {
  if (!canBeHeldWeakly(v)) throwTypeError(`Invalid value used in weak set: ${describe(v)}`);
  R.mem -= ENTRY_BYTES;
  s.add(v);
}

const ADD = nativeCode("add", 1, (t, v) => {
  addWeak(thisWeakSet(t, "add"), v);
  return t;
});

defineConstructor(Intrinsic.WeakSet, {
  name: "WeakSet",
  length: 0,
  prototype: Intrinsic.WeakSetPrototype,
  call: null,
  construct(args, newTarget) {
    R.mem -= 100;
    const s: WeakSetData = new WeakSet();
    const o = newKind(protoFromNewTarget(newTarget, Intrinsic.WeakSetPrototype), Kind.WEAK_SET, s);
    const iterable = args[0];
    if (iterable === undefined || iterable === null) return o;
    const adder = get(o, "add");
    if (!isCallable(adder)) throwTypeError(`'${describe(adder)}' returned for property 'add' of object '#<WeakSet>' is not a function`);
    const builtin = isFunction(adder) && adder.d.code === ADD;
    forOf(iterable, (v) => {
      if (builtin) addWeak(s, v);
      else call1(adder, o, v);
    });
    return o;
  },
});
defineGlobal("WeakSet", Intrinsic.WeakSet);

define(Intrinsic.WeakSetPrototype, {
  props: [
    ref("constructor", Intrinsic.WeakSet),
    method("delete", 1, (t, v) => {
      const s = thisWeakSet(t, "delete");
      return canBeHeldWeakly(v) && s.delete(v);
    }),
    method("has", 1, (t, v) => {
      const s = thisWeakSet(t, "has");
      return canBeHeldWeakly(v) && s.has(v);
    }),
    functionProperty("add", ADD),
    value(SYM.toStringTag, "WeakSet", Flag.CONFIGURABLE),
  ],
});

// WeakRef --------------------------------------------------------------------------------------------------------------------------

defineConstructor(Intrinsic.WeakRef, {
  name: "WeakRef",
  length: 1,
  prototype: Intrinsic.WeakRefPrototype,
  call: null,
  construct(args, newTarget) {
    if (!canBeHeldWeakly(args[0])) throwTypeError(`WeakRef: target must be an object or a symbol of its own, not ${describe(args[0])}`);
    return newKind(protoFromNewTarget(newTarget, Intrinsic.WeakRefPrototype), Kind.WEAK_REF, args[0]);
  },
});
defineGlobal("WeakRef", Intrinsic.WeakRef);

define(Intrinsic.WeakRefPrototype, {
  props: [
    ref("constructor", Intrinsic.WeakRef),
    method("deref", 0, (t) => {
      if (typeof t === "object" && t !== null && t.kind === Kind.WEAK_REF) return t.d as Holdable;
      return incompatible(t, "WeakRef.prototype.deref");
    }),
    value(SYM.toStringTag, "WeakRef", Flag.CONFIGURABLE),
  ],
});
