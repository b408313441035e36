// The tree as the compiler sees it: ESTree, the two TypeScript nodes with a meaning, and nodes that the compiler itself puts in.

import type { estree, TSEnumDeclaration, TSParameterProperty } from "../parse/index.js";

/** Reads a slot of the frame: stands for an operand that was evaluated before. */
export interface Temp extends estree.Node {
  type: "Temp";
  slot: number;
}

/** A call whose callee and receiver were evaluated before. */
export interface CallWith extends estree.Node {
  type: "CallWith";
  callee: Temp;
  receiver: Temp | null;
  arguments: (Expression | estree.SpreadElement)[];
  /** The call as written, for messages. */
  written: estree.CallExpression | estree.TaggedTemplateExpression;
}

export type Expression = estree.Expression | Temp | CallWith;
export type Statement = estree.Statement | TSEnumDeclaration;
export type FunctionNode =
  | estree.FunctionDeclaration
  | estree.FunctionExpression
  | estree.ArrowFunctionExpression
  | estree.AnonymousFunctionDeclaration;
export type ClassNode = estree.ClassDeclaration | estree.ClassExpression | estree.AnonymousClassDeclaration;
export type Pattern = estree.Pattern | estree.AssignmentProperty | TSParameterProperty;
export type Node = estree.AnyNode | Temp | CallWith | TSEnumDeclaration | TSParameterProperty;
export type { estree, TSEnumDeclaration, TSParameterProperty };

export function temp(slot: number, at: estree.Node): Temp {
  return { type: "Temp", slot, start: at.start, end: at.end };
}

/** `(x)` is `x`: parsers may keep the parentheses. */
export function unparenthesized(node: Expression): Expression {
  let n = node;
  while (n.type === "ParenthesizedExpression") n = n.expression;
  return n;
}

/** True for what takes its name from what it is assigned to. */
export function isAnonymousFunction(node: Node): boolean {
  switch (node.type) {
    case "FunctionExpression":
      return !node.id;
    case "ArrowFunctionExpression":
      return true;
    case "ClassExpression":
      return !node.id;
    case "ParenthesizedExpression":
      return isAnonymousFunction(node.expression);
    default:
      return false;
  }
}
