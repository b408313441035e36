// The forms that a program may have, made one: statements whose `return` gives the result.

import type { AnyNode } from "./ast.js";
import { syntax } from "./failure.js";

/** The name under which the compiler binds what a program that is one function gets: `{ tools, input, … }`. No program can write it. */
export const PROGRAM_ARGUMENT = "%argument";

/** The name of the value of an `export default` that is followed by more statements. */
const DEFAULT = "%default";

export type ProgramForm = "body" | "expression" | "function" | "iife" | "export";

/** The statements with the result returned, and which form they had. Throws a Failure for exports that lead nowhere. */
export function shape(body: AnyNode[]): { body: AnyNode[]; form: ProgramForm } {
  const exported = takeExports(body);
  if (exported) return exported;
  const real = body.filter((statement) => statement.type !== "EmptyStatement");
  if (real.length === 1) {
    const [only] = real;
    if (only.type === "FunctionDeclaration" && only.generator !== true)
      return { body: [only, returns(call(reference(only.id as AnyNode)), only)], form: "function" };
    if (only.type === "ExpressionStatement" && isCallable(only.expression as AnyNode))
      return { body: [returns(call(only.expression as AnyNode), only)], form: "function" };
  }
  return returnLast(body, real.length === 1);
}

/** The last expression becomes the result, also when only declarations of functions follow it. */
function returnLast(body: AnyNode[], alone: boolean): { body: AnyNode[]; form: ProgramForm } {
  let last = body.length - 1;
  while (last >= 0 && (body[last].type === "EmptyStatement" || body[last].type === "FunctionDeclaration")) last--;
  const statement = body[last];
  if (statement?.type !== "ExpressionStatement" || statement.directive === "use strict") return { body, form: "body" };
  const result = [...body];
  result[last] = returns(statement.expression as AnyNode, statement);
  return { body: result, form: alone && isInvoked(statement.expression as AnyNode) ? "iife" : "expression" };
}

function isCallable(node: AnyNode): boolean {
  return (node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression") && node.generator !== true;
}

function isInvoked(node: AnyNode): boolean {
  const called = node.type === "AwaitExpression" ? (node.argument as AnyNode) : node;
  return called.type === "CallExpression" && isCallable(called.callee as AnyNode);
}

/** A body with an `export default`, or with one exported function and nothing else. Undefined without exports. */
function takeExports(body: AnyNode[]): { body: AnyNode[]; form: ProgramForm } | undefined {
  const exports = body.filter((statement) => statement.type === "ExportDefaultDeclaration" || statement.type === "ExportNamedDeclaration");
  if (exports.length === 0) return undefined;
  const defaults = exports.filter((statement) => statement.type === "ExportDefaultDeclaration" || defaultSpecifier(statement));
  if (defaults.length > 1) throw syntax(defaults[1].start, "There are two default exports.", "Keep one.");
  const withoutNamed = body.flatMap((statement) =>
    statement.type === "ExportNamedDeclaration" && !defaultSpecifier(statement)
      ? ((statement.declaration as AnyNode | null) ?? [])
      : statement,
  );
  if (defaults.length === 0) {
    const real = withoutNamed.filter((statement) => statement.type !== "EmptyStatement");
    if (real.length === 1 && real[0].type === "FunctionDeclaration") return { ...shape(real), form: "export" };
    throw syntax(
      exports[0].start,
      "Nothing reads a named export of a program.",
      "Return the result, or write export default before the function to run.",
    );
  }
  const [found] = defaults;
  const at = withoutNamed.indexOf(found);
  const before = withoutNamed.slice(0, at);
  const after = withoutNamed.slice(at + 1);
  return { body: [...before, ...exportDefault(found, after)], form: "export" };
}

/** `export { main as default }`. */
function defaultSpecifier(statement: AnyNode): AnyNode | undefined {
  return ((statement.specifiers as AnyNode[] | undefined) ?? []).find(
    (item) => ((item.exported as AnyNode).name ?? (item.exported as AnyNode).value) === "default",
  );
}

/** A function is called; of an expression that may give one, the run finds out; a class or another value is the result. */
function exportDefault(statement: AnyNode, after: AnyNode[]): AnyNode[] {
  const specifier = defaultSpecifier(statement);
  const value = specifier ? reference(specifier.local as AnyNode) : (statement.declaration as AnyNode);
  if (value.type === "FunctionDeclaration" && value.id)
    return [value, ...after, returns(value.generator ? reference(value.id as AnyNode) : call(reference(value.id as AnyNode)), statement)];
  if (value.type === "ClassDeclaration" && value.id) return [value, ...after, returns(reference(value.id as AnyNode), statement)];
  if (value.type === "FunctionDeclaration") value.type = "FunctionExpression";
  if (value.type === "ClassDeclaration") value.type = "ClassExpression";
  if (isCallable(value) && after.every((later) => later.type === "FunctionDeclaration" || later.type === "EmptyStatement"))
    return [...after, returns(call(value), statement)];
  if (value.type === "Identifier") return [...after, returns(callIfFunction(value), statement)];
  const declaration = {
    ...at(value, "VariableDeclaration"),
    kind: "const",
    declarations: [{ ...at(value, "VariableDeclarator"), id: name(DEFAULT, value), init: value }],
  };
  const result = name(DEFAULT, value);
  return [declaration, ...after, returns(isPlainValue(value) ? result : callIfFunction(result), statement)];
}

function isPlainValue(node: AnyNode): boolean {
  return (
    [
      "Literal",
      "TemplateLiteral",
      "ObjectExpression",
      "ArrayExpression",
      "ClassExpression",
      "FunctionExpression",
      "BinaryExpression",
      "UnaryExpression",
    ].includes(node.type) && !isCallable(node)
  );
}

function at(place: AnyNode, type: string): AnyNode {
  return { type, start: place.start, end: place.end };
}

function name(text: string, place: AnyNode): AnyNode {
  return { ...at(place, "Identifier"), name: text };
}

function reference(id: AnyNode): AnyNode {
  return name(id.name as string, id);
}

function returns(argument: AnyNode, place: AnyNode): AnyNode {
  return { ...at(place, "ReturnStatement"), argument };
}

function call(callee: AnyNode): AnyNode {
  return { ...at(callee, "CallExpression"), callee, arguments: [name(PROGRAM_ARGUMENT, callee)], optional: false };
}

/** `typeof f === "function" ? f(argument) : f`. */
function callIfFunction(value: AnyNode): AnyNode {
  const kind = { ...at(value, "UnaryExpression"), operator: "typeof", prefix: true, argument: reference(value) };
  const test = {
    ...at(value, "BinaryExpression"),
    operator: "===",
    left: kind,
    right: { ...at(value, "Literal"), value: "function", raw: '"function"' },
  };
  return { ...at(value, "ConditionalExpression"), test, consequent: call(reference(value)), alternate: value };
}
