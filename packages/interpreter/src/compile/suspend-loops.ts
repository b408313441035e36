// Loops with an `await` or a `yield` inside (see suspend-statements.ts).

import { asyncIterator } from "../async-iterate.js";
import { call0, getMethod } from "../call.js";
import { describe, toObject } from "../convert.js";
import { GuestThrow, throwTypeError } from "../errors.js";
import { getIterator, type IteratorRecord, iteratorStepValue, iteratorClose, iteratorCloseThrow } from "../iterate.js";
import { get } from "../object.js";
import { R } from "../run-state.js";
import { type Env, type Frame, HOLE, type Value } from "../values.js";
import type { Context, JumpTarget } from "./context.js";
import { throwNullishIterable } from "./explain.js";
import { expression } from "./expressions.js";
import { KeyWalk, iterated, loopBody, loopTarget, refuel } from "./loops.js";
import type { Expression, Pattern, estree } from "./nodes.js";
import { isSeen, scopeOpening, statement } from "./statements.js";
import { awaitOf } from "./suspend-points.js";
import { Ending, clear, suspendScope, suspendSequence } from "./suspend-statements.js";
import { slotOf } from "./patterns.js";
import { suspendAssignPattern, suspendBindPattern } from "./suspend-patterns.js";
import { type Ev, SUSPEND } from "./unit.js";
import { suspendDisposing, withDisposal } from "./using.js";
import { openScope } from "./functions.js";

const enum At {
  TEST = 1,
  BODY,
  UPDATE,
}

export function whileStatement(node: estree.WhileStatement | estree.DoWhileStatement, c: Context, labels: string[]): Ev {
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
      if (--R.fuel < 0) refuel(site);
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

export function forStatement(node: estree.ForStatement, c: Context, labels: string[]): Ev {
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
          if (--R.fuel < 0) refuel(site);
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

/** What one turn of a for-of or for-in does with its value, which the loop puts into the slot `held`. */
interface Turn {
  held: number;
  run: Ev;
}

function suspendTurn(node: estree.ForOfStatement | estree.ForInStatement, target: JumpTarget, c: Context): Turn {
  const st = c.newSlot();
  const scope = node.left.type === "VariableDeclaration" && node.left.kind !== "var" ? c.unit.analysis.scopeOf(node) : undefined;
  const inner = c.within(scope);
  const open = scope === undefined ? [] : scopeOpening(scope, inner);
  const { left } = node;
  if (scope !== undefined && open.length === 0 && scope.using === false && left.type === "VariableDeclaration") {
    const slot = slotOf(left.declarations[0].id as Pattern, inner, true);
    if (slot >= 0) return { held: slot, run: loopBody(node.body, target, inner) };
  }
  const held = c.newSlot();
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
  return { held, run: suspendScope(st, scope, open, both) };
}

export function forIn(node: estree.ForInStatement, c: Context, labels: string[]): Ev {
  const st = c.newSlot();
  const walk = c.newSlot();
  const right = suspendIterated(node, c);
  const target = loopTarget(labels);
  const { held, run: turn } = suspendTurn(node, target, c);
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

export function forOf(node: estree.ForOfStatement, c: Context, labels: string[]): Ev {
  const st = c.newSlot();
  const iterator = c.newSlot();
  const env = c.newSlot();
  const from = c.fn.frameSize;
  const right = suspendIterated(node, c);
  const target = loopTarget(labels);
  const { held, run: turn } = suspendTurn(node, target, c);
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

/** `for await`: steps and closes are awaited. */
export function forAwait(node: estree.ForOfStatement, c: Context, labels: string[]): Ev {
  const st = c.newSlot();
  const iterator = c.newSlot();
  const env = c.newSlot();
  const pending = c.newSlot();
  const completion = c.newSlot();
  const from = c.fn.frameSize;
  const right = suspendIterated(node, c);
  const target = loopTarget(labels);
  const { held, run: turn } = suspendTurn(node, target, c);
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
