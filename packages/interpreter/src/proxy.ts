// Proxy exotic objects (ECMAScript 10.5). Each has a dictionary shape of its own, which no cache can hit.

import { arrayFrom } from "./array.js";
import { call1, call2, call3, callN, construct, getMethod, listFromArrayLike, setProxyCalls } from "./call.js";
import { describe, isArray, setProxyIsArray } from "./convert.js";
import { fromPropertyDescriptor, toPropertyDescriptor } from "./descriptor.js";
import { throwTypeError } from "./errors.js";
import {
  type Descriptor,
  EXOTIC,
  Has,
  OwnProperty,
  defineOwn,
  deleteProperty,
  getFrom,
  getOwn,
  getPrototypeOf,
  hasProperty,
  isCallable,
  isCompatible,
  isConstructor,
  isExtensible,
  keyText,
  ownKeys,
  preventExtensions,
  setOn,
  setPrototypeOf,
  setProxyKinds,
} from "./object.js";
import { R, allocate, charge, enterNative, leaveNative } from "./run-state.js";
import { Flag, Shape } from "./shape.js";
import { Accessor, GuestObject, type Key, Kind, type Slot, type Value, isObject } from "./values.js";

class ProxyData {
  /** Both null once revoked. */
  target: GuestObject | null;
  handler: GuestObject | null;
  readonly callable: boolean;
  readonly constructs: boolean;
  constructor(target: GuestObject, handler: GuestObject) {
    this.target = target;
    this.handler = handler;
    this.callable = isCallable(target);
    this.constructs = isConstructor(target);
  }
}

const WEIGHT = 600;

/** ProxyCreate. */
export function proxyCreate(target: Value, handler: Value): GuestObject {
  if (!isObject(target) || !isObject(handler)) throwTypeError("Cannot create proxy with a non-object as target or handler");
  R.mem -= 300;
  const shape = new Shape(null, 0);
  shape.dict = true;
  shape.table = new Map();
  shape.shared = false;
  return new GuestObject(shape, Kind.PROXY, new ProxyData(target, handler), undefined, undefined, undefined, undefined);
}

export function revokeProxy(o: GuestObject): void {
  const data = dataOf(o);
  data.target = null;
  data.handler = null;
}

function dataOf(o: GuestObject): ProxyData {
  return o.d as ProxyData;
}

/** ValidateNonRevokedProxy. */
function live(o: GuestObject, operation: string): { target: GuestObject; handler: GuestObject } {
  const { target, handler } = dataOf(o);
  if (target === null || handler === null) throwTypeError(`Cannot perform '${operation}' on a proxy that has been revoked`);
  return { target, handler };
}

/** An internal method by its trap, or on the target if there is no trap. */
function viaTrap<T>(
  o: GuestObject,
  name: string,
  without: (target: GuestObject) => T,
  withTrap: (trap: GuestObject, target: GuestObject, handler: GuestObject) => T,
): T {
  const { target, handler } = live(o, name);
  enterNative(WEIGHT);
  if (--R.fuel < 0) R.run.outOfFuel();
  const trap = getMethod(handler, name);
  const result = trap === undefined ? without(target) : withTrap(trap, target, handler);
  leaveNative(WEIGHT);
  return result;
}

function breaks(trap: string, what: string): never {
  throwTypeError(`'${trap}' on proxy: ${what}`);
}

const fixed = (own: OwnProperty): boolean => (own.flags & Flag.CONFIGURABLE) === 0;
const isData = (own: OwnProperty): boolean => (own.flags & Flag.ACCESSOR) === 0;
const isReadOnly = (own: OwnProperty): boolean => (own.flags & (Flag.ACCESSOR | Flag.WRITABLE)) === 0;

EXOTIC[Kind.PROXY] = {
  getPrototypeOf: (o) =>
    viaTrap(o, "getPrototypeOf", getPrototypeOf, (trap, target, handler) => {
      const proto = call1(trap, handler, target);
      if (typeof proto !== "object") breaks("getPrototypeOf", "trap returned neither object nor null");
      if (!isExtensible(target) && getPrototypeOf(target) !== proto)
        breaks("getPrototypeOf", "proxy target is non-extensible but the trap did not return its actual prototype");
      return proto;
    }),

  setPrototypeOf: (o, proto) =>
    viaTrap(
      o,
      "setPrototypeOf",
      (target) => setPrototypeOf(target, proto),
      (trap, target, handler) => {
        if (!call2(trap, handler, target, proto)) return false;
        if (!isExtensible(target) && getPrototypeOf(target) !== proto)
          breaks("setPrototypeOf", "trap returned truish for setting a new prototype on the non-extensible proxy target");
        return true;
      },
    ),

  isExtensible: (o) =>
    viaTrap(o, "isExtensible", isExtensible, (trap, target, handler) => {
      const result = !!call1(trap, handler, target);
      if (result !== isExtensible(target))
        breaks("isExtensible", `trap result does not reflect extensibility of proxy target (which is '${!result}')`);
      return result;
    }),

  preventExtensions: (o) =>
    viaTrap(o, "preventExtensions", preventExtensions, (trap, target, handler) => {
      const result = !!call1(trap, handler, target);
      if (result && isExtensible(target)) breaks("preventExtensions", "the proxy target is extensible");
      return result;
    }),

  getOwn: (o, key) =>
    viaTrap(
      o,
      "getOwnPropertyDescriptor",
      (target) => getOwn(target, key),
      (trap, target, handler) => getOwnByTrap(key, call2(trap, handler, target, key), target),
    ),

  defineOwn: (o, key, desc) =>
    viaTrap(
      o,
      "defineProperty",
      (target) => defineOwn(target, key, desc),
      (trap, target, handler) => {
        if (!call3(trap, handler, target, key, fromPropertyDescriptor(desc))) return false;
        checkDefined(key, desc, target);
        return true;
      },
    ),

  has: (o, key) =>
    viaTrap(
      o,
      "has",
      (target) => hasProperty(target, key),
      (trap, target, handler) => {
        const result = !!call2(trap, handler, target, key);
        if (!result) {
          const own = getOwn(target, key);
          if (own !== undefined) {
            if (fixed(own))
              breaks("has", `trap returned falsish for property '${keyText(key)}' which exists in the proxy target as non-configurable`);
            if (!isExtensible(target))
              breaks("has", `trap returned falsish for property '${keyText(key)}' but the proxy target is not extensible`);
          }
        }
        return result;
      },
    ),

  get: (o, key, receiver) =>
    viaTrap(
      o,
      "get",
      (target) => getFrom(target, key, receiver),
      (trap, target, handler) => {
        const v = call3(trap, handler, target, key, receiver);
        const own = getOwn(target, key);
        if (own !== undefined && fixed(own)) {
          if (isReadOnly(own) && !Object.is(v, own.slot)) {
            breaks(
              "get",
              `property '${keyText(key)}' is a read-only and non-configurable data property on the proxy target but the proxy did not return its actual value`,
            );
          }
          if (!isData(own) && (own.slot as Accessor).get === undefined && v !== undefined) {
            breaks(
              "get",
              `property '${keyText(key)}' is a non-configurable accessor property on the proxy target and does not have a getter function, but the trap did not return 'undefined'`,
            );
          }
        }
        return v;
      },
    ),

  set: (o, key, v, receiver) =>
    viaTrap(
      o,
      "set",
      (target) => setOn(target, key, v, receiver),
      (trap, target, handler) => {
        if (!callN(trap, handler, [target, key, v, receiver])) return false;
        const own = getOwn(target, key);
        if (own !== undefined && fixed(own)) {
          if (isReadOnly(own) && !Object.is(v, own.slot)) {
            breaks(
              "set",
              `trap returned truish for property '${keyText(key)}' which exists in the proxy target as a non-configurable and non-writable data property with a different value`,
            );
          }
          if (!isData(own) && (own.slot as Accessor).set === undefined) {
            breaks(
              "set",
              `trap returned truish for property '${keyText(key)}' which exists in the proxy target as a non-configurable and non-writable accessor property without a setter`,
            );
          }
        }
        return true;
      },
    ),

  delete: (o, key) =>
    viaTrap(
      o,
      "deleteProperty",
      (target) => deleteProperty(target, key),
      (trap, target, handler) => {
        if (!call2(trap, handler, target, key)) return false;
        const own = getOwn(target, key);
        if (own === undefined) return true;
        if (fixed(own))
          breaks("deleteProperty", `trap returned truish for property '${keyText(key)}' which is non-configurable in the proxy target`);
        if (!isExtensible(target))
          breaks("deleteProperty", `trap returned truish for property '${keyText(key)}' but the proxy target is non-extensible`);
        return true;
      },
    ),

  ownKeys: (o) => viaTrap(o, "ownKeys", ownKeys, (trap, target, handler) => ownKeysByTrap(call1(trap, handler, target), target)),
};

function isCompatibleDescriptor(extensible: boolean, desc: Descriptor, own: OwnProperty | undefined): boolean {
  return own === undefined ? extensible : isCompatible(own.flags, own.slot, desc);
}

function getOwnByTrap(key: Key, result: Value, target: GuestObject): OwnProperty | undefined {
  const name = keyText(key);
  const trap = "getOwnPropertyDescriptor";
  if (result !== undefined && !isObject(result)) breaks(trap, `trap returned neither object nor undefined for property '${name}'`);
  const own = getOwn(target, key);
  if (result === undefined) {
    if (own === undefined) return undefined;
    if (fixed(own)) breaks(trap, `trap returned undefined for property '${name}' which is non-configurable in the proxy target`);
    if (!isExtensible(target))
      breaks(trap, `trap returned undefined for property '${name}' which exists in the non-extensible proxy target`);
    return undefined;
  }
  const extensible = isExtensible(target);
  const desc = toPropertyDescriptor(result);
  const isAccessor = (desc.has & (Has.GET | Has.SET)) !== 0;
  // CompletePropertyDescriptor
  desc.has |= Has.ENUMERABLE | Has.CONFIGURABLE | (isAccessor ? Has.GET | Has.SET : Has.VALUE | Has.WRITABLE);
  if (!isCompatibleDescriptor(extensible, desc, own))
    breaks(trap, `trap returned descriptor for property '${name}' that is incompatible with the existing property in the proxy target`);
  if ((desc.flags & Flag.CONFIGURABLE) === 0) {
    if (own === undefined || !fixed(own))
      breaks(
        trap,
        `trap reported non-configurability for property '${name}' which is either non-existent or configurable in the proxy target`,
      );
    if (!isAccessor && (desc.flags & Flag.WRITABLE) === 0 && (own.flags & Flag.WRITABLE) !== 0) {
      breaks(
        trap,
        `trap reported non-configurable and writable for property '${name}' which is non-configurable, non-writable in the proxy target`,
      );
    }
  }
  const slot: Slot = isAccessor ? new Accessor(desc.get, desc.set) : desc.value;
  return new OwnProperty(slot, isAccessor ? (desc.flags & ~Flag.WRITABLE) | Flag.ACCESSOR : desc.flags);
}

function checkDefined(key: Key, desc: Descriptor, target: GuestObject): void {
  const name = keyText(key);
  const trap = "defineProperty";
  const own = getOwn(target, key);
  const extensible = isExtensible(target);
  const setsFixed = (desc.has & Has.CONFIGURABLE) !== 0 && (desc.flags & Flag.CONFIGURABLE) === 0;
  if (own === undefined) {
    if (!extensible) breaks(trap, `trap returned truish for adding property '${name}' to the non-extensible proxy target`);
    if (setsFixed)
      breaks(trap, `trap returned truish for defining non-configurable property '${name}' which is non-existent in the proxy target`);
    return;
  }
  if (!isCompatibleDescriptor(extensible, desc, own))
    breaks(trap, `trap returned truish for adding property '${name}' that is incompatible with the existing property in the proxy target`);
  if (setsFixed && !fixed(own))
    breaks(trap, `trap returned truish for defining non-configurable property '${name}' which is configurable in the proxy target`);
  if (
    isData(own) &&
    fixed(own) &&
    (own.flags & Flag.WRITABLE) !== 0 &&
    (desc.has & Has.WRITABLE) !== 0 &&
    (desc.flags & Flag.WRITABLE) === 0
  ) {
    breaks(trap, `trap returned truish for defining non-configurable property '${name}' which cannot be non-writable`);
  }
}

function ownKeysByTrap(result: Value, target: GuestObject): Key[] {
  const keys: Key[] = [];
  const unchecked = new Set<Key>();
  const list = listFromArrayLike(result);
  allocate(48 * list.length);
  for (const key of list) {
    if (typeof key !== "string" && typeof key !== "symbol") throwTypeError(`${describe(key)} is not a valid property name`);
    if (unchecked.has(key)) breaks("ownKeys", `trap returned duplicate entries: '${keyText(key)}'`);
    unchecked.add(key);
    keys.push(key);
  }
  const extensible = isExtensible(target);
  const targetKeys = ownKeys(target);
  charge(keys.length + targetKeys.length);
  allocate(8 * targetKeys.length);
  const configurable: Key[] = [];
  const fixedKeys: Key[] = [];
  for (const key of targetKeys) {
    const own = getOwn(target, key);
    (own !== undefined && fixed(own) ? fixedKeys : configurable).push(key);
  }
  if (extensible && fixedKeys.length === 0) return keys;
  for (const key of fixedKeys) if (!unchecked.delete(key)) breaks("ownKeys", `trap result did not include '${keyText(key)}'`);
  if (extensible) return keys;
  for (const key of configurable) if (!unchecked.delete(key)) breaks("ownKeys", `trap result did not include '${keyText(key)}'`);
  if (unchecked.size !== 0) breaks("ownKeys", "trap returned extra keys but proxy target is non-extensible");
  return keys;
}

setProxyKinds(
  (o) => dataOf(o).callable,
  (o) => dataOf(o).constructs,
);

setProxyCalls(
  (o, t, args) =>
    viaTrap(
      o,
      "apply",
      (target) => callN(target, t, args),
      (trap, target, handler) => call3(trap, handler, target, t, arrayFrom(args)),
    ),
  (o, args, newTarget) =>
    viaTrap(
      o,
      "construct",
      (target) => construct(target, args, newTarget),
      (trap, target, handler) => {
        const result = call3(trap, handler, target, arrayFrom(args), newTarget);
        if (!isObject(result)) throwTypeError("proxy [[Construct]] must return an object");
        return result;
      },
    ),
  (o) => live(o, "construct").target,
);

setProxyIsArray((o) => {
  let p = o;
  while (p.kind === Kind.PROXY) {
    charge(1);
    p = live(p, "IsArray").target;
  }
  return isArray(p);
});
