// The methods of String that take a pattern: match, matchAll, replace, replaceAll, search, split (ECMAScript 22.1.3). Patterns that are
// objects are asked through their Symbol methods; texts are handled here.

import { newArray, newElements, throwArrayLength } from "../src/array.js";
import { call1, call2, call3, getMethod, invoke } from "../src/call.js";
import { requireObjectCoercible, toStr, toUint32 } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get, isCallable, isRegExp } from "../src/object.js";
import { extend, method } from "../src/realm.js";
import { R, charge, chargeText } from "../src/run-state.js";
import { TextBuilder, indexOfText } from "../src/text.js";
import { type GuestObject, SYM, type Value, isObject } from "../src/values.js";
import { getSubstitution } from "./regexp-substitution.js";
import { regExpCreate } from "./regexp-object.js";

extend(Intrinsic.StringPrototype, [
  method("match", 1, (t, pattern) => {
    requireObjectCoercible(t, "String.prototype.match");
    const matcher = patternMethod(pattern, SYM.match);
    if (matcher !== undefined) return call1(matcher, pattern, t);
    const s = toStr(t);
    return invoke(regExpCreate(pattern, undefined), SYM.match, [s]);
  }),
  method("matchAll", 1, (t, pattern) => {
    requireObjectCoercible(t, "String.prototype.matchAll");
    if (isObject(pattern)) {
      requireGlobal(pattern, "matchAll");
      const matcher = getMethod(pattern, SYM.matchAll);
      if (matcher !== undefined) return call1(matcher, pattern, t);
    }
    const s = toStr(t);
    return invoke(regExpCreate(pattern, "g"), SYM.matchAll, [s]);
  }),
  method("replace", 2, (t, pattern, replacement) => {
    if (typeof t !== "string") requireObjectCoercible(t, "String.prototype.replace");
    const replacer = patternMethod(pattern, SYM.replace);
    if (replacer !== undefined) return call2(replacer, pattern, t, replacement);
    const s = toStr(t);
    const search = toStr(pattern);
    const functional = isCallable(replacement);
    const template = functional ? "" : toStr(replacement);
    const position = indexOfText(s, search, 0);
    if (position < 0) return s;
    const out = new TextBuilder();
    out.add(s.slice(0, position));
    out.add(
      functional
        ? toStr(call3(replacement, undefined, search, position, s))
        : getSubstitution(search, s, position, NO_CAPTURES, undefined, template),
    );
    out.add(s.slice(position + search.length));
    return out.done();
  }),
  method("replaceAll", 2, (t, pattern, replacement) => {
    if (typeof t !== "string") requireObjectCoercible(t, "String.prototype.replaceAll");
    if (isObject(pattern)) {
      requireGlobal(pattern, "replaceAll");
      const replacer = getMethod(pattern, SYM.replace);
      if (replacer !== undefined) return call2(replacer, pattern, t, replacement);
    }
    return replaceAllText(toStr(t), toStr(pattern), replacement);
  }),
  method("search", 1, (t, pattern) => {
    requireObjectCoercible(t, "String.prototype.search");
    const searcher = patternMethod(pattern, SYM.search);
    if (searcher !== undefined) return call1(searcher, pattern, t);
    const s = toStr(t);
    return invoke(regExpCreate(pattern, undefined), SYM.search, [s]);
  }),
  method("split", 2, (t, separator, limit) => {
    if (typeof t !== "string") requireObjectCoercible(t, "String.prototype.split");
    const splitter = patternMethod(separator, SYM.split);
    if (splitter !== undefined) return call2(splitter, separator, t, limit);
    const s = toStr(t);
    const max = limit === undefined ? 4294967295 : toUint32(limit);
    const by = toStr(separator);
    if (max === 0) return newArray(newElements());
    if (separator === undefined) return newArray([s]);
    return splitText(s, by, max);
  }),
]);

const NO_CAPTURES: readonly Value[] = [];

function patternMethod(pattern: Value, key: symbol): GuestObject | undefined {
  return isObject(pattern) ? getMethod(pattern, key) : undefined;
}

function requireGlobal(pattern: GuestObject, name: string): void {
  if (!isRegExp(pattern)) return;
  const flags = get(pattern, "flags");
  requireObjectCoercible(flags, `String.prototype.${name}`);
  if (!toStr(flags).includes("g")) throwTypeError(`String.prototype.${name} called with a non-global RegExp argument`);
}

function replaceAllText(s: string, search: string, replacement: Value): string {
  const functional = isCallable(replacement);
  const template = functional ? "" : toStr(replacement);
  const step = Math.max(1, search.length);
  const plain = !functional && !template.includes("$");
  const out = new TextBuilder();
  let end = 0;
  // The positions are found before the first call: a callback cannot change what is replaced, as texts do not change.
  chargeText(s.length);
  for (let p = nextText(s, search, 0); p >= 0; p = p + step > s.length ? -1 : nextText(s, search, p + step)) {
    charge(1);
    out.add(s.slice(end, p));
    if (plain) out.add(template);
    else
      out.add(
        functional ? toStr(call3(replacement, undefined, search, p, s)) : getSubstitution(search, s, p, NO_CAPTURES, undefined, template),
      );
    end = p + search.length;
  }
  if (end === 0 && out.length === 0) return s;
  out.add(s.slice(end));
  return out.done();
}

/** The parts of `s`, at most `max`. */
function splitText(s: string, by: string, max: number): Value {
  const parts = newElements();
  if (by === "") {
    const length = Math.min(s.length, max);
    if (length > R.arrayLength) throwArrayLength();
    charge(length);
    for (let i = 0; i < length; i++) parts.push(s[i]);
    return newArray(parts);
  }
  if (s === "") return newArray([s]);
  chargeText(s.length);
  let start = 0;
  for (let p = nextText(s, by, 0); p >= 0; p = nextText(s, by, start)) {
    if (parts.length >= R.arrayLength) throwArrayLength();
    if (--R.fuel < 0) R.run.outOfFuel();
    R.mem -= 32;
    parts.push(s.slice(start, p));
    if (parts.length === max) return newArray(parts);
    start = p + by.length;
  }
  parts.push(s.slice(start));
  return newArray(parts);
}

/** As indexOfText, where the whole text has been charged already. */
function nextText(s: string, by: string, from: number): number {
  return by.length <= 64 ? s.indexOf(by, from) : indexOfText(s, by, from);
}
