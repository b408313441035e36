// RegExp: the constructor, the accessors, exec, test, compile, toString, escape (ECMAScript 22.2). The Symbol methods are in
// regexp-protocol.ts.

import { protoFromNewTarget } from "../src/call.js";
import { describe, toStr } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get, isRegExp } from "../src/object.js";
import { type PropertySpec, define, defineConstructor, defineGlobal, getter, intrinsic, method, ref } from "../src/realm.js";
import { type Flags } from "../src/regexp/index.js";
import { chargeText } from "../src/run-state.js";
import { TextBuilder } from "../src/text.js";
import { type GuestObject, Kind, SYM, type Value, isObject } from "../src/values.js";
import { PROTOCOL_METHODS } from "./regexp-protocol.js";
import {
  CompiledRegExp,
  builtinExec,
  builtinMatch,
  compileRegExp,
  isPristine,
  newRegExpWith,
  regExpExec,
  requireRegExp,
  setLastIndex,
} from "./regexp-object.js";

export { regExpLiteral } from "./regexp-object.js";

defineConstructor(Intrinsic.RegExp, {
  name: "RegExp",
  length: 2,
  prototype: Intrinsic.RegExpPrototype,
  call(_t, args) {
    const pattern = args[0];
    const target = intrinsic(Intrinsic.RegExp);
    const isPattern = isRegExp(pattern);
    if (isPattern && args[1] === undefined && get(pattern, "constructor") === target) return pattern;
    return regExpFrom(pattern, isPattern, args[1], target);
  },
  construct: (args, newTarget) => regExpFrom(args[0], isRegExp(args[0]), args[1], newTarget),
  props: [
    method("escape", 1, (_t, s) => {
      if (typeof s !== "string") throwTypeError(`RegExp.escape: ${describe(s)} is not a string`);
      return escapeText(s);
    }),
    getter(SYM.species, (t) => t),
  ],
});

function regExpFrom(pattern: Value, isPattern: boolean, flags: Value, newTarget: GuestObject): GuestObject {
  let p: Value = pattern;
  let f: Value = flags;
  if (isObject(pattern) && pattern.kind === Kind.REGEXP) {
    const c = pattern.d as CompiledRegExp;
    p = c.source;
    if (flags === undefined) f = c.flags;
  } else if (isPattern && isObject(pattern)) {
    p = get(pattern, "source");
    if (flags === undefined) f = get(pattern, "flags");
  }
  const root = protoFromNewTarget(newTarget, Intrinsic.RegExpPrototype);
  const source = p === undefined ? "" : toStr(p);
  return newRegExpWith(root, compileRegExp(source, f === undefined ? "" : toStr(f)));
}

const FLAGS: [name: string, letter: string, flag: keyof Flags][] = [
  ["hasIndices", "d", "hasIndices"],
  ["global", "g", "global"],
  ["ignoreCase", "i", "ignoreCase"],
  ["multiline", "m", "multiline"],
  ["dotAll", "s", "dotAll"],
  ["unicode", "u", "unicode"],
  ["unicodeSets", "v", "unicodeSets"],
  ["sticky", "y", "sticky"],
];

function flagGetter(name: string, flag: keyof Flags): PropertySpec {
  return getter(name, (t) => {
    if (isObject(t) && t.kind === Kind.REGEXP) return (t.d as CompiledRegExp).pattern.flags[flag];
    if (isObject(t) && t === intrinsic(Intrinsic.RegExpPrototype)) return undefined;
    throwTypeError(`RegExp.prototype.${name} getter called on ${isObject(t) ? "a non-RegExp object" : `non-object ${describe(t)}`}`);
  });
}

define(Intrinsic.RegExpPrototype, {
  props: [
    ref("constructor", Intrinsic.RegExp),
    method("exec", 1, (t, s) => {
      const rx = requireRegExp(t, "exec");
      return builtinExec(rx, toStr(s));
    }),
    ...FLAGS.map(([name, , flag]) => flagGetter(name, flag)),
    getter("flags", (t) => {
      if (!isObject(t)) throwTypeError(`RegExp.prototype.flags getter called on non-object ${describe(t)}`);
      let out = "";
      for (const [name, letter] of FLAGS) if (get(t, name)) out += letter;
      return out;
    }),
    getter("source", (t) => {
      if (isObject(t) && t.kind === Kind.REGEXP) return (t.d as CompiledRegExp).text;
      if (isObject(t) && t === intrinsic(Intrinsic.RegExpPrototype)) return "(?:)";
      throwTypeError(`RegExp.prototype.source getter called on ${isObject(t) ? "a non-RegExp object" : `non-object ${describe(t)}`}`);
    }),
    method("compile", 2, (t, pattern, flags) => {
      const rx = requireRegExp(t, "compile");
      let p = pattern;
      let f = flags;
      if (isObject(pattern) && pattern.kind === Kind.REGEXP) {
        if (flags !== undefined) throwTypeError("Invalid flags supplied to RegExp.prototype.compile");
        const c = pattern.d as CompiledRegExp;
        p = c.source;
        f = c.flags;
      }
      const source = p === undefined ? "" : toStr(p);
      rx.d = compileRegExp(source, f === undefined ? "" : toStr(f));
      setLastIndex(rx, 0);
      return rx;
    }),
    method("toString", 0, (t) => {
      if (!isObject(t)) throwTypeError(`RegExp.prototype.toString requires that 'this' be an object`);
      const out = new TextBuilder();
      out.add("/");
      out.add(toStr(get(t, "source")));
      out.add("/");
      out.add(toStr(get(t, "flags")));
      return out.done();
    }),
    method("test", 1, (t, s) => {
      if (!isObject(t)) throwTypeError(`RegExp.prototype.test requires that 'this' be an object`);
      const text = toStr(s);
      if (t.kind === Kind.REGEXP && isPristine(t)) return builtinMatch(t, text) !== null;
      return regExpExec(t, text) !== null;
    }),
    ...PROTOCOL_METHODS,
  ],
});

const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;
const CONTROL: Record<string, string> = { "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r" };
const OTHER_PUNCTUATORS = ",-=<>#&!%:;@~'`\"";

/** RegExp.escape. */
function escapeText(s: string): string {
  chargeText(s.length);
  const out = new TextBuilder();
  let start = 0;
  for (let i = 0; i < s.length; i++) {
    const escaped = escapeUnit(s, i);
    if (escaped === null) continue;
    out.add(s.slice(start, i));
    out.add(escaped);
    start = i + 1;
  }
  out.add(s.slice(start));
  return out.done();
}

/** What EncodeForRegExpEscape makes of the unit at `i`, or null if it stays. */
function escapeUnit(s: string, i: number): string | null {
  const c = s.charCodeAt(i);
  const char = s[i];
  if (i === 0 && ((c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122))) return hex(c);
  if (SYNTAX.test(char)) return `\\${char}`;
  if (CONTROL[char] !== undefined) return CONTROL[char];
  if (OTHER_PUNCTUATORS.includes(char) || /[\s\ufeff]/.test(char) || isLoneSurrogate(s, i)) return hex(c);
  return null;
}

const hex = (c: number): string => (c <= 0xff ? `\\x${c.toString(16).padStart(2, "0")}` : `\\u${c.toString(16).padStart(4, "0")}`);

function isLoneSurrogate(s: string, i: number): boolean {
  const c = s.charCodeAt(i);
  if (c < 0xd800 || c > 0xdfff) return false;
  if (c <= 0xdbff) {
    const next = s.charCodeAt(i + 1);
    return !(next >= 0xdc00 && next <= 0xdfff);
  }
  const before = s.charCodeAt(i - 1);
  return !(before >= 0xd800 && before <= 0xdbff);
}

defineGlobal("RegExp", Intrinsic.RegExp);
