// Map (ECMAScript 24.1). `d` is a host Map: it compares as the specification does, and its iterators are live as the specification's are.

import { newArray } from "../src/array.js";
import { callbackOf } from "../src/array-like.js";
import { call2, protoFromNewTarget } from "../src/call.js";
import { type MapData, setEntry } from "../src/collections.js";
import { describe } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { NativeIterator, forOf, nextCode } from "../src/iterate.js";
import { get, isCallable, newKind } from "../src/object.js";
import { alias, define, defineConstructor, defineGlobal, functionProperty, getter, method, nativeCode, ref, value } from "../src/realm.js";
import { R, charge, chargeKey, enterNative, leaveNative } from "../src/run-state.js";
import { Flag, rootOf } from "../src/shape.js";
import { type Code, type GuestObject, HOLE, Kind, SYM, type Value, isFunction, isObject } from "../src/values.js";
import { groupBy } from "./group-by.js";

function thisMap(t: Value, name: string): MapData {
  if (typeof t === "object" && t !== null && t.kind === Kind.MAP) return t.d as MapData;
  throwTypeError(`Method Map.prototype.${name} called on incompatible receiver ${describe(t)}`);
}

const SET = nativeCode("set", 2, (t, k, v) => {
  setEntry(thisMap(t, "set"), k, v);
  return t;
});

/** An object of Kind.MAP with the entries of an iterable, by the method `set` that it has (AddEntriesFromIterable). */
export function addEntries(target: GuestObject, iterable: Value, builtin: Code, direct: (k: Value, v: Value) => void, name: string): void {
  if (iterable === undefined || iterable === null) return;
  const adder = get(target, "set");
  if (!isCallable(adder)) throwTypeError(`'${describe(adder)}' returned for property 'set' of object '#<${name}>' is not a function`);
  const isBuiltin = isFunction(adder) && adder.d.code === builtin;
  forOf(iterable, (item) => {
    if (!isObject(item)) throwTypeError(`Iterator value ${describe(item)} is not an entry object`);
    const d = item.kind === Kind.ARRAY ? (item.d as Value[]) : null;
    let k: Value;
    let v: Value;
    if (d !== null && d.length > 1 && d[0] !== HOLE && d[1] !== HOLE) {
      k = d[0];
      v = d[1];
    } else {
      k = get(item, "0");
      v = get(item, "1");
    }
    if (isBuiltin) direct(k, v);
    else call2(adder, target, k, v);
  });
}

defineConstructor(Intrinsic.Map, {
  name: "Map",
  length: 0,
  prototype: Intrinsic.MapPrototype,
  call: null,
  construct(args, newTarget) {
    R.mem -= 100;
    const m: MapData = new Map();
    const o = newKind(protoFromNewTarget(newTarget, Intrinsic.MapPrototype), Kind.MAP, m);
    addEntries(o, args[0], SET, (k, v) => setEntry(m, k, v), "Map");
    return o;
  },
  props: [
    getter(SYM.species, (t) => t),
    method("groupBy", 2, (_t, items, callback) => {
      const m: MapData = new Map();
      for (const [key, group] of groupBy(items, callback, "value")) setEntry(m, key, newArray(group));
      return newKind(rootOf(Intrinsic.MapPrototype), Kind.MAP, m);
    }),
  ],
});
defineGlobal("Map", Intrinsic.Map);

define(Intrinsic.MapPrototype, {
  props: [
    ref("constructor", Intrinsic.Map),
    method("get", 1, (t, k) => (chargeKey(k), thisMap(t, "get").get(k))),
    functionProperty("set", SET),
    method("has", 1, (t, k) => (chargeKey(k), thisMap(t, "has").has(k))),
    method("delete", 1, (t, k) => (chargeKey(k), thisMap(t, "delete").delete(k))),
    method("clear", 0, (t) => {
      const m = thisMap(t, "clear");
      charge(m.size >>> 4);
      m.clear();
      return undefined;
    }),
    method("entries", 0, (t) => mapIterator(thisMap(t, "entries").entries(), true)),
    method("forEach", 1, (t, f, thisArg) => {
      const m = thisMap(t, "forEach");
      const fn = callbackOf(f);
      const code = fn.d.code;
      enterNative(200);
      for (const [k, v] of m) {
        if (--R.fuel < 0) R.run.outOfFuel();
        code.c3(fn, thisArg, v, k, t);
      }
      leaveNative(200);
      return undefined;
    }),
    method("keys", 0, (t) => mapIterator(thisMap(t, "keys").keys(), false)),
    getter("size", (t) => thisMap(t, "size").size),
    method("values", 0, (t) => mapIterator(thisMap(t, "values").values(), false)),
    method("getOrInsert", 2, (t, k, v) => {
      const m = thisMap(t, "getOrInsert");
      chargeKey(k);
      if (m.has(k)) return m.get(k);
      setEntry(m, k, v);
      return v;
    }),
    method("getOrInsertComputed", 2, (t, k, f) => {
      const m = thisMap(t, "getOrInsertComputed");
      const fn = callbackOf(f);
      chargeKey(k);
      const key = k === 0 ? 0 : k; // -0 is 0 as a key
      if (m.has(key)) return m.get(key);
      enterNative(300);
      const v = fn.d.code.c1(fn, undefined, key);
      leaveNative(300);
      setEntry(m, key, v);
      return v;
    }),
    value(SYM.toStringTag, "Map", Flag.CONFIGURABLE),
    alias(SYM.iterator, Intrinsic.MapPrototype, "entries"),
  ],
});

class MapIterator extends NativeIterator {
  private readonly items: Iterator<Value | [Value, Value]>;
  private readonly pairs: boolean;
  constructor(items: Iterator<Value | [Value, Value]>, pairs: boolean) {
    super();
    this.items = items;
    this.pairs = pairs;
  }
  get nextCode(): Code {
    return NEXT;
  }
  step(): Value {
    const { value: item, done } = this.items.next();
    if (done === true) return HOLE;
    // The host's entries are fresh arrays of the elements kind that ours have.
    return this.pairs ? newArray(item as [Value, Value]) : (item as Value);
  }
}
const NEXT: Code = nextCode("Map Iterator", MapIterator);

function mapIterator(items: Iterator<Value | [Value, Value]>, pairs: boolean): GuestObject {
  R.mem -= 80;
  return newKind(rootOf(Intrinsic.MapIteratorPrototype), Kind.ITERATOR, new MapIterator(items, pairs));
}

define(Intrinsic.MapIteratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [functionProperty("next", NEXT), value(SYM.toStringTag, "Map Iterator", Flag.CONFIGURABLE)],
});
