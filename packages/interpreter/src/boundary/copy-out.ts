// Values of a program to the host: results and tool inputs. The table is in architecture.md, section 3, the outward column.
//
// The copy is made inside the run, in its budget: getters, toJSON and traps of the program run here, each once, and the host gets plain
// data. Exceptions of theirs come out as GuestThrow; `where` says then what was being read.

import { ParsedText, type Json } from "../api.js";
import { bigintText, isArray, lengthOf, toStr } from "../convert.js";
import { call1 } from "../call.js";
import { Intrinsic } from "../intrinsics.js";
import { get, getOwn, isCallable, ownKeys } from "../object.js";
import { parsedTextOf } from "../parsed-text.js";
import { R, chargeText } from "../run-state.js";
import { ENTRY_SHIFT, Flag, type Shape, load, lookup, tableOf } from "../shape.js";
import { toolNodeOf } from "../tool-node.js";
import { type TypedArrayObject, typedGet, typedLength } from "../typed-array-exotic.js";
import { FunctionFlag, type FunctionObject, type GuestObject, HOLE, Kind, type SparseData, type Value } from "../values.js";
import type { BufferData } from "../buffer.js";
import { type PathKey, pathText } from "./path.js";
import { MAX_DEPTH, Notes, Refusal } from "./refusal.js";

export interface OutwardOptions {
  /** How the value is called in messages: `result`, `input`. */
  root: string;
  /** Most bytes of the copy's JSON text (for an input about as many); over it, a Refusal with the limit `limit`. */
  maxBytes: number;
  limit: "resultBytes" | "memoryBytes";
  /** Values that remember their text go out as ParsedText: the host decides which of both it needs. */
  keepTexts: boolean;
}

type Copy = Json | undefined;

/** The data properties of one shape: what JSON takes of an object that has it. */
interface Plan {
  readonly shape: Shape;
  /** The prototype is Object's. */
  readonly isPlain: boolean;
  readonly keys: readonly string[];
  readonly slots: readonly number[];
  /** The length of all keys. */
  readonly text: number;
}

/** Plans of layouts that every realm can meet, for the next copy. */
const KNOWN = new Map<Shape, Plan>();
const MAX_KNOWN = 256;
const MAX_KNOWN_TEXT = 1024;

function makePlan(shape: Shape): Plan | undefined {
  const keys: string[] = [];
  const slots: number[] = [];
  let text = 0;
  for (const [key, entry] of tableOf(shape)) {
    if (typeof key !== "string") continue; // a symbol or a private name
    if ((entry & (Flag.ACCESSOR | Flag.LAZY | Flag.ENUMERABLE)) !== Flag.ENUMERABLE || key === "__proto__" || key === "toJSON")
      return undefined;
    keys.push(key);
    slots.push(entry >> ENTRY_SHIFT);
    text += key.length;
  }
  return { shape, isPlain: shape.protoId === Intrinsic.ObjectPrototype, keys, slots, text };
}

const LEVEL_WEIGHT = 500;
const MISSING_AWAIT =
  "A promise stands where its value should be: write await before the call, or await Promise.all(…) around a list of promises.";

/** Copies values of one run, one after another: what it knows of layouts serves the next one. */
export class Outward {
  private readonly options: OutwardOptions;
  private notes = new Notes();
  private readonly path: PathKey[] = [];
  private readonly open: GuestObject[] = [];
  private readonly plans: (Plan | undefined)[] = [];
  private depth = 0;
  /** At least this many bytes has the JSON text. */
  private bytes = 0;
  constructor(options: OutwardOptions) {
    this.options = options;
  }

  /**
   * The copy; `notes` gets what was changed. Throws a Refusal for what cannot cross, GuestThrow for what the value's own code throws, and
   * ends of the run: after that the copier serves for `where` only.
   */
  copy(v: Value, notes: Notes): Json {
    const { stack } = R;
    this.notes = notes;
    this.bytes = 0;
    let copied: Json;
    try {
      copied = this.value(v, "") ?? null;
    } finally {
      R.stack = stack;
    }
    if (
      this.options.limit === "resultBytes" &&
      this.bytes > this.options.maxBytes / 32 &&
      Buffer.byteLength(JSON.stringify(copied)) > this.options.maxBytes
    )
      throw this.tooLarge();
    return copied;
  }

  /** The place that is being read. */
  get where(): string {
    return pathText(this.options.root, this.path.slice(0, this.depth));
  }

  /** Undefined for undefined: the caller drops the field or puts null. */
  private value(v: Value, key: PathKey): Copy {
    switch (typeof v) {
      case "string":
        this.count(v.length + 2);
        return v;
      case "number":
        return this.number(v);
      case "boolean":
        this.count(4);
        return v;
      case "undefined":
        return undefined;
      case "bigint":
        this.notes.add("is a BigInt and became its decimal text", () => this.where);
        return this.value(bigintText(v, 10), key);
      case "symbol":
        throw this.refusal("is a symbol", "Return its description, or leave it out.");
      case "object":
        if (v === null) {
          this.count(4);
          return null;
        }
        return this.object(v, key);
    }
  }

  private number(v: number): number | null {
    this.count(1);
    if (v - v === 0) return v + 0;
    this.notes.add(`is ${v} and became null, as JSON has no such number`, () => this.where);
    return null;
  }

  private object(o: GuestObject, key: PathKey): Copy {
    // As the object before at this depth: a plain one of the same layout.
    const plan = this.plans[this.depth];
    if (plan !== undefined && plan.shape === o.shape && o.kind === Kind.ORDINARY && plan.isPlain && R.intact && !R.texts)
      return this.nested(o, plan);
    if (this.options.keepTexts && R.texts) {
      const text = parsedTextOf(o);
      if (text !== undefined) {
        this.count(text.length);
        return new ParsedText(text) as unknown as Json; // the receiver of inputs knows of it
      }
    }
    if (this.hasNoToJson(o)) return this.members(o);
    const method = o.kind === Kind.FUNCTION || o.kind === Kind.PROMISE ? undefined : get(o, "toJSON");
    if (!isCallable(method)) return this.members(o);
    const replaced = call1(method, o, String(key));
    return typeof replaced === "object" && replaced !== null ? this.members(replaced) : this.value(replaced, key);
  }

  /** True if that is known without asking the object. */
  private hasNoToJson(o: GuestObject): boolean {
    const shape = o.shape;
    if (!R.intact) return false;
    // Nothing that such objects inherit from has one while the realm is as made; that of dates does what is done here.
    if (shape.protoId !== Intrinsic.ObjectPrototype && shape.protoId !== Intrinsic.ArrayPrototype && o.kind !== Kind.DATE) return false;
    if (o.kind === Kind.DATE && shape.protoId !== Intrinsic.DatePrototype) return false;
    return (o.kind === Kind.ORDINARY && this.planOf(shape) !== undefined) || lookup(shape, "toJSON") < 0;
  }

  /** What the object is to JSON, its toJSON aside. */
  private members(o: GuestObject): Copy {
    switch (o.kind) {
      case Kind.ORDINARY:
      case Kind.ARRAY:
        break;
      case Kind.FUNCTION:
        throw this.functionRefusal(o as FunctionObject);
      case Kind.PROMISE:
        throw this.refusal("is a promise", MISSING_AWAIT);
      case Kind.DATE:
        this.count(24);
        return Number.isNaN(o.d as number) ? null : new Date(o.d as number).toISOString();
      case Kind.NUMBER:
      case Kind.STRING:
      case Kind.BOOLEAN:
      case Kind.BIGINT:
      case Kind.SYMBOL:
        return this.value(o.d as Value, "");
      case Kind.RAW_JSON:
        return this.raw(get(o, "rawJSON") as string);
      case Kind.PROXY:
        if (isCallable(o)) throw this.refusal("is a function", "Return data: call it, or leave it out.");
        break;
      case Kind.ITERATOR:
      case Kind.GENERATOR:
      case Kind.ASYNC_GENERATOR:
        this.notes.add("is an iterator and became {}; spread it into an array: [...values]", () => this.where);
        break;
      case Kind.WEAK_MAP:
      case Kind.WEAK_SET:
      case Kind.WEAK_REF:
        this.notes.add("is a weak collection and became {}", () => this.where);
        break;
      case Kind.HOST_DATA:
        if (toolNodeOf(o) !== undefined)
          throw this.refusal("is a part of the tool tree", "Return what a tool gives: await tools.<server>.<name>({ … }).");
        if (o.shape.protoId === Intrinsic.URLSearchParamsPrototype) return this.value(toStr(o), "");
        break;
    }
    return this.nested(o, undefined);
  }

  private nested(o: GuestObject, plan: Plan | undefined): Json {
    if (this.open.length >= MAX_DEPTH) throw this.refusal(`is nested deeper than ${MAX_DEPTH} levels`, "Flatten it, or return less of it.");
    if (this.open.includes(o)) throw this.refusal("is a cycle: it contains itself", "Leave that property out of what you return.");
    if ((R.stack += LEVEL_WEIGHT) > R.stackMax) R.run.tooDeep();
    this.open.push(o);
    const copied = plan === undefined ? this.container(o) : this.planned(o, plan);
    this.open.pop();
    R.stack -= LEVEL_WEIGHT;
    return copied;
  }

  /** What a checked text of one primitive means. */
  private raw(text: string): Json {
    this.count(text.length);
    chargeText(text.length);
    return JSON.parse(text) as Json;
  }

  private container(o: GuestObject): Json {
    switch (o.kind) {
      case Kind.ARRAY:
        return this.denseArray(o);
      case Kind.MAP:
        this.size((o.d as Map<Value, Value>).size);
        return this.map([...(o.d as Map<Value, Value>)]);
      case Kind.SET:
        this.size((o.d as Set<Value>).size);
        return this.list([...(o.d as Set<Value>)]);
      case Kind.TYPED_ARRAY:
        return this.typedArray(o as TypedArrayObject);
      case Kind.ARRAY_BUFFER: {
        const { bytes, length } = o.d as BufferData;
        this.size(length);
        return [...new Uint8Array(bytes, 0, length)];
      }
      case Kind.ERROR:
        return this.error(o);
    }
    const array: boolean = isArray(o);
    if (array) return this.arrayLike(o);
    if (o.kind === Kind.ORDINARY && !o.shape.dict && !o.shape.template) {
      const plan = this.planOf(o.shape);
      if (plan !== undefined) return this.planned(o, plan);
    }
    return this.properties(o, ownKeys(o), true);
  }

  // Objects ------------------------------------------------------------------------------------------------------------------------

  /** The plan of a shape whose properties are all enumerable data with names that are no indexes; undefined for others. */
  private planOf(shape: Shape): Plan | undefined {
    const known = this.plans[this.depth];
    if (known !== undefined && known.shape === shape) return known;
    if (shape.hasIndexKeys || shape.dict || shape.template) return undefined;
    if ((R.fuel -= shape.count) < 0) R.run.outOfFuel();
    let plan = KNOWN.get(shape);
    if (plan === undefined) {
      plan = makePlan(shape);
      if (plan === undefined) return undefined;
      if (shape.shared && plan.text <= MAX_KNOWN_TEXT) {
        if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
        KNOWN.set(shape, plan);
      }
    }
    return (this.plans[this.depth] = plan);
  }

  private planned(o: GuestObject, plan: Plan): Json {
    const { keys, slots, shape } = plan;
    const n = keys.length;
    this.size(n);
    const out: { [key: string]: Json } = {};
    const at = this.depth++;
    for (let i = 0; i < n; i++) {
      const key = keys[i];
      this.path[at] = key;
      // Code that the copy ran may have changed the object.
      const v = o.shape === shape ? (load(o, slots[i]) as Value) : get(o, key);
      if (typeof v === "string") {
        this.count(key.length + v.length + 5);
        out[key] = v;
      } else if (typeof v === "number" && v - v === 0) {
        this.count(key.length + 4);
        out[key] = v + 0; // no -0
      } else {
        const copied = this.value(v, key);
        if (copied === undefined) continue;
        this.count(key.length + 3);
        out[key] = copied;
      }
    }
    this.depth = at;
    return out;
  }

  /** Own properties with text keys, each read once; of others' lists only those that are still there and enumerable. */
  private properties(o: GuestObject, keys: readonly (string | symbol)[], enumerableOnly: boolean, out: { [key: string]: Json } = {}): Json {
    this.size(keys.length);
    const at = this.depth++;
    const kept: string[] = [];
    for (const key of keys) {
      if (typeof key === "symbol") continue;
      if (!enumerableOnly) kept.push(key);
      else {
        this.path[at] = key;
        const own = getOwn(o, key);
        if (own !== undefined && (own.flags & Flag.ENUMERABLE) !== 0) kept.push(key);
      }
    }
    for (const key of kept) {
      this.path[at] = key;
      const copied = this.value(get(o, key), key);
      if (copied === undefined) continue;
      this.count(key.length + 3);
      put(out, key, copied);
    }
    this.depth = at;
    return out;
  }

  private error(o: GuestObject): Json {
    const keys = ownKeys(o).filter((key) => key !== "name" && key !== "message" && key !== "stack");
    return this.properties(o, ["name", "message", ...keys], false);
  }

  private map(entries: readonly (readonly [Value, Value])[]): Json {
    if (!entries.every(([key]) => typeof key === "string")) {
      return this.items(entries.length, (i) => {
        const pair = entries[i];
        this.size(2);
        return this.items(2, (j) => this.value(pair[j], j) ?? null);
      });
    }
    const out: { [key: string]: Json } = {};
    const at = this.depth++;
    for (const [key, v] of entries) {
      this.path[at] = key as string;
      const copied = this.value(v, key as string);
      if (copied === undefined) continue;
      this.count((key as string).length + 3);
      put(out, key as string, copied);
    }
    this.depth = at;
    return out;
  }

  // Lists --------------------------------------------------------------------------------------------------------------------------

  private items(n: number, item: (i: number) => Json): Json[] {
    const out: Json[] = [];
    const at = this.depth++;
    for (let i = 0; i < n; i++) {
      this.path[at] = i;
      out.push(item(i));
    }
    this.depth = at;
    return out;
  }

  private list(values: readonly Value[]): Json {
    return this.items(values.length, (i) => this.value(values[i], i) ?? null);
  }

  private denseArray(o: GuestObject): Json {
    const n = (o.d as Value[]).length;
    this.size(n);
    const out: Json[] = [];
    const at = this.depth++;
    for (let i = 0; i < n; i++) {
      this.path[at] = i;
      // Code that the copy ran may have changed the array.
      const d: Value[] | null = o.kind === Kind.ARRAY ? (o.d as Value[]) : null;
      const v = d === null ? get(o, String(i)) : i < d.length && d[i] !== HOLE ? d[i] : undefined;
      out.push(v === undefined ? this.null() : typeof v === "string" ? (this.count(v.length + 2), v) : (this.value(v, i) ?? null));
    }
    this.depth = at;
    return out;
  }

  private null(): null {
    this.count(4);
    return null;
  }

  /** Sparse arrays, and proxies of arrays. */
  private arrayLike(o: GuestObject): Json {
    const n = o.kind === Kind.SPARSE_ARRAY ? (o.d as SparseData).length : lengthOf(o);
    if (n > R.arrayLength) throw this.refusal(`has ${n} elements; an array may have at most ${R.arrayLength} here`);
    this.size(n);
    return this.items(n, (i) => this.value(get(o, String(i)), i) ?? this.null());
  }

  private typedArray(o: TypedArrayObject): Json {
    const n = typedLength(o.d);
    this.size(n);
    return this.items(n, (i) => this.value(typedGet(o, i), i) ?? null);
  }

  // Budget and refusals --------------------------------------------------------------------------------------------------------------

  /** Charges for a container of `n` members, before it is made. */
  private size(n: number): void {
    this.count(2); // never more than there will be: commas and escapes are told by the exact count
    if ((R.fuel -= n + 1) < 0) R.run.outOfFuel();
    if ((R.mem -= 64 + 32 * n) < 0) R.run.outOfMemory();
  }

  private count(bytes: number): void {
    if ((this.bytes += bytes) > this.options.maxBytes) throw this.tooLarge();
  }

  private tooLarge(): Refusal {
    return new Refusal(
      `has more than ${this.options.maxBytes} bytes as JSON`,
      this.options.root,
      this.options.limit === "resultBytes"
        ? "Return less: filter, aggregate, or keep only the fields that are needed."
        : "Send less at once.",
      this.options.limit,
    );
  }

  private functionRefusal(fn: FunctionObject): Refusal {
    const { code } = fn.d;
    if ((code.flags & FunctionFlag.TOOL) !== 0) return this.refusal("is a tool", "Call it: await tools.<server>.<name>({ … }).");
    if ((code.flags & FunctionFlag.CLASS) !== 0) return this.refusal("is a class", "Return data: leave it out, or return an instance.");
    return this.refusal("is a function", "Return data: call it, or leave it out.");
  }

  private refusal(what: string, hint?: string): Refusal {
    return new Refusal(what, this.where, hint);
  }
}

/** Sets an own property, also one that is called `__proto__`. */
export function put(target: { [key: string]: Json }, key: string, v: Json): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value: v, writable: true, enumerable: true, configurable: true });
  else target[key] = v;
}
