// Function and its relatives (ECMAScript 20.2, 27.3.1, 27.4.1, 27.7.1). Programs can't make functions from texts: see src/function-maker.ts.

import {
  BoundData,
  call0,
  call1,
  call2,
  call3,
  callN,
  construct,
  listFromArrayLike,
  ordinaryHasInstance,
  protoFromNewTarget,
} from "../src/call.js";
import { describe, toIntegerOrInfinity, toStr } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { type FunctionSort, makeFunction } from "../src/function-maker.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get, getPrototypeOf, hasOwn, isCallable, isConstructor } from "../src/object.js";
import {
  define,
  defineConstructor,
  defineGlobal,
  functionProperty,
  functionShape,
  intrinsic,
  method,
  nativeCode,
  ref,
  value,
  variadic,
} from "../src/realm.js";
import { R, allocate, charge } from "../src/run-state.js";
import { Flag, changeProto, childShape, protoOf, rootFor } from "../src/shape.js";
import { prepareText } from "../src/text.js";
import {
  Accessor,
  Code,
  FunctionData,
  FunctionFlag,
  type FunctionObject,
  GuestObject,
  Kind,
  SYM,
  type Value,
  isFunction,
} from "../src/values.js";

function functionConstructor(id: Intrinsic, name: string, sort: FunctionSort, prototype: Intrinsic, proto: Intrinsic): void {
  const make = (args: Value[], newTarget: GuestObject | undefined): Value => {
    const parts = args.map(toStr);
    const body = parts.pop();
    const fn = makeFunction(sort, parts, body);
    if (newTarget !== undefined && newTarget !== intrinsic(id)) changeProto(fn, protoOf(protoFromNewTarget(newTarget, prototype)));
    return fn;
  };
  defineConstructor(id, { name, length: 1, prototype, proto, call: (_t, args) => make(args, undefined), construct: make });
}
functionConstructor(Intrinsic.Function, "Function", "function", Intrinsic.FunctionPrototype, Intrinsic.FunctionPrototype);
functionConstructor(
  Intrinsic.GeneratorFunction,
  "GeneratorFunction",
  "generator",
  Intrinsic.GeneratorFunctionPrototype,
  Intrinsic.Function,
);
functionConstructor(Intrinsic.AsyncFunction, "AsyncFunction", "async", Intrinsic.AsyncFunctionPrototype, Intrinsic.Function);
functionConstructor(
  Intrinsic.AsyncGeneratorFunction,
  "AsyncGeneratorFunction",
  "asyncGenerator",
  Intrinsic.AsyncGeneratorFunctionPrototype,
  Intrinsic.Function,
);
defineGlobal("Function", Intrinsic.Function);

// Function.prototype.call, apply: the arguments move one to the left.
const CALL = new Code("call", 1, FunctionFlag.NATIVE);
CALL.c0 = (_fn, t) => call0(t, undefined);
CALL.c1 = (_fn, t, a) => call0(t, a);
CALL.c2 = (_fn, t, a, b) => call1(t, a, b);
CALL.c3 = (_fn, t, a, b, c) => call2(t, a, b, c);
CALL.cN = (_fn, t, args) => {
  charge(args.length);
  allocate(8 * args.length);
  return callN(t, args[0], args.slice(1));
};

const poison = {
  flags: Flag.CONFIGURABLE | Flag.ACCESSOR,
  make: () => new Accessor(intrinsic(Intrinsic.ThrowTypeError), intrinsic(Intrinsic.ThrowTypeError)),
};

/** %Function.prototype% is a function that takes anything and gives undefined. */
const NOTHING = nativeCode("", 0, () => undefined);

define(Intrinsic.FunctionPrototype, {
  kind: Kind.FUNCTION,
  proto: Intrinsic.ObjectPrototype,
  data: () => new FunctionData(NOTHING, null, null, null),
  props: [
    value("length", 0, Flag.CONFIGURABLE),
    value("name", "", Flag.CONFIGURABLE),
    { key: "arguments", ...poison },
    { key: "caller", ...poison },
    ref("constructor", Intrinsic.Function),
    method("apply", 2, (t, thisArg, list) => {
      if (!isCallable(t)) throwTypeError(`Function.prototype.apply was called on ${describe(t)}, which is not a function`);
      if (list === undefined || list === null) return call0(t, thisArg);
      return callN(t, thisArg, listFromArrayLike(list));
    }),
    variadic("bind", 1, bind),
    functionProperty("call", CALL),
    method("toString", 0, (t) => {
      if (isFunction(t)) {
        const code = t.d.code;
        return code.text !== null ? code.text() : `function ${t.d.data instanceof BoundData ? "" : code.name}() { [native code] }`;
      }
      if (isCallable(t)) return "function () { [native code] }";
      throwTypeError("Function.prototype.toString requires that 'this' be a Function");
    }),
    method(SYM.hasInstance, 1, (t, v) => ordinaryHasInstance(t, v), 0),
  ],
});

/** BoundFunctionCreate, with the `length` and `name` of bind. */
function bind(t: Value, args: Value[]): Value {
  if (!isCallable(t)) throwTypeError("Bind must be called on a function");
  charge(args.length);
  allocate(200 + 8 * args.length);
  const data = new BoundData(t, args[0], args.slice(1));
  const proto = getPrototypeOf(t);
  let length = 0;
  if (hasOwn(t, "length")) {
    const n = get(t, "length");
    if (typeof n === "number") length = Math.max(0, toIntegerOrInfinity(n) - data.args.length);
  }
  const target = get(t, "name");
  const name = typeof target === "string" ? target : "";
  prepareText(name.length + 6);
  const shape =
    proto === R.intrinsics[Intrinsic.FunctionPrototype]
      ? functionShape()
      : childShape(childShape(rootFor(proto), "length", Flag.CONFIGURABLE), "name", Flag.CONFIGURABLE);
  return new GuestObject(
    shape,
    Kind.FUNCTION,
    new FunctionData(isConstructor(t) ? BOUND_CONSTRUCTOR : BOUND, null, null, data),
    length,
    `bound ${name}`,
    undefined,
    undefined,
  );
}

const bound = (fn: FunctionObject): BoundData => fn.d.data as BoundData; // only functions made by `bind` have these codes

function boundCode(): Code {
  const code = new Code("bound", 0, FunctionFlag.NATIVE | FunctionFlag.BOUND);
  code.c0 = (fn) => {
    const b = bound(fn);
    return b.args.length === 0 ? call0(b.target, b.thisValue) : callN(b.target, b.thisValue, b.args.slice());
  };
  code.c1 = (fn, _t, a1) => {
    const { target, thisValue, args } = bound(fn);
    if (args.length === 0) return call1(target, thisValue, a1);
    if (args.length === 1) return call2(target, thisValue, args[0], a1);
    return callN(target, thisValue, joined(args, [a1]));
  };
  code.c2 = (fn, _t, a1, a2) => {
    const { target, thisValue, args } = bound(fn);
    if (args.length === 0) return call2(target, thisValue, a1, a2);
    if (args.length === 1) return call3(target, thisValue, args[0], a1, a2);
    return callN(target, thisValue, joined(args, [a1, a2]));
  };
  code.c3 = (fn, _t, a1, a2, a3) => {
    const { target, thisValue, args } = bound(fn);
    return args.length === 0 ? call3(target, thisValue, a1, a2, a3) : callN(target, thisValue, joined(args, [a1, a2, a3]));
  };
  code.cN = (fn, _t, args) => callN(bound(fn).target, bound(fn).thisValue, joined(bound(fn).args, args));
  return code;
}
const BOUND = boundCode();
const BOUND_CONSTRUCTOR = boundCode();
BOUND_CONSTRUCTOR.kN = (fn, newTarget, args) =>
  construct(bound(fn).target, joined(bound(fn).args, args), newTarget === fn ? bound(fn).target : newTarget);
BOUND_CONSTRUCTOR.k0 = (fn, newTarget) => BOUND_CONSTRUCTOR.kN!(fn, newTarget, []);
BOUND_CONSTRUCTOR.k1 = (fn, newTarget, a) => BOUND_CONSTRUCTOR.kN!(fn, newTarget, [a]);
BOUND_CONSTRUCTOR.k2 = (fn, newTarget, a, b) => BOUND_CONSTRUCTOR.kN!(fn, newTarget, [a, b]);
BOUND_CONSTRUCTOR.k3 = (fn, newTarget, a, b, c) => BOUND_CONSTRUCTOR.kN!(fn, newTarget, [a, b, c]);

function joined(own: Value[], args: Value[]): Value[] {
  if (own.length === 0) return args;
  charge(own.length + args.length);
  allocate(8 * (own.length + args.length));
  const list = own.slice();
  for (const v of args) list.push(v);
  return list;
}

const REFUSE = nativeCode("", 0, () =>
  throwTypeError("'caller', 'callee', and 'arguments' properties may not be accessed on functions or arguments objects"),
);
define(Intrinsic.ThrowTypeError, {
  kind: Kind.FUNCTION,
  extensible: false,
  data: () => new FunctionData(REFUSE, null, null, null),
  props: [value("length", 0, 0), value("name", "", 0)],
});
