// Reading and writing variables: frame slots, environments, globals.

import { makeError, throwReferenceError, throwTypeError, throwValue } from "../errors.js";
import { Intrinsic } from "../intrinsics.js";
import { getFrom, hasProperty, setOn, throwReadOnly } from "../object.js";
import { currentRealm, globalSlot, intrinsic } from "../realm.js";
import { R } from "../run-state.js";
import { type Env, type Frame, LAZY, TDZ, type Value } from "../values.js";
import type { Context } from "./context.js";
import { type Expression, type estree, unparenthesized } from "./nodes.js";
import { type Binding, NAME_THIS, type Resolved, needsCheck } from "./scope.js";
import type { Ev } from "./unit.js";

export type Store = (f: Frame, v: Value) => void;

/** The slot of a local that can be read and written without looking: not captured, never uninitialised here; else -1. */
export function plainLocal(name: string, position: number, c: Context): number {
  const r = c.resolve(name);
  if (r === undefined || r.binding.captured || needsCheck(r.binding, c.scope, position)) return -1;
  return r.binding.slot;
}

/** The slot of the local that an expression is (a variable, `this`, an operand taken before), to be read without looking; else -1. */
export function localOf(node: Expression | estree.Super, c: Context): number {
  if (node.type === "Super") return -1;
  const n = unparenthesized(node);
  if (n.type === "Temp") return n.slot;
  if (n.type === "Identifier") return plainLocal(n.name, n.start, c);
  return n.type === "ThisExpression" ? localOfBinding(c.resolve(NAME_THIS)!, n, c) : -1;
}

/** The slot of a binding that can be read without looking; else -1. */
export function localOfBinding({ binding }: Resolved, node: { start: number }, c: Context): number {
  return binding.captured || needsLook(binding, node, c) ? -1 : binding.slot;
}

/** The slot of a captured binding that stands in the current environment and can be read there without looking; else -1. */
export function nearestOf({ binding, hops }: Resolved, node: { start: number }, c: Context): number {
  return binding.captured && hops === 0 && !needsLook(binding, node, c) ? binding.slot : -1;
}

/** Whether a read at `node` may find the binding uninitialised. */
function needsLook(b: Binding, node: { start: number }, c: Context): boolean {
  return needsCheck(b, c.scope, node.start) || (b.name === NAME_THIS && c.fn.kind !== "fields" && ownerOfThis(b) === "derived");
}

/** True if assigning to the variable throws. */
export function isConstant(name: string, c: Context): boolean {
  const kind = c.resolve(name)?.binding.kind;
  return kind === "const" || kind === "self" || kind === "class" || kind === "using";
}

export function throwUninitialised(name: string, site: number): never {
  R.site = site;
  throwReferenceError(`Cannot access '${name}' before initialization`);
}

/** Reads a variable. */
export function readVariable(name: string, node: { start: number; end: number }, c: Context): Ev {
  const r = c.resolve(name);
  if (r === undefined) return readGlobal(name, node, c, false);
  return readBinding(r, node, c);
}

export function readBinding(r: Resolved, node: { start: number; end: number }, c: Context): Ev {
  const { binding, hops } = r;
  const i = binding.slot;
  const checked = needsLook(binding, node, c);
  if (!binding.captured) {
    if (!checked) return readSlot(i);
    const site = c.site(node);
    const name = binding.name;
    return (f) => {
      const v = f[i];
      return v === TDZ ? throwFor(name, site) : v;
    };
  }
  if (!checked) {
    switch (hops) {
      case 0:
        return (f) => (f[0] as unknown as Env)[i];
      case 1:
        return (f) => ((f[0] as unknown as Env)[0] as unknown as Env)[i];
      case 2:
        return (f) => (((f[0] as unknown as Env)[0] as unknown as Env)[0] as unknown as Env)[i];
      default:
        return (f) => envAt(f, hops)[i];
    }
  }
  const site = c.site(node);
  const name = binding.name;
  switch (hops) {
    case 0:
      return (f) => {
        const v = (f[0] as unknown as Env)[i];
        return v === TDZ ? throwFor(name, site) : v;
      };
    case 1:
      return (f) => {
        const v = ((f[0] as unknown as Env)[0] as unknown as Env)[i];
        return v === TDZ ? throwFor(name, site) : v;
      };
    default:
      return (f) => {
        const v = envAt(f, hops)[i];
        return v === TDZ ? throwFor(name, site) : v;
      };
  }
}

function ownerOfThis(b: Binding): string {
  return b.scope.fn.kind;
}

function throwFor(name: string, site: number): never {
  R.site = site;
  if (name === NAME_THIS)
    throwReferenceError("Must call super constructor in derived class before accessing 'this' or returning from derived constructor");
  throwReferenceError(`Cannot access '${name}' before initialization`);
}

// Slots of the frame's front are read by closures of their own: V8 keeps their feedback apart.
function readSlot(i: number): Ev {
  switch (i) {
    case 3:
      return (f) => f[3];
    case 4:
      return (f) => f[4];
    case 5:
      return (f) => f[5];
    case 6:
      return (f) => f[6];
    default:
      return (f) => f[i];
  }
}

/** The environment `hops` levels up. */
export function envAt(f: Frame, hops: number): Env {
  let e = f[0] as unknown as Env;
  for (; hops > 0; hops--) e = e[0] as unknown as Env;
  return e;
}

/** Writes a variable by assignment: constants refuse, uninitialised ones throw. */
export function assignVariable(name: string, node: { start: number; end: number }, c: Context): Store {
  const r = c.resolve(name);
  if (r === undefined) return assignGlobal(name, node, c);
  const { binding, hops } = r;
  const i = binding.slot;
  const site = c.site(node);
  if (
    binding.kind === "const" ||
    binding.kind === "using" ||
    binding.kind === "self" ||
    (binding.kind === "class" && isInnerClassName(binding, c))
  ) {
    const read = needsCheck(binding, c.scope, node.start) ? readBinding(r, node, c) : null;
    return (f) => {
      if (read !== null) read(f);
      R.site = site;
      throwTypeError(`Assignment to constant variable '${name}'`);
    };
  }
  const checked = needsCheck(binding, c.scope, node.start);
  if (!binding.captured) {
    if (!checked) {
      return (f, v) => {
        f[i] = v;
      };
    }
    return (f, v) => {
      if (f[i] === TDZ) throwUninitialised(name, site);
      f[i] = v;
    };
  }
  if (!checked) {
    if (hops === 0) {
      return (f, v) => {
        (f[0] as unknown as Env)[i] = v;
      };
    }
    if (hops === 1) {
      return (f, v) => {
        ((f[0] as unknown as Env)[0] as unknown as Env)[i] = v;
      };
    }
    return (f, v) => {
      envAt(f, hops)[i] = v;
    };
  }
  return (f, v) => {
    const e = envAt(f, hops);
    if (e[i] === TDZ) throwUninitialised(name, site);
    e[i] = v;
  };
}

/** The binding of a class's name inside the class cannot be assigned; the outer one of a declaration can. */
function isInnerClassName(b: Binding, c: Context): boolean {
  return c.unit.analysis.classScopes.has(b.scope);
}

/** Gives a binding its first value. */
export function initialise(name: string, c: Context): Store {
  const r = c.resolve(name);
  if (r === undefined) return initialiseScriptLexical(name);
  const { binding, hops } = r;
  const i = binding.slot;
  if (!binding.captured) {
    return (f, v) => {
      f[i] = v;
    };
  }
  if (hops === 0) {
    return (f, v) => {
      (f[0] as unknown as Env)[i] = v;
    };
  }
  return (f, v) => {
    envAt(f, hops)[i] = v;
  };
}

// Globals --------------------------------------------------------------------------------------------------------------------------

/** What scripts of one realm share: their top-level `let`, `const` and `class`. Programs have none. */
export class ScriptRecord {
  readonly bindings = new Map<string, { value: Value; constant: boolean }>();
  readonly varNames = new Set<string>();
}
const SCRIPT_RECORD = {};
let scriptsInUse = false;

export function scriptRecord(): ScriptRecord {
  scriptsInUse = true;
  return currentRealm().slot(SCRIPT_RECORD, () => new ScriptRecord());
}

function scriptBinding(name: string): { value: Value; constant: boolean } | undefined {
  return scriptsInUse ? scriptRecord().bindings.get(name) : undefined;
}

function initialiseScriptLexical(name: string): Store {
  return (_f, v) => {
    const b = scriptRecord().bindings.get(name);
    if (b !== undefined) b.value = v;
  };
}

const FIXED = new Map<string, Value>([
  ["undefined", undefined],
  ["NaN", NaN],
  ["Infinity", Infinity],
]);

export function readGlobal(name: string, node: { start: number }, c: Context, forTypeof: boolean): Ev {
  if (FIXED.has(name)) {
    const v = FIXED.get(name);
    return () => v;
  }
  const site = c.site(node);
  const slot = globalSlot(name) - 4;
  if (slot < 0 || c.unit.analysis.isScript) return () => readGlobalSlow(name, site, forTypeof);
  return () => {
    const g = R.globals;
    if (g !== null) {
      const v = g[slot] as Value;
      if (v !== LAZY) return v;
    }
    return readGlobalSlow(name, site, forTypeof);
  };
}

function readGlobalSlow(name: string, site: number, forTypeof: boolean): Value {
  const lexical = scriptBinding(name);
  if (lexical !== undefined) return lexical.value === TDZ ? throwUninitialised(name, site) : lexical.value;
  const global = intrinsic(Intrinsic.Global);
  const v = getFrom(global, name, global);
  if (v === undefined && !forTypeof && !hasProperty(global, name)) throwNotDefined(name, site);
  return v;
}

export function throwNotDefined(name: string, site: number): never {
  R.site = site;
  const e = makeError(Intrinsic.ReferenceErrorPrototype, `${name} is not defined`);
  throwValue(e);
}

/** `name = value` of a global: it must be there before the value is computed. */
export function assignToGlobal(name: string, node: { start: number; end: number }, value: Ev, c: Context): Ev {
  const site = c.site(node);
  const assign = assignGlobal(name, node, c);
  return (f) => {
    const exists = scriptBinding(name) !== undefined || hasProperty(intrinsic(Intrinsic.Global), name);
    const v = value(f);
    if (!exists) throwNotDefined(name, site);
    assign(f, v);
    return v;
  };
}

function assignGlobal(name: string, node: { start: number }, c: Context): Store {
  const site = c.site(node);
  return (_f, v) => {
    const lexical = scriptBinding(name);
    if (lexical !== undefined) {
      if (lexical.value === TDZ) throwUninitialised(name, site);
      R.site = site;
      if (lexical.constant) throwTypeError(`Assignment to constant variable '${name}'`);
      lexical.value = v;
      return;
    }
    const global = intrinsic(Intrinsic.Global);
    R.site = site;
    if (!hasProperty(global, name)) throwNotDefined(name, site);
    if (!setOn(global, name, v, global)) throwReadOnly(global, name);
  };
}
