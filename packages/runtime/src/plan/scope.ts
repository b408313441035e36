// Names of a program: which scope declares them, and which of them stand for a part of `tools`.

/** A syntax node as the passes over all nodes see it. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** What a name stands for: an expression and the keys taken from it by destructuring; undefined: anything. */
export type Binding = { init: Node; scope: Scope; keys: readonly string[] } | undefined;

export class Scope {
  private readonly bindings = new Map<string, Binding>();

  constructor(readonly outer?: Scope) {}

  declare(name: string, binding?: Binding): void {
    // Declared twice (`var`): it may be either.
    this.bindings.set(name, this.bindings.has(name) ? undefined : binding);
  }

  /** Null: no scope declares the name, it is a global. */
  find(name: string): Binding | null {
    if (this.bindings.has(name)) return this.bindings.get(name);
    return this.outer === undefined ? null : this.outer.find(name);
  }
}

export function isNode(value: unknown): value is Node {
  return value !== null && typeof value === "object" && typeof (value as { type?: unknown }).type === "string";
}

export function nodes(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
}

/** The direct child nodes, in the order of the source. Names that are no references (keys, labels) are not among them. */
export function children(node: Node): Node[] {
  const skipped = node.computed === true ? undefined : NAME_FIELDS[node.type];
  // `{ a }`: key and value are one node.
  const shorthand = node.type === "Property" && node.shorthand === true;
  const found: Node[] = [];
  for (const field in node) {
    const value = node[field];
    if (typeof value !== "object" || value === null) continue;
    if (skipped !== undefined && skipped.includes(field)) continue;
    if (shorthand && field === "key") continue;
    if (isNode(value)) found.push(value);
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) found.push(item);
  }
  return found;
}

export function isFunction(node: Node): boolean {
  return node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression";
}

/** Declares what belongs to a list of statements: `let`, `const`, classes and functions; with `hoist`, also every `var` inside. */
export function declareStatements(scope: Scope, statements: readonly Node[], hoist: boolean, constant: (name: string) => boolean): void {
  for (const statement of statements) {
    if (statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration" || statement.type === "TSEnumDeclaration") {
      if (isNode(statement.id)) scope.declare(String(statement.id.name));
    } else if (statement.type === "VariableDeclaration" && statement.kind !== "var") {
      declareVariables(scope, statement, constant);
    }
    if (hoist) hoistVariables(scope, statement, constant);
  }
}

export function declareVariables(scope: Scope, declaration: Node, constant: (name: string) => boolean): void {
  for (const declarator of nodes(declaration.declarations)) {
    if (!isNode(declarator.id)) continue;
    declarePattern(scope, declarator.id, isNode(declarator.init) ? { init: declarator.init, scope, keys: [] } : undefined, constant);
  }
}

/** Declares the names of a pattern. Names that are assigned again, or have a default, may be anything. */
export function declarePattern(scope: Scope, pattern: Node, source: Binding, constant: (name: string) => boolean): void {
  switch (pattern.type) {
    case "Identifier":
      scope.declare(String(pattern.name), constant(String(pattern.name)) ? source : undefined);
      return;
    case "AssignmentPattern":
      if (isNode(pattern.left)) declarePattern(scope, pattern.left, source, constant);
      return;
    case "RestElement":
      if (isNode(pattern.argument)) declarePattern(scope, pattern.argument, undefined, constant);
      return;
    case "ObjectPattern":
      for (const property of nodes(pattern.properties)) {
        if (property.type !== "Property") declarePattern(scope, property, undefined, constant);
        else if (isNode(property.value))
          declarePattern(scope, property.value, taken(source, staticKey(property.key, property.computed === true)), constant);
      }
      return;
    case "ArrayPattern":
      for (const element of nodes(pattern.elements)) declarePattern(scope, element, undefined, constant);
      return;
    case "TSParameterProperty":
      if (isNode(pattern.parameter)) declarePattern(scope, pattern.parameter, undefined, constant);
  }
}

/** The key of a property or a member access, if the text says it. */
export function staticKey(key: unknown, computed: boolean): string | undefined {
  if (!isNode(key)) return undefined;
  if (key.type === "Identifier" && !computed) return String(key.name);
  if (key.type === "Literal" && (typeof key.value === "string" || typeof key.value === "number")) return String(key.value);
  if (key.type === "TemplateLiteral" && nodes(key.expressions).length === 0) {
    const cooked: unknown = (nodes(key.quasis)[0]?.value as { cooked?: unknown } | undefined)?.cooked;
    return typeof cooked === "string" ? cooked : undefined;
  }
  return undefined;
}

/** Every name that something is assigned to anywhere. */
export function assignedNames(root: readonly Node[]): Set<string> {
  const names = new Set<string>();
  const pending = [...root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "AssignmentExpression") targets(node.left, names);
    if (node.type === "UpdateExpression") targets(node.argument, names);
    if ((node.type === "ForInStatement" || node.type === "ForOfStatement") && isNode(node.left) && node.left.type !== "VariableDeclaration")
      targets(node.left, names);
    pending.push(...children(node));
  }
  return names;
}

function targets(node: unknown, names: Set<string>): void {
  if (!isNode(node) || node.type === "MemberExpression") return;
  if (node.type === "Identifier") names.add(String(node.name));
  else for (const child of children(node)) targets(child, names);
}

function taken(source: Binding, key: string | undefined): Binding {
  return source === undefined || key === undefined ? undefined : { ...source, keys: [...source.keys, key] };
}

function hoistVariables(scope: Scope, node: Node, constant: (name: string) => boolean): void {
  if (isFunction(node)) return;
  if (node.type === "VariableDeclaration" && node.kind === "var") declareVariables(scope, node, constant);
  // Only statements hold statements.
  for (const child of children(node)) if (STATEMENT.test(child.type)) hoistVariables(scope, child, constant);
}

const STATEMENT = /Statement$|Declaration$|^CatchClause$|^SwitchCase$/;
const NAME_FIELDS: Readonly<Record<string, readonly string[] | undefined>> = {
  MemberExpression: ["property"],
  Property: ["key"],
  MethodDefinition: ["key"],
  PropertyDefinition: ["key"],
  LabeledStatement: ["label"],
  BreakStatement: ["label"],
  ContinueStatement: ["label"],
  MetaProperty: ["meta", "property"],
  TSEnumMember: ["id"],
  FunctionDeclaration: ["id"],
  FunctionExpression: ["id"],
  ClassDeclaration: ["id"],
  ClassExpression: ["id"],
  TSEnumDeclaration: ["id"],
};
