// Calling and constructing from native code (ECMAScript 7.3: Call, Construct, Invoke, GetMethod …).

import { throwRangeError, throwTypeError } from "./errors.js";
import { type Intrinsic } from "./intrinsics.js";
import { describe, getV, lengthOf } from "./convert.js";
import { countLink, get, getPrototypeOf, isCallable, isConstructor, setAccessorCalls } from "./object.js";
import { R, allocate } from "./run-state.js";
import { Flag, type Shape, lookup, rootFor, rootOf } from "./shape.js";
import { wellKnown } from "./well-known.js";
import { type FunctionObject, GuestObject, HOLE, type Key, Kind, SYM, type Value } from "./values.js";

/** Estimated host stack of one native activation that calls back. */
const NATIVE_WEIGHT = 600;

// Depth and stack weight are set back also when the callee throws, so that native code may catch what comes out of these functions.

/** Call(f, t): any value; a TypeError if it is not callable. */
export function call0(f: Value, t: Value): Value {
  if (typeof f === "object" && f !== null && f.kind === Kind.FUNCTION) {
    const fn = f as FunctionObject;
    const { depth, stack } = R;
    if ((R.stack = stack + NATIVE_WEIGHT) > R.stackMax) R.run.tooDeep();
    try {
      return fn.d.code.c0(fn, t);
    } finally {
      R.depth = depth;
      R.stack = stack;
    }
  }
  return callOther(f, t, []);
}

export function call1(f: Value, t: Value, a: Value): Value {
  if (typeof f === "object" && f !== null && f.kind === Kind.FUNCTION) {
    const fn = f as FunctionObject;
    const { depth, stack } = R;
    if ((R.stack = stack + NATIVE_WEIGHT) > R.stackMax) R.run.tooDeep();
    try {
      return fn.d.code.c1(fn, t, a);
    } finally {
      R.depth = depth;
      R.stack = stack;
    }
  }
  return callOther(f, t, [a]);
}

export function call2(f: Value, t: Value, a: Value, b: Value): Value {
  if (typeof f === "object" && f !== null && f.kind === Kind.FUNCTION) {
    const fn = f as FunctionObject;
    const { depth, stack } = R;
    if ((R.stack = stack + NATIVE_WEIGHT) > R.stackMax) R.run.tooDeep();
    try {
      return fn.d.code.c2(fn, t, a, b);
    } finally {
      R.depth = depth;
      R.stack = stack;
    }
  }
  return callOther(f, t, [a, b]);
}

export function call3(f: Value, t: Value, a: Value, b: Value, c: Value): Value {
  if (typeof f === "object" && f !== null && f.kind === Kind.FUNCTION) {
    const fn = f as FunctionObject;
    const { depth, stack } = R;
    if ((R.stack = stack + NATIVE_WEIGHT) > R.stackMax) R.run.tooDeep();
    try {
      return fn.d.code.c3(fn, t, a, b, c);
    } finally {
      R.depth = depth;
      R.stack = stack;
    }
  }
  return callOther(f, t, [a, b, c]);
}

/** `args` belongs to the callee from now on. */
export function callN(f: Value, t: Value, args: Value[]): Value {
  if (typeof f === "object" && f !== null && f.kind === Kind.FUNCTION) {
    const fn = f as FunctionObject;
    const { depth, stack } = R;
    if ((R.stack = stack + NATIVE_WEIGHT) > R.stackMax) R.run.tooDeep();
    try {
      return args.length > 3 ? fn.d.code.cN(fn, t, args) : callFew(fn, t, args);
    } finally {
      R.depth = depth;
      R.stack = stack;
    }
  }
  return callOther(f, t, args);
}

function callFew(fn: FunctionObject, t: Value, args: Value[]): Value {
  const code = fn.d.code;
  switch (args.length) {
    case 0:
      return code.c0(fn, t);
    case 1:
      return code.c1(fn, t, args[0]);
    case 2:
      return code.c2(fn, t, args[0], args[1]);
    default:
      return code.c3(fn, t, args[0], args[1], args[2]);
  }
}

/** A call of what is no ordinary function: a proxy, or a TypeError. */
export function callOther(f: Value, t: Value, args: Value[]): Value {
  if (typeof f === "object" && f !== null && f.kind === Kind.PROXY && isCallable(f)) return callProxy(f, t, args);
  throwTypeError(`${describe(f)} is not a function`);
}

let callProxy: (f: GuestObject, t: Value, args: Value[]) => Value = () => undefined;
let constructProxy: (f: GuestObject, args: Value[], newTarget: GuestObject) => Value = () => undefined;
let proxyTarget: (f: GuestObject) => GuestObject = (f) => f;
/** Handed in by the file of proxies; `targetOf` throws for a revoked one. */
export function setProxyCalls(calls: typeof callProxy, constructs: typeof constructProxy, targetOf: typeof proxyTarget): void {
  callProxy = calls;
  constructProxy = constructs;
  proxyTarget = targetOf;
}

setAccessorCalls(call0, call1);

/** Construct(f, args, newTarget). */
export function construct(f: GuestObject, args: Value[], newTarget: GuestObject = f): GuestObject {
  if (!isConstructor(f)) throwTypeError(`${describe(f)} is not a constructor`);
  const { depth, stack } = R;
  if ((R.stack = stack + NATIVE_WEIGHT) > R.stackMax) R.run.tooDeep();
  try {
    const fn = f as FunctionObject;
    const v = f.kind === Kind.FUNCTION ? fn.d.code.kN!(fn, newTarget, args) : constructProxy(f, args, newTarget);
    return v as GuestObject; // constructors give objects
  } finally {
    R.depth = depth;
    R.stack = stack;
  }
}

/** GetMethod: undefined for undefined and null, a TypeError for what is not callable. */
export function getMethod(v: Value, key: Key): GuestObject | undefined {
  const f = getV(v, key);
  if (f === undefined || f === null) return undefined;
  if (!isCallable(f)) throwTypeError(`${describe(f)} is not a function`);
  return f;
}

/** Invoke without arguments or with a list. */
export function invoke(v: Value, key: Key, args: Value[] = []): Value {
  return callN(getV(v, key), v, args);
}

/** GetPrototypeFromConstructor as the root shape of the new object. A function remembers it. */
export function protoFromNewTarget(newTarget: GuestObject, fallback: Intrinsic): Shape {
  const d = newTarget.kind === Kind.FUNCTION ? (newTarget as FunctionObject).d : null;
  if (d !== null && d.instanceShape !== null) return d.instanceShape;
  const proto = get(newTarget, "prototype");
  if (typeof proto === "object" && proto !== null) {
    const shape = rootFor(proto);
    // What can be deleted or is inherited may change without being written.
    const entry = d === null ? -1 : lookup(newTarget.shape, "prototype");
    if (d !== null && entry >= 0 && (entry & (Flag.CONFIGURABLE | Flag.ACCESSOR)) === 0) d.instanceShape = shape;
    return shape;
  }
  // GetFunctionRealm: there is one realm, but a revoked proxy has none.
  let f: GuestObject | undefined = newTarget;
  let links = 0;
  while (f !== undefined) {
    links = countLink(links);
    f = f.kind === Kind.PROXY ? proxyTarget(f) : boundTarget(f);
  }
  return rootOf(fallback);
}

/** SpeciesConstructor; undefined means the default constructor. */
export function speciesConstructor(o: GuestObject): GuestObject | undefined {
  const c = get(o, "constructor");
  if (c === undefined) return undefined;
  if (typeof c !== "object" || c === null) throwTypeError("object.constructor is not an object");
  const s = get(c, SYM.species);
  if (s === undefined || s === null) return undefined;
  if (!isConstructor(s)) throwTypeError("object.constructor[Symbol.species] is not a constructor");
  return s;
}

/** OrdinaryHasInstance. */
export function ordinaryHasInstance(c: Value, v: Value): boolean {
  if (!isCallable(c)) return false;
  const bound = boundTarget(c);
  if (bound !== undefined) return instanceOf(v, bound);
  if (typeof v !== "object" || v === null) return false;
  const proto = wellKnown.prototype.find(c.shape, c, c);
  if (typeof proto !== "object" || proto === null)
    throwTypeError(`Function has non-object prototype '${describe(proto)}' in instanceof check`);
  return hasInPrototypeChain(v, proto);
}

/** `v instanceof target`. */
export function instanceOf(v: Value, target: Value): boolean {
  if (typeof target !== "object" || target === null) throwTypeError("Right-hand side of 'instanceof' is not an object");
  const method = wellKnown.hasInstance.find(target.shape, target, target);
  if (method !== undefined && method !== null) return !!call1(method, target, v);
  if (!isCallable(target)) throwTypeError("Right-hand side of 'instanceof' is not callable");
  return ordinaryHasInstance(target, v);
}

/** What a bound function's `d.data` holds. */
export class BoundData {
  readonly target: GuestObject;
  readonly thisValue: Value;
  readonly args: Value[];
  constructor(target: GuestObject, thisValue: Value, args: Value[]) {
    this.target = target;
    this.thisValue = thisValue;
    this.args = args;
  }
}

function boundTarget(f: GuestObject): GuestObject | undefined {
  if (f.kind !== Kind.FUNCTION) return undefined;
  const data = (f as FunctionObject).d.data;
  return data instanceof BoundData ? data.target : undefined;
}

function hasInPrototypeChain(v: GuestObject, proto: GuestObject): boolean {
  let links = 0;
  let p = getPrototypeOf(v);
  while (p !== null) {
    if (p === proto) return true;
    links = countLink(links);
    p = getPrototypeOf(p);
  }
  return false;
}

/** CreateListFromArrayLike: a host list that the caller owns. */
export function listFromArrayLike(v: Value): Value[] {
  if (typeof v !== "object" || v === null) throwTypeError("CreateListFromArrayLike called on non-object");
  const length = lengthOf(v);
  if (length > R.arrayLength) throwRange();
  const n = length;
  allocate(8 * n);
  const out: Value[] = [undefined];
  out.pop();
  for (let i = 0; i < n; i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const d = v.kind === Kind.ARRAY ? (v.d as Value[]) : undefined;
    const item = d !== undefined && i < d.length ? d[i] : HOLE;
    out.push(item === HOLE ? get(v, String(i)) : item);
  }
  return out;
}

function throwRange(): never {
  throwRangeError(`A list may have at most ${R.arrayLength} elements here`);
}
