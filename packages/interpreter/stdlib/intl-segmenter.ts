// Intl.Segmenter (ECMA-402 18).

import { toIntegerOrInfinity, toStr } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { NativeIterator, nextCode } from "../src/iterate.js";
import { newKind } from "../src/object.js";
import { define, functionProperty, method, value } from "../src/realm.js";
import { R, charge, chargeText } from "../src/run-state.js";
import { Flag, rootOf } from "../src/shape.js";
import { type Code, type GuestObject, HOLE, Kind, SYM, type Value, isObject } from "../src/values.js";
import { LOCALE_MATCHER, hostService, optionsObject, readLocales, readOptions, text } from "./intl-options.js";
import { defineService, guestOf } from "./intl-service.js";

const OPTIONS = [LOCALE_MATCHER, text("granularity", "grapheme", "word", "sentence")];

class SegmentsData {
  readonly segments: Intl.Segments;
  readonly input: string;
  constructor(segments: Intl.Segments, input: string) {
    this.segments = segments;
    this.input = input;
  }
}

function thisSegments(t: Value, name: string): SegmentsData {
  if (isObject(t) && t.kind === Kind.HOST_DATA && t.d instanceof SegmentsData) return t.d;
  throwTypeError(`Method %SegmentsPrototype%.${name} called on incompatible receiver`);
}

/** CreateSegmentDataObject. */
function segmentData(s: Intl.SegmentData): GuestObject {
  const plain =
    s.isWordLike === undefined
      ? { segment: s.segment, index: s.index, input: s.input }
      : { segment: s.segment, index: s.index, input: s.input, isWordLike: s.isWordLike };
  return guestOf(plain) as GuestObject;
}

defineService<Intl.Segmenter>({
  name: "Segmenter",
  id: Intrinsic.IntlSegmenter,
  prototype: Intrinsic.IntlSegmenterPrototype,
  callable: false,
  make(locales, options) {
    const list = readLocales(locales);
    return hostService(
      "Segmenter",
      list,
      readOptions(optionsObject(options), OPTIONS),
      (l, o) => new Intl.Segmenter(l, o as Intl.SegmenterOptions),
    );
  },
  supported: (list) => Intl.Segmenter.supportedLocalesOf(list),
  resolved: (f) => f.resolvedOptions(),
  props: (self) => [
    method("segment", 1, (t, v) => {
      const f = self(t, "segment").host;
      const s = toStr(v);
      chargeText(s.length);
      if ((R.mem -= 300 + 2 * s.length) < 0) R.run.outOfMemory();
      return newKind(rootOf(Intrinsic.IntlSegmentsPrototype), Kind.HOST_DATA, new SegmentsData(f.segment(s), s));
    }),
  ],
});

define(Intrinsic.IntlSegmentsPrototype, {
  props: [
    method("containing", 1, (t, index) => {
      const { segments, input } = thisSegments(t, "containing");
      const n = toIntegerOrInfinity(index);
      if (n < 0 || n >= input.length) return undefined;
      charge(64);
      const found = segments.containing(n);
      return found === undefined ? undefined : segmentData(found);
    }),
    method(SYM.iterator, 0, (t) => {
      R.mem -= 300;
      return newKind(
        rootOf(Intrinsic.IntlSegmentIteratorPrototype),
        Kind.ITERATOR,
        new SegmentIterator(thisSegments(t, "[Symbol.iterator]").segments),
      );
    }),
  ],
});

class SegmentIterator extends NativeIterator {
  private readonly segments: Iterator<Intl.SegmentData>;
  constructor(segments: Intl.Segments) {
    super();
    this.segments = segments[Symbol.iterator]();
  }
  get nextCode(): Code {
    return NEXT;
  }
  step(): Value {
    charge(4);
    const next = this.segments.next();
    return next.done === true ? HOLE : segmentData(next.value);
  }
}

const NEXT: Code = nextCode("Segmenter String Iterator", SegmentIterator);

define(Intrinsic.IntlSegmentIteratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [functionProperty("next", NEXT), value(SYM.toStringTag, "Segmenter String Iterator", Flag.CONFIGURABLE)],
});
