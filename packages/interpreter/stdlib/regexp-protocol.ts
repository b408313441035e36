// RegExp.prototype[Symbol.match], [Symbol.matchAll], [Symbol.replace], [Symbol.search], [Symbol.split] (ECMAScript 22.2.6). Each has a
// short way for a RegExp object as made in an intact realm, where nothing of the guest's is looked up, and the specification's own way.

import { newArray, newElements, throwArrayLength } from "../src/array.js";
import { callN, construct, speciesConstructor } from "../src/call.js";
import { describe, lengthOf, toIntegerOrInfinity, toLength, toObject, toStr, toUint32 } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get, isCallable, set } from "../src/object.js";
import { type PropertySpec, intrinsic, method } from "../src/realm.js";
import { type Captures } from "../src/regexp/index.js";
import { R, charge } from "../src/run-state.js";
import { TextBuilder } from "../src/text.js";
import { type GuestObject, Kind, SYM, type Value, isObject } from "../src/values.js";
import {
  CompiledRegExp,
  advanceIndex,
  captureTexts,
  groupsObject,
  isPristine,
  matchPattern,
  matchPatternAt,
  newRegExp,
  regExpExec,
  setLastIndex,
  builtinMatch,
} from "./regexp-object.js";
import { newRegExpStringIterator } from "./regexp-string-iterator.js";
import { getSubstitution } from "./regexp-substitution.js";

function thisObject(t: Value, name: string): GuestObject {
  if (isObject(t)) return t;
  throwTypeError(`RegExp.prototype.@@${name} called on incompatible receiver ${describe(t)}`);
}

const isPristineRegExp = (rx: GuestObject): boolean => rx.kind === Kind.REGEXP && isPristine(rx);

export const PROTOCOL_METHODS: PropertySpec[] = [
  method(SYM.match, 1, (t, string) => {
    const rx = thisObject(t, "match");
    const s = toStr(string);
    if (isPristineRegExp(rx)) return (rx.d as CompiledRegExp).global ? matchTexts(rx, s) : regExpExec(rx, s);
    const flags = toStr(get(rx, "flags"));
    if (!flags.includes("g")) return regExpExec(rx, s);
    const unicode = flags.includes("u") || flags.includes("v");
    set(rx, "lastIndex", 0);
    const texts = newElements();
    for (;;) {
      charge(1);
      const result = regExpExec(rx, s);
      if (result === null) return texts.length === 0 ? null : newArray(texts);
      const text = toStr(get(result, "0"));
      if (texts.length >= R.arrayLength) throwArrayLength();
      texts.push(text);
      if (text === "") advanceLastIndex(rx, s, unicode);
    }
  }),
  method(SYM.matchAll, 1, (t, string) => {
    const rx = thisObject(t, "matchAll");
    const s = toStr(string);
    if (isPristineRegExp(rx)) {
      const c = rx.d as CompiledRegExp;
      const matcher = newRegExp(c);
      matcher.s0 = toLength(rx.s0 as number);
      return newRegExpStringIterator(matcher, s, c.global, c.unicode);
    }
    const c = speciesConstructor(rx) ?? intrinsic(Intrinsic.RegExp);
    const flags = toStr(get(rx, "flags"));
    const matcher = construct(c, [rx, flags]);
    set(matcher, "lastIndex", toLength(get(rx, "lastIndex")));
    return newRegExpStringIterator(matcher, s, flags.includes("g"), flags.includes("u") || flags.includes("v"));
  }),
  method(SYM.replace, 2, (t, string, replacement) => {
    const rx = thisObject(t, "replace");
    const s = toStr(string);
    const functional = isCallable(replacement);
    const template = functional ? "" : toStr(replacement);
    if (isPristineRegExp(rx)) return replaceFast(rx, s, functional ? replacement : null, template);
    return replaceByProtocol(rx, s, functional ? replacement : null, template);
  }),
  method(SYM.search, 1, (t, string) => {
    const rx = thisObject(t, "search");
    const s = toStr(string);
    if (isPristineRegExp(rx)) {
      const found = matchPattern(rx.d as CompiledRegExp, s, 0);
      return found === null ? -1 : found[0];
    }
    const previous = get(rx, "lastIndex");
    if (!Object.is(previous, 0)) set(rx, "lastIndex", 0);
    const result = regExpExec(rx, s);
    const current = get(rx, "lastIndex");
    if (!Object.is(current, previous)) set(rx, "lastIndex", previous);
    return result === null ? -1 : get(result, "index");
  }),
  method(SYM.split, 2, (t, string, limit) => {
    const rx = thisObject(t, "split");
    const s = toStr(string);
    if (isPristineRegExp(rx) && (limit === undefined || typeof limit === "number")) {
      return splitFast(rx.d as CompiledRegExp, s, limit === undefined ? 4294967295 : toUint32(limit));
    }
    const c = speciesConstructor(rx) ?? intrinsic(Intrinsic.RegExp);
    const flags = toStr(get(rx, "flags"));
    const splitter = construct(c, [rx, flags.includes("y") ? flags : `${flags}y`]);
    return splitByProtocol(splitter, s, flags.includes("u") || flags.includes("v"), limit === undefined ? 4294967295 : toUint32(limit));
  }),
];

function advanceLastIndex(rx: GuestObject, s: string, unicode: boolean): void {
  set(rx, "lastIndex", advanceIndex(s, toLength(get(rx, "lastIndex")), unicode));
}

// Match ----------------------------------------------------------------------------------------------------------------------------

/** All matches of a global pattern, as texts, or null. */
function matchTexts(rx: GuestObject, s: string): Value {
  const c = rx.d as CompiledRegExp;
  const texts = newElements();
  setLastIndex(rx, 0);
  for (let index = 0; index <= s.length;) {
    const found = matchPattern(c, s, index);
    if (found === null) break;
    if (texts.length >= R.arrayLength) throwArrayLength();
    R.mem -= 40;
    texts.push(s.slice(found[0], found[1]));
    index = found[1] === found[0] ? advanceIndex(s, found[1], c.unicode) : found[1];
  }
  return texts.length === 0 ? null : newArray(texts);
}

// Replace --------------------------------------------------------------------------------------------------------------------------

function replaceFast(rx: GuestObject, s: string, f: GuestObject | null, template: string): string {
  const c = rx.d as CompiledRegExp;
  if (!c.global) {
    const found = builtinMatch(rx, s);
    if (found === null) return s;
    const out = new TextBuilder();
    out.add(s.slice(0, found[0]));
    out.add(replacementOf(c, s, found, f, template));
    out.add(s.slice(found[1]));
    return out.done();
  }
  setLastIndex(rx, 0);
  const out = new TextBuilder();
  const plain = f === null && !template.includes("$");
  let end = 0;
  let any = false;
  for (let index = 0; index <= s.length;) {
    const found = matchPattern(c, s, index);
    if (found === null) break;
    any = true;
    if (f !== null) {
      // Callbacks run after all matches are found, as they could change the pattern's lastIndex.
      return replaceCollected(c, s, found, f);
    }
    out.add(s.slice(end, found[0]));
    out.add(plain ? template : replacementOf(c, s, found, null, template));
    end = found[1];
    index = found[1] === found[0] ? advanceIndex(s, found[1], c.unicode) : found[1];
  }
  if (!any) return s;
  out.add(s.slice(end));
  return out.done();
}

function replaceCollected(c: CompiledRegExp, s: string, first: Captures, f: GuestObject): string {
  const all: Captures[] = [];
  let next: Captures | null = first;
  while (next !== null) {
    if ((R.mem -= 48 + 8 * next.length) < 0) R.run.outOfMemory();
    all.push(next);
    const index: number = next[1] === next[0] ? advanceIndex(s, next[1], c.unicode) : next[1];
    next = index > s.length ? null : matchPattern(c, s, index);
  }
  const out = new TextBuilder();
  let end = 0;
  for (const found of all) {
    out.add(s.slice(end, found[0]));
    out.add(replacementOf(c, s, found, f, ""));
    end = found[1];
  }
  out.add(s.slice(end));
  return out.done();
}

function replacementOf(c: CompiledRegExp, s: string, found: Captures, f: GuestObject | null, template: string): string {
  const texts = captureTexts(s, found);
  const named = groupsObject(c, texts);
  if (f !== null) {
    texts.push(found[0], s);
    if (named !== undefined) texts.push(named);
    return toStr(callN(f, undefined, texts));
  }
  const matched = texts.shift() as string;
  return getSubstitution(matched, s, found[0], texts, named, template);
}

function replaceByProtocol(rx: GuestObject, s: string, f: GuestObject | null, template: string): string {
  const flags = toStr(get(rx, "flags"));
  const global = flags.includes("g");
  const unicode = flags.includes("u") || flags.includes("v");
  if (global) set(rx, "lastIndex", 0);
  const results: GuestObject[] = [];
  for (;;) {
    charge(1);
    const result = regExpExec(rx, s);
    if (result === null) break;
    R.mem -= 8;
    results.push(result);
    if (!global) break;
    if (toStr(get(result, "0")) === "") advanceLastIndex(rx, s, unicode);
  }
  const out = new TextBuilder();
  let next = 0;
  for (const result of results) {
    const groups = Math.max(lengthOf(result) - 1, 0);
    const matched = toStr(get(result, "0"));
    const position = Math.max(Math.min(toIntegerOrInfinity(get(result, "index")), s.length), 0);
    const captures = newElements();
    for (let n = 1; n <= groups; n++) {
      charge(1);
      if (captures.length >= R.arrayLength) throwArrayLength();
      const capture = get(result, String(n));
      captures.push(capture === undefined ? undefined : toStr(capture));
    }
    let named = get(result, "groups");
    let replacement: string;
    if (f !== null) {
      const args: Value[] = [matched, ...captures, position, s];
      if (named !== undefined) args.push(named);
      replacement = toStr(callN(f, undefined, args));
    } else {
      if (named !== undefined) named = toObject(named);
      replacement = getSubstitution(matched, s, position, captures, named as GuestObject | undefined, template);
    }
    if (position >= next) {
      out.add(s.slice(next, position));
      out.add(replacement);
      next = position + matched.length;
    }
  }
  if (next < s.length) out.add(s.slice(next));
  return out.done();
}

// Split ----------------------------------------------------------------------------------------------------------------------------

function addPart(parts: Value[], part: Value): void {
  if (parts.length >= R.arrayLength) throwArrayLength();
  R.mem -= 40;
  parts.push(part);
}

function splitFast(c: CompiledRegExp, s: string, max: number): Value {
  const parts = newElements();
  if (max === 0) return newArray(parts);
  if (s === "") {
    if (matchPatternAt(c, s, 0) === null) parts.push(s);
    return newArray(parts);
  }
  let start = 0;
  let index = 0;
  while (index < s.length) {
    // A sticky pattern is tried at each place; others search by themselves, which is the same.
    const found = c.sticky ? matchPatternAt(c, s, index) : matchPattern(c, s, index);
    if (found === null) {
      if (!c.sticky) break;
      index = advanceIndex(s, index, c.unicode);
      continue;
    }
    if (found[0] >= s.length) break;
    const end = found[1];
    if (end === start) {
      index = advanceIndex(s, Math.max(index, found[0]), c.unicode);
      continue;
    }
    addPart(parts, s.slice(start, found[0]));
    if (parts.length === max) return newArray(parts);
    for (let i = 2; i < found.length; i += 2) {
      addPart(parts, found[i] < 0 ? undefined : s.slice(found[i], found[i + 1]));
      if (parts.length === max) return newArray(parts);
    }
    start = end;
    index = end;
  }
  addPart(parts, s.slice(start));
  return newArray(parts);
}

function splitByProtocol(splitter: GuestObject, s: string, unicode: boolean, max: number): Value {
  const parts = newElements();
  if (max === 0) return newArray(parts);
  if (s === "") {
    if (regExpExec(splitter, s) === null) parts.push(s);
    return newArray(parts);
  }
  let start = 0;
  let index = 0;
  while (index < s.length) {
    charge(1);
    set(splitter, "lastIndex", index);
    const result = regExpExec(splitter, s);
    const end = result === null ? start : Math.min(toLength(get(splitter, "lastIndex")), s.length);
    if (result === null || end === start) {
      index = advanceIndex(s, index, unicode);
      continue;
    }
    addPart(parts, s.slice(start, index));
    if (parts.length === max) return newArray(parts);
    start = end;
    const groups = Math.max(lengthOf(result) - 1, 0);
    for (let i = 1; i <= groups; i++) {
      charge(1);
      addPart(parts, get(result, String(i)));
      if (parts.length === max) return newArray(parts);
    }
    index = start;
  }
  addPart(parts, s.slice(start));
  return newArray(parts);
}
