// The entries of Map and Set: host collections, with their growth counted.

import { throwRangeError } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { R, chargeKey } from "./run-state.js";
import { type Shape, rootOf } from "./shape.js";
import type { Value } from "./values.js";

export type MapData = Map<Value, Value>;
export type SetData = Set<Value>;

/** The shapes of plain ones, whose methods are the builtins while the realm is intact. */
export const MAP_ROOT: Shape = rootOf(Intrinsic.MapPrototype);
export const SET_ROOT: Shape = rootOf(Intrinsic.SetPrototype);

/** One entry in a host Map or Set. */
export const ENTRY_BYTES = 40;
/** The host's own bound is 2^24; a RangeError of ours comes first. */
const MAX_ENTRIES = 16_000_000;

export function setEntry(m: MapData, k: Value, v: Value): void {
  chargeKey(k);
  const n = m.size;
  m.set(k, v);
  if (m.size !== n) grown(m, n, k);
}

export function addTo(s: SetData, v: Value): void {
  chargeKey(v);
  const n = s.size;
  s.add(v);
  if (s.size !== n) grown(s, n, v);
}

/** There is one more entry than `n`. */
function grown(data: MapData | SetData, n: number, key: Value): void {
  if (n >= MAX_ENTRIES || n >= R.arrayLength) {
    data.delete(key);
    throwRangeError(`${data instanceof Map ? "Map" : "Set"} maximum size exceeded`);
  }
  if ((R.mem -= ENTRY_BYTES) < 0) R.run.outOfMemory();
}
