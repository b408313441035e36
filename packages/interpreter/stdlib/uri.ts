// encodeURI and its family (ECMAScript 19.2.6), escape and unescape (B.2.1).

import { toStr } from "../src/convert.js";
import { throwUriError } from "../src/errors.js";
import { defineGlobal, method } from "../src/realm.js";
import { R } from "../src/run-state.js";
import { prepareText, throwStringLength } from "../src/text.js";
import { type Value } from "../src/values.js";

/** `growth`: how many characters one may become. */
function coder(name: string, growth: number, f: (s: string) => string): void {
  const run = (_t: Value, v: Value): string => {
    const s = toStr(v);
    prepareText(s.length);
    if (s.length * growth > R.stringLength) return inPieces(s, f);
    return coded(s, f);
  };
  defineGlobal(name, method(name, 1, run));
}

function coded(s: string, f: (s: string) => string): string {
  try {
    return f(s);
  } catch (e) {
    if (e instanceof URIError) throwUriError("URI malformed");
    throw e;
  }
}

const PIECE = 65_536;

/** A long text is encoded piece by piece, so that the limit is seen before the whole is made. Pieces end outside of surrogate pairs. */
function inPieces(s: string, f: (s: string) => string): string {
  let out = "";
  for (let i = 0; i < s.length;) {
    let end = Math.min(i + PIECE, s.length);
    const last = s.charCodeAt(end - 1);
    if (last >= 0xd800 && last <= 0xdbff && end < s.length) end--;
    const piece = coded(s.slice(i, end), f);
    if (out.length + piece.length > R.stringLength) throwStringLength();
    prepareText(piece.length);
    out += piece;
    i = end;
  }
  return out;
}

coder("decodeURI", 1, decodeURI);
coder("decodeURIComponent", 1, decodeURIComponent);
coder("encodeURI", 9, encodeURI);
coder("encodeURIComponent", 9, encodeURIComponent);
coder("escape", 6, escape);
coder("unescape", 1, unescape);
