// Member expressions: named, computed, private and super properties, read, written and deleted.

import { getIndexSlow, setIndexSlow } from "../array.js";
import { getV, protoOfPrimitive, toKey, toObject } from "../convert.js";
import { throwReferenceError, throwTypeError } from "../errors.js";
import {
  Accessor,
  type ArrayObject,
  type Env,
  type Frame,
  type FunctionObject,
  GuestObject,
  HOLE,
  type Key,
  Kind,
  PrivateName,
  type Value,
} from "../values.js";
import { callGetter, getFrom, keyText, setOn, throwReadOnly } from "../object.js";
import { call1 } from "../call.js";
import { LONG_TEXT, R, chargeText } from "../run-state.js";
import { ENTRY_SHIFT, Flag, load, lookup, protoOf, store } from "../shape.js";
import { forgetText } from "../parsed-text.js";
import { isPlainTyped } from "../typed-array.js";
import { isTypedArray, typedGet, typedLength, typedSet } from "../typed-array-exotic.js";
import type { GetCache } from "./cache.js";
import type { Context } from "./context.js";
import { deleteOrThrow, expression, operand } from "./expressions.js";
import { throwNullish } from "./explain.js";
import { type Expression, type estree } from "./nodes.js";
import { NAME_CALLEE, NAME_THIS } from "./scope.js";
import type { Ev } from "./unit.js";
import { localOf, localOfBinding, nearestOf, readBinding } from "./variables.js";

export function memberExpression(node: estree.MemberExpression, c: Context): Ev {
  if (node.object.type === "Super") return superGet(node, c);
  if (node.property.type === "PrivateIdentifier") {
    return privateGet(node, node.property, c);
  }
  const name = staticName(node);
  if (name !== undefined) {
    const slot = localOf(node.object, c);
    if (slot >= 0) return getNamedOfLocal(slot, name, node, c);
    return getNamed(expression(node.object, c), name, node, c);
  }
  return getComputed(node, c);
}

/** The constant name of a member expression; undefined for computed ones and for names that index. */
export function staticName(node: estree.MemberExpression): string | undefined {
  if (!node.computed) return node.property.type === "Identifier" ? node.property.name : undefined;
  const p = node.property;
  if (p.type === "Literal" && typeof p.value === "string" && !isNumericName(p.value)) return p.value;
  return undefined;
}

// Names that a typed array takes for an index.
function isNumericName(name: string): boolean {
  return name === "-0" || String(Number(name)) === name;
}

// Named ----------------------------------------------------------------------------------------------------------------------------

export function getNamed(object: Ev, name: string, node: { start: number; end: number }, c: Context): Ev {
  const site = c.site(positionOf(node));
  if (name === "length") return getLength(object, site, node, c);
  const cache = c.unit.getCache(name);
  return (f) => {
    const o = object(f);
    if (typeof o === "object" && o !== null) {
      if (o.shape !== cache.shape) return cache.find(o.shape, o, o);
      const { slot: at } = cache;
      return (at === 0 ? o.s0 : at === 1 ? o.s1 : load(o, at)) as Value; // most objects are small
    }
    if (o === undefined || o === null) throwNullish(o, name, site, f, objectOf(node), c);
    return cache.getValue(o);
  };
}

/** A local, as a factor of a product. */
export interface Local {
  slot: number;
}

/** The remainder of a local by a number, as an operand. */
export interface Remainder extends Local {
  divisor: number;
}

/** A named property of a local, as an operand. */
export interface Property {
  slot: number;
  cache: GetCache;
  at: ReadSite;
}

/** Where a property of `object` is read, for a message. */
export interface ReadSite {
  site: number;
  object: Expression;
  c: Context;
}

/** The operand of `local.name`; null for other members. */
export function propertyOfLocal(node: estree.MemberExpression, c: Context): Property | null {
  if (node.object.type === "Super" || node.optional || node.property.type === "PrivateIdentifier") return null;
  const name = staticName(node);
  const { object } = node;
  const slot = localOf(object, c);
  if (name === undefined || name === "length" || slot < 0) return null;
  return { slot, cache: c.unit.getCache(name), at: { site: c.site(node.property), object, c } };
}

/** The value of `o.name` where the cache's first entry did not hit. */
export function readForUpdate(o: Value, cache: GetCache, { site, object, c }: ReadSite, f: Frame): Value {
  if (o === undefined || o === null) throwNullish(o, String(cache.key), site, f, object, c);
  return cache.getValue(o);
}

function getNamedOfLocal(slot: number, name: string, node: { start: number; end: number }, c: Context): Ev {
  const site = c.site(positionOf(node));
  if (name === "length") return getLength((f) => f[slot], site, node, c);
  const cache = c.unit.getCache(name);
  return (f) => {
    const o = f[slot];
    if (typeof o === "object" && o !== null) {
      if (o.shape !== cache.shape) return cache.find(o.shape, o, o);
      const { slot: at } = cache;
      return (at === 0 ? o.s0 : at === 1 ? o.s1 : load(o, at)) as Value; // most objects are small
    }
    if (o === undefined || o === null) throwNullish(o, name, site, f, objectOf(node), c);
    return cache.getValue(o);
  };
}

/** A message about a member points at the property. */
function positionOf(node: { start: number; end: number }): { start: number } {
  const m = node as Partial<estree.MemberExpression>;
  return m.type === "MemberExpression" && m.property !== undefined ? m.property : node;
}

/** What stands before a member's point. */
function objectOf(node: { start: number; end: number }): Expression | undefined {
  const m = node as Partial<estree.MemberExpression>;
  return m.type === "MemberExpression" ? (m.object as Expression) : undefined;
}

function getLength(object: Ev, site: number, node: { start: number; end: number }, c: Context): Ev {
  const cache = c.unit.getCache("length");
  return (f) => {
    const o = object(f);
    if (typeof o === "string") return o.length;
    if (typeof o === "object" && o !== null) {
      if (o.kind === Kind.ARRAY) return (o.d as Value[]).length;
      if (isTypedArray(o) && isPlainTyped(o)) return typedLength(o.d);
      return cache.find(o.shape, o, o);
    }
    if (o === undefined || o === null) throwNullish(o, "length", site, f, objectOf(node), c);
    return cache.getValue(o);
  };
}

// Computed -------------------------------------------------------------------------------------------------------------------------

function getComputed(node: estree.MemberExpression, c: Context): Ev {
  const o = operand(node.object as Expression, c);
  const k = operand(node.property as Expression, c);
  const site = c.site(node.property);
  if (o.shape === "L" && k.shape === "L") {
    const i = o.value;
    const j = k.value;
    return (f) => {
      const object = f[i];
      const key = f[j];
      if (typeof key === "number" && typeof object === "object" && object !== null && object.kind === Kind.ARRAY) {
        const d = object.d as Value[];
        if (key >= 0 && key < d.length) {
          const v = d[key];
          if (v !== HOLE && v !== undefined) return v;
        }
      }
      return getElement(object, key, site, f, node, c);
    };
  }
  const object = o.shape === "X" ? o.value : expression(node.object as Expression, c);
  if (k.shape === "N") {
    const key = k.value;
    return (f) => {
      const v = object(f);
      if (typeof v === "object" && v !== null && v.kind === Kind.ARRAY) {
        const d = v.d as Value[];
        if (key >= 0 && key < d.length) {
          const e = d[key];
          if (e !== HOLE && e !== undefined) return e;
        }
      }
      return getElement(v, key, site, f, node, c);
    };
  }
  if (k.shape === "L") {
    const j = k.value;
    return (f) => {
      const v = object(f);
      const index = f[j];
      if (typeof index === "number" && typeof v === "object" && v !== null && v.kind === Kind.ARRAY) {
        const d = v.d as Value[];
        if (index >= 0 && index < d.length) {
          const e = d[index];
          if (e !== HOLE && e !== undefined) return e;
        }
      }
      return getElement(v, index, site, f, node, c);
    };
  }
  const key = k.shape === "X" ? k.value : expression(node.property as Expression, c);
  return (f) => {
    const v = object(f);
    const index = key(f);
    if (typeof index === "number" && typeof v === "object" && v !== null && v.kind === Kind.ARRAY) {
      const d = v.d as Value[];
      if (index >= 0 && index < d.length) {
        const e = d[index];
        if (e !== HOLE && e !== undefined) return e;
      }
    }
    return getElement(v, index, site, f, node, c);
  };
}

/** `v[key]` for any value and any key. */
export function getElement(v: Value, key: Value, site: number, f?: Frame, node?: estree.MemberExpression, c?: Context): Value {
  if (typeof v === "object" && v !== null) {
    if (typeof key === "number") {
      if (v.kind === Kind.ARRAY) {
        const d = v.d as Value[];
        if (key >>> 0 === key && key < d.length) {
          const e = d[key];
          if (e !== HOLE) return e;
        }
        return getIndexSlow(v, key);
      }
      if (v.kind === Kind.TYPED_ARRAY) return typedGet(v, key);
    } else if (typeof key === "string") {
      if (key.length > LONG_TEXT) chargeText(key.length);
      const shape = v.shape;
      if (shape.dict && v.kind < Kind.ARRAY) {
        const entry = shape.table!.get(key);
        if (entry !== undefined && (entry & (Flag.ACCESSOR | Flag.LAZY)) === 0) return load(v, entry >> ENTRY_SHIFT) as Value;
      }
      return getFrom(v, key, v);
    }
    R.site = site;
    return getFrom(v, toKey(key), v);
  }
  if (typeof v === "string" && typeof key === "number") {
    if (key >>> 0 === key && key < v.length) return v[key];
    return getFrom(protoOfPrimitive(v), String(key), v);
  }
  if (v === undefined || v === null)
    throwNullish(
      v,
      typeof key === "object" && key !== null ? "[object]" : keyText(typeof key === "symbol" ? key : String(key)),
      site,
      f,
      node?.object as Expression | undefined,
      c,
    );
  R.site = site;
  return getV(v, toKey(key));
}

// Writing --------------------------------------------------------------------------------------------------------------------------

/** `v[key] = value`. The key is converted after the value is there, as PutValue does. */
export function setElement(v: Value, key: Value, value: Value, site: number): void {
  if (typeof v === "object" && v !== null) {
    if (typeof key === "number") {
      if (v.kind === Kind.ARRAY) {
        if (R.texts) forgetText(v);
        const d = v.d as Value[];
        if (key >>> 0 === key && key < d.length && d[key] !== HOLE) {
          d[key] = value;
          return;
        }
        R.site = site;
        if (!setIndexSlow(v as ArrayObject, key, value)) throwReadOnly(v, String(key));
        return;
      }
      if (v.kind === Kind.TYPED_ARRAY) {
        R.site = site;
        if (!typedSet(v, key, value)) throwReadOnly(v, String(key));
        return;
      }
    } else if (typeof key === "string" && v.kind < Kind.ARRAY && v.kind !== Kind.FUNCTION && key.length <= LONG_TEXT) {
      const shape = v.shape;
      if (shape.dict && !R.texts) {
        const entry = shape.table!.get(key);
        if (entry !== undefined && (entry & (Flag.ACCESSOR | Flag.LAZY | Flag.WRITABLE)) === Flag.WRITABLE) {
          store(v, entry >> ENTRY_SHIFT, value);
          return;
        }
      }
    }
    R.site = site;
    const k = toKey(key);
    if (R.texts) forgetText(v);
    if (!setOn(v, k, value, v)) throwReadOnly(v, k);
    return;
  }
  R.site = site;
  if (v === undefined || v === null)
    throwTypeError(
      `Cannot set properties of ${v} (setting '${typeof key === "object" ? "[object]" : keyText(typeof key === "symbol" ? key : String(key))}')`,
    );
  const k = toKey(key);
  if (!setOn(protoOfPrimitive(v), k, value, v)) throwReadOnly(v, k);
}

export function deleteMember(node: estree.MemberExpression, c: Context): Ev {
  const site = c.site(node);
  if (node.object.type === "Super") {
    const self = readBinding(c.resolve(NAME_THIS)!, node, c);
    const key = node.computed ? expression(node.property as Expression, c) : null;
    return (f) => {
      self(f);
      key?.(f);
      R.site = site;
      throwReferenceError("Unsupported reference to 'super'");
    };
  }
  const object = expression(node.object, c);
  const name = staticName(node);
  const key = name === undefined ? expression(node.property as Expression, c) : null;
  return (f) => {
    const v = object(f);
    const k = key === null ? name! : key(f);
    R.site = site;
    if (v === undefined || v === null) throwTypeError(`Cannot convert undefined or null to object`);
    const o = toObject(v);
    const pk = toKey(k);
    if (R.texts) forgetText(o);
    return deleteOrThrow(o, pk);
  };
}

// Private --------------------------------------------------------------------------------------------------------------------------

export function privateName(id: estree.PrivateIdentifier, c: Context): (f: Frame) => PrivateName {
  return readBinding(c.resolve(`#${id.name}`)!, id, c) as unknown as (f: Frame) => PrivateName; // the binding of a private name holds nothing else
}

/** The slot of the current environment that a private name stands in, or -1: then `privateName` finds it. */
export function privateNameSlot(id: estree.PrivateIdentifier, c: Context): number {
  return nearestOf(c.resolve(`#${id.name}`)!, id, c);
}

function privateGet(node: estree.MemberExpression, id: estree.PrivateIdentifier, c: Context): Ev {
  const object = expression(node.object as Expression, c);
  const slot = localOf(node.object, c);
  const name = privateName(id, c);
  const nameSlot = privateNameSlot(id, c);
  const cache = c.unit.privateCache();
  const read = privateRead(c.site(id), c, cache);
  return (f) => {
    const o = slot >= 0 ? f[slot] : object(f);
    const n = nameSlot >= 0 ? ((f[0] as unknown as Env)[nameSlot] as unknown as PrivateName) : name(f);
    if (typeof o === "object" && o !== null && o.shape === cache.shape && n === cache.name) return load(o, cache.slot) as Value;
    return read(o, n);
  };
}

/** PrivateGet at one site. */
export function privateRead(site: number, c: Context, cache = c.unit.privateCache()): (o: Value, name: PrivateName) => Value {
  const other = (o: Value, name: PrivateName): Value => {
    const entry = typeof o === "object" && o !== null ? lookup(o.shape, name) : -1;
    if (entry < 0) {
      R.site = site;
      throwTypeError(`Cannot read private member ${name.description} from an object whose class did not declare it`);
    }
    const object = o as GuestObject;
    const v = load(object, entry >> ENTRY_SHIFT);
    if ((entry & Flag.ACCESSOR) === 0) {
      cache.learn(object.shape, name, entry >> ENTRY_SHIFT);
      return v as Value;
    }
    const a = v as Accessor;
    R.site = site;
    if (a.get === undefined) throwTypeError(`'${name.description}' was defined without a getter`);
    return callGetter(a, o);
  };
  return (o, name) => {
    if (typeof o === "object" && o !== null) {
      const { shape } = o;
      if (shape === cache.shape && name === cache.name) return load(o, cache.slot) as Value;
      const slot = cache.find(shape, name);
      if (slot >= 0) return load(o, slot) as Value;
    }
    return other(o, name);
  };
}

/** PrivateSet at one site. */
export function privateWrite(site: number, c: Context, cache = c.unit.privateCache()): (o: Value, name: PrivateName, v: Value) => void {
  const other = (o: Value, name: PrivateName, v: Value): void => {
    const entry = typeof o === "object" && o !== null ? lookup(o.shape, name) : -1;
    if (entry < 0) {
      R.site = site;
      throwTypeError(`Cannot write private member ${name.description} to an object whose class did not declare it`);
    }
    const object = o as GuestObject;
    if ((entry & Flag.ACCESSOR) !== 0) {
      const a = load(object, entry >> ENTRY_SHIFT) as Accessor;
      R.site = site;
      if (a.set === undefined) throwTypeError(`'${name.description}' was defined without a setter`);
      call1(a.set, object, v);
      return;
    }
    if ((entry & Flag.WRITABLE) === 0) {
      R.site = site;
      throwTypeError(`Private method '${name.description}' is not writable`);
    }
    cache.learn(object.shape, name, entry >> ENTRY_SHIFT);
    store(object, entry >> ENTRY_SHIFT, v);
  };
  return (o, name, v) => {
    if (typeof o === "object" && o !== null) {
      const { shape } = o;
      if (shape === cache.shape && name === cache.name) return store(o, cache.slot, v);
      const slot = cache.find(shape, name);
      if (slot >= 0) return store(o, slot, v);
    }
    other(o, name, v);
  };
}

// Super ----------------------------------------------------------------------------------------------------------------------------

/** The object on which `super.x` is looked up. */
export function superBase(node: { start: number; end: number }, c: Context): (f: Frame) => Value {
  const callee = readBinding(c.resolve(NAME_CALLEE)!, node, c);
  const slot = localOfBinding(c.resolve(NAME_CALLEE)!, node, c);
  return (f) => {
    const { home } = ((slot >= 0 ? f[slot] : callee(f)) as FunctionObject).d;
    return home === null ? undefined : protoOf(home.shape); // no proxy has methods of its own
  };
}

function superGet(node: estree.MemberExpression, c: Context): Ev {
  const self = readBinding(c.resolve(NAME_THIS)!, node, c);
  const base = superBase(node, c);
  const site = c.site(node);
  const name = staticName(node);
  if (name !== undefined) {
    const read = superRead(name, site, c);
    return (f) => {
      const t = self(f);
      return read(base(f), t);
    };
  }
  const key = expression(node.property as Expression, c);
  return (f) => {
    const t = self(f);
    const k = key(f);
    const b = base(f);
    R.site = site;
    return getSuper(b, toKey(k), t, site);
  };
}

/** `super.name`: looked up from `base`, read with the receiver. */
export function superRead(name: string, site: number, c: Context): (base: Value, receiver: Value) => Value {
  const cache = c.unit.getCache(name);
  return (base, receiver) => {
    if (typeof base !== "object" || base === null) throwNullish(base, name, site);
    R.site = site;
    return cache.find(base.shape, base, receiver);
  };
}

export function getSuper(base: Value, key: Key, receiver: Value, site: number): Value {
  if (typeof base !== "object" || base === null) throwNullish(base, keyText(key), site);
  return getFrom(base, key, receiver);
}

export function setSuper(base: Value, key: Key, v: Value, receiver: Value, site: number): void {
  R.site = site;
  if (typeof base !== "object" || base === null)
    throwTypeError(`Cannot set properties of ${base === null ? "null" : "undefined"} (setting '${keyText(key)}')`);
  if (!setOn(base, key, v, receiver)) throwReadOnly(receiver, key);
}
