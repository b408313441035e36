// Values of the host into a program: tool outputs and globals. The table is in architecture.md, section 3, the inward column.
//
// Nothing of the value runs: no accessor, no trap, no toJSON, no iterator, and no prototype of the host's is asked. The copy is made in
// the run's budget. Keys are compared with those of the sibling before, as records repeat.

import { types } from "node:util";
import { ParsedText } from "../api.js";
import { ARRAY_ROOT, newElements } from "../array.js";
import { bigintWords } from "../convert.js";
import { GuestThrow } from "../errors.js";
import { Intrinsic } from "../intrinsics.js";
import { OBJECT_ROOT, newKind } from "../object.js";
import { rememberText } from "../parsed-text.js";
import { R } from "../run-state.js";
import { DATA, MAX_TREE_KEY, type Shape, addProperty, applyIntegrity, childShape, rootOf, toDictionary } from "../shape.js";
import { GuestObject, Kind, type Value } from "../values.js";
import { parseJson } from "../../stdlib/json-parse.js";
import { type PathKey, pathText } from "./path.js";
import { MAX_DEPTH, Notes, Refusal } from "./refusal.js";

export interface InwardOptions {
  /** How the value is called in messages: `result`, `input`. */
  root: string;
  notes: Notes;
  /** Most bytes of one value, by estimate. */
  maxBytes: number;
}

/** Bytes up to which they cross as an array of numbers. */
const MAX_BYTES_AS_NUMBERS = 65_536;
/** What listing an entry of a Map or Set of the host takes. */
const ENTRY_BYTES = 40;
/** Objects with more keys than this are dictionaries. */
const MAX_PLANNED_KEYS = 100;
/** The properties of a handle of media, in order. */
const HANDLE_KEYS = ["media", "mimeType", "bytes"];

/** A copy of `value` in the current run. Throws a Refusal for what cannot cross, and ends of the run. */
export function copyIn(value: unknown, options: InwardOptions): Value {
  const inward = spare ?? new Inward();
  spare = null;
  const copied = inward.copy(value, options);
  if (!inward.isLarge) spare = inward;
  return copied === undefined ? null : copied;
}

/** The copier that has come to its end last: what it knows of layouts serves the next value, as results repeat. */
let spare: Inward | null = null;
const MAX_SPARE_VALUES = 64;
const MAX_SPARE_PLANS = 16;
const MAX_SPARE_KEYS = 32;
const MAX_SPARE_KEY = 64;

/** The keys of the last object at one depth, with the shape after each. */
class Plan {
  readonly keys: string[] = [];
  readonly shapes: Shape[] = [];
}

/** Whether an object of this layout is a handle of media: programs cannot change those. */
function isHandle(o: GuestObject, { keys }: Plan): boolean {
  const [media, mimeType, bytes] = HANDLE_KEYS;
  if (keys[0] !== media || keys[1] !== mimeType || keys[2] !== bytes) return false;
  return typeof o.s0 === "string" && typeof o.s1 === "string" && typeof o.s2 === "number";
}

const NO_OPTIONS: InwardOptions = { root: "", notes: new Notes(), maxBytes: 0 };

class Inward {
  private options: InwardOptions = NO_OPTIONS;
  private readonly plans: Plan[] = [];
  private readonly open: object[] = [];
  private readonly path: PathKey[] = [];
  /** The values of all objects that are open, one after another. */
  private readonly values: Value[] = newElements();
  private top = 0;
  private left = 0;
  /** It has seen too much to be kept. */
  isLarge = false;

  copy(v: unknown, options: InwardOptions): Value {
    this.options = options;
    this.left = options.maxBytes;
    const copied = this.value(v, 0);
    this.release();
    return copied;
  }

  /** Lets go of all that belongs to a run. */
  private release(): void {
    const { path, values } = this;
    this.options = NO_OPTIONS;
    if (path.length > MAX_SPARE_PLANS || values.length > MAX_SPARE_VALUES) this.isLarge = true;
    if (this.isLarge) return;
    for (let i = 0; i < path.length; i++) path[i] = 0;
    for (let i = 0; i < values.length; i++) values[i] = undefined;
  }

  /** The copy; undefined for undefined, which the caller drops or makes null. */
  value(v: unknown, depth: number): Value {
    switch (typeof v) {
      case "string":
        return this.text(v, depth);
      case "number":
      case "boolean":
        return v;
      case "undefined":
        return undefined;
      case "bigint":
        this.spend(16 + 8 * bigintWords(v), depth);
        return v;
      case "object":
        return v === null ? null : this.object(v, depth);
      case "function":
        throw this.refusal("is a function", depth);
      default:
        throw this.refusal("is a symbol", depth);
    }
  }

  private text(v: string, depth: number): string {
    if (v.length > R.stringLength)
      throw this.refusal(`is a text of ${v.length} characters; a string may have at most ${R.stringLength} here`, depth, "stringLength");
    this.spend(24 + v.length, depth);
    return v;
  }

  private object(v: object, depth: number): Value {
    if (types.isProxy(v)) throw this.refusal("is a proxy", depth);
    if (depth >= MAX_DEPTH) throw this.refusal(`is nested deeper than ${MAX_DEPTH} levels`, depth);
    if (depth > 0 && this.open.includes(v)) throw this.refusal("is a cycle: it contains itself", depth);
    this.open.push(v);
    const copied = Array.isArray(v)
      ? this.array(v, depth)
      : isPlainPrototype(Object.getPrototypeOf(v))
        ? this.plain(v, Object.keys(v), depth)
        : this.special(v, depth);
    this.open.pop();
    return copied;
  }

  private array(v: readonly unknown[], depth: number): Value {
    const n = v.length;
    this.checkLength(n, depth);
    const d = newElements();
    // With another prototype, holes could lead to code.
    const isOrdinary = Object.getPrototypeOf(v) === Array.prototype;
    for (let i = 0; i < n; i++) {
      if (!isOrdinary && !Object.hasOwn(v, i)) {
        d.push(null);
        continue;
      }
      if (lookupGetter.call(v, i) !== undefined) {
        this.path[depth] = i;
        this.options.notes.add("has a getter, which was not run; it became null", () => this.where(depth + 1));
        d.push(null);
        continue;
      }
      const item = v[i];
      if (typeof item === "object" || typeof item === "string") {
        this.path[depth] = i;
        d.push(this.value(item, depth + 1));
      } else if (typeof item === "number" || typeof item === "boolean") d.push(item);
      else if (item === undefined) d.push(null);
      else {
        this.path[depth] = i;
        d.push(this.value(item, depth + 1));
      }
    }
    return new GuestObject(ARRAY_ROOT, Kind.ARRAY, d, undefined, undefined, undefined, undefined);
  }

  private checkLength(n: number, depth: number): void {
    if (n > R.arrayLength) throw this.refusal(`has ${n} elements; an array may have at most ${R.arrayLength} here`, depth, "arrayLength");
    this.spend(104 + 8 * n, depth);
    if ((R.fuel -= n + 1) < 0) R.run.outOfFuel();
  }

  /** The own enumerable data properties as a plain object. */
  private plain(v: object, keys: readonly string[], depth: number): GuestObject {
    const n = keys.length;
    this.spend(n > 4 ? 104 + 8 * n : 88, depth);
    if ((R.fuel -= n + 1) < 0) R.run.outOfFuel();
    const { values, path } = this;
    const base = this.top;
    const plan = this.planAt(depth);
    let shape: Shape = OBJECT_ROOT;
    let count = 0;
    for (let i = 0; i < n; i++) {
      const key = keys[i];
      path[depth] = key;
      if (lookupGetter.call(v, key) !== undefined) {
        this.options.notes.add("has a getter, which was not run; it was left out", () => this.where(depth + 1));
        continue;
      }
      const item = (v as { [key: string]: unknown })[key];
      const copied = typeof item === "number" || typeof item === "boolean" ? item : this.value(item, depth + 1);
      if (copied === undefined) continue;
      if (count < plan.keys.length && plan.keys[count] === key) shape = plan.shapes[count];
      else {
        if (count >= MAX_PLANNED_KEYS || key.length > MAX_TREE_KEY) return this.large(v, keys, i, copied, shape, base, depth);
        if (shape.transitions === null || !shape.transitions.has(key)) this.spend(256 + key.length, depth);
        shape = childShape(shape, key, DATA);
        plan.keys.length = count;
        plan.shapes.length = count;
        plan.keys.push(key);
        plan.shapes.push(shape);
        if (count >= MAX_SPARE_KEYS || key.length > MAX_SPARE_KEY) this.isLarge = true;
      }
      values[this.top++] = copied;
      count++;
    }
    const o = objectOf(shape, values, base, this.top);
    this.top = base;
    if (count === HANDLE_KEYS.length && isHandle(o, plan)) applyIntegrity(o, 2);
    return o;
  }

  private planAt(depth: number): Plan {
    const { plans } = this;
    while (depth >= plans.length) plans.push(new Plan());
    return plans[depth];
  }

  /** The rest of an object with very many keys, from `keys[from]`, whose value is `copied`. */
  private large(v: object, keys: readonly string[], from: number, copied: Value, shape: Shape, base: number, depth: number): GuestObject {
    const o = objectOf(shape, this.values, base, this.top);
    this.top = base;
    addProperty(o, keys[from], copied, DATA);
    for (let i = from + 1; i < keys.length; i++) {
      const key = keys[i];
      this.path[depth] = key;
      this.spend(60 + key.length, depth);
      if (lookupGetter.call(v, key) !== undefined) {
        this.options.notes.add("has a getter, which was not run; it was left out", () => this.where(depth + 1));
        continue;
      }
      const item = this.value((v as { [key: string]: unknown })[key], depth + 1);
      if (item !== undefined) addProperty(o, key, item, DATA);
    }
    return o;
  }

  /** Objects of the host's classes, recognised without running anything of theirs. */
  private special(v: object, depth: number): Value {
    if (Object.getPrototypeOf(v) === ParsedText.prototype) return this.parsed((v as ParsedText).text, depth);
    if (types.isPromise(v)) throw this.refusal("is a promise", depth);
    if (types.isDate(v)) {
      this.spend(88, depth);
      return newKind(rootOf(Intrinsic.DatePrototype), Kind.DATE, dateTime.call(v));
    }
    if (ArrayBuffer.isView(v) || types.isAnyArrayBuffer(v)) return this.bytes(v, depth);
    if (types.isMap(v)) {
      this.spend(ENTRY_BYTES * (mapSize.call(v) as number), depth);
      return this.map([...mapEntries.call(v)], depth);
    }
    if (types.isSet(v)) {
      this.spend(ENTRY_BYTES * (setSize.call(v) as number), depth);
      return this.array([...setValues.call(v)], depth);
    }
    if (types.isNativeError(v)) return this.error(v, depth);
    if (types.isBoxedPrimitive(v)) return this.value(unboxed(v), depth);
    const address = urlText(v);
    if (address !== undefined) return this.text(address, depth);
    this.options.notes.add("is an instance of a class; its own data properties crossed", () => this.where(depth));
    return this.plain(v, Object.keys(v), depth);
  }

  private map(entries: readonly (readonly [unknown, unknown])[], depth: number): Value {
    if (!entries.every(([key]) => typeof key === "string")) return this.array(entries, depth);
    const record: { [key: string]: unknown } = Object.create(null);
    for (const [key, item] of entries) record[key as string] = item;
    return this.plain(record, Object.keys(record), depth);
  }

  private error(v: Error, depth: number): Value {
    const record: { [key: string]: unknown } = Object.create(null);
    record.name = dataOf(v, "name") ?? "Error";
    record.message = dataOf(v, "message") ?? "";
    for (const key of Object.keys(v)) {
      if (lookupGetter.call(v, key) === undefined) record[key] = (v as unknown as { [key: string]: unknown })[key];
    }
    return this.plain(record, Object.keys(record), depth);
  }

  private bytes(v: ArrayBufferView | ArrayBufferLike, depth: number): Value {
    const isView = ArrayBuffer.isView(v);
    const view = isView ? new Uint8Array(v.buffer, v.byteOffset, v.byteLength) : new Uint8Array(v);
    if (view.byteLength > MAX_BYTES_AS_NUMBERS) {
      this.options.notes.add(`has ${view.byteLength} bytes and nothing keeps them here; the program got a description`, () =>
        this.where(depth),
      );
      return this.plain({ media: "", mimeType: "application/octet-stream", bytes: view.byteLength }, ["media", "mimeType", "bytes"], depth);
    }
    const numbers: ArrayLike<number | bigint> = types.isTypedArray(v) ? v : view;
    this.checkLength(numbers.length, depth);
    const d = newElements();
    for (let i = 0; i < numbers.length; i++) d.push(numbers[i]);
    return new GuestObject(ARRAY_ROOT, Kind.ARRAY, d, undefined, undefined, undefined, undefined);
  }

  /** A text that is a JSON object or array: its value, which remembers the text. Any other text stays one. */
  private parsed(text: string, depth: number): Value {
    this.text(text, depth);
    let v: Value;
    try {
      v = parseJson(text);
    } catch (e) {
      if (e instanceof GuestThrow) return text;
      throw e;
    }
    if (typeof v !== "object" || v === null) return text;
    // A layout of its own, so that no cache of a site that writes can hit it: the first write drops the text.
    toDictionary(v);
    rememberText(v, text);
    R.texts = true;
    return v;
  }

  private spend(bytes: number, depth: number): void {
    if ((this.left -= bytes) < 0) throw this.refusal("is part of more data than one value may bring into a run", depth, "memoryBytes");
    if ((R.mem -= bytes) < 0) R.run.outOfMemory();
  }

  private where(depth: number): string {
    return pathText(this.options.root, this.path.slice(0, depth));
  }

  private refusal(what: string, depth: number, limit?: "stringLength" | "arrayLength" | "memoryBytes"): Refusal {
    return new Refusal(what, this.where(depth), undefined, limit);
  }
}

function objectOf(shape: Shape, values: Value[], base: number, top: number): GuestObject {
  const n = top - base;
  const o = new GuestObject(
    shape,
    Kind.ORDINARY,
    undefined,
    n > 0 ? values[base] : undefined,
    n > 1 ? values[base + 1] : undefined,
    n > 2 ? values[base + 2] : undefined,
    n > 3 ? values[base + 3] : undefined,
  );
  if (n > 4) o.more = values.slice(base + 4, top);
  return o;
}

// The host's classes ----------------------------------------------------------------------------------------------------------------

// Taken at load, so that nothing that is patched later is called.
const lookupGetter = (Object.prototype as unknown as { __lookupGetter__(key: PropertyKey): unknown }).__lookupGetter__;
const dateTime = Date.prototype.getTime;
const mapEntries = Map.prototype.entries;
const setValues = Set.prototype.values;
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, "size")!.get!;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, "size")!.get!;
const urlHref = Object.getOwnPropertyDescriptor(URL.prototype, "href")?.get;
const queryText = URLSearchParams.prototype.toString;

/** Another realm's Object.prototype is plain as well: it has no prototype of its own. */
function isPlainPrototype(prototype: unknown): boolean {
  if (prototype === Object.prototype || prototype === null) return true;
  return (
    typeof prototype === "object" &&
    !types.isProxy(prototype) &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype as object, "__defineGetter__")
  );
}

function unboxed(v: object): unknown {
  if (types.isNumberObject(v)) return Number.prototype.valueOf.call(v);
  if (types.isStringObject(v)) return String.prototype.valueOf.call(v);
  if (types.isBooleanObject(v)) return Boolean.prototype.valueOf.call(v);
  if (types.isBigIntObject(v)) return BigInt.prototype.valueOf.call(v);
  return Symbol.prototype.valueOf.call(v);
}

function urlText(v: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(v);
  try {
    if (prototype === URL.prototype) return urlHref?.call(v) as string;
    if (prototype === URLSearchParams.prototype) return queryText.call(v);
  } catch {
    // Made with that prototype, but no URL.
  }
  return undefined;
}

/** A data property of the value or of one of its prototypes; nothing is run. */
export function dataOf(v: object, key: string): unknown {
  let holder: unknown = v;
  for (
    let depth = 0;
    depth < 20 && ((typeof holder === "object" && holder !== null) || typeof holder === "function") && !types.isProxy(holder);
    depth++
  ) {
    const found = Object.getOwnPropertyDescriptor(holder, key);
    if (found !== undefined) return found.value;
    holder = Object.getPrototypeOf(holder);
  }
  return undefined;
}
