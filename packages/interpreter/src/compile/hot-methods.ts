// Calls of a few hot methods by name: on plain arrays, Maps and Sets, while the realm is as made, they are done in place. The function is
// looked up before the arguments are evaluated, so what these change comes too late; an array may stop being one of that kind, though.

import { push } from "../array-like.js";
import { isPlainArray, throwArrayLength } from "../array.js";
import { MAP_ROOT, type MapData, SET_ROOT, type SetData, addTo, setEntry } from "../collections.js";
import { R, chargeKey } from "../run-state.js";
import { type Frame, type FunctionObject, type GuestObject, Kind, type Value } from "../values.js";
import { callNonFunction } from "./calls.js";
import type { Ev } from "./unit.js";

/** The slot of a local, or -1 and what evaluates it. */
interface Operand {
  slot: number;
  ev: Ev;
}

/** Finds the method of a value. */
type Find = (o: Value, f: Frame) => Value;

/** `o.name(v)`, or null for other names. */
export function guardedCall1(name: string, object: Operand, argument: Operand, find: Find, site: number, text: string): Ev | null {
  const { slot: self, ev: evaluate } = object;
  const { slot: local, ev: evaluateArgument } = argument;
  const other = (o: Value, f: Frame): Value => {
    const fn = find(o, f);
    const v = local >= 0 ? f[local] : evaluateArgument(f);
    R.site = site;
    if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
      return (fn as FunctionObject).d.code.c1(fn as FunctionObject, o, v);
    return callNonFunction(fn, o, [v], text);
  };
  switch (name) {
    case "push":
      return (f) => {
        const o = self >= 0 ? f[self] : evaluate(f);
        if (isPlainArray(o)) {
          const v = local >= 0 ? f[local] : evaluateArgument(f);
          R.site = site;
          if (local >= 0 || isPlainArray(o)) {
            if (--R.fuel < 0) R.run.outOfFuel();
            const { d } = o;
            if (d.length >= R.arrayLength) throwArrayLength();
            R.mem -= 8;
            return d.push(v);
          }
          return push(o, [v]); // the argument made something else of the array
        }
        return other(o, f);
      };
    case "get":
      return (f) => {
        const o = self >= 0 ? f[self] : evaluate(f);
        if (isPlainMap(o)) {
          const v = local >= 0 ? f[local] : evaluateArgument(f);
          R.site = site;
          chargeKey(v);
          return (o.d as MapData).get(v);
        }
        return other(o, f);
      };
    case "has":
      return (f) => {
        const o = self >= 0 ? f[self] : evaluate(f);
        if (isPlainSet(o) || isPlainMap(o)) {
          const v = local >= 0 ? f[local] : evaluateArgument(f);
          R.site = site;
          chargeKey(v);
          return o.kind === Kind.SET ? (o.d as SetData).has(v) : (o.d as MapData).has(v);
        }
        return other(o, f);
      };
    case "add":
      return (f) => {
        const o = self >= 0 ? f[self] : evaluate(f);
        if (isPlainSet(o)) {
          const v = local >= 0 ? f[local] : evaluateArgument(f);
          R.site = site;
          addTo(o.d as SetData, v);
          return o;
        }
        return other(o, f);
      };
  }
  return null;
}

/** `o.set(k, v)`. */
export function setCall(object: Operand, key: Operand, value: Operand, find: Find, site: number, text: string): Ev {
  const { slot: self, ev: evaluate } = object;
  const { slot: keySlot, ev: evaluateKey } = key;
  const { slot: valueSlot, ev: evaluateValue } = value;
  return (f) => {
    const o = self >= 0 ? f[self] : evaluate(f);
    if (isPlainMap(o)) {
      const k = keySlot >= 0 ? f[keySlot] : evaluateKey(f);
      const v = valueSlot >= 0 ? f[valueSlot] : evaluateValue(f);
      R.site = site;
      setEntry(o.d as MapData, k, v);
      return o;
    }
    const fn = find(o, f);
    const k = keySlot >= 0 ? f[keySlot] : evaluateKey(f);
    const v = valueSlot >= 0 ? f[valueSlot] : evaluateValue(f);
    R.site = site;
    if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
      return (fn as FunctionObject).d.code.c2(fn as FunctionObject, o, k, v);
    return callNonFunction(fn, o, [k, v], text);
  };
}

/** A Map whose methods are the builtins. An ordinary object with that prototype has the same shape. */
function isPlainMap(o: Value): o is GuestObject {
  return typeof o === "object" && o !== null && o.kind === Kind.MAP && o.shape === MAP_ROOT && R.intact;
}

function isPlainSet(o: Value): o is GuestObject {
  return typeof o === "object" && o !== null && o.kind === Kind.SET && o.shape === SET_ROOT && R.intact;
}
