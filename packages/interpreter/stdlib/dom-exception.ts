// DOMException (Web IDL 2.8.1). Its objects are errors with own hidden `name` and `code`, so that messages can read them without
// running code.

import { protoFromNewTarget } from "../src/call.js";
import { toStr } from "../src/convert.js";
import { ErrorData, GuestThrow, captureSites, makeErrorWith } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get, newKind } from "../src/object.js";
import { type PropertySpec, define, defineConstructor, defineGlobal, ref, value } from "../src/realm.js";
import { Flag, HIDDEN, addProperty } from "../src/shape.js";
import { Kind, SYM, type GuestObject, type Value, isObject } from "../src/values.js";

const CODES: [constant: string, code: number, name: string][] = [
  ["INDEX_SIZE_ERR", 1, "IndexSizeError"],
  ["DOMSTRING_SIZE_ERR", 2, ""],
  ["HIERARCHY_REQUEST_ERR", 3, "HierarchyRequestError"],
  ["WRONG_DOCUMENT_ERR", 4, "WrongDocumentError"],
  ["INVALID_CHARACTER_ERR", 5, "InvalidCharacterError"],
  ["NO_DATA_ALLOWED_ERR", 6, ""],
  ["NO_MODIFICATION_ALLOWED_ERR", 7, "NoModificationAllowedError"],
  ["NOT_FOUND_ERR", 8, "NotFoundError"],
  ["NOT_SUPPORTED_ERR", 9, "NotSupportedError"],
  ["INUSE_ATTRIBUTE_ERR", 10, "InUseAttributeError"],
  ["INVALID_STATE_ERR", 11, "InvalidStateError"],
  ["SYNTAX_ERR", 12, "SyntaxError"],
  ["INVALID_MODIFICATION_ERR", 13, "InvalidModificationError"],
  ["NAMESPACE_ERR", 14, "NamespaceError"],
  ["INVALID_ACCESS_ERR", 15, "InvalidAccessError"],
  ["VALIDATION_ERR", 16, ""],
  ["TYPE_MISMATCH_ERR", 17, "TypeMismatchError"],
  ["SECURITY_ERR", 18, "SecurityError"],
  ["NETWORK_ERR", 19, "NetworkError"],
  ["ABORT_ERR", 20, "AbortError"],
  ["URL_MISMATCH_ERR", 21, "URLMismatchError"],
  ["QUOTA_EXCEEDED_ERR", 22, "QuotaExceededError"],
  ["TIMEOUT_ERR", 23, "TimeoutError"],
  ["INVALID_NODE_TYPE_ERR", 24, "InvalidNodeTypeError"],
  ["DATA_CLONE_ERR", 25, "DataCloneError"],
];
const codeOf = (name: string): number => CODES.find(([, , n]) => n === name && n !== "")?.[1] ?? 0;

export function domException(name: string, message: string): GuestObject {
  return makeErrorWith(Intrinsic.DOMExceptionPrototype, message, [
    ["name", name],
    ["code", codeOf(name)],
  ]);
}

export function throwDomException(name: string, message: string): never {
  throw new GuestThrow(domException(name, message));
}

function make(args: Value[], newTarget: GuestObject): Value {
  const message = args[0] === undefined ? "" : toStr(args[0]);
  let name: Value = args[1];
  let cause: [Value] | null = null;
  if (isObject(name)) {
    const options = name;
    name = get(options, "name");
    const c = get(options, "cause");
    if (c !== undefined) cause = [c];
  }
  const text = name === undefined ? "Error" : toStr(name);
  const e = newKind(protoFromNewTarget(newTarget, Intrinsic.DOMExceptionPrototype), Kind.ERROR, new ErrorData(captureSites()));
  addProperty(e, "message", message, HIDDEN);
  addProperty(e, "name", text, HIDDEN);
  addProperty(e, "code", codeOf(text), HIDDEN);
  if (cause !== null) addProperty(e, "cause", cause[0], HIDDEN);
  return e;
}

const constants: PropertySpec[] = CODES.map(([constant, code]) => value(constant, code, Flag.ENUMERABLE));

defineConstructor(Intrinsic.DOMException, {
  name: "DOMException",
  length: 0,
  prototype: Intrinsic.DOMExceptionPrototype,
  call: null,
  construct: make,
  props: constants,
});
define(Intrinsic.DOMExceptionPrototype, {
  proto: Intrinsic.ErrorPrototype,
  props: [
    ref("constructor", Intrinsic.DOMException),
    value("name", "Error"),
    value("message", ""),
    value("code", 0),
    value(SYM.toStringTag, "DOMException", Flag.CONFIGURABLE),
    ...constants,
  ],
});
defineGlobal("DOMException", Intrinsic.DOMException);
