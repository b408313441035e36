// A realm: the intrinsic objects of one run, made when first touched from templates that all realms share.
//
// A stdlib file describes its objects with `define`; nothing is made then. The first realm that touches an intrinsic builds its template
// shape, which every realm uses from then on.

import { Intrinsic } from "./intrinsics.js";
import type { Labels } from "./labels.js";
import { R, type RealmState } from "./run-state.js";
import { DATA, ENTRY_SHIFT, Flag, HIDDEN, Shape, childShape, rootOf, trimSharedShapes } from "./shape.js";
import { store } from "./shape.js";
import {
  Accessor,
  Code,
  FunctionData,
  FunctionFlag,
  type FunctionObject,
  GuestObject,
  type Key,
  Kind,
  LAZY,
  type Slot,
  type Value,
} from "./values.js";

/** A property of an intrinsic object, as a stdlib file describes it. */
export interface PropertySpec {
  key: Key;
  flags: number;
  make(realm: Realm): Slot;
}

export interface IntrinsicSpec {
  /** The intrinsic that is the prototype; 0: none. Default: ObjectPrototype, for functions FunctionPrototype. */
  proto?: Intrinsic | 0;
  kind?: Kind;
  /** The object's `d`, made for each realm. */
  data?: (realm: Realm) => unknown;
  /** False: made as by preventExtensions. */
  extensible?: boolean;
  props: PropertySpec[];
}

const specs: (IntrinsicSpec | undefined)[] = [];
const templates: (Shape | undefined)[] = [];

/** Describes an intrinsic object. Called once for each id, while the stdlib's modules load. */
export function define(id: Intrinsic, spec: IntrinsicSpec): void {
  if (specs[id] !== undefined) throw new Error(`intrinsic ${id} is defined twice`);
  specs[id] = spec;
}

/** Adds properties to an intrinsic that another file describes (e.g. `Array.fromAsync` next to the async parts). */
export function extend(id: Intrinsic, props: PropertySpec[]): void {
  (extensions[id] ??= []).push(...props);
}
const extensions: (PropertySpec[] | undefined)[] = [];

let nextEpoch = 1;

export class Realm implements RealmState {
  readonly intrinsics: (GuestObject | undefined)[];
  epoch = 0;
  intact = true;
  globals: Slot[] | null = null;
  /** Data of stdlib modules that lives as long as the realm (symbol registry, template objects …), by owner. */
  readonly slots = new Map<object, unknown>();
  labels: Labels | null = null;
  constructor() {
    trimSharedShapes();
    const all: (GuestObject | undefined)[] = [undefined];
    for (let i = 1; i < Intrinsic.COUNT; i++) all.push(undefined);
    this.intrinsics = all;
  }

  /** The intrinsic object `id`, made now if it was not yet. The realm must be the current one. */
  intrinsic(id: Intrinsic): GuestObject {
    const made = this.intrinsics[id];
    if (made !== undefined) return made;
    const spec = specs[id];
    if (spec === undefined) throw new Error(`intrinsic ${id} is not defined`);
    const props = propsOf(id, spec);
    const kind = spec.kind ?? Kind.ORDINARY;
    const o = new GuestObject(templateOf(id, spec, props), kind, undefined, undefined, undefined, undefined, undefined);
    this.intrinsics[id] = o;
    if (spec.data !== undefined) o.d = spec.data(this);
    for (let i = 0; i < props.length; i++) store(o, i, (props[i].flags & Flag.LAZY) !== 0 ? LAZY : props[i].make(this));
    return o;
  }

  detached(id: Intrinsic | 0): void {
    if (id !== Intrinsic.Global) {
      this.intact = false;
      if (R.realm === this) R.intact = false;
      this.newEpoch();
    }
  }

  newEpoch(): void {
    this.epoch = nextEpoch++;
    if (R.realm === this) R.epoch = this.epoch;
  }

  /** Data of `owner` for this realm, made by `make` at the first call. */
  slot<T>(owner: object, make: () => T): T {
    let v = this.slots.get(owner) as T | undefined;
    if (v === undefined) this.slots.set(owner, (v = make()));
    return v;
  }
}

export function currentRealm(): Realm {
  return R.realm as Realm; // only realms of this class are ever installed
}

/** The intrinsic object `id` of the current realm. */
export function intrinsic(id: Intrinsic): GuestObject {
  return R.intrinsics[id] ?? R.realm.intrinsic(id);
}

const allProps: (PropertySpec[] | undefined)[] = [];
function propsOf(id: Intrinsic, spec: IntrinsicSpec): PropertySpec[] {
  return (allProps[id] ??= extensions[id] === undefined ? spec.props : [...spec.props, ...extensions[id]]);
}

function templateOf(id: Intrinsic, spec: IntrinsicSpec, props: PropertySpec[]): Shape {
  const known = templates[id];
  if (known !== undefined) return known;
  const proto = spec.proto ?? (spec.kind === Kind.FUNCTION ? Intrinsic.FunctionPrototype : Intrinsic.ObjectPrototype);
  const shape = new Shape(null, proto);
  shape.table = new Map(props.map((p, i) => [p.key, (i << ENTRY_SHIFT) | p.flags]));
  if (shape.table.size !== props.length) throw new Error(`intrinsic ${id} has two properties of one name`);
  shape.count = props.length;
  shape.template = true;
  shape.usedAsProto = true;
  shape.intrinsicId = id;
  shape.extensible = spec.extensible ?? true;
  templates[id] = shape;
  return shape;
}

// Properties -----------------------------------------------------------------------------------------------------------------------

const symbolName = (key: Key): string => (typeof key === "symbol" ? `[${key.description}]` : key);

/** A builtin method of fixed arity: `f(thisValue, a, b, c)`; absent arguments are undefined, further ones are ignored. */
export function method(
  key: Key,
  length: number,
  f: (t: Value, a: Value, b: Value, c: Value) => Value,
  flags: number = HIDDEN,
): PropertySpec {
  return functionProperty(key, nativeCode(symbolName(key), length, f), flags);
}

/** A builtin method that sees how many arguments there are: `f(thisValue, args)`. It must not keep or change `args`. */
export function variadic(key: Key, length: number, f: (t: Value, args: Value[]) => Value, flags: number = HIDDEN): PropertySpec {
  return functionProperty(key, variadicCode(symbolName(key), length, f), flags);
}

export function getter(key: Key, get: (t: Value) => Value, set?: (t: Value, v: Value) => void): PropertySpec {
  const getData = new FunctionData(nativeCode(`get ${symbolName(key)}`, 0, get), null, null, null);
  const setData =
    set === undefined
      ? null
      : new FunctionData(
          nativeCode(`set ${symbolName(key)}`, 1, (t, v) => {
            set(t, v);
            return undefined;
          }),
          null,
          null,
          null,
        );
  return {
    key,
    flags: Flag.CONFIGURABLE | Flag.ACCESSOR,
    make: () => new Accessor(nativeFunction(getData), setData === null ? undefined : nativeFunction(setData)),
  };
}

/** A data property. Default attributes: writable, configurable. */
export function value(key: Key, v: Exclude<Value, GuestObject>, flags: number = HIDDEN): PropertySpec {
  return { key, flags, make: () => v };
}

/** A property whose value is another intrinsic, or made for each realm. `lazy` only on the global object. */
export function ref(key: Key, target: Intrinsic | ((realm: Realm) => Value), flags: number = HIDDEN): PropertySpec {
  return { key, flags, make: (realm) => (typeof target === "function" ? target(realm) : realm.intrinsic(target)) };
}

/** The same function object under a further name (e.g. `Set.prototype.keys` is `values`). */
export function alias(key: Key, id: Intrinsic, of: Key, flags: number = HIDDEN): PropertySpec {
  return {
    key,
    flags,
    make: (realm) => {
      const o = realm.intrinsic(id);
      const entry = o.shape.table!.get(of);
      if (entry === undefined) throw new Error(`alias of a property that is not there: ${symbolName(of)}`);
      const slot = entry >> ENTRY_SHIFT;
      return slot === 0 ? o.s0 : slot === 1 ? o.s1 : slot === 2 ? o.s2 : slot === 3 ? o.s3 : o.more![slot - 4];
    },
  };
}

/** A builtin method with code of its own, for those whose calls are hot or unusual. */
export function functionProperty(key: Key, code: Code, flags: number = HIDDEN): PropertySpec {
  const data = new FunctionData(code, null, null, null);
  return { key, flags, make: () => nativeFunction(data) };
}

/**
 * A constructor. `call` is what a plain call does (null: TypeError "requires 'new'"), `construct` what `new` and `super(…)` do; it finds
 * the prototype of the new object with `protoFromNewTarget` (call.ts).
 */
export function defineConstructor(
  id: Intrinsic,
  spec: {
    name: string;
    length: number;
    prototype?: Intrinsic;
    proto?: Intrinsic;
    call: ((t: Value, args: Value[]) => Value) | null;
    construct: (args: Value[], newTarget: GuestObject) => Value;
    props?: PropertySpec[];
  },
): void {
  const { name, call, construct } = spec;
  const code = variadicCode(
    name,
    spec.length,
    call ??
      (() => {
        return throwRequiresNew(name);
      }),
  );
  code.kN = (_fn, newTarget, args) => construct(args, newTarget);
  code.k0 = (_fn, newTarget) => construct([], newTarget);
  code.k1 = (_fn, newTarget, a) => construct([a], newTarget);
  code.k2 = (_fn, newTarget, a, b) => construct([a, b], newTarget);
  code.k3 = (_fn, newTarget, a, b, c) => construct([a, b, c], newTarget);
  const props: PropertySpec[] = [value("length", spec.length, Flag.CONFIGURABLE), value("name", name, Flag.CONFIGURABLE)];
  if (spec.prototype !== undefined) props.push(ref("prototype", spec.prototype, 0));
  define(id, {
    kind: Kind.FUNCTION,
    proto: spec.proto ?? Intrinsic.FunctionPrototype,
    data: () => new FunctionData(code, null, null, null),
    props: [...props, ...(spec.props ?? [])],
  });
}

let throwRequiresNew: (name: string) => never = (name) => {
  throw new Error(name);
};
/** errors.ts needs shapes, so the thrower is handed in. */
export function setRequiresNew(f: (name: string) => never): void {
  throwRequiresNew = f;
}

// The global object ----------------------------------------------------------------------------------------------------------------

const globalProps: PropertySpec[] = [];
const globalSlots = new Map<string, number>();

/** Makes `name` a global. A function or an intrinsic is made when first read. */
export function defineGlobal(name: string, what: Intrinsic | PropertySpec): void {
  const spec = typeof what === "object" ? { ...what, key: name } : ref(name, what);
  const lazy = (spec.flags & Flag.WRITABLE) !== 0;
  globalSlots.set(name, globalProps.length);
  globalProps.push({ ...spec, flags: lazy ? spec.flags | Flag.LAZY : spec.flags });
}

/** The properties that come first: they fill the slots in the object itself, so that all others are in `more`, which compiled code reads. */
const FIRST_GLOBALS: Key[] = ["globalThis", "Infinity", "NaN", "undefined"];

/** To be called once, when all globals are described. */
export function describeGlobal(): void {
  const rank = (p: PropertySpec): number => (FIRST_GLOBALS.includes(p.key) ? FIRST_GLOBALS.indexOf(p.key) : FIRST_GLOBALS.length);
  globalProps.sort((a, b) => rank(a) - rank(b));
  globalProps.forEach((p, i) => globalSlots.set(p.key as string, i)); // defineGlobal takes texts only
  define(Intrinsic.Global, { props: globalProps });
}

/** The global object of the current realm. */
export function globalObject(): GuestObject {
  return intrinsic(Intrinsic.Global);
}

/** The slot of a builtin global or of `tools`, which every run adds first; -1 for others. */
export function globalSlot(name: string): number {
  return name === "tools" ? globalProps.length : (globalSlots.get(name) ?? -1);
}

export function globalNames(): string[] {
  return [...globalSlots.keys()];
}

/** Makes the value of a lazy slot of the global object. */
export function makeLazyGlobal(o: GuestObject, slot: number): Slot {
  const v = globalProps[slot].make(currentRealm());
  store(o, slot, v);
  return v;
}

// Native functions -----------------------------------------------------------------------------------------------------------------

let nativeShape: Shape | undefined;
/** Shape of functions with `length` in s0 and `name` in s1, both only configurable. */
export function functionShape(): Shape {
  return (nativeShape ??= childShape(
    childShape(rootOf(Intrinsic.FunctionPrototype), "length", Flag.CONFIGURABLE),
    "name",
    Flag.CONFIGURABLE,
  ));
}

export function nativeFunction(data: FunctionData): FunctionObject {
  const code = data.code;
  return new GuestObject(functionShape(), Kind.FUNCTION, data, code.length, code.name, undefined, undefined) as FunctionObject;
}

/** A native function with state of its own: `f(fn, …)` reads it from `fn.d.data`. The code is made once, outside. */
export function nativeClosure(code: Code, data: unknown): FunctionObject {
  R.mem -= 160;
  return nativeFunction(new FunctionData(code, null, null, data));
}

/** Code for `method`: the receiver and up to three arguments. */
export function nativeCode(name: string, length: number, f: (t: Value, a: Value, b: Value, c: Value) => Value): Code {
  const code = new Code(name, length, FunctionFlag.NATIVE);
  code.c0 = (_fn, t) => f(t, undefined, undefined, undefined);
  code.c1 = (_fn, t, a) => f(t, a, undefined, undefined);
  code.c2 = (_fn, t, a, b) => f(t, a, b, undefined);
  code.c3 = (_fn, t, a, b, c) => f(t, a, b, c);
  code.cN = (_fn, t, args) => f(t, args[0], args[1], args[2]);
  return code;
}

export function variadicCode(name: string, length: number, f: (t: Value, args: Value[]) => Value): Code {
  const code = new Code(name, length, FunctionFlag.NATIVE);
  code.c0 = (_fn, t) => f(t, []);
  code.c1 = (_fn, t, a) => f(t, [a]);
  code.c2 = (_fn, t, a, b) => f(t, [a, b]);
  code.c3 = (_fn, t, a, b, c) => f(t, [a, b, c]);
  code.cN = (_fn, t, args) => f(t, args);
  return code;
}

/** Code for `nativeClosure`: `f(fn, a, b)` with the function object first. */
export function closureCode(name: string, length: number, f: (fn: FunctionObject, a: Value, b: Value) => Value): Code {
  const code = new Code(name, length, FunctionFlag.NATIVE);
  code.c0 = (fn) => f(fn, undefined, undefined);
  code.c1 = (fn, _t, a) => f(fn, a, undefined);
  code.c2 = (fn, _t, a, b) => f(fn, a, b);
  code.c3 = (fn, _t, a, b) => f(fn, a, b);
  code.cN = (fn, _t, args) => f(fn, args[0], args[1]);
  return code;
}

export { DATA, HIDDEN };
