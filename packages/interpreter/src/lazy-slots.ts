// Slots whose values are made when they are first read.

import { Intrinsic } from "./intrinsics.js";
import { newKind, newObject } from "./object.js";
import { makeLazyGlobal } from "./realm.js";
import { Flag, addProperty, rootOf, store } from "./shape.js";
import { FunctionFlag, type FunctionObject, type GuestObject, Kind, type Slot } from "./values.js";

/** The `d` of an object of the host's whose slots are made when they are first read; the slot's entry is lazy no longer then. */
export interface LazySlots {
  makeLazy(o: GuestObject, slot: number): Slot;
}

/** Makes what a lazy slot holds: of a tool tree, of a function its `prototype`, of the global object a global. */
export function makeLazy(o: GuestObject, slot: number): Slot {
  if (o.kind === Kind.HOST_DATA) return (o.d as LazySlots).makeLazy(o, slot);
  if (o.kind !== Kind.FUNCTION) return makeLazyGlobal(o, slot);
  const v = makePrototypeProperty(o as FunctionObject);
  store(o, slot, v);
  return v;
}

/** The object that a function's `prototype` holds from the start. */
function makePrototypeProperty(fn: FunctionObject): GuestObject {
  const flags = fn.d.code.flags;
  if ((flags & FunctionFlag.GENERATOR) !== 0) {
    return newKind(
      rootOf((flags & FunctionFlag.ASYNC) !== 0 ? Intrinsic.AsyncGeneratorPrototype : Intrinsic.GeneratorPrototype),
      Kind.ORDINARY,
      undefined,
    );
  }
  const proto = newObject();
  addProperty(proto, "constructor", fn, Flag.WRITABLE | Flag.CONFIGURABLE);
  return proto;
}
