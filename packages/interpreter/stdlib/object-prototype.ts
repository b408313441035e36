// Object.prototype (ECMAScript 20.1.3, B.2.2).

import { call0 } from "../src/call.js";
import { getV, isArray, requireObjectCoercible, toKey, toObject } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import {
  Descriptor,
  Has,
  countLink,
  definePropertyOrThrow,
  get,
  getOwn,
  getPrototypeOf,
  hasOwn,
  isCallable,
  setPrototypeOf,
} from "../src/object.js";
import { parsedTextOf } from "../src/parsed-text.js";
import { define, getter, method, ref } from "../src/realm.js";
import { R } from "../src/run-state.js";
import { Flag } from "../src/shape.js";
import { prepareText } from "../src/text.js";
import { type Accessor, type GuestObject, Kind, SYM, type Value, isObject } from "../src/values.js";
import { throwRefusedPrototype } from "./object.js";

define(Intrinsic.ObjectPrototype, {
  proto: 0,
  props: [
    ref("constructor", Intrinsic.Object),
    method("__defineGetter__", 2, (t, key, f) => defineAccessor(t, key, f, "get")),
    method("__defineSetter__", 2, (t, key, f) => defineAccessor(t, key, f, "set")),
    method("hasOwnProperty", 1, (t, key) => {
      const k = toKey(key);
      return hasOwn(toObject(t), k);
    }),
    method("__lookupGetter__", 1, (t, key) => lookupAccessor(t, key, "get")),
    method("__lookupSetter__", 1, (t, key) => lookupAccessor(t, key, "set")),
    method("isPrototypeOf", 1, (t, v) => {
      if (!isObject(v)) return false;
      const o = toObject(t);
      let links = 0;
      let p = getPrototypeOf(v);
      while (p !== null) {
        if (p === o) return true;
        links = countLink(links);
        p = getPrototypeOf(p);
      }
      return false;
    }),
    method("propertyIsEnumerable", 1, (t, key) => {
      const k = toKey(key);
      const own = getOwn(toObject(t), k);
      return own !== undefined && (own.flags & Flag.ENUMERABLE) !== 0;
    }),
    // A value that remembers the text it was parsed from is asked for it in this way too.
    method("toString", 0, (t) => (R.texts && isObject(t) && !isArray(t) ? parsedTextOf(t) : undefined) ?? objectToString(t)),
    method("valueOf", 0, (t) => toObject(t)),
    getter(
      "__proto__",
      (t) => getPrototypeOf(toObject(t)),
      (t, proto) => {
        requireObjectCoercible(t, "Object.prototype.__proto__");
        if (typeof proto !== "object" || !isObject(t)) return;
        if (!setPrototypeOf(t, proto)) throwRefusedPrototype(t);
      },
    ),
    method("toLocaleString", 0, (t) => call0(getV(t, "toString"), t)),
  ],
});

function defineAccessor(t: Value, key: Value, f: Value, which: "get" | "set"): Value {
  const o = toObject(t);
  if (!isCallable(f)) throwTypeError(`Object.prototype.__define${which === "get" ? "G" : "S"}etter__: Expecting function`);
  const has = (which === "get" ? Has.GET : Has.SET) | Has.ENUMERABLE | Has.CONFIGURABLE;
  const flags = Flag.ENUMERABLE | Flag.CONFIGURABLE;
  definePropertyOrThrow(
    o,
    toKey(key),
    which === "get" ? new Descriptor(has, flags, undefined, f) : new Descriptor(has, flags, undefined, undefined, f),
  );
  return undefined;
}

function lookupAccessor(t: Value, key: Value, which: "get" | "set"): Value {
  let o: GuestObject | null = toObject(t);
  const k = toKey(key);
  let links = 0;
  while (o !== null) {
    links = countLink(links);
    const own = getOwn(o, k);
    if (own !== undefined) return (own.flags & Flag.ACCESSOR) !== 0 ? (own.slot as Accessor)[which] : undefined;
    o = getPrototypeOf(o);
  }
  return undefined;
}

/** Object.prototype.toString. */
export function objectToString(t: Value): string {
  if (t === undefined) return "[object Undefined]";
  if (t === null) return "[object Null]";
  const o = toObject(t);
  const builtin = builtinTag(o);
  const tag = get(o, SYM.toStringTag);
  if (typeof tag !== "string") return `[object ${builtin}]`;
  prepareText(tag.length + 9);
  return `[object ${tag}]`;
}

function builtinTag(o: GuestObject): string {
  const kind: Kind = o.kind;
  if (isArray(o)) return "Array";
  switch (kind) {
    case Kind.ARGUMENTS:
      return "Arguments";
    case Kind.ERROR:
      return "Error";
    case Kind.BOOLEAN:
      return "Boolean";
    case Kind.NUMBER:
      return "Number";
    case Kind.STRING:
      return "String";
    case Kind.DATE:
      return "Date";
    case Kind.REGEXP:
      return "RegExp";
    default:
      return isCallable(o) ? "Function" : "Object";
  }
}
