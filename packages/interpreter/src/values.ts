// What a program can hold: host primitives and GuestObject, nothing else.

import type { Shape } from "./shape.js";

export type Value = undefined | null | boolean | number | string | bigint | symbol | GuestObject;

/** A key of a property table. PrivateName keys are never seen by reflection. */
export type Key = string | symbol;
export type AnyKey = Key | PrivateName;

/** What a slot holds: a value, or the pair of functions of an accessor property. */
export type Slot = Value | Accessor;

/** An environment: `[parent, v1, v2, …]`, made only for scopes with captured variables. */
export type Env = Value[];

/** The frame of an activation: `[env, this, callee, ...parameters, ...locals, ...temporaries]`. */
export type Frame = Value[];

export const enum Kind {
  ORDINARY,
  FUNCTION,
  ERROR,
  BOOLEAN,
  NUMBER,
  SYMBOL,
  BIGINT,
  DATE,
  REGEXP,
  MAP,
  SET,
  WEAK_MAP,
  WEAK_SET,
  WEAK_REF,
  PROMISE,
  GENERATOR,
  ASYNC_GENERATOR,
  ARRAY_BUFFER,
  DATA_VIEW,
  ARGUMENTS,
  /** Iterators of builtins; `d` is their state, told apart by its class. */
  ITERATOR,
  DISPOSABLE_STACK,
  ASYNC_DISPOSABLE_STACK,
  RAW_JSON,
  /** Objects of stdlib modules without a kind of their own (Intl, URL, encoders …); `d` is told apart by its class. */
  HOST_DATA,
  // From here on: exotic objects, whose internal methods are in EXOTIC (object.ts).
  ARRAY,
  /** An array with unusual attributes or huge indexes: elements are in the property table, `d` is a SparseData. */
  SPARSE_ARRAY,
  STRING,
  TYPED_ARRAY,
  PROXY,
}
export const FIRST_EXOTIC = Kind.ARRAY;

/**
 * Every object of a program. One host class with one layout for all kinds, so that property sites stay monomorphic.
 * Never add a field, never subclass; data of a kind goes in `d`.
 */
export class GuestObject {
  shape: Shape;
  kind: Kind;
  d: unknown;
  s0: Slot;
  s1: Slot;
  s2: Slot;
  s3: Slot;
  more: Slot[] | null;
  constructor(shape: Shape, kind: Kind, d: unknown, s0: Slot, s1: Slot, s2: Slot, s3: Slot) {
    this.shape = shape;
    this.kind = kind;
    this.d = d;
    this.s0 = s0;
    this.s1 = s1;
    this.s2 = s2;
    this.s3 = s3;
    this.more = null;
  }
}
// A null prototype: a host coercion that slips in throws instead of leaking.
Object.setPrototypeOf(GuestObject.prototype, null);
// The host's machine code relies on fields that have never been written again, and nearly all of it was thrown away when an array first
// became sparse or frozen. `kind` is such a field from now on.
new GuestObject(null as never, Kind.ORDINARY, undefined, undefined, undefined, undefined, undefined).kind = Kind.ARRAY;

export class Accessor {
  readonly get: GuestObject | undefined;
  readonly set: GuestObject | undefined;
  constructor(get: GuestObject | undefined, set: GuestObject | undefined) {
    this.get = get;
    this.set = set;
  }
}

/** A private name, one for each evaluation of its class. Kept in property tables, invisible to reflection. */
export class PrivateName {
  readonly description: string;
  constructor(description: string) {
    this.description = description;
  }
}

class Sentinel {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
const sentinel = (name: string): Value => new Sentinel(name) as unknown as Value; // typed as a value because it lives where values live

/** In an array's elements: no such element. */
export const HOLE = sentinel("hole");
/** For what an iterator gives: it is a result object, kept beside. */
export const RESULT: Value = sentinel("result");
/** In a slot, a frame or an environment: not initialised yet. */
export const TDZ = sentinel("uninitialised");
/** In a slot of the global object: made when first read. */
export const LAZY = sentinel("lazy");

export interface FunctionObject extends GuestObject {
  kind: Kind.FUNCTION;
  d: FunctionData;
}
export interface ArrayObject extends GuestObject {
  kind: Kind.ARRAY;
  d: Value[];
}

export class SparseData {
  length: number;
  lengthWritable: boolean;
  constructor(length: number, lengthWritable: boolean) {
    this.length = length;
    this.lengthWritable = lengthWritable;
  }
}

export const enum FunctionFlag {
  /** A class constructor: cannot be called without `new`. */
  CLASS = 1,
  DERIVED = 2,
  ARROW = 4,
  METHOD = 8,
  GENERATOR = 16,
  ASYNC = 32,
  NATIVE = 64,
  BOUND = 128,
  /** A tool or another function of the host's side. */
  TOOL = 256,
}

/**
 * How a function runs. `c0` to `c3` and `cN` take the call with as many arguments; `k0` to `k3` and `kN` construct and are null for
 * functions that are no constructors. Shared by all closures of one function text and by all realms: holds no realm data.
 */
export class Code {
  name: string;
  length: number;
  flags: number;
  c0: (fn: FunctionObject, t: Value) => Value;
  c1: (fn: FunctionObject, t: Value, a: Value) => Value;
  c2: (fn: FunctionObject, t: Value, a: Value, b: Value) => Value;
  c3: (fn: FunctionObject, t: Value, a: Value, b: Value, c: Value) => Value;
  cN: (fn: FunctionObject, t: Value, args: Value[]) => Value;
  k0: ((fn: FunctionObject, newTarget: GuestObject) => Value) | null;
  k1: ((fn: FunctionObject, newTarget: GuestObject, a: Value) => Value) | null;
  k2: ((fn: FunctionObject, newTarget: GuestObject, a: Value, b: Value) => Value) | null;
  k3: ((fn: FunctionObject, newTarget: GuestObject, a: Value, b: Value, c: Value) => Value) | null;
  kN: ((fn: FunctionObject, newTarget: GuestObject, args: Value[]) => Value) | null;
  /** The function's text, for `toString`; null for natives. */
  text: (() => string) | null;
  constructor(name: string, length: number, flags: number) {
    this.name = name;
    this.length = length;
    this.flags = flags;
    this.c0 = unset;
    this.c1 = unset;
    this.c2 = unset;
    this.c3 = unset;
    this.cN = unset;
    this.k0 = null;
    this.k1 = null;
    this.k2 = null;
    this.k3 = null;
    this.kN = null;
    this.text = null;
  }
}
const unset = (): Value => {
  throw new Error("a function without code was called");
};

export class FunctionData {
  code: Code;
  env: Env | null;
  /** [[HomeObject]]: where `super` starts. */
  home: GuestObject | null;
  /** What a class constructor does to a new instance: fields, private methods, in order. Called with the instance. */
  init: ((instance: GuestObject) => void) | null;
  /** Captured state of a native closure, or the bound function's record. */
  data: unknown;
  /** Root shape of instances, valid while `instanceProto` is this function's `prototype`. */
  instanceShape: Shape | null;
  constructor(code: Code, env: Env | null, home: GuestObject | null, data: unknown) {
    this.code = code;
    this.env = env;
    this.home = home;
    this.init = null;
    this.data = data;
    this.instanceShape = null;
  }
}

export function isObject(v: Value): v is GuestObject {
  return typeof v === "object" && v !== null;
}

export function isFunction(v: Value): v is FunctionObject {
  return typeof v === "object" && v !== null && v.kind === Kind.FUNCTION;
}

/** The well-known symbols of programs: ours, never the host's. */
export const SYM = {
  asyncDispose: Symbol("Symbol.asyncDispose"),
  asyncIterator: Symbol("Symbol.asyncIterator"),
  dispose: Symbol("Symbol.dispose"),
  hasInstance: Symbol("Symbol.hasInstance"),
  isConcatSpreadable: Symbol("Symbol.isConcatSpreadable"),
  iterator: Symbol("Symbol.iterator"),
  match: Symbol("Symbol.match"),
  matchAll: Symbol("Symbol.matchAll"),
  replace: Symbol("Symbol.replace"),
  search: Symbol("Symbol.search"),
  species: Symbol("Symbol.species"),
  split: Symbol("Symbol.split"),
  toPrimitive: Symbol("Symbol.toPrimitive"),
  toStringTag: Symbol("Symbol.toStringTag"),
  unscopables: Symbol("Symbol.unscopables"),
} as const;
