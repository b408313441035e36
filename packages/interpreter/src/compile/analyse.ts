// The walk that finds every scope and binding of a program, and which bindings closures capture; then each binding gets its place.

import {
  type ClassNode,
  type Expression,
  type FunctionNode,
  type Node,
  type Pattern,
  type Statement,
  type TSEnumDeclaration,
  type estree,
} from "./nodes.js";
import { declareBlock, declareBody, declareLexical, placeBindings } from "./declare.js";
import { hasExpression, isLexicalDeclaration, namesOf } from "./names.js";
import {
  Analysis,
  FunctionInfo,
  NAME_ARGUMENT,
  NAME_ARGUMENTS,
  NAME_CALLEE,
  NAME_NEW_TARGET,
  NAME_THIS,
  Scope,
  keyName,
  needsCheck,
} from "./scope.js";
import { assignParameterProperties } from "./parameter-properties.js";

/** Analyses a program (an async function's body) or a script. */
export function analyse(body: Statement[], kind: "program" | "script", root: Node): { analysis: Analysis; info: FunctionInfo } {
  const analysis = new Analysis(kind === "script");
  const info = new FunctionInfo(root, null, kind);
  info.isAsync = kind === "program";
  const scope = new Scope(null, info);
  info.scope = scope;
  info.body = scope;
  const walker = new Walker(analysis);
  if (kind === "program") {
    scope.declare(NAME_ARGUMENT, "param", 0);
    info.paramCount = 1;
    info.paramBase = 4;
    declareBody(body, scope);
  } else {
    scope.declare(NAME_THIS, "implicit", 0);
    info.usesThis = scope.bindings.get(NAME_THIS)!;
    walker.declareScript(body, scope);
  }
  analysis.functions.set(root, info);
  walker.statements(body, scope);
  placeBindings(info);
  return { analysis, info };
}

class Walker {
  private readonly a: Analysis;
  /** Nodes from the current function's root to the current one that could hold a suspend point. */
  private path: Node[] = [];
  constructor(analysis: Analysis) {
    this.a = analysis;
  }

  declareScript(body: Statement[], scope: Scope): void {
    // Everything at the top is global: functions and `var` are properties, the rest is in the realm's record of scripts.
    for (const s of body) if (s.type === "FunctionDeclaration") this.a.scopes.set(s, scope);
  }

  // References ---------------------------------------------------------------------------------------------------------------------

  private reference(name: string, scope: Scope, position: number): void {
    for (let s: Scope | null = scope; s !== null; s = s.parent) {
      const b = s.bindings.get(name);
      if (b !== undefined) {
        if (s.fn !== scope.fn) b.captured = true;
        if (!b.checked && needsCheck(b, scope, position)) b.checked = true;
        return;
      }
      if (name === NAME_ARGUMENTS && s === s.fn.scope && ownsArguments(s.fn)) {
        const implicit = s.declare(NAME_ARGUMENTS, "implicit", 0);
        s.fn.usesArguments = implicit;
        if (s.fn !== scope.fn) implicit.captured = true;
        return;
      }
    }
  }

  /** A reference to `this`, `new.target` or the callee of the nearest function that has its own. */
  private implicit(name: string, scope: Scope): void {
    let s: Scope = scope;
    while (s.fn.kind === "arrow") s = s.fn.scope.parent!;
    const fn = s.fn;
    const b = fn.scope.declare(name, "implicit", 0);
    if (fn !== scope.fn) b.captured = true;
    if (name === NAME_THIS) fn.usesThis = b;
    else if (name === NAME_NEW_TARGET) fn.usesNewTarget = b;
    else fn.usesCallee = b;
  }

  private suspendHere(node: Node): void {
    if (this.a.suspending.has(node)) return;
    let i = this.path.length - 1;
    if (this.path[i] === node) i--;
    this.a.suspending.add(node);
    // A node may stand in the path twice, as pattern and as expression.
    for (let last = node; i >= 0; i--) {
      const n = this.path[i];
      if (n === last) continue;
      if (this.a.suspending.has(n)) break;
      this.a.suspending.add(n);
      last = n;
    }
  }

  // Functions ----------------------------------------------------------------------------------------------------------------------

  private fn(node: FunctionNode, scope: Scope, kind: FunctionInfo["kind"]): void {
    const outer = this.path;
    this.path = [];
    const info = new FunctionInfo(node, scope.fn, kind);
    info.isAsync = node.async;
    info.isGenerator = node.generator;
    info.hoisted = node.type === "FunctionDeclaration";
    if (info.suspends) info.paramBase = 4;
    info.paramCount = node.params.length;
    const fnScope = new Scope(scope, info);
    info.scope = fnScope;
    this.a.functions.set(node, info);
    info.simpleParams = node.params.every((p) => p.type === "Identifier");
    if (kind === "derived") {
      this.implicitOwn(info, NAME_THIS);
      this.implicitOwn(info, NAME_NEW_TARGET);
      this.implicitOwn(info, NAME_CALLEE);
    }
    const hasExpressions = !info.simpleParams && node.params.some(hasExpression);
    // Parameters are initialised one after the other where defaults could see them.
    for (const p of node.params) for (const name of namesOf(p)) fnScope.declare(name, "param", hasExpressions ? p.end : 0);
    // The function's own name gives way to parameters, and to what the body declares in the same scope.
    const self = node.type === "FunctionExpression" && node.id ? node.id.name : undefined;
    if (self !== undefined && hasExpressions) fnScope.declare(self, "self", 0);
    for (const p of node.params) this.pattern(p, fnScope);
    if (node.body.type === "BlockStatement") {
      const body = hasExpressions ? new Scope(fnScope, info) : fnScope;
      info.body = body;
      declareBody(node.body.body, body);
      if (self !== undefined) fnScope.declare(self, "self", 0);
      this.statements(node.body.body, body);
    } else {
      info.body = fnScope;
      this.expression(node.body, fnScope);
    }
    placeBindings(info);
    this.path = outer;
  }

  private implicitOwn(info: FunctionInfo, name: string): void {
    const b = info.scope.declare(name, "implicit", 0);
    if (name === NAME_THIS) info.usesThis = b;
    else if (name === NAME_NEW_TARGET) info.usesNewTarget = b;
    else info.usesCallee = b;
  }

  private class(node: ClassNode, scope: Scope): void {
    this.path.push(node);
    const classScope = new Scope(scope, scope.fn);
    this.a.scopes.set(node, classScope);
    this.a.classScopes.add(classScope);
    if (node.id) classScope.declare(node.id.name, "class", node.end);
    for (const m of node.body.body) {
      if (m.type === "StaticBlock" || m.key.type !== "PrivateIdentifier") continue;
      const b = classScope.declare(`#${m.key.name}`, "private", 0);
      b.privateStatic = m.static;
      b.privateKind = m.type === "PropertyDefinition" ? "field" : m.kind === "method" ? "method" : "accessor";
    }
    if (node.superClass) this.expression(node.superClass, classScope);
    // Fields run in functions of their own: one for all of an instance's, one for each static element.
    const instance = this.fieldsFunction(node.body, classScope);
    for (const m of node.body.body) {
      if (m.type === "StaticBlock") {
        const info = this.fieldsFunction(m, classScope);
        this.inFunction(info, () => {
          declareBody(m.body, info.scope);
          this.statements(m.body, info.scope);
        });
        continue;
      }
      if (m.computed) {
        this.expression(m.key as Expression, classScope);
        if (m.type === "PropertyDefinition") {
          const b = classScope.declare(keyName(m), "let", 0);
          b.captured = true;
        }
      }
      if (m.type === "MethodDefinition") {
        if (m.kind === "constructor") assignParameterProperties(m.value);
        this.path.push(m);
        this.fn(m.value, classScope, m.kind === "constructor" ? (node.superClass ? "derived" : "constructor") : "method");
        this.path.pop();
        continue;
      }
      const info = m.static ? this.fieldsFunction(m, classScope) : instance;
      this.inFunction(info, () => {
        if (m.computed) this.reference(keyName(m), info.scope, m.end);
        if (m.key.type === "PrivateIdentifier") this.reference(`#${m.key.name}`, info.scope, m.end);
        if (m.value) this.expression(m.value, info.scope);
      });
    }
    for (const m of node.body.body)
      if (m.type === "StaticBlock" || (m.type === "PropertyDefinition" && m.static)) placeBindings(this.a.functionOf(m));
    placeBindings(instance);
    this.path.pop();
  }

  private fieldsFunction(node: Node, scope: Scope): FunctionInfo {
    const info = new FunctionInfo(node, scope.fn, "fields");
    info.scope = new Scope(scope, info);
    info.body = info.scope;
    this.implicitOwn(info, NAME_THIS);
    this.a.functions.set(node, info);
    return info;
  }

  private inFunction(_info: FunctionInfo, f: () => void): void {
    const outer = this.path;
    this.path = [];
    f();
    this.path = outer;
  }

  // Statements ---------------------------------------------------------------------------------------------------------------------

  statements(list: readonly Statement[], scope: Scope): void {
    for (const s of list) this.statement(s, scope);
  }

  private block(node: Node, body: Statement[], scope: Scope): void {
    let inner = scope;
    if (body.some(isLexicalDeclaration)) {
      inner = new Scope(scope, scope.fn);
      this.a.scopes.set(node, inner);
      declareBlock(body, inner);
      if (inner.using === "async") this.suspendHere(node);
    }
    this.statements(body, inner);
  }

  private statement(node: Statement, scope: Scope): void {
    this.path.push(node);
    switch (node.type) {
      case "ExpressionStatement":
        this.expression(node.expression, scope);
        break;
      case "VariableDeclaration":
        this.variables(node, scope);
        break;
      case "FunctionDeclaration":
        this.fn(node, scope, "function");
        break;
      case "ClassDeclaration":
        this.class(node, scope);
        break;
      case "ReturnStatement":
        if (node.argument) this.expression(node.argument, scope);
        // `return v` of an async generator awaits.
        if (scope.fn.isAsync && scope.fn.isGenerator) this.suspendHere(node);
        break;
      case "ThrowStatement":
        this.expression(node.argument, scope);
        break;
      case "IfStatement": {
        // Flat over `else if`.
        let n: estree.IfStatement = node;
        let pushed = 0;
        for (;;) {
          this.expression(n.test, scope);
          this.statement(n.consequent, scope);
          if (!n.alternate) break;
          if (n.alternate.type !== "IfStatement") {
            this.statement(n.alternate, scope);
            break;
          }
          n = n.alternate;
          this.path.push(n);
          pushed++;
        }
        this.path.length -= pushed;
        break;
      }
      case "BlockStatement":
        this.block(node, node.body, scope);
        break;
      case "ForStatement": {
        let inner = scope;
        if (node.init && node.init.type === "VariableDeclaration") {
          if (node.init.kind !== "var") {
            inner = new Scope(scope, scope.fn);
            this.a.scopes.set(node, inner);
            declareLexical(node.init, inner);
            if (inner.using === "async") this.suspendHere(node);
          }
          this.path.push(node.init);
          this.variables(node.init, inner);
          this.path.pop();
        } else if (node.init) this.expression(node.init, inner);
        if (node.test) this.expression(node.test, inner);
        if (node.update) this.expression(node.update, inner);
        this.statement(node.body, inner);
        break;
      }
      case "ForInStatement":
      case "ForOfStatement":
        this.forEach(node, scope);
        break;
      case "WhileStatement":
      case "DoWhileStatement":
        this.expression(node.test, scope);
        this.statement(node.body, scope);
        break;
      case "LabeledStatement":
        this.statement(node.body, scope);
        break;
      case "SwitchStatement": {
        this.expression(node.discriminant, scope);
        let inner = scope;
        const all = node.cases.flatMap((c) => c.consequent);
        if (all.some(isLexicalDeclaration)) {
          inner = new Scope(scope, scope.fn);
          inner.isSwitch = true;
          this.a.scopes.set(node, inner);
          declareBlock(all, inner);
          if (inner.using === "async") this.suspendHere(node);
        }
        for (const c of node.cases) {
          this.path.push(c);
          if (c.test) this.expression(c.test, inner);
          this.statements(c.consequent, inner);
          this.path.pop();
        }
        break;
      }
      case "TryStatement":
        this.statement(node.block, scope);
        if (node.handler) {
          const handler = node.handler;
          this.path.push(handler);
          const inner = new Scope(scope, scope.fn);
          this.a.scopes.set(handler, inner);
          if (handler.param) {
            for (const name of namesOf(handler.param)) inner.declare(name, "catch", 0);
            this.pattern(handler.param, inner, true);
          }
          this.statement(handler.body, inner);
          this.path.pop();
        }
        if (node.finalizer) this.statement(node.finalizer, scope);
        break;
      case "TSEnumDeclaration":
        this.enumeration(node, scope);
        break;
      default:
        break; // empty, debugger, break, continue
    }
    this.path.pop();
  }

  private enumeration(node: TSEnumDeclaration, scope: Scope): void {
    this.reference(node.id.name, scope, node.end);
    const inner = new Scope(scope, scope.fn);
    this.a.scopes.set(node, inner);
    for (const m of node.members) {
      const name = m.id.type === "Identifier" ? m.id.name : String(m.id.value);
      inner.declare(name, "const", m.end);
    }
    for (const m of node.members) if (m.initializer) this.expression(m.initializer, inner);
  }

  private forEach(node: estree.ForInStatement | estree.ForOfStatement, scope: Scope): void {
    if (node.type === "ForOfStatement" && node.await) this.suspendHere(node);
    const left = node.left;
    if (left.type === "VariableDeclaration" && left.kind !== "var") {
      // The names are uninitialised while the iterated expression runs; each turn has its own.
      const names = left.declarations.flatMap((d) => namesOf(d.id));
      const head = new Scope(scope, scope.fn);
      this.a.scopes.set(left, head);
      for (const name of names) head.declare(name, "let", Number.MAX_SAFE_INTEGER).checked = true;
      this.expression(node.right, head);
      const inner = new Scope(scope, scope.fn);
      this.a.scopes.set(node, inner);
      declareLexical(left, inner);
      for (const d of left.declarations) {
        // Initialised from the start of each turn's body.
        for (const name of namesOf(d.id)) inner.bindings.get(name)!.end = d.id.end;
        this.pattern(d.id, inner, true);
      }
      if (left.kind === "await using") this.suspendHere(node);
      this.statement(node.body, inner);
      return;
    }
    if (left.type === "VariableDeclaration") {
      for (const d of left.declarations) {
        if (d.init) this.expression(d.init, scope);
        this.pattern(d.id, scope);
      }
    } else this.pattern(left, scope);
    this.expression(node.right, scope);
    this.statement(node.body, scope);
  }

  private variables(node: estree.VariableDeclaration, scope: Scope): void {
    for (const d of node.declarations) {
      this.path.push(d);
      this.pattern(d.id, scope, node.kind !== "var");
      if (d.init) this.expression(d.init, scope);
      this.path.pop();
    }
  }

  /** With `declares`, its names are those of a lexical declaration: they get their first value, which is no reference. */
  private pattern(node: Pattern, scope: Scope, declares = false): void {
    this.path.push(node);
    switch (node.type) {
      case "Identifier":
        if (!declares) this.reference(node.name, scope, node.end);
        break;
      case "MemberExpression":
        this.expression(node, scope);
        break;
      case "AssignmentPattern":
        this.pattern(node.left, scope, declares);
        this.expression(node.right, scope);
        break;
      case "ArrayPattern":
        for (const e of node.elements) if (e) this.pattern(e, scope, declares);
        break;
      case "ObjectPattern":
        for (const p of node.properties) {
          if (p.type === "RestElement") this.pattern(p.argument, scope, declares);
          else {
            this.path.push(p);
            if (p.computed) this.expression(p.key as Expression, scope);
            this.pattern(p.value, scope, declares);
            this.path.pop();
          }
        }
        break;
      case "RestElement":
        this.pattern(node.argument, scope, declares);
        break;
      case "TSParameterProperty":
        this.pattern(node.parameter, scope);
        this.implicit(NAME_THIS, scope);
        break;
    }
    this.path.pop();
  }

  // Expressions --------------------------------------------------------------------------------------------------------------------

  private list(nodes: readonly (Expression | estree.SpreadElement | null)[], scope: Scope): void {
    for (const n of nodes) {
      if (n === null) continue;
      if (n.type === "SpreadElement") {
        this.path.push(n);
        this.expression(n.argument, scope);
        this.path.pop();
      } else this.expression(n, scope);
    }
  }

  private expression(node: Expression | estree.Super, scope: Scope): void {
    this.path.push(node);
    switch (node.type) {
      case "Identifier":
        this.reference(node.name, scope, node.start);
        break;
      case "ThisExpression":
        this.implicit(NAME_THIS, scope);
        break;
      case "Super":
        this.implicit(NAME_CALLEE, scope);
        this.implicit(NAME_THIS, scope);
        break;
      case "MetaProperty":
        this.implicit(NAME_NEW_TARGET, scope);
        break;
      case "ArrayExpression":
        this.list(node.elements, scope);
        break;
      case "ObjectExpression":
        for (const p of node.properties) {
          this.path.push(p);
          if (p.type === "SpreadElement") this.expression(p.argument, scope);
          else {
            if (p.computed) this.expression(p.key, scope);
            if (p.kind !== "init" || p.method) this.fn(p.value as estree.FunctionExpression, scope, "method");
            else this.expression(p.value, scope);
          }
          this.path.pop();
        }
        break;
      case "FunctionExpression":
        this.fn(node, scope, "function");
        break;
      case "ArrowFunctionExpression":
        this.fn(node, scope, "arrow");
        break;
      case "ClassExpression":
        this.class(node, scope);
        break;
      case "UnaryExpression":
      case "UpdateExpression":
      case "AwaitExpression":
        if (node.type === "AwaitExpression") this.suspendHere(node);
        this.expression(node.argument, scope);
        break;
      case "YieldExpression":
        this.suspendHere(node);
        if (node.argument) this.expression(node.argument, scope);
        break;
      case "BinaryExpression":
      case "LogicalExpression":
        this.chain(node, scope);
        break;
      case "AssignmentExpression":
        this.pattern(node.left, scope);
        this.expression(node.right, scope);
        break;
      case "MemberExpression":
        this.expression(node.object, scope);
        if (node.property.type === "PrivateIdentifier") this.reference(`#${node.property.name}`, scope, node.end);
        else if (node.computed) this.expression(node.property, scope);
        break;
      case "ConditionalExpression":
        this.expression(node.test, scope);
        this.expression(node.consequent, scope);
        this.expression(node.alternate, scope);
        break;
      case "CallExpression":
        if (node.callee.type === "Super") this.implicit(NAME_NEW_TARGET, scope);
        this.expression(node.callee, scope);
        this.list(node.arguments, scope);
        break;
      case "NewExpression":
        this.expression(node.callee, scope);
        this.list(node.arguments, scope);
        break;
      case "SequenceExpression":
        this.list(node.expressions, scope);
        break;
      case "TemplateLiteral":
        this.list(node.expressions, scope);
        break;
      case "TaggedTemplateExpression":
        this.expression(node.tag, scope);
        this.path.push(node.quasi);
        this.list(node.quasi.expressions, scope);
        this.path.pop();
        break;
      case "ChainExpression":
      case "ParenthesizedExpression":
        this.expression(node.expression, scope);
        break;
      default:
        break; // literals, and what the parser has refused
    }
    this.path.pop();
  }

  /** Left-deep chains of operators are walked in a loop: they may have thousands of terms. */
  private chain(node: estree.BinaryExpression | estree.LogicalExpression, scope: Scope): void {
    const nodes: (estree.BinaryExpression | estree.LogicalExpression)[] = [node];
    let left: estree.Expression | estree.PrivateIdentifier = node.left;
    while (left.type === "BinaryExpression" || left.type === "LogicalExpression") {
      nodes.push(left);
      this.path.push(left);
      left = left.left;
    }
    if (left.type === "PrivateIdentifier") this.reference(`#${left.name}`, scope, left.start);
    else this.expression(left, scope);
    for (let i = nodes.length - 1; i >= 0; i--) {
      this.expression(nodes[i].right, scope);
      if (i > 0) this.path.pop();
    }
  }
}

function ownsArguments(fn: FunctionInfo): boolean {
  return fn.kind !== "arrow" && fn.kind !== "program" && fn.kind !== "script" && fn.kind !== "fields";
}
