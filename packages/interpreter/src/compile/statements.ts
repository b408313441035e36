// Statements → closures that give completions. What suspends goes to suspend-statements.ts.

import { GuestThrow } from "../errors.js";
import { R, isSame } from "../run-state.js";
import type { Frame, Value } from "../values.js";
import { ReturnSignal } from "./activation.js";
import { classDeclaration } from "./classes.js";
import type { Context, JumpTarget } from "./context.js";
import { type Effect, effectRun, effectsOf } from "./effects.js";
import { enumeration } from "./enums.js";
import { expression, namedExpression, test } from "./expressions.js";
import { instantiate, openScope } from "./functions.js";
import { forIn, forOf, forStatement, whileStatement, doWhileStatement } from "./loops.js";
import { type Node, type Pattern, type Statement, type estree } from "./nodes.js";
import { throwNullishPattern } from "./explain.js";
import { assignPattern, bindPattern } from "./patterns.js";
import type { Scope } from "./scope.js";
import { suspendStatement, suspendStatements } from "./suspend-statements.js";
import { type Ev, RETURN_UNDEFINED, SUSPEND, newTarget } from "./unit.js";
import { initialise } from "./variables.js";
import { disposing, suspendDisposing, withDisposal } from "./using.js";

export function statement(node: Statement, c: Context, labels: string[] = []): Ev {
  c.body.enter();
  const ev = c.suspends(node) ? suspendStatement(node, c, labels) : plain(node, c, labels);
  c.body.leave();
  return ev;
}

export const nothing: Ev = () => undefined;

function plain(node: Statement, c: Context, labels: string[]): Ev {
  switch (node.type) {
    case "ExpressionStatement":
    case "VariableDeclaration":
      return effectRun(effectsOf(node, c)!);
    case "FunctionDeclaration":
    case "EmptyStatement":
    case "DebuggerStatement":
      return nothing;
    case "ClassDeclaration":
      return classDeclaration(node, c);
    case "ReturnStatement": {
      if (!node.argument) return () => RETURN_UNDEFINED;
      const e = returned(node, expression(node.argument, c), c);
      return (f) => {
        const v = e(f);
        return v === undefined ? RETURN_UNDEFINED : v;
      };
    }
    case "ThrowStatement": {
      const e = expression(node.argument, c);
      const site = c.site(node);
      return (f) => {
        const v = e(f);
        R.site = site;
        throw new GuestThrow(v);
      };
    }
    case "IfStatement":
      return ifStatement(node, c);
    case "BlockStatement":
      return withBreak(labels, c, () => block(node, node.body, c));
    case "ForStatement":
      return forStatement(node, c, labels);
    case "ForInStatement":
      return forIn(node, c, labels);
    case "ForOfStatement":
      return forOf(node, c, labels);
    case "WhileStatement":
      return whileStatement(node, c, labels);
    case "DoWhileStatement":
      return doWhileStatement(node, c, labels);
    case "LabeledStatement":
      return labeled(node, c, labels);
    case "BreakStatement":
    case "ContinueStatement": {
      const completion = jump(node, c);
      return () => completion;
    }
    case "SwitchStatement":
      return switchStatement(node, c, labels);
    case "TryStatement":
      return withBreak(labels, c, () => tryStatement(node, c));
    case "TSEnumDeclaration":
      return enumeration(node, c);
    default:
      throw new Error(`no compiler for ${node.type}`);
  }
}

/** What a program returns is looked at when it has ended: a message about it points here. */
export function returned(node: estree.ReturnStatement, value: Ev, c: Context): Ev {
  if (c.fn.kind !== "program") return value;
  const site = c.site(node);
  return (f) => {
    R.site = site;
    const v = value(f);
    if (v !== SUSPEND) R.site = site;
    return v;
  };
}

/** A list of statements, none of which suspends, as one. */
export function statementList(list: readonly Statement[], c: Context): Ev {
  const evs: Ev[] = [];
  let run: Effect[] = [];
  const flush = (): void => {
    if (run.length > 0) evs.push(effectRun(run));
    run = [];
  };
  for (const s of list) {
    const effects = effectsOf(s, c);
    if (effects !== null) run.push(...effects);
    else {
      flush();
      evs.push(statement(s, c));
    }
  }
  flush();
  return sequence(evs);
}

/** One declarator; null if there is nothing to do. */
export function declarator(
  d: estree.VariableDeclarator,
  kind: estree.VariableDeclaration["kind"],
  c: Context,
): ((f: Frame) => void) | null {
  if (!d.init) {
    if (kind === "var" || d.id.type !== "Identifier") return null;
    const put = initialise(d.id.name, c);
    return (f) => put(f, undefined);
  }
  const site = c.site(d);
  if (d.id.type === "Identifier") {
    const value = namedExpression(d.init, d.id.name, c);
    const r = c.resolve(d.id.name);
    if (r !== undefined && !r.binding.captured && kind !== "using" && kind !== "await using") {
      const i = r.binding.slot;
      return (f) => {
        R.site = site;
        f[i] = value(f);
      };
    }
    const put =
      kind === "using" || kind === "await using"
        ? withDisposal(d.id.name, kind, c)
        : kind === "var"
          ? assignPattern(d.id, c)
          : initialise(d.id.name, c);
    return (f) => {
      R.site = site;
      put(f, value(f));
    };
  }
  const value = expression(d.init, c);
  const put = kind === "var" ? assignPattern(d.id as Pattern, c) : bindPattern(d.id as Pattern, c);
  const { id, init } = d;
  return (f) => {
    R.site = site;
    const v = value(f);
    if (v === undefined || v === null) throwNullishPattern(v, id as Pattern, site, f, init, c);
    put(f, v);
  };
}

// Lists and blocks -----------------------------------------------------------------------------------------------------------------

/** Statements one after the other, until one completes otherwise. */
export function sequence(evs: Ev[]): Ev {
  const all = evs.filter((e) => e !== nothing);
  switch (all.length) {
    case 0:
      return nothing;
    case 1:
      return all[0];
    case 2: {
      const [a, b] = all;
      return (f) => {
        const v = a(f);
        return v !== undefined ? v : b(f);
      };
    }
    case 3: {
      const [a, b, d] = all;
      return (f) => {
        let v = a(f);
        if (v !== undefined) return v;
        v = b(f);
        return v !== undefined ? v : d(f);
      };
    }
    case 4: {
      const [a, b, d, e] = all;
      return (f) => {
        let v = a(f);
        if (v !== undefined) return v;
        v = b(f);
        if (v !== undefined) return v;
        v = d(f);
        return v !== undefined ? v : e(f);
      };
    }
  }
  const n = all.length;
  return (f) => {
    for (let i = 0; i < n; i++) {
      const v = all[i](f);
      if (v !== undefined) return v;
    }
    return undefined;
  };
}

/** The statements of a function's body, whose scope the prologue has opened. */
export function functionBody(list: Statement[], scope: Scope, c: Context): Ev {
  const from = c.fn.frameSize;
  if (c.fn.suspends && (scope.using === "async" || list.some((s) => c.suspends(s)))) {
    const body = suspendStatements(list, c);
    return scope.using === false ? body : suspendDisposing(body, from, scope, c);
  }
  const body = statementList(list, c);
  return scope.using === false ? body : disposing(body, scope, c);
}

/** A block with its own scope, if it has one. */
export function block(node: Node, list: Statement[], c: Context): Ev {
  const scope = c.unit.analysis.scopeOf(node);
  const inner = c.within(scope);
  const open = scope === undefined ? [] : scopeOpening(scope, inner);
  const suspends = list.some((s) => inner.suspends(s)) || (scope !== undefined && scope.using === "async");
  if (suspends) throw new Error("a block that suspends is compiled elsewhere");
  let body = statementList(list, inner);
  if (scope !== undefined && scope.using !== false) body = disposing(body, scope, inner);
  return inScope(scope, open, body);
}

export function scopeOpening(scope: Scope, c: Context): ((f: Frame) => void)[] {
  const steps: ((f: Frame) => void)[] = [];
  openScope(scope, steps);
  const functions = instantiate(scope, c);
  if (functions !== null) steps.push(functions);
  return steps;
}

/** Runs `body` inside a scope. An exception leaves the environment to the `try` that catches it. */
export function inScope(scope: Scope | undefined, open: ((f: Frame) => void)[], body: Ev): Ev {
  if (scope === undefined || open.length === 0) return body;
  if (scope.envSize === 0) {
    if (open.length === 1) {
      const [o] = open;
      return (f) => {
        o(f);
        return body(f);
      };
    }
    return (f) => {
      for (let i = 0; i < open.length; i++) open[i](f);
      return body(f);
    };
  }
  if (open.length === 1) {
    const [o] = open;
    return (f) => {
      const env = f[0];
      o(f);
      const v = body(f);
      f[0] = env;
      return v;
    };
  }
  return (f) => {
    const env = f[0];
    for (let i = 0; i < open.length; i++) open[i](f);
    const v = body(f);
    f[0] = env;
    return v;
  };
}

// Jumps ----------------------------------------------------------------------------------------------------------------------------

function jump(node: estree.BreakStatement | estree.ContinueStatement, c: Context): Value {
  const label = node.label?.name;
  for (let i = c.body.targets.length - 1; i >= 0; i--) {
    const t = c.body.targets[i];
    if (node.type === "BreakStatement") {
      if (label === undefined ? t.takesPlainBreak : t.labels.includes(label)) return t.break;
    } else if (t.continue !== null && (label === undefined || t.labels.includes(label))) return t.continue;
  }
  throw new Error("a jump to nowhere");
}

/** Compiles something that `break label` can leave. */
export function withBreak(labels: string[], c: Context, compile: () => Ev): Ev {
  if (labels.length === 0) return compile();
  const target: JumpTarget = { labels, break: newTarget("break"), continue: null, takesPlainBreak: false };
  c.body.targets.push(target);
  const body = compile();
  c.body.targets.pop();
  const out = target.break;
  return (f) => {
    const v = body(f);
    return v === out ? undefined : v;
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

// Branches -------------------------------------------------------------------------------------------------------------------------

function ifStatement(node: estree.IfStatement, c: Context): Ev {
  // `else if` chains are flat.
  const tests: ReturnType<typeof test>[] = [];
  const bodies: Ev[] = [];
  let n: Statement | null | undefined = node;
  while (n && n.type === "IfStatement" && !c.suspends(n)) {
    tests.push(test(n.test, c));
    bodies.push(statement(n.consequent, c));
    n = n.alternate;
  }
  const otherwise = n ? statement(n, c) : nothing;
  if (tests.length === 1) {
    const [t] = tests;
    const [a] = bodies;
    if (otherwise === nothing) return (f) => (t(f) ? a(f) : undefined);
    return (f) => (t(f) ? a(f) : otherwise(f));
  }
  if (tests.length === 2) {
    const [t, u] = tests;
    const [a, b] = bodies;
    return (f) => (t(f) ? a(f) : u(f) ? b(f) : otherwise(f));
  }
  const count = tests.length;
  return (f) => {
    for (let i = 0; i < count; i++) if (tests[i](f)) return bodies[i](f);
    return otherwise(f);
  };
}

function switchStatement(node: estree.SwitchStatement, c: Context, labels: string[]): Ev {
  const discriminant = expression(node.discriminant, c);
  const scope = c.unit.analysis.scopeOf(node);
  const inner = c.within(scope);
  const open = scope === undefined ? [] : scopeOpening(scope, inner);
  const target: JumpTarget = { labels, break: newTarget("break"), continue: null, takesPlainBreak: true };
  c.body.targets.push(target);
  const tests = node.cases.map((k) => (k.test ? expression(k.test, inner) : null));
  const bodies = node.cases.map((k) => statementList(k.consequent, inner));
  c.body.targets.pop();
  const fallback = tests.indexOf(null);
  const out = target.break;
  const n = tests.length;
  const st = c.newSlot();
  let run: Ev = (f) => {
    const v = f[st];
    let i = 0;
    for (; i < n; i++) {
      const t = tests[i];
      if (t !== null && isSame(t(f), v)) break;
    }
    if (i === n) {
      if (fallback < 0) return undefined;
      i = fallback;
    }
    for (; i < n; i++) {
      const r = bodies[i](f);
      if (r !== undefined) return r === out ? undefined : r;
    }
    return undefined;
  };
  if (scope !== undefined && scope.using !== false) run = disposing(run, scope, inner);
  const scoped = inScope(scope, open, run);
  return (f) => {
    f[st] = discriminant(f);
    return scoped(f);
  };
}

// try ------------------------------------------------------------------------------------------------------------------------------

/** What a `catch` or `finally` sees of a host exception: a guest's value. Ends of the run are not seen. */
export function isSeen(e: unknown): e is GuestThrow | ReturnSignal {
  return e instanceof GuestThrow || e instanceof ReturnSignal;
}

export function catchClause(handler: estree.CatchClause, c: Context): (f: Frame, v: Value) => Value {
  const scope = c.unit.analysis.scopeOf(handler);
  const inner = c.within(scope);
  const open = scope === undefined ? [] : scopeOpening(scope, inner);
  const bind = handler.param ? bindPattern(handler.param as Pattern, inner) : null;
  const body = statement(handler.body, inner);
  return (f, v) => {
    const env = f[0];
    for (let i = 0; i < open.length; i++) open[i](f);
    if (bind !== null) bind(f, v);
    const r = body(f);
    f[0] = env;
    return r;
  };
}

function tryStatement(node: estree.TryStatement, c: Context): Ev {
  c.body.enter();
  const body = statement(node.block, c);
  const handler = node.handler ? catchClause(node.handler, c) : null;
  const finalizer = node.finalizer ? statement(node.finalizer, c) : null;
  c.body.leave();
  const guarded = handler === null ? body : tryCatch(body, handler);
  return finalizer === null ? guarded : tryFinally(guarded, finalizer);
}

export function tryCatch(body: Ev, handler: (f: Frame, v: Value) => Value): Ev {
  return (f) => {
    const env = f[0];
    const { depth, stack } = R;
    let value: Value;
    try {
      return body(f);
    } catch (e) {
      if (!(e instanceof GuestThrow)) throw e;
      value = e.value;
    }
    f[0] = env;
    R.depth = depth;
    R.stack = stack;
    return handler(f, value);
  };
}

function tryFinally(body: Ev, finalizer: Ev): Ev {
  return (f) => {
    const env = f[0];
    const { depth, stack } = R;
    let v: Value;
    try {
      v = body(f);
    } catch (e) {
      if (!isSeen(e)) throw e;
      f[0] = env;
      R.depth = depth;
      R.stack = stack;
      const r = finalizer(f);
      if (r !== undefined) return r;
      throw e;
    }
    const r = finalizer(f);
    return r !== undefined ? r : v;
  };
}
