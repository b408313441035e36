// Expressions with an `await` or a `yield` inside. Operands up to the last one that suspends are evaluated in order into slots of the
// frame; what remains is the plain expression over these slots. A state slot says which operand is next when the frame is entered again.

import { newArray } from "../array.js";
import { toStr } from "../convert.js";
import { listFromIterable } from "../iterate.js";
import { newObject } from "../object.js";
import { R } from "../run-state.js";
import { SHORT, splitCallee, templateObject } from "./calls.js";
import { classExpression } from "./classes.js";
import type { Context } from "./context.js";
import { expression } from "./expressions.js";
import { keyOf } from "./keys.js";
import { isAnonymousFunction, temp, unparenthesized, type CallWith, type Expression, type Temp, type estree } from "./nodes.js";
import { copyDataProperties } from "./copy.js";
import { suspendAssignPattern } from "./suspend-patterns.js";
import { awaitExpression, yieldDelegate, yieldExpression } from "./suspend-points.js";
import { type Ev, SUSPEND } from "./unit.js";

/** A step of a sequence: its value goes to the slot, if there is one. */
export interface Step {
  ev: Ev;
  slot: number;
}

/** Runs steps in order, then the rest; goes on where it was. `st` is the state's slot. */
export function inOrder(st: number, steps: Step[], rest: Ev): Ev {
  if (steps.length === 1) {
    const [{ ev, slot }] = steps;
    return (f) => {
      const v = ev(f);
      if (v === SUSPEND) return SUSPEND;
      if (slot >= 0) f[slot] = v;
      return rest(f);
    };
  }
  return (f) => {
    let i = (f[st] as number) | 0;
    for (; i < steps.length; i++) {
      const s = steps[i];
      const v = s.ev(f);
      if (v === SUSPEND) {
        f[st] = i;
        return SUSPEND;
      }
      if (s.slot >= 0) f[s.slot] = v;
    }
    f[st] = undefined;
    return rest(f);
  };
}

/** Collects operands in order; gives back the nodes that read them. */
class Operands {
  readonly st: number;
  readonly steps: Step[] = [];
  private readonly c: Context;
  constructor(c: Context) {
    this.c = c;
    this.st = c.newSlot();
  }

  /** The operand evaluated now. Constants are left where they are. */
  take(node: Expression): Temp {
    const ev = expression(node, this.c);
    const slot = this.c.newSlot();
    this.steps.push({ ev, slot });
    return temp(slot, node);
  }

  takeEv(ev: Ev, node: estree.Node, slot = this.c.newSlot()): Temp {
    this.steps.push({ ev, slot });
    return temp(slot, node);
  }

  done(rest: Expression): Ev {
    return inOrder(this.st, this.steps, expression(rest, this.c));
  }
}

const as = <T>(node: Temp): T => node as unknown as T; // a Temp stands where any expression may stand

/** The list with all items up to the last that suspends taken. Spreads stay spreads over what was taken. */
function takeList<T extends Expression | estree.SpreadElement | null>(list: readonly T[], operands: Operands, c: Context): T[] {
  let last = -1;
  list.forEach((n, i) => {
    if (n !== null && c.suspends(n)) last = i;
  });
  return list.map((n, i) => {
    if (n === null || i > last) return n;
    if (n.type === "SpreadElement") {
      const list = operands.takeEv(spreadList(expression(n.argument, c), c.site(n)), n);
      return { ...n, argument: as<estree.Expression>(list) } as T;
    }
    return operands.take(n as Expression) as unknown as T;
  });
}

/** A spread is iterated at its turn, not when the list is built. */
function spreadList(ev: Ev, site: number): Ev {
  return (f) => {
    const v = ev(f);
    if (v === SUSPEND) return SUSPEND;
    R.site = site;
    return newArray(listFromIterable(v));
  };
}

export function suspendExpression(node: Expression, c: Context): Ev {
  switch (node.type) {
    case "AwaitExpression":
      return awaitExpression(node, c);
    case "YieldExpression":
      return node.delegate ? yieldDelegate(node, c) : yieldExpression(node, c);
    case "ParenthesizedExpression":
      return expression(node.expression, c);
    case "ConditionalExpression":
      return conditional(node, c);
    case "LogicalExpression":
      return logical(node, c);
    case "SequenceExpression": {
      const st = c.newSlot();
      const all = node.expressions.map((e) => expression(e, c));
      const last = all.pop()!;
      return lastOf(
        st,
        all.map((ev) => ({ ev, slot: -1 })),
        last,
      );
    }
    case "BinaryExpression":
      return binary(node, c);
    case "UnaryExpression":
      if (node.operator === "delete" || (node.operator === "typeof" && node.argument.type === "Identifier")) return suspendDelete(node, c);
      return oneOperand(node.argument, (t) => ({ ...node, argument: t }) as Expression, c);
    case "UpdateExpression":
      return suspendUpdate(node, c);
    case "MemberExpression":
      return member(node, c);
    case "CallExpression":
      return call(node, c);
    case "NewExpression": {
      const o = new Operands(c);
      const callee = o.take(node.callee);
      const args = takeList(node.arguments, o, c);
      return o.done({ ...node, callee: as<estree.Expression>(callee), arguments: args });
    }
    case "TemplateLiteral": {
      const o = new Operands(c);
      const parts = takeTexts(node.expressions, o, c);
      return o.done({ ...node, expressions: parts });
    }
    case "TaggedTemplateExpression": {
      const o = new Operands(c);
      const { fn, self } = takeCallee(node.tag, o, c);
      const object = templateObject(node.quasi);
      const first = o.takeEv(() => object(), node.quasi);
      const args = takeList(node.quasi.expressions, o, c);
      return o.done({
        type: "CallWith",
        callee: fn,
        receiver: self,
        arguments: [first, ...args],
        written: node,
        start: node.start,
        end: node.end,
      });
    }
    case "ArrayExpression": {
      const o = new Operands(c);
      const elements = takeList(node.elements, o, c);
      return o.done({ ...node, elements });
    }
    case "ObjectExpression":
      return objectLiteral(node, c);
    case "ChainExpression":
      return chain(node, c);
    case "AssignmentExpression":
      return assignment(node, c);
    case "ClassExpression":
      return classExpression(node, "", c);
    case "CallWith": {
      const o = new Operands(c);
      const args = takeList(node.arguments, o, c);
      return o.done({ ...node, arguments: args });
    }
    default:
      throw new Error(`no compiler for a suspending ${node.type}`);
  }
}

/** Like `inOrder`, where the last expression may suspend too. */
function lastOf(st: number, steps: Step[], last: Ev): Ev {
  const n = steps.length;
  return (f) => {
    let i = (f[st] as number) | 0;
    for (; i < n; i++) {
      const v = steps[i].ev(f);
      if (v === SUSPEND) {
        f[st] = i;
        return SUSPEND;
      }
      if (steps[i].slot >= 0) f[steps[i].slot] = v;
    }
    const v = last(f);
    if (v === SUSPEND) {
      f[st] = n;
      return SUSPEND;
    }
    f[st] = undefined;
    return v;
  };
}

function oneOperand(operand: Expression, rebuild: (t: estree.Expression) => Expression, c: Context): Ev {
  const o = new Operands(c);
  const t = o.take(operand);
  return o.done(rebuild(as(t)));
}

/** Parts of a template become texts at their turn. */
function takeTexts(list: estree.Expression[], o: Operands, c: Context): estree.Expression[] {
  let last = -1;
  list.forEach((n, i) => {
    if (c.suspends(n)) last = i;
  });
  return list.map((n, i) => {
    if (i > last) return n;
    if (i === last) return as(o.take(n));
    const ev = expression(n, c);
    const site = c.site(n);
    return as(
      o.takeEv((f) => {
        const v = ev(f);
        if (v === SUSPEND) return SUSPEND;
        R.site = site;
        return typeof v === "string" ? v : toStr(v);
      }, n),
    );
  });
}

// Branches -------------------------------------------------------------------------------------------------------------------------

function conditional(node: estree.ConditionalExpression, c: Context): Ev {
  const st = c.newSlot();
  const t = expression(node.test, c);
  const a = expression(node.consequent, c);
  const b = expression(node.alternate, c);
  return (f) => {
    let state = f[st];
    if (state === undefined) {
      const v = t(f);
      if (v === SUSPEND) return SUSPEND;
      state = v ? 1 : 2;
    }
    const v = state === 1 ? a(f) : b(f);
    f[st] = v === SUSPEND ? state : undefined;
    return v;
  };
}

function logical(node: estree.LogicalExpression, c: Context): Ev {
  const st = c.newSlot();
  const left = expression(node.left, c);
  const right = expression(node.right, c);
  const operator = node.operator;
  return (f) => {
    if (f[st] === undefined) {
      const v = left(f);
      if (v === SUSPEND) return SUSPEND;
      if (operator === "&&" ? !v : operator === "||" ? !!v : v !== undefined && v !== null) return v;
    }
    const v = right(f);
    f[st] = v === SUSPEND ? 1 : undefined;
    return v;
  };
}

function binary(node: estree.BinaryExpression, c: Context): Ev {
  if (node.left.type === "PrivateIdentifier") return oneOperand(node.right, (t) => ({ ...node, right: t }), c);
  const o = new Operands(c);
  const left = o.take(node.left);
  if (!c.suspends(node.right)) return o.done({ ...node, left: as<estree.Expression>(left) });
  const right = o.take(node.right);
  return o.done({ ...node, left: as<estree.Expression>(left), right: as<estree.Expression>(right) });
}

// References -----------------------------------------------------------------------------------------------------------------------

/** Object and key of a member, taken; the member over what was taken. */
function takeMember(node: estree.MemberExpression, o: Operands): estree.MemberExpression {
  let out = node;
  if (node.object.type !== "Super") out = { ...out, object: as<estree.Expression>(o.take(node.object)) };
  if (node.computed && node.property.type !== "PrivateIdentifier") out = { ...out, property: as<estree.Expression>(o.take(node.property)) };
  return out;
}

function member(node: estree.MemberExpression, c: Context): Ev {
  const o = new Operands(c);
  return o.done(takeMember(node, o));
}

function suspendDelete(node: estree.UnaryExpression, c: Context): Ev {
  const target = unparenthesized(node.argument);
  if (target.type === "MemberExpression") {
    const o = new Operands(c);
    return o.done({ ...node, argument: takeMember(target, o) });
  }
  return oneOperand(target, (t) => ({ ...node, argument: t }), c);
}

function suspendUpdate(node: estree.UpdateExpression, c: Context): Ev {
  const target = unparenthesized(node.argument) as estree.MemberExpression;
  const o = new Operands(c);
  return o.done({ ...node, argument: takeMember(target, o) });
}

function assignment(node: estree.AssignmentExpression, c: Context): Ev {
  const target = unparenthesized(node.left as Expression);
  const { operator } = node;
  if (target.type === "Identifier") {
    if (operator === "=") return oneOperand(node.right, (t) => ({ ...node, right: t }), c);
    if (isLogical(operator)) return logicalAssignment(node, target, [], c);
    const o = new Operands(c);
    const old = o.take(target);
    const right = o.take(node.right);
    return o.done({ ...node, operator: "=", right: binaryOf(operator, old, right, node) });
  }
  if (target.type === "MemberExpression") {
    const o = new Operands(c);
    const reference = takeMember(target, o);
    if (operator === "=") {
      if (!c.suspends(node.right)) return o.done({ ...node, left: reference });
      const right = o.take(node.right);
      return o.done({ ...node, left: reference, right: as(right) });
    }
    if (isLogical(operator)) return logicalAssignment(node, reference, o.steps, c, o.st);
    if (!c.suspends(node.right)) return o.done({ ...node, left: reference });
    const old = o.take(reference);
    const right = o.take(node.right);
    return o.done({ ...node, operator: "=", left: reference, right: binaryOf(operator, old, right, node) });
  }
  const st = c.newSlot();
  const value = c.newSlot();
  const right = expression(node.right, c);
  const put = suspendAssignPattern(node.left as estree.Pattern, value, c);
  return (f) => {
    if (f[st] === undefined) {
      const v = right(f);
      if (v === SUSPEND) return SUSPEND;
      f[value] = v;
    }
    const r = put(f);
    if (r === SUSPEND) {
      f[st] = 1;
      return SUSPEND;
    }
    f[st] = undefined;
    return f[value];
  };
}

function isLogical(operator: string): boolean {
  return operator === "&&=" || operator === "||=" || operator === "??=";
}

function binaryOf(operator: string, left: Temp, right: Temp, at: estree.Node): estree.Expression {
  return {
    type: "BinaryExpression",
    operator: operator.slice(0, -1),
    left: as(left),
    right: as(right),
    start: at.start,
    end: at.end,
  } as estree.BinaryExpression;
}

function logicalAssignment(
  node: estree.AssignmentExpression,
  reference: estree.Identifier | estree.MemberExpression,
  steps: Step[],
  c: Context,
  st0 = c.newSlot(),
): Ev {
  const logicalNode = {
    type: "LogicalExpression",
    operator: node.operator.slice(0, -1),
    left: reference,
    right: { ...node, operator: "=", left: reference },
    start: node.start,
    end: node.end,
  } as unknown as estree.LogicalExpression;
  const left = expression(reference, c);
  const inner = assignTaken(logicalNode.right as estree.AssignmentExpression, c);
  const { operator } = logicalNode;
  const st = c.newSlot();
  const rest: Ev = (f) => {
    if (f[st] === undefined) {
      const v = left(f);
      if (operator === "&&" ? !v : operator === "||" ? !!v : v !== undefined && v !== null) return v;
    }
    const v = inner(f);
    f[st] = v === SUSPEND ? 1 : undefined;
    return v;
  };
  return steps.length === 0 ? rest : lastOf(st0, steps, rest);
}

/** `reference = right` where the reference's parts are taken already. */
function assignTaken(node: estree.AssignmentExpression, c: Context): Ev {
  if (!c.suspends(node.right)) return expression(node, c);
  const o = new Operands(c);
  const right = o.take(node.right);
  return o.done({ ...node, right: as(right) });
}

// Calls, chains, literals ------------------------------------------------------------------------------------------------------------

function call(node: estree.CallExpression, c: Context): Ev {
  const o = new Operands(c);
  if (node.callee.type === "Super") {
    const args = takeList(node.arguments, o, c);
    return o.done({ ...node, arguments: args });
  }
  const callee = unparenthesized(node.callee as Expression);
  if (!node.arguments.some((n) => c.suspends(n))) {
    if (callee.type === "MemberExpression") return o.done({ ...node, callee: takeMember(callee, o) });
    return o.done({ ...node, callee: as<estree.Expression>(o.take(callee)) });
  }
  const { fn, self } = takeCallee(callee, o, c);
  const args = takeList(node.arguments, o, c);
  return o.done(callOf(fn, self, args, node));
}

/** A callee or a tag, and the receiver if it is a member. */
function takeCallee(node: Expression, o: Operands, c: Context): { fn: Temp; self: Temp | null } {
  const callee = unparenthesized(node);
  if (callee.type !== "MemberExpression") return { fn: o.take(callee), self: null };
  const link = splitCallee(takeMember(callee, o), c);
  return { fn: o.takeEv(link.fn, callee), self: temp(link.self, callee) };
}

function callOf(
  callee: Temp,
  receiver: Temp | null,
  args: (Expression | estree.SpreadElement)[],
  written: estree.CallExpression,
): CallWith {
  return { type: "CallWith", callee, receiver, arguments: args, written, start: written.start, end: written.end };
}

/** An optional chain that suspends: each link in turn, ending early with undefined. */
function chain(node: estree.ChainExpression, c: Context): Ev {
  const ev = link(node.expression as Expression, c);
  return (f) => {
    const v = ev.value(f);
    return v === SHORT ? undefined : v;
  };
}

interface Link {
  value: Ev;
  /** Slot of the receiver, for a call of this member. */
  self: number;
}

function link(node: Expression, c: Context): Link {
  const n = unparenthesized(node);
  if (n.type === "MemberExpression" && n.object.type !== "Super") {
    const object = link(n.object, c);
    const st = c.newSlot();
    const self = c.newSlot();
    const rest = expression(rewritten({ ...n, object: as<estree.Expression>(temp(self, n.object)), optional: false }, [n.property], c), c);
    const { optional } = n;
    return {
      self,
      value: (f) => {
        if (f[st] === undefined) {
          const v = object.value(f);
          if (v === SUSPEND || v === SHORT) return v;
          if (optional && (v === undefined || v === null)) return SHORT;
          f[self] = v;
        }
        const v = rest(f);
        f[st] = v === SUSPEND ? 1 : undefined;
        return v;
      },
    };
  }
  if (n.type === "CallExpression" && n.callee.type !== "Super") {
    const callee = link(n.callee as Expression, c);
    const st = c.newSlot();
    const fn = c.newSlot();
    const rest = expression(
      rewritten(callOf(temp(fn, n.callee), callee.self < 0 ? null : temp(callee.self, n.callee), n.arguments, n), n.arguments, c),
      c,
    );
    const { optional } = n;
    return {
      self: -1,
      value: (f) => {
        if (f[st] === undefined) {
          const v = callee.value(f);
          if (v === SUSPEND || v === SHORT) return v;
          if (optional && (v === undefined || v === null)) return SHORT;
          f[fn] = v;
        }
        const v = rest(f);
        f[st] = v === SUSPEND ? 1 : undefined;
        return v;
      },
    };
  }
  return { self: -1, value: expression(n, c) };
}

/** A node that was put together anew suspends if one of its parts does. */
function rewritten<T extends Expression>(node: T, parts: readonly estree.Node[], c: Context): T {
  if (parts.some((p) => c.suspends(p as Expression))) c.unit.analysis.suspending.add(node);
  return node;
}

function objectLiteral(node: estree.ObjectExpression, c: Context): Ev {
  // Keys, values and spreads up to the last that suspends are taken; a spread is copied when the object is built.
  const o = new Operands(c);
  let last = -1;
  node.properties.forEach((p, i) => {
    if (c.suspends(p)) last = i;
  });
  const properties = node.properties.map((p, i) => {
    if (i > last) return p;
    if (p.type === "SpreadElement") {
      const ev = expression(p.argument, c);
      const t = o.takeEv((f) => {
        const v = ev(f);
        if (v === SUSPEND) return SUSPEND;
        const copy = newObject();
        copyDataProperties(copy, v, null);
        return copy;
      }, p);
      return { ...p, argument: as<estree.Expression>(t) };
    }
    let out = p;
    if (p.computed) {
      const key = keyTaken(p.key as Expression, o, c);
      out = { ...out, key: as<estree.Expression>(key) };
    }
    if (p.kind === "init" && !p.method && !isAnonymousFunction(p.value))
      out = { ...out, value: as<estree.Expression>(o.take(p.value)), shorthand: false };
    return out;
  });
  return o.done({ ...node, properties });
}

function keyTaken(key: Expression, o: Operands, c: Context): Temp {
  const ev = expression(key, c);
  return o.takeEv((f) => {
    const v = ev(f);
    return v === SUSPEND ? SUSPEND : keyOf(v);
  }, key);
}
