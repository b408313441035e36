// Loops. A turn costs one step. A loop variable that closures capture is new in each turn.

import { HOLE, type Env, type Frame, type GuestObject, Kind, type Key, type Value } from "../values.js";
import { GuestThrow } from "../errors.js";
import { getIterator, isPlainIterable, iteratorClose, iteratorCloseThrow, iteratorStepValue, type IteratorRecord } from "../iterate.js";
import { getFrom, getOwn, getPrototypeOf, ownKeys } from "../object.js";
import { toObject } from "../convert.js";
import { Intrinsic } from "../intrinsics.js";
import { R } from "../run-state.js";
import { Flag } from "../shape.js";
import type { Context, JumpTarget } from "./context.js";
import { throwNullishIterable } from "./explain.js";
import { expression, test } from "./expressions.js";
import { openScope } from "./functions.js";
import type { Expression, Pattern, estree } from "./nodes.js";
import { assignPattern, bindPattern, slotOf } from "./patterns.js";
import type { Scope } from "./scope.js";
import { inScope, scopeOpening, statement, declarator } from "./statements.js";
import { type Ev, type Test, newTarget } from "./unit.js";
import { disposing, withDisposal } from "./using.js";

export function loopTarget(labels: string[]): JumpTarget & { continue: Value } {
  return { labels, break: newTarget("break"), continue: newTarget("continue"), takesPlainBreak: true };
}

export function loopBody(body: estree.Statement, target: JumpTarget, c: Context): Ev {
  c.body.targets.push(target);
  const ev = statement(body, c);
  c.body.targets.pop();
  return ev;
}

export function whileStatement(node: estree.WhileStatement, c: Context, labels: string[]): Ev {
  const t = test(node.test, c);
  const target = loopTarget(labels);
  const body = loopBody(node.body, target, c);
  const { break: out, continue: next } = target;
  const site = c.site(node);
  return (f) => {
    while (t(f)) {
      if (--R.fuel < 0) refuel(site);
      const v = body(f);
      if (v !== undefined && v !== next) return v === out ? undefined : v;
    }
    return undefined;
  };
}

/** The step of a turn, when the fuel is used up: the place is known. */
export function refuel(site: number): void {
  R.site = site;
  R.run.outOfFuel();
}

export function doWhileStatement(node: estree.DoWhileStatement, c: Context, labels: string[]): Ev {
  const target = loopTarget(labels);
  const body = loopBody(node.body, target, c);
  const t = test(node.test, c);
  const { break: out, continue: next } = target;
  const site = c.site(node);
  return (f) => {
    do {
      if (--R.fuel < 0) refuel(site);
      const v = body(f);
      if (v !== undefined && v !== next) return v === out ? undefined : v;
    } while (t(f));
    return undefined;
  };
}

export function forStatement(node: estree.ForStatement, c: Context, labels: string[]): Ev {
  const scope = c.unit.analysis.scopeOf(node);
  const inner = c.within(scope);
  const init = forInit(node, inner);
  const t: Test = node.test ? test(node.test, inner) : () => true;
  const update = node.update ? expression(node.update, inner) : null;
  const target = loopTarget(labels);
  const body = loopBody(node.body, target, inner);
  const { break: out, continue: next } = target;
  const site = c.site(node);
  const copies = scope !== undefined && scope.envSize > 0 && node.init?.type === "VariableDeclaration" && node.init.kind === "let";
  let run: Ev;
  if (copies) {
    run = (f) => {
      init?.(f);
      f[0] = (f[0] as unknown as Env).slice() as unknown as Value;
      while (t(f)) {
        if (--R.fuel < 0) refuel(site);
        const v = body(f);
        if (v !== undefined && v !== next) return v === out ? undefined : v;
        R.mem -= 48;
        f[0] = (f[0] as unknown as Env).slice() as unknown as Value;
        update?.(f);
      }
      return undefined;
    };
  } else if (update !== null) {
    run = (f) => {
      if (init !== null) init(f);
      for (; t(f); update(f)) {
        if (--R.fuel < 0) refuel(site);
        const v = body(f);
        if (v !== undefined && v !== next) return v === out ? undefined : v;
      }
      return undefined;
    };
  } else {
    run = (f) => {
      if (init !== null) init(f);
      while (t(f)) {
        if (--R.fuel < 0) refuel(site);
        const v = body(f);
        if (v !== undefined && v !== next) return v === out ? undefined : v;
      }
      return undefined;
    };
  }
  if (scope !== undefined && scope.using !== false) run = disposing(run, scope, inner);
  return scope === undefined ? run : inScope(scope, scopeOpening(scope, inner), run);
}

export function forInit(node: estree.ForStatement, c: Context): ((f: Frame) => void) | null {
  const { init } = node;
  if (!init) return null;
  if (init.type === "VariableDeclaration") {
    const steps = init.declarations.flatMap((d) => {
      const s = declarator(d, init.kind, c);
      return s === null ? [] : [s];
    });
    if (steps.length === 0) return null;
    if (steps.length === 1) return steps[0];
    return (f) => {
      for (let i = 0; i < steps.length; i++) steps[i](f);
    };
  }
  return expression(init, c);
}

// for-of and for-in ----------------------------------------------------------------------------------------------------------------

/** What a turn does: opens the turn's scope, gives the variables their value, runs the body. */
export interface Turn {
  scope: Scope | undefined;
  /** Opens the scope and binds. */
  bind(f: Frame, v: Value): void;
  /** Where that is only to put the value into a slot: which; else -1. */
  slot: number;
  context: Context;
}

/** The iterated expression, with the loop's names uninitialised around it. */
export function iterated(node: estree.ForOfStatement | estree.ForInStatement, c: Context): Ev {
  const head = c.unit.analysis.scopeOf(node.left);
  const right = expression(node.right, c.within(head));
  if (head === undefined) return right;
  const open: ((f: Frame) => void)[] = [];
  openScope(head, open);
  return inScope(head, open, right);
}

export function turnOf(node: estree.ForOfStatement | estree.ForInStatement, c: Context): Turn {
  const scope = node.left.type === "VariableDeclaration" && node.left.kind !== "var" ? c.unit.analysis.scopeOf(node) : undefined;
  const inner = c.within(scope);
  const open: ((f: Frame) => void)[] = scope === undefined ? [] : scopeOpening(scope, inner);
  const { left } = node;
  let put: (f: Frame, v: Value) => void;
  let slot = -1;
  if (left.type === "VariableDeclaration") {
    const id = left.declarations[0].id as Pattern;
    if (left.kind === "var") put = assignPattern(id, inner);
    else if ((left.kind === "using" || left.kind === "await using") && id.type === "Identifier")
      put = withDisposal(id.name, left.kind, inner);
    else {
      put = bindPattern(id, inner);
      if (open.length === 0) slot = slotOf(id, inner, true);
    }
  } else put = assignPattern(left as Pattern, inner);
  const bind =
    open.length === 0
      ? put
      : (f: Frame, v: Value) => {
          for (let i = 0; i < open.length; i++) open[i](f);
          put(f, v);
        };
  return { scope, bind, slot, context: inner };
}

export function forOf(node: estree.ForOfStatement, c: Context, labels: string[]): Ev {
  const right = iterated(node, c);
  const turn = turnOf(node, c);
  const target = loopTarget(labels);
  let body = loopBody(node.body, target, turn.context);
  const site = c.site(node.right);
  const { break: out, continue: next } = target;
  let { bind, slot } = turn;
  if (turn.scope !== undefined && turn.scope.using !== false) {
    // Each turn disposes of its own resource: binding happens inside.
    const inner = body;
    const st = c.newSlot();
    const put = bind;
    body = disposing(
      (f) => {
        put(f, f[st]);
        return inner(f);
      },
      turn.scope,
      turn.context,
    );
    bind = (f, v) => {
      f[st] = v;
    };
    slot = st;
  }
  return (f) => {
    const v = right(f);
    const env = f[0];
    R.site = site;
    if (isPlainIterable(v)) {
      const d = v.d;
      // Elements and length are read live, as the array iterator does.
      for (let i = 0; i < d.length; i++) {
        if (--R.fuel < 0) refuel(site);
        const item = d[i];
        if (slot >= 0) f[slot] = item === HOLE ? undefined : item;
        else bind(f, item === HOLE ? undefined : item);
        const r = body(f);
        f[0] = env;
        if (r !== undefined && r !== next) return r === out ? undefined : r;
        if (!isPlainIterable(v)) return restOfArray(f, v, i + 1, bind, body, out, next);
      }
      return undefined;
    }
    if (v === undefined || v === null) throwNullishIterable(site, f, node.right as Expression, c);
    return iterate(f, getIterator(v), bind, slot, body, out, next, site);
  };
}

function iterate(
  f: Frame,
  record: IteratorRecord,
  bind: (f: Frame, v: Value) => void,
  slot: number,
  body: Ev,
  out: Value,
  next: Value,
  site: number,
): Value {
  const env = f[0];
  for (;;) {
    R.site = site;
    const item = iteratorStepValue(record);
    if (item === HOLE) return undefined;
    let r: Value;
    const { depth, stack } = R;
    try {
      if (slot >= 0) f[slot] = item;
      else bind(f, item);
      r = body(f);
    } catch (e) {
      f[0] = env;
      if (e instanceof GuestThrow) {
        R.depth = depth;
        R.stack = stack;
      }
      iteratorCloseThrow(record, e);
    }
    f[0] = env;
    if (r !== undefined && r !== next) {
      iteratorClose(record);
      return r === out ? undefined : r;
    }
  }
}

/** The array stopped being plain within the loop: its elements are read by index, as the array iterator would. */
function restOfArray(f: Frame, v: Value, from: number, bind: (f: Frame, v: Value) => void, body: Ev, out: Value, next: Value): Value {
  const env = f[0];
  const o = toObject(v);
  for (let i = from; i < (o.kind === Kind.ARRAY ? (o.d as Value[]).length : Number(getFrom(o, "length", o))); i++) {
    if (--R.fuel < 0) R.run.outOfFuel();
    bind(f, getFrom(o, String(i), o));
    const r = body(f);
    f[0] = env;
    if (r !== undefined && r !== next) return r === out ? undefined : r;
  }
  return undefined;
}

export function forIn(node: estree.ForInStatement, c: Context, labels: string[]): Ev {
  const right = iterated(node, c);
  const turn = turnOf(node, c);
  const target = loopTarget(labels);
  const body = loopBody(node.body, target, turn.context);
  const { break: out, continue: next } = target;
  const init =
    node.left.type === "VariableDeclaration" && node.left.declarations[0].init ? declarator(node.left.declarations[0], "var", c) : null;
  const { bind } = turn;
  return (f) => {
    init?.(f);
    const v = right(f);
    if (v === undefined || v === null) return undefined;
    const env = f[0];
    const keys = new KeyWalk(toObject(v));
    for (;;) {
      if (--R.fuel < 0) R.run.outOfFuel();
      const key = keys.next();
      if (key === undefined) return undefined;
      bind(f, key);
      const r = body(f);
      f[0] = env;
      if (r !== undefined && r !== next) return r === out ? undefined : r;
    }
  };
}

/**
 * EnumerateObjectProperties: string keys of the object, then of its prototypes, as they are at the start; deleted ones are skipped,
 * shadowed ones too. Where the specification leaves it open, as V8 does: what is added on the way is not seen.
 */
export class KeyWalk {
  private readonly object: GuestObject;
  private readonly keys: Key[];
  private index = 0;
  constructor(o: GuestObject) {
    this.object = o;
    const keys = ownKeys(o);
    let visited: Set<Key> | null = null;
    for (let p = getPrototypeOf(o); p !== null; p = getPrototypeOf(p)) {
      if (hasNothingToList(p)) continue;
      visited ??= new Set(keys);
      for (const key of ownKeys(p)) {
        if (typeof key !== "string" || visited.has(key)) continue;
        visited.add(key);
        if (((getOwn(p, key)?.flags ?? 0) & Flag.ENUMERABLE) !== 0) keys.push(key);
      }
    }
    this.keys = keys;
  }

  next(): string | undefined {
    while (this.index < this.keys.length) {
      const key = this.keys[this.index++];
      if (typeof key === "string" && isEnumerableIn(this.object, key)) return key;
    }
    return undefined;
  }
}

/** The prototypes of nearly everything, as they were made. */
function hasNothingToList({ shape }: GuestObject): boolean {
  return shape.template && (shape.intrinsicId === Intrinsic.ObjectPrototype || shape.intrinsicId === Intrinsic.ArrayPrototype);
}

function isEnumerableIn(object: GuestObject, key: string): boolean {
  for (let o: GuestObject | null = object; o !== null; o = getPrototypeOf(o)) {
    const own = getOwn(o, key);
    if (own !== undefined) return (own.flags & Flag.ENUMERABLE) !== 0;
  }
  return false;
}
