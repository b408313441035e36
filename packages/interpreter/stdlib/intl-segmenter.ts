// Intl.Segmenter (ECMA-402 18).

import { toIntegerOrInfinity, toStr } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { NativeIterator, nextCode } from "../src/iterate.js";
import { createData, newKind, newObject } from "../src/object.js";
import { define, functionProperty, method, value } from "../src/realm.js";
import { R, charge, chargeText } from "../src/run-state.js";
import { Flag, rootOf } from "../src/shape.js";
import { type Code, type GuestObject, HOLE, Kind, SYM, type Value, isObject } from "../src/values.js";
import { LOCALE_MATCHER, hostService, optionsObject, readLocales, readOptions, text } from "./intl-options.js";
import { type ServiceData, defineService } from "./intl-service.js";

const OPTIONS = [LOCALE_MATCHER, text("granularity", "grapheme", "word", "sentence")];

/** The host takes time in proportion to the whole text for each segment, so it sees pieces of this length … */
const WINDOW = 1024;
/** … of whose segments those close to the end are not taken, as what follows could change them. */
const MARGIN = 256;

interface Segment {
  start: number;
  end: number;
  isWordLike: boolean | undefined;
}

/** The segments of a text, window by window. A window starts where a segment starts. */
class SegmentsData {
  readonly text: string;
  private readonly segmenter: ServiceData<Intl.Segmenter>;
  /** Where the windows start that are known so far. */
  private readonly starts: number[] = [0];
  constructor(segmenter: ServiceData<Intl.Segmenter>, text: string) {
    this.segmenter = segmenter;
    this.text = text;
  }

  /** The segments of the window `k`; none after the last one. All windows before it have been asked for. */
  window(k: number): Segment[] {
    const { text } = this;
    const start = this.starts[k];
    if (start === undefined || start >= text.length) return [];
    for (let size = WINDOW; ; size *= 2) {
      const piece = text.slice(start, start + size);
      charge(4 + (piece.length >> 1));
      const isLast = start + size >= text.length;
      const out: Segment[] = [];
      for (const s of this.segmenter.host.segment(piece)) {
        const end = s.index + s.segment.length;
        if (!isLast && end > size - MARGIN) break;
        charge(1 + (piece.length >> 6));
        out.push({ start: start + s.index, end: start + end, isWordLike: s.isWordLike });
      }
      if (out.length === 0) continue;
      this.starts[k + 1] = out[out.length - 1].end;
      return out;
    }
  }

  containing(index: number): Segment | undefined {
    let k = 0;
    while (k + 1 < this.starts.length && this.starts[k + 1] <= index) k++;
    charge(k >> 2);
    for (; ; k++) {
      const segments = this.window(k);
      if (segments.length === 0) return undefined;
      const found = segments.find((s) => s.end > index);
      if (found !== undefined) return found;
    }
  }
}

function thisSegments(t: Value, name: string): SegmentsData {
  if (isObject(t) && t.kind === Kind.HOST_DATA && t.d instanceof SegmentsData) return t.d;
  throwTypeError(`Method %SegmentsPrototype%.${name} called on incompatible receiver`);
}

/** CreateSegmentDataObject. */
function segmentData(text: string, s: Segment): GuestObject {
  const o = newObject();
  R.mem -= 40;
  createData(o, "segment", text.slice(s.start, s.end));
  createData(o, "index", s.start);
  createData(o, "input", text);
  if (s.isWordLike !== undefined) createData(o, "isWordLike", s.isWordLike);
  return o;
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
      const f = self(t, "segment");
      const s = toStr(v);
      chargeText(s.length);
      R.mem -= 300;
      return newKind(rootOf(Intrinsic.IntlSegmentsPrototype), Kind.HOST_DATA, new SegmentsData(f, s));
    }),
  ],
});

define(Intrinsic.IntlSegmentsPrototype, {
  props: [
    method("containing", 1, (t, index) => {
      const segments = thisSegments(t, "containing");
      const n = toIntegerOrInfinity(index);
      if (n < 0 || n >= segments.text.length) return undefined;
      const found = segments.containing(n);
      return found === undefined ? undefined : segmentData(segments.text, found);
    }),
    method(SYM.iterator, 0, (t) => {
      R.mem -= 300;
      return newKind(
        rootOf(Intrinsic.IntlSegmentIteratorPrototype),
        Kind.ITERATOR,
        new SegmentIterator(thisSegments(t, "[Symbol.iterator]")),
      );
    }),
  ],
});

class SegmentIterator extends NativeIterator {
  private readonly segments: SegmentsData;
  private window: Segment[] = [];
  private next = 0;
  private k = 0;
  constructor(segments: SegmentsData) {
    super();
    this.segments = segments;
  }
  get nextCode(): Code {
    return NEXT;
  }
  step(): Value {
    if (this.next >= this.window.length) {
      this.window = this.segments.window(this.k);
      if (this.window.length === 0) return HOLE;
      this.k++;
      this.next = 0;
    }
    return segmentData(this.segments.text, this.window[this.next++]);
  }
}

const NEXT: Code = nextCode("Segmenter String Iterator", SegmentIterator);

define(Intrinsic.IntlSegmentIteratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [functionProperty("next", NEXT), value(SYM.toStringTag, "Segmenter String Iterator", Flag.CONFIGURABLE)],
});
