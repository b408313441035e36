// SerializeJSONProperty and its parts (ECMAScript 25.5.2).

import { ARRAY_ROOT } from "../src/array.js";
import { call1, call2 } from "../src/call.js";
import { getV, isArray, lengthOf, toNumber, toStr } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { get, getOwn, isCallable, newObject, ownKeys } from "../src/object.js";
import { R, allocate, charge, enterNative, leaveNative } from "../src/run-state.js";
import { DATA, ENTRY_SHIFT, FLAGS_MASK, Flag, type Shape, addProperty, load, tableOf } from "../src/shape.js";
import { throwStringLength } from "../src/text.js";
import { type GuestObject, HOLE, Kind, type Value, isObject } from "../src/values.js";

/** Estimated host stack of one level. */
const LEVEL_WEIGHT = 500;
const FLUSH = 4096;

/** How the objects of one shape are written: keys with data in plain slots, in order. */
interface Plan {
  keys: string[];
  /** What stands before the first and before a later value, without an indent. */
  first: string[];
  later: string[];
  slots: number[];
  /** The number of the writer that has used it last: each is charged for it. */
  writer: number;
}

/** Plans of layouts that every realm can meet, for the next writer: by layout, without and with an indent. */
const KNOWN = [new Map<Shape, Plan>(), new Map<Shape, Plan>()] as const;
const MAX_KNOWN = 256;
const MAX_KNOWN_TEXT = 1024;

let writers = 0;

export class JsonWriter {
  private readonly replacer: GuestObject | null;
  private readonly properties: string[] | null;
  private readonly gap: string;
  private indent = "";
  private readonly stack: GuestObject[] = [];
  private readonly id = ++writers;
  private readonly known: Map<Shape, Plan>;
  private plans: Map<Shape, Plan | null> | null = null;
  private readonly chunks: string[] = [];
  private length = 0;
  private out = "";
  constructor(replacer: GuestObject | null, properties: string[] | null, gap: string) {
    this.replacer = replacer;
    this.properties = properties;
    this.gap = gap;
    this.known = KNOWN[gap === "" ? 0 : 1];
  }

  /** The text of a value, or undefined for what has none. */
  write(v: Value): string | undefined {
    let holder: GuestObject | null = null;
    if (this.replacer !== null) {
      holder = newObject();
      addProperty(holder, "", v, DATA);
    }
    if (!this.property(holder, "", v, "")) return undefined;
    this.flush();
    return this.chunks.join("");
  }

  private flush(): void {
    const { out } = this;
    const n = out.length;
    if ((this.length += n) > R.stringLength) throwStringLength();
    if ((R.fuel -= (n >> 4) + 1) < 0) R.run.outOfFuel();
    if ((R.mem -= 2 * n) < 0) R.run.outOfMemory();
    out.charCodeAt(0); // makes the host flatten it now, so that its pieces are garbage early
    this.chunks.push(out);
    this.out = "";
  }

  private add(text: string): void {
    if (text.length > FLUSH && this.length + this.out.length + text.length > R.stringLength) throwStringLength();
    if ((this.out += text).length > FLUSH) this.flush();
  }

  /** Writes `before` and the property's text; false, and nothing written, for a value that has none. */
  private property(holder: GuestObject | null, key: string, v: Value, before: string): boolean {
    if (typeof v === "object" && v !== null) {
      if (!this.hasPlainToJson(v)) v = this.toJson(v, v, key);
    } else if (typeof v === "bigint") {
      v = this.toJson(v, v, key);
    }
    if (this.replacer !== null) v = call2(this.replacer, holder!, key, v);
    switch (typeof v) {
      case "string":
        this.add(before);
        this.add(this.quote(v));
        return true;
      case "number":
        this.add(before);
        this.add(v - v === 0 ? `${v}` : "null");
        return true;
      case "boolean":
        this.add(before + (v ? "true" : "false"));
        return true;
      case "bigint":
        throwTypeError("Do not know how to serialize a BigInt");
      case "object":
        if (v === null) {
          this.add(`${before}null`);
          return true;
        }
        return this.object(v, key, before);
      default:
        return false;
    }
  }

  /** True if no `toJSON` can be found on `v`, told without a look-up. */
  private hasPlainToJson(v: GuestObject): boolean {
    if (!R.intact) return false;
    if (v.shape === ARRAY_ROOT) return true;
    if (v.kind !== Kind.ORDINARY || v.shape.protoId !== Intrinsic.ObjectPrototype) return false;
    return this.planOf(v.shape) !== null;
  }

  private toJson(v: Value, original: Value, key: string): Value {
    const f = getV(v, "toJSON");
    return isCallable(f) ? call1(f, original, key) : v;
  }

  private object(v: GuestObject, key: string, before: string): boolean {
    switch (v.kind) {
      case Kind.NUMBER: {
        const n = toNumber(v);
        this.add(before + (n - n === 0 ? `${n}` : "null"));
        return true;
      }
      case Kind.STRING:
        this.add(before + this.quote(toStr(v)));
        return true;
      case Kind.BOOLEAN:
        this.add(`${before}${v.d as boolean}`);
        return true;
      case Kind.BIGINT:
        throwTypeError("Do not know how to serialize a BigInt");
      case Kind.RAW_JSON:
        this.add(before + (get(v, "rawJSON") as string));
        return true;
    }
    if (isCallable(v)) return false;
    this.add(before);
    this.enter(v, key);
    if (isArray(v)) this.array(v);
    else this.members(v);
    this.stack.pop();
    leaveNative(LEVEL_WEIGHT);
    return true;
  }

  private enter(v: GuestObject, key: string): void {
    charge(1 + (this.stack.length >> 3));
    if (this.stack.includes(v))
      throwTypeError(
        `Converting circular structure to JSON\n    --> the value of ${key === "" ? "an element" : `'${key.slice(0, 60)}'`} contains itself`,
      );
    enterNative(LEVEL_WEIGHT);
    this.stack.push(v);
  }

  /** SerializeJSONArray. */
  private array(v: GuestObject): void {
    const outer = this.indent;
    this.indent += this.gap;
    const length = lengthOf(v);
    const first = this.gap === "" ? "[" : `[\n${this.indent}`;
    const between = this.gap === "" ? "," : `,\n${this.indent}`;
    for (let i = 0; i < length; i++) {
      if (--R.fuel < 0) R.run.outOfFuel();
      const before = i === 0 ? first : between;
      let item: Value = HOLE;
      if (v.kind === Kind.ARRAY && i < (v.d as Value[]).length) item = (v.d as Value[])[i];
      const index = this.replacer !== null || isObject(item) || item === HOLE || typeof item === "bigint" ? String(i) : "";
      if (item === HOLE) item = get(v, index);
      if (!this.property(v, index, item, before)) this.add(`${before}null`);
    }
    this.indent = outer;
    this.add(length === 0 ? "[]" : this.gap === "" ? "]" : `\n${outer}]`);
  }

  /** SerializeJSONObject. */
  private members(v: GuestObject): void {
    const outer = this.indent;
    this.indent += this.gap;
    const first = this.gap === "" ? "{" : `{\n${this.indent}`;
    const between = this.gap === "" ? "," : `,\n${this.indent}`;
    const shape = v.shape;
    const plan = this.properties === null && v.kind === Kind.ORDINARY ? this.planOf(shape) : null;
    let any = false;
    if (plan !== null) {
      const { keys, slots } = plan;
      const compact = this.gap === "";
      for (let i = 0; i < keys.length; i++) {
        if (--R.fuel < 0) R.run.outOfFuel();
        const key = keys[i];
        const item = v.shape === shape ? (load(v, slots[i]) as Value) : get(v, key); // a toJSON may have changed the object
        const before = any ? plan.later[i] : plan.first[i];
        if (this.property(v, key, item, compact ? before : (any ? between : first) + before)) any = true;
      }
    } else {
      const keys = this.properties ?? enumerableKeys(v);
      for (const key of keys) {
        charge(1);
        const item = get(v, key);
        if (this.property(v, key, item, `${any ? between : first}${this.quote(key)}${this.gap === "" ? ":" : ": "}`)) any = true;
      }
    }
    this.indent = outer;
    this.add(!any ? "{}" : this.gap === "" ? "}" : `\n${outer}}`);
  }

  private planOf(shape: Shape): Plan | null {
    const known = this.known.get(shape);
    if (known !== undefined) {
      if (known.writer !== this.id) {
        charge(shape.count);
        known.writer = this.id;
      }
      return known;
    }
    this.plans ??= new Map();
    let plan = this.plans.get(shape);
    if (plan === undefined) {
      plan = this.makePlan(shape);
      if (plan === null || !shape.shared || lengthOfAll(plan.first) > MAX_KNOWN_TEXT) this.plans.set(shape, plan);
      else {
        if (this.known.size >= MAX_KNOWN) this.known.clear();
        this.known.set(shape, plan);
      }
    }
    return plan;
  }

  /** Null for shapes that can change in place, with accessors, index keys or a `toJSON`. */
  private makePlan(shape: Shape): Plan | null {
    if (shape.dict || shape.template || shape.hasIndexKeys) return null;
    charge(shape.count);
    allocate(100 + 100 * shape.count);
    const compact = this.gap === "";
    const plan: Plan = { keys: [], first: [], later: [], slots: [], writer: this.id };
    for (const [key, entry] of tableOf(shape)) {
      if (typeof key !== "string") continue;
      const flags = entry & FLAGS_MASK;
      if ((flags & (Flag.ACCESSOR | Flag.LAZY)) !== 0 || key === "toJSON") return null;
      if ((flags & Flag.ENUMERABLE) === 0) continue;
      plan.keys.push(key);
      const quoted = this.quote(key);
      plan.first.push(compact ? `{${quoted}:` : `${quoted}: `);
      plan.later.push(compact ? `,${quoted}:` : `${quoted}: `);
      plan.slots.push(entry >> ENTRY_SHIFT);
    }
    return plan;
  }

  /** QuoteJSONString. */
  private quote(s: string): string {
    const n = s.length;
    if (n > 64) {
      if (n > R.stringLength - 2) throwStringLength();
      charge(n >> 4);
      if (n > FLUSH) allocate(2 * n);
      return JSON.stringify(s);
    }
    for (let i = 0; i < n; i++) {
      const c = s.charCodeAt(i);
      if (c < 32 || c === 34 || c === 92 || (c >= 0xd800 && c <= 0xdfff)) return JSON.stringify(s);
    }
    return `"${s}"`;
  }
}

function lengthOfAll(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** EnumerableOwnProperties(v, key). */
export function enumerableKeys(v: GuestObject): string[] {
  const out: string[] = [];
  for (const key of ownKeys(v)) {
    if (typeof key !== "string") continue;
    const own = getOwn(v, key);
    if (own !== undefined && (own.flags & Flag.ENUMERABLE) !== 0) out.push(key);
  }
  return out;
}
