// Arrays with unusual attributes, huge gaps or a fixed length: elements are properties in the table.

import { throwRangeError } from "./errors.js";
import { toNumber, toUint32 } from "./convert.js";
import {
  Descriptor,
  type Exotic,
  Has,
  OwnProperty,
  isCompatible,
  ordinaryDefineOwn,
  ordinaryDelete,
  ordinaryGet,
  ordinaryGetOwn,
  ordinaryHas,
  ordinaryOwnKeys,
  ordinarySet,
  setOnReceiver,
} from "./object.js";
import { R, allocate, charge } from "./run-state.js";
import { DATA, ENTRY_SHIFT, Flag, arrayIndex, removeProperty, store, tableOf, toDictionary } from "./shape.js";
import { type ArrayObject, GuestObject, HOLE, type Key, Kind, SparseData, type Value } from "./values.js";

/** Moves the elements of a dense array into its table. */
export function toSparse(o: ArrayObject): void {
  const d = o.d;
  charge(d.length);
  allocate(100 * d.length);
  const shape = toDictionary(o);
  const table = shape.table!;
  for (let i = 0; i < d.length; i++) {
    if (d[i] === HOLE) continue;
    const slot = shape.count++;
    table.set(String(i), (slot << ENTRY_SHIFT) | DATA);
    store(o, slot, d[i]);
  }
  shape.hasIndexKeys = true;
  const sparse: GuestObject = o;
  sparse.kind = Kind.SPARSE_ARRAY;
  sparse.d = new SparseData(d.length, true);
}

/** The length that ArraySetLength makes of a value: ToUint32, which must equal ToNumber. */
export function arrayLengthOf(v: Value): number {
  if (typeof v === "number" && v >>> 0 === v) return v;
  const length = toUint32(v);
  const number = toNumber(v);
  if (length !== number) throwRangeError("Invalid array length");
  return length;
}

export const sparseExotic: Exotic = {
  getOwn(o, key) {
    if (key === "length") return lengthProperty(o);
    return ordinaryGetOwn(o, key);
  },
  defineOwn(o, key, desc) {
    const data = o.d as SparseData;
    if (typeof key === "string") {
      if (key === "length") return setLength(o, desc);
      const i = arrayIndex(key);
      if (i >= 0) {
        if (i >= data.length && !data.lengthWritable) return false;
        if (i >= R.arrayLength) throwRangeError(`Invalid array length: an array may have at most ${R.arrayLength} elements here`);
        if (!ordinaryDefineOwn(o, key, desc)) return false;
        if (i >= data.length) data.length = i + 1;
        return true;
      }
    }
    return ordinaryDefineOwn(o, key, desc);
  },
  has(o, key) {
    return key === "length" || ordinaryHas(o, key);
  },
  get(o, key, receiver) {
    return key === "length" ? (o.d as SparseData).length : ordinaryGet(o, key, receiver);
  },
  set(o, key, v, receiver) {
    if (key === "length") {
      if (!(o.d as SparseData).lengthWritable) return false;
      return setOnReceiver(receiver, key, v);
    }
    return ordinarySet(o, key, v, receiver);
  },
  delete(o, key) {
    return key === "length" ? false : ordinaryDelete(o, key);
  },
  ownKeys(o) {
    const keys = ordinaryOwnKeys(o);
    let i = 0;
    while (i < keys.length && typeof keys[i] === "string" && arrayIndex(keys[i] as string) >= 0) i++;
    keys.splice(i, 0, "length");
    return keys;
  },
};

function lengthProperty(o: GuestObject): OwnProperty {
  const data = o.d as SparseData;
  return new OwnProperty(data.length, data.lengthWritable ? Flag.WRITABLE : 0);
}

/** ArraySetLength. */
function setLength(o: GuestObject, desc: Descriptor): boolean {
  const data = o.d as SparseData;
  let length = data.length;
  if ((desc.has & Has.VALUE) !== 0) {
    length = arrayLengthOf(desc.value);
    if (length > R.arrayLength) throwRangeError(`Invalid array length: an array may have at most ${R.arrayLength} elements here`);
    desc = new Descriptor(desc.has, desc.flags, length, desc.get, desc.set);
  }
  if (!isCompatible(data.lengthWritable ? Flag.WRITABLE : 0, data.length, desc)) return false;
  const becomesFixed = (desc.has & Has.WRITABLE) !== 0 && (desc.flags & Flag.WRITABLE) === 0;
  let ok = true;
  if (length < data.length) {
    if (!data.lengthWritable) return false;
    ok = truncate(o, data, length);
  } else {
    data.length = length;
  }
  if (becomesFixed) data.lengthWritable = false;
  return ok;
}

/** Deletes elements from the end down to `length`; stops at one that can't be deleted. */
function truncate(o: GuestObject, data: SparseData, length: number): boolean {
  const doomed: number[] = [];
  const table = tableOf(o.shape);
  charge(table.size);
  allocate(8 * table.size);
  for (const key of table.keys()) {
    if (typeof key !== "string") continue;
    const i = arrayIndex(key);
    if (i >= length) doomed.push(i);
  }
  doomed.sort((a, b) => b - a);
  for (const i of doomed) {
    const key: Key = String(i);
    const entry = tableOf(o.shape).get(key)!;
    if ((entry & Flag.CONFIGURABLE) === 0) {
      data.length = i + 1;
      return false;
    }
    removeProperty(o, key, entry);
  }
  data.length = length;
  return true;
}
