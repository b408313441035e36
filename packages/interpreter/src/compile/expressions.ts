// Expressions → closures. What suspends goes to suspend.ts; calls, members, assignments, functions and classes have files of their own.

import { newArray, newElements } from "../array.js";
import { listFromIterable } from "../iterate.js";
import { toNumber, toStr, typeOf } from "../convert.js";
import { throwTypeError } from "../errors.js";
import { deleteProperty, hasPrivate } from "../object.js";
import { numbered } from "../labels.js";
import { bitNot, concat, negate, throwStringLength } from "../operators.js";
import { type CompiledRegExp, compileRegExp, newRegExp } from "../../stdlib/regexp-object.js";
import { R, allocate } from "../run-state.js";
import { type Frame, GuestObject, HOLE, PrivateName, type Value } from "../values.js";
import { assignment, update } from "./assign.js";
import { callExpression, callWith, optionalChain, taggedTemplate } from "./calls.js";
import { newExpression } from "./construct.js";
import { classExpression } from "./classes.js";
import type { Context } from "./context.js";
import { throwNullishIterable } from "./explain.js";
import { functionExpression } from "./functions.js";
import { isAnonymousFunction, unparenthesized, type Expression, type estree } from "./nodes.js";
import { objectLiteral } from "./object-literal.js";
import { APPLY, BINARY, TEST } from "./operators.gen.js";
import { type Local, type Property, type Remainder, deleteMember, memberExpression, propertyOfLocal } from "./property.js";
import { NAME_NEW_TARGET, NAME_THIS } from "./scope.js";
import { suspendExpression } from "./suspend-expressions.js";
import type { Ev, Test } from "./unit.js";
import { localOf, readBinding, readGlobal, readVariable } from "./variables.js";

export function expression(node: Expression, c: Context): Ev {
  c.body.enter();
  const ev = c.suspends(node) ? suspendExpression(node, c) : plain(node, c);
  c.body.leave();
  return ev;
}

/** An expression that gives its name to an anonymous function or class. */
export function namedExpression(node: Expression, name: string, c: Context): Ev {
  if (!isAnonymousFunction(node)) return expression(node, c);
  const inner = unparenthesized(node);
  c.body.enter();
  let ev: Ev;
  if (inner.type === "ClassExpression") ev = classExpression(inner, name, c);
  else ev = functionExpression(inner as estree.FunctionExpression, name, c);
  c.body.leave();
  return ev;
}

function plain(node: Expression, c: Context): Ev {
  switch (node.type) {
    case "Temp": {
      const i = node.slot;
      return (f) => f[i];
    }
    case "Literal":
      return literal(node);
    case "Identifier":
      return readVariable(node.name, node, c);
    case "ThisExpression":
      return readBinding(c.resolve(NAME_THIS)!, node, c);
    case "MetaProperty":
      return readBinding(c.resolve(NAME_NEW_TARGET)!, node, c);
    case "TemplateLiteral":
      return template(node, c);
    case "TaggedTemplateExpression":
      return taggedTemplate(node, c);
    case "ArrayExpression":
      return arrayLiteral(node, c);
    case "ObjectExpression":
      return objectLiteral(node, c);
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return functionExpression(node, node.type === "FunctionExpression" && node.id ? node.id.name : "", c);
    case "ClassExpression":
      return classExpression(node, "", c);
    case "UnaryExpression":
      return unary(node, c);
    case "UpdateExpression":
      return update(node, c);
    case "BinaryExpression":
      return binary(node, c);
    case "LogicalExpression":
      return logical(node, c);
    case "AssignmentExpression":
      return assignment(node, c);
    case "ConditionalExpression": {
      const t = test(node.test, c);
      const a = operand(node.consequent, c);
      const b = operand(node.alternate, c);
      if (isConstant(a) && isConstant(b)) {
        const { value: whenTrue } = a as { value: Value };
        const { value: whenFalse } = b as { value: Value };
        return (f) => (t(f) ? whenTrue : whenFalse);
      }
      const consequent = asEv(closed(a, c));
      const alternate = asEv(closed(b, c));
      return (f) => (t(f) ? consequent(f) : alternate(f));
    }
    case "SequenceExpression": {
      const all = node.expressions.map((e) => expression(e, c));
      const last = all.pop()!;
      return (f) => {
        for (const e of all) e(f);
        return last(f);
      };
    }
    case "MemberExpression":
      return memberExpression(node, c);
    case "CallExpression":
      return callExpression(node, c);
    case "CallWith":
      return callWith(node, c);
    case "NewExpression":
      return newExpression(node, c);
    case "ChainExpression":
      return optionalChain(node, c);
    case "ParenthesizedExpression":
      return expression(node.expression, c);
    case "AwaitExpression":
    case "YieldExpression":
      return suspendExpression(node, c);
    default:
      throw new Error(`no compiler for ${node.type}`);
  }
}

function literal(node: estree.Literal): Ev {
  if (node.regex) {
    const { pattern, flags } = node.regex;
    let compiled: CompiledRegExp | null = null;
    return () => newRegExp((compiled ??= compileRegExp(pattern, flags)));
  }
  if (node.bigint !== undefined && node.bigint !== null) {
    const v = BigInt(node.bigint);
    return () => v;
  }
  const v = node.value as Value;
  return () => v;
}

// Operands -------------------------------------------------------------------------------------------------------------------------

/** The cheapest way to an operand: L a local's slot, N a number, C another constant, P a property of a local, a product of such or a remainder, X a closure. */
export type Operand =
  | { shape: "L"; value: number }
  | { shape: "N"; value: number }
  | { shape: "C"; value: Value }
  | { shape: "X"; value: Ev }
  | { shape: "P"; value: Property; node: estree.MemberExpression }
  | { shape: "(L%N)"; value: Remainder; node: estree.BinaryExpression }
  | { shape: "(LL)" | "(LP)" | "(PL)" | "(PP)" | "(LPL)"; value: readonly (Local | Property)[]; node: estree.BinaryExpression };

export function operand(node: Expression, c: Context): Operand {
  const n = unparenthesized(node);
  const slot = localOf(n, c);
  if (slot >= 0) return { shape: "L", value: slot };
  if (n.type === "MemberExpression" && !c.suspends(n)) {
    const property = propertyOfLocal(n, c);
    if (property !== null) return { shape: "P", value: property, node: n };
  } else if (n.type === "Literal" && !n.regex && typeof n.bigint !== "string") {
    if (typeof n.value === "number") return { shape: "N", value: n.value };
    return { shape: "C", value: n.value as Value };
  } else if (n.type === "UnaryExpression" && n.operator === "-" && n.argument.type === "Literal" && typeof n.argument.value === "number") {
    return { shape: "N", value: -n.argument.value };
  }
  return { shape: "X", value: expression(n, c) };
}

/** An operand of `operator`, which may have forms for such. */
export function term(node: Expression, operator: string, c: Context): Operand {
  const n = unparenthesized(node);
  return (n.type === "BinaryExpression" ? inPlace(n, operator, c) : null) ?? operand(n, c);
}

/** An operation that `operator` does itself, without a closure for its operand; null for others. */
function inPlace(node: estree.BinaryExpression, operator: string, c: Context): Operand | null {
  if (operator === "+" || operator === "-") return node.operator === "*" ? productOf(node, c) : null;
  return (operator === "===" || operator === "!==") && node.operator === "%" ? remainderOf(node, c) : null;
}

function remainderOf(node: estree.BinaryExpression, c: Context): Operand | null {
  const slot = localOf(node.left as Expression, c);
  const right = slot < 0 ? null : operand(node.right, c);
  return right?.shape === "N" ? { shape: "(L%N)", value: { slot, divisor: right.value }, node } : null;
}

const PRODUCTS: ReadonlySet<string> = new Set(["(LL)", "(LP)", "(PL)", "(PP)", "(LPL)"]);

/** A product of locals and properties of locals, of a shape that there are forms for; else null. */
function productOf(node: estree.BinaryExpression, c: Context): Operand | null {
  const factors: Expression[] = [];
  let n: Expression = node;
  while (n.type === "BinaryExpression" && n.operator === "*" && factors.length < 3) {
    factors.unshift(n.right);
    n = unparenthesized(n.left as Expression);
  }
  factors.unshift(n);
  const operands = factors.map((factor) => factorOf(unparenthesized(factor), c));
  const shape = `(${operands.map((o) => (o === null ? "X" : "cache" in o ? "P" : "L")).join("")})`;
  return PRODUCTS.has(shape) ? ({ shape, value: operands, node } as Operand) : null;
}

function factorOf(node: Expression, c: Context): Local | Property | null {
  const slot = localOf(node, c);
  if (slot >= 0) return { slot };
  return node.type === "MemberExpression" ? propertyOfLocal(node, c) : null;
}

/** The closure of an operator, from the table's form for the operands' shapes; operands that it has none for become closures. */
function build<T>(table: { readonly [shape: string]: (l: never, r: never) => T }, l: Operand, r: Operand, c: Context): T {
  let left = table.XN === undefined ? asConstant(l) : l;
  let right = table.XN === undefined ? asConstant(r) : r;
  if (isConstant(left) && isConstant(right)) left = { shape: "X", value: asEv(left) }; // two constants: rare enough to have no shape
  if (table[left.shape + right.shape] === undefined) left = closed(left, c);
  if (table[left.shape + right.shape] === undefined) right = closed(right, c);
  return table[left.shape + right.shape](left.value as never, right.value as never);
}

const isConstant = (o: Operand): boolean => o.shape === "C" || o.shape === "N";

function asConstant(o: Operand): Operand {
  return o.shape === "N" ? { shape: "C", value: o.value } : o;
}

/** A property of a local, or a product, as a closure. */
function closed(o: Operand, c: Context): Operand {
  return "node" in o ? { shape: "X", value: o.shape === "P" ? memberExpression(o.node, c) : expression(o.node, c) } : o;
}

function binary(node: estree.BinaryExpression, c: Context): Ev {
  if (node.left.type === "PrivateIdentifier") return privateIn(node, c);
  // Left-deep chains are built from the inside out, without recursion.
  const nodes: estree.BinaryExpression[] = [node];
  let left: estree.Expression = node.left;
  while (left.type === "BinaryExpression" && !c.suspends(left) && left.left.type !== "PrivateIdentifier") {
    nodes.push(left);
    left = left.left as estree.Expression;
  }
  let ev: Operand = operand(left, c);
  const flat = nodes.length > 40 ? flatChain(nodes, ev, c) : null;
  if (flat !== null) return flat;
  for (let i = nodes.length - 1; i >= 0; i--) {
    c.body.enter();
    const n = nodes[i];
    const part = i > 0 ? inPlace(n, nodes[i - 1].operator, c) : null;
    ev = part ?? { shape: "X", value: binaryOf(n, ev, term(n.right, n.operator, c), c) };
  }
  c.body.leave(nodes.length);
  return (ev as { value: Ev }).value;
}

function binaryOf(node: estree.BinaryExpression, l: Operand, r: Operand, c: Context): Ev {
  if (node.operator === "instanceof" || node.operator === "in") {
    const site = c.site(node);
    const ev = build(BINARY[node.operator], l, r, c);
    return (f) => {
      R.site = site;
      return ev(f);
    };
  }
  return build(BINARY[node.operator], l, r, c);
}

/** A long chain as a loop, so that the host's stack does not grow with it. */
function flatChain(nodes: estree.BinaryExpression[], first: Operand, c: Context): Ev {
  const start = asEv(closed(first, c));
  const steps = nodes.reverse().map((n) => ({ apply: APPLY[n.operator], right: expression(n.right, c) }));
  return (f) => {
    let v = start(f);
    for (const s of steps) v = s.apply(v, s.right(f));
    return v;
  };
}

function asEv(o: Operand): Ev {
  switch (o.shape) {
    case "L": {
      const i = o.value;
      return (f) => f[i];
    }
    case "X":
      return o.value;
    case "N":
    case "C": {
      const v = o.value;
      return () => v;
    }
    default:
      throw new Error("such an operand is closed first");
  }
}

function privateIn(node: estree.BinaryExpression, c: Context): Ev {
  const name = readBinding(c.resolve(`#${(node.left as estree.PrivateIdentifier).name}`)!, node.left, c);
  const right = expression(node.right, c);
  const site = c.site(node);
  return (f) => {
    const o = right(f);
    if (typeof o !== "object" || o === null) {
      R.site = site;
      throwTypeError("Cannot use 'in' operator to search for a private field in what is no object");
    }
    return hasPrivate(o, name(f) as unknown as PrivateName);
  };
}

function logical(node: estree.LogicalExpression, c: Context): Ev {
  // Chains of one operator are flat.
  const terms: estree.Expression[] = [];
  let left: estree.Expression = node;
  while (left.type === "LogicalExpression" && left.operator === node.operator && !c.suspends(left)) {
    terms.push(left.right);
    left = left.left;
  }
  terms.push(left);
  terms.reverse();
  const evs = terms.map((t) => expression(t, c));
  if (evs.length === 2) {
    const [a, b] = evs;
    switch (node.operator) {
      case "&&":
        return (f) => a(f) && b(f);
      case "||":
        return (f) => a(f) || b(f);
      default:
        return (f) => a(f) ?? b(f);
    }
  }
  const last = evs.pop()!;
  switch (node.operator) {
    case "&&":
      return (f) => {
        for (const e of evs) {
          const v = e(f);
          if (!v) return v;
        }
        return last(f);
      };
    case "||":
      return (f) => {
        for (const e of evs) {
          const v = e(f);
          if (v) return v;
        }
        return last(f);
      };
    default:
      return (f) => {
        for (const e of evs) {
          const v = e(f);
          if (v !== undefined && v !== null) return v;
        }
        return last(f);
      };
  }
}

/** An expression as a condition. */
export function test(node: Expression, c: Context): Test {
  const n = unparenthesized(node);
  if (!c.suspends(n)) {
    if (n.type === "BinaryExpression" && n.left.type !== "PrivateIdentifier" && TEST[n.operator] !== undefined) {
      c.body.enter();
      const t = build(TEST[n.operator], term(n.left, n.operator, c), term(n.right, n.operator, c), c);
      c.body.leave();
      return t;
    }
    if (n.type === "UnaryExpression" && n.operator === "!") {
      const t = test(n.argument, c);
      return (f) => !t(f);
    }
    if (n.type === "LogicalExpression" && n.operator !== "??" && !(n.left.type === "LogicalExpression" && n.left.operator === n.operator)) {
      const a = test(n.left, c);
      const b = test(n.right, c);
      return n.operator === "&&" ? (f) => a(f) && b(f) : (f) => a(f) || b(f);
    }
    const slot = localOf(n, c);
    if (slot >= 0) return (f) => !!f[slot];
  }
  const ev = expression(n, c);
  return (f) => !!ev(f);
}

// Unary ----------------------------------------------------------------------------------------------------------------------------

function unary(node: estree.UnaryExpression, c: Context): Ev {
  const argument = node.argument;
  switch (node.operator) {
    case "!": {
      const t = test(argument, c);
      return (f) => !t(f);
    }
    case "-": {
      if (argument.type === "Literal" && typeof argument.value === "number") {
        const k = -argument.value;
        return () => k;
      }
      const e = expression(argument, c);
      return (f) => {
        const v = e(f);
        return typeof v === "number" ? -v : negate(v);
      };
    }
    case "+": {
      const e = expression(argument, c);
      return (f) => {
        const v = e(f);
        return typeof v === "number" ? v : toNumber(v);
      };
    }
    case "~": {
      const e = expression(argument, c);
      return (f) => {
        const v = e(f);
        return typeof v === "number" ? ~v : bitNot(v);
      };
    }
    case "void": {
      const e = expression(argument, c);
      return (f) => {
        e(f);
        return undefined;
      };
    }
    case "typeof": {
      const inner = unparenthesized(argument);
      if (inner.type === "Identifier" && c.resolve(inner.name) === undefined) {
        const read = readGlobal(inner.name, inner, c, true);
        return (f) => typeOf(read(f));
      }
      const e = expression(argument, c);
      return (f) => typeOf(e(f));
    }
    case "delete":
      return deletion(unparenthesized(argument), c);
  }
}

function deletion(target: Expression, c: Context): Ev {
  if (target.type === "MemberExpression") return deleteMember(target, c);
  if (target.type === "ChainExpression") return optionalChain(target, c, true);
  const e = expression(target, c);
  return (f) => {
    e(f);
    return true;
  };
}

/** `delete o[key]` in strict code: a refusal throws. */
export function deleteOrThrow(o: GuestObject, key: string | symbol): boolean {
  if (!deleteProperty(o, key)) throwTypeError(`Cannot delete property '${String(key)}' of an object`);
  return true;
}

// Templates and arrays ----------------------------------------------------------------------------------------------------------------

function template(node: estree.TemplateLiteral, c: Context): Ev {
  const texts = node.quasis.map((q) => q.value.cooked as string);
  const parts = node.expressions.map((e) => expression(e, c));
  const site = c.site(node);
  if (parts.length === 0) {
    const text = texts[0];
    return () => text;
  }
  if (parts.length === 1) {
    const [before, after] = texts;
    const part = parts[0];
    if (after === "") {
      return (f) => {
        const v = part(f);
        return typeof v === "number" ? numbered(before, v, concat) : concat(before, typeof v === "string" ? v : textAt(v, site));
      };
    }
    return (f) => {
      const v = part(f);
      const text = typeof v === "string" ? v : typeof v === "number" ? `${v}` : textAt(v, site);
      const n = before.length + text.length + after.length;
      if (n > R.stringLength) throwStringLength();
      if ((R.mem -= 32 + n) < 0) R.run.outOfMemory();
      return before + text + after;
    };
  }
  const n = parts.length;
  return (f) => {
    let out = texts[0];
    for (let i = 0; i < n; i++) {
      const v = parts[i](f);
      const text = typeof v === "string" ? v : typeof v === "number" ? `${v}` : textAt(v, site);
      out = out.length + text.length < 1024 ? out + text + texts[i + 1] : concat(concat(out, text), texts[i + 1]);
    }
    if (out.length > R.stringLength) throwStringLength();
    R.mem -= 32 + (out.length < 1024 ? out.length : 0); // longer ones have been counted
    return out;
  };
}

function textAt(v: Value, site: number): string {
  R.site = site;
  return toStr(v);
}

function arrayLiteral(node: estree.ArrayExpression, c: Context): Ev {
  const parts = elementsOf(node.elements, c);
  if (parts.spread === null) {
    const evs = parts.evs;
    switch (evs.length) {
      case 0:
        return () => newArray(newElements());
      case 1: {
        const [a] = evs;
        return (f) => {
          const d: Value[] = [HOLE];
          d[0] = a(f);
          return newArray(d);
        };
      }
      case 2: {
        const [a, b] = evs;
        return (f) => {
          const d: Value[] = [HOLE, HOLE];
          d[0] = a(f);
          d[1] = b(f);
          return newArray(d);
        };
      }
      case 3: {
        const [a, b, e] = evs;
        return (f) => {
          const d: Value[] = [HOLE, HOLE, HOLE];
          d[0] = a(f);
          d[1] = b(f);
          d[2] = e(f);
          return newArray(d);
        };
      }
    }
    return (f) => {
      const d = newElements();
      for (let i = 0; i < evs.length; i++) d.push(evs[i](f));
      return newArray(d);
    };
  }
  const list = parts.spread;
  return (f) => newArray(list(f));
}

/**
 * A list of elements or arguments. `list` gives them all. `spread` is null if there is none; then `evs` are the elements (HOLE for holes).
 */
export function elementsOf(
  nodes: readonly (Expression | estree.SpreadElement | null)[],
  c: Context,
): { evs: Ev[]; spread: ((f: Frame) => Value[]) | null; list: (f: Frame) => Value[] } {
  const site = nodes.length > 0 ? c.site(nodes.find((n) => n !== null && n.type === "SpreadElement") ?? nodes[0] ?? { start: 0 }) : 0;
  let spreads = false;
  const evs = nodes.map((n): Ev => {
    if (n === null) return () => HOLE;
    if (n.type === "SpreadElement") {
      spreads = true;
      return expression(n.argument, c);
    }
    return expression(n, c);
  });
  if (!spreads) {
    const list = (f: Frame): Value[] => {
      const d = newElements();
      for (let i = 0; i < evs.length; i++) d.push(evs[i](f));
      return d;
    };
    return { evs, spread: null, list };
  }
  const isSpread = nodes.map((n) => n !== null && n.type === "SpreadElement");
  const spread = (f: Frame): Value[] => {
    const d = newElements();
    for (let i = 0; i < evs.length; i++) {
      const v = evs[i](f);
      if (!isSpread[i]) d.push(v);
      else if (v === undefined || v === null) throwNullishIterable(site, f, (nodes[i] as estree.SpreadElement).argument as Expression, c);
      else spreadInto(d, v, site);
    }
    return d;
  };
  return { evs, spread, list: spread };
}

/** Appends what an iterable gives. */
export function spreadInto(d: Value[], v: Value, site: number): void {
  R.site = site;
  const list = listFromIterable(v);
  if (d.length + list.length > R.arrayLength) throwTypeError(`A list may have at most ${R.arrayLength} elements here`);
  allocate(8 * list.length);
  for (let i = 0; i < list.length; i++) d.push(list[i]);
}
