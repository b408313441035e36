// Which names a piece of the tree declares.

import { type Node, type Pattern, type Statement } from "./nodes.js";

/** The names that a pattern binds, in order. */
export function namesOf(node: Pattern): string[] {
  switch (node.type) {
    case "Identifier":
      return [node.name];
    case "AssignmentPattern":
      return namesOf(node.left);
    case "RestElement":
      return namesOf(node.argument);
    case "ArrayPattern":
      return node.elements.flatMap((e) => (e ? namesOf(e) : []));
    case "ObjectPattern":
      return node.properties.flatMap((p) => (p.type === "RestElement" ? namesOf(p.argument) : namesOf(p.value)));
    case "TSParameterProperty":
      return namesOf(node.parameter);
    default:
      return [];
  }
}
/** The names of all `var`s of a function's or a script's body. */
export function varNamesOf(body: Statement[]): string[] {
  const names = new Set<string>();
  hoistVars(body, (name) => names.add(name));
  return [...names];
}

export function hoistVars(body: readonly (Node | null | undefined)[], found: (name: string) => void): void {
  for (const s of body) {
    if (!s) continue;
    switch (s.type) {
      case "VariableDeclaration":
        if (s.kind === "var") for (const d of s.declarations) for (const name of namesOf(d.id)) found(name);
        break;
      case "BlockStatement":
        hoistVars(s.body, found);
        break;
      case "IfStatement": {
        // `else if` chains are long and flat.
        let n: Node | null | undefined = s;
        while (n && n.type === "IfStatement") {
          hoistVars([n.consequent], found);
          n = n.alternate;
        }
        hoistVars([n], found);
        break;
      }
      case "ForStatement":
        hoistVars([s.init as Node | null, s.body], found);
        break;
      case "ForInStatement":
      case "ForOfStatement":
        hoistVars([s.left as Node, s.body], found);
        break;
      case "WhileStatement":
      case "DoWhileStatement":
      case "LabeledStatement":
        hoistVars([s.body], found);
        break;
      case "SwitchStatement":
        for (const c of s.cases) hoistVars(c.consequent, found);
        break;
      case "TryStatement":
        hoistVars([s.block, s.handler?.body, s.finalizer], found);
        break;
    }
  }
}

export function unlabelled(s: Statement): Statement {
  let n: Statement = s;
  while (n.type === "LabeledStatement") n = n.body;
  return n;
}

export function isLexicalDeclaration(s: Statement): boolean {
  switch (s.type) {
    case "VariableDeclaration":
      return s.kind !== "var";
    case "ClassDeclaration":
    case "FunctionDeclaration":
    case "TSEnumDeclaration":
      return true;
    case "LabeledStatement":
      return unlabelled(s).type === "FunctionDeclaration";
    default:
      return false;
  }
}

/** Whether a parameter runs code: a default or a computed key. */
export function hasExpression(node: Pattern): boolean {
  switch (node.type) {
    case "AssignmentPattern":
      return true;
    case "ArrayPattern":
      return node.elements.some((e) => e !== null && hasExpression(e));
    case "ObjectPattern":
      return node.properties.some((p) => (p.type === "RestElement" ? hasExpression(p.argument) : p.computed || hasExpression(p.value)));
    case "RestElement":
      return hasExpression(node.argument);
    case "TSParameterProperty":
      return hasExpression(node.parameter);
    default:
      return false;
  }
}
