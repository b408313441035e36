// The value properties of the global object, and its functions on numbers (ECMAScript 19.1, 19.2).

import { toNumber, toInt32, toStr } from "../src/convert.js";
import { Intrinsic } from "../src/intrinsics.js";
import { type PropertySpec, type Realm, defineGlobal, method, nativeCode, nativeFunction, ref, value } from "../src/realm.js";
import { chargeText } from "../src/run-state.js";
import { FunctionData, type Value } from "../src/values.js";

defineGlobal("globalThis", ref("globalThis", Intrinsic.Global));
defineGlobal("Infinity", value("Infinity", Infinity, 0));
defineGlobal("NaN", value("NaN", NaN, 0));
defineGlobal("undefined", value("undefined", undefined, 0));

/** A function that is a property of two objects: one function object for each realm. */
function shared(name: string, length: number, f: (t: Value, a: Value, b: Value) => Value): PropertySpec {
  const data = new FunctionData(nativeCode(name, length, f), null, null, null);
  return ref(name, (realm: Realm) => realm.slot(data, () => nativeFunction(data)));
}

/** `parseInt` and `parseFloat`, which are properties of Number too. */
export const PARSE_INT = shared("parseInt", 2, (_t, text, radix) => parseIntOf(text, radix));
export const PARSE_FLOAT = shared("parseFloat", 1, (_t, text) => {
  if (typeof text === "number" && text !== 0) return parseFloat(`${text}`);
  const s = toStr(text);
  chargeText(s.length);
  return parseFloat(s);
});

function parseIntOf(text: Value, radix: Value): number {
  if (typeof text === "number" && radix === undefined && Number.isInteger(text) && Math.abs(text) < 1e21) return text + 0;
  const s = toStr(text);
  const r = radix === undefined ? 10 : toInt32(radix);
  chargeText(s.length);
  return radix === undefined ? parseInt(s) : parseInt(s, r);
}

defineGlobal("parseInt", PARSE_INT);
defineGlobal("parseFloat", PARSE_FLOAT);
defineGlobal(
  "isNaN",
  method("isNaN", 1, (_t, v) => Number.isNaN(toNumber(v))),
);
defineGlobal(
  "isFinite",
  method("isFinite", 1, (_t, v) => Number.isFinite(toNumber(v))),
);
