// String exotic objects (ECMAScript 10.4.3). `d` is the text.

import {
  Descriptor,
  EXOTIC,
  OwnProperty,
  isCompatible,
  ordinaryDefineOwn,
  ordinaryDelete,
  ordinaryGet,
  ordinaryGetOwn,
  ordinaryHas,
  ordinaryOwnKeys,
  ordinarySet,
} from "./object.js";
import { allocate, charge } from "./run-state.js";
import { KEY_BYTES } from "./array.js";
import { Flag, arrayIndex } from "./shape.js";
import { type GuestObject, type Key, Kind } from "./values.js";

function ownChar(o: GuestObject, key: Key): OwnProperty | undefined {
  if (typeof key !== "string") return undefined;
  const text = o.d as string;
  if (key === "length") return new OwnProperty(text.length, 0);
  const i = arrayIndex(key);
  return i >= 0 && i < text.length ? new OwnProperty(text[i], Flag.ENUMERABLE) : undefined;
}

EXOTIC[Kind.STRING] = {
  getOwn: (o, key) => ownChar(o, key) ?? ordinaryGetOwn(o, key),
  defineOwn(o, key, desc: Descriptor) {
    const own = ownChar(o, key);
    return own === undefined ? ordinaryDefineOwn(o, key, desc) : isCompatible(own.flags, own.slot, desc);
  },
  has: (o, key) => ownChar(o, key) !== undefined || ordinaryHas(o, key),
  get(o, key, receiver) {
    const own = ownChar(o, key);
    return own === undefined ? ordinaryGet(o, key, receiver) : (own.slot as string | number);
  },
  set(o, key, v, receiver) {
    return ownChar(o, key) === undefined ? ordinarySet(o, key, v, receiver) : false;
  },
  delete: (o, key) => (ownChar(o, key) === undefined ? ordinaryDelete(o, key) : false),
  ownKeys(o) {
    const text = o.d as string;
    charge(text.length);
    allocate(KEY_BYTES * text.length);
    const keys: Key[] = [];
    for (let i = 0; i < text.length; i++) keys.push(String(i));
    const rest = ordinaryOwnKeys(o);
    let i = 0;
    for (; i < rest.length && typeof rest[i] === "string" && arrayIndex(rest[i] as string) >= 0; i++) keys.push(rest[i]);
    keys.push("length");
    for (; i < rest.length; i++) keys.push(rest[i]);
    return keys;
  },
};
