// What a failure most likely means and what to write instead: told from the values that met it. No code of the program runs here, and
// all texts are short.

import { describe, protoOfPrimitive } from "../convert.js";
import { peek } from "../error-text.js";
import { Intrinsic } from "../intrinsics.js";
import { nearestNames } from "../nearest.js";
import { parsedTextOf } from "../parsed-text.js";
import { type Shape, protoOf, rootOf, tableOf } from "../shape.js";
import { FunctionFlag, type FunctionObject, type GuestObject, Kind, type Value } from "../values.js";

const AWAIT = "write await before the call that gave it";
const MAX_LISTED = 12;
const MAX_CANDIDATES = 400;

/** What a value is: "an array of 3", "a string". */
export function kindText(v: Value): string {
  switch (typeof v) {
    case "string":
      return "a string";
    case "object":
      if (v === null) return "null";
      return objectText(v);
    case "undefined":
      return "undefined";
    default:
      return `a ${typeof v}`;
  }
}

function objectText(o: GuestObject): string {
  switch (o.kind) {
    case Kind.ARRAY:
      return `an array of ${(o.d as Value[]).length}`;
    case Kind.SPARSE_ARRAY:
      return "an array";
    case Kind.PROMISE:
      return "a promise";
    case Kind.FUNCTION:
      return ((o as FunctionObject).d.code.flags & FunctionFlag.TOOL) !== 0 ? "a tool" : "a function";
    case Kind.MAP:
      return "a Map";
    case Kind.SET:
      return "a Set";
    case Kind.DATE:
      return "a Date";
    case Kind.REGEXP:
      return "a regular expression";
    case Kind.ERROR:
      return "an error";
    case Kind.GENERATOR:
    case Kind.ASYNC_GENERATOR:
    case Kind.ITERATOR:
      return "an iterator";
    default:
      return "an object";
  }
}

// Properties that are not there ----------------------------------------------------------------------------------------------------

/** Other languages' and libraries' names for what our objects have. Only told where the object has it. */
const OTHER_NAMES: Record<string, string[]> = {
  contains: ["includes", "has"],
  has: ["includes"],
  exists: ["includes", "has"],
  length: ["size"],
  size: ["length"],
  count: ["length", "size"],
  len: ["length", "size"],
  add: ["push", "set"],
  append: ["push", "add", "concat"],
  insert: ["splice", "set"],
  push: ["add"],
  put: ["set"],
  remove: ["delete", "splice"],
  first: ["at"],
  last: ["at"],
  each: ["forEach"],
  select: ["filter"],
  where: ["filter"],
  collect: ["map"],
  any: ["some"],
  all: ["every"],
  flatten: ["flat"],
  sum: ["reduce"],
  lower: ["toLowerCase"],
  upper: ["toUpperCase"],
  toLower: ["toLowerCase"],
  toUpper: ["toUpperCase"],
  strip: ["trim"],
  format: ["toISOString", "toLocaleString"],
  iteritems: ["entries"],
  items: ["entries"],
};

/** Methods of arrays that programs call on what is no array. */
const OF_ARRAYS = new Set([
  "map",
  "filter",
  "forEach",
  "reduce",
  "find",
  "some",
  "every",
  "slice",
  "sort",
  "flatMap",
  "includes",
  "join",
  "length",
  "push",
  "findIndex",
  "concat",
  "at",
]);

/**
 * Why `text.key` is undefined: `file is a string, which has no "content".` Undefined if there is nothing to say: the property is there,
 * or the value has none that could have been meant.
 */
export function missingProperty(text: string, v: Value, key: string): string | undefined {
  if (v === undefined || v === null) return undefined;
  if (typeof v === "object") {
    if (v.kind === Kind.PROXY) return undefined;
    if (v.kind === Kind.PROMISE) return `${text} is a promise: ${AWAIT}.`;
    if (v.kind === Kind.FUNCTION) return functionText(text, v as FunctionObject, key);
  }
  const names = namesOf(v);
  if (names.has(key)) return undefined;
  const is = `${text} is ${kindText(v)}`;
  if (typeof v === "string") {
    const json = /^\s*[[{]/.test(v) ? ` If it holds JSON, JSON.parse(${text}) gives the value.` : "";
    const lines = json === "" && OF_ARRAYS.has(key) ? ` ${text}.split("\\n") gives an array of its lines.` : "";
    return `${is}, which has no "${key}"${didYouMean(key, names)}${json}${lines}`;
  }
  if (typeof v !== "object") return `${is}, which has no "${key}"${didYouMean(key, names)}`;
  if (parsedTextOf(v) !== undefined && namesOf("").has(key))
    return `${text} was parsed from a tool's text and is ${objectText(v)} now: use its fields. String(${text}) gives the text.`;
  switch (v.kind) {
    case Kind.ARRAY: {
      const [first] = v.d as Value[];
      if (hasOwn(first, key)) return `${is}; its items have "${key}": ${text}[0].${key}, or ${text}.map((item) => item.${key}).`;
      break;
    }
    case Kind.MAP:
      if ((v.d as Map<Value, unknown>).has(key)) return `${is}: ${text}.get("${key}") reads an entry.`;
      if (OF_ARRAYS.has(key)) return `${is}, which has no "${key}": [...${text}] makes an array of its entries.`;
      break;
    case Kind.SET:
      if (OF_ARRAYS.has(key) && key !== "length") return `${is}, which has no "${key}": [...${text}] makes an array of it.`;
      break;
    case Kind.GENERATOR:
    case Kind.ITERATOR:
      if (OF_ARRAYS.has(key)) return `${is}, which has no "${key}": [...${text}] makes an array of it.`;
      break;
    case Kind.ORDINARY: {
      const own = ownNames(v);
      const near = nearestNames(key, own, 1);
      if (near.length > 0) return `${text} has no "${key}"; did you mean "${near[0]}"?`;
      const list = OF_ARRAYS.has(key) ? own.find((name) => isArrayValue(peek(v, name))) : undefined;
      if (list !== undefined) return `${text} is an object, not an array; ${text}.${list} is one. Its fields: ${listed(own)}.`;
      if (OF_ARRAYS.has(key))
        return `${text} is an object, not an array: Object.values(${text}) and Object.entries(${text}) give arrays.${own.length > 0 ? ` Its fields: ${listed(own)}.` : ""}`;
      const other = didYouMean(key, names);
      if (other !== ".") return `${text} has no "${key}"${other}`;
      return own.length === 0 ? `${text} is an empty object.` : `${text} has no "${key}". Its fields: ${listed(own)}.`;
    }
    default:
  }
  return `${is}, which has no "${key}"${didYouMean(key, names)}`;
}

/** Why a field of a result is missing, of which the names are known alone. */
export function missingField(text: string, key: string, shape: Shape): string {
  const own = shapeNames(shape);
  const [near] = nearestNames(key, own, 1);
  if (near !== undefined) return `${text} has no "${key}"; did you mean "${near}"?`;
  return own.length === 0 ? `${text} is an empty object.` : `${text} has no "${key}". Its fields: ${listed(own)}.`;
}

function functionText(text: string, fn: FunctionObject, key: string): string | undefined {
  const { flags } = fn.d.code;
  if ((flags & FunctionFlag.TOOL) !== 0)
    return `${text} is a tool: call it with an object and await what it gives, (await ${text}({ … })).${key}.`;
  if (namesOf(fn).has(key)) return undefined;
  if ((flags & FunctionFlag.CLASS) !== 0) return `${text} is a class, which has no static "${key}"${didYouMean(key, namesOf(fn))}`;
  return `${text} is a function, which has no "${key}"${didYouMean(key, namesOf(fn)).slice(0, -1)}; ${text}() calls it.`;
}

function didYouMean(key: string, names: ReadonlySet<string>): string {
  const known = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key].filter((name) => names.has(name)) : [];
  const [meant] = [...known, ...nearestNames(key, names, 1)];
  return meant === undefined ? "." : `; did you mean "${meant}"?`;
}

/** The names that a value has, own and inherited, as far as they can be read. */
function namesOf(v: Value): Set<string> {
  const names = new Set<string>();
  if (typeof v === "string") names.add("length");
  for (let o = typeof v === "object" && v !== null ? v : protoOfPrimitive(v); ;) {
    if (o.kind === Kind.PROXY) break;
    if (o.kind === Kind.ARRAY) names.add("length");
    for (const name of ownNames(o)) names.add(name);
    const next = protoOf(o.shape);
    if (next === null || names.size > MAX_CANDIDATES) break;
    o = next;
  }
  return names;
}

function ownNames(o: GuestObject): string[] {
  return shapeNames(o.shape);
}

function shapeNames(shape: Shape): string[] {
  const names: string[] = [];
  for (const key of tableOf(shape).keys()) {
    if (typeof key === "string" && names.length < MAX_CANDIDATES) names.push(key);
  }
  return names;
}

function hasOwn(v: Value, key: string): boolean {
  return typeof v === "object" && v !== null && v.kind !== Kind.PROXY && tableOf(v.shape).has(key);
}

function isArrayValue(v: Value): boolean {
  return typeof v === "object" && v !== null && v.kind === Kind.ARRAY;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map((name) => (name.length > 60 ? `${name.slice(0, 59)}…` : name));
  return shown.join(", ") + (names.length > MAX_LISTED ? `, … (${names.length} in all)` : "");
}

// Calls, iteration, JSON -----------------------------------------------------------------------------------------------------------

/** Why `written`, which is `callee`, cannot be called; `receiver` and `name` are what stands before and behind its last point. */
export function notCallable(written: string, callee: Value, receiver: Value, name: string | undefined): string | undefined {
  if (callee !== undefined) {
    if (typeof callee === "object" && callee !== null && callee.kind === Kind.PROMISE) return `${written} is a promise: ${AWAIT}.`;
    return `${written} is ${kindText(callee)}${callee === null || typeof callee === "object" ? "" : ` (${describe(callee)})`}${name === undefined ? "" : ": read it without ()"}.`;
  }
  if (name === undefined || receiver === undefined) return undefined;
  const before = written.replace(/\s*(?:\??\.\s*[^.[\]]+|(?:\?\.)?\[[^[\]]*\])$/, "");
  return missingProperty(before, receiver, name);
}

/** What to do with a value that cannot be gone through. */
export function notIterable(v: Value): string {
  if (typeof v === "object" && v !== null) {
    if (v.kind === Kind.PROMISE) return `It is a promise: ${AWAIT}.`;
    if (v.kind === Kind.ORDINARY && isPlainShape(v.shape)) {
      const list = ownNames(v).find((name) => isArrayValue(peek(v, name)));
      return `It is an object: ${list === undefined ? "" : `its ${list} is an array; `}Object.entries(object) gives its fields as pairs.`;
    }
  }
  return `It is ${kindText(v)}.`;
}

function isPlainShape(shape: Shape): boolean {
  return shape.protoId === rootOf(Intrinsic.ObjectPrototype).protoId || (shape.protoId === 0 && shape.proto === null);
}

/** Why `text`, made from `v`, is no JSON. */
export function notJson(v: Value, text: string): string | undefined {
  if (typeof v === "object" && v !== null) {
    if (v.kind === Kind.PROMISE) return `The argument is a promise: ${AWAIT}.`;
    return `The argument is no text but ${kindText(v)} already: use it as it is.`;
  }
  if (v === undefined) return "The argument is undefined: look at where it comes from.";
  if (typeof v !== "string") return undefined;
  const start = text.trimStart();
  if (start === "") return "The text is empty.";
  if (/^```|^~~~/.test(start)) return "The JSON stands in a Markdown fence: take out what is between the fences first.";
  if (start[0] === "<") return "The text is markup, not JSON.";
  if (/^[[{]/.test(start) && /^\s*(?:\/\/|\/\*)|[,{[]\s*(?:\/\/|\/\*)/m.test(start)) return "JSON has no comments: take them out first.";
  const lines = start.split("\n", 3);
  if (lines.length > 1 && /^[[{]/.test(lines[0]) && /^[[{]/.test(lines[1]))
    return 'The text has one JSON value in each line: text.trim().split("\\n").map((line) => JSON.parse(line)).';
  if (!/^[[{"\d-]/.test(start)) {
    const at = start.search(/[[{]/);
    return at > 0
      ? "The text begins with something else than JSON: cut out the part from the first bracket on."
      : "The text is not JSON: use it as it is, or take it apart with split or match.";
  }
  return undefined;
}

/** What to do about an error that our library words so. */
const BY_MESSAGE: [start: string, hint: string][] = [
  ["Invalid time value", "The date is invalid: what it was made from is no date. Number.isNaN(date.getTime()) tells."],
  ["setTimeout: the callback must be a function", "To wait, write await new Promise((resolve) => setTimeout(resolve, milliseconds))."],
  ["Reduce of empty array", "Give reduce its start as the second argument, e.g. 0."],
  ["Assignment to constant variable", "Declare it with let."],
  ["Cannot mix BigInt", "Make both numbers (Number(value)) or both BigInts (BigInt(value))."],
  ["Do not know how to serialize a BigInt", "Make it a text first: String(value)."],
  ["Converting circular structure", "Leave out the property that leads back, or copy only the fields that are needed."],
];

export function hintFor(message: string): string[] {
  return BY_MESSAGE.filter(([start]) => message.startsWith(start)).map(([, hint]) => hint);
}
