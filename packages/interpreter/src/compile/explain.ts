// Why a value is missing: told from the variables that the expression reads, at the moment when it fails. Nothing of the program runs.

import type { AnyNode } from "../parse/ast.js";
import { type ErrorData, GuestThrow, makeError, throwValue } from "../errors.js";
import { peek } from "../error-text.js";
import { Intrinsic } from "../intrinsics.js";
import { declaratorOf, propertyFor } from "../run/names.js";
import { missingField, missingProperty } from "../run/hints.js";
import { intrinsic } from "../realm.js";
import { R } from "../run-state.js";
import { type Frame, GuestObject, HOLE, Kind, type Value } from "../values.js";
import type { Context } from "./context.js";
import { type Expression, type Pattern, type estree, unparenthesized } from "./nodes.js";
import { NAME_THIS } from "./scope.js";
import { envAt } from "./variables.js";

type Identifier = estree.Identifier;

/** A property of undefined or null was to be read. `node` is the expression that gave it, with where it stands. */
export function throwNullish(v: Value, key: string, site: number, f?: Frame, node?: Expression, c?: Context): never {
  R.site = site;
  const better = R.run.explainNullish?.(site);
  if (better !== undefined) throwValue(better);
  throwMissing(`Cannot read properties of ${v === null ? "null" : "undefined"} (reading '${key}')`, f, node, c);
}

/** undefined or null was to be gone through. */
export function throwNullishIterable(site: number, f: Frame, node: Expression, c: Context): never {
  R.site = site;
  throwMissing(`${written(node, c)} is not iterable`, f, node, c);
}

/** undefined or null was to be taken apart. */
export function throwNullishPattern(v: null | undefined, pattern: Pattern, site: number, f: Frame, node: Expression, c: Context): never {
  if (pattern.type !== "ObjectPattern") throwNullishIterable(site, f, node, c);
  R.site = site;
  const [first] = pattern.properties;
  const key = first?.type === "Property" && !first.computed && first.key.type === "Identifier" ? `property '${first.key.name}' of ` : "";
  throwMissing(`Cannot destructure ${key}'${written(node, c)}' as it is ${v === null ? "null" : "undefined"}.`, f, node, c);
}

function throwMissing(message: string, f?: Frame, node?: Expression, c?: Context): never {
  const error = makeError(Intrinsic.TypeErrorPrototype, message);
  if (f !== undefined && node !== undefined && c !== undefined) (error.d as ErrorData).explain = explanation(node, c, f);
  throw new GuestThrow(error);
}

/** The text is made only if somebody reads it; the values are taken now. */
function explanation(node: Expression, c: Context, f: Frame): (() => string | undefined) | null {
  const inner = unparenthesized(node);
  if (inner.type === "Identifier") return givenBy(inner, c, f);
  if (inner.type === "ThisExpression")
    return () => "this is undefined in a function that is called without an object: use a variable, or call it as object.method().";
  if (inner.type !== "MemberExpression") return null;
  const holder = valueOf(inner.object as Expression, c, f);
  const key = keyOf(inner.property as Expression, inner.computed, c, f);
  if (holder === undefined || holder === null || key === undefined) return null;
  const text = written(inner.object as Expression, c);
  return () => {
    const hint = emptyPlace(text, holder, key) ?? missingProperty(text, holder, key);
    if (hint === undefined && propertyOf(holder, key) === null && !inner.computed)
      return `${text}.${key} is null: where it may be, write ${text}.${key}?.….`;
    const source = toolCallBehind(inner.object as Expression, c);
    return hint === undefined || source === undefined ? hint : `${hint} It is what ${source} gave.`;
  };
}

/** The tool whose call gave a variable its value, with the line. */
function toolCallBehind(node: Expression, c: Context): string | undefined {
  if (node.type !== "Identifier") return undefined;
  const init = declaratorBehind(node, c)?.init as Expression | null | undefined;
  return init === null || init === undefined ? undefined : toolCallOf(init, c)?.text;
}

/** `await tools.…(…)`: the tool as written, and in words with its line. */
function toolCallOf(init: Expression, c: Context): { callee: string; text: string } | undefined {
  const awaited = unparenthesized(init);
  if (awaited.type !== "AwaitExpression" || awaited.argument.type !== "CallExpression") return undefined;
  const callee = written(awaited.argument.callee as Expression, c);
  if (!/^tools[.[]/.test(callee)) return undefined;
  return { callee, text: `${callee} (line ${c.unit.program.locate(init.start).line})` };
}

/** An index behind the end of an array. */
function emptyPlace(text: string, holder: Value, key: string): string | undefined {
  if (typeof holder !== "object" || holder === null || holder.kind !== Kind.ARRAY || !/^-?\d+$/.test(key)) return undefined;
  const { length } = holder.d as Value[];
  if (Number(key) >= 0 && Number(key) < length) return undefined;
  return length === 0
    ? `${text} is an empty array.`
    : `${text} has ${length} items: the last is ${text}[${length - 1}], or ${text}.at(-1).`;
}

/** What gave a variable its value: a property taken out of an object, or a search that found nothing. */
function givenBy(node: Identifier, c: Context, f: Frame): (() => string | undefined) | null {
  const { locate } = c.unit.program;
  const declarator = declaratorBehind(node, c);
  const init = declarator?.init as Expression | null | undefined;
  if (declarator === null || init === null || init === undefined) return null;
  const id = declarator.id as unknown as Expression | { type: "ObjectPattern" };
  if (id.type === "ObjectPattern") {
    const key = propertyFor(declarator.id as AnyNode, node.name);
    const call = toolCallOf(init, c);
    const shape = call === undefined ? undefined : R.run.shapeGiven?.(call.callee);
    if (call !== undefined && key !== undefined && shape !== undefined) return () => missingField(`What ${call.text} gave`, key, shape);
    const source = valueOf(init, c, f);
    if (key === undefined || source === undefined || source === null) return null;
    const text = written(init, c);
    return () => missingProperty(text, source, key);
  }
  const call = unparenthesized(init.type === "AwaitExpression" ? init.argument : init);
  if (call.type !== "CallExpression" || call.callee.type !== "MemberExpression" || call.callee.property.type !== "Identifier") return null;
  const method = call.callee.property.name;
  if (!/^(?:find|findLast|at|pop|shift|get|match|exec)$/.test(method)) return null;
  const { name } = node;
  const line = locate(init.start).line;
  return () =>
    `${name} is what ${method}(…) in line ${line} gave: ${method === "match" || method === "exec" ? "null where nothing matches" : "undefined where there is nothing"}. Look at it first, e.g. ${name}?.….`;
}

const declarators = new WeakMap<Identifier, AnyNode | null>();

/** Looked for once: an error may be thrown and caught many times. */
function declaratorBehind(node: Identifier, c: Context): AnyNode | null {
  let found = declarators.get(node);
  if (found === undefined) declarators.set(node, (found = declaratorOf(c.unit.program.body, node.name, node.start) ?? null));
  return found;
}

/** The value of a chain of names; undefined too if reading it could run something. */
function valueOf(node: Expression, c: Context, f: Frame): Value {
  const inner = unparenthesized(node);
  switch (inner.type) {
    case "Identifier":
      return variable(inner.name, c, f);
    case "ThisExpression":
      return variable(NAME_THIS, c, f);
    case "Literal":
      return typeof inner.value === "string" || typeof inner.value === "number" ? inner.value : undefined;
    case "MemberExpression": {
      const holder = valueOf(inner.object as Expression, c, f);
      const key = keyOf(inner.property as Expression, inner.computed, c, f);
      return holder === undefined || key === undefined ? undefined : propertyOf(holder, key);
    }
    default:
      return undefined;
  }
}

function propertyOf(holder: Value, key: string): Value {
  if (typeof holder !== "object" || holder === null) return undefined;
  if (holder.kind === Kind.ARRAY) {
    const item = (holder.d as Value[])[Number(key)];
    return item === HOLE ? undefined : item;
  }
  return peek(holder, key);
}

function keyOf(node: Expression, computed: boolean, c: Context, f: Frame): string | undefined {
  if (!computed) return node.type === "Identifier" ? node.name : undefined;
  if (node.type === "Literal") return String(node.value);
  const v = node.type === "Identifier" ? variable(node.name, c, f) : undefined;
  return typeof v === "string" || typeof v === "number" ? String(v) : undefined;
}

function variable(name: string, c: Context, f: Frame): Value {
  const found = c.resolve(name);
  if (found === undefined) return peek(intrinsic(Intrinsic.Global), name);
  const { binding, hops } = found;
  const v = binding.captured ? envAt(f, hops)[binding.slot] : f[binding.slot];
  // Uninitialised variables, and what is no program's value.
  return typeof v === "object" && v !== null && !(v instanceof GuestObject) ? undefined : v;
}

function written(node: Expression, c: Context): string {
  const text = c.unit.text(node.start, node.end).replace(/\s+/g, " ");
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
