// Statements with an `await` or a `yield` inside: re-entrant closures. Each keeps where it is in a state slot of the frame, clears it
// when it completes, and a `try` clears the slots of everything inside it when an exception comes out.

import { GuestThrow } from "../errors.js";
import { R, isSame } from "../run-state.js";
import { type Env, type Frame, type Value } from "../values.js";
import type { Context, JumpTarget } from "./context.js";
import { expression, namedExpression } from "./expressions.js";
import { suspendClassDeclaration } from "./classes.js";
import type { Node, Pattern, Statement, estree } from "./nodes.js";
import type { Scope } from "./scope.js";
import { block, isSeen, returned, scopeOpening, statement, withBreak } from "./statements.js";
import { forAwait, forIn, forOf, forStatement, whileStatement } from "./suspend-loops.js";
import { awaitOf, suspendPointStatement } from "./suspend-points.js";
import { suspendAssignPattern, suspendBindPattern } from "./suspend-patterns.js";
import { type Ev, RETURN_UNDEFINED, SUSPEND, newTarget } from "./unit.js";
import { suspendDisposing, withDisposal } from "./using.js";
import { initialise, assignVariable } from "./variables.js";

export function suspendStatement(node: Statement, c: Context, labels: string[]): Ev {
  switch (node.type) {
    case "ExpressionStatement":
      return suspendPointStatement(node.expression, c);
    case "VariableDeclaration":
      return variables(node, c);
    case "ClassDeclaration":
      return suspendClassDeclaration(node, c);
    case "ReturnStatement":
      return returnStatement(node, c);
    case "ThrowStatement": {
      const e = expression(node.argument, c);
      const site = c.site(node);
      return (f) => {
        const v = e(f);
        if (v === SUSPEND) return SUSPEND;
        R.site = site;
        throw new GuestThrow(v);
      };
    }
    case "IfStatement":
      return ifStatement(node, c);
    case "BlockStatement":
      return withBreak(labels, c, () => suspendBlock(node, node.body, c));
    case "ForStatement":
      return forStatement(node, c, labels);
    case "WhileStatement":
    case "DoWhileStatement":
      return whileStatement(node, c, labels);
    case "ForInStatement":
      return forIn(node, c, labels);
    case "ForOfStatement":
      return node.await ? forAwait(node, c, labels) : forOf(node, c, labels);
    case "LabeledStatement":
      return labeled(node, c, labels);
    case "SwitchStatement":
      return switchStatement(node, c, labels);
    case "TryStatement":
      return withBreak(labels, c, () => tryStatement(node, c));
    default:
      throw new Error(`no compiler for a suspending ${node.type}`);
  }
}

/** Steps in order; a step gives a completion. */
export function suspendSequence(evs: Ev[], c: Context, st = c.newSlot()): Ev {
  const n = evs.length;
  if (n === 1) return evs[0];
  return (f) => {
    let i = (f[st] as number) | 0;
    for (; i < n; i++) {
      const v = evs[i](f);
      if (v !== undefined) {
        f[st] = v === SUSPEND ? i : undefined;
        return v;
      }
    }
    f[st] = undefined;
    return undefined;
  };
}

export function suspendStatements(list: Statement[], c: Context): Ev {
  const st = c.newSlot();
  return suspendSequence(
    list.map((s) => statement(s, c)),
    c,
    st,
  );
}

function suspendBlock(node: Node, list: Statement[], c: Context): Ev {
  const scope = c.unit.analysis.scopeOf(node);
  const inner = c.within(scope);
  if (!list.some((s) => inner.suspends(s)) && scope?.using !== "async") return block(node, list, c);
  const st = c.newSlot();
  const open = scope === undefined ? [] : scopeOpening(scope, inner);
  let body = suspendStatements(list, inner);
  if (scope !== undefined && scope.using !== false) body = suspendDisposing(body, st + 1, scope, inner);
  return suspendScope(st, scope, open, body);
}

/** Runs a body inside a scope that is opened once. */
export function suspendScope(st: number, scope: Scope | undefined, open: ((f: Frame) => void)[], body: Ev): Ev {
  if (scope === undefined || open.length === 0) return body;
  const hasEnv = scope.envSize > 0;
  return (f) => {
    if (f[st] === undefined) {
      for (let i = 0; i < open.length; i++) open[i](f);
      f[st] = 1;
    }
    const v = body(f);
    if (v === SUSPEND) return SUSPEND;
    f[st] = undefined;
    if (hasEnv) f[0] = (f[0] as unknown as Env)[0];
    return v;
  };
}

function variables(node: estree.VariableDeclaration, c: Context): Ev {
  const st = c.newSlot();
  return suspendSequence(
    node.declarations.map((d) => suspendDeclarator(d, node.kind, c)),
    c,
    st,
  );
}

function suspendDeclarator(d: estree.VariableDeclarator, kind: estree.VariableDeclaration["kind"], c: Context): Ev {
  if (!d.init) {
    if (kind === "var" || d.id.type !== "Identifier") return () => undefined;
    const put = initialise(d.id.name, c);
    return (f) => {
      put(f, undefined);
      return undefined;
    };
  }
  const value = expression(d.init, c);
  if (d.id.type === "Identifier") {
    const site = c.site(d);
    const put =
      kind === "using" || kind === "await using"
        ? withDisposal(d.id.name, kind, c)
        : kind === "var"
          ? assignVariable(d.id.name, d.id, c)
          : initialise(d.id.name, c);
    const named = c.suspends(d.init) ? value : namedExpression(d.init, d.id.name, c);
    return (f) => {
      const v = named(f);
      if (v === SUSPEND) return SUSPEND;
      R.site = site;
      put(f, v);
      return undefined;
    };
  }
  const st = c.newSlot();
  const held = c.newSlot();
  const put = kind === "var" ? suspendAssignPattern(d.id as Pattern, held, c) : suspendBindPattern(d.id as Pattern, held, c);
  return (f) => {
    if (f[st] === undefined) {
      const v = value(f);
      if (v === SUSPEND) return SUSPEND;
      f[held] = v;
      f[st] = 1;
    }
    if (put(f) === SUSPEND) return SUSPEND;
    f[st] = undefined;
    return undefined;
  };
}

function returnStatement(node: estree.ReturnStatement, c: Context): Ev {
  const value: Ev = node.argument ? expression(node.argument, c) : () => undefined;
  // An async generator awaits what it returns.
  const last = c.fn.isGenerator && c.fn.isAsync && node.argument ? awaitOf(c.newSlot(), value, c.site(node)) : returned(node, value, c);
  return (f) => {
    const v = last(f);
    return v === undefined ? RETURN_UNDEFINED : v;
  };
}

function ifStatement(node: estree.IfStatement, c: Context): Ev {
  const st = c.newSlot();
  const t = expression(node.test, c);
  const a = statement(node.consequent, c);
  const b: Ev = node.alternate ? statement(node.alternate, c) : () => undefined;
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

function labeled(node: estree.LabeledStatement, c: Context, labels: string[]): Ev {
  const all = [...labels, node.label.name];
  switch (node.body.type) {
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "SwitchStatement":
    case "BlockStatement":
    case "TryStatement":
    case "LabeledStatement":
      return statement(node.body, c, all);
    default:
      return withBreak(all, c, () => statement(node.body, c));
  }
}

/** Forgets the states of everything inside. */
export function clear(f: Frame, from: number, to: number): void {
  for (let i = from; i < to; i++) f[i] = undefined;
}

/** A completion that waits for something else to end: an exception or a value. */
export class Ending {
  readonly failure: unknown;
  readonly value: Value;
  constructor(failure: unknown, value: Value) {
    this.failure = failure;
    this.value = value;
  }
}

// switch and try -------------------------------------------------------------------------------------------------------------------

function switchStatement(node: estree.SwitchStatement, c: Context, labels: string[]): Ev {
  const outer = c.newSlot();
  const st = c.newSlot();
  const index = c.newSlot();
  const held = c.newSlot();
  const scopeState = c.newSlot();
  const discriminant = expression(node.discriminant, c);
  const scope = c.unit.analysis.scopeOf(node);
  const inner = c.within(scope);
  const open = scope === undefined ? [] : scopeOpening(scope, inner);
  const target: JumpTarget = { labels, break: newTarget("break"), continue: null, takesPlainBreak: true };
  c.body.targets.push(target);
  const tests = node.cases.map((k) => (k.test ? expression(k.test, inner) : null));
  const bodies = node.cases.map((k) => suspendStatementsOrNothing(k.consequent, inner));
  c.body.targets.pop();
  const fallback = tests.indexOf(null);
  const n = tests.length;
  // States: undefined testing from `index`, 1 running from `index`.
  let run: Ev = (f) => {
    let i = (f[index] as number) | 0;
    if (f[st] === undefined) {
      for (; i < n; i++) {
        const t = tests[i];
        if (t === null) continue;
        const v = t(f);
        if (v === SUSPEND) {
          f[index] = i;
          return SUSPEND;
        }
        if (isSame(v, f[held])) break;
      }
      if (i === n) {
        if (fallback < 0) {
          f[index] = undefined;
          return undefined;
        }
        i = fallback;
      }
      f[st] = 1;
    }
    for (; i < n; i++) {
      const v = bodies[i](f);
      if (v === SUSPEND) {
        f[index] = i;
        return SUSPEND;
      }
      if (v !== undefined) {
        f[st] = f[index] = undefined;
        return v === target.break ? undefined : v;
      }
    }
    f[st] = f[index] = undefined;
    return undefined;
  };
  if (scope !== undefined && scope.using !== false) run = suspendDisposing(run, scopeState + 1, scope, inner);
  const scoped = suspendScope(scopeState, scope, open, run);
  return (f) => {
    if (f[outer] === undefined) {
      const v = discriminant(f);
      if (v === SUSPEND) return SUSPEND;
      f[held] = v;
      f[outer] = 1;
    }
    const v = scoped(f);
    if (v !== SUSPEND) f[outer] = undefined;
    return v;
  };
}

function suspendStatementsOrNothing(list: Statement[], c: Context): Ev {
  return list.length === 0 ? () => undefined : suspendStatements(list, c);
}

function tryStatement(node: estree.TryStatement, c: Context): Ev {
  c.body.enter();
  const st = c.newSlot();
  const env = c.newSlot();
  const held = c.newSlot();
  const pending = c.newSlot();
  const from = c.fn.frameSize;
  const body = statement(node.block, c);
  const bodyEnd = c.fn.frameSize;
  const handler = node.handler ? suspendCatch(node.handler, held, c) : null;
  const handlerEnd = c.fn.frameSize;
  const finalizer = node.finalizer ? statement(node.finalizer, c) : null;
  c.body.leave();
  // States: undefined start, 1 body, 2 handler, 3 finalizer.
  return (f) => {
    if (f[st] === undefined) {
      f[env] = f[0];
      f[st] = 1;
    }
    let ending: Ending | null = null;
    if (f[st] === 1) {
      const { depth, stack } = R;
      try {
        const v = body(f);
        if (v === SUSPEND) return SUSPEND;
        ending = new Ending(null, v);
      } catch (e) {
        if (!isSeen(e)) throw e;
        R.depth = depth;
        R.stack = stack;
        f[0] = f[env];
        clear(f, from, bodyEnd);
        if (handler !== null && e instanceof GuestThrow) {
          f[held] = e.value;
          f[st] = 2;
        } else ending = new Ending(e, undefined);
      }
    }
    if (f[st] === 2) {
      if (finalizer === null) {
        let v: Value;
        try {
          v = handler!(f);
        } catch (e) {
          f[st] = undefined;
          throw e;
        }
        if (v !== SUSPEND) f[st] = undefined;
        return v;
      }
      const { depth, stack } = R;
      try {
        const v = handler!(f);
        if (v === SUSPEND) return SUSPEND;
        ending = new Ending(null, v);
      } catch (e) {
        if (!isSeen(e)) throw e;
        R.depth = depth;
        R.stack = stack;
        f[0] = f[env];
        clear(f, bodyEnd, handlerEnd);
        ending = new Ending(e, undefined);
      }
    }
    if (finalizer === null) {
      f[st] = undefined;
      if (ending!.failure !== null) throw ending!.failure;
      return ending!.value;
    }
    if (ending !== null) {
      f[pending] = ending as unknown as Value;
      f[st] = 3;
    }
    const v = finalizer(f);
    if (v === SUSPEND) return SUSPEND;
    const before = f[pending] as unknown as Ending;
    f[st] = f[pending] = undefined;
    if (v !== undefined) return v;
    if (before.failure !== null) throw before.failure;
    return before.value;
  };
}

function suspendCatch(handler: estree.CatchClause, held: number, c: Context): Ev {
  const st = c.newSlot();
  const scope = c.unit.analysis.scopeOf(handler);
  const inner = c.within(scope);
  const open = scope === undefined ? [] : scopeOpening(scope, inner);
  const bind: Ev = handler.param ? suspendBindPattern(handler.param as Pattern, held, inner) : () => undefined;
  const body = statement(handler.body, inner);
  return suspendScope(st, scope, open, suspendSequence([bind, body], inner));
}
