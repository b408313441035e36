// Calls, tagged templates and optional chains. `new` and `super(…)`: construct.ts.

import { newArray, newElements } from "../array.js";
import { callOther } from "../call.js";
import { throwNotCallable } from "../not-callable.js";
import { defineOwn, dataDescriptor } from "../object.js";
import { Intrinsic } from "../intrinsics.js";
import { currentRealm, globalSlot } from "../realm.js";
import { R } from "../run-state.js";
import { load } from "../shape.js";
import { type Frame, type FunctionObject, GuestObject, HOLE, Kind, type Value } from "../values.js";
import { setIntegrityFrozen } from "../integrity.js";
import { superCall } from "./construct.js";
import type { Context } from "./context.js";
import { deleteOrThrow, elementsOf, expression } from "./expressions.js";
import { MATH, MATH2 } from "./operators.gen.js";
import { unparenthesized, type CallWith, type Expression, type estree } from "./nodes.js";
import { throwNullish } from "./explain.js";
import { guardedCall1, setCall } from "./hot-methods.js";
import { getElement, privateName, privateRead, staticName, superBase, superRead, getSuper } from "./property.js";
import { NAME_THIS } from "./scope.js";
import { type Ev, newTarget } from "./unit.js";
import { localOf, localOfBinding, readBinding } from "./variables.js";
import { keyOf } from "./keys.js";
import { toObject } from "../convert.js";

/** An optional chain ended early. */
export const SHORT = newTarget("short");

export function callExpression(node: estree.CallExpression, c: Context): Ev {
  if (node.callee.type === "Super") return superCall(node, c);
  const callee = unparenthesized(node.callee as Expression);
  if (callee.type === "MemberExpression") return methodCall(node, callee, c);
  if (callee.type === "ChainExpression" && callee.expression.type === "MemberExpression") {
    // (a?.b)(): the receiver stays.
    const member = callee.expression as estree.MemberExpression;
    const link = methodLink(member, c);
    return callThrough(
      node,
      (f) => {
        const fn = link.fn(f);
        return fn === SHORT ? undefined : fn;
      },
      (f) => f[link.self],
      c,
    );
  }
  return plainCall(node, expression(callee, c), c);
}

/** The callee as written, for "… is not a function". */
export function calleeText(node: { callee: { start: number; end: number } }, c: Context): string {
  const text = c.unit.text(node.callee.start, node.callee.end).replace(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

export function callNonFunction(fn: Value, t: Value, args: Value[], text: string): Value {
  if (typeof fn === "object" && fn !== null && fn.kind === Kind.PROXY) return callOther(fn, t, args);
  throwNotCallable(fn, t, args, text);
}

/** The slot of an argument that is a local, or -1. */
function argumentSlot(node: estree.CallExpression, i: number, c: Context): number {
  const argument = node.arguments[i];
  return argument === undefined || argument.type === "SpreadElement" ? -1 : localOf(argument, c);
}

function plainCall(node: estree.CallExpression, callee: Ev, c: Context): Ev {
  const { evs, spread } = elementsOf(node.arguments, c);
  const site = c.site(node.callee);
  const text = calleeText(node, c);
  const s0 = argumentSlot(node, 0, c);
  const s1 = argumentSlot(node, 1, c);
  if (spread !== null) {
    return (f) => {
      const fn = callee(f);
      const args = spread(f);
      R.site = site;
      if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
        return (fn as FunctionObject).d.code.cN(fn as FunctionObject, undefined, args);
      return callNonFunction(fn, undefined, args, text);
    };
  }
  switch (evs.length) {
    case 0:
      return (f) => {
        const fn = callee(f);
        R.site = site;
        if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
          return (fn as FunctionObject).d.code.c0(fn as FunctionObject, undefined);
        return callNonFunction(fn, undefined, [], text);
      };
    case 1: {
      const a0 = evs[0];
      return (f) => {
        const fn = callee(f);
        const a = s0 >= 0 ? f[s0] : a0(f);
        R.site = site;
        if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
          return (fn as FunctionObject).d.code.c1(fn as FunctionObject, undefined, a);
        return callNonFunction(fn, undefined, [a], text);
      };
    }
    case 2: {
      const [a0, a1] = evs;
      return (f) => {
        const fn = callee(f);
        const a = s0 >= 0 ? f[s0] : a0(f);
        const b = s1 >= 0 ? f[s1] : a1(f);
        R.site = site;
        if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
          return (fn as FunctionObject).d.code.c2(fn as FunctionObject, undefined, a, b);
        return callNonFunction(fn, undefined, [a, b], text);
      };
    }
    case 3: {
      const [a0, a1, a2] = evs;
      return (f) => {
        const fn = callee(f);
        const a = a0(f);
        const b = a1(f);
        const d = a2(f);
        R.site = site;
        if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
          return (fn as FunctionObject).d.code.c3(fn as FunctionObject, undefined, a, b, d);
        return callNonFunction(fn, undefined, [a, b, d], text);
      };
    }
  }
  return (f) => {
    const fn = callee(f);
    const args = newElements();
    for (let i = 0; i < evs.length; i++) args.push(evs[i](f));
    R.site = site;
    if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
      return (fn as FunctionObject).d.code.cN(fn as FunctionObject, undefined, args);
    return callNonFunction(fn, undefined, args, text);
  };
}

function methodCall(node: estree.CallExpression, callee: estree.MemberExpression, c: Context): Ev {
  if (callee.object.type === "Super" || callee.property.type === "PrivateIdentifier" || staticName(callee) === undefined) {
    const link = methodLink(callee, c);
    return callThrough(node, link.fn, (f) => f[link.self], c);
  }
  const name = staticName(callee)!;
  const math = mathCall(node, callee, name, c);
  if (math !== null) return math;
  const object = expression(callee.object, c);
  const getSite = c.site(callee.property);
  const site = getSite;
  const cache = c.unit.getCache(name);
  const { evs, spread } = elementsOf(node.arguments, c);
  const text = calleeText(node, c);
  // Locals are read without a closure.
  const self = localOf(callee.object, c);
  const s0 = argumentSlot(node, 0, c);
  const s1 = argumentSlot(node, 1, c);
  const find = (o: Value, f: Frame): Value => {
    if (o === undefined || o === null) throwNullish(o, name, getSite, f, callee.object as Expression, c);
    return cache.getValue(o);
  };
  if (spread !== null) {
    return (f) => {
      const o = object(f);
      const fn = find(o, f);
      const args = spread(f);
      R.site = site;
      if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
        return (fn as FunctionObject).d.code.cN(fn as FunctionObject, o, args);
      return callNonFunction(fn, o, args, text);
    };
  }
  switch (evs.length) {
    case 0:
      return (f) => {
        const o = self >= 0 ? f[self] : object(f);
        const fn =
          typeof o !== "object" || o === null
            ? find(o, f)
            : o.shape === cache.shape
              ? (load(o, cache.slot) as Value)
              : cache.find(o.shape, o, o);
        R.site = site;
        if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
          return (fn as FunctionObject).d.code.c0(fn as FunctionObject, o);
        return callNonFunction(fn, o, [], text);
      };
    case 1: {
      const a0 = evs[0];
      const guarded = guardedCall1(name, { slot: self, ev: object }, { slot: s0, ev: a0 }, find, site, text);
      if (guarded !== null) return guarded;
      return (f) => {
        const o = self >= 0 ? f[self] : object(f);
        const fn =
          typeof o !== "object" || o === null
            ? find(o, f)
            : o.shape === cache.shape
              ? (load(o, cache.slot) as Value)
              : cache.find(o.shape, o, o);
        const a = s0 >= 0 ? f[s0] : a0(f);
        R.site = site;
        if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
          return (fn as FunctionObject).d.code.c1(fn as FunctionObject, o, a);
        return callNonFunction(fn, o, [a], text);
      };
    }
    case 2: {
      const [a0, a1] = evs;
      if (name === "set") return setCall({ slot: self, ev: object }, { slot: s0, ev: a0 }, { slot: s1, ev: a1 }, find, site, text);
      return (f) => {
        const o = self >= 0 ? f[self] : object(f);
        const fn =
          typeof o !== "object" || o === null
            ? find(o, f)
            : o.shape === cache.shape
              ? (load(o, cache.slot) as Value)
              : cache.find(o.shape, o, o);
        const a = s0 >= 0 ? f[s0] : a0(f);
        const b = s1 >= 0 ? f[s1] : a1(f);
        R.site = site;
        if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
          return (fn as FunctionObject).d.code.c2(fn as FunctionObject, o, a, b);
        return callNonFunction(fn, o, [a, b], text);
      };
    }
    case 3: {
      const [a0, a1, a2] = evs;
      return (f) => {
        const o = object(f);
        const fn = find(o, f);
        const a = a0(f);
        const b = a1(f);
        const d = a2(f);
        R.site = site;
        if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
          return (fn as FunctionObject).d.code.c3(fn as FunctionObject, o, a, b, d);
        return callNonFunction(fn, o, [a, b, d], text);
      };
    }
  }
  return (f) => {
    const o = object(f);
    const fn = find(o, f);
    const args = newElements();
    for (let i = 0; i < evs.length; i++) args.push(evs[i](f));
    R.site = site;
    if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
      return (fn as FunctionObject).d.code.cN(fn as FunctionObject, o, args);
    return callNonFunction(fn, o, args, text);
  };
}

/** `Math.name(…)` on numbers, without a call while the realm is as made; null for everything else. */
function mathCall(node: estree.CallExpression, callee: estree.MemberExpression, name: string, c: Context): Ev | null {
  const { object } = callee;
  const args = node.arguments;
  if (object.type !== "Identifier" || object.name !== "Math" || c.resolve("Math") !== undefined || c.unit.analysis.isScript) return null;
  if (args.some((a) => a.type === "SpreadElement")) return null;
  const unary = args.length === 1 ? MATH[name] : undefined;
  const binary = args.length === 2 ? MATH2[name] : undefined;
  if (unary === undefined && binary === undefined) return null;
  const evs = args.map((a) => expression(a as Expression, c));
  const read = expression(object, c);
  const cache = c.unit.getCache(name);
  const site = c.site(callee.property);
  const text = calleeText(node, c);
  const slow = (f: Frame, ...values: Value[]): Value => {
    const o = read(f);
    const fn = cache.getValue(o);
    const list = values.map((v, i) => (v === HOLE ? evs[i](f) : v));
    R.site = site;
    return callValue(fn, o, list, text);
  };
  return unary !== undefined ? unary(evs[0], isMathIntact, slow) : binary!(evs[0], evs[1], isMathIntact, slow);
}

let mathSlot = -1;

/** Charges the call, and says if `Math` is as the realm made it. */
function isMathIntact(): boolean {
  if (--R.fuel < 0) R.run.outOfFuel();
  if (mathSlot < 0) mathSlot = globalSlot("Math") - 4;
  return R.intact && R.globals !== null && R.globals[mathSlot] === R.intrinsics[Intrinsic.Math];
}

export function callValue(fn: Value, t: Value, args: Value[], text: string): Value {
  if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
    return (fn as FunctionObject).d.code.cN(fn as FunctionObject, t, args);
  return callNonFunction(fn, t, args, text);
}

/** A call whose callee and receiver come from closures; the receiver is read after the callee. */
function callThrough(node: estree.CallExpression, callee: Ev, receiver: Ev, c: Context): Ev {
  const { evs, spread, list } = elementsOf(node.arguments, c);
  const site = c.site(node.callee);
  const text = calleeText(node, c);
  const [a0, a1] = evs;
  switch (spread === null ? evs.length : -1) {
    case 0:
      return (f) => {
        const fn = callee(f);
        const t = receiver(f);
        R.site = site;
        if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
          return (fn as FunctionObject).d.code.c0(fn as FunctionObject, t);
        return callNonFunction(fn, t, newElements(), text);
      };
    case 1:
      return (f) => {
        const fn = callee(f);
        const t = receiver(f);
        const a = a0(f);
        R.site = site;
        if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
          return (fn as FunctionObject).d.code.c1(fn as FunctionObject, t, a);
        return callNonFunction(fn, t, [a], text);
      };
    case 2:
      return (f) => {
        const fn = callee(f);
        const t = receiver(f);
        const a = a0(f);
        const b = a1(f);
        R.site = site;
        if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION)
          return (fn as FunctionObject).d.code.c2(fn as FunctionObject, t, a, b);
        return callNonFunction(fn, t, [a, b], text);
      };
  }
  return (f) => {
    const fn = callee(f);
    const t = receiver(f);
    const args = list(f);
    R.site = site;
    return callValue(fn, t, args, text);
  };
}

/** A callee that is a member: `fn` gives the function and leaves the receiver in the slot `self`. In chains it may give SHORT. */
interface MethodLink {
  fn: Ev;
  self: number;
}

function methodLink(node: estree.MemberExpression, c: Context): MethodLink {
  const self = c.newSlot();
  const site = c.site(node.property);
  if (node.object.type === "Super") {
    const t = readBinding(c.resolve(NAME_THIS)!, node, c);
    const slot = localOfBinding(c.resolve(NAME_THIS)!, node, c);
    const base = superBase(node, c);
    const name = staticName(node);
    if (name !== undefined) {
      const read = superRead(name, site, c);
      return {
        self,
        fn: (f) => {
          const receiver = slot >= 0 ? f[slot] : t(f);
          f[self] = receiver;
          return read(base(f), receiver);
        },
      };
    }
    const key = expression(node.property as Expression, c);
    return {
      self,
      fn: (f) => {
        const receiver = t(f);
        f[self] = receiver;
        const raw = key(f);
        const b = base(f);
        R.site = site;
        return getSuper(b, keyOf(raw), receiver, site);
      },
    };
  }
  const object = chainLink(node.object, c);
  const optional = node.optional;
  if (node.property.type === "PrivateIdentifier") {
    const name = privateName(node.property, c);
    const read = privateRead(site, c);
    return {
      self,
      fn: (f) => {
        const o = object(f);
        if (o === SHORT || (optional && (o === undefined || o === null))) return SHORT;
        f[self] = o;
        return read(o, name(f));
      },
    };
  }
  const name = staticName(node);
  if (name !== undefined) {
    const cache = c.unit.getCache(name);
    return {
      self,
      fn: (f) => {
        const o = object(f);
        if (o === SHORT) return SHORT;
        if (o === undefined || o === null) {
          if (optional) return SHORT;
          throwNullish(o, name, site, f, node.object as Expression, c);
        }
        f[self] = o;
        return cache.getValue(o);
      },
    };
  }
  const key = expression(node.property as Expression, c);
  return {
    self,
    fn: (f) => {
      const o = object(f);
      if (o === SHORT || (optional && (o === undefined || o === null))) return SHORT;
      f[self] = o;
      return getElement(o, key(f), site);
    },
  };
}

// Optional chains ------------------------------------------------------------------------------------------------------------------

/** `a?.b.c()`; with `deleting`, `delete a?.b`. */
export function optionalChain(node: estree.ChainExpression, c: Context, deleting = false): Ev {
  const inner = unparenthesized(node.expression as Expression);
  if (deleting && inner.type === "MemberExpression") {
    const object = chainLink(inner.object, c);
    const name = staticName(inner);
    const key = name === undefined ? expression(inner.property as Expression, c) : null;
    const optional = inner.optional;
    return (f) => {
      const o = object(f);
      if (o === SHORT || (optional && (o === undefined || o === null))) return true;
      const k = key === null ? name! : key(f);
      return deleteOrThrow(toObject(o), keyOf(k));
    };
  }
  const link = chainLink(inner, c);
  return (f) => {
    const v = link(f);
    return v === SHORT ? undefined : v;
  };
}

/** An element of a chain: gives SHORT when the chain has ended early. */
function chainLink(node: Expression | estree.Super, c: Context): Ev {
  if (node.type === "MemberExpression" && node.object.type !== "Super") {
    const link = methodLink(node, c);
    return link.fn;
  }
  if (node.type === "CallExpression" && node.callee.type !== "Super") {
    const callee = node.callee;
    const optional = node.optional;
    const site = c.site(callee);
    const text = calleeText(node, c);
    // (a?.b)?.(): the inner chain ends with its own parentheses, the receiver stays.
    const closed =
      callee.type === "ChainExpression" && callee.expression.type === "MemberExpression"
        ? (callee.expression as estree.MemberExpression)
        : null;
    const link = callee.type === "MemberExpression" ? methodLink(callee, c) : closed !== null ? methodLink(closed, c) : null;
    const inner = link === null ? chainLink(callee, c) : link.fn;
    const fnOf: Ev =
      closed === null
        ? inner
        : (f) => {
            const fn = inner(f);
            return fn === SHORT ? undefined : fn;
          };
    const { list } = elementsOf(node.arguments, c);
    return (f) => {
      const fn = fnOf(f);
      if (fn === SHORT || (optional && (fn === undefined || fn === null))) return SHORT;
      const t = link === null ? undefined : f[link.self];
      const args = list(f);
      R.site = site;
      return callValue(fn, t, args, text);
    };
  }
  return expression(node as Expression, c);
}

// Rewritten and tagged calls -------------------------------------------------------------------------------------------------------

/** A call whose callee and receiver were evaluated before (suspend-expressions.ts). */
export function callWith(node: CallWith, c: Context): Ev {
  const { list } = elementsOf(node.arguments, c);
  const written = node.written;
  const text = written.type === "CallExpression" ? calleeText(written, c) : c.unit.text(written.tag.start, written.tag.end);
  const site = c.site(written);
  const callee = node.callee.slot;
  const receiver = node.receiver === null ? -1 : node.receiver.slot;
  return (f) => {
    const args = list(f);
    R.site = site;
    return callValue(f[callee], receiver < 0 ? undefined : f[receiver], args, text);
  };
}

/** Splits a callee into the closures of function and receiver, for calls whose arguments suspend. */
export function splitCallee(node: Expression, c: Context): { fn: Ev; self: number } {
  const callee = unparenthesized(node);
  if (callee.type === "MemberExpression") return methodLink(callee, c);
  return { fn: expression(callee, c), self: -1 };
}

export function taggedTemplate(node: estree.TaggedTemplateExpression, c: Context): Ev {
  const object = templateObject(node.quasi);
  const call = {
    ...node,
    type: "CallExpression",
    callee: node.tag,
    optional: false,
    arguments: [],
  } as unknown as estree.CallExpression; // a call of the tag, in all but its arguments
  const parts = node.quasi.expressions.map((e) => expression(e, c));
  const site = c.site(node.tag);
  const text = calleeText(call, c);
  const link = splitCallee(node.tag, c);
  return (f) => {
    const fn = link.fn(f);
    const t = link.self < 0 ? undefined : f[link.self];
    const args: Value[] = [object()];
    for (const p of parts) args.push(p(f));
    R.site = site;
    return callValue(fn, t, args, text);
  };
}

/** GetTemplateObject: one for each site and realm. */
export function templateObject(quasi: estree.TemplateLiteral): () => GuestObject {
  return () =>
    currentRealm().slot(quasi, () => {
      const cooked = newElements();
      const raw = newElements();
      for (const q of quasi.quasis) {
        cooked.push(q.value.cooked ?? undefined);
        raw.push(q.value.raw);
      }
      const rawArray = newArray(raw);
      setIntegrityFrozen(rawArray);
      const template = newArray(cooked);
      defineOwn(template, "raw", dataDescriptor(rawArray, 0));
      setIntegrityFrozen(template);
      return template;
    });
}
