// Uint8Array to and from base64 and hex (ECMAScript 23.3).

import { describe } from "../src/convert.js";
import { GuestThrow, makeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { createData, get, newObject } from "../src/object.js";
import { type PropertySpec, method } from "../src/realm.js";
import { allocate, charge } from "../src/run-state.js";
import { prepareText } from "../src/text.js";
import { allocateTyped, throwOutOfBounds } from "../src/typed-array.js";
import { ElementType, type TypedArrayObject, isOutOfBounds, isTypedArray, typedLength } from "../src/typed-array-exotic.js";
import { type GuestObject, type Value, isObject } from "../src/values.js";

const STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

type Alphabet = "base64" | "base64url";
type LastChunk = "loose" | "strict" | "stop-before-partial";

interface Decoded {
  read: number;
  bytes: number[];
  error: GuestThrow | null;
}

function syntaxError(message: string): GuestThrow {
  return new GuestThrow(makeError(Intrinsic.SyntaxErrorPrototype, message));
}

// Arguments ------------------------------------------------------------------------------------------------------------------------

/** ValidateUint8Array. */
function thisUint8(t: Value, name: string, mode: "read" | "write" = "read"): TypedArrayObject {
  if (!isTypedArray(t) || t.d.type !== ElementType.UINT8)
    throwTypeError(`Method Uint8Array.prototype.${name} called on incompatible receiver ${describe(t)}`);
  if (mode === "write" && t.d.data.immutable) throwTypeError(`Cannot perform ${name} on an immutable ArrayBuffer`);
  return t;
}

function text(v: Value): string {
  if (typeof v !== "string") throwTypeError(`The input must be a string: ${describe(v)}`);
  charge(v.length >> 1);
  allocate(8 * v.length); // the numbers that it is decoded to
  return v;
}

function optionsObject(v: Value): GuestObject | undefined {
  if (v !== undefined && !isObject(v)) throwTypeError(`The options must be an object: ${describe(v)}`);
  return v;
}

function alphabetOf(options: GuestObject | undefined): Alphabet {
  const v = options === undefined ? undefined : get(options, "alphabet");
  if (v === undefined) return "base64";
  if (v !== "base64" && v !== "base64url") throwTypeError(`alphabet must be "base64" or "base64url": ${describe(v)}`);
  return v;
}

function lastChunkOf(options: GuestObject | undefined): LastChunk {
  const v = options === undefined ? undefined : get(options, "lastChunkHandling");
  if (v === undefined) return "loose";
  if (v !== "loose" && v !== "strict" && v !== "stop-before-partial")
    throwTypeError(`lastChunkHandling must be "loose", "strict" or "stop-before-partial": ${describe(v)}`);
  return v;
}

// Decoding -------------------------------------------------------------------------------------------------------------------------

function skipWhitespace(s: string, i: number): number {
  while (i < s.length) {
    const c = s.charCodeAt(i);
    if (c !== 9 && c !== 10 && c !== 12 && c !== 13 && c !== 32) break;
    i++;
  }
  return i;
}

function sextet(c: string, alphabet: Alphabet): number {
  return (alphabet === "base64" ? STANDARD : URL_SAFE).indexOf(c);
}

/** DecodeFinalBase64Chunk: of 2 or 3 characters. False: strict, and bits are left over. */
function decodeFinal(chunk: number[], strict: boolean, bytes: number[]): boolean {
  const [a, b] = chunk;
  if (chunk.length === 2) {
    if (strict && (b & 15) !== 0) return false;
    bytes.push((a << 2) | (b >> 4));
    return true;
  }
  const c = chunk[2];
  if (strict && (c & 3) !== 0) return false;
  bytes.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2));
  return true;
}

/** FromBase64. */
function fromBase64(s: string, alphabet: Alphabet, lastChunk: LastChunk, max: number): Decoded {
  const bytes: number[] = [];
  let read = 0;
  const end = (error: GuestThrow | null, at = read): Decoded => ({ read: at, bytes, error });
  if (max === 0) return end(null);
  let chunk: number[] = [];
  let i = 0;
  for (;;) {
    i = skipWhitespace(s, i);
    if (i === s.length) {
      if (chunk.length > 0) {
        if (lastChunk === "stop-before-partial") return end(null);
        if (lastChunk === "strict") return end(syntaxError("Missing padding in a base64 string"));
        if (chunk.length === 1) return end(syntaxError("The base64 string ends in a lone character"));
        decodeFinal(chunk, false, bytes);
      }
      return end(null, s.length);
    }
    const char = s[i++];
    if (char === "=") {
      if (chunk.length < 2) return end(syntaxError("Padding too early in a base64 string"));
      i = skipWhitespace(s, i);
      if (chunk.length === 2) {
        if (i === s.length) return end(lastChunk === "stop-before-partial" ? null : syntaxError("Missing padding in a base64 string"));
        if (s[i] === "=") i = skipWhitespace(s, i + 1);
      }
      if (i < s.length) return end(syntaxError("Characters after the padding of a base64 string"));
      if (!decodeFinal(chunk, lastChunk === "strict", bytes)) return end(syntaxError("Bits left over at the end of a base64 string"));
      return end(null, s.length);
    }
    const value = sextet(char, alphabet);
    if (value < 0) return end(syntaxError(`The base64 string has a character that is not in the alphabet: ${describe(char)}`));
    const remaining = max - bytes.length;
    if ((remaining === 1 && chunk.length === 2) || (remaining === 2 && chunk.length === 3)) return end(null);
    chunk.push(value);
    if (chunk.length === 4) {
      const [a, b, c, d] = chunk;
      bytes.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d);
      chunk = [];
      read = i;
      if (bytes.length === max) return end(null);
    }
  }
}

/** FromHex. */
function fromHex(s: string, max: number): Decoded {
  const bytes: number[] = [];
  if (s.length % 2 !== 0) return { read: 0, bytes, error: syntaxError("The hex string has an odd length") };
  let read = 0;
  while (read < s.length && bytes.length < max) {
    const high = HEX.indexOf(s[read].toLowerCase());
    const low = HEX.indexOf(s[read + 1].toLowerCase());
    if (high < 0 || low < 0) return { read, bytes, error: syntaxError("The hex string has a character that is no hex digit") };
    read += 2;
    bytes.push(high * 16 + low);
  }
  return { read, bytes, error: null };
}
const HEX = "0123456789abcdef";

function newFrom(decoded: Decoded): Value {
  if (decoded.error !== null) throw decoded.error;
  const o = allocateTyped(ElementType.UINT8, decoded.bytes.length);
  (o.d.view as Uint8Array).set(decoded.bytes);
  return o;
}

/** Writes what was decoded, also before an error; what was read and written. */
function writeInto(o: TypedArrayObject, decoded: Decoded): Value {
  (o.d.view as Uint8Array).set(decoded.bytes);
  if (decoded.error !== null) throw decoded.error;
  const result = newObject();
  createData(result, "read", decoded.read);
  createData(result, "written", decoded.bytes.length);
  return result;
}

function lengthInBounds(o: TypedArrayObject, name: string): number {
  if (isOutOfBounds(o.d)) throwOutOfBounds(name);
  return typedLength(o.d);
}

export const uint8Statics: PropertySpec[] = [
  method("fromBase64", 1, (_t, v, optionsArg) => {
    const s = text(v);
    const options = optionsObject(optionsArg);
    const alphabet = alphabetOf(options);
    return newFrom(fromBase64(s, alphabet, lastChunkOf(options), Infinity));
  }),
  method("fromHex", 1, (_t, v) => newFrom(fromHex(text(v), Infinity))),
];

export const uint8Methods: PropertySpec[] = [
  method("toBase64", 0, (t, optionsArg) => {
    const o = thisUint8(t, "toBase64");
    const options = optionsObject(optionsArg);
    const alphabet = alphabetOf(options);
    const omitPadding = options !== undefined && !!get(options, "omitPadding");
    return encodeBase64(bytesOf(o, "toBase64"), alphabet, omitPadding);
  }),
  method("setFromBase64", 1, (t, v, optionsArg) => {
    const o = thisUint8(t, "setFromBase64", "write");
    const s = text(v);
    const options = optionsObject(optionsArg);
    const alphabet = alphabetOf(options);
    const lastChunk = lastChunkOf(options);
    return writeInto(o, fromBase64(s, alphabet, lastChunk, lengthInBounds(o, "setFromBase64")));
  }),
  method("toHex", 0, (t) => {
    const bytes = bytesOf(thisUint8(t, "toHex"), "toHex");
    prepareText(2 * bytes.length);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
  }),
  method("setFromHex", 1, (t, v) => {
    const o = thisUint8(t, "setFromHex", "write");
    const s = text(v);
    return writeInto(o, fromHex(s, lengthInBounds(o, "setFromHex")));
  }),
];

// Encoding -------------------------------------------------------------------------------------------------------------------------

/** GetUint8ArrayBytes: what it sees now; not a copy. */
function bytesOf(o: TypedArrayObject, name: string): Uint8Array {
  const n = lengthInBounds(o, name);
  return (o.d.view as Uint8Array).subarray(0, n);
}

function encodeBase64(bytes: Uint8Array, alphabet: Alphabet, omitPadding: boolean): string {
  prepareText(4 * Math.ceil(bytes.length / 3));
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(alphabet); // "base64url" is without padding
  const missing = (3 - (bytes.length % 3)) % 3;
  if (alphabet === "base64") return omitPadding && missing > 0 ? text.slice(0, -missing) : text;
  return omitPadding ? text : text + "=".repeat(missing);
}
