// Boolean (ECMAScript 20.3).

import { protoFromNewTarget } from "../src/call.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { newKind } from "../src/object.js";
import { define, defineConstructor, defineGlobal, method, ref } from "../src/realm.js";
import { Kind, type Value } from "../src/values.js";

defineConstructor(Intrinsic.Boolean, {
  name: "Boolean",
  length: 1,
  prototype: Intrinsic.BooleanPrototype,
  call: (_t, args) => !!args[0],
  construct: (args, newTarget) => newKind(protoFromNewTarget(newTarget, Intrinsic.BooleanPrototype), Kind.BOOLEAN, !!args[0]),
});
defineGlobal("Boolean", Intrinsic.Boolean);

function thisBooleanValue(t: Value, name: string): boolean {
  if (typeof t === "boolean") return t;
  if (typeof t === "object" && t !== null && t.kind === Kind.BOOLEAN) return t.d as boolean;
  throwTypeError(`Boolean.prototype.${name} requires that 'this' be a Boolean`);
}

define(Intrinsic.BooleanPrototype, {
  kind: Kind.BOOLEAN,
  data: () => false,
  props: [
    ref("constructor", Intrinsic.Boolean),
    method("toString", 0, (t) => String(thisBooleanValue(t, "toString"))),
    method("valueOf", 0, (t) => thisBooleanValue(t, "valueOf")),
  ],
});
