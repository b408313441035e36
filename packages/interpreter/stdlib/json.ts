// JSON (ECMAScript 25.5, with source text access and raw JSON).

import { isDense } from "../src/array.js";
import { callN } from "../src/call.js";
import { isArray, lengthOf, toIntegerOrInfinity, toNumber, toStr } from "../src/convert.js";
import { type ErrorData, caught, throwSyntaxError } from "../src/errors.js";
import { isError } from "../src/error-text.js";
import { Intrinsic } from "../src/intrinsics.js";
import { createData, deleteProperty, get, isCallable, newKind, newObject } from "../src/object.js";
import { define, defineGlobal, method, value } from "../src/realm.js";
import { notJson } from "../src/run/hints.js";
import { charge, enterNative, leaveNative } from "../src/run-state.js";
import { DATA, Flag, NULL_ROOT, addProperty, applyIntegrity } from "../src/shape.js";
import { type GuestObject, Kind, SYM, type Value, isObject } from "../src/values.js";
import { type ParseRecord, parseJson, parseJsonRecords } from "./json-parse.js";
import { JsonWriter, enumerableKeys } from "./json-write.js";

define(Intrinsic.JSON, {
  props: [
    method("parse", 2, (_t, v, reviver) => {
      const text = typeof v === "string" ? v : toStr(v); // a value that remembers its text gives that
      if (reviver === undefined || !isCallable(reviver)) return parseExplained(v, text);
      const record = parseJsonRecords(text);
      const root = newObject();
      addProperty(root, "", record.value, DATA);
      return internalize(root, "", reviver, record);
    }),
    method("stringify", 3, (_t, v, replacer, space) => {
      const f = isCallable(replacer) ? replacer : null;
      const properties = f === null && isArray(replacer) ? propertyList(replacer) : null;
      return new JsonWriter(f, properties, gapOf(space)).write(v);
    }),
    method("rawJSON", 1, (_t, v) => {
      const text = toStr(v);
      const first = text.charCodeAt(0);
      const last = text.charCodeAt(text.length - 1);
      if (text === "" || isSpace(first) || isSpace(last)) throwSyntaxError("Invalid value for JSON.rawJSON");
      if (first === 123 || first === 91) throwSyntaxError("Invalid value for JSON.rawJSON: only texts of primitive values");
      parseJson(text);
      const raw = newKind(NULL_ROOT, Kind.RAW_JSON, undefined);
      addProperty(raw, "rawJSON", text, DATA);
      applyIntegrity(raw, 2);
      return raw;
    }),
    method("isRawJSON", 1, (_t, v) => isObject(v) && v.kind === Kind.RAW_JSON),
    value(SYM.toStringTag, "JSON", Flag.CONFIGURABLE),
  ],
});

function parseExplained(v: Value, text: string): Value {
  try {
    return parseJson(text);
  } catch (e) {
    const error = caught(e);
    if (isError(error)) (error.d as ErrorData).explain = () => notJson(v, text);
    throw e;
  }
}

const isSpace = (c: number): boolean => c === 9 || c === 10 || c === 13 || c === 32;

const LEVEL_WEIGHT = 700;
const NO_RECORDS: readonly ParseRecord[] = [];

/** InternalizeJSONProperty. */
function internalize(holder: GuestObject, name: string, reviver: GuestObject, record: ParseRecord | undefined): Value {
  charge(1);
  enterNative(LEVEL_WEIGHT);
  const v = get(holder, name);
  const context = newObject();
  let elements = NO_RECORDS;
  let entries: Map<string, ParseRecord> | null = null;
  if (record !== undefined && Object.is(record.value, v)) {
    if (!isObject(v)) addProperty(context, "source", sourceOf(record), DATA);
    elements = record.elements ?? NO_RECORDS;
    entries = record.entries;
  }
  if (isObject(v)) {
    if (isArray(v)) {
      const length = lengthOf(v);
      for (let i = 0; i < length; i++) put(v, String(i), internalize(v, String(i), reviver, i < elements.length ? elements[i] : undefined));
    } else {
      for (const key of enumerableKeys(v)) put(v, key, internalize(v, key, reviver, entries?.get(key)));
    }
  }
  const result = callN(reviver, holder, [name, v, context]);
  leaveNative(LEVEL_WEIGHT);
  return result;
}

function put(o: GuestObject, key: string, v: Value): void {
  if (v === undefined) deleteProperty(o, key);
  else createData(o, key, v);
}

function sourceOf(record: ParseRecord): string {
  return record.text.slice(record.start, record.end);
}

/** The keys that a replacer array names. */
function propertyList(replacer: GuestObject): string[] {
  const names = new Set<string>();
  const length = lengthOf(replacer);
  for (let i = 0; i < length; i++) {
    charge(1);
    const v = isDense(replacer) && typeof replacer.d[i] === "string" ? replacer.d[i] : get(replacer, String(i));
    if (typeof v === "string") names.add(v);
    else if (typeof v === "number") names.add(`${v}`);
    else if (isObject(v) && (v.kind === Kind.STRING || v.kind === Kind.NUMBER)) names.add(toStr(v));
  }
  return [...names];
}

function gapOf(space: Value): string {
  let v = space;
  if (isObject(v)) {
    if (v.kind === Kind.NUMBER) v = toNumber(v);
    else if (v.kind === Kind.STRING) v = toStr(v);
  }
  if (typeof v === "number") return " ".repeat(Math.max(0, Math.min(10, toIntegerOrInfinity(v))));
  return typeof v === "string" ? v.slice(0, 10) : "";
}

defineGlobal("JSON", Intrinsic.JSON);
