import { toKey } from "../convert.js";
import type { Key, Value } from "../values.js";

/** ToPropertyKey, cheap for what is a key. */
export function keyOf(v: Value): Key {
  return typeof v === "string" || typeof v === "symbol" ? v : toKey(v);
}
