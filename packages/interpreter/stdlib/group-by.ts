// GroupBy (ECMAScript 7.3.34), of Object.groupBy and Map.groupBy.

import { newElements } from "../src/array.js";
import { call2 } from "../src/call.js";
import { describe, toKey } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { forOf } from "../src/iterate.js";
import { isCallable } from "../src/object.js";
import { R, allocate, chargeKey } from "../src/run-state.js";
import { type Value } from "../src/values.js";

/** The groups in order of their first element. Keys are property keys, or any values with -0 made 0. */
export function groupBy(items: Value, callback: Value, by: "property" | "value"): Map<Value, Value[]> {
  if (items === undefined || items === null) throwTypeError(`${describe(items)} is not iterable`);
  if (!isCallable(callback)) throwTypeError(`${describe(callback)} is not a function`);
  const groups = new Map<Value, Value[]>();
  let k = 0;
  forOf(items, (item) => {
    let key = call2(callback, undefined, item, k++);
    if (by === "property") key = toKey(key);
    R.mem -= 8;
    chargeKey(key);
    const group = groups.get(key);
    if (group !== undefined) {
      group.push(item);
      return;
    }
    allocate(40);
    const first = newElements();
    first.push(item);
    groups.set(key, first); // a host Map makes -0 a 0, as the specification does
  });
  return groups;
}
