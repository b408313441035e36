// SetIntegrityLevel, TestIntegrityLevel (ECMAScript 7.3.15).

import { Descriptor, Has, definePropertyOrThrow, getOwn, isExtensible, ownKeys, preventExtensions } from "./object.js";
import { charge } from "./run-state.js";
import { Flag, applyIntegrity, tableOf } from "./shape.js";
import { FIRST_EXOTIC, type GuestObject, Kind, PrivateName, type SparseData } from "./values.js";

export type Level = "sealed" | "frozen";

/** SetIntegrityLevel: false if the object refuses. */
export function setIntegrityLevel(o: GuestObject, level: Level): boolean {
  if (o.kind < FIRST_EXOTIC) {
    charge(o.shape.count);
    applyIntegrity(o, level === "sealed" ? 1 : 2);
    return true;
  }
  if (!preventExtensions(o)) return false;
  if (o.kind === Kind.SPARSE_ARRAY) {
    // preventExtensions has made a dense array one.
    charge(o.shape.count);
    applyIntegrity(o, level === "sealed" ? 1 : 2);
    if (level === "frozen") (o.d as SparseData).lengthWritable = false;
    return true;
  }
  for (const key of ownKeys(o)) {
    if (level === "sealed") {
      definePropertyOrThrow(o, key, new Descriptor(Has.CONFIGURABLE, 0, undefined));
      continue;
    }
    const own = getOwn(o, key);
    if (own === undefined) continue;
    definePropertyOrThrow(
      o,
      key,
      new Descriptor((own.flags & Flag.ACCESSOR) !== 0 ? Has.CONFIGURABLE : Has.CONFIGURABLE | Has.WRITABLE, 0, undefined),
    );
  }
  return true;
}

export function testIntegrityLevel(o: GuestObject, level: Level): boolean {
  if (isExtensible(o)) return false;
  if (o.kind < FIRST_EXOTIC) {
    const table = tableOf(o.shape);
    charge(table.size);
    for (const [key, entry] of table) if (!(key instanceof PrivateName) && isLoose(entry, level)) return false;
    return true;
  }
  for (const key of ownKeys(o)) {
    const own = getOwn(o, key);
    if (own !== undefined && isLoose(own.flags, level)) return false;
  }
  return true;
}

function isLoose(flags: number, level: Level): boolean {
  if ((flags & Flag.CONFIGURABLE) !== 0) return true;
  return level === "frozen" && (flags & (Flag.ACCESSOR | Flag.WRITABLE)) === Flag.WRITABLE;
}

/** Freezes an array or a plain object of ours. */
export function setIntegrityFrozen(o: GuestObject): void {
  setIntegrityLevel(o, "frozen");
}
