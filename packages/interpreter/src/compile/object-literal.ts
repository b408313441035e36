// Object literals. With plain constant keys the shape is known when compiling.

import {
  OBJECT_BYTES,
  OBJECT_ROOT,
  accessorDescriptor,
  createData,
  dataDescriptor,
  definePropertyOrThrow,
  getOwn,
  newObject,
  setPrototypeOf,
} from "../object.js";
import { R } from "../run-state.js";
import { Flag, arrayIndex, literalShape } from "../shape.js";
import { Accessor, type Frame, type FunctionObject, GuestObject, type Key, Kind, type Slot } from "../values.js";
import type { Context } from "./context.js";
import { expression, namedExpression } from "./expressions.js";
import { methodClosure, nameFunction } from "./functions.js";
import { keyOf } from "./keys.js";
import { isAnonymousFunction, type Expression, type estree } from "./nodes.js";
import type { Ev } from "./unit.js";

export function objectLiteral(node: estree.ObjectExpression, c: Context): Ev {
  const plain = plainKeys(node);
  if (plain !== null) return shaped(plain, node, c);
  const steps = node.properties.map((p) => (p.type === "SpreadElement" ? spread(p, c) : property(p, c)));
  return (f) => {
    const o = newObject();
    for (let i = 0; i < steps.length; i++) steps[i](f, o);
    return o;
  };
}

/** The keys, if all are constant names, different, no accessors, no methods, no indexes, and no `__proto__`. */
function plainKeys(node: estree.ObjectExpression): string[] | null {
  if (node.properties.length > 100) return null;
  const keys: string[] = [];
  for (const p of node.properties) {
    if (p.type === "SpreadElement" || p.computed || p.kind !== "init" || p.method) return null;
    const key = constantKey(p);
    if (typeof key !== "string" || arrayIndex(key) >= 0 || (key === "__proto__" && !p.shorthand) || keys.includes(key)) return null;
    keys.push(key);
  }
  return keys;
}

export function constantKey(p: { key: Expression | estree.PrivateIdentifier }): string | undefined {
  const k = p.key;
  if (k.type === "Identifier") return k.name;
  if (k.type === "Literal") {
    if (typeof k.bigint === "string") return String(BigInt(k.bigint));
    return String(k.value);
  }
  return undefined;
}

function shaped(keys: string[], node: estree.ObjectExpression, c: Context): Ev {
  const shape = literalShape(OBJECT_ROOT, keys);
  const evs = node.properties.map((p, i) => namedExpression((p as estree.Property).value, keys[i], c));
  const [a, b, d, e] = evs;
  switch (evs.length) {
    case 0:
      return () => newObject();
    case 1:
      return (f) => {
        R.mem -= OBJECT_BYTES;
        return new GuestObject(shape, Kind.ORDINARY, undefined, a(f), undefined, undefined, undefined);
      };
    case 2:
      return (f) => {
        R.mem -= OBJECT_BYTES;
        return new GuestObject(shape, Kind.ORDINARY, undefined, a(f), b(f), undefined, undefined);
      };
    case 3:
      return (f) => {
        R.mem -= OBJECT_BYTES;
        return new GuestObject(shape, Kind.ORDINARY, undefined, a(f), b(f), d(f), undefined);
      };
    case 4:
      return (f) => {
        R.mem -= OBJECT_BYTES;
        return new GuestObject(shape, Kind.ORDINARY, undefined, a(f), b(f), d(f), e(f));
      };
  }
  const rest = evs.slice(4);
  const bytes = OBJECT_BYTES + 16 + 8 * rest.length;
  return (f) => {
    const o = new GuestObject(shape, Kind.ORDINARY, undefined, a(f), b(f), d(f), e(f));
    const more: Slot[] = [undefined];
    more[0] = rest[0](f);
    for (let i = 1; i < rest.length; i++) more.push(rest[i](f));
    o.more = more;
    R.mem -= bytes;
    return o;
  };
}

type Step = (f: Frame, o: GuestObject) => void;

function property(p: estree.Property, c: Context): Step {
  const key = keyEv(p, c);
  const constant = p.computed ? undefined : constantKey(p);
  if (p.kind !== "init" || p.method) {
    c.unit.analysis.functionOf(p.value as estree.FunctionExpression).textStart = p.start;
    const fn = methodClosure(p.value as estree.FunctionExpression, constant ?? "", c);
    const kind = p.kind;
    return (f, o) => {
      const k = key(f);
      const method = fn(f, o);
      defineMethod(o, k, method, kind === "init" ? "method" : kind, constant === undefined, Flag.ENUMERABLE);
    };
  }
  if (constant === "__proto__" && !p.shorthand) {
    const v = expression(p.value, c);
    return (f, o) => {
      const proto = v(f);
      if (proto === null) setPrototypeOf(o, null);
      else if (typeof proto === "object") setPrototypeOf(o, proto);
    };
  }
  if (constant !== undefined) {
    const v = namedExpression(p.value, constant, c);
    const cache = c.unit.defineCache(constant);
    return (f, o) => cache.define(o, v(f));
  }
  const v = expression(p.value, c);
  const anonymous = isAnonymousFunction(p.value);
  return (f, o) => {
    const k = key(f);
    const value = v(f);
    if (anonymous) nameFunction(value as FunctionObject, k);
    createData(o, k, value);
  };
}

/** The key of a member as a closure that converts it. */
export function keyEv(p: { key: Expression | estree.PrivateIdentifier; computed: boolean }, c: Context): (f: Frame) => Key {
  if (!p.computed) {
    const k = constantKey(p)!;
    return () => k;
  }
  const e = expression(p.key as Expression, c);
  const site = c.site(p.key);
  return (f) => {
    const v = e(f);
    R.site = site;
    return keyOf(v);
  };
}

/** Defines a method, getter or setter on an object literal or a class. */
export function defineMethod(
  o: GuestObject,
  key: Key,
  fn: FunctionObject,
  kind: "method" | "get" | "set" | "constructor",
  rename: boolean,
  enumerable: number,
): void {
  if (rename || kind !== "method") nameFunction(fn, key, kind === "get" || kind === "set" ? kind : undefined);
  if (kind === "method" || kind === "constructor") {
    const flags = Flag.WRITABLE | Flag.CONFIGURABLE | enumerable;
    if (enumerable !== 0) createData(o, key, fn);
    else definePropertyOrThrow(o, key, dataDescriptor(fn, flags));
    return;
  }
  const own = getOwn(o, key);
  const old = own !== undefined && own.slot instanceof Accessor ? own.slot : undefined;
  definePropertyOrThrow(
    o,
    key,
    accessorDescriptor(kind === "get" ? fn : old?.get, kind === "set" ? fn : old?.set, Flag.CONFIGURABLE | enumerable),
  );
}

function spread(node: estree.SpreadElement, c: Context): Step {
  const e = expression(node.argument, c);
  const site = c.site(node);
  const cache = c.unit.copyCache(null);
  return (f, o) => {
    const v = e(f);
    R.site = site;
    cache.copy(o, v);
  };
}
