// Statements with an `await` or a `yield` inside: re-entrant closures. Each keeps where it is in a state slot of the frame, clears it
// when it completes, and a `try` clears the slots of everything inside it when an exception comes out.

import { asyncIterator } from "../async-iterate.js";
import { call0, getMethod } from "../call.js";
import { describe, toObject } from "../convert.js";
import { GuestThrow, throwTypeError } from "../errors.js";
import { getIterator, type IteratorRecord, iteratorStepValue, iteratorClose, iteratorCloseThrow } from "../iterate.js";
import { get } from "../object.js";
import { R, isSame } from "../run-state.js";
import { type Env, type Frame, HOLE, type Value } from "../values.js";
import type { Context, JumpTarget } from "./context.js";
import { throwNullishIterable } from "./explain.js";
import { expression, namedExpression } from "./expressions.js";
import { suspendClassDeclaration } from "./classes.js";
import { KeyWalk, iterated, loopBody, loopTarget } from "./loops.js";
import type { Expression, Node, Pattern, Statement, estree } from "./nodes.js";
import type { Scope } from "./scope.js";
import { block, isSeen, returned, scopeOpening, statement, withBreak } from "./statements.js";
import { awaitOf } from "./suspend-expressions.js";
import { suspendAssignPattern, suspendBindPattern } from "./suspend-patterns.js";
import { type Ev, RETURN_UNDEFINED, SUSPEND, newTarget } from "./unit.js";
import { suspendDisposing, withDisposal } from "./using.js";
import { initialise, assignVariable } from "./variables.js";
import { openScope } from "./functions.js";

export function suspendStatement(node: Statement, c: Context, labels: string[]): Ev {
  switch (node.type) {
    case "ExpressionStatement": {
      const e = expression(node.expression, c);
      return (f) => (e(f) === SUSPEND ? SUSPEND : undefined);
    }
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
function suspendScope(st: number, scope: Scope | undefined, open: ((f: Frame) => void)[], body: Ev): Ev {
  if (scope === undefined || open.length === 0) return body;
  const hasEnv = scope.envSize > 0;
  return (f) => {
    if (f[st] === undefined) {
      for (const o of open) o(f);
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

// Loops ----------------------------------------------------------------------------------------------------------------------------

const enum At {
  TEST = 1,
  BODY,
  UPDATE,
}

function whileStatement(node: estree.WhileStatement | estree.DoWhileStatement, c: Context, labels: string[]): Ev {
  const st = c.newSlot();
  const t = expression(node.test, c);
  const target = loopTarget(labels);
  const body = loopBody(node.body, target, c);
  const first = node.type === "DoWhileStatement" ? At.BODY : At.TEST;
  const site = c.site(node);
  return (f) => {
    let at = (f[st] as number | undefined) ?? first;
    for (;;) {
      if (at === At.TEST) {
        const v = t(f);
        if (v === SUSPEND) {
          f[st] = At.TEST;
          return SUSPEND;
        }
        if (!v) break;
        at = At.BODY;
      }
      if (--R.fuel < 0) {
        R.site = site;
        R.run.outOfFuel();
      }
      const v = body(f);
      if (v === SUSPEND) {
        f[st] = At.BODY;
        return SUSPEND;
      }
      if (v !== undefined && v !== target.continue) {
        f[st] = undefined;
        return v === target.break ? undefined : v;
      }
      at = At.TEST;
    }
    f[st] = undefined;
    return undefined;
  };
}

function forStatement(node: estree.ForStatement, c: Context, labels: string[]): Ev {
  const outer = c.newSlot();
  const st = c.newSlot();
  const scope = c.unit.analysis.scopeOf(node);
  const inner = c.within(scope);
  const open = scope === undefined ? [] : scopeOpening(scope, inner);
  let init: Ev = () => undefined;
  if (node.init) {
    if (node.init.type === "VariableDeclaration") init = statement(node.init, inner);
    else init = expression(node.init, inner);
  }
  const t: Ev = node.test ? expression(node.test, inner) : () => true;
  const update: Ev = node.update ? expression(node.update, inner) : () => undefined;
  const target = loopTarget(labels);
  const body = loopBody(node.body, target, inner);
  const copies = scope !== undefined && scope.envSize > 0 && node.init?.type === "VariableDeclaration" && node.init.kind === "let";
  const copy = (f: Frame): void => {
    R.mem -= 48;
    f[0] = (f[0] as unknown as Env).slice() as unknown as Value;
  };
  const site = c.site(node);
  let run: Ev = (f) => {
    let at = (f[st] as number | undefined) ?? 0;
    for (;;) {
      switch (at) {
        case 0:
          if (init(f) === SUSPEND) {
            f[st] = 0;
            return SUSPEND;
          }
          if (copies) copy(f);
          at = At.TEST;
        // falls through
        case At.TEST: {
          const v = t(f);
          if (v === SUSPEND) {
            f[st] = At.TEST;
            return SUSPEND;
          }
          if (!v) {
            f[st] = undefined;
            return undefined;
          }
          if (--R.fuel < 0) {
            R.site = site;
            R.run.outOfFuel();
          }
        }
        // falls through
        case At.BODY: {
          const v = body(f);
          if (v === SUSPEND) {
            f[st] = At.BODY;
            return SUSPEND;
          }
          if (v !== undefined && v !== target.continue) {
            f[st] = undefined;
            return v === target.break ? undefined : v;
          }
          if (copies) copy(f);
        }
        // falls through
        default:
          if (update(f) === SUSPEND) {
            f[st] = At.UPDATE;
            return SUSPEND;
          }
          at = At.TEST;
      }
    }
  };
  if (scope !== undefined && scope.using !== false) run = suspendDisposing(run, st, scope, inner);
  return suspendScope(outer, scope, open, run);
}

/** What one turn of a for-of or for-in does with its value, which is in the slot `held`. */
function suspendTurn(node: estree.ForOfStatement | estree.ForInStatement, held: number, target: JumpTarget, c: Context): Ev {
  const st = c.newSlot();
  const scope = node.left.type === "VariableDeclaration" && node.left.kind !== "var" ? c.unit.analysis.scopeOf(node) : undefined;
  const inner = c.within(scope);
  const open = scope === undefined ? [] : scopeOpening(scope, inner);
  const { left } = node;
  let bind: Ev;
  if (left.type === "VariableDeclaration") {
    const id = left.declarations[0].id as Pattern;
    if ((left.kind === "using" || left.kind === "await using") && id.type === "Identifier") {
      const put = withDisposal(id.name, left.kind, inner);
      bind = (f) => {
        put(f, f[held]);
        return undefined;
      };
    } else bind = left.kind === "var" ? suspendAssignPattern(id, held, inner) : suspendBindPattern(id, held, inner);
  } else bind = suspendAssignPattern(left as Pattern, held, inner);
  const body = loopBody(node.body, target, inner);
  let both = suspendSequence([bind, body], inner);
  if (scope !== undefined && scope.using !== false) both = suspendDisposing(both, st + 1, scope, inner);
  return suspendScope(st, scope, open, both);
}

function forIn(node: estree.ForInStatement, c: Context, labels: string[]): Ev {
  const st = c.newSlot();
  const walk = c.newSlot();
  const held = c.newSlot();
  const right = suspendIterated(node, c);
  const target = loopTarget(labels);
  const turn = suspendTurn(node, held, target, c);
  return (f) => {
    if (f[st] === undefined) {
      const v = right(f);
      if (v === SUSPEND) return SUSPEND;
      if (v === undefined || v === null) return undefined;
      f[walk] = new KeyWalk(toObject(v)) as unknown as Value;
      f[st] = 1;
    }
    const keys = f[walk] as unknown as KeyWalk;
    for (;;) {
      if (f[st] === 1) {
        if (--R.fuel < 0) R.run.outOfFuel();
        const key = keys.next();
        if (key === undefined) break;
        f[held] = key;
        f[st] = 2;
      }
      const v = turn(f);
      if (v === SUSPEND) return SUSPEND;
      f[st] = 1;
      if (v !== undefined && v !== target.continue) {
        f[st] = f[walk] = undefined;
        return v === target.break ? undefined : v;
      }
    }
    f[st] = f[walk] = undefined;
    return undefined;
  };
}

function suspendIterated(node: estree.ForOfStatement | estree.ForInStatement, c: Context): Ev {
  if (!c.suspends(node.right)) return iterated(node, c);
  const st = c.newSlot();
  const head = c.unit.analysis.scopeOf(node.left);
  const right = expression(node.right, c.within(head));
  if (head === undefined) return right;
  const open: ((f: Frame) => void)[] = [];
  openScope(head, open);
  return suspendScope(st, head, open, right);
}

function forOf(node: estree.ForOfStatement, c: Context, labels: string[]): Ev {
  const st = c.newSlot();
  const iterator = c.newSlot();
  const held = c.newSlot();
  const env = c.newSlot();
  const from = c.fn.frameSize;
  const right = suspendIterated(node, c);
  const target = loopTarget(labels);
  const turn = suspendTurn(node, held, target, c);
  const to = c.fn.frameSize;
  const site = c.site(node.right);
  return (f) => {
    if (f[st] === undefined) {
      const v = right(f);
      if (v === SUSPEND) return SUSPEND;
      if (v === undefined || v === null) throwNullishIterable(site, f, node.right as Expression, c);
      R.site = site;
      f[iterator] = getIterator(v) as unknown as Value;
      f[env] = f[0];
      f[st] = 1;
    }
    const record = f[iterator] as unknown as IteratorRecord;
    for (;;) {
      if (f[st] === 1) {
        R.site = site;
        const v = iteratorStepValue(record);
        if (v === HOLE) break;
        f[held] = v;
        f[st] = 2;
      }
      let v: Value;
      const { depth, stack } = R;
      try {
        v = turn(f);
      } catch (e) {
        if (!isSeen(e)) throw e;
        R.depth = depth;
        R.stack = stack;
        f[0] = f[env];
        clear(f, from, to);
        f[st] = f[iterator] = undefined;
        if (e instanceof GuestThrow) iteratorCloseThrow(record, e);
        iteratorClose(record); // return() of the generator
        throw e;
      }
      if (v === SUSPEND) return SUSPEND;
      f[st] = 1;
      if (v !== undefined && v !== target.continue) {
        f[st] = f[iterator] = undefined;
        iteratorClose(record);
        return v === target.break ? undefined : v;
      }
    }
    f[st] = f[iterator] = undefined;
    return undefined;
  };
}

/** Forgets the states of everything inside. */
function clear(f: Frame, from: number, to: number): void {
  for (let i = from; i < to; i++) f[i] = undefined;
}

/** `for await`: steps and closes are awaited. */
function forAwait(node: estree.ForOfStatement, c: Context, labels: string[]): Ev {
  const st = c.newSlot();
  const iterator = c.newSlot();
  const held = c.newSlot();
  const env = c.newSlot();
  const pending = c.newSlot();
  const completion = c.newSlot();
  const from = c.fn.frameSize;
  const right = suspendIterated(node, c);
  const target = loopTarget(labels);
  const turn = suspendTurn(node, held, target, c);
  const site = c.site(node.right);
  const awaitPending = awaitOf(c.newSlot(), (f) => f[pending], site);
  const to = c.fn.frameSize;
  // States: 1 step, 2 await the step, 3 turn, 4 await the close.
  return (f) => {
    if (f[st] === undefined) {
      const v = right(f);
      if (v === SUSPEND) return SUSPEND;
      R.site = site;
      f[iterator] = asyncIterator(v) as unknown as Value;
      f[env] = f[0];
      f[st] = 1;
    }
    const record = f[iterator] as unknown as IteratorRecord;
    for (;;) {
      if (f[st] === 1) {
        if (--R.fuel < 0) R.run.outOfFuel();
        R.site = site;
        f[pending] = call0(record.next, record.iterator);
        f[st] = 2;
      }
      if (f[st] === 2) {
        const result = awaitPending(f);
        if (result === SUSPEND) return SUSPEND;
        if (typeof result !== "object" || result === null) throwTypeError(`Iterator result ${describe(result)} is not an object`);
        if (get(result, "done")) {
          f[st] = f[iterator] = undefined;
          return undefined;
        }
        f[held] = get(result, "value");
        f[st] = 3;
      }
      if (f[st] === 3) {
        let v: Value;
        const { depth, stack } = R;
        let failure: unknown = null;
        try {
          v = turn(f);
        } catch (e) {
          if (!isSeen(e)) throw e;
          R.depth = depth;
          R.stack = stack;
          f[0] = f[env];
          clear(f, from, to);
          failure = e;
          v = undefined;
        }
        if (v === SUSPEND) return SUSPEND;
        if (failure === null && (v === undefined || v === target.continue)) {
          f[st] = 1;
          continue;
        }
        // AsyncIteratorClose.
        f[completion] = new Ending(failure, v) as unknown as Value;
        f[st] = 4;
        try {
          const method = getMethod(record.iterator, "return");
          if (method === undefined) return finishClose(f, true);
          f[pending] = call0(method, record.iterator);
        } catch (e) {
          if (!(e instanceof GuestThrow)) throw e;
          const ending = f[completion] as unknown as Ending;
          reset(f);
          throw ending.failure instanceof GuestThrow ? ending.failure : e;
        }
      }
      return finishClose(f, false);
    }
  };

  function reset(f: Frame): void {
    f[st] = f[iterator] = f[completion] = undefined;
  }

  function finishClose(f: Frame, noMethod: boolean): Value {
    const ending = f[completion] as unknown as Ending;
    if (!noMethod) {
      let result: Value;
      try {
        result = awaitPending(f);
      } catch (e) {
        if (!(e instanceof GuestThrow)) throw e;
        reset(f);
        throw ending.failure instanceof GuestThrow ? ending.failure : e;
      }
      if (result === SUSPEND) return SUSPEND;
      if (!(ending.failure instanceof GuestThrow) && (typeof result !== "object" || result === null)) {
        reset(f);
        throwTypeError(`${describe(result)} is not an object`);
      }
    }
    reset(f);
    if (ending.failure !== null) throw ending.failure;
    return ending.value === target.break ? undefined : ending.value;
  }
}

/** A completion that waits for something else to end: an exception or a value. */
class Ending {
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
