// The essential internal methods of objects (ECMAScript 10.1), for ordinary objects here, for exotic ones through EXOTIC.

import { throwTypeError } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { makeLazy } from "./lazy-slots.js";
import { currentRealm } from "./realm.js";
import { forgetText } from "./parsed-text.js";
import { R, allocate, charge, enterNative, leaveNative } from "./run-state.js";
import {
  DATA,
  ENTRY_SHIFT,
  FLAGS_MASK,
  Flag,
  type Shape,
  addProperty,
  applyIntegrity,
  arrayIndex,
  changeFlags,
  changeProto,
  childShape,
  layoutChanged,
  load,
  lookup,
  protoOf,
  removeProperty,
  rootFor,
  rootOf,
  store,
  tableOf,
  toDictionary,
  writeSlot,
} from "./shape.js";
import {
  Accessor,
  type AnyKey,
  FIRST_EXOTIC,
  type FunctionObject,
  GuestObject,
  type Key,
  Kind,
  LAZY,
  PrivateName,
  SYM,
  type Slot,
  type Value,
  isFunction,
} from "./values.js";

export const enum Has {
  VALUE = 1,
  WRITABLE = 2,
  GET = 4,
  SET = 8,
  ENUMERABLE = 16,
  CONFIGURABLE = 32,
}

/** A Property Descriptor: `has` says which fields are present, `flags` holds the boolean ones (Flag.WRITABLE …). */
export class Descriptor {
  has: number;
  flags: number;
  value: Value;
  get: GuestObject | undefined;
  set: GuestObject | undefined;
  constructor(has: number, flags: number, value: Value, get?: GuestObject, set?: GuestObject) {
    this.has = has;
    this.flags = flags;
    this.value = value;
    this.get = get;
    this.set = set;
  }
}

const ALL_DATA = Has.VALUE | Has.WRITABLE | Has.ENUMERABLE | Has.CONFIGURABLE;

/** A complete data descriptor. */
export function dataDescriptor(value: Value, flags: number = DATA): Descriptor {
  return new Descriptor(ALL_DATA, flags, value);
}

/** A complete accessor descriptor. */
export function accessorDescriptor(get: GuestObject | undefined, set: GuestObject | undefined, flags: number): Descriptor {
  return new Descriptor(Has.GET | Has.SET | Has.ENUMERABLE | Has.CONFIGURABLE, flags, undefined, get, set);
}

/** An own property as it is: a complete descriptor in the form in which slots hold it. */
export class OwnProperty {
  readonly slot: Slot;
  readonly flags: number;
  constructor(slot: Slot, flags: number) {
    this.slot = slot;
    this.flags = flags & ~Flag.LAZY;
  }
}

/** The internal methods of an exotic kind. Methods that a kind does not override call the ordinary ones. */
export interface Exotic {
  getOwn(o: GuestObject, key: Key): OwnProperty | undefined;
  defineOwn(o: GuestObject, key: Key, desc: Descriptor): boolean;
  has(o: GuestObject, key: Key): boolean;
  get(o: GuestObject, key: Key, receiver: Value): Value;
  set(o: GuestObject, key: Key, v: Value, receiver: Value): boolean;
  delete(o: GuestObject, key: Key): boolean;
  ownKeys(o: GuestObject): Key[];
  getPrototypeOf?(o: GuestObject): GuestObject | null;
  setPrototypeOf?(o: GuestObject, proto: GuestObject | null): boolean;
  isExtensible?(o: GuestObject): boolean;
  preventExtensions?(o: GuestObject): boolean;
}

/** By kind; filled by the files of the exotic kinds. */
export const EXOTIC: Exotic[] = [];

// Making objects -------------------------------------------------------------------------------------------------------------------

export const OBJECT_BYTES = 88;

/** A plain object. */
export function newObject(): GuestObject {
  if ((R.mem -= OBJECT_BYTES) < 0) R.run.outOfMemory();
  return new GuestObject(OBJECT_ROOT, Kind.ORDINARY, undefined, undefined, undefined, undefined, undefined);
}
export const OBJECT_ROOT: Shape = rootOf(Intrinsic.ObjectPrototype);

/** OrdinaryObjectCreate. */
export function newObjectWith(proto: GuestObject | null): GuestObject {
  if ((R.mem -= OBJECT_BYTES) < 0) R.run.outOfMemory();
  return new GuestObject(rootFor(proto), Kind.ORDINARY, undefined, undefined, undefined, undefined, undefined);
}

/** An object of a kind with data, with the prototype that `shape` (a root) says. */
export function newKind(shape: Shape, kind: Kind, d: unknown): GuestObject {
  if ((R.mem -= OBJECT_BYTES) < 0) R.run.outOfMemory();
  return new GuestObject(shape, kind, d, undefined, undefined, undefined, undefined);
}

/** `{ value, done }` of an iterator. */
export function iterResult(value: Value, done: boolean): GuestObject {
  R.mem -= OBJECT_BYTES;
  return new GuestObject(ITER_RESULT, Kind.ORDINARY, undefined, value, done, undefined, undefined);
}
export const ITER_RESULT: Shape = childShape(childShape(OBJECT_ROOT, "value", DATA), "done", DATA);

// Reading --------------------------------------------------------------------------------------------------------------------------

/** The own data value or accessor in a table entry, made now if it is lazy. */
export function slotOf(o: GuestObject, entry: number): Slot {
  const v = load(o, entry >> ENTRY_SHIFT);
  return v === LAZY ? makeLazy(o, entry >> ENTRY_SHIFT) : v;
}

export function getOwn(o: GuestObject, key: Key): OwnProperty | undefined {
  return o.kind >= FIRST_EXOTIC ? EXOTIC[o.kind].getOwn(o, key) : ordinaryGetOwn(o, key);
}

export function ordinaryGetOwn(o: GuestObject, key: Key): OwnProperty | undefined {
  const entry = lookup(o.shape, key);
  return entry < 0 ? undefined : new OwnProperty(slotOf(o, entry), entry & FLAGS_MASK);
}

export function getPrototypeOf(o: GuestObject): GuestObject | null {
  return o.kind === Kind.PROXY ? EXOTIC[Kind.PROXY].getPrototypeOf!(o) : protoOf(o.shape);
}

/** Long chains of prototypes are charged by so many links. */
const LINKS = 64;

/** For loops up a chain: the number of links with the next one, charged now and then. */
export function countLink(links: number): number {
  if ((links + 1) % LINKS === 0) charge(LINKS);
  return links + 1;
}

/** What a step to the prototype takes of the host's stack where kinds of exotic objects are chained. */
const LINK_WEIGHT = 350;

/** O.[[Get]](key, receiver). */
export function getFrom(o: GuestObject, key: Key, receiver: Value): Value {
  let p: GuestObject | null = o;
  let links = 0;
  do {
    if (++links % LINKS === 0) charge(LINKS);
    if (p.kind >= FIRST_EXOTIC) return EXOTIC[p.kind].get(p, key, receiver);
    const shape: Shape = p.shape;
    const entry = lookup(shape, key);
    if (entry >= 0) {
      const slot = slotOf(p, entry);
      return (entry & Flag.ACCESSOR) === 0 ? (slot as Value) : callGetter(slot as Accessor, receiver);
    }
    p = protoOf(shape);
  } while (p !== null);
  return undefined;
}

export function get(o: GuestObject, key: Key): Value {
  return getFrom(o, key, o);
}

/** The rest of an exotic [[Get]], from the named properties of `o` on. */
export function ordinaryGet(o: GuestObject, key: Key, receiver: Value): Value {
  const entry = lookup(o.shape, key);
  if (entry >= 0) {
    const slot = slotOf(o, entry);
    return (entry & Flag.ACCESSOR) === 0 ? (slot as Value) : callGetter(slot as Accessor, receiver);
  }
  const proto = protoOf(o.shape);
  if (proto === null) return undefined;
  enterNative(LINK_WEIGHT);
  const v = getFrom(proto, key, receiver);
  leaveNative(LINK_WEIGHT);
  return v;
}

export function callGetter(a: Accessor, receiver: Value): Value {
  const f = a.get;
  return f === undefined ? undefined : callGet(f, receiver);
}

// call.ts depends on this file; it hands in how functions are called.
let callGet: (f: GuestObject, t: Value) => Value = () => undefined;
let callSet: (f: GuestObject, t: Value, v: Value) => Value = () => undefined;
export function setAccessorCalls(get: typeof callGet, set: typeof callSet): void {
  callGet = get;
  callSet = set;
}

export function hasProperty(o: GuestObject, key: Key): boolean {
  let p: GuestObject | null = o;
  let links = 0;
  do {
    if (++links % LINKS === 0) charge(LINKS);
    if (p.kind >= FIRST_EXOTIC) return EXOTIC[p.kind].has(p, key);
    if (lookup(p.shape, key) >= 0) return true;
    p = protoOf(p.shape);
  } while (p !== null);
  return false;
}

/** The rest of an exotic [[HasProperty]]. */
export function ordinaryHas(o: GuestObject, key: Key): boolean {
  if (lookup(o.shape, key) >= 0) return true;
  const proto = protoOf(o.shape);
  if (proto === null) return false;
  enterNative(LINK_WEIGHT);
  const found = hasProperty(proto, key);
  leaveNative(LINK_WEIGHT);
  return found;
}

export function hasOwn(o: GuestObject, key: Key): boolean {
  return o.kind >= FIRST_EXOTIC ? EXOTIC[o.kind].getOwn(o, key) !== undefined : lookup(o.shape, key) >= 0;
}

// Writing --------------------------------------------------------------------------------------------------------------------------

/** O.[[Set]](key, v, receiver). False: refused. */
export function setOn(o: GuestObject, key: Key, v: Value, receiver: Value): boolean {
  if (R.texts && typeof receiver === "object" && receiver !== null) forgetText(receiver);
  let p: GuestObject | null = o;
  let links = 0;
  do {
    if (++links % LINKS === 0) charge(LINKS);
    if (p.kind >= FIRST_EXOTIC) return EXOTIC[p.kind].set(p, key, v, receiver);
    const shape: Shape = p.shape;
    const entry = lookup(shape, key);
    if (entry >= 0) return setExisting(p, key, entry, v, receiver);
    p = protoOf(shape);
  } while (p !== null);
  return setOnReceiver(receiver, key, v);
}

/** The rest of an exotic [[Set]], from the named properties of `o` on. */
export function ordinarySet(o: GuestObject, key: Key, v: Value, receiver: Value): boolean {
  const entry = lookup(o.shape, key);
  if (entry >= 0) return setExisting(o, key, entry, v, receiver);
  const proto = protoOf(o.shape);
  if (proto === null) return setOnReceiver(receiver, key, v);
  enterNative(LINK_WEIGHT);
  const ok = setOn(proto, key, v, receiver);
  leaveNative(LINK_WEIGHT);
  return ok;
}

function setExisting(p: GuestObject, key: Key, entry: number, v: Value, receiver: Value): boolean {
  if ((entry & Flag.ACCESSOR) !== 0) {
    const f = (load(p, entry >> ENTRY_SHIFT) as Accessor).set;
    if (f === undefined) return false;
    callSet(f, receiver, v);
    return true;
  }
  if ((entry & Flag.WRITABLE) === 0) return false;
  if (p === receiver) {
    writeData(p, key, entry, v);
    return true;
  }
  return setOnReceiver(receiver, key, v);
}

function writeData(o: GuestObject, key: AnyKey, entry: number, v: Value): void {
  writeSlot(o, entry, v);
  if (o.kind === Kind.FUNCTION && key === "prototype") (o as FunctionObject).d.instanceShape = null;
}

/** OrdinarySetWithOwnDescriptor, from the step that looks at the receiver's own property. */
export function setOnReceiver(receiver: Value, key: Key, v: Value): boolean {
  if (typeof receiver !== "object" || receiver === null) return false;
  if (receiver.kind < FIRST_EXOTIC) {
    const entry = lookup(receiver.shape, key);
    if (entry < 0) {
      if (!receiver.shape.extensible) return false;
      addProperty(receiver, key, v, DATA);
      return true;
    }
    if ((entry & Flag.ACCESSOR) !== 0 || (entry & Flag.WRITABLE) === 0) return false;
    writeData(receiver, key, entry, v);
    return true;
  }
  const own = getOwn(receiver, key);
  if (own !== undefined) {
    if ((own.flags & Flag.ACCESSOR) !== 0 || (own.flags & Flag.WRITABLE) === 0) return false;
    return defineOwn(receiver, key, new Descriptor(Has.VALUE, 0, v));
  }
  return defineOwn(receiver, key, dataDescriptor(v));
}

/** Set(O, P, V, true). */
export function set(o: GuestObject, key: Key, v: Value): void {
  if (!setOn(o, key, v, o)) throwReadOnly(o, key);
}

/** Says why a write was refused. Asks no proxy. */
export function throwReadOnly(o: Value, key: Key): never {
  const name = keyText(key);
  if (typeof o === "string" && typeof key === "string" && (key === "length" || (arrayIndex(key) >= 0 && arrayIndex(key) < o.length)))
    throwTypeError(`Cannot assign to read only property '${name}' of string`);
  if (typeof o !== "object" || o === null) throwTypeError(`Cannot create property '${name}' on ${typeof o} '${String(o).slice(0, 40)}'`);
  let found: OwnProperty | undefined;
  let links = 0;
  for (let holder: GuestObject | null = o; holder !== null && holder.kind !== Kind.PROXY; holder = protoOf(holder.shape)) {
    found = getOwn(holder, key);
    if (found !== undefined) break;
    links = countLink(links);
  }
  const on = describeObject(o);
  if (found !== undefined && (found.flags & Flag.ACCESSOR) !== 0)
    throwTypeError(`Cannot set property ${name} of ${on} which has only a getter`);
  if (found !== undefined && (found.flags & Flag.WRITABLE) === 0) throwTypeError(`Cannot assign to read only property '${name}' of ${on}`);
  if (o.kind !== Kind.PROXY && !isExtensible(o)) throwTypeError(`Cannot add property ${name}, object is not extensible`);
  throwTypeError(`Cannot assign to property '${name}' of ${on}`);
}

/** A key as messages show it; a long one is cut. */
export function keyText(key: AnyKey): string {
  const text = typeof key === "symbol" ? key.toString() : typeof key === "string" ? key : key.description;
  return text.length <= MAX_KEY_TEXT ? text : `${text.slice(0, MAX_KEY_TEXT)}…`;
}
const MAX_KEY_TEXT = 200;

/** A short name of an object for messages; reads no property. */
export function describeObject(o: GuestObject): string {
  switch (o.kind) {
    case Kind.ARRAY:
    case Kind.SPARSE_ARRAY:
      return "array";
    case Kind.FUNCTION: {
      const name = (o as FunctionObject).d.code.name;
      return name === "" ? "function" : `function '${name}'`;
    }
    case Kind.PROXY:
      return "a Proxy";
    default:
      return "object";
  }
}

// Defining -------------------------------------------------------------------------------------------------------------------------

export function defineOwn(o: GuestObject, key: Key, desc: Descriptor): boolean {
  if (R.texts) forgetText(o);
  return o.kind >= FIRST_EXOTIC ? EXOTIC[o.kind].defineOwn(o, key, desc) : ordinaryDefineOwn(o, key, desc);
}

/** ValidateAndApplyPropertyDescriptor on a property in the table. */
export function ordinaryDefineOwn(o: GuestObject, key: AnyKey, desc: Descriptor): boolean {
  const entry = lookup(o.shape, key);
  if (entry < 0) {
    if (!o.shape.extensible) return false;
    if ((desc.has & (Has.GET | Has.SET)) !== 0) {
      addProperty(o, key, new Accessor(desc.get, desc.set), Flag.ACCESSOR | (desc.flags & (Flag.ENUMERABLE | Flag.CONFIGURABLE)));
    } else {
      addProperty(o, key, desc.value, desc.flags & DATA);
    }
    return true;
  }
  const current = slotOf(o, entry);
  const was = entry & FLAGS_MASK & ~Flag.LAZY;
  if (!isCompatible(was, current, desc)) return false;
  const next = mergeFlags(was, desc);
  if ((next & Flag.ACCESSOR) !== 0) {
    const old = (was & Flag.ACCESSOR) !== 0 ? (current as Accessor) : undefined;
    const accessor = new Accessor((desc.has & Has.GET) !== 0 ? desc.get : old?.get, (desc.has & Has.SET) !== 0 ? desc.set : old?.set);
    if (o.shape.intrinsicId === Intrinsic.Global) dropFastGlobals();
    if (o.kind === Kind.FUNCTION) (o as FunctionObject).d.instanceShape = null;
    const shape = toDictionary(o);
    store(o, entry >> ENTRY_SHIFT, accessor);
    layoutChanged(shape);
    changeFlags(o, key, entry, next);
    return true;
  }
  if (next !== (entry & FLAGS_MASK)) changeFlags(o, key, entry, next);
  if ((desc.has & Has.VALUE) !== 0) writeData(o, key, entry, desc.value);
  else if ((was & Flag.ACCESSOR) !== 0) writeData(o, key, entry, undefined);
  return true;
}

/** The checks of ValidateAndApplyPropertyDescriptor for an existing property. */
export function isCompatible(flags: number, current: Slot, desc: Descriptor): boolean {
  if ((flags & Flag.CONFIGURABLE) !== 0) return true;
  if ((desc.has & Has.CONFIGURABLE) !== 0 && (desc.flags & Flag.CONFIGURABLE) !== 0) return false;
  if ((desc.has & Has.ENUMERABLE) !== 0 && (desc.flags & Flag.ENUMERABLE) !== (flags & Flag.ENUMERABLE)) return false;
  const isAccessor = (flags & Flag.ACCESSOR) !== 0;
  if ((desc.has & (Has.GET | Has.SET)) !== 0) {
    if (!isAccessor) return false;
    const a = current as Accessor;
    return !((desc.has & Has.GET) !== 0 && desc.get !== a.get) && !((desc.has & Has.SET) !== 0 && desc.set !== a.set);
  }
  if ((desc.has & (Has.VALUE | Has.WRITABLE)) !== 0) {
    if (isAccessor) return false;
    if ((flags & Flag.WRITABLE) === 0) {
      if ((desc.has & Has.WRITABLE) !== 0 && (desc.flags & Flag.WRITABLE) !== 0) return false;
      if ((desc.has & Has.VALUE) !== 0 && !Object.is(desc.value, current)) return false;
    }
  }
  return true;
}

/** The flags of a property after a compatible change. */
export function mergeFlags(flags: number, desc: Descriptor): number {
  let next = flags;
  if ((desc.has & Has.ENUMERABLE) !== 0) next = (next & ~Flag.ENUMERABLE) | (desc.flags & Flag.ENUMERABLE);
  if ((desc.has & Has.CONFIGURABLE) !== 0) next = (next & ~Flag.CONFIGURABLE) | (desc.flags & Flag.CONFIGURABLE);
  if ((desc.has & (Has.GET | Has.SET)) !== 0) return (next | Flag.ACCESSOR) & ~Flag.WRITABLE;
  if ((desc.has & (Has.VALUE | Has.WRITABLE)) !== 0) {
    next &= ~Flag.ACCESSOR;
    if ((desc.has & Has.WRITABLE) !== 0) next = (next & ~Flag.WRITABLE) | (desc.flags & Flag.WRITABLE);
  }
  return next;
}

function dropFastGlobals(): void {
  currentRealm().globals = null;
  R.globals = null;
}

export function definePropertyOrThrow(o: GuestObject, key: Key, desc: Descriptor): void {
  if (defineOwn(o, key, desc)) return;
  const isNew = o.kind !== Kind.PROXY && !isExtensible(o) && getOwn(o, key) === undefined;
  throwTypeError(isNew ? `Cannot define property ${keyText(key)}, object is not extensible` : `Cannot redefine property: ${keyText(key)}`);
}

/** CreateDataProperty. */
export function createData(o: GuestObject, key: Key, v: Value): boolean {
  if (o.kind < FIRST_EXOTIC && o.shape.extensible && lookup(o.shape, key) < 0) {
    addProperty(o, key, v, DATA);
    return true;
  }
  return defineOwn(o, key, dataDescriptor(v));
}

export function createDataOrThrow(o: GuestObject, key: Key, v: Value): void {
  if (!createData(o, key, v)) throwTypeError(`Cannot define property ${keyText(key)}, object is not extensible`);
}

// Private names --------------------------------------------------------------------------------------------------------------------

export function hasPrivate(o: GuestObject, name: PrivateName): boolean {
  return lookup(o.shape, name) >= 0;
}

// Deleting, keys, integrity --------------------------------------------------------------------------------------------------------

export function deleteProperty(o: GuestObject, key: Key): boolean {
  if (R.texts) forgetText(o);
  return o.kind >= FIRST_EXOTIC ? EXOTIC[o.kind].delete(o, key) : ordinaryDelete(o, key);
}

export function ordinaryDelete(o: GuestObject, key: Key): boolean {
  const entry = lookup(o.shape, key);
  if (entry < 0) return true;
  if ((entry & Flag.CONFIGURABLE) === 0) return false;
  if (o.shape.intrinsicId === Intrinsic.Global) dropFastGlobals();
  removeProperty(o, key, entry);
  return true;
}

export function ownKeys(o: GuestObject): Key[] {
  return o.kind >= FIRST_EXOTIC ? EXOTIC[o.kind].ownKeys(o) : ordinaryOwnKeys(o);
}

/** Index keys ascending, then strings, then symbols, both in order of creation. Charges for each. */
export function ordinaryOwnKeys(o: GuestObject, before: Key[] = []): Key[] {
  const shape = o.shape;
  const table = tableOf(shape);
  charge(table.size);
  allocate(8 * table.size);
  const out: Key[] = before;
  const symbols: symbol[] = [];
  if (shape.hasIndexKeys) {
    const indexes: number[] = [];
    for (const key of table.keys()) {
      if (typeof key !== "string") continue;
      const i = arrayIndex(key);
      if (i >= 0) indexes.push(i);
    }
    indexes.sort((a, b) => a - b);
    for (const i of indexes) out.push(String(i));
    for (const key of table.keys()) {
      if (typeof key === "string") {
        if (arrayIndex(key) < 0) out.push(key);
      } else if (typeof key === "symbol") symbols.push(key);
    }
  } else {
    for (const key of table.keys()) {
      if (typeof key === "string") out.push(key);
      else if (typeof key === "symbol") symbols.push(key);
    }
  }
  for (const s of symbols) out.push(s);
  return out;
}

export function isExtensible(o: GuestObject): boolean {
  const exotic = EXOTIC[o.kind];
  return exotic?.isExtensible !== undefined ? exotic.isExtensible(o) : o.shape.extensible;
}

export function preventExtensions(o: GuestObject): boolean {
  const exotic = EXOTIC[o.kind];
  if (exotic?.preventExtensions !== undefined) return exotic.preventExtensions(o);
  if (o.shape.extensible) applyIntegrity(o, 0);
  return true;
}

/** OrdinarySetPrototypeOf, and what exotic objects do instead. */
export function setPrototypeOf(o: GuestObject, proto: GuestObject | null): boolean {
  const exotic = EXOTIC[o.kind];
  if (exotic?.setPrototypeOf !== undefined) return exotic.setPrototypeOf(o, proto);
  if (protoOf(o.shape) === proto) return true;
  if (!o.shape.extensible || o.shape.intrinsicId === Intrinsic.ObjectPrototype) return false;
  let links = 0;
  for (let p: GuestObject | null = proto; p !== null && p.kind !== Kind.PROXY; p = protoOf(p.shape)) {
    if (++links % LINKS === 0) charge(LINKS);
    if (p === o) return false;
  }
  changeProto(o, proto);
  return true;
}

// Keys and functions ---------------------------------------------------------------------------------------------------------------

/** GetMethod of an object's property: undefined, or a callable. */
export function isCallable(v: Value): v is GuestObject {
  if (typeof v !== "object" || v === null) return false;
  if (v.kind === Kind.FUNCTION) return true;
  return v.kind === Kind.PROXY && proxyIsCallable(v);
}

let proxyIsCallable: (o: GuestObject) => boolean = () => false;
let proxyIsConstructor: (o: GuestObject) => boolean = () => false;
/** Handed in by the file of proxies. */
export function setProxyKinds(callable: typeof proxyIsCallable, constructor: typeof proxyIsConstructor): void {
  proxyIsCallable = callable;
  proxyIsConstructor = constructor;
}

export function isConstructor(v: Value): v is GuestObject {
  if (isFunction(v)) return v.d.code.kN !== null;
  return typeof v === "object" && v !== null && v.kind === Kind.PROXY && proxyIsConstructor(v);
}

/** IsRegExp. */
export function isRegExp(v: Value): v is GuestObject {
  if (typeof v !== "object" || v === null) return false;
  const matcher = get(v, SYM.match);
  return matcher === undefined ? v.kind === Kind.REGEXP : !!matcher;
}
