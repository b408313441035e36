// SetterThatIgnoresPrototypeProperties (ECMAScript 27.1.3): what assignment to a property of a builtin prototype, kept as an accessor, does.

import { throwTypeError } from "../src/errors.js";
import { createDataOrThrow, getOwn, set } from "../src/object.js";
import { type GuestObject, type Key, type Value, isObject } from "../src/values.js";

export function setIgnoringPrototype(t: Value, home: GuestObject, key: Key, v: Value): void {
  if (!isObject(t)) throwTypeError(`Cannot set property '${String(key)}' of a primitive`);
  if (t === home) throwTypeError(`Cannot assign to read only property '${String(key)}' of a builtin prototype`);
  if (getOwn(t, key) === undefined) createDataOrThrow(t, key, v);
  else set(t, key, v);
}
