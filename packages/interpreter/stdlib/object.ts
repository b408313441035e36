// The Object constructor (ECMAScript 20.1.2).

import { newArray, newElements } from "../src/array.js";
import { protoFromNewTarget } from "../src/call.js";
import { describe, toKey, toObject } from "../src/convert.js";
import { fromOwnProperty, toPropertyDescriptor } from "../src/descriptor.js";
import { throwTypeError } from "../src/errors.js";
import { setIntegrityLevel, testIntegrityLevel } from "../src/integrity.js";
import { Intrinsic } from "../src/intrinsics.js";
import { forOf } from "../src/iterate.js";
import {
  type Descriptor,
  createData,
  definePropertyOrThrow,
  get,
  getOwn,
  getPrototypeOf,
  hasOwn,
  isExtensible,
  newKind,
  newObject,
  newObjectWith,
  ownKeys,
  preventExtensions,
  set,
  setPrototypeOf,
} from "../src/object.js";
import { defineConstructor, defineGlobal, intrinsic, method, variadic } from "../src/realm.js";
import { charge, enterNative, isSame, leaveNative } from "../src/run-state.js";
import { ENTRY_SHIFT, Flag, load, lookup, tableOf } from "../src/shape.js";
import { FIRST_EXOTIC, type GuestObject, HOLE, type Key, Kind, type Value, isObject } from "../src/values.js";
import { wellKnown } from "../src/well-known.js";
import { groupBy } from "./group-by.js";

defineConstructor(Intrinsic.Object, {
  name: "Object",
  length: 1,
  prototype: Intrinsic.ObjectPrototype,
  call: (_t, args) => objectFrom(args[0]),
  construct(args, newTarget) {
    if (newTarget !== intrinsic(Intrinsic.Object))
      return newKind(protoFromNewTarget(newTarget, Intrinsic.ObjectPrototype), Kind.ORDINARY, undefined);
    return objectFrom(args[0]);
  },
  props: [
    variadic("assign", 2, (_t, args) => {
      const to = toObject(args[0]);
      enterNative(300);
      for (let i = 1; i < args.length; i++) assign(to, args[i]);
      leaveNative(300);
      return to;
    }),
    method("getOwnPropertyDescriptor", 2, (_t, v, key) => {
      const o = toObject(v);
      return fromOwnProperty(getOwn(o, toKey(key)));
    }),
    method("getOwnPropertyDescriptors", 1, (_t, v) => {
      const o = toObject(v);
      const out = newObject();
      for (const key of ownKeys(o)) {
        const desc = fromOwnProperty(getOwn(o, key));
        if (desc !== undefined) createData(out, key, desc);
      }
      return out;
    }),
    method("getOwnPropertyNames", 1, (_t, v) => keysOfType(toObject(v), "string")),
    method("getOwnPropertySymbols", 1, (_t, v) => keysOfType(toObject(v), "symbol")),
    method("hasOwn", 2, (_t, v, key) => {
      const o = toObject(v);
      return hasOwn(o, toKey(key));
    }),
    method("is", 2, (_t, a, b) => (typeof a === "string" ? isSame(a, b) : Object.is(a, b))),
    method("preventExtensions", 1, (_t, v) => {
      if (isObject(v) && !preventExtensions(v)) throwTypeError("Cannot prevent extensions");
      return v;
    }),
    method("seal", 1, (_t, v) => {
      if (isObject(v) && !setIntegrityLevel(v, "sealed")) throwTypeError("Cannot seal");
      return v;
    }),
    method("create", 2, (_t, proto, properties) => {
      if (typeof proto !== "object") throwTypeError(`Object prototype may only be an Object or null: ${describe(proto)}`);
      const o = newObjectWith(proto);
      return properties === undefined ? o : defineProperties(o, properties);
    }),
    method("defineProperties", 2, (_t, o, properties) => {
      if (!isObject(o)) throwTypeError("Object.defineProperties called on non-object");
      return defineProperties(o, properties);
    }),
    method("defineProperty", 3, (_t, o, key, attributes) => {
      if (!isObject(o)) throwTypeError("Object.defineProperty called on non-object");
      const k = toKey(key);
      definePropertyOrThrow(o, k, toPropertyDescriptor(attributes));
      return o;
    }),
    method("freeze", 1, (_t, v) => {
      if (isObject(v) && !setIntegrityLevel(v, "frozen")) throwTypeError("Cannot freeze");
      return v;
    }),
    method("getPrototypeOf", 1, (_t, v) => getPrototypeOf(toObject(v))),
    method("setPrototypeOf", 2, (_t, v, proto) => {
      if (v === undefined || v === null) throwTypeError("Object.setPrototypeOf called on null or undefined");
      if (typeof proto !== "object") throwTypeError(`Object prototype may only be an Object or null: ${describe(proto)}`);
      if (isObject(v) && !setPrototypeOf(v, proto)) throwRefusedPrototype(v);
      return v;
    }),
    method("isExtensible", 1, (_t, v) => isObject(v) && isExtensible(v)),
    method("isFrozen", 1, (_t, v) => !isObject(v) || testIntegrityLevel(v, "frozen")),
    method("isSealed", 1, (_t, v) => !isObject(v) || testIntegrityLevel(v, "sealed")),
    method("keys", 1, (_t, v) => enumerableOwn(toObject(v), "key")),
    method("entries", 1, (_t, v) => enumerableOwn(toObject(v), "entry")),
    method("fromEntries", 1, (_t, iterable) => {
      if (iterable === undefined || iterable === null) throwTypeError(`${describe(iterable)} is not iterable`);
      const o = newObject();
      forOf(iterable, (item) => {
        if (!isObject(item)) throwTypeError(`Iterator value ${describe(item)} is not an entry object`);
        const d = item.kind === Kind.ARRAY ? (item.d as Value[]) : undefined;
        if (d !== undefined && d.length > 1 && d[0] !== HOLE && d[1] !== HOLE) {
          const v = d[1];
          const k = d[0];
          createData(o, toKey(k), v);
        } else {
          const k = get(item, "0");
          const v = get(item, "1");
          createData(o, toKey(k), v);
        }
      });
      return o;
    }),
    method("values", 1, (_t, v) => enumerableOwn(toObject(v), "value")),
    method("groupBy", 2, (_t, items, callback) => {
      const o = newObjectWith(null);
      for (const [key, group] of groupBy(items, callback, "property")) createData(o, key as Key, newArray(group)); // groupBy made them keys
      return o;
    }),
  ],
});
defineGlobal("Object", Intrinsic.Object);

function objectFrom(v: Value): GuestObject {
  return v === undefined || v === null ? newObject() : toObject(v);
}

/** Says why a prototype was refused. */
export function throwRefusedPrototype(o: GuestObject): never {
  if (o.kind === Kind.PROXY) throwTypeError("'setPrototypeOf' on proxy: trap returned falsish");
  if (o.shape.intrinsicId === Intrinsic.ObjectPrototype)
    throwTypeError("Immutable prototype object 'Object.prototype' cannot have their prototype set");
  if (!o.shape.extensible) throwTypeError(`${describe(o)} is not extensible`);
  throwTypeError("Cyclic __proto__ value");
}

/** ObjectDefineProperties. */
function defineProperties(o: GuestObject, properties: Value): GuestObject {
  const props = toObject(properties);
  const list: [Key, Descriptor][] = [];
  enterNative(200);
  for (const key of ownKeys(props)) {
    const own = getOwn(props, key);
    if (own !== undefined && (own.flags & Flag.ENUMERABLE) !== 0) list.push([key, toPropertyDescriptor(get(props, key))]);
  }
  for (const [key, desc] of list) definePropertyOrThrow(o, key, desc);
  leaveNative(200);
  return o;
}

/** One source of Object.assign: CopyDataProperties with [[Set]]. */
function assign(to: GuestObject, source: Value): void {
  if (source === undefined || source === null) return;
  const from = toObject(source);
  if (wellKnown.assign.assign(to, from)) return;
  const shape = from.shape;
  if (from.kind < FIRST_EXOTIC && !shape.dict && !shape.template && !shape.hasIndexKeys) {
    // The layout of a tree shape never changes: its table is the list of keys, as long as `from` has the shape.
    charge(shape.count);
    let symbols = false;
    for (const [key, entry] of tableOf(shape)) {
      if (typeof key === "symbol") symbols = true;
      if (typeof key === "string") assignOne(to, from, key, from.shape === shape ? entry : lookup(from.shape, key));
    }
    if (!symbols) return;
    for (const [key, entry] of tableOf(shape))
      if (typeof key === "symbol") assignOne(to, from, key, from.shape === shape ? entry : lookup(from.shape, key));
    return;
  }
  for (const key of ownKeys(from)) {
    const own = getOwn(from, key);
    if (own !== undefined && (own.flags & Flag.ENUMERABLE) !== 0) set(to, key, get(from, key));
  }
}

function assignOne(to: GuestObject, from: GuestObject, key: Key, entry: number): void {
  if (entry < 0 || (entry & Flag.ENUMERABLE) === 0) return;
  set(to, key, (entry & (Flag.ACCESSOR | Flag.LAZY)) === 0 ? (load(from, entry >> ENTRY_SHIFT) as Value) : get(from, key));
}

/** GetOwnPropertyKeys. */
function keysOfType(o: GuestObject, type: "string" | "symbol"): Value {
  const out = newElements();
  for (const key of ownKeys(o)) if (typeof key === type) out.push(key);
  return newArray(out);
}

/** EnumerableOwnProperties as an array. */
function enumerableOwn(o: GuestObject, what: "key" | "value" | "entry"): Value {
  const out = newElements();
  const shape = o.shape;
  if (o.kind < FIRST_EXOTIC && !shape.hasIndexKeys && !shape.template && ownFast(o, what, out)) return newArray(out);
  if (o.kind === Kind.ARRAY && shape.count === 0) {
    const d = o.d as Value[];
    charge(d.length);
    for (let i = 0; i < d.length; i++) if (d[i] !== HOLE) out.push(entryItem(what, String(i), d[i]));
    return newArray(out);
  }
  for (const key of ownKeys(o)) {
    if (typeof key !== "string") continue;
    const own = getOwn(o, key);
    if (own === undefined || (own.flags & Flag.ENUMERABLE) === 0) continue;
    out.push(what === "key" ? key : entryItem(what, key, get(o, key)));
  }
  return newArray(out);
}

/** From the table, if no getter can run; false (with nothing added) if one could. */
function ownFast(o: GuestObject, what: "key" | "value" | "entry", out: Value[]): boolean {
  const table = tableOf(o.shape);
  charge(table.size);
  if (what === "key") {
    for (const [key, entry] of table) if ((entry & Flag.ENUMERABLE) !== 0 && typeof key === "string") out.push(key);
    return true;
  }
  for (const [key, entry] of table) {
    if ((entry & Flag.ENUMERABLE) === 0 || typeof key !== "string") continue;
    if ((entry & (Flag.ACCESSOR | Flag.LAZY)) !== 0) {
      out.length = 0;
      return false;
    }
    out.push(entryItem(what, key, load(o, entry >> ENTRY_SHIFT) as Value));
  }
  return true;
}

function entryItem(what: "key" | "value" | "entry", key: string, v: Value): Value {
  if (what === "key") return key;
  if (what === "value") return v;
  return newArray([key, v]);
}
