// Destructuring: patterns → closures that take the value. Binding and assignment patterns share all but their leaves.

import { HOLE, type Frame, type GuestObject, type Key, type Value } from "../values.js";
import { newArray, newElements } from "../array.js";
import { lengthOf, toObject } from "../convert.js";
import { throwTypeError } from "../errors.js";
import { IteratorRecord, getIterator, isPlainIterable, iteratorClose, iteratorCloseThrow, iteratorStepValue } from "../iterate.js";
import { getFrom, newObject } from "../object.js";
import { R } from "../run-state.js";
import { load } from "../shape.js";
import type { Context } from "./context.js";
import { expression, namedExpression } from "./expressions.js";
import { keyOf } from "./keys.js";
import { unparenthesized, type Expression, type Pattern, type estree } from "./nodes.js";
import { copyDataProperties } from "./copy.js";
import { constantKey } from "./object-literal.js";
import { privateName, privateWrite, setElement, setSuper, staticName, superBase } from "./property.js";
import { NAME_THIS } from "./scope.js";
import type { Ev } from "./unit.js";
import { assignVariable, initialise, isConstant, plainLocal, readBinding, type Store } from "./variables.js";

/** A pattern of a declaration or a parameter: its names get their first value. */
export function bindPattern(node: Pattern, c: Context): Store {
  return pattern(node, c, (name, c2) => initialise(name, c2));
}

/** A pattern on the left of `=`. */
export function assignPattern(node: Pattern, c: Context): Store {
  return pattern(node, c, null);
}

/** The slot of a local that a pattern is nothing but, if it can be written without looking; else -1. */
export function slotOf(node: Pattern, c: Context, binds: boolean): number {
  if (node.type !== "Identifier") return -1;
  if (!binds) return isConstant(node.name, c) ? -1 : plainLocal(node.name, node.start, c);
  const r = c.resolve(node.name);
  return r === undefined || r.binding.captured ? -1 : r.binding.slot;
}

type Leaf = ((name: string, c: Context) => Store) | null;

function pattern(node: Pattern, c: Context, leaf: Leaf): Store {
  const n = (node as Expression).type === "ParenthesizedExpression" ? (unparenthesized(node as Expression) as Pattern) : node;
  c.body.enter();
  const s = patternOf(n, c, leaf);
  c.body.leave();
  return s;
}

function patternOf(node: Pattern, c: Context, leaf: Leaf): Store {
  switch (node.type) {
    case "Identifier":
      return leaf === null ? assignVariable(node.name, node, c) : leaf(node.name, c);
    case "MemberExpression": {
      const reference = memberReference(node, c);
      return (f, v) => reference(f)(v);
    }
    case "AssignmentPattern": {
      const target = pattern(node.left, c, leaf);
      const value = defaultValue(node, c);
      return (f, v) => target(f, v === undefined ? value(f) : v);
    }
    case "ObjectPattern":
      return objectPattern(node, c, leaf);
    case "ArrayPattern":
      return arrayPattern(node, c, leaf);
    case "TSParameterProperty":
      return pattern(node.parameter, c, leaf);
    default:
      throw new Error(`no pattern ${node.type}`);
  }
}

/** The default of an AssignmentPattern; an anonymous function takes the target's name. */
export function defaultValue(node: estree.AssignmentPattern, c: Context): Ev {
  return node.left.type === "Identifier" ? namedExpression(node.right, node.left.name, c) : expression(node.right, c);
}

/** A member as a target: object and key are evaluated first, then what it gives takes the value. */
export function memberReference(node: estree.MemberExpression, c: Context): (f: Frame) => (v: Value) => void {
  const site = c.site(node);
  if (node.object.type === "Super") {
    const self = readBinding(c.resolve(NAME_THIS)!, node, c);
    const base = superBase(node, c);
    const name = staticName(node);
    const key = name === undefined ? expression(node.property as Expression, c) : null;
    return (f) => {
      const t = self(f);
      const k = key === null ? name! : key(f);
      const b = base(f);
      return (v) => setSuper(b, keyOf(k), v, t, site);
    };
  }
  const object = expression(node.object, c);
  if (node.property.type === "PrivateIdentifier") {
    const name = privateName(node.property, c);
    const write = privateWrite(site, c);
    return (f) => {
      const o = object(f);
      const n = name(f);
      return (v) => write(o, n, v);
    };
  }
  const name = staticName(node);
  const key = name === undefined ? expression(node.property, c) : null;
  return (f) => {
    const o = object(f);
    const k = key === null ? name! : key(f);
    return (v) => setElement(o, k, v, site);
  };
}

// Objects --------------------------------------------------------------------------------------------------------------------------

function objectPattern(node: estree.ObjectPattern, c: Context, leaf: Leaf): Store {
  const site = c.site(node);
  const last = node.properties.at(-1);
  const hasRest = last !== undefined && last.type === "RestElement";
  const names = node.properties.map((p) => (p.type === "RestElement" || p.computed ? undefined : constantKey(p)));
  // With constant keys only, what a rest leaves out is known.
  const known = names.every((name, i) => name !== undefined || node.properties[i].type === "RestElement")
    ? names.filter((name) => name !== undefined)
    : null;
  const steps = node.properties.map((p) => (p.type === "RestElement" ? restOfObject(p, known, c, leaf) : propertyStep(p, c, leaf)));
  const first = node.properties.find((p) => p.type !== "RestElement");
  const firstName = first === undefined ? undefined : constantKey(first as estree.AssignmentProperty);
  const refuse = (v: Value): never => {
    R.site = site;
    const what = v === null ? "null" : "undefined";
    throwTypeError(
      firstName === undefined
        ? `Cannot destructure '${what}' as it is ${what}.`
        : `Cannot destructure property '${firstName}' of '${what}' as it is ${what}.`,
    );
  };
  if (!hasRest || known !== null) {
    if (steps.length === 1) {
      const [s] = steps;
      return (f, v) => {
        if (v === undefined || v === null) refuse(v);
        s(f, v, null);
      };
    }
    return (f, v) => {
      if (v === undefined || v === null) refuse(v);
      for (let i = 0; i < steps.length; i++) steps[i](f, v, null);
    };
  }
  return (f, v) => {
    if (v === undefined || v === null) refuse(v);
    const seen: Key[] = [];
    for (let i = 0; i < steps.length; i++) steps[i](f, v, seen);
  };
}

type PropertyStep = (f: Frame, source: Value, seen: Key[] | null) => void;

function propertyStep(p: estree.AssignmentProperty, c: Context, leaf: Leaf): PropertyStep {
  const { target: node, fallback } = split(p.value, c);
  const name = p.computed ? undefined : constantKey(p);
  if (name !== undefined && node.type !== "MemberExpression") {
    const cache = c.unit.getCache(name);
    const site = c.site(p);
    const target = pattern(node, c, leaf);
    const slot = slotOf(node, c, leaf !== null);
    const indexed = isIndexName(name);
    return (f, source, seen) => {
      if (seen !== null) seen.push(name);
      R.site = site;
      let v = indexed
        ? getFrom(toObject(source), name, source)
        : typeof source !== "object" || source === null
          ? cache.getValue(source)
          : source.shape === cache.shape
            ? (load(source, cache.slot) as Value)
            : cache.find(source.shape, source, source);
      if (v === undefined && fallback !== null) v = fallback(f);
      if (slot >= 0) f[slot] = v;
      else target(f, v);
    };
  }
  const key = name === undefined ? expression(p.key as Expression, c) : null;
  const keySite = c.site(p);
  const reference = node.type === "MemberExpression" && leaf === null ? memberReference(node, c) : null;
  const target = reference === null ? pattern(node, c, leaf) : null;
  return (f, source, seen) => {
    const raw = key === null ? name! : key(f);
    R.site = keySite;
    const k = keyOf(raw);
    if (seen !== null) seen.push(k);
    const put = reference === null ? null : reference(f);
    let v = getFrom(toObject(source), k, source);
    if (v === undefined && fallback !== null) v = fallback(f);
    if (put !== null) put(v);
    else target!(f, v);
  };
}

function isIndexName(name: string): boolean {
  const ch = name.charCodeAt(0);
  return (ch >= 48 && ch <= 57) || name === "length" || name.startsWith("-") || name === "Infinity" || name === "NaN";
}

/** A target with its default apart. */
export function split(node: Pattern, c: Context): { target: Pattern; fallback: Ev | null } {
  const n = (node as Expression).type === "ParenthesizedExpression" ? (unparenthesized(node as Expression) as Pattern) : node;
  if (n.type === "AssignmentPattern") {
    const left = (n.left as Expression).type === "ParenthesizedExpression" ? (unparenthesized(n.left as Expression) as Pattern) : n.left;
    return { target: left, fallback: defaultValue(n, c) };
  }
  return { target: n, fallback: null };
}

function restOfObject(p: estree.RestElement, excluded: readonly Key[] | null, c: Context, leaf: Leaf): PropertyStep {
  const reference = p.argument.type === "MemberExpression" && leaf === null ? memberReference(p.argument, c) : null;
  const target = reference === null ? pattern(p.argument, c, leaf) : null;
  const cache = excluded === null ? null : c.unit.copyCache(excluded);
  return (f, source, seen) => {
    const put = reference === null ? null : reference(f);
    const o = newObject();
    if (cache !== null) cache.copy(o, source);
    else copyDataProperties(o, source, seen);
    if (put !== null) put(o);
    else target!(f, o);
  };
}

// Arrays ---------------------------------------------------------------------------------------------------------------------------

/** Takes values one by one: from a plain array directly, else by the iterator protocol. */
export class Source {
  private readonly array: GuestObject | null;
  private index = 0;
  /** The end of the array was met: what a target adds to it later is not seen. */
  private atEnd = false;
  readonly record: IteratorRecord | null;
  constructor(v: Value) {
    if (isPlainIterable(v)) {
      this.array = v;
      this.record = null;
    } else {
      this.array = null;
      this.record = getIterator(v);
    }
  }

  /** The array's next element, or HOLE at its end. Targets may have changed it since the last one. */
  private element(array: GuestObject): Value {
    if (this.atEnd) return HOLE;
    if (isPlainIterable(array)) {
      const { d } = array;
      if (this.index < d.length) {
        const v = d[this.index++];
        return v === HOLE ? undefined : v;
      }
    } else if (this.index < lengthOf(array)) return getFrom(array, String(this.index++), array);
    this.atEnd = true;
    return HOLE;
  }

  next(): Value {
    if (this.array !== null) {
      const v = this.element(this.array);
      return v === HOLE ? undefined : v;
    }
    const r = this.record!;
    if (r.done) return undefined;
    const v = iteratorStepValue(r);
    return v === HOLE ? undefined : v;
  }

  rest(): Value[] {
    const out = newElements();
    if (this.array !== null) {
      for (let v = this.element(this.array); v !== HOLE; v = this.element(this.array)) {
        if (--R.fuel < 0) R.run.outOfFuel();
        R.mem -= 8;
        out.push(v);
      }
      return out;
    }
    const r = this.record!;
    while (!r.done) {
      const v = iteratorStepValue(r);
      if (v === HOLE) break;
      R.mem -= 8;
      out.push(v);
    }
    return out;
  }

  /** IteratorClose after a normal completion. */
  close(): void {
    if (this.record !== null && !this.record.done) iteratorClose(this.record);
  }

  /** IteratorClose for the exception `e`, which goes on. */
  fail(e: unknown): never {
    if (this.record !== null && !this.record.done) iteratorCloseThrow(this.record, e);
    throw e;
  }
}

interface Element {
  step: (f: Frame, source: Source) => void;
  /** What takes the value, if nothing of the program's runs for that: a name without a default. */
  put: Store | null;
  isRest: boolean;
}

function arrayPattern(node: estree.ArrayPattern, c: Context, leaf: Leaf): Store {
  const site = c.site(node);
  const elements = node.elements.map((e) => elementOf(e, c, leaf));
  const steps = elements.map(({ step }) => step);
  const general: Store = (f, v) => {
    R.site = site;
    const source = new Source(v);
    try {
      for (let i = 0; i < steps.length; i++) steps[i](f, source);
    } catch (e) {
      source.fail(e);
    }
    source.close();
  };
  const n = elements.length;
  if (elements.some(({ put, isRest }) => put === null || isRest)) return general;
  const puts = elements.map(({ put }) => put!);
  const slots = node.elements.map((e) => (e === null ? -1 : slotOf(e, c, leaf !== null)));
  if (n === 2) {
    // `[key, value]` of nearly all loops: a fifth faster than the loop below.
    const [first, second] = puts;
    const [firstSlot, secondSlot] = slots;
    return (f, v) => {
      if (!isPlainIterable(v)) return general(f, v);
      const { d } = v;
      if (d.length < 2) return general(f, v);
      const a = d[0];
      const b = d[1];
      const x = a === HOLE ? undefined : a;
      if (firstSlot >= 0) f[firstSlot] = x;
      else first(f, x);
      const y = b === HOLE ? undefined : b;
      if (secondSlot >= 0) f[secondSlot] = y;
      else second(f, y);
    };
  }
  return (f, v) => {
    if (!isPlainIterable(v)) return general(f, v);
    const { d } = v;
    for (let i = 0; i < n; i++) {
      const e = i < d.length ? d[i] : undefined;
      const x = e === HOLE ? undefined : e;
      if (slots[i] >= 0) f[slots[i]] = x;
      else puts[i](f, x);
    }
  };
}

const NOTHING: Store = () => {};

function elementOf(e: Pattern | null, c: Context, leaf: Leaf): Element {
  if (e === null) {
    return {
      step: (_f, source) => {
        source.next();
      },
      put: NOTHING,
      isRest: false,
    };
  }
  const isRest = e.type === "RestElement";
  const { target: node, fallback } = split(isRest ? (e as estree.RestElement).argument : e, c);
  const reference = node.type === "MemberExpression" && leaf === null ? memberReference(node, c) : null;
  const target = reference === null ? pattern(node, c, leaf) : null;
  return {
    step: (f, source) => {
      const put = reference === null ? null : reference(f);
      let v: Value = isRest ? newArray(source.rest()) : source.next();
      if (v === undefined && fallback !== null) v = fallback(f);
      if (put !== null) put(v);
      else target!(f, v);
    },
    // A global may have a setter.
    put: node.type === "Identifier" && fallback === null && (leaf !== null || c.resolve(node.name) !== undefined) ? target : null,
    isRest,
  };
}
