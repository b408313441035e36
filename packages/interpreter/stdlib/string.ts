// String: the constructor and the methods on texts alone (ECMAScript 22.1). Further ones are in string-pattern.ts, -locale.ts, -html.ts.

import { protoFromNewTarget } from "../src/call.js";
import { isIndexInto, lengthOf, toIntegerOrInfinity, toLength, toNumber, toObject, toStr } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get, isRegExp, newKind } from "../src/object.js";
import { alias, define, defineConstructor, defineGlobal, method, ref, variadic } from "../src/realm.js";
import { R, charge, chargeText } from "../src/run-state.js";
import { TextBuilder, indexOfText, lastIndexOfText, prepareText, thisText, throwStringLength } from "../src/text.js";
import { Kind, SYM, type Value } from "../src/values.js";
import { newStringIterator } from "./string-iterator.js";

defineConstructor(Intrinsic.String, {
  name: "String",
  length: 1,
  prototype: Intrinsic.StringPrototype,
  call(_t, args) {
    if (args.length === 0) return "";
    const v = args[0];
    return typeof v === "symbol" ? v.toString() : toStr(v);
  },
  construct(args, newTarget) {
    const s = args.length === 0 ? "" : toStr(args[0]);
    return newKind(protoFromNewTarget(newTarget, Intrinsic.StringPrototype), Kind.STRING, s);
  },
  props: [
    variadic("fromCharCode", 1, (_t, args) => {
      if (args.length === 1) return String.fromCharCode(toNumber(args[0]));
      charge(args.length);
      prepareText(args.length);
      let out = "";
      for (let i = 0; i < args.length; i++) out += String.fromCharCode(toNumber(args[i]));
      return out;
    }),
    variadic("fromCodePoint", 1, (_t, args) => {
      charge(args.length);
      prepareText(2 * args.length);
      let out = "";
      for (let i = 0; i < args.length; i++) {
        const n = toNumber(args[i]);
        if (!Number.isInteger(n) || n < 0 || n > 0x10ffff)
          throwRangeError(`Invalid code point ${typeof args[i] === "string" ? (args[i] as string).slice(0, 40) : n}`);
        out += String.fromCodePoint(n);
      }
      return out;
    }),
    variadic("raw", 1, (_t, args) => {
      const literals = toObject(get(toObject(args[0]), "raw"));
      const length = lengthOf(literals);
      const out = new TextBuilder();
      for (let i = 0; i < length; i++) {
        charge(1);
        out.add(toStr(get(literals, String(i))));
        if (i + 1 < length && i + 1 < args.length) out.add(toStr(args[i + 1]));
      }
      return out.done();
    }),
  ],
});

/** A position argument, from 0 to `length`. */
const clamp = (n: number, length: number): number => (n < 0 ? 0 : n > length ? length : n);
/** A relative position argument: negative ones count from the end. */
const relative = (n: number, length: number): number => (n < 0 ? Math.max(length + n, 0) : Math.min(n, length));

function noRegExp(v: Value, name: string): string {
  if (isRegExp(v)) throwTypeError(`First argument to String.prototype.${name} must not be a regular expression`);
  return toStr(v);
}

function slice(s: string, from: number, to: number): string {
  R.mem -= 32;
  return s.slice(from, to);
}

/** StringPaddingBuiltinsImpl. */
function pad(s: string, maxLength: Value, fill: Value, start: boolean): string {
  const length = toLength(maxLength);
  if (length <= s.length) return s;
  const filler = fill === undefined ? " " : toStr(fill);
  if (filler === "") return s;
  prepareText(length);
  return start ? s.padStart(length, filler) : s.padEnd(length, filler);
}

function changeCase(s: string, change: (s: string) => string): string {
  prepareText(s.length);
  const out = change(s); // at most three times as long
  if (out.length > R.stringLength) throwStringLength();
  return out;
}

const FORMS = ["NFC", "NFD", "NFKC", "NFKD"];
const MAX_GROWTH = 18;

function normalize(s: string, form: string): string {
  if (!FORMS.includes(form)) throwRangeError(`The normalization form should be one of ${FORMS.join(", ")}.`);
  prepareText(s.length);
  charge(s.length >> 2);
  if (s.length * MAX_GROWTH > R.stringLength) {
    // The normalised pieces together are hardly shorter than the normalised whole: look before the whole is made.
    let total = 0;
    for (let i = 0; i < s.length && total <= R.stringLength * 2; i += 65536) {
      charge(4096); // a moment to look at the clock
      total += s.slice(i, i + 65536).normalize(form).length;
    }
    if (total > R.stringLength * 1.1) throwStringLength();
    prepareText(total > R.stringLength ? R.stringLength : total);
  }
  const out = s.normalize(form);
  if (out.length > R.stringLength) throwStringLength();
  return out;
}

define(Intrinsic.StringPrototype, {
  kind: Kind.STRING,
  data: () => "",
  props: [
    ref("constructor", Intrinsic.String),
    method("at", 1, (t, index) => {
      const s = thisText(t, "at");
      const n = toIntegerOrInfinity(index);
      const i = n >= 0 ? n : s.length + n;
      return i < 0 || i >= s.length ? undefined : s[i];
    }),
    method("charAt", 1, (t, pos) => {
      const s = thisText(t, "charAt");
      if (isIndexInto(pos, s.length)) return s[pos];
      const i = toIntegerOrInfinity(pos);
      return i < 0 || i >= s.length ? "" : s[i];
    }),
    method("charCodeAt", 1, (t, pos) => {
      const s = thisText(t, "charCodeAt");
      if (isIndexInto(pos, s.length)) return s.charCodeAt(pos);
      const i = toIntegerOrInfinity(pos);
      return i < 0 || i >= s.length ? NaN : s.charCodeAt(i);
    }),
    method("codePointAt", 1, (t, pos) => {
      const s = thisText(t, "codePointAt");
      const i = toIntegerOrInfinity(pos);
      return i < 0 || i >= s.length ? undefined : s.codePointAt(i);
    }),
    variadic("concat", 1, (t, args) => {
      const first = thisText(t, "concat");
      const out = new TextBuilder();
      out.add(first);
      for (let i = 0; i < args.length; i++) out.add(toStr(args[i]));
      return out.done();
    }),
    method("endsWith", 1, (t, search, endPosition) => {
      const s = thisText(t, "endsWith");
      const needle = noRegExp(search, "endsWith");
      const end = endPosition === undefined ? s.length : clamp(toIntegerOrInfinity(endPosition), s.length);
      chargeText(needle.length);
      return s.endsWith(needle, end);
    }),
    method("includes", 1, (t, search, position) => {
      const s = thisText(t, "includes");
      const needle = noRegExp(search, "includes");
      return indexOfText(s, needle, clamp(toIntegerOrInfinity(position), s.length)) >= 0;
    }),
    method("indexOf", 1, (t, search, position) => {
      const s = thisText(t, "indexOf");
      const needle = toStr(search);
      return indexOfText(s, needle, clamp(toIntegerOrInfinity(position), s.length));
    }),
    method("isWellFormed", 0, (t) => {
      const s = thisText(t, "isWellFormed");
      chargeText(s.length);
      return !/\p{Surrogate}/u.test(s);
    }),
    method("lastIndexOf", 1, (t, search, position) => {
      const s = thisText(t, "lastIndexOf");
      const needle = toStr(search);
      const n = toNumber(position);
      return lastIndexOfText(s, needle, n !== n ? s.length : clamp(toIntegerOrInfinity(n), s.length));
    }),
    method("normalize", 0, (t, form) => {
      const s = thisText(t, "normalize");
      return normalize(s, form === undefined ? "NFC" : toStr(form));
    }),
    method("padEnd", 1, (t, maxLength, fill) => pad(thisText(t, "padEnd"), maxLength, fill, false)),
    method("padStart", 1, (t, maxLength, fill) => pad(thisText(t, "padStart"), maxLength, fill, true)),
    method("repeat", 1, (t, count) => {
      const s = thisText(t, "repeat");
      const n = toIntegerOrInfinity(count);
      if (n < 0 || n === Infinity) throwRangeError(`Invalid count value: ${n}`);
      if (n === 0 || s === "") return "";
      prepareText(s.length * n);
      return s.repeat(n);
    }),
    method("slice", 2, (t, start, end) => {
      const s = thisText(t, "slice");
      const from = relative(toIntegerOrInfinity(start), s.length);
      const to = end === undefined ? s.length : relative(toIntegerOrInfinity(end), s.length);
      return from >= to ? "" : slice(s, from, to);
    }),
    method("startsWith", 1, (t, search, position) => {
      const s = thisText(t, "startsWith");
      const needle = noRegExp(search, "startsWith");
      const start = position === undefined ? 0 : clamp(toIntegerOrInfinity(position), s.length);
      chargeText(needle.length);
      return s.startsWith(needle, start);
    }),
    method("substr", 2, (t, start, length) => {
      const s = thisText(t, "substr");
      const from = relative(toIntegerOrInfinity(start), s.length);
      const n = length === undefined ? s.length : toIntegerOrInfinity(length);
      const to = Math.min(from + Math.max(n, 0), s.length);
      return from >= to ? "" : slice(s, from, to);
    }),
    method("substring", 2, (t, start, end) => {
      const s = thisText(t, "substring");
      const from = clamp(toIntegerOrInfinity(start), s.length);
      const to = end === undefined ? s.length : clamp(toIntegerOrInfinity(end), s.length);
      return from < to ? slice(s, from, to) : slice(s, to, from);
    }),
    method("toLowerCase", 0, (t) => changeCase(thisText(t, "toLowerCase"), lower)),
    method("toString", 0, (t) => thisStringValue(t, "toString")),
    method("toUpperCase", 0, (t) => changeCase(thisText(t, "toUpperCase"), upper)),
    method("toWellFormed", 0, (t) => {
      const s = thisText(t, "toWellFormed");
      prepareText(s.length);
      return s.replace(/\p{Surrogate}/gu, "\ufffd");
    }),
    method("trim", 0, (t) => {
      const s = thisText(t, "trim");
      chargeText(s.length);
      return s.trim();
    }),
    method("trimEnd", 0, (t) => {
      const s = thisText(t, "trimEnd");
      chargeText(s.length);
      return s.trimEnd();
    }),
    method("trimStart", 0, (t) => {
      const s = thisText(t, "trimStart");
      chargeText(s.length);
      return s.trimStart();
    }),
    alias("trimLeft", Intrinsic.StringPrototype, "trimStart"),
    alias("trimRight", Intrinsic.StringPrototype, "trimEnd"),
    method("valueOf", 0, (t) => thisStringValue(t, "valueOf")),
    method(SYM.iterator, 0, (t) => newStringIterator(thisText(t, "[Symbol.iterator]"))),
  ],
});

const lower = (s: string): string => s.toLowerCase();
const upper = (s: string): string => s.toUpperCase();

function thisStringValue(v: Value, name: string): string {
  if (typeof v === "string") return v;
  if (typeof v === "object" && v !== null && v.kind === Kind.STRING) return v.d as string;
  throwTypeError(`String.prototype.${name} requires that 'this' be a String`);
}

defineGlobal("String", Intrinsic.String);
