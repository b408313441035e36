// The unmapped arguments object (ECMAScript 10.4.4.7).

import { Intrinsic } from "../intrinsics.js";
import { newKind } from "../object.js";
import { currentRealm } from "../realm.js";
import { R, allocate } from "../run-state.js";
import { DATA, ENTRY_SHIFT, Flag, HIDDEN, addProperty, rootOf, store, toDictionary } from "../shape.js";
import { Accessor, type GuestObject, Kind, SYM, type Value } from "../values.js";

export function makeArguments(args: readonly Value[]): GuestObject {
  const realm = currentRealm();
  const o = newKind(rootOf(Intrinsic.ObjectPrototype), Kind.ARGUMENTS, undefined);
  const shape = toDictionary(o);
  if ((R.fuel -= args.length) < 0) R.run.outOfFuel();
  allocate(64 * args.length);
  for (let i = 0; i < args.length; i++) {
    shape.table!.set(String(i), (shape.count << ENTRY_SHIFT) | DATA);
    store(o, shape.count++, args[i]);
  }
  shape.hasIndexKeys = true;
  addProperty(o, "length", args.length, HIDDEN);
  addProperty(o, SYM.iterator, realm.intrinsic(Intrinsic.ArrayProtoValues), HIDDEN);
  const thrower = realm.intrinsic(Intrinsic.ThrowTypeError);
  addProperty(o, "callee", new Accessor(thrower, thrower), Flag.ACCESSOR);
  return o;
}
