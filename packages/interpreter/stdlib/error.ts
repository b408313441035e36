// The error types (ECMAScript 20.5), with the accessor `Error.prototype.stack` (stage 3 proposal error-stack-accessor).

import { protoFromNewTarget } from "../src/call.js";
import { arrayFrom } from "../src/array.js";
import { describe, toStr } from "../src/convert.js";
import { isError, stackText, traceText } from "../src/error-text.js";
import { ErrorData, captureSites, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { listFromIterable } from "../src/iterate.js";
import { dataDescriptor, definePropertyOrThrow, get, hasProperty, newKind } from "../src/object.js";
import {
  type PropertySpec,
  define,
  defineConstructor,
  defineGlobal,
  getter,
  intrinsic,
  method,
  ref,
  setRequiresNew,
  value,
} from "../src/realm.js";
import { R } from "../src/run-state.js";
import { HIDDEN, addProperty } from "../src/shape.js";
import { prepareText } from "../src/text.js";
import { type GuestObject, Kind, type Value, isObject } from "../src/values.js";
import { setIgnoringPrototype } from "./ignoring-prototype.js";

setRequiresNew((name) => throwTypeError(`Constructor ${name} requires 'new'`));

function makeErrorObject(newTarget: GuestObject, prototype: Intrinsic, message: Value): GuestObject {
  R.mem -= 120;
  const e = newKind(protoFromNewTarget(newTarget, prototype), Kind.ERROR, new ErrorData(captureSites()));
  if (message !== undefined) addProperty(e, "message", toStr(message), HIDDEN);
  return e;
}

/** InstallErrorCause. */
function installCause(e: GuestObject, options: Value): void {
  if (isObject(options) && hasProperty(options, "cause")) addProperty(e, "cause", get(options, "cause"), HIDDEN);
}

function errorType(
  name: string,
  id: Intrinsic,
  prototype: Intrinsic,
  props: PropertySpec[] = [],
  prototypeProps: PropertySpec[] = [],
): void {
  const make = (args: Value[], newTarget: GuestObject): Value => {
    const e = makeErrorObject(newTarget, prototype, args[0]);
    installCause(e, args[1]);
    return e;
  };
  describeType(name, 1, id, prototype, make, props, prototypeProps);
}

function describeType(
  name: string,
  length: number,
  id: Intrinsic,
  prototype: Intrinsic,
  make: (args: Value[], newTarget: GuestObject) => Value,
  props: PropertySpec[] = [],
  prototypeProps: PropertySpec[] = [],
): void {
  const native = id !== Intrinsic.Error;
  defineConstructor(id, {
    name,
    length,
    prototype,
    proto: native ? Intrinsic.Error : undefined,
    call: (_t, args) => make(args, intrinsic(id)),
    construct: make,
    props,
  });
  define(prototype, {
    proto: native ? Intrinsic.ErrorPrototype : Intrinsic.ObjectPrototype,
    props: [ref("constructor", id), value("name", name), value("message", ""), ...prototypeProps],
  });
  defineGlobal(name, id);
}

errorType(
  "Error",
  Intrinsic.Error,
  Intrinsic.ErrorPrototype,
  [
    method("isError", 1, (_t, v) => isError(v)),
    // V8's, which programs call in the constructors of their own errors.
    method("captureStackTrace", 2, (_t, o) => {
      if (!isObject(o)) throwTypeError("Invalid argument: Error.captureStackTrace takes an object");
      definePropertyOrThrow(o, "stack", dataDescriptor(traceText(o, captureSites()), HIDDEN));
      return undefined;
    }),
  ],
  [
    method("toString", 0, (t) => {
      if (!isObject(t)) throwTypeError(`Error.prototype.toString requires that 'this' be a JSReceiver`);
      const name = get(t, "name");
      const nameText = name === undefined ? "Error" : toStr(name);
      const message = get(t, "message");
      const text = message === undefined ? "" : toStr(message);
      if (nameText === "") return text;
      if (text === "") return nameText;
      prepareText(nameText.length + text.length + 2);
      return `${nameText}: ${text}`;
    }),
    getter(
      "stack",
      (t) => {
        if (!isObject(t)) throwTypeError("get Error.prototype.stack requires that 'this' be an object");
        return isError(t) ? stackText(t) : undefined;
      },
      (t, v) => {
        if (!isObject(t)) throwTypeError("set Error.prototype.stack requires that 'this' be an object");
        if (typeof v !== "string") throwTypeError(`The stack of an error must be a string: ${describe(v)}`);
        setIgnoringPrototype(t, intrinsic(Intrinsic.ErrorPrototype), "stack", v);
      },
    ),
  ],
);
errorType("EvalError", Intrinsic.EvalError, Intrinsic.EvalErrorPrototype);
errorType("RangeError", Intrinsic.RangeError, Intrinsic.RangeErrorPrototype);
errorType("ReferenceError", Intrinsic.ReferenceError, Intrinsic.ReferenceErrorPrototype);
errorType("SyntaxError", Intrinsic.SyntaxError, Intrinsic.SyntaxErrorPrototype);
errorType("TypeError", Intrinsic.TypeError, Intrinsic.TypeErrorPrototype);
errorType("URIError", Intrinsic.URIError, Intrinsic.URIErrorPrototype);

describeType("AggregateError", 2, Intrinsic.AggregateError, Intrinsic.AggregateErrorPrototype, (args, newTarget) => {
  const e = makeErrorObject(newTarget, Intrinsic.AggregateErrorPrototype, args[1]);
  installCause(e, args[2]);
  addProperty(e, "errors", arrayFrom(listFromIterable(args[0])), HIDDEN);
  return e;
});

describeType("SuppressedError", 3, Intrinsic.SuppressedError, Intrinsic.SuppressedErrorPrototype, (args, newTarget) => {
  const e = makeErrorObject(newTarget, Intrinsic.SuppressedErrorPrototype, args[2]);
  addProperty(e, "error", args[0], HIDDEN);
  addProperty(e, "suppressed", args[1], HIDDEN);
  return e;
});
