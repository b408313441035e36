// Reflect (ECMAScript 28.1).

import { newArray, newElements } from "../src/array.js";
import { callN, construct, listFromArrayLike } from "../src/call.js";
import { describe, toKey } from "../src/convert.js";
import { fromOwnProperty, toPropertyDescriptor } from "../src/descriptor.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import {
  defineOwn,
  deleteProperty,
  getFrom,
  getOwn,
  getPrototypeOf,
  hasProperty,
  isCallable,
  isConstructor,
  isExtensible,
  ownKeys,
  preventExtensions,
  setOn,
  setPrototypeOf,
} from "../src/object.js";
import { define, defineGlobal, method, value, variadic } from "../src/realm.js";
import { Flag } from "../src/shape.js";
import { type GuestObject, SYM, type Value, isObject } from "../src/values.js";

function target(v: Value, name: string): GuestObject {
  if (!isObject(v)) throwTypeError(`Reflect.${name} called on non-object`);
  return v;
}

define(Intrinsic.Reflect, {
  props: [
    method("apply", 3, (_t, f, thisArg, list) => {
      if (!isCallable(f)) throwTypeError(`Reflect.apply needs a function, got ${describe(f)}`);
      return callN(f, thisArg, listFromArrayLike(list));
    }),
    variadic("construct", 2, (_t, args) => {
      const f = args[0];
      if (!isConstructor(f)) throwTypeError(`${describe(f)} is not a constructor`);
      const newTarget = args.length > 2 ? args[2] : f;
      if (!isConstructor(newTarget)) throwTypeError(`${describe(newTarget)} is not a constructor`);
      return construct(f, listFromArrayLike(args[1]), newTarget);
    }),
    method("defineProperty", 3, (_t, v, key, attributes) => {
      const o = target(v, "defineProperty");
      const k = toKey(key);
      return defineOwn(o, k, toPropertyDescriptor(attributes));
    }),
    method("deleteProperty", 2, (_t, v, key) => {
      const o = target(v, "deleteProperty");
      return deleteProperty(o, toKey(key));
    }),
    variadic("get", 2, (_t, args) => {
      const o = target(args[0], "get");
      const key = toKey(args[1]);
      return getFrom(o, key, args.length > 2 ? args[2] : o);
    }),
    method("getOwnPropertyDescriptor", 2, (_t, v, key) => {
      const o = target(v, "getOwnPropertyDescriptor");
      return fromOwnProperty(getOwn(o, toKey(key)));
    }),
    method("getPrototypeOf", 1, (_t, v) => getPrototypeOf(target(v, "getPrototypeOf"))),
    method("has", 2, (_t, v, key) => {
      const o = target(v, "has");
      return hasProperty(o, toKey(key));
    }),
    method("isExtensible", 1, (_t, v) => isExtensible(target(v, "isExtensible"))),
    method("ownKeys", 1, (_t, v) => {
      const out = newElements();
      for (const key of ownKeys(target(v, "ownKeys"))) out.push(key);
      return newArray(out);
    }),
    method("preventExtensions", 1, (_t, v) => preventExtensions(target(v, "preventExtensions"))),
    variadic("set", 3, (_t, args) => {
      const o = target(args[0], "set");
      const key = toKey(args[1]);
      return setOn(o, key, args[2], args.length > 3 ? args[3] : o);
    }),
    method("setPrototypeOf", 2, (_t, v, proto) => {
      const o = target(v, "setPrototypeOf");
      if (typeof proto !== "object") throwTypeError(`Object prototype may only be an Object or null: ${describe(proto)}`);
      return setPrototypeOf(o, proto);
    }),
    value(SYM.toStringTag, "Reflect", Flag.CONFIGURABLE),
  ],
});
defineGlobal("Reflect", Intrinsic.Reflect);
