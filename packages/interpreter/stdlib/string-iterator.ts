// %StringIteratorPrototype% (ECMAScript 22.1.5).

import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { iterResult, newKind } from "../src/object.js";
import { define, method, value } from "../src/realm.js";
import { Flag, rootOf } from "../src/shape.js";
import { type GuestObject, Kind, SYM } from "../src/values.js";

class StringIteration {
  readonly text: string;
  position = 0;
  constructor(text: string) {
    this.text = text;
  }
}

export function newStringIterator(text: string): GuestObject {
  return newKind(rootOf(Intrinsic.StringIteratorPrototype), Kind.ITERATOR, new StringIteration(text));
}

define(Intrinsic.StringIteratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [
    method("next", 0, (t) => {
      const it = typeof t === "object" && t !== null && t.kind === Kind.ITERATOR ? t.d : undefined;
      if (!(it instanceof StringIteration)) throwTypeError("String Iterator.prototype.next requires that 'this' be a String Iterator");
      const { text, position } = it;
      if (position >= text.length) {
        it.position = Infinity;
        return iterResult(undefined, true);
      }
      const c = text.codePointAt(position)!;
      const item = c > 0xffff ? String.fromCodePoint(c) : text[position];
      it.position += item.length;
      return iterResult(item, false);
    }),
    value(SYM.toStringTag, "String Iterator", Flag.CONFIGURABLE),
  ],
});
