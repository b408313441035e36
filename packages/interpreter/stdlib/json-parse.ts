// The JSON text grammar (ECMAScript 25.5.1), straight to guest objects: one pass, no recursion, so that nesting is bounded by memory
// alone. The keys of an object are first compared with those of the object before it at the same depth, as records repeat.

import { ARRAY_ROOT, newElements, throwArrayLength } from "../src/array.js";
import { throwSyntaxError } from "../src/errors.js";
import { OBJECT_ROOT, createData } from "../src/object.js";
import { R, allocate, chargeText } from "../src/run-state.js";
import { DATA, MAX_TREE_KEY, type Shape, childShape } from "../src/shape.js";
import { GuestObject, Kind, type Value } from "../src/values.js";

/** What a parsed value came from, for revivers. */
export interface ParseRecord {
  value: Value;
  /** The whole text; the value's own is from `start` to `end`. */
  text: string;
  start: number;
  end: number;
  elements: ParseRecord[] | null;
  entries: Map<string, ParseRecord> | null;
}

/** The value of a JSON text; a guest SyntaxError for what is none. */
export function parseJson(text: string): Value {
  return new JsonParser(text, null).parse();
}

/** The value of a JSON text with the places it came from. */
export function parseJsonRecords(text: string): ParseRecord {
  const records: ParseRecord[] = [];
  new JsonParser(text, records).parse();
  return records[0];
}

/** More keys than this are added one by one, as the object becomes a dictionary then. */
const MAX_PLANNED_KEYS = 100;

/** In place of a slot: the object is to be made now. */
const TOO_MANY = -2;

/** The keys of the last object at one depth, with the shape after each. */
class Plan {
  readonly keys: string[] = [];
  /** Whether a key's literal is the key itself, so that it can be compared with the text. */
  readonly plain: boolean[] = [];
  readonly shapes: Shape[] = [];

  add(key: string, shape: Shape): void {
    this.keys.push(key);
    this.plain.push(!ESCAPED.test(key));
    this.shapes.push(shape);
  }

  /** Keeps the first `n` keys. */
  cut(n: number): void {
    this.keys.length = this.plain.length = this.shapes.length = n;
  }
}

const ESCAPED = /["\\\p{Cc}]/u;

/** An object or array that is being read. */
class Open {
  isArray = false;
  /** Where its values start in the list of values. */
  base = 0;
  start = 0;
  shape: Shape = OBJECT_ROOT;
  /** How many keys it has. */
  count = 0;
  /** The slot that the value being read goes to; -1: into `object`, under `key`. */
  slot = 0;
  key = "";
  /** Made early, if its keys are too many. */
  object: GuestObject | null = null;
  readonly plan = new Plan();
  entries: Map<string, ParseRecord> | null = null;
}

/** What the last parse used, for the next one: it knows the layouts of the objects at each depth, and texts repeat. */
let spare: Scratch | null = null;
const MAX_SPARE_DEPTH = 16;
const MAX_SPARE_VALUES = 64;
const MAX_SPARE_KEYS = 32;
const MAX_SPARE_KEY = 64;

class Scratch {
  readonly opened: Open[] = [];
  /** The values of all that is open, one after another; an object's slots are a stretch of it. */
  readonly values: Value[] = newElements();

  /** Lets go of all that belongs to a run, after a parse that went down to `deepest`. */
  release(deepest: number): void {
    const { opened, values } = this;
    if (opened.length > MAX_SPARE_DEPTH) opened.length = MAX_SPARE_DEPTH;
    for (let i = Math.min(deepest, MAX_SPARE_DEPTH - 1); i >= 0; i--) {
      const o = opened[i];
      const { keys } = o.plan;
      o.object = null;
      o.key = "";
      if (keys.length > 0 && (keys.length > MAX_SPARE_KEYS || keys.some((key) => key.length > MAX_SPARE_KEY))) o.plan.cut(0);
    }
    if (values.length > MAX_SPARE_VALUES) values.length = 0;
    else values.fill(undefined);
  }
}

/** An own copy of a text that may be a slice of a large one, which it would keep. */
function ownText(text: string): string {
  return text.length < 13 ? text : Object.keys({ [text]: 0 })[0];
}

const enum Char {
  TAB = 9,
  LF = 10,
  CR = 13,
  SPACE = 32,
  QUOTE = 34,
  PLUS = 43,
  COMMA = 44,
  MINUS = 45,
  DOT = 46,
  ZERO = 48,
  NINE = 57,
  COLON = 58,
  UPPER_E = 69,
  OPEN_ARRAY = 91,
  BACKSLASH = 92,
  CLOSE_ARRAY = 93,
  LOWER_E = 101,
  LOWER_F = 102,
  LOWER_N = 110,
  LOWER_T = 116,
  OPEN_OBJECT = 123,
  CLOSE_OBJECT = 125,
}

const POWERS = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

class JsonParser {
  private readonly text: string;
  private readonly records: ParseRecord[] | null;
  private pos = 0;
  constructor(text: string, records: ParseRecord[] | null) {
    chargeText(text.length);
    this.text = text;
    this.records = records;
  }

  parse(): Value {
    const { records } = this;
    const scratch = spare ?? new Scratch();
    spare = null;
    const { opened, values } = scratch;
    let depth = -1;
    let deepest = -1;
    let top = 0;
    let v: Value;
    for (;;) {
      // A value starts here.
      let c = this.skipSpace();
      const start = this.pos;
      let close = false;
      if (c === Char.QUOTE) {
        v = this.string();
      } else if (c === Char.OPEN_OBJECT || c === Char.OPEN_ARRAY) {
        if (++depth > deepest) {
          deepest = depth;
          allocate(280);
          if (depth === opened.length) opened.push(new Open());
        }
        const o = opened[depth];
        o.isArray = c === Char.OPEN_ARRAY;
        o.base = top;
        o.start = start;
        o.shape = OBJECT_ROOT;
        o.count = 0;
        o.object = null;
        o.entries = records !== null && !o.isArray ? new Map() : null;
        this.pos++;
        c = this.skipSpace();
        if (c !== (o.isArray ? Char.CLOSE_ARRAY : Char.CLOSE_OBJECT)) {
          if (!o.isArray) {
            this.key(o, c);
            if (o.slot === TOO_MANY) top = makeNow(o, values, top);
          }
          continue;
        }
        this.pos++;
        close = true;
        v = undefined;
      } else {
        v = this.scalar(c);
      }
      // The value is read; it may end what it stands in.
      for (;;) {
        if (close) {
          const o = opened[depth--];
          v = o.isArray ? closeArray(values, o.base, top) : closeObject(o, values, top);
          top = o.base;
          if (records !== null) this.closeRecord(o, v);
        } else if (records !== null) {
          records.push({ value: v, text: this.text, start, end: this.pos, elements: null, entries: null });
        }
        if (depth < 0) {
          if (this.skipSpace() !== -1) this.fail("Unexpected non-whitespace character after JSON");
          if (records === null) {
            scratch.release(deepest);
            spare = scratch;
          }
          return v;
        }
        const o = opened[depth];
        if (o.isArray) {
          values[top++] = v;
          if ((top & 1023) === 0) this.grown(top - o.base);
        } else if (o.slot >= 0) {
          const at = o.base + o.slot;
          values[at] = v;
          if (at === top) top++;
        } else {
          createData(o.object!, o.key, v);
        }
        if (R.mem < 0) R.run.outOfMemory();
        if (o.entries !== null) {
          const record = records!.pop()!;
          R.mem -= 64;
          o.entries.set(o.key, record);
        }
        const next = this.skipSpace();
        if (next === Char.COMMA) {
          this.pos++;
          if (!o.isArray) {
            this.key(o, this.skipSpace());
            if (o.slot === TOO_MANY) top = makeNow(o, values, top);
          }
          break;
        }
        if (next !== (o.isArray ? Char.CLOSE_ARRAY : Char.CLOSE_OBJECT))
          this.fail(o.isArray ? "Expected ',' or ']' after array element in JSON" : "Expected ',' or '}' after property value in JSON");
        this.pos++;
        close = true;
      }
    }
  }

  /** Looks at the limits now and then, as a list grows. */
  private grown(length: number): void {
    if (length > R.arrayLength) throwArrayLength();
    allocate(8 * 1024);
  }

  private closeRecord(o: Open, value: Value): void {
    const records = this.records!;
    let elements: ParseRecord[] | null = null;
    if (o.isArray) {
      const n = (value as GuestObject & { d: Value[] }).d.length;
      elements = n === 0 ? [] : records.splice(records.length - n, n);
    }
    R.mem -= 80;
    records.push({ value, text: this.text, start: o.start, end: this.pos, elements, entries: o.entries });
  }

  /** Reads a key and its colon, and finds the slot for its value. */
  private key(o: Open, c: number): void {
    const { text } = this;
    if (c !== Char.QUOTE) {
      const first = text.charCodeAt(o.start) === Char.OPEN_OBJECT && text.slice(o.start + 1, this.pos).trim() === "";
      this.fail(first ? "Expected property name or '}' in JSON" : "Expected double-quoted property name in JSON");
    }
    const { count, plan } = o;
    if (count < plan.keys.length) {
      const expected = plan.keys[count];
      const from = this.pos + 1;
      const n = expected.length;
      let i = 0;
      if (plan.plain[count]) while (i < n && text.charCodeAt(from + i) === expected.charCodeAt(i)) i++;
      else i = -1;
      if (i === n && text.charCodeAt(from + n) === Char.QUOTE) {
        this.pos = from + n + 1;
        o.shape = plan.shapes[count];
        o.slot = count;
        o.count = count + 1;
        if (o.entries !== null) o.key = expected;
        this.colon();
        return;
      }
      plan.cut(count);
    }
    const key = this.string();
    o.key = key;
    this.addKey(o, key);
    this.colon();
  }

  private addKey(o: Open, key: string): void {
    if (o.object !== null) {
      o.slot = -1;
      return;
    }
    const { shape, count, plan } = o;
    // A shape has transitions only for keys that it does not have. The plan's keys are this object's, in the order of their slots.
    if (shape.transitions === null || !shape.transitions.has(key)) {
      const known = plan.keys.indexOf(key);
      if (known >= 0) {
        o.slot = known;
        return;
      }
      R.mem -= 256;
    }
    if (count >= MAX_PLANNED_KEYS || key.length > MAX_TREE_KEY) {
      o.slot = TOO_MANY;
      return;
    }
    const name = ownText(key);
    const next = childShape(shape, name, DATA);
    o.shape = next;
    o.slot = count;
    o.count = count + 1;
    plan.add(name, next);
  }

  private colon(): void {
    if (this.skipSpace() !== Char.COLON) this.fail("Expected ':' after property name in JSON");
    this.pos++;
  }

  /** The next character that is no space, or -1 at the end; not consumed. */
  private skipSpace(): number {
    const { text } = this;
    for (let pos = this.pos; pos < text.length; pos++) {
      const c = text.charCodeAt(pos);
      if (c > Char.SPACE || (c !== Char.SPACE && c !== Char.LF && c !== Char.CR && c !== Char.TAB)) {
        this.pos = pos;
        return c;
      }
    }
    this.pos = text.length;
    return -1;
  }

  /** The text of a string literal; the position is at its opening quote. */
  private string(): string {
    const { text } = this;
    const start = this.pos + 1;
    let pos = start;
    for (;;) {
      const c = text.charCodeAt(pos);
      if (c === Char.QUOTE) {
        this.pos = pos + 1;
        R.mem -= 24 + (pos - start < 13 ? 0 : 8);
        return text.slice(start, pos);
      }
      if (c === Char.BACKSLASH) return this.escapedString(start, pos);
      if (!(c >= Char.SPACE)) {
        this.pos = pos;
        if (pos >= text.length) this.fail("Unterminated string in JSON");
        this.fail("Bad control character in string literal in JSON");
      }
      pos++;
    }
  }

  /** A string literal whose first escape is at `pos`. */
  private escapedString(start: number, pos: number): string {
    const { text } = this;
    let out = "";
    let from = start;
    for (;;) {
      const c = text.charCodeAt(pos);
      if (c === Char.QUOTE) {
        out += text.slice(from, pos);
        this.pos = pos + 1;
        allocate(32 + 2 * out.length);
        return out;
      }
      if (c === Char.BACKSLASH) {
        out += text.slice(from, pos);
        const e = text[pos + 1];
        if (e === "u") {
          const digits = text.slice(pos + 2, pos + 6);
          if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
            this.pos = pos;
            this.fail("Bad Unicode escape in JSON");
          }
          out += String.fromCharCode(parseInt(digits, 16));
          pos += 6;
        } else {
          const meaning = e === undefined || !Object.hasOwn(ESCAPES, e) ? undefined : ESCAPES[e];
          if (meaning === undefined) {
            this.pos = pos;
            this.fail(pos + 1 >= text.length ? "Unterminated string in JSON" : "Bad escaped character in JSON");
          }
          out += meaning;
          pos += 2;
        }
        from = pos;
        continue;
      }
      if (!(c >= Char.SPACE)) {
        this.pos = pos;
        this.fail(pos >= text.length ? "Unterminated string in JSON" : "Bad control character in string literal in JSON");
      }
      pos++;
    }
  }

  private scalar(c: number): Value {
    if (c === Char.MINUS || (c >= Char.ZERO && c <= Char.NINE)) return this.number(c);
    if (c === Char.LOWER_T) return this.word("true", true);
    if (c === Char.LOWER_F) return this.word("false", false);
    if (c === Char.LOWER_N) return this.word("null", null);
    return this.unexpected();
  }

  private word(word: string, v: Value): Value {
    const { text, pos } = this;
    for (let i = 1; i < word.length; i++) {
      if (text.charCodeAt(pos + i) !== word.charCodeAt(i)) {
        this.pos = pos + i;
        this.unexpected();
      }
    }
    this.pos = pos + word.length;
    return v;
  }

  private number(first: number): number {
    const { text } = this;
    const start = this.pos;
    let pos = start;
    let c = first;
    const negative = c === Char.MINUS;
    if (negative) {
      c = text.charCodeAt(++pos);
      if (!(c >= Char.ZERO && c <= Char.NINE)) {
        this.pos = pos;
        this.fail("No number after minus sign in JSON");
      }
    }
    let digits = 0; // of the significand read so far
    let n = 0;
    if (c === Char.ZERO) {
      c = text.charCodeAt(++pos);
    } else {
      const from = pos;
      while (c >= Char.ZERO && c <= Char.NINE) {
        n = n * 10 + (c - Char.ZERO);
        c = text.charCodeAt(++pos);
      }
      digits = pos - from;
    }
    let decimals = 0;
    if (c === Char.DOT) {
      const from = ++pos;
      c = text.charCodeAt(pos);
      while (c >= Char.ZERO && c <= Char.NINE) {
        n = n * 10 + (c - Char.ZERO);
        c = text.charCodeAt(++pos);
      }
      decimals = pos - from;
      digits += decimals;
      if (decimals === 0) {
        this.pos = pos;
        this.fail("Unterminated fractional number in JSON");
      }
    }
    if (c === Char.LOWER_E || c === Char.UPPER_E) {
      c = text.charCodeAt(++pos);
      if (c === Char.PLUS || c === Char.MINUS) c = text.charCodeAt(++pos);
      const from = pos;
      while (c >= Char.ZERO && c <= Char.NINE) c = text.charCodeAt(++pos);
      this.pos = pos;
      if (pos === from) this.fail("Exponent part is missing a number in JSON");
      return Number(text.slice(start, pos));
    }
    this.pos = pos;
    // Both numbers are exact, so their quotient is rounded once (Clinger).
    if (digits <= 15) return negative ? -(n / POWERS[decimals]) : decimals === 0 ? n : n / POWERS[decimals];
    return Number(text.slice(start, pos));
  }

  private unexpected(): never {
    const { text, pos } = this;
    if (SPECIAL.includes(text)) throwSyntaxError(`"${text}" is not valid JSON`);
    if (pos >= text.length) throwSyntaxError("Unexpected end of JSON input");
    const cp = text.codePointAt(pos)!;
    const char = String.fromCodePoint(cp);
    throwSyntaxError(`Unexpected token '${char}', ${this.snippet(pos)} is not valid JSON`);
  }

  private fail(what: string): never {
    const { text, pos } = this;
    let line = 1;
    let lineStart = 0;
    for (let i = text.indexOf("\n"); i >= 0 && i < pos; i = text.indexOf("\n", i + 1)) {
      line++;
      lineStart = i + 1;
    }
    throwSyntaxError(`${what} at position ${pos} (line ${line} column ${pos - lineStart + 1})`);
  }

  /** The text around `pos`, in quotes. */
  private snippet(pos: number): string {
    const { text } = this;
    const short = text.length <= 20;
    const from = short ? 0 : Math.max(0, pos - 10);
    const to = short ? text.length : Math.min(text.length, pos + 10);
    return `${from > 0 ? "..." : ""}"${text.slice(from, to)}"${to < text.length ? "..." : ""}`;
  }
}

/** Texts that come from a value given instead of a text. */
const SPECIAL = ["undefined", "NaN", "Infinity", "[object Object]"];

const ESCAPES: Record<string, string | undefined> = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function closeArray(values: Value[], base: number, top: number): GuestObject {
  const n = top - base;
  if (n > R.arrayLength) throwArrayLength();
  if ((R.mem -= 104 + 8 * n) < 0) R.run.outOfMemory();
  const d = n === 0 ? newElements() : values.slice(base, top);
  return new GuestObject(ARRAY_ROOT, Kind.ARRAY, d, undefined, undefined, undefined, undefined);
}

/** Makes an object whose layout no shape is to have; what it has so far is taken off the list. The list's new end. */
function makeNow(o: Open, values: Value[], top: number): number {
  o.object = objectOf(o.shape, values, o.base, top);
  o.slot = -1;
  return o.base;
}

function closeObject(o: Open, values: Value[], top: number): GuestObject {
  if (o.object !== null) return o.object;
  return objectOf(o.shape, values, o.base, top);
}

function objectOf(shape: Shape, values: Value[], base: number, top: number): GuestObject {
  const n = top - base;
  if ((R.mem -= n > 4 ? 104 + 8 * n : 88) < 0) R.run.outOfMemory();
  switch (n) {
    case 0:
      return new GuestObject(shape, Kind.ORDINARY, undefined, undefined, undefined, undefined, undefined);
    case 1:
      return new GuestObject(shape, Kind.ORDINARY, undefined, values[base], undefined, undefined, undefined);
    case 2:
      return new GuestObject(shape, Kind.ORDINARY, undefined, values[base], values[base + 1], undefined, undefined);
    case 3:
      return new GuestObject(shape, Kind.ORDINARY, undefined, values[base], values[base + 1], values[base + 2], undefined);
  }
  const object = new GuestObject(shape, Kind.ORDINARY, undefined, values[base], values[base + 1], values[base + 2], values[base + 3]);
  if (n > 4) object.more = values.slice(base + 4, top);
  return object;
}
