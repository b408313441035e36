import { toKey } from "../convert.js";
import { LONG_TEXT } from "../run-state.js";
import type { Key, Value } from "../values.js";

/** ToPropertyKey, cheap for what is a key. */
export function keyOf(v: Value): Key {
  return typeof v === "string" && v.length <= LONG_TEXT ? v : toKey(v);
}
