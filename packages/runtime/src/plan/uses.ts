// What a program does with `tools`, as far as its text says: which tools it calls, and which of them it may do without.

import {
  assignedNames,
  children,
  declarePattern,
  declareStatements,
  declareVariables,
  isFunction,
  isNode,
  nodes,
  Scope,
  staticKey,
  type Node,
} from "./scope.js";

/** A call of `tools.a.b(…)`, or a mention of the tool as a value (`ids.map(tools.a.b)`). */
export interface ToolUse {
  /** The keys after `tools`: at least one. */
  keys: string[];
  /** Offset in the text as sent. */
  offset: number;
  called: boolean;
}

export interface ToolUses {
  uses: ToolUse[];
  /** Some tool is reached by a computed name. */
  dynamic: boolean;
  /**
   * Whether the program reads this part of `tools` (or what it lies in) as a value, with `?.`, `in` or a default: it may then know that
   * the part can be absent.
   */
  guarded(keys: readonly string[]): boolean;
}

/**
 * Finds the uses of the global `tools` in a program's statements; also through names that stand for a part of it
 * (`const { github } = tools`). A shadowed `tools` is another thing.
 */
export function findToolUses(body: readonly Node[]): ToolUses {
  const finder = new Finder(body);
  finder.statements(body, new Scope(), true);
  return { uses: finder.uses, dynamic: finder.dynamic, guarded: (keys) => finder.guarded(keys) };
}

/** "optional": called by `?.()`. */
type Role = "value" | "callee" | "optional" | "alias";

class Finder {
  readonly uses: ToolUse[] = [];
  dynamic = false;
  private readonly guards = new Set<string>();
  private readonly assigned: Set<string>;
  private readonly constant = (name: string): boolean => !this.assigned.has(name);

  constructor(body: readonly Node[]) {
    this.assigned = assignedNames(body);
  }

  guarded(keys: readonly string[]): boolean {
    return keys.some((_, index) => this.guards.has(keyOf(keys.slice(0, index)))) || this.guards.has(keyOf(keys));
  }

  statements(statements: readonly Node[], scope: Scope, hoist: boolean): void {
    declareStatements(scope, statements, hoist, this.constant);
    for (const statement of statements) this.visit(statement, scope, "value");
  }

  private visit(node: Node, scope: Scope, role: Role): void {
    if (this.chain(node, scope, role)) return;
    switch (node.type) {
      case "BlockStatement":
      case "StaticBlock":
        return this.statements(nodes(node.body), new Scope(scope), node.type === "StaticBlock");
      case "CallExpression":
      case "NewExpression":
        if (isNode(node.callee)) this.visit(node.callee, scope, node.optional === true ? "optional" : "callee");
        for (const argument of nodes(node.arguments)) this.visit(argument, scope, "value");
        return;
      case "VariableDeclarator":
        return this.declarator(node, scope);
      case "BinaryExpression":
      case "LogicalExpression":
        return this.operands(node, scope);
      case "SwitchStatement": {
        if (isNode(node.discriminant)) this.visit(node.discriminant, scope, "value");
        const inner = new Scope(scope);
        const cases = nodes(node.cases);
        declareStatements(
          inner,
          cases.flatMap((one) => nodes(one.consequent)),
          false,
          this.constant,
        );
        for (const one of cases) for (const child of children(one)) this.visit(child, inner, "value");
        return;
      }
      case "CatchClause": {
        const inner = new Scope(scope);
        if (isNode(node.param)) this.parameter(node.param, inner);
        if (isNode(node.body)) this.visit(node.body, inner, "value");
        return;
      }
      case "ClassExpression":
      case "FunctionExpression": {
        const inner = new Scope(scope);
        if (isNode(node.id)) inner.declare(String(node.id.name));
        if (node.type === "FunctionExpression") return this.function(node, inner);
        return this.inside(node, inner);
      }
    }
    if (isFunction(node)) return this.function(node, scope);
    if (node.type.startsWith("For")) {
      const inner = new Scope(scope);
      for (const declaration of [...nodes(node.init), ...nodes(node.left)])
        if (declaration.type === "VariableDeclaration" && declaration.kind !== "var") declareVariables(inner, declaration, this.constant);
      return this.inside(node, inner);
    }
    this.inside(node, scope);
  }

  private inside(node: Node, scope: Scope): void {
    for (const child of children(node)) this.visit(child, scope, "value");
  }

  private function(node: Node, scope: Scope): void {
    const inner = new Scope(scope);
    for (const parameter of nodes(node.params)) this.parameter(parameter, inner);
    if (!isNode(node.body)) return;
    if (node.body.type === "BlockStatement") this.statements(nodes(node.body.body), inner, true);
    else this.visit(node.body, inner, "value");
  }

  private parameter(pattern: Node, scope: Scope): void {
    declarePattern(scope, pattern, undefined, this.constant);
    this.pattern(pattern, scope, undefined);
  }

  /** The expressions inside of a pattern; `path` is what it takes apart, if that is a part of `tools`. */
  private pattern(pattern: Node, scope: Scope, path: readonly string[] | undefined): void {
    switch (pattern.type) {
      case "AssignmentPattern":
        // A default says that the part may be absent.
        if (path !== undefined) this.guard(path);
        if (isNode(pattern.right)) this.visit(pattern.right, scope, "value");
        if (isNode(pattern.left)) this.pattern(pattern.left, scope, path);
        return;
      case "ObjectPattern":
        for (const property of nodes(pattern.properties)) {
          if (property.type !== "Property") {
            if (path !== undefined) this.guard(path);
            continue;
          }
          const key = staticKey(property.key, property.computed === true);
          if (property.computed === true && isNode(property.key)) this.visit(property.key, scope, "value");
          if (path !== undefined && key === undefined) this.reachedByName(path);
          if (isNode(property.value))
            this.pattern(property.value, scope, path === undefined || key === undefined ? undefined : [...path, key]);
        }
        return;
      case "Identifier":
        if (path !== undefined && this.assigned.has(String(pattern.name))) this.guard(path);
        return;
      case "TSParameterProperty":
        if (isNode(pattern.parameter)) this.pattern(pattern.parameter, scope, undefined);
        return;
      default:
        if (path !== undefined) this.guard(path);
        for (const child of children(pattern)) if (child.type !== "Identifier") this.pattern(child, scope, undefined);
    }
  }

  private declarator(node: Node, scope: Scope): void {
    const path = isNode(node.init) ? this.pathOf(node.init, scope) : undefined;
    if (isNode(node.init)) this.visit(node.init, scope, path === undefined ? "value" : "alias");
    if (isNode(node.id)) this.pattern(node.id, scope, path);
  }

  /** `a + b + c + …` hangs deep to the left: no recursion there. */
  private operands(node: Node, scope: Scope): void {
    const rights: Node[] = [];
    let at = node;
    while (at.type === "BinaryExpression" || at.type === "LogicalExpression") {
      if (at.operator === "in" && this.membership(at, scope)) break;
      if (isNode(at.right)) rights.push(at.right);
      if (!isNode(at.left)) break;
      at = at.left;
    }
    if (at.type !== "BinaryExpression" && at.type !== "LogicalExpression") this.visit(at, scope, "value");
    for (const right of rights.toReversed()) this.visit(right, scope, "value");
  }

  /** `"x" in tools`: guards that one part. */
  private membership(node: Node, scope: Scope): boolean {
    const key = staticKey(node.left, true);
    const path = isNode(node.right) ? this.pathOf(node.right, scope) : undefined;
    if (key === undefined || path === undefined) return false;
    this.guard([...path, key]);
    return true;
  }

  /** Handles an identifier or member chain that begins at `tools`. False if it is something else. */
  private chain(node: Node, scope: Scope, role: Role): boolean {
    const links = linksOf(node);
    if (links === undefined) return false;
    const start = this.startOf(links.base, scope, 0);
    if (start === undefined) return false;
    const path = [...start];
    for (const [index, link] of links.links.entries()) {
      if (link.optional) this.guard(path);
      if (link.key === undefined) {
        this.reachedByName(path);
        for (const later of links.links.slice(index)) if (later.computed !== undefined) this.visit(later.computed, scope, "value");
        return true;
      }
      path.push(link.key);
    }
    this.use(path, role, links.at);
    return true;
  }

  private use(path: string[], role: Role, offset: number): void {
    if (role === "alias") return;
    const last = path.at(-1);
    if (role === "optional" || (role === "callee" && last !== undefined && ASKING.has(last)))
      this.guard(role === "optional" ? path : path.slice(0, -1));
    if (role !== "value" && path.length > 0) {
      if (path.length === 3 && last !== undefined && CALLING.has(last))
        this.uses.push({ keys: path.slice(0, 2), offset, called: last !== "bind" });
      else this.uses.push({ keys: path, offset, called: true });
      return;
    }
    this.guard(path);
    if (path.length === 2) this.uses.push({ keys: path, offset, called: false });
  }

  private reachedByName(path: readonly string[]): void {
    this.dynamic = true;
    this.guard(path);
  }

  private guard(path: readonly string[]): void {
    this.guards.add(keyOf(path));
  }

  /** The part of `tools` that an expression is; undefined if the text does not say. */
  private pathOf(node: Node, scope: Scope, depth = 0): string[] | undefined {
    const links = linksOf(node);
    const start = links === undefined ? undefined : this.startOf(links.base, scope, depth);
    if (links === undefined || start === undefined) return undefined;
    const path = [...start];
    for (const { key } of links.links) {
      if (key === undefined) return undefined;
      path.push(key);
    }
    return path;
  }

  private startOf(base: Node, scope: Scope, depth: number): string[] | undefined {
    const name = String(base.name);
    const binding = scope.find(name);
    if (binding === null) return name === "tools" ? [] : undefined;
    // `const tools = tools` and circles of names stand for nothing.
    if (binding === undefined || depth > MAX_ALIASES) return undefined;
    const path = this.pathOf(binding.init, binding.scope, depth + 1);
    return path === undefined ? undefined : [...path, ...binding.keys];
  }
}

interface Link {
  /** Undefined: computed. */
  key: string | undefined;
  computed?: Node;
  optional: boolean;
}

/** `a.b["c"]?.d` as its first identifier and the links behind it. `at`: where its last name stands. */
function linksOf(node: Node): { base: Node; links: Link[]; at: number } | undefined {
  const links: Link[] = [];
  let last: number | undefined;
  let at: unknown = node;
  while (isNode(at)) {
    if (at.type === "Identifier") return { base: at, links: links.toReversed(), at: last ?? at.start };
    if (at.type === "ChainExpression" || at.type === "ParenthesizedExpression") {
      at = at.expression;
    } else if (at.type === "MemberExpression") {
      const key = staticKey(at.property, at.computed === true);
      links.push({
        key,
        optional: at.optional === true,
        ...(at.computed === true && key === undefined && isNode(at.property) && { computed: at.property }),
      });
      if (isNode(at.property)) last ??= at.property.start;
      at = at.object;
    } else {
      return undefined;
    }
  }
  return undefined;
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

const CALLING: ReadonlySet<string> = new Set(["call", "apply", "bind"]);
/** Methods of objects that ask whether a key is there. */
const ASKING: ReadonlySet<string> = new Set(["hasOwnProperty", "propertyIsEnumerable"]);
const MAX_ALIASES = 20;
