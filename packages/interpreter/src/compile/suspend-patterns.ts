// Destructuring with an `await` or a `yield` inside: the steps of a pattern in order, each re-entrant. The value is in a slot; a step
// gives SUSPEND or undefined.

import { newArray } from "../array.js";
import { toObject } from "../convert.js";
import { GuestThrow, throwTypeError } from "../errors.js";
import { getFrom, newObject } from "../object.js";
import { R } from "../run-state.js";
import { type Frame, type Key, type Value } from "../values.js";
import type { Context } from "./context.js";
import { expression, namedExpression } from "./expressions.js";
import { keyOf } from "./keys.js";
import { isAnonymousFunction, temp, unparenthesized, type Expression, type Node, type Pattern, type estree } from "./nodes.js";
import { copyDataProperties } from "./copy.js";
import { constantKey } from "./object-literal.js";
import { Source, assignPattern, bindPattern, memberReference, slotOf } from "./patterns.js";
import { isSeen } from "./statements.js";
import { suspendSequence } from "./suspend-statements.js";
import { type Ev, SUSPEND } from "./unit.js";

/** Assigns the value in the slot `held`. */
export function suspendAssignPattern(node: Pattern, held: number, c: Context): Ev {
  return pattern(node, held, c, false);
}

/** Gives a pattern's names their first value from the slot `held`. */
export function suspendBindPattern(node: Pattern, held: number, c: Context): Ev {
  return pattern(node, held, c, true);
}

function pattern(node: Pattern, held: number, c: Context, binds: boolean): Ev {
  if (!c.suspends(node as Node)) {
    const slot = slotOf(node, c, binds);
    if (slot >= 0) {
      return (f) => {
        f[slot] = f[held];
        return undefined;
      };
    }
    const put = binds ? bindPattern(node, c) : assignPattern(node, c);
    return (f) => {
      put(f, f[held]);
      return undefined;
    };
  }
  switch (node.type) {
    case "AssignmentPattern": {
      const st = c.newSlot();
      return suspendSequence([withDefault(node, held, c), pattern(node.left, held, c, binds)], c, st);
    }
    case "ObjectPattern":
      return objectPattern(node, held, c, binds);
    case "ArrayPattern":
      return arrayPattern(node, held, c, binds);
    case "MemberExpression": {
      const st = c.newSlot();
      const r = reference(node, c);
      return suspendSequence([...r.steps, put(r.slot, held)], c, st);
    }
    default:
      throw new Error(`no suspending pattern ${node.type}`);
  }
}

/** Puts the default in the slot if the value is undefined. */
function withDefault(node: estree.AssignmentPattern, held: number, c: Context): Ev {
  const st = c.newSlot();
  const left = unparenthesized(node.left as Expression);
  const value =
    left.type === "Identifier" && isAnonymousFunction(node.right) ? namedExpression(node.right, left.name, c) : expression(node.right, c);
  return (f) => {
    if (f[st] === undefined && f[held] !== undefined) return undefined;
    const v = value(f);
    if (v === SUSPEND) {
      f[st] = 1;
      return SUSPEND;
    }
    f[st] = undefined;
    f[held] = v;
    return undefined;
  };
}

type Put = (v: Value) => void;

/** A member as a target: steps that evaluate its parts, and the slot that then takes what puts the value. */
function reference(node: estree.MemberExpression, c: Context): { steps: Ev[]; slot: number } {
  const steps: Ev[] = [];
  let rewritten = node;
  const take = (part: Expression): estree.Expression => {
    const slot = c.newSlot();
    const ev = expression(part, c);
    steps.push((f) => {
      const v = ev(f);
      if (v === SUSPEND) return SUSPEND;
      f[slot] = v;
      return undefined;
    });
    return temp(slot, part) as unknown as estree.Expression; // stands for the part
  };
  if (node.object.type !== "Super") rewritten = { ...rewritten, object: take(node.object) };
  if (node.computed && node.property.type !== "PrivateIdentifier") rewritten = { ...rewritten, property: take(node.property) };
  const slot = c.newSlot();
  const make = memberReference(rewritten, c);
  steps.push((f) => {
    f[slot] = make(f) as unknown as Value;
    return undefined;
  });
  return { steps, slot };
}

function put(slot: number, held: number): Ev {
  return (f) => {
    const p = f[slot] as unknown as Put;
    f[slot] = undefined;
    p(f[held]);
    return undefined;
  };
}

function targetOf(node: Pattern): { target: Pattern; fallback: estree.AssignmentPattern | null } {
  if (node.type === "AssignmentPattern") return { target: unparenthesized(node.left as Expression) as Pattern, fallback: node };
  return { target: node, fallback: null };
}

/** The steps of one element: its reference, `fetch` into the slot, the default, the target. */
function element(node: Pattern, fetch: Ev, held: number, c: Context, binds: boolean): Ev[] {
  const { target, fallback } = targetOf(node);
  const steps: Ev[] = [];
  const member = target.type === "MemberExpression" && !binds ? reference(target, c) : null;
  if (member !== null) steps.push(...member.steps);
  steps.push(fetch);
  if (fallback !== null) steps.push(withDefault(fallback, held, c));
  steps.push(member === null ? pattern(target, held, c, binds) : put(member.slot, held));
  return steps;
}

function objectPattern(node: estree.ObjectPattern, held: number, c: Context, binds: boolean): Ev {
  const st = c.newSlot();
  const seen = c.newSlot();
  const site = c.site(node);
  const steps: Ev[] = [
    (f) => {
      const v = f[held];
      R.site = site;
      if (v === undefined || v === null) throwTypeError(`Cannot destructure '${v}' as it is ${v}.`);
      f[seen] = [] as unknown as Value;
      return undefined;
    },
  ];
  for (const p of node.properties) {
    const slot = c.newSlot();
    if (p.type === "RestElement") {
      const fetch: Ev = (f) => {
        const o = newObject();
        copyDataProperties(o, f[held], f[seen] as unknown as Key[]);
        f[slot] = o;
        return undefined;
      };
      steps.push(...element(p.argument, fetch, slot, c, binds));
      continue;
    }
    const key = c.newSlot();
    const name = p.computed ? undefined : constantKey(p);
    const keyEv = name === undefined ? expression(p.key as Expression, c) : null;
    steps.push((f) => {
      let k: Key = name!;
      if (keyEv !== null) {
        const v = keyEv(f);
        if (v === SUSPEND) return SUSPEND;
        k = keyOf(v);
      }
      (f[seen] as unknown as Key[]).push(k);
      f[key] = k;
      return undefined;
    });
    const fetch: Ev = (f) => {
      const source = f[held];
      f[slot] = getFrom(toObject(source), f[key] as Key, source);
      return undefined;
    };
    steps.push(...element(p.value, fetch, slot, c, binds));
  }
  return suspendSequence(steps, c, st);
}

function arrayPattern(node: estree.ArrayPattern, held: number, c: Context, binds: boolean): Ev {
  const st = c.newSlot();
  const source = c.newSlot();
  const env = c.newSlot();
  const from = c.fn.frameSize;
  const inner = c.newSlot();
  const site = c.site(node);
  const of = (f: Frame): Source => f[source] as unknown as Source;
  const steps: Ev[] = [];
  for (const e of node.elements) {
    if (e === null) {
      steps.push((f) => {
        of(f).next();
        return undefined;
      });
      continue;
    }
    const slot = c.newSlot();
    const isRest = e.type === "RestElement";
    const fetch: Ev = (f) => {
      f[slot] = isRest ? newArray(of(f).rest()) : of(f).next();
      return undefined;
    };
    steps.push(...element(isRest ? e.argument : e, fetch, slot, c, binds));
  }
  const body = suspendSequence(steps, c, inner);
  const to = c.fn.frameSize;
  return (f) => {
    if (f[st] === undefined) {
      R.site = site;
      f[source] = new Source(f[held]) as unknown as Value;
      f[env] = f[0];
      f[st] = 1;
    }
    const s = of(f);
    const { depth, stack } = R;
    try {
      if (body(f) === SUSPEND) return SUSPEND;
    } catch (e) {
      if (!isSeen(e)) throw e;
      R.depth = depth;
      R.stack = stack;
      for (let i = from; i < to; i++) f[i] = undefined;
      f[st] = f[source] = undefined;
      if (e instanceof GuestThrow) s.fail(e);
      s.close();
      throw e;
    }
    f[st] = f[source] = undefined;
    s.close();
    return undefined;
  };
}
