// A parsed program → closures that run it. What is compiled holds no realm: it can run in any, also in several at the same time.

import type { ParsedProgram } from "../parse/index.js";
import { makeError, throwValue } from "../errors.js";
import { Intrinsic } from "../intrinsics.js";
import { Descriptor, Has, definePropertyOrThrow, getOwn, isExtensible, dataDescriptor } from "../object.js";
import type { PromiseObject } from "../promise.js";
import { intrinsic } from "../realm.js";
import { R } from "../run-state.js";
import { Flag, rootOf } from "../shape.js";
import { Code, FunctionData, type FunctionObject, GuestObject, Kind, TDZ, type Value } from "../values.js";
import { ActivationKind, startActivation } from "./activation.js";
import { BodyState, Context } from "./context.js";
import { frameOf, functionExpression, prologue } from "./functions.js";
import type { Node, Statement, estree } from "./nodes.js";
import { analyse } from "./analyse.js";
import { namesOf, varNamesOf } from "./names.js";
import { ACTIVATION } from "./scope.js";
import { functionBody } from "./statements.js";
import { type Ev, type Site, Unit } from "./unit.js";
import { scriptRecord } from "./variables.js";

export interface CompiledProgram {
  readonly parsed: ParsedProgram;
  readonly sites: readonly Site[];
  /** Runs the program's first stretch in the current run; the promise of its result. `argument` is what a lone function is called with. */
  start(argument: Value): PromiseObject;
  /** Lets go of what belongs to the realm of a run that has ended. */
  reset(): void;
}

const PROGRAM_CODE = new Code("", 0, 0);

function rootFunction(): FunctionObject {
  return new GuestObject(
    rootOf(Intrinsic.FunctionPrototype),
    Kind.FUNCTION,
    new FunctionData(PROGRAM_CODE, null, null, null),
    undefined,
    undefined,
    undefined,
    undefined,
  ) as FunctionObject;
}

/** Compiles a program: the body of an async function. */
export function compileProgram(parsed: ParsedProgram): CompiledProgram {
  const body = parsed.body as Statement[];
  const root = { type: "Program", start: 0, end: parsed.source.length, body, sourceType: "script" } as unknown as Node;
  const { analysis, info } = analyse(body, "program", root);
  const unit = new Unit(parsed, analysis);
  const state = new BodyState("program");
  const c = new Context(unit, info.scope, state);
  const pre = prologue(null, info, c);
  const run = functionBody(body, info.body, c);
  const size = info.frameSize;
  const { weight } = state;
  return {
    parsed,
    sites: unit.sites,
    start(argument) {
      const fn = rootFunction();
      // The program's own frame is not below itself.
      const depth = R.depth;
      const frame = frameOf(fn, undefined, [argument], 1, size, ACTIVATION + 1, -1);
      const promise = startActivation(ActivationKind.ASYNC, fn, frame, pre, run, weight);
      R.depth = depth;
      return promise as PromiseObject;
    },
    reset: () => unit.reset(),
  };
}

export interface CompiledScript {
  /** ScriptEvaluation in the current run. Guest exceptions come out as GuestThrow. */
  evaluate(): void;
  readonly sites: readonly Site[];
  reset(): void;
}

/** Compiles a Script: its functions and `var`s are properties of the global object, `let`, `const` and `class` are shared by the realm's scripts. */
export function compileScript(parsed: ParsedProgram): CompiledScript {
  const body = parsed.body as Statement[];
  const root = { type: "Program", start: 0, end: parsed.source.length, body, sourceType: "script" } as unknown as Node;
  const { analysis, info } = analyse(body, "script", root);
  const unit = new Unit(parsed, analysis);
  const c = new Context(unit, info.scope, new BodyState(""));
  const pre = prologue(null, info, c);
  const functions = body
    .filter((s): s is estree.FunctionDeclaration => s.type === "FunctionDeclaration")
    .map((s) => ({ name: s.id.name, make: functionExpression(s, s.id.name, c) }));
  const vars = varNamesOf(body);
  const lexical = lexicalNames(body);
  const run: Ev = functionBody(body, info.body, c);
  return {
    sites: unit.sites,
    reset: () => unit.reset(),
    evaluate() {
      const global = intrinsic(Intrinsic.Global);
      const frame = frameOf(rootFunction(), global, [], 0, info.frameSize, 3, -1);
      declareGlobals(
        functions.map((f) => f.name),
        vars,
        lexical,
      );
      if (pre !== null) pre(frame);
      for (const { name, make } of functions) defineGlobalFunction(name, make(frame));
      run(frame);
    },
  };
}

function lexicalNames(body: Statement[]): { name: string; constant: boolean }[] {
  const out: { name: string; constant: boolean }[] = [];
  for (const s of body) {
    if (s.type === "VariableDeclaration" && s.kind !== "var")
      for (const d of s.declarations) for (const name of namesOf(d.id)) out.push({ name, constant: s.kind !== "let" });
    else if (s.type === "ClassDeclaration") out.push({ name: s.id.name, constant: false });
  }
  return out;
}

/** GlobalDeclarationInstantiation. */
function declareGlobals(functions: string[], vars: string[], lexical: { name: string; constant: boolean }[]): void {
  const global = intrinsic(Intrinsic.Global);
  const record = scriptRecord();
  const clash = (name: string): never =>
    throwValue(makeError(Intrinsic.SyntaxErrorPrototype, `Identifier '${name}' has already been declared`));
  for (const { name } of lexical) {
    if (record.bindings.has(name) || record.varNames.has(name)) clash(name);
    const own = getOwn(global, name);
    if (own !== undefined && (own.flags & Flag.CONFIGURABLE) === 0) clash(name);
  }
  for (const name of [...functions, ...vars]) if (record.bindings.has(name)) clash(name);
  for (const name of functions) {
    const own = getOwn(global, name);
    const ok =
      own === undefined
        ? isExtensible(global)
        : (own.flags & Flag.CONFIGURABLE) !== 0 ||
          ((own.flags & Flag.ACCESSOR) === 0 && (own.flags & Flag.WRITABLE) !== 0 && (own.flags & Flag.ENUMERABLE) !== 0);
    if (!ok) throwValue(makeError(Intrinsic.TypeErrorPrototype, `Cannot declare the global function '${name}'`));
  }
  for (const name of vars) {
    if (functions.includes(name) || getOwn(global, name) !== undefined) continue;
    if (!isExtensible(global)) throwValue(makeError(Intrinsic.TypeErrorPrototype, `Cannot declare the global variable '${name}'`));
  }
  for (const { name, constant } of lexical) record.bindings.set(name, { value: TDZ, constant });
  for (const name of functions) record.varNames.add(name);
  for (const name of vars) {
    record.varNames.add(name);
    if (!functions.includes(name) && getOwn(global, name) === undefined)
      definePropertyOrThrow(global, name, dataDescriptor(undefined, Flag.WRITABLE | Flag.ENUMERABLE));
  }
}

/** CreateGlobalFunctionBinding. */
function defineGlobalFunction(name: string, fn: Value): void {
  const global = intrinsic(Intrinsic.Global);
  const own = getOwn(global, name);
  if (own === undefined || (own.flags & Flag.CONFIGURABLE) !== 0)
    definePropertyOrThrow(global, name, dataDescriptor(fn, Flag.WRITABLE | Flag.ENUMERABLE));
  else definePropertyOrThrow(global, name, new Descriptor(Has.VALUE, 0, fn));
}
