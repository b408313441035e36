// Arrays. A dense one (Kind.ARRAY) keeps its elements in a host array of one elements kind, with HOLE for holes; all elements are
// writable, enumerable and configurable, and it is extensible. Anything unusual (attributes, accessors, a fixed length, huge gaps, frozen)
// turns it into a Kind.SPARSE_ARRAY, whose elements are properties in its table.

import { throwRangeError } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { arrayLengthOf, sparseExotic, toSparse } from "./array-sparse.js";
import {
  Descriptor,
  EXOTIC,
  type Exotic,
  Has,
  OwnProperty,
  countLink,
  dataDescriptor,
  getFrom,
  hasOwn,
  hasProperty,
  ordinaryDefineOwn,
  ordinaryDelete,
  ordinaryGet,
  ordinaryGetOwn,
  ordinaryHas,
  ordinaryOwnKeys,
  ordinarySet,
  setOn,
  setOnReceiver,
} from "./object.js";
import { R, allocate, charge } from "./run-state.js";
import { DATA, Flag, type Shape, applyIntegrity, arrayIndex, childShape, protoOf, rootOf } from "./shape.js";
import { type ArrayObject, GuestObject, HOLE, type Key, Kind, type SparseData, type Value } from "./values.js";

export const ARRAY_ROOT: Shape = rootOf(Intrinsic.ArrayPrototype);
/** The shape of what `exec` gives: an array with `index`, `input` and `groups`, which iterates as a plain one. */
export const MATCH_ROOT: Shape = childShape(childShape(childShape(ARRAY_ROOT, "index", DATA), "input", DATA), "groups", DATA);
const MAX_GAP = 1024;
/** More holes than this are kept as a sparse array (only runs with a raised `arrayLength` can ask for them). */
const MAX_DENSE_GROWTH = 1 << 25;
export const MAX_ARRAY_LENGTH = 4294967295;
/** The text of an index, in a list. */
export const KEY_BYTES = 40;

/** An empty host array of the one elements kind that all guest arrays have. */
export function newElements(): Value[] {
  const d: Value[] = [undefined];
  d.pop();
  return d;
}

/** An array of these elements, which it owns from now on. They must come from `newElements`, a literal that starts with no number, or `slice`s of such. */
export function newArray(elements: Value[]): ArrayObject {
  if ((R.mem -= 104 + 8 * elements.length) < 0) R.run.outOfMemory();
  return new GuestObject(ARRAY_ROOT, Kind.ARRAY, elements, undefined, undefined, undefined, undefined) as ArrayObject;
}

/** An array of a copy of any list of values. */
export function arrayFrom(values: ArrayLike<Value>): ArrayObject {
  const d = newElements();
  for (let i = 0; i < values.length; i++) d.push(values[i]);
  return newArray(d);
}

export function isDense(v: Value): v is ArrayObject {
  return typeof v === "object" && v !== null && v.kind === Kind.ARRAY;
}

/** True for a dense array whose own and inherited behaviour is as made: no holes can be filled by a prototype, methods are the builtins. */
export function isPlainArray(v: Value): v is ArrayObject {
  return typeof v === "object" && v !== null && v.kind === Kind.ARRAY && v.shape === ARRAY_ROOT && R.intact;
}

export function throwArrayLength(): never {
  throwRangeError(`Invalid array length: an array may have at most ${R.arrayLength} elements here`);
}

/** Checks and charges the growth of a dense array to `length`. */
export function growArray(o: ArrayObject, length: number): void {
  if (length > R.arrayLength) throwArrayLength();
  const n = length - o.d.length;
  if (n > 0) {
    charge(n);
    if ((R.mem -= 8 * n) < 0) R.run.outOfMemory();
  }
}

/** `o.length` of a dense or sparse array. */
export function arrayLength(o: GuestObject): number {
  return o.kind === Kind.ARRAY ? (o.d as Value[]).length : (o.d as SparseData).length;
}

// Index access, the fast entries of property sites ---------------------------------------------------------------------------------

/** `o[i]` for a number; `o` is a dense array and `i` is no element of it or is a hole. */
export function getIndexSlow(o: GuestObject, i: number): Value {
  const proto = protoOf(o.shape);
  const key = String(i);
  if (arrayIndex(key) < 0) return getFrom(o, key, o);
  return proto === null ? undefined : getFrom(proto, key, o);
}

/** `o[i] = v` where `i` is a number that is no element of the dense array `o`. */
export function setIndexSlow(o: ArrayObject, i: number, v: Value): boolean {
  const key = String(i);
  if (arrayIndex(key) < 0) return setOn(o, key, v, o);
  return dense.set(o, key, v, o);
}

/** Appends to or writes into a dense array; the index may leave a gap. */
function putElement(o: ArrayObject, index: number, v: Value): boolean {
  const d = o.d;
  if (index < d.length) {
    d[index] = v;
    return true;
  }
  if (index >= R.arrayLength) throwArrayLength();
  if (index === d.length) {
    R.mem -= 8;
    d.push(v);
    return true;
  }
  if (index - d.length > MAX_GAP) {
    toSparse(o);
    return sparseExotic.defineOwn(o, String(index), dataDescriptor(v));
  }
  growArray(o, index + 1);
  while (d.length < index) d.push(HOLE);
  d.push(v);
  return true;
}

// Internal methods -----------------------------------------------------------------------------------------------------------------

const dense: Exotic = {
  getOwn(o, key) {
    if (typeof key === "string") {
      const i = arrayIndex(key);
      const d = (o as ArrayObject).d;
      if (i >= 0) {
        const v = i < d.length ? d[i] : HOLE;
        return v === HOLE ? undefined : new OwnProperty(v, DATA);
      }
      if (key === "length") return new OwnProperty(d.length, Flag.WRITABLE);
    }
    return ordinaryGetOwn(o, key);
  },
  defineOwn(o, key, desc) {
    if (typeof key === "string") {
      const i = arrayIndex(key);
      if (i >= 0) {
        const d = (o as ArrayObject).d;
        const exists = i < d.length && d[i] !== HOLE;
        const plain = (desc.has & (Has.GET | Has.SET)) === 0;
        const missing = (Has.WRITABLE | Has.ENUMERABLE | Has.CONFIGURABLE) & ~desc.has;
        const denies =
          ((desc.has & Has.WRITABLE) !== 0 && (desc.flags & Flag.WRITABLE) === 0) ||
          ((desc.has & Has.ENUMERABLE) !== 0 && (desc.flags & Flag.ENUMERABLE) === 0) ||
          ((desc.has & Has.CONFIGURABLE) !== 0 && (desc.flags & Flag.CONFIGURABLE) === 0);
        if (plain && !denies && (exists || missing === 0)) {
          if (exists) {
            if ((desc.has & Has.VALUE) !== 0) d[i] = desc.value;
            return true;
          }
          return putElement(o as ArrayObject, i, desc.value);
        }
        if (i >= R.arrayLength) throwArrayLength();
        toSparse(o as ArrayObject);
        return sparseExotic.defineOwn(o, key, desc);
      }
      if (key === "length") return setLength(o as ArrayObject, desc);
    }
    return ordinaryDefineOwn(o, key, desc);
  },
  has(o, key) {
    if (typeof key === "string") {
      const i = arrayIndex(key);
      if (i >= 0) {
        const d = (o as ArrayObject).d;
        if (i < d.length && d[i] !== HOLE) return true;
        const proto = protoOf(o.shape);
        return proto !== null && hasProperty(proto, key);
      }
      if (key === "length") return true;
    }
    return ordinaryHas(o, key);
  },
  get(o, key, receiver) {
    if (typeof key === "string") {
      const i = arrayIndex(key);
      if (i >= 0) {
        const d = (o as ArrayObject).d;
        if (i < d.length) {
          const v = d[i];
          if (v !== HOLE) return v;
        }
        const proto = protoOf(o.shape);
        return proto === null ? undefined : getFrom(proto, key, receiver);
      }
      if (key === "length") return (o as ArrayObject).d.length;
    }
    return ordinaryGet(o, key, receiver);
  },
  set(o, key, v, receiver) {
    if (typeof key === "string") {
      const i = arrayIndex(key);
      if (i >= 0) {
        const d = (o as ArrayObject).d;
        if (i < d.length && d[i] !== HOLE) {
          if (o !== receiver) return setOnReceiver(receiver, key, v);
          d[i] = v;
          return true;
        }
        const proto = protoOf(o.shape);
        if (proto !== null && !(R.intact && o.shape === ARRAY_ROOT) && !(o === receiver && isFreeBelow(proto, key)))
          return setOn(proto, key, v, receiver);
        return o === receiver ? putElement(o as ArrayObject, i, v) : setOnReceiver(receiver, key, v);
      }
      if (key === "length")
        return o === receiver ? setLength(o as ArrayObject, new Descriptor(Has.VALUE, 0, v)) : setOnReceiver(receiver, key, v);
    }
    return ordinarySet(o, key, v, receiver);
  },
  delete(o, key) {
    if (typeof key === "string") {
      const i = arrayIndex(key);
      if (i >= 0) {
        const d = (o as ArrayObject).d;
        if (i < d.length) d[i] = HOLE;
        return true;
      }
      if (key === "length") return false;
    }
    return ordinaryDelete(o, key);
  },
  ownKeys(o) {
    const d = (o as ArrayObject).d;
    charge(d.length);
    allocate(KEY_BYTES * d.length);
    const keys: Key[] = [];
    for (let i = 0; i < d.length; i++) if (d[i] !== HOLE) keys.push(String(i));
    keys.push("length");
    return ordinaryOwnKeys(o, keys);
  },
  preventExtensions(o) {
    toSparse(o as ArrayObject);
    applyIntegrity(o, 0);
    return true;
  },
};
EXOTIC[Kind.ARRAY] = dense;
EXOTIC[Kind.SPARSE_ARRAY] = sparseExotic;

/** True if a write of `key` passes by `proto` and what is above it unseen. */
function isFreeBelow(proto: GuestObject, key: Key): boolean {
  let links = 0;
  for (let p: GuestObject | null = proto; p !== null; p = protoOf(p.shape)) {
    links = countLink(links);
    if (p.kind === Kind.PROXY || p.kind === Kind.TYPED_ARRAY || hasOwn(p, key)) return false;
  }
  return true;
}

/** ArraySetLength on a dense array. */
function setLength(o: ArrayObject, desc: Descriptor): boolean {
  if ((desc.has & Has.VALUE) !== 0) {
    const length = arrayLengthOf(desc.value);
    if (o.kind !== Kind.ARRAY) return sparseExotic.defineOwn(o, "length", new Descriptor(desc.has, desc.flags, length, desc.get, desc.set)); // valueOf has changed the array
    desc = new Descriptor(desc.has, desc.flags, length, desc.get, desc.set);
    if (!unusualLength(desc)) {
      truncateOrGrow(o, length);
      return true;
    }
  } else if (!unusualLength(desc)) return true;
  toSparse(o);
  return sparseExotic.defineOwn(o, "length", desc);
}

function unusualLength(desc: Descriptor): boolean {
  return (
    (desc.has & (Has.GET | Has.SET)) !== 0 ||
    ((desc.has & Has.WRITABLE) !== 0 && (desc.flags & Flag.WRITABLE) === 0) ||
    ((desc.has & Has.ENUMERABLE) !== 0 && (desc.flags & Flag.ENUMERABLE) !== 0) ||
    ((desc.has & Has.CONFIGURABLE) !== 0 && (desc.flags & Flag.CONFIGURABLE) !== 0)
  );
}

/** `o.length = length` on a dense array; the length is a valid one. */
export function truncateOrGrow(o: ArrayObject, length: number): void {
  const d = o.d;
  if (length <= d.length) {
    d.length = length;
  } else if (length - d.length > MAX_DENSE_GROWTH) {
    if (length > R.arrayLength) throwArrayLength();
    toSparse(o);
    (o.d as unknown as SparseData).length = length;
  } else {
    growArray(o, length);
    while (d.length < length) d.push(HOLE);
  }
}
