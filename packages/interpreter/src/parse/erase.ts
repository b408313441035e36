// TypeScript out of the tree: what is only types goes, what has a meaning at run time stays or is refused.
// The parser accepts more than TypeScript does; what would be run wrongly is refused here.

import type { AnyNode } from "./ast.js";
import { syntax, unsupported } from "./failure.js";

const WRAPPERS = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
]);

/** The expression inside assertions. An optional chain keeps its extent: `a?.b!.c` is `a?.b.c`, `(a?.b)!.c` stays `(a?.b).c`. */
export function unwrap(node: AnyNode): AnyNode {
  while (WRAPPERS.has(node.type)) node = node.expression as AnyNode;
  return node;
}

/** True for a statement that is only types. */
export function isErased(node: AnyNode): boolean {
  switch (node.type) {
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSDeclareFunction":
      return true;
    case "ImportDeclaration": {
      const specifiers = node.specifiers as AnyNode[];
      return node.importKind === "type" || (specifiers.length > 0 && specifiers.every((item) => item.importKind === "type"));
    }
    case "ExportDefaultDeclaration":
      return isErased(node.declaration as AnyNode);
    case "ExportNamedDeclaration":
      return node.exportKind === "type" || (node.declaration !== null && isErased(node.declaration as AnyNode));
    default:
      return node.declare === true;
  }
}

/** A list of statements without those that are only types. A signature of a function must lead to its body. */
export function eraseStatements(list: AnyNode[]): AnyNode[] {
  if (!list.some(isErased)) return list;
  list.forEach((statement, i) => {
    const signature = declarationOf(statement);
    if (signature.type !== "TSDeclareFunction" || signature.declare === true) return;
    const next = i + 1 < list.length ? declarationOf(list[i + 1]) : undefined;
    const continues =
      next && (next.type === "TSDeclareFunction" || next.type === "FunctionDeclaration") && nameOf(next.id) === nameOf(signature.id);
    if (!continues)
      throw syntax(
        signature.start,
        `The function ${quoted(nameOf(signature.id))} has no body.`,
        "Add a body in braces, or write declare before it.",
      );
  });
  return list.filter((statement) => !isErased(statement));
}

function declarationOf(statement: AnyNode): AnyNode {
  const exported = statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration";
  return exported && statement.declaration ? (statement.declaration as AnyNode) : statement;
}

/** The members of a class without index signatures, `declare` fields, abstract members and overload signatures. */
export function eraseMembers(list: AnyNode[], source: string): AnyNode[] {
  return list.filter((member, i) => {
    if (member.accessor === true)
      throw unsupported(member.start, '"accessor" fields are not supported.', "Write a getter and a setter over a private field.");
    if (member.type === "TSIndexSignature" || member.declare === true || member.abstract === true) return false;
    const method = member.value as AnyNode | null | undefined;
    if (method?.type !== "TSDeclareMethod") return true;
    const next = list[i + 1];
    const continues =
      next?.type === "MethodDefinition" && next.static === member.static && keyText(next, source) === keyText(member, source);
    if (!continues)
      throw syntax(
        member.start,
        `The method ${quoted(keyText(member, source))} has no body.`,
        "Add a body in braces, or mark the method and its class abstract.",
      );
    return false;
  });
}

const TYPE_FIELDS = [
  "typeAnnotation",
  "returnType",
  "typeParameters",
  "typeArguments",
  "superTypeParameters",
  "implements",
  "accessibility",
  "readonly",
  "override",
  "definite",
  "abstract",
];

/** Takes the types off one node, and refuses what the parser lets through. */
export function eraseFields(node: AnyNode, source: string): void {
  if (node.decorators && (node.decorators as AnyNode[]).length > 0) throw refusedDecorator((node.decorators as AnyNode[])[0]);
  switch (node.type) {
    case "TSTypeCastExpression":
      throw misplacedType(node, source);
    case "SpreadElement":
      if (node.typeAnnotation) throw syntax((node.typeAnnotation as AnyNode).start, 'Unexpected ":".');
      break;
    case "AssignmentExpression":
      if (node.operator !== "=") checkTarget(node.left as AnyNode);
      break;
    case "UpdateExpression":
      checkTarget(node.argument as AnyNode);
      break;
    case "UnaryExpression":
      if (node.operator === "delete") checkDelete(node);
      break;
    case "FunctionDeclaration":
    case "FunctionExpression": {
      const params = node.params as AnyNode[];
      if (params[0]?.type === "Identifier" && params[0].name === "this") params.shift();
      break;
    }
    case "MethodDefinition":
      if (node.kind !== "constructor") checkParameterProperties(node.value as AnyNode);
      break;
    case "Property":
      if (node.method === true || node.kind !== "init") checkParameterProperties(node.value as AnyNode);
      break;
    default:
  }
  if (node.type === "MemberExpression") node.optional = node.optional === true && isWrittenOptional(node, source);
  else if (node.type === "CallExpression") node.optional = node.optional === true;
  else if (node.optional !== undefined) node.optional = undefined;
  for (const field of TYPE_FIELDS) if (node[field] !== undefined && node[field] !== null) node[field] = undefined;
}

/** `a.b?.<T>()`: the plugin sets `optional` on `a.b` as well. */
function isWrittenOptional(member: AnyNode, source: string): boolean {
  const between = source.slice((member.object as AnyNode).end, (member.property as AnyNode).start);
  return between.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").includes("?.");
}

/** What `+=` and the like and `++` write to; the parser lets other things pass inside of objects and parentheses. */
function checkTarget(target: AnyNode): void {
  const inner = unwrap(target);
  if (inner.type !== "Identifier" && inner.type !== "MemberExpression")
    throw syntax(target.start, "This cannot be assigned to: only variables and properties can.");
}

function checkDelete(node: AnyNode): void {
  const target = unwrap(node.argument as AnyNode);
  if (target.type === "Identifier") throw syntax(node.start, "A variable cannot be deleted.", "Set it to undefined instead.");
  if (target.type === "MemberExpression" && (target.property as AnyNode).type === "PrivateIdentifier")
    throw syntax(node.start, "A private field cannot be deleted.");
}

function checkParameterProperties(method: AnyNode): void {
  const property = (method.params as AnyNode[]).find((param) => param.type === "TSParameterProperty");
  if (property) throw syntax(property.start, "Only a constructor's parameters can have public, private, protected or readonly.");
}

function misplacedType(cast: AnyNode, source: string): Error {
  const inner = cast.expression as AnyNode;
  if (cast.typeAnnotation) {
    const hint =
      inner.type === "Identifier"
        ? `For named arguments, pass one object: f({ ${String(inner.name)}: … }).`
        : "A value's type is written with as: (value as Type).";
    return syntax((cast.typeAnnotation as AnyNode).start, 'Unexpected ":".', hint);
  }
  const at = source.indexOf("?", inner.end);
  return syntax(at < 0 ? inner.end : at, 'Unexpected "?".');
}

export function refusedDecorator(decorator: AnyNode): Error {
  return unsupported(
    decorator.start,
    "Decorators are not supported.",
    "Call the decorating function yourself, e.g. const wrapped = decorate(original).",
  );
}

function nameOf(id: unknown): string {
  return ((id as AnyNode | null)?.name as string | undefined) ?? "default";
}

function keyText(member: AnyNode, source: string): string {
  const key = member.key as AnyNode;
  return source.slice(key.start, key.end);
}

function quoted(name: string): string {
  return `"${name}"`;
}
