// Values of the host, reduced to plain data: what a tool gives, before it goes to a record, a worker or a program.
// Architecture, section 3, the inward column. Nothing of the value runs: no accessor, no proxy trap, no toJSON, no iterator.

import { types } from "node:util";
import type { Json, Limits } from "@airlock/interpreter";
import { CallFailure } from "./failure.js";

/** Plain data that can be cloned to another thread: JSON, and besides it NaN, infinities, -0, BigInt and Date. */
export type Plain = null | boolean | number | string | bigint | Date | Plain[] | { [key: string]: Plain };

export interface PlainOptions {
  limits: Pick<Limits, "memoryBytes" | "stringLength" | "arrayLength">;
  /** How the value is named in messages. Default "result". */
  root?: string;
  /** Called once for each kind of thing that was left out. */
  warn?(message: string): void;
  /** Keeps bytes that are too many for an array of numbers; gives their handle. */
  keepBytes(bytes: Uint8Array): { media: string; mimeType: string; bytes: number };
}

/**
 * A plain copy of `value`; nothing is shared with it.
 * @throws CallFailure of kind "invalid-output" for what can't cross (functions, symbols, promises, proxies, cycles, depth over 200), with its
 * path; of kind "limit" for what is too large.
 */
export function toPlain(value: unknown, options: PlainOptions): Plain {
  return new Reducer(options).top(value);
}

/** The JSON of plain data: what the record and its readers see. Date → ISO text, BigInt → decimal text, NaN and infinities → null, -0 → 0. */
export function plainToJson(value: Plain): Json {
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null;
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(plainToJson);
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) put(copy, key, plainToJson(value[key]));
  return copy;
}

/** Whether plain data is JSON already, so that no second copy is needed. */
export function isJson(value: Plain): value is Json {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value === "bigint" || value instanceof Date) return false;
  if (value === null || typeof value !== "object") return true;
  return Array.isArray(value) ? value.every(isJson) : Object.keys(value).every((key) => isJson(value[key]));
}

/** Sets an own property, also one that is called `__proto__`. */
export function put<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}

class Reducer {
  private readonly open: object[] = [];
  private readonly path: (string | number)[] = [];
  private readonly warned = new Set<string>();
  private left: number;

  constructor(private readonly options: PlainOptions) {
    // The program gets a copy of the copy.
    this.left = options.limits.memoryBytes / 2;
  }

  top(value: unknown): Plain {
    return this.reduce(value) ?? null;
  }

  /** Undefined for `undefined`: the caller drops the field or puts null. */
  private reduce(value: unknown): Plain | undefined {
    switch (typeof value) {
      case "undefined":
        return undefined;
      case "boolean":
        return value;
      case "number":
        this.spend(8);
        return value;
      case "bigint":
        this.spend(32 + Math.ceil(bits(value) / 8));
        return value;
      case "string":
        return this.text(value);
      case "function":
      case "symbol":
        throw this.refused(`a ${typeof value}`);
      case "object":
        return value === null ? null : this.object(value);
    }
  }

  private text(value: string): string {
    if (value.length > this.options.limits.stringLength) throw this.limit("stringLength", `a text of ${value.length} characters`);
    this.spend(16 + value.length);
    return value;
  }

  private object(value: object): Plain | undefined {
    if (types.isProxy(value)) throw this.refused("a proxy");
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) {
      if (types.isPromise(value)) throw this.refused("a promise");
      if (types.isDate(value)) return new Date(DATE_TIME.call(value));
      if (types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)) return this.bytes(value);
      if (types.isBoxedPrimitive(value)) return this.reduce(unboxed(value));
      const url = urlText(value, prototype);
      if (url !== undefined) return this.text(url);
    }
    if (this.open.includes(value)) throw this.refused("a cycle");
    if (this.open.length >= MAX_DEPTH) throw this.refused(`data nested deeper than ${MAX_DEPTH}`);
    this.open.push(value);
    const plain = this.members(value);
    this.open.pop();
    return plain;
  }

  private members(value: object): Plain {
    this.spend(OBJECT_BYTES);
    if (Array.isArray(value)) return this.array(value.length, (index) => this.own(value, String(index)));
    if (types.isMap(value)) return this.map(value);
    if (types.isSet(value)) {
      const items: unknown[] = [...SET_VALUES.call(value)];
      return this.array(items.length, (index) => items[index]);
    }
    const plain: { [key: string]: Plain } = {};
    if (types.isNativeError(value)) {
      for (const key of ["name", "message"]) put(plain, key, this.text(dataText(value, key)));
    } else if (!isPlainObject(value)) {
      this.warn("a class instance crossed as its own properties");
    }
    for (const key of Object.keys(value)) this.take(plain, key, this.own(value, key));
    return plain;
  }

  private array(length: number, at: (index: number) => unknown): Plain[] {
    if (length > this.options.limits.arrayLength) throw this.limit("arrayLength", `an array of ${length} items`);
    this.spend(8 * length);
    const plain: Plain[] = [];
    for (let index = 0; index < length; index++) {
      this.path.push(index);
      plain.push(this.reduce(at(index)) ?? null);
      this.path.pop();
    }
    return plain;
  }

  private map(value: Map<unknown, unknown>): Plain {
    const pairs: [unknown, unknown][] = [...MAP_ENTRIES.call(value)];
    if (!pairs.every(([key]) => typeof key === "string")) return this.array(pairs.length, (index) => pairs[index]);
    const plain: { [key: string]: Plain } = {};
    for (const [key, item] of pairs) this.take(plain, String(key), item);
    return plain;
  }

  private take(target: { [key: string]: Plain }, key: string, value: unknown): void {
    this.path.push(key);
    const plain = this.reduce(value);
    if (plain !== undefined) {
      this.spend(16 + key.length);
      put(target, key, plain);
    }
    this.path.pop();
  }

  /** An own data property; accessors are dropped, not run. */
  private own(value: object, key: string): unknown {
    const found = Object.getOwnPropertyDescriptor(value, key);
    if (found === undefined) return undefined;
    if (found.get === undefined && found.set === undefined) return found.value;
    this.warn("a property with a getter was left out");
    return undefined;
  }

  private bytes(value: ArrayBufferLike | ArrayBufferView): Plain {
    const view = ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
    if (view.byteLength > MAX_BYTES_AS_NUMBERS) return { ...this.options.keepBytes(view) };
    const numbers: ArrayLike<number | bigint> = types.isTypedArray(value) ? value : view;
    return this.array(numbers.length, (index) => numbers[index]);
  }

  private spend(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw this.limit("memoryBytes", "more data than one result may have");
  }

  private warn(message: string): void {
    if (this.warned.has(message)) return;
    this.warned.add(message);
    this.options.warn?.(`${message} (${this.where()})`);
  }

  private refused(what: string): CallFailure {
    return new CallFailure("invalid-output", `gave ${what} at ${this.where()}, which can't cross into a program`);
  }

  private limit(limit: "memoryBytes" | "stringLength" | "arrayLength", what: string): CallFailure {
    return new CallFailure("limit", `gave ${what} at ${this.where()}; the limit ${limit} is ${this.options.limits[limit]}`, {
      limit,
      name: "RangeError",
      hints: ["Ask the tool for less at once."],
    });
  }

  private where(): string {
    return pathText(this.options.root ?? "result", this.path);
  }
}

/** `result.items[3].next`, as a program would write it. */
export function pathText(root: string, path: readonly (string | number)[]): string {
  return (
    root +
    path.map((key) => (typeof key === "number" ? `[${key}]` : IDENTIFIER.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join("")
  );
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Another realm's Object.prototype is plain as well: it has no prototype of its own.
  return (
    prototype === null ||
    (typeof prototype === "object" &&
      prototype !== null &&
      !types.isProxy(prototype) &&
      Object.getPrototypeOf(prototype) === null &&
      Object.hasOwn(prototype, "hasOwnProperty"))
  );
}

function unboxed(value: object): unknown {
  if (types.isNumberObject(value)) return Number.prototype.valueOf.call(value);
  if (types.isStringObject(value)) return String.prototype.valueOf.call(value);
  if (types.isBooleanObject(value)) return Boolean.prototype.valueOf.call(value);
  if (types.isBigIntObject(value)) return BigInt.prototype.valueOf.call(value);
  return Symbol.prototype.valueOf.call(value);
}

function urlText(value: object, prototype: unknown): string | undefined {
  try {
    if (prototype === URL.prototype) return URL_TEXT?.call(value);
    if (prototype === URLSearchParams.prototype) return QUERY_TEXT.call(value);
  } catch {
    // Made with that prototype, but no URL.
  }
  return undefined;
}

function dataText(error: Error, key: string): string {
  for (
    let holder: unknown = error;
    holder !== null && typeof holder === "object" && !types.isProxy(holder);
    holder = Object.getPrototypeOf(holder)
  ) {
    const found = Object.getOwnPropertyDescriptor(holder, key);
    if (found !== undefined) return typeof found.value === "string" ? found.value : "";
  }
  return "";
}

function bits(value: bigint): number {
  return value.toString(16).length * 4;
}

const DATE_TIME = Date.prototype.getTime;
const MAP_ENTRIES = Map.prototype.entries;
const SET_VALUES = Set.prototype.values;
const QUERY_TEXT = URLSearchParams.prototype.toString;
const URL_TEXT = Object.getOwnPropertyDescriptor(URL.prototype, "href")?.get;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** What an object or array costs beside its members: more than in the host, because it will be copied again. */
const OBJECT_BYTES = 256;
const MAX_DEPTH = 200;
const MAX_BYTES_AS_NUMBERS = 65_536;
