// %RegExpStringIteratorPrototype% (ECMAScript 22.2.9).

import { toLength, toStr } from "../src/convert.js";
import { Intrinsic } from "../src/intrinsics.js";
import { NativeIterator, nextCode } from "../src/iterate.js";
import { get, newKind, set } from "../src/object.js";
import { define, functionProperty, value } from "../src/realm.js";
import { R } from "../src/run-state.js";
import { Flag, rootOf } from "../src/shape.js";
import { type Code, type GuestObject, HOLE, Kind, SYM, type Value } from "../src/values.js";
import { advanceIndex, regExpExec } from "./regexp-object.js";

class RegExpStringIterator extends NativeIterator {
  private readonly matcher: GuestObject;
  private readonly text: string;
  private readonly global: boolean;
  private readonly unicode: boolean;
  private done = false;
  constructor(matcher: GuestObject, text: string, global: boolean, unicode: boolean) {
    super();
    this.matcher = matcher;
    this.text = text;
    this.global = global;
    this.unicode = unicode;
  }
  get nextCode(): Code {
    return NEXT;
  }
  step(): Value {
    if (this.done) return HOLE;
    this.done = true; // also when the match throws
    const { matcher, text } = this;
    const match = regExpExec(matcher, text);
    if (match === null) return HOLE;
    if (this.global) {
      if (toStr(get(match, "0")) === "") set(matcher, "lastIndex", advanceIndex(text, toLength(get(matcher, "lastIndex")), this.unicode));
      this.done = false;
    }
    return match;
  }
}

const NEXT: Code = nextCode("RegExp String Iterator", RegExpStringIterator);

/** CreateRegExpStringIterator. */
export function newRegExpStringIterator(matcher: GuestObject, text: string, global: boolean, unicode: boolean): GuestObject {
  R.mem -= 56;
  return newKind(rootOf(Intrinsic.RegExpStringIteratorPrototype), Kind.ITERATOR, new RegExpStringIterator(matcher, text, global, unicode));
}

define(Intrinsic.RegExpStringIteratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [functionProperty("next", NEXT), value(SYM.toStringTag, "RegExp String Iterator", Flag.CONFIGURABLE)],
});
