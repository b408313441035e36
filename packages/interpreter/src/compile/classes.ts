// Classes (ECMAScript 15.7.14, ClassDefinitionEvaluation).

import { construct } from "../call.js";
import { describe } from "../convert.js";
import { throwTypeError } from "../errors.js";
import { Intrinsic } from "../intrinsics.js";
import { createDataOrThrow, get, getPrototypeOf, isConstructor, newKind } from "../object.js";
import { R } from "../run-state.js";
import { Flag, type Shape, addProperty, childShape, rootFor, rootOf } from "../shape.js";
import {
  Accessor,
  Code,
  type Env,
  type Frame,
  FunctionData,
  FunctionFlag,
  type FunctionObject,
  GuestObject,
  type Key,
  Kind,
  PrivateName,
  type Value,
} from "../values.js";
import { BodyState, Context } from "./context.js";
import { expression, namedExpression } from "./expressions.js";
import {
  OWN_NAME,
  codeOf,
  methodClosure,
  nameFunction,
  openScope,
  ordinaryCreate,
  plainEntries,
  prologue,
  refuseCalls,
  slotWriter,
} from "./functions.js";
import { keyOf } from "./keys.js";
import { isAnonymousFunction, type ClassNode, type Expression, type Node, type estree } from "./nodes.js";
import { constantKey, defineMethod } from "./object-literal.js";
import { privateName, privateNameSlot } from "./property.js";
import { addPrivate } from "./cache.js";
import { type FunctionInfo, keyName } from "./scope.js";
import { functionBody } from "./statements.js";
import { inOrder, type Step } from "./suspend-expressions.js";
import { type Ev, SUSPEND } from "./unit.js";
import { initialise, readVariable } from "./variables.js";

export function classDeclaration(node: estree.ClassDeclaration, c: Context): Ev {
  const make = classExpression(node, node.id.name, c);
  const put = initialise(node.id.name, c);
  return (f) => {
    put(f, make(f));
    return undefined;
  };
}

export function suspendClassDeclaration(node: estree.ClassDeclaration, c: Context): Ev {
  const make = classExpression(node, node.id.name, c);
  const put = initialise(node.id.name, c);
  return (f) => {
    const v = make(f);
    if (v === SUSPEND) return SUSPEND;
    put(f, v);
    return undefined;
  };
}

type Element = estree.MethodDefinition | estree.PropertyDefinition | estree.StaticBlock;

/** Defines one element of a class. */
type Define = (f: Frame, d: Definition) => void;

/** A class while it is made. */
class Definition {
  readonly ctor: FunctionObject;
  readonly proto: GuestObject;
  /** Private methods and accessors of instances. */
  readonly privates: { name: PrivateName; value: Value | Accessor; flags: number }[] = [];
  readonly keys: Key[];
  constructor(ctor: FunctionObject, proto: GuestObject, keys: Key[]) {
    this.ctor = ctor;
    this.proto = proto;
    this.keys = keys;
  }
}

export function classExpression(node: ClassNode, given: string, c: Context): Ev {
  const name = node.id ? node.id.name : given;
  const { analysis } = c.unit;
  const scope = analysis.scopeOf(node)!;
  const inner = c.within(scope);
  const open: ((f: Frame) => void)[] = [];
  openScope(scope, open);
  for (const b of scope.bindings.values()) {
    if (b.kind !== "private") continue;
    const put = slotWriter(b.captured, b.slot);
    const text = b.name;
    open.push((f) => put(f, new PrivateName(text) as unknown as Value));
  }
  const site = c.site(node);
  const suspends = c.suspends(node);
  const st = suspends ? c.newSlot() : -1;
  const heritage = node.superClass ? expression(node.superClass, inner) : null;
  const elements = node.body.body as Element[];
  const keyed = elements.filter((m): m is estree.MethodDefinition | estree.PropertyDefinition => m.type !== "StaticBlock" && m.computed);
  const keyEvs = keyed.map((m) => expression(m.key as Expression, inner));
  const keySlots = suspends ? keyed.map(() => c.newSlot()) : [];
  const code = constructorCode(node, name, inner);
  const defines = elements.flatMap((m) => {
    const d = elementOf(m, keyed.indexOf(m as estree.MethodDefinition), inner);
    return d === null ? [] : [d];
  });
  const init = instanceInit(node, name, inner);
  const statics = elements
    .filter((m) => m.type === "StaticBlock" || (m.type === "PropertyDefinition" && m.static))
    .map((m) => staticElement(m as estree.PropertyDefinition | estree.StaticBlock, name, inner));
  const bindName = node.id ? initialise(node.id.name, inner) : null;
  const hasEnv = scope.envSize > 0;
  const ownName = elements.some(
    (m) => m.type !== "StaticBlock" && m.static && !m.computed && constantKey(m) === "name" && m.key.type !== "PrivateIdentifier",
  );

  const build = (f: Frame, parents: Parents, keys: Key[]): Value => {
    R.mem -= 800;
    const proto = newKind(parents.protoRoot, Kind.ORDINARY, undefined);
    const shape = classShape(parents.ctorRoot);
    const data = new FunctionData(code, f[0] as unknown as Env, proto, ownName ? OWN_NAME : null);
    const ctor = new GuestObject(shape, Kind.FUNCTION, data, code.length, name, proto, undefined) as FunctionObject;
    addProperty(proto, "constructor", ctor, Flag.WRITABLE | Flag.CONFIGURABLE);
    const d = new Definition(ctor, proto, keys);
    for (const define of defines) define(f, d);
    bindName?.(f, ctor);
    init(f, d);
    for (const s of statics) s(f, d);
    return ctor;
  };

  if (!suspends) {
    return (f) => {
      const env = f[0];
      for (let i = 0; i < open.length; i++) open[i](f);
      const parents = heritage === null ? BASE : parentsOf(heritage(f), site);
      const keys: Key[] = [];
      for (const k of keyEvs) keys.push(keyOf(k(f)));
      const v = build(f, parents, keys);
      if (hasEnv) f[0] = env;
      return v;
    };
  }
  const parentSlot = c.newSlot();
  const opened = c.newSlot();
  const steps: Step[] = [];
  if (heritage !== null) {
    steps.push({
      slot: parentSlot,
      ev: (f) => {
        const v = heritage(f);
        return v === SUSPEND ? SUSPEND : (parentsOf(v, site) as unknown as Value);
      },
    });
  }
  keyEvs.forEach((k, i) => {
    steps.push({
      slot: keySlots[i],
      ev: (f) => {
        const v = k(f);
        return v === SUSPEND ? SUSPEND : keyOf(v);
      },
    });
  });
  steps.push({ slot: -1, ev: () => undefined });
  const run = inOrder(st, steps, (f) =>
    build(
      f,
      heritage === null ? BASE : (f[parentSlot] as unknown as Parents),
      keySlots.map((s) => f[s] as Key),
    ),
  );
  return (f) => {
    if (f[opened] === undefined) {
      for (let i = 0; i < open.length; i++) open[i](f);
      f[opened] = 1;
    }
    const v = run(f);
    if (v === SUSPEND) return SUSPEND;
    f[opened] = undefined;
    if (hasEnv) f[0] = (f[0] as unknown as Env)[0];
    return v;
  };
}

interface Parents {
  protoRoot: Shape;
  ctorRoot: Shape;
}
const BASE: Parents = { protoRoot: rootOf(Intrinsic.ObjectPrototype), ctorRoot: rootOf(Intrinsic.FunctionPrototype) };

function parentsOf(superclass: Value, site: number): Parents {
  R.site = site;
  if (superclass === null) return { protoRoot: rootFor(null), ctorRoot: rootOf(Intrinsic.FunctionPrototype) };
  if (!isConstructor(superclass)) throwTypeError(`Class extends value ${describe(superclass)} is not a constructor or null`);
  const proto = get(superclass, "prototype");
  if (proto !== null && typeof proto !== "object")
    throwTypeError(`Class extends value does not have valid prototype property ${describe(proto)}`);
  return { protoRoot: rootFor(proto), ctorRoot: rootFor(superclass) };
}

function classShape(root: Shape): Shape {
  return childShape(childShape(childShape(root, "length", Flag.CONFIGURABLE), "name", Flag.CONFIGURABLE), "prototype", 0);
}

// Constructors ---------------------------------------------------------------------------------------------------------------------

function constructorCode(node: ClassNode, name: string, c: Context): Code {
  const written = (node.body.body as Element[]).find(
    (m): m is estree.MethodDefinition => m.type === "MethodDefinition" && m.kind === "constructor",
  );
  const flags = FunctionFlag.CLASS | FunctionFlag.METHOD | (node.superClass ? FunctionFlag.DERIVED : 0);
  const { unit } = c;
  const code = written === undefined ? defaultConstructor(name, flags) : codeOf(written.value, name, c, flags);
  code.text = () => unit.text(node.start, node.end);
  return code;
}

function defaultConstructor(name: string, flags: number): Code {
  const code = new Code(name, 0, flags);
  refuseCalls(code);
  if ((flags & FunctionFlag.DERIVED) !== 0) {
    code.kN = (fn, nt, args) => {
      const parent = getPrototypeOf(fn);
      if (!isConstructor(parent)) throwTypeError("Super constructor is not a constructor");
      const o = construct(parent, args, nt);
      if (fn.d.init !== null) fn.d.init(o);
      return o;
    };
  } else {
    const make = (fn: FunctionObject, nt: GuestObject): Value => {
      if (--R.fuel < 0) R.run.outOfFuel();
      const o = ordinaryCreate(nt);
      if (fn.d.init !== null) fn.d.init(o);
      return o;
    };
    code.kN = code.k0 = code.k1 = code.k2 = code.k3 = make;
    return code;
  }
  const { kN } = code;
  code.k0 = (fn, nt) => kN(fn, nt, []);
  code.k1 = (fn, nt, a) => kN(fn, nt, [a]);
  code.k2 = (fn, nt, a, b) => kN(fn, nt, [a, b]);
  code.k3 = (fn, nt, a, b, d) => kN(fn, nt, [a, b, d]);
  return code;
}

// Elements -------------------------------------------------------------------------------------------------------------------------

function elementOf(m: Element, keyIndex: number, c: Context): Define | null {
  if (m.type === "StaticBlock") return null;
  if (m.type === "PropertyDefinition") {
    if (!m.computed) return null;
    const put = initialise(keyName(m), c);
    return (f, d) => put(f, d.keys[keyIndex]);
  }
  if (m.kind === "constructor") return null;
  const isPrivate = m.key.type === "PrivateIdentifier";
  const constant = isPrivate ? `#${(m.key as estree.PrivateIdentifier).name}` : m.computed ? undefined : constantKey(m);
  c.unit.analysis.functionOf(m.value).textStart = m.static ? staticTextStart(m, c) : m.start;
  const make = methodClosure(m.value, constant ?? "", c);
  const { kind } = m;
  const isStatic = m.static;
  if (isPrivate) {
    const name = readVariable(constant!, m.key, c);
    return (f, d) => {
      const fn = make(f, isStatic ? d.ctor : d.proto);
      if (kind !== "method") nameFunction(fn, constant!, kind as "get" | "set");
      addPrivateElement(d, name(f) as unknown as PrivateName, fn, kind, isStatic);
    };
  }
  return (f, d) => {
    const home = isStatic ? d.ctor : d.proto;
    const key = constant ?? d.keys[keyIndex];
    defineMethod(home, key, make(f, home), kind, constant === undefined, 0);
  };
}

/** A method's text starts after `static`. */
function staticTextStart(m: estree.MethodDefinition, c: Context): number {
  const text = c.unit.text(m.start, m.key.start);
  const skip = /^static(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)*/.exec(text);
  return m.start + (skip === null ? 0 : skip[0].length);
}

function addPrivateElement(d: Definition, name: PrivateName, fn: FunctionObject, kind: string, isStatic: boolean): void {
  if (kind === "method") {
    if (isStatic) addPrivate(d.ctor, name, fn, 0);
    else d.privates.push({ name, value: fn, flags: 0 });
    return;
  }
  const list = isStatic ? staticAccessors(d) : d.privates;
  const known = list.find((p) => p.name === name);
  const old = known?.value as Accessor | undefined;
  const accessor = new Accessor(kind === "get" ? fn : old?.get, kind === "set" ? fn : old?.set);
  if (known !== undefined) known.value = accessor;
  else list.push({ name, value: accessor, flags: Flag.ACCESSOR });
}

const staticPrivates = new WeakMap<Definition, Definition["privates"]>();
function staticAccessors(d: Definition): Definition["privates"] {
  let list = staticPrivates.get(d);
  if (list === undefined) staticPrivates.set(d, (list = []));
  return list;
}

// Fields ---------------------------------------------------------------------------------------------------------------------------

/** Completes normally. */
type FieldStep = (f: Frame) => void;

/** One field: its key is known (or in the class's scope), its value is computed with `this` the instance. */
function fieldStep(m: estree.PropertyDefinition, c: Context): FieldStep {
  const isPrivate = m.key.type === "PrivateIdentifier";
  const constant = isPrivate ? `#${(m.key as estree.PrivateIdentifier).name}` : m.computed ? undefined : constantKey(m);
  const value: Ev | null = m.value ? (constant === undefined ? expression(m.value, c) : namedExpression(m.value, constant, c)) : null;
  if (isPrivate) {
    const id = m.key as estree.PrivateIdentifier;
    const name = privateName(id, c);
    const nameSlot = privateNameSlot(id, c);
    const cache = c.unit.privateFieldCache();
    return (f) => {
      const n = nameSlot >= 0 ? ((f[0] as unknown as Env)[nameSlot] as unknown as PrivateName) : name(f);
      cache.add(f[1] as GuestObject, n, value === null ? undefined : value(f));
    };
  }
  if (constant !== undefined) {
    const cache = c.unit.fieldCache(constant);
    return (f) => cache.define(f[1] as GuestObject, value === null ? undefined : value(f));
  }
  const key = readVariable(keyName(m), { start: m.end, end: m.end }, c);
  const anonymous = m.value !== null && m.value !== undefined && isAnonymousFunction(m.value);
  return (f) => {
    const k = key(f) as Key;
    const v = value === null ? undefined : value(f);
    if (anonymous) nameFunction(v as FunctionObject, k);
    createDataOrThrow(f[1] as GuestObject, k, v);
  };
}

/** The code of a function that runs field initialisers or a static block with `this`. */
function fieldsCode(info: FunctionInfo, name: string, c: Context, compile: (c: Context) => Ev): Code {
  const code = new Code(name, 0, FunctionFlag.METHOD);
  const state = new BodyState(name);
  const inner = new Context(c.unit, info.scope, state);
  const pre = prologue(null, info, inner);
  const body = compile(inner);
  const whole: Ev =
    pre === null
      ? body
      : (f) => {
          pre(f);
          return body(f);
        };
  plainEntries(code, { body: whole, isValue: false }, info, state.weight, false);
  return code;
}

/** What `new` takes of the host's stack down to a field's initialiser, beside the initialiser itself. */
const INIT_WEIGHT = 600;

/** What makes instances: private methods, then fields. */
function instanceInit(node: ClassNode, name: string, c: Context): (f: Frame, d: Definition) => void {
  const fields = (node.body.body as Element[]).filter((m): m is estree.PropertyDefinition => m.type === "PropertyDefinition" && !m.static);
  const info = c.unit.analysis.functionOf(node.body as Node);
  const code =
    fields.length === 0
      ? null
      : fieldsCode(info, name, c, (inner) => {
          const steps = fields.map((m) => fieldStep(m, inner));
          if (steps.length === 1) return steps[0] as Ev;
          return (f) => {
            for (let i = 0; i < steps.length; i++) steps[i](f);
            return undefined;
          };
        });
  const c0 = code?.c0;
  return (f, d) => {
    const accessors = staticPrivates.get(d);
    if (accessors !== undefined) for (const p of accessors) addPrivate(d.ctor, p.name, p.value, p.flags);
    const { privates } = d;
    if (code === null && privates.length === 0) return;
    const fn =
      code === null
        ? null
        : (new GuestObject(
            rootOf(Intrinsic.FunctionPrototype),
            Kind.FUNCTION,
            new FunctionData(code, f[0] as unknown as Env, d.proto, null),
            undefined,
            undefined,
            undefined,
            undefined,
          ) as FunctionObject);
    d.ctor.d.init = (instance) => {
      for (let i = 0; i < privates.length; i++) addPrivate(instance, privates[i].name, privates[i].value, privates[i].flags);
      if (fn === null) return;
      if ((R.stack += INIT_WEIGHT) > R.stackMax) R.run.tooDeep();
      c0!(fn, instance);
      R.stack -= INIT_WEIGHT;
    };
  };
}

function staticElement(m: estree.PropertyDefinition | estree.StaticBlock, name: string, c: Context): (f: Frame, d: Definition) => void {
  const info = c.unit.analysis.functionOf(m);
  const code = fieldsCode(info, name, c, (inner) => {
    if (m.type === "StaticBlock") return functionBody(m.body, info.scope, inner);
    return fieldStep(m, inner) as Ev;
  });
  return (f, d) => {
    const fn = new GuestObject(
      rootOf(Intrinsic.FunctionPrototype),
      Kind.FUNCTION,
      new FunctionData(code, f[0] as unknown as Env, d.ctor, null),
      undefined,
      undefined,
      undefined,
      undefined,
    ) as FunctionObject;
    code.c0(fn, d.ctor);
  };
}
