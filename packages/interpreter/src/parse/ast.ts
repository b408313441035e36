// The tree that the compiler gets: ESTree as acorn makes it (`start` and `end` are offsets in the text as sent), without types,
// and the two TypeScript nodes that mean something at run time.

import type * as estree from "acorn";

export type { estree };

export type Statement = estree.Statement | TSEnumDeclaration;

/** `enum` and `const enum`: to be run alike. Two of one name in a scope add to one object. */
export interface TSEnumDeclaration extends estree.Node {
  type: "TSEnumDeclaration";
  id: estree.Identifier;
  members: TSEnumMember[];
  const?: boolean;
}

export interface TSEnumMember extends estree.Node {
  type: "TSEnumMember";
  /** An Identifier names itself (it is no reference); a Literal is a string. */
  id: estree.Identifier | estree.Literal;
  initializer?: estree.Expression;
}

/** A parameter of a constructor that is also a field: binds like its `parameter`, then `this.name = name`. */
export interface TSParameterProperty extends estree.Node {
  type: "TSParameterProperty";
  parameter: estree.Identifier | (estree.AssignmentPattern & { left: estree.Identifier });
}

/** A node seen from outside its type: what the passes over all nodes work with. */
export interface AnyNode extends estree.Node {
  [field: string]: unknown;
}

export function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && typeof (value as AnyNode).type === "string";
}
