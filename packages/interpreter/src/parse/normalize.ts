// One pass over the whole tree, without recursion: takes types out, refuses what a program may not use, and measures depth.
// A node type that is not in the tables below does not exist for a program.

import { type AnyNode, isNode } from "./ast.js";
import { Failure, syntax, unsupported } from "./failure.js";
import { eraseFields, eraseMembers, eraseStatements, isErased, unwrap } from "./erase.js";
import { refusedCall, refusedNode } from "./refuse.js";

export interface NormalizeOptions {
  source: string;
  astDepth: number;
  kind: "program" | "script";
  typed: boolean;
}

/** The fields of each node that hold nodes or lists of nodes, in order of the text. Names that are no references are left out. */
const FIELDS: Record<string, readonly string[]> = {
  Identifier: [],
  Literal: [],
  ThisExpression: [],
  Super: [],
  PrivateIdentifier: [],
  EmptyStatement: [],
  DebuggerStatement: [],
  BreakStatement: [],
  ContinueStatement: [],
  MetaProperty: [],
  ExpressionStatement: ["expression"],
  BlockStatement: ["body"],
  StaticBlock: ["body"],
  ReturnStatement: ["argument"],
  LabeledStatement: ["body"],
  IfStatement: ["test", "consequent", "alternate"],
  SwitchStatement: ["discriminant", "cases"],
  SwitchCase: ["test", "consequent"],
  ThrowStatement: ["argument"],
  TryStatement: ["block", "handler", "finalizer"],
  CatchClause: ["param", "body"],
  WhileStatement: ["test", "body"],
  DoWhileStatement: ["body", "test"],
  ForStatement: ["init", "test", "update", "body"],
  ForInStatement: ["left", "right", "body"],
  ForOfStatement: ["left", "right", "body"],
  FunctionDeclaration: ["id", "params", "body"],
  FunctionExpression: ["id", "params", "body"],
  ArrowFunctionExpression: ["params", "body"],
  VariableDeclaration: ["declarations"],
  VariableDeclarator: ["id", "init"],
  ArrayExpression: ["elements"],
  ObjectExpression: ["properties"],
  Property: ["key", "value"],
  UnaryExpression: ["argument"],
  UpdateExpression: ["argument"],
  BinaryExpression: ["left", "right"],
  LogicalExpression: ["left", "right"],
  AssignmentExpression: ["left", "right"],
  ConditionalExpression: ["test", "consequent", "alternate"],
  MemberExpression: ["object", "property"],
  CallExpression: ["callee", "arguments"],
  NewExpression: ["callee", "arguments"],
  ChainExpression: ["expression"],
  SequenceExpression: ["expressions"],
  SpreadElement: ["argument"],
  YieldExpression: ["argument"],
  AwaitExpression: ["argument"],
  TemplateLiteral: ["expressions"],
  TaggedTemplateExpression: ["tag", "quasi"],
  ObjectPattern: ["properties"],
  ArrayPattern: ["elements"],
  RestElement: ["argument"],
  AssignmentPattern: ["left", "right"],
  ClassDeclaration: ["id", "superClass", "body"],
  ClassExpression: ["id", "superClass", "body"],
  ClassBody: ["body"],
  MethodDefinition: ["key", "value"],
  PropertyDefinition: ["key", "value"],
  TSEnumDeclaration: ["id", "members"],
  TSEnumMember: ["initializer"],
  TSParameterProperty: ["parameter"],
  ExportDefaultDeclaration: ["declaration"],
  ExportNamedDeclaration: ["declaration"],
};

/** Fields whose identifiers are declared there; `INHERITING` ones only inside such a field. */
const BINDING = new Set([
  "VariableDeclarator.id",
  "FunctionDeclaration.id",
  "FunctionDeclaration.params",
  "FunctionExpression.id",
  "FunctionExpression.params",
  "ArrowFunctionExpression.params",
  "CatchClause.param",
  "ClassDeclaration.id",
  "ClassExpression.id",
  "TSEnumDeclaration.id",
]);
const INHERITING = new Set([
  "Property.value",
  "ObjectPattern.properties",
  "ArrayPattern.elements",
  "RestElement.argument",
  "AssignmentPattern.left",
  "TSParameterProperty.parameter",
]);

const STATEMENT_LISTS = new Set(["BlockStatement", "StaticBlock", "SwitchCase"]);

const IS_BINDING = 1;
const IN_FUNCTION = 2;

/** Normalises `body` in place. Throws a Failure: the first refusal in the text, or too deep a tree. */
export function normalize(body: AnyNode[], options: NormalizeOptions): { body: AnyNode[]; hasTopLevelAwait: boolean } {
  const { source, typed, kind } = options;
  const deepest = options.astDepth * 2;
  const refusals: Failure[] = [];
  const calls: AnyNode[] = [];
  const declared = new Set<string>();
  let hasTopLevelAwait = false;
  if (typed) body = eraseStatements(body);

  const nodes: AnyNode[] = [];
  const depths: number[] = [];
  const marks: number[] = [];
  for (let i = body.length - 1; i >= 0; i--) push(body[i], 2, 0);

  while (nodes.length > 0) {
    const node = nodes.pop() as AnyNode;
    const depth = depths.pop() as number;
    let mark = marks.pop() as number;
    if (depth > deepest)
      throw new Failure(node.start, `The program is nested more than ${options.astDepth} levels deep.`, {
        kind: "limit",
        limit: "astDepth",
        hints: ["Put inner parts into variables or functions of their own."],
      });
    const { type } = node;
    const fields = FIELDS[type];
    if (kind === "program") {
      const refusal = refusedNode(node);
      if (refusal) {
        refusals.push(refusal);
        continue;
      }
    }
    if (typed) eraseFields(node, source);
    if (!fields) throw unsupported(node.start, `This syntax is not supported (${type}).`);

    switch (type) {
      case "Identifier":
        if (mark & IS_BINDING) declared.add(node.name as string);
        if (typed && node.name === "this") throw syntax(node.start, '"this" is not a name.');
        continue;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        mark |= IN_FUNCTION;
        break;
      case "AwaitExpression":
        if (!(mark & IN_FUNCTION)) hasTopLevelAwait = true;
        break;
      case "ForOfStatement":
        if (node.await === true && !(mark & IN_FUNCTION)) hasTopLevelAwait = true;
        break;
      case "VariableDeclaration":
        if (node.kind === "await using" && !(mark & IN_FUNCTION)) hasTopLevelAwait = true;
        break;
      case "CallExpression":
      case "NewExpression":
        if ((node.callee as AnyNode).type === "Identifier") calls.push(node);
        break;
      default:
    }

    for (let i = fields.length - 1; i >= 0; i--) {
      const field = fields[i];
      const child = node[field];
      if (child === null || child === undefined) continue;
      const place = `${type}.${field}`;
      if ((field === "key" || field === "property") && node.computed !== true) continue;
      const inner = (mark & IN_FUNCTION) | (BINDING.has(place) || (mark & IS_BINDING && INHERITING.has(place)) ? IS_BINDING : 0);
      if (Array.isArray(child)) {
        let list = child as (AnyNode | null)[];
        if (typed) {
          if (STATEMENT_LISTS.has(type)) node[field] = list = eraseStatements(list as AnyNode[]);
          else if (type === "ClassBody") node[field] = list = eraseMembers(list as AnyNode[], source);
        }
        for (let j = list.length - 1; j >= 0; j--) {
          const item = list[j];
          if (item) push((list[j] = typed ? unwrap(item) : item), depth + 2, inner);
        }
      } else if (isNode(child)) {
        let only = typed ? unwrap(child) : child;
        if (typed && isErased(only)) only = { type: "EmptyStatement", start: only.start, end: only.end };
        node[field] = only;
        push(only, depth + step(type, field, only), inner);
      }
    }
  }

  for (const call of calls) {
    if (kind !== "program") break;
    const refusal = refusedCall(call, source);
    if (refusal && !declared.has((call.callee as AnyNode).name as string)) refusals.push(refusal);
  }
  if (refusals.length > 0) throw refusals.reduce((first, other) => (other.offset < first.offset ? other : first));
  return { body, hasTopLevelAwait };

  function push(node: AnyNode, depth: number, mark: number): void {
    nodes.push(node);
    depths.push(depth);
    marks.push(mark);
  }
}

/**
 * How much deeper a child is, in half levels. Chains that grow to the left are one level however long, where the compiler reads them in a
 * loop (operators, `else if`); links of calls and members count half, because there it nests.
 */
function step(type: string, field: string, child: AnyNode): number {
  switch (type) {
    case "BinaryExpression":
    case "LogicalExpression":
      return field === "left" && (child.type === "BinaryExpression" || child.type === "LogicalExpression") ? 0 : 2;
    case "IfStatement":
      return field === "alternate" && child.type === "IfStatement" ? 0 : 2;
    case "MemberExpression":
      return field === "object" ? 1 : 2;
    case "CallExpression":
      return field === "callee" ? 1 : 2;
    case "TaggedTemplateExpression":
      return field === "tag" ? 1 : 2;
    default:
      return 2;
  }
}
