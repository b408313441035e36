// Functions: closures, the entries that make frames, prologues. Bodies are compiled at the first call.

import { newArray, newElements } from "../array.js";
import { protoFromNewTarget } from "../call.js";
import { throwReferenceError, throwTypeError } from "../errors.js";
import { Intrinsic } from "../intrinsics.js";
import { OBJECT_BYTES, definePropertyOrThrow, dataDescriptor } from "../object.js";
import { functionShape } from "../realm.js";
import { R } from "../run-state.js";
import { Flag, type Shape, childShape, rootOf } from "../shape.js";
import {
  Code,
  type Env,
  type Frame,
  FunctionData,
  FunctionFlag,
  type FunctionObject,
  GuestObject,
  type Key,
  Kind,
  LAZY,
  PrivateName,
  TDZ,
  type Value,
} from "../values.js";
import { ActivationKind, startActivation } from "./activation.js";
import { makeArguments } from "./arguments.js";
import { BodyState, Context } from "./context.js";
import { ENTRY_EXPRESSION, ENTRY_STATEMENTS, MAX_ENTRY_FRAME } from "./entries.gen.js";
import { expression } from "./expressions.js";
import type { FunctionNode, Pattern, estree } from "./nodes.js";
import { bindPattern, slotOf, split } from "./patterns.js";
import { ACTIVATION, type FunctionInfo, type Scope } from "./scope.js";
import { functionBody } from "./statements.js";
import { type Ev, RETURN_UNDEFINED } from "./unit.js";

// Closures -------------------------------------------------------------------------------------------------------------------------

const prototypeShapes = new Map<number, Shape>();

/** The shape of a new function: `length`, `name`, and `prototype` where there is one. */
function shapeOf(flags: number): Shape {
  const isAsync = (flags & FunctionFlag.ASYNC) !== 0;
  const isGenerator = (flags & FunctionFlag.GENERATOR) !== 0;
  const isPlain = (flags & (FunctionFlag.ARROW | FunctionFlag.METHOD | FunctionFlag.CLASS)) === 0 && !isAsync && !isGenerator;
  const key = (isAsync ? 1 : 0) | (isGenerator ? 2 : 0) | (isPlain ? 4 : 0);
  let shape = prototypeShapes.get(key);
  if (shape === undefined) {
    const proto = isGenerator
      ? isAsync
        ? Intrinsic.AsyncGeneratorFunctionPrototype
        : Intrinsic.GeneratorFunctionPrototype
      : isAsync
        ? Intrinsic.AsyncFunctionPrototype
        : Intrinsic.FunctionPrototype;
    const root = rootOf(proto);
    shape =
      root === rootOf(Intrinsic.FunctionPrototype)
        ? functionShape()
        : childShape(childShape(root, "length", Flag.CONFIGURABLE), "name", Flag.CONFIGURABLE);
    if (isGenerator || isPlain) shape = childShape(shape, "prototype", Flag.WRITABLE | Flag.LAZY);
    prototypeShapes.set(key, shape);
  }
  return shape;
}

const CLOSURE_BYTES = 176;

/** A function or arrow as an expression: a new closure at each evaluation. */
export function functionExpression(node: FunctionNode, name: string, c: Context): Ev {
  const code = codeOf(node, name, c, 0);
  const shape = shapeOf(code.flags);
  const length = code.length;
  return (f) => {
    R.mem -= CLOSURE_BYTES;
    return new GuestObject(shape, Kind.FUNCTION, new FunctionData(code, f[0] as unknown as Env, null, null), length, name, LAZY, undefined);
  };
}

/** A method: the closure takes its home object. */
export function methodClosure(node: estree.FunctionExpression, name: string, c: Context): (f: Frame, home: GuestObject) => FunctionObject {
  const code = codeOf(node, name, c, FunctionFlag.METHOD);
  const shape = shapeOf(code.flags);
  return (f, home) => {
    R.mem -= CLOSURE_BYTES;
    return new GuestObject(
      shape,
      Kind.FUNCTION,
      new FunctionData(code, f[0] as unknown as Env, home, null),
      code.length,
      name,
      LAZY,
      undefined,
    ) as FunctionObject;
  };
}

/** SetFunctionName with a key that is known only when running. */
export function nameFunction(fn: FunctionObject, key: Key | PrivateName, prefix?: "get" | "set"): void {
  let name =
    typeof key === "symbol"
      ? key.description === undefined
        ? ""
        : `[${key.description}]`
      : typeof key === "string"
        ? key
        : key.description;
  if (prefix !== undefined) name = `${prefix} ${name}`;
  // A class with a static member `name` keeps that.
  const own = fn.shape === shapeOf(fn.d.code.flags);
  if (own) fn.s1 = name;
  else if (!hasOwnName(fn)) definePropertyOrThrow(fn, "name", dataDescriptor(name, Flag.CONFIGURABLE));
}

function hasOwnName(fn: FunctionObject): boolean {
  const v = fn.d.data;
  return v === OWN_NAME;
}
/** Marks a class whose static members include `name`. */
export const OWN_NAME = {};

/** Instantiates the functions that a scope declares. */
export function instantiate(scope: Scope, c: Context): ((f: Frame) => void) | null {
  if (scope.functions.length === 0) return null;
  const steps = scope.functions.map(({ binding, node }) => {
    const make = functionExpression(node, node.id.name, c);
    const i = binding.slot;
    return binding.captured
      ? (f: Frame) => {
          (f[0] as unknown as Env)[i] = make(f);
        }
      : (f: Frame) => {
          f[i] = make(f);
        };
  });
  if (steps.length === 1) return steps[0];
  return (f) => {
    for (let i = 0; i < steps.length; i++) steps[i](f);
  };
}

// Code -----------------------------------------------------------------------------------------------------------------------------

const codes = new WeakMap<object, Code>();

/** The code of a function node: made once, its body compiled at the first call. */
export function codeOf(node: FunctionNode, name: string, c: Context, flags: number): Code {
  const known = codes.get(node);
  if (known !== undefined) return known;
  const info = c.unit.analysis.functionOf(node);
  const code = new Code(name, expectedArguments(node.params as Pattern[]), flags);
  if (info.kind === "arrow") code.flags |= FunctionFlag.ARROW;
  if (node.async) code.flags |= FunctionFlag.ASYNC;
  if (node.generator) code.flags |= FunctionFlag.GENERATOR;
  const { unit } = c;
  code.text = () => unit.text(info.textStart < 0 ? node.start : info.textStart, node.end);
  lazily(code, () => fillCode(code, node, info, c));
  codes.set(node, code);
  return code;
}

/** ExpectedArgumentCount. */
export function expectedArguments(params: Pattern[]): number {
  const i = params.findIndex(
    (p) =>
      p.type === "AssignmentPattern" ||
      p.type === "RestElement" ||
      (p.type === "TSParameterProperty" && p.parameter.type === "AssignmentPattern"),
  );
  return i < 0 ? params.length : i;
}

/** Entries that compile first. */
function lazily(code: Code, fill: () => void): void {
  const constructs =
    (code.flags & (FunctionFlag.ARROW | FunctionFlag.METHOD | FunctionFlag.ASYNC | FunctionFlag.GENERATOR)) === 0 ||
    (code.flags & FunctionFlag.CLASS) !== 0;
  code.c0 = (fn, t) => (fill(), code.c0(fn, t));
  code.c1 = (fn, t, a) => (fill(), code.c1(fn, t, a));
  code.c2 = (fn, t, a, b) => (fill(), code.c2(fn, t, a, b));
  code.c3 = (fn, t, a, b, d) => (fill(), code.c3(fn, t, a, b, d));
  code.cN = (fn, t, args) => (fill(), code.cN(fn, t, args));
  if (!constructs) return;
  code.k0 = (fn, nt) => (fill(), code.k0!(fn, nt));
  code.k1 = (fn, nt, a) => (fill(), code.k1!(fn, nt, a));
  code.k2 = (fn, nt, a, b) => (fill(), code.k2!(fn, nt, a, b));
  code.k3 = (fn, nt, a, b, d) => (fill(), code.k3!(fn, nt, a, b, d));
  code.kN = (fn, nt, args) => (fill(), code.kN!(fn, nt, args));
}

function fillCode(code: Code, node: FunctionNode, info: FunctionInfo, c: Context): void {
  const state = new BodyState(code.name);
  const inner = new Context(c.unit, info.scope, state);
  const pre = prologue(node, info, inner);
  const compiled = compileBody(node, info, inner.within(info.body), info.suspends ? null : pre);
  const needsAll = info.usesArguments !== null || (node.params as Pattern[]).some((p) => p.type === "RestElement");
  if (info.suspends) suspendableEntries(code, pre, compiled.body, info, state.weight, needsAll);
  else plainEntries(code, compiled, info, state.weight, needsAll);
  if (code.kN !== null) constructEntries(code, info);
}

interface CompiledBody {
  body: Ev;
  /** True if `body` gives the value itself, not a completion. */
  isValue: boolean;
}

/** The body, after `pre`. */
function compileBody(node: FunctionNode, info: FunctionInfo, c: Context, pre: ((f: Frame) => void) | null): CompiledBody {
  if (node.body.type !== "BlockStatement") {
    const value = expression(node.body, c);
    return info.suspends ? { body: (f) => asReturn(value(f)), isValue: false } : { body: withPrologue(pre, value), isValue: true };
  }
  const list = node.body.body;
  // `{ return x }` is the bare expression.
  if (list.length === 1 && list[0].type === "ReturnStatement" && !info.suspends && info.kind !== "derived" && list[0].argument) {
    return { body: withPrologue(pre, expression(list[0].argument, c)), isValue: true };
  }
  const body = functionBody(list, info.body, c);
  return info.kind === "derived"
    ? { body: derivedResult(pre, body, info), isValue: true }
    : { body: withPrologue(pre, body), isValue: false };
}

function asReturn(v: Value): Value {
  return v === undefined ? RETURN_UNDEFINED : v;
}

function withPrologue(pre: ((f: Frame) => void) | null, body: Ev): Ev {
  if (pre === null) return body;
  return (f) => {
    pre(f);
    return body(f);
  };
}

/** What a derived constructor gives: an object returned, else `this`, which must be there by then. */
function derivedResult(pre: ((f: Frame) => void) | null, body: Ev, info: FunctionInfo): Ev {
  const b = info.usesThis!;
  const i = b.slot;
  return (f) => {
    if (pre !== null) pre(f);
    const v = body(f);
    if (typeof v === "object" && v !== null && v instanceof GuestObject) return v;
    if (v !== undefined && v !== RETURN_UNDEFINED) throwTypeError("Derived constructors may only return object or undefined");
    const t = b.captured ? functionEnv(f, info)[i] : f[i];
    if (t === TDZ)
      throwReferenceError("Must call super constructor in derived class before accessing 'this' or returning from derived constructor");
    return t;
  };
}

/** The environment of the function's own scope; at the end of a body it or the body's is current. */
function functionEnv(f: Frame, info: FunctionInfo): Env {
  const e = f[0] as unknown as Env;
  return info.body !== info.scope && info.body.envSize > 0 ? (e[0] as unknown as Env) : e;
}

// Prologue -------------------------------------------------------------------------------------------------------------------------

/** What runs before the body: environment, parameters, implicit bindings, hoisted functions. */
export function prologue(node: FunctionNode | null, info: FunctionInfo, c: Context): ((f: Frame) => void) | null {
  const steps: ((f: Frame) => void)[] = [];
  const { scope } = info;
  const base = info.paramBase;
  openScope(scope, steps);
  const newTargetBinding = info.usesNewTarget;
  if (newTargetBinding !== null) {
    const { captured, slot } = newTargetBinding;
    steps.push((f) => {
      if (captured) (f[0] as unknown as Env)[slot] = R.newTarget;
      else f[slot] = R.newTarget;
      R.newTarget = undefined;
    });
  }
  for (const b of scope.bindings.values()) {
    if (!b.captured) continue;
    const i = b.slot;
    if (b.name === "%this") {
      steps.push((f) => {
        (f[0] as unknown as Env)[i] = f[1];
      });
    } else if (b.name === "%callee" || b.kind === "self") {
      steps.push((f) => {
        (f[0] as unknown as Env)[i] = f[2];
      });
    }
  }
  if (info.usesArguments !== null) {
    const put = slotWriter(info.usesArguments.captured, info.usesArguments.slot);
    const all = allArgumentsSlot(info);
    steps.push((f) => put(f, makeArguments(f[all] as unknown as Value[])));
  }
  const params = (node === null ? [] : node.params) as Pattern[];
  if (info.simpleParams) {
    params.forEach((p, i) => {
      const b = scope.bindings.get((p as estree.Identifier).name)!;
      // Of two parameters of one name (not in strict code) the last counts.
      if (b.captured) {
        const { slot } = b;
        steps.push((f) => {
          (f[0] as unknown as Env)[slot] = f[base + i];
        });
      }
    });
    if (info.kind === "program") {
      const b = scope.bindings.get("%argument")!;
      if (b.captured) {
        steps.push((f) => {
          (f[0] as unknown as Env)[b.slot] = f[base];
        });
      }
    }
  } else {
    // Parameters are uninitialised until their turn, if something may look.
    if (params.some(mayLook)) {
      for (const b of scope.bindings.values()) {
        if (b.kind !== "param") continue;
        const put = slotWriter(b.captured, b.slot);
        steps.push((f) => put(f, TDZ));
      }
    }
    params.forEach((p, i) => {
      const slot = base + i;
      if (p.type === "RestElement") {
        const target = bindPattern(p.argument, c);
        const all = allArgumentsSlot(info);
        steps.push((f) => {
          const args = f[all] as unknown as Value[];
          const rest = newElements();
          for (let k = i; k < args.length; k++) rest.push(args[k]);
          target(f, newArray(rest));
        });
        return;
      }
      const { target: inner, fallback } = split(p, c);
      const target = bindPattern(inner, c);
      const local = slotOf(inner, c, true);
      steps.push((f) => {
        let v = f[slot];
        if (v === undefined && fallback !== null) v = fallback(f);
        if (local >= 0) f[local] = v;
        else target(f, v);
      });
    });
  }
  if (info.body !== info.scope) {
    // Variables of the body that share a name with a parameter start with its value.
    const shared: { from: ReturnType<typeof reader>; name: string }[] = [];
    for (const b of info.body.bindings.values()) {
      const p = scope.bindings.get(b.name);
      if (p !== undefined && p.kind !== "self" && b.kind === "var") shared.push({ from: reader(p.captured, p.slot), name: b.name });
    }
    const values = shared.map(({ from, name }) => {
      const b = info.body.bindings.get(name)!;
      return { from, put: slotWriter(b.captured, b.slot) };
    });
    const open: ((f: Frame) => void)[] = [];
    openScope(info.body, open);
    steps.push((f) => {
      const held = values.map((v) => v.from(f));
      for (let i = 0; i < open.length; i++) open[i](f);
      values.forEach((v, i) => v.put(f, held[i]));
    });
  }
  const functions = instantiate(info.body, c.within(info.body));
  if (functions !== null) steps.push(functions);
  if (steps.length === 0) return null;
  if (steps.length === 1) return steps[0];
  if (steps.length === 2) {
    const [a, b] = steps;
    return (f) => {
      a(f);
      b(f);
    };
  }
  return (f) => {
    for (let i = 0; i < steps.length; i++) steps[i](f);
  };
}

/** Whether binding a parameter runs an expression that could read another one: a default or a key that is no constant. */
function mayLook(p: Pattern): boolean {
  switch (p.type) {
    case "Identifier":
      return false;
    case "AssignmentPattern":
      return p.right.type !== "Literal" || mayLook(p.left as Pattern);
    case "RestElement":
      return mayLook(p.argument as Pattern);
    case "ArrayPattern":
      return p.elements.some((e) => e !== null && mayLook(e as Pattern));
    case "ObjectPattern":
      return p.properties.some((q) => (q.type === "RestElement" ? mayLook(q) : q.computed || mayLook(q.value as Pattern)));
    default:
      return true;
  }
}

/** Makes a scope's environment, and presets what may be read before it is initialised. */
export function openScope(scope: Scope, steps: ((f: Frame) => void)[]): void {
  const size = scope.envSize;
  if (size > 0) {
    const initial: Value[] = [undefined];
    for (const b of scope.bindings.values()) if (b.captured) initial[b.slot] = b.lexical ? TDZ : undefined;
    const bytes = 24 + 8 * size;
    if (size === 2) {
      const first = initial[1];
      steps.push((f) => {
        R.mem -= 40;
        f[0] = [f[0], first] as unknown as Value;
      });
    } else if (size === 3) {
      const [, first, second] = initial;
      steps.push((f) => {
        R.mem -= 48;
        f[0] = [f[0], first, second] as unknown as Value;
      });
    } else {
      steps.push((f) => {
        R.mem -= bytes;
        const env = [f[0]];
        for (let i = 1; i < size; i++) env.push(initial[i]);
        f[0] = env as unknown as Value;
      });
    }
  }
  for (const b of scope.bindings.values()) {
    if (b.captured || !b.lexical || !b.checked) continue;
    const i = b.slot;
    steps.push((f) => {
      f[i] = TDZ;
    });
  }
}

export function slotWriter(captured: boolean, i: number): (f: Frame, v: Value) => void {
  return captured
    ? (f, v) => {
        (f[0] as unknown as Env)[i] = v;
      }
    : (f, v) => {
        f[i] = v;
      };
}

function reader(captured: boolean, i: number): Ev {
  return captured ? (f) => (f[0] as unknown as Env)[i] : (f) => f[i];
}

/** The slot in which a function that asks for them finds all its arguments as a host list. */
function allArgumentsSlot(info: FunctionInfo): number {
  return (info.allArguments ??= info.newSlot());
}

// Entries --------------------------------------------------------------------------------------------------------------------------

export function plainEntries(code: Code, { body, isValue }: CompiledBody, info: FunctionInfo, weight: number, needsAll: boolean): void {
  const n = info.paramCount;
  const size = info.frameSize;
  if (!needsAll && size <= MAX_ENTRY_FRAME) {
    const table = isValue ? ENTRY_EXPRESSION : ENTRY_STATEMENTS;
    // An entry for more arguments than there are parameters is the same function: natives tell from this what a callback looks at.
    const entries = table.slice(0, n + 1).map((sizes) => sizes[size - 3](body, weight));
    const entry = (m: number) => entries[Math.min(m, n)];
    const c0 = (code.c0 = entry(0) as Code["c0"]);
    const c1 = (code.c1 = entry(1) as Code["c1"]);
    const c2 = (code.c2 = entry(2) as Code["c2"]);
    const c3 = (code.c3 = entry(3));
    if (n <= 3) {
      // Not through `code`: a class constructor's own entries refuse.
      code.cN =
        n === 0
          ? (fn, t) => c0(fn, t)
          : n === 1
            ? (fn, t, args) => c1(fn, t, args[0])
            : n === 2
              ? (fn, t, args) => c2(fn, t, args[0], args[1])
              : (fn, t, args) => c3(fn, t, args[0], args[1], args[2]);
      return;
    }
  }
  const all = needsAll ? info.allArguments! : -1;
  const enter = (fn: FunctionObject, t: Value, args: Value[]): Value => {
    if (--R.fuel < 0) R.run.outOfFuel();
    R.sites[++R.depth] = R.site;
    if (R.depth > R.depthMax || (R.stack += weight) > R.stackMax) R.run.tooDeep();
    const v = body(frameOf(fn, t, args, n, size, 3, all));
    R.site = R.sites[R.depth--]; // a native that calls again does so from there
    R.stack -= weight;
    return v === RETURN_UNDEFINED ? undefined : v;
  };
  code.cN = enter;
  if (!needsAll && size <= MAX_ENTRY_FRAME) return;
  code.c0 = (fn, t) => enter(fn, t, []);
  code.c1 = (fn, t, a) => enter(fn, t, [a]);
  code.c2 = (fn, t, a, b) => enter(fn, t, [a, b]);
  code.c3 = (fn, t, a, b, c) => enter(fn, t, [a, b, c]);
}

/** A frame of any size. */
export function frameOf(fn: FunctionObject, t: Value, args: Value[], n: number, size: number, base: number, all: number): Frame {
  const f: Frame = [fn.d.env as unknown as Value, t, fn];
  for (let i = 3; i < base; i++) f.push(undefined);
  for (let i = 0; i < n; i++) f.push(i < args.length ? args[i] : undefined);
  for (let i = base + n; i < size; i++) f.push(undefined);
  if (all >= 0) f[all] = args as unknown as Value;
  return f;
}

function suspendableEntries(
  code: Code,
  pre: ((f: Frame) => void) | null,
  body: Ev,
  info: FunctionInfo,
  weight: number,
  needsAll: boolean,
): void {
  const n = info.paramCount;
  const size = info.frameSize;
  const all = needsAll ? info.allArguments! : -1;
  const kind = info.isGenerator ? (info.isAsync ? ActivationKind.ASYNC_GENERATOR : ActivationKind.GENERATOR) : ActivationKind.ASYNC;
  const enter = (fn: FunctionObject, t: Value, args: Value[]): Value =>
    startActivation(kind, fn, frameOf(fn, t, args, n, size, ACTIVATION + 1, all), pre, body, weight);
  code.cN = enter;
  code.c0 = (fn, t) => enter(fn, t, []);
  code.c1 = (fn, t, a) => enter(fn, t, [a]);
  code.c2 = (fn, t, a, b) => enter(fn, t, [a, b]);
  code.c3 = (fn, t, a, b, c) => enter(fn, t, [a, b, c]);
}

// Constructors ---------------------------------------------------------------------------------------------------------------------

/** A new object with the prototype that `newTarget` says. */
export function ordinaryCreate(newTarget: GuestObject): GuestObject {
  R.mem -= OBJECT_BYTES;
  const known = newTarget.kind === Kind.FUNCTION ? (newTarget as FunctionObject).d.instanceShape : null;
  const shape = known ?? protoFromNewTarget(newTarget, Intrinsic.ObjectPrototype);
  return new GuestObject(shape, Kind.ORDINARY, undefined, undefined, undefined, undefined, undefined);
}

export function constructEntries(code: Code, info: FunctionInfo): void {
  const asks = info.usesNewTarget !== null;
  // A class constructor refuses plain calls: its own entries move here.
  const { c0, c1, c2, c3, cN } = code;
  if (info.kind === "derived") {
    code.k0 = (fn, nt) => ((R.newTarget = nt), c0(fn, TDZ));
    code.k1 = (fn, nt, a) => ((R.newTarget = nt), c1(fn, TDZ, a));
    code.k2 = (fn, nt, a, b) => ((R.newTarget = nt), c2(fn, TDZ, a, b));
    code.k3 = (fn, nt, a, b, c) => ((R.newTarget = nt), c3(fn, TDZ, a, b, c));
    code.kN = (fn, nt, args) => ((R.newTarget = nt), cN(fn, TDZ, args));
  } else {
    const begin = (fn: FunctionObject, nt: GuestObject): GuestObject => {
      const o = ordinaryCreate(nt);
      if (fn.d.init !== null) fn.d.init(o);
      if (asks) R.newTarget = nt;
      return o;
    };
    code.k0 = (fn, nt) => {
      const o = begin(fn, nt);
      const v = c0(fn, o);
      return typeof v === "object" && v !== null ? v : o;
    };
    code.k1 = (fn, nt, a) => {
      const o = begin(fn, nt);
      const v = c1(fn, o, a);
      return typeof v === "object" && v !== null ? v : o;
    };
    code.k2 = (fn, nt, a, b) => {
      const o = begin(fn, nt);
      const v = c2(fn, o, a, b);
      return typeof v === "object" && v !== null ? v : o;
    };
    code.k3 = (fn, nt, a, b, c) => {
      const o = begin(fn, nt);
      const v = c3(fn, o, a, b, c);
      return typeof v === "object" && v !== null ? v : o;
    };
    code.kN = (fn, nt, args) => {
      const o = begin(fn, nt);
      const v = cN(fn, o, args);
      return typeof v === "object" && v !== null ? v : o;
    };
  }
  if ((code.flags & FunctionFlag.CLASS) !== 0) refuseCalls(code);
}

/** A class constructor cannot be called without `new`. */
export function refuseCalls(code: Code): void {
  const refuse = (): never => throwTypeError(`Class constructor ${code.name} cannot be invoked without 'new'`);
  code.c0 = refuse;
  code.c1 = refuse;
  code.c2 = refuse;
  code.c3 = refuse;
  code.cN = refuse;
}
