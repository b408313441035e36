// Scopes, resolved before anything is compiled: which bindings there are, which are captured by closures, where each one lives.
//
// A captured binding lives in its scope's environment, every other one in a slot of the frame. `this`, `arguments`, `new.target` and the
// callee (for `super`) of a function are bindings too, so that arrows reach them like variables.

import { type Node, type estree } from "./nodes.js";

export type BindingKind = "var" | "let" | "const" | "class" | "function" | "param" | "catch" | "self" | "implicit" | "using" | "private";

export class Binding {
  readonly name: string;
  readonly kind: BindingKind;
  readonly scope: Scope;
  captured = false;
  /** Frame slot, or index in the environment if captured. */
  slot = -1;
  /** From here on in the text the binding is initialised, in its own scope. */
  end: number;
  /** Some reference may come before the initialisation: it is checked, and the slot is preset. */
  checked = false;
  /** For private names: what the class has under it. */
  privateKind: "field" | "method" | "accessor" = "field";
  privateStatic = false;
  constructor(name: string, kind: BindingKind, scope: Scope, end: number) {
    this.name = name;
    this.kind = kind;
    this.scope = scope;
    this.end = end;
  }

  get lexical(): boolean {
    return this.kind === "let" || this.kind === "const" || this.kind === "class" || this.kind === "using";
  }
}

export class Scope {
  readonly parent: Scope | null;
  readonly fn: FunctionInfo;
  readonly bindings = new Map<string, Binding>();
  /** Functions to instantiate when the scope is entered. */
  readonly functions: { binding: Binding; node: estree.FunctionDeclaration }[] = [];
  /** Length of the environment's array, or 0 if there is none. */
  envSize = 0;
  /** Set in the scope of a switch, where a declaration may be skipped. */
  isSwitch = false;
  /** Has `using` declarations: resources are disposed of at its end. */
  using: false | "sync" | "async" = false;
  /** Slot of the list of resources. */
  disposeSlot: number | null = null;
  constructor(parent: Scope | null, fn: FunctionInfo) {
    this.parent = parent;
    this.fn = fn;
    fn.scopes.push(this);
  }

  declare(name: string, kind: BindingKind, end: number): Binding {
    const found = this.bindings.get(name);
    if (found !== undefined) return found;
    const b = new Binding(name, kind, this, end);
    this.bindings.set(name, b);
    return b;
  }
}

/** Frame slots 0 to 2 are the environment, `this` and the callee. */
export const ENV = 0;
export const THIS = 1;
export const CALLEE = 2;
/** In functions that suspend: the activation. */
export const ACTIVATION = 3;

export class FunctionInfo {
  readonly node: Node | null;
  readonly parent: FunctionInfo | null;
  readonly kind: "program" | "script" | "function" | "arrow" | "method" | "constructor" | "derived" | "fields";
  readonly scopes: Scope[] = [];
  /** Scope of the parameters, and of the body unless that has one of its own. */
  scope!: Scope;
  body!: Scope;
  isAsync = false;
  isGenerator = false;
  /** Hoisted functions can be called before what stands above them has run. */
  hoisted = false;
  simpleParams = true;
  paramCount = 0;
  /** Slot of the first parameter. */
  paramBase = 3;
  usesThis: Binding | null = null;
  usesArguments: Binding | null = null;
  usesNewTarget: Binding | null = null;
  usesCallee: Binding | null = null;
  /** Slot of all arguments as a host list, for `arguments` and rest parameters. */
  allArguments: number | null = null;
  /** Where the function's text starts, if that is not at its node (methods start at their key). */
  textStart = -1;
  /** Slots in use; grows while the body is compiled. */
  frameSize = 3;
  constructor(node: Node | null, parent: FunctionInfo | null, kind: FunctionInfo["kind"]) {
    this.node = node;
    this.parent = parent;
    this.kind = kind;
  }

  get suspends(): boolean {
    return this.isAsync || this.isGenerator;
  }

  newSlot(): number {
    return this.frameSize++;
  }
}

/** What the analysis found, asked by the compiler. */
export class Analysis {
  readonly scopes = new Map<Node, Scope>();
  readonly functions = new Map<Node, FunctionInfo>();
  /** Nodes with an `await` or a `yield` of their own function inside. */
  readonly suspending = new Set<Node>();
  /** Scopes of classes: of their inner name, private names and keys. */
  readonly classScopes = new Set<Scope>();
  /** Scripts: top-level `let`, `const` and `class` are shared by the realm's scripts. */
  readonly isScript: boolean;
  constructor(isScript: boolean) {
    this.isScript = isScript;
  }

  scopeOf(node: Node): Scope | undefined {
    return this.scopes.get(node);
  }
  functionOf(node: Node): FunctionInfo {
    return this.functions.get(node)!;
  }
}

export interface Resolved {
  binding: Binding;
  /** How many environments up, for a captured binding. */
  hops: number;
}

/** Finds a name from inside `scope`; undefined: a global. */
export function resolve(scope: Scope, name: string): Resolved | undefined {
  let hops = 0;
  for (let s: Scope | null = scope; s !== null; s = s.parent) {
    const b = s.bindings.get(name);
    if (b !== undefined) return { binding: b, hops };
    if (s.envSize > 0) hops++;
  }
  return undefined;
}

/** Whether a reference at `position` may see the binding uninitialised. */
export function needsCheck(b: Binding, scope: Scope, position: number): boolean {
  if (b.kind === "param") return position < b.end;
  if (!b.lexical) return false;
  if (position < b.end) return true;
  if (b.scope.isSwitch) return true;
  for (let f = scope.fn; f !== b.scope.fn; f = f.parent!) if (f.hoisted) return true;
  return false;
}

export const NAME_THIS = "%this";
export const NAME_ARGUMENTS = "arguments";
export const NAME_NEW_TARGET = "%new.target";
export const NAME_CALLEE = "%callee";
export const NAME_ARGUMENT = "%argument";

/** The hidden variable of a class scope that holds a computed field's key. */
export function keyName(member: estree.Node): string {
  return `%key${member.start}`;
}
