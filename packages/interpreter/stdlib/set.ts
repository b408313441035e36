// Set (ECMAScript 24.2). `d` is a host Set; see map.ts.

import { newArray, newElements } from "../src/array.js";
import { callbackOf } from "../src/array-like.js";
import { call1, protoFromNewTarget } from "../src/call.js";
import { type SetData, addTo } from "../src/collections.js";
import { describe } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { NativeIterator, forOf, nextCode } from "../src/iterate.js";
import { get, isCallable, newKind } from "../src/object.js";
import { alias, define, defineConstructor, defineGlobal, functionProperty, getter, method, nativeCode, ref, value } from "../src/realm.js";
import { R, charge, chargeKey, enterNative, leaveNative } from "../src/run-state.js";
import { Flag, rootOf } from "../src/shape.js";
import { type Code, type GuestObject, HOLE, Kind, SYM, type Value, isFunction } from "../src/values.js";
import { HAS, setMethods } from "./set-methods.js";

export function thisSet(t: Value, name: string): SetData {
  if (typeof t === "object" && t !== null && t.kind === Kind.SET) return t.d as SetData;
  throwTypeError(`Method Set.prototype.${name} called on incompatible receiver ${describe(t)}`);
}

const ADD = nativeCode("add", 1, (t, v) => {
  addTo(thisSet(t, "add"), v);
  return t;
});

defineConstructor(Intrinsic.Set, {
  name: "Set",
  length: 0,
  prototype: Intrinsic.SetPrototype,
  call: null,
  construct(args, newTarget) {
    R.mem -= 100;
    const s: SetData = new Set();
    const o = newKind(protoFromNewTarget(newTarget, Intrinsic.SetPrototype), Kind.SET, s);
    const iterable = args[0];
    if (iterable === undefined || iterable === null) return o;
    const adder = get(o, "add");
    if (!isCallable(adder)) throwTypeError(`'${describe(adder)}' returned for property 'add' of object '#<Set>' is not a function`);
    if (isFunction(adder) && adder.d.code === ADD) forOf(iterable, (v) => addTo(s, v));
    else {
      forOf(iterable, (v) => {
        call1(adder, o, v);
      });
    }
    return o;
  },
  props: [getter(SYM.species, (t) => t)],
});
defineGlobal("Set", Intrinsic.Set);

define(Intrinsic.SetPrototype, {
  props: [
    ref("constructor", Intrinsic.Set),
    functionProperty("has", HAS),
    functionProperty("add", ADD),
    method("delete", 1, (t, v) => (chargeKey(v), thisSet(t, "delete").delete(v))),
    method("clear", 0, (t) => {
      const s = thisSet(t, "clear");
      charge(s.size >>> 4);
      s.clear();
      return undefined;
    }),
    method("entries", 0, (t) => setIterator(thisSet(t, "entries"), true)),
    method("forEach", 1, (t, f, thisArg) => {
      const s = thisSet(t, "forEach");
      const fn = callbackOf(f);
      const code = fn.d.code;
      enterNative(200);
      for (const v of s) {
        if (--R.fuel < 0) R.run.outOfFuel();
        code.c3(fn, thisArg, v, v, t);
      }
      leaveNative(200);
      return undefined;
    }),
    getter("size", (t) => thisSet(t, "size").size),
    method("values", 0, (t) => setIterator(thisSet(t, "values"), false)),
    alias("keys", Intrinsic.SetPrototype, "values"),
    value(SYM.toStringTag, "Set", Flag.CONFIGURABLE),
    alias(SYM.iterator, Intrinsic.SetPrototype, "values"),
    ...setMethods,
  ],
});

class SetIterator extends NativeIterator {
  private readonly items: Iterator<Value>;
  private readonly pairs: boolean;
  constructor(items: Iterator<Value>, pairs: boolean) {
    super();
    this.items = items;
    this.pairs = pairs;
  }
  get nextCode(): Code {
    return NEXT;
  }
  step(): Value {
    const { value: item, done } = this.items.next();
    if (done === true) return HOLE;
    if (!this.pairs) return item;
    const d = newElements();
    d.push(item, item);
    return newArray(d);
  }
}
const NEXT: Code = nextCode("Set Iterator", SetIterator);

function setIterator(s: SetData, pairs: boolean): GuestObject {
  R.mem -= 80;
  return newKind(rootOf(Intrinsic.SetIteratorPrototype), Kind.ITERATOR, new SetIterator(s.values(), pairs));
}

define(Intrinsic.SetIteratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [functionProperty("next", NEXT), value(SYM.toStringTag, "Set Iterator", Flag.CONFIGURABLE)],
});
