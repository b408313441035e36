// crypto: randomUUID and getRandomValues from the run's own random numbers, so that a run can be repeated. Not for secrets.

import { describe } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { newKind } from "../src/object.js";
import { define, defineConstructor, defineGlobal, method, ref, value } from "../src/realm.js";
import { R, charge } from "../src/run-state.js";
import { DATA, Flag, rootOf } from "../src/shape.js";
import { ElementType, isTypedArray, typedLength } from "../src/typed-array-exotic.js";
import { Kind, SYM, type Value, isObject } from "../src/values.js";
import { throwDomException } from "./dom-exception.js";

/** Marks the one object of its kind. */
class CryptoData {
  readonly source = "the run's random numbers";
}
const MAX_BYTES = 65_536;

const randomByte = (): number => Math.floor(R.run.random() * 256);

function thisCrypto(t: Value): void {
  if (!(isObject(t) && t.d instanceof CryptoData)) throwTypeError("Value of 'this' must be crypto");
}

defineConstructor(Intrinsic.Crypto, {
  name: "Crypto",
  length: 0,
  prototype: Intrinsic.CryptoPrototype,
  call: null,
  construct: () => throwTypeError("Illegal constructor"),
});

define(Intrinsic.CryptoPrototype, {
  props: [
    ref("constructor", Intrinsic.Crypto),
    method(
      "getRandomValues",
      1,
      (t, array) => {
        thisCrypto(t);
        if (!isTypedArray(array) || array.d.type >= ElementType.FLOAT16)
          throwDomException("TypeMismatchError", `The data argument must be an integer-type TypedArray, not ${describe(array)}`);
        const d = array.d;
        const n = typedLength(d) * d.size;
        if (n > MAX_BYTES) throwDomException("QuotaExceededError", `The requested length exceeds ${MAX_BYTES} bytes`);
        charge(n >> 2);
        const bytes = new Uint8Array(d.data.bytes, d.offset, n);
        for (let i = 0; i < n; i++) bytes[i] = randomByte();
        return array;
      },
      DATA,
    ),
    method(
      "randomUUID",
      0,
      (t) => {
        thisCrypto(t);
        charge(16);
        let out = "";
        for (let i = 0; i < 16; i++) {
          let b = randomByte();
          if (i === 6) b = (b & 0x0f) | 0x40;
          if (i === 8) b = (b & 0x3f) | 0x80;
          out += b.toString(16).padStart(2, "0");
          if (i === 3 || i === 5 || i === 7 || i === 9) out += "-";
        }
        return out;
      },
      DATA,
    ),
    value(SYM.toStringTag, "Crypto", Flag.CONFIGURABLE),
  ],
});

defineGlobal("Crypto", Intrinsic.Crypto);
defineGlobal(
  "crypto",
  ref("crypto", (realm) => realm.slot(CryptoData, () => newKind(rootOf(Intrinsic.CryptoPrototype), Kind.HOST_DATA, new CryptoData()))),
);
