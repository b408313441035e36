// JSON text of plain data for `%j`, without running code of the program.

import { isArray } from "../src/convert.js";
import { getOwn } from "../src/object.js";
import { charge } from "../src/run-state.js";
import { Flag, tableOf } from "../src/shape.js";
import { Accessor, FIRST_EXOTIC, HOLE, Kind, type Value } from "../src/values.js";

const MAX_NODES = 2000;
const MAX_DEPTH = 20;
const MAX_TEXT = 10_000;

/** Undefined for what has no JSON text or is too large; accessors and proxies count as absent. */
export function plainJson(v: Value): string | undefined {
  let nodes = 0;
  const copy = (item: Value, depth: number): unknown => {
    if (++nodes > MAX_NODES || depth > MAX_DEPTH) return null;
    charge(1);
    if (typeof item === "string") return item.slice(0, MAX_TEXT);
    if (typeof item === "number" || typeof item === "boolean" || item === null) return item;
    if (typeof item !== "object") return undefined;
    const array: boolean = isArray(item);
    if (array)
      return item.kind === Kind.ARRAY
        ? (item.d as Value[]).slice(0, MAX_NODES).map((e) => (e === HOLE ? null : (copy(e, depth + 1) ?? null)))
        : [];
    if (item.kind === Kind.FUNCTION || item.kind >= FIRST_EXOTIC) return undefined;
    const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const [key, entry] of tableOf(item.shape)) {
      if (typeof key !== "string" || (entry & Flag.ENUMERABLE) === 0) continue;
      const slot = getOwn(item, key)?.slot;
      if (!(slot instanceof Accessor)) out[key.slice(0, MAX_TEXT)] = copy(slot, depth + 1);
      if (nodes > MAX_NODES) break;
    }
    return out;
  };
  return JSON.stringify(copy(v, 0));
}
