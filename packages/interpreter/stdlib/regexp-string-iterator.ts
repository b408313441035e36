// %RegExpStringIteratorPrototype% (ECMAScript 22.2.9).

import { toLength, toStr } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get, iterResult, newKind, set } from "../src/object.js";
import { define, method, value } from "../src/realm.js";
import { Flag, rootOf } from "../src/shape.js";
import { type GuestObject, Kind, SYM } from "../src/values.js";
import { advanceIndex, regExpExec } from "./regexp-object.js";

class RegExpStringIteration {
  readonly matcher: GuestObject;
  readonly text: string;
  readonly global: boolean;
  readonly unicode: boolean;
  done = false;
  constructor(matcher: GuestObject, text: string, global: boolean, unicode: boolean) {
    this.matcher = matcher;
    this.text = text;
    this.global = global;
    this.unicode = unicode;
  }
}

/** CreateRegExpStringIterator. */
export function newRegExpStringIterator(matcher: GuestObject, text: string, global: boolean, unicode: boolean): GuestObject {
  return newKind(rootOf(Intrinsic.RegExpStringIteratorPrototype), Kind.ITERATOR, new RegExpStringIteration(matcher, text, global, unicode));
}

define(Intrinsic.RegExpStringIteratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [
    method("next", 0, (t) => {
      const it = typeof t === "object" && t !== null && t.kind === Kind.ITERATOR ? t.d : undefined;
      if (!(it instanceof RegExpStringIteration)) throwTypeError("RegExp String Iterator.prototype.next requires that 'this' be a RegExp String Iterator");
      if (it.done) return iterResult(undefined, true);
      it.done = true; // also when the match throws
      const { matcher, text } = it;
      const match = regExpExec(matcher, text);
      if (match === null) return iterResult(undefined, true);
      if (it.global) {
        if (toStr(get(match, "0")) === "") set(matcher, "lastIndex", advanceIndex(text, toLength(get(matcher, "lastIndex")), it.unicode));
        it.done = false;
      }
      return iterResult(match, false);
    }),
    value(SYM.toStringTag, "RegExp String Iterator", Flag.CONFIGURABLE),
  ],
});
