// TextEncoder, TextDecoder (Encoding Standard), atob and btoa (HTML 8.3). The host's coders work on texts and bytes only.

import { protoFromNewTarget } from "../src/call.js";
import { describe, toBoolean, toStr } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { createData, get, newKind, newObject } from "../src/object.js";
import { define, defineConstructor, defineGlobal, getter, method, ref, value } from "../src/realm.js";
import { R, charge, chargeText } from "../src/run-state.js";
import { DATA, Flag } from "../src/shape.js";
import { prepareText } from "../src/text.js";
import { ElementType, isTypedArray, typedLength } from "../src/typed-array-exotic.js";
import { allocateTyped } from "../src/typed-array.js";
import { Kind, SYM, type Value, isObject } from "../src/values.js";
import { bytesOf } from "./bytes.js";
import { throwDomException } from "./dom-exception.js";

const encoder = new TextEncoder();
const MAX_LABEL = 100;
type HostDecoder = InstanceType<typeof TextDecoder>;

class EncoderData {
  readonly encoding = "utf-8";
}

function thisEncoder(t: Value): EncoderData {
  if (isObject(t) && t.d instanceof EncoderData) return t.d;
  throwTypeError("Value of 'this' must be a TextEncoder");
}

defineConstructor(Intrinsic.TextEncoder, {
  name: "TextEncoder",
  length: 0,
  prototype: Intrinsic.TextEncoderPrototype,
  call: null,
  construct: (_args, newTarget) =>
    newKind(protoFromNewTarget(newTarget, Intrinsic.TextEncoderPrototype), Kind.HOST_DATA, new EncoderData()),
});

define(Intrinsic.TextEncoderPrototype, {
  props: [
    ref("constructor", Intrinsic.TextEncoder),
    getter("encoding", (t) => thisEncoder(t).encoding),
    method(
      "encode",
      0,
      (t, input) => {
        thisEncoder(t);
        const text = input === undefined ? "" : toStr(input);
        chargeText(text.length);
        if ((R.mem -= 3 * text.length) < 0) R.run.outOfMemory();
        const bytes = encoder.encode(text);
        const array = allocateTyped(ElementType.UINT8, bytes.length);
        (array.d.view as Uint8Array).set(bytes);
        return array;
      },
      DATA,
    ),
    method(
      "encodeInto",
      2,
      (t, source, destination) => {
        thisEncoder(t);
        const text = toStr(source);
        if (!isTypedArray(destination) || destination.d.type !== ElementType.UINT8)
          throwTypeError('The "dest" argument must be an instance of Uint8Array');
        const d = destination.d;
        charge((Math.min(text.length, typedLength(d)) >> 4) + 1);
        const { read, written } = encoder.encodeInto(text, new Uint8Array(d.data.bytes, d.offset, typedLength(d)));
        const o = newObject();
        createData(o, "read", read);
        createData(o, "written", written);
        return o;
      },
      DATA,
    ),
    value(SYM.toStringTag, "TextEncoder", Flag.CONFIGURABLE),
  ],
});
defineGlobal("TextEncoder", Intrinsic.TextEncoder);

class DecoderData {
  readonly decoder: HostDecoder;
  constructor(decoder: HostDecoder) {
    this.decoder = decoder;
  }
}

function thisDecoder(t: Value): HostDecoder {
  if (isObject(t) && t.d instanceof DecoderData) return t.d.decoder;
  throwTypeError("Value of 'this' must be a TextDecoder");
}

defineConstructor(Intrinsic.TextDecoder, {
  name: "TextDecoder",
  length: 0,
  prototype: Intrinsic.TextDecoderPrototype,
  call: null,
  construct(args, newTarget) {
    const label = args[0] === undefined ? "utf-8" : toStr(args[0]);
    if (label.length > MAX_LABEL) throwRangeError(`The ${describe(label)} encoding is not supported`);
    const options = args[1];
    let fatal = false;
    let ignoreBOM = false;
    if (isObject(options)) {
      fatal = toBoolean(get(options, "fatal"));
      ignoreBOM = toBoolean(get(options, "ignoreBOM"));
    } else if (options !== undefined && options !== null) throwTypeError('The "options" argument must be an object');
    let decoder: HostDecoder;
    try {
      decoder = new TextDecoder(label, { fatal, ignoreBOM });
    } catch {
      return throwRangeError(`The ${describe(label)} encoding is not supported`);
    }
    R.mem -= 500;
    return newKind(protoFromNewTarget(newTarget, Intrinsic.TextDecoderPrototype), Kind.HOST_DATA, new DecoderData(decoder));
  },
});

define(Intrinsic.TextDecoderPrototype, {
  props: [
    ref("constructor", Intrinsic.TextDecoder),
    getter("encoding", (t) => thisDecoder(t).encoding),
    getter("fatal", (t) => thisDecoder(t).fatal),
    getter("ignoreBOM", (t) => thisDecoder(t).ignoreBOM),
    method(
      "decode",
      0,
      (t, input, options) => {
        const decoder = thisDecoder(t);
        const bytes = input === undefined ? new Uint8Array(0) : bytesOf(input);
        if (bytes === undefined) throwTypeError('The "input" argument must be an ArrayBuffer, a typed array or a DataView');
        const stream = isObject(options) && toBoolean(get(options, "stream"));
        prepareText(bytes.length);
        try {
          return decoder.decode(bytes, { stream });
        } catch (e) {
          if (e instanceof TypeError) throwTypeError(`The encoded data was not valid for encoding ${decoder.encoding}`);
          throw e;
        }
      },
      DATA,
    ),
    value(SYM.toStringTag, "TextDecoder", Flag.CONFIGURABLE),
  ],
});
defineGlobal("TextDecoder", Intrinsic.TextDecoder);

// oxlint-disable-next-line no-control-regex -- the range is meant
const isLatin1 = (text: string): boolean => !/[^\0-\xff]/.test(text);

defineGlobal(
  "atob",
  method(
    "atob",
    1,
    (_t, data) => {
      const text = toStr(data);
      prepareText(text.length);
      try {
        return atob(text);
      } catch {
        return throwDomException("InvalidCharacterError", "The string to be decoded is not correctly encoded.");
      }
    },
    DATA,
  ),
);
defineGlobal(
  "btoa",
  method(
    "btoa",
    1,
    (_t, data) => {
      const text = toStr(data);
      prepareText(4 * Math.ceil(text.length / 3));
      if (!isLatin1(text))
        throwDomException(
          "InvalidCharacterError",
          "Invalid character: the string holds characters outside of the Latin1 range. Encode it with TextEncoder first.",
        );
      return btoa(text);
    },
    DATA,
  ),
);
