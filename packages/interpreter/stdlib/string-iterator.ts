// %StringIteratorPrototype% (ECMAScript 22.1.5).

import { Intrinsic } from "../src/intrinsics.js";
import { NativeIterator, nextCode } from "../src/iterate.js";
import { newKind } from "../src/object.js";
import { define, functionProperty, value } from "../src/realm.js";
import { R } from "../src/run-state.js";
import { Flag, rootOf } from "../src/shape.js";
import { type Code, type GuestObject, HOLE, Kind, SYM, type Value } from "../src/values.js";

class StringIterator extends NativeIterator {
  private readonly text: string;
  private position = 0;
  constructor(text: string) {
    super();
    this.text = text;
  }
  get nextCode(): Code {
    return NEXT;
  }
  step(): Value {
    const { text, position } = this;
    if (position >= text.length) return HOLE;
    const c = text.codePointAt(position)!;
    if (c <= 0xffff) {
      this.position = position + 1;
      return text[position];
    }
    this.position = position + 2;
    return String.fromCodePoint(c);
  }
}

const NEXT: Code = nextCode("String Iterator", StringIterator);

export function newStringIterator(text: string): GuestObject {
  R.mem -= 40;
  return newKind(rootOf(Intrinsic.StringIteratorPrototype), Kind.ITERATOR, new StringIterator(text));
}

define(Intrinsic.StringIteratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [functionProperty("next", NEXT), value(SYM.toStringTag, "String Iterator", Flag.CONFIGURABLE)],
});
