// The bindings of a scope: what its statements declare, and where each one lives.

import { hoistVars, namesOf, unlabelled } from "./names.js";
import type { Statement } from "./nodes.js";
import { CALLEE, type FunctionInfo, NAME_ARGUMENT, NAME_CALLEE, NAME_THIS, type Scope, THIS } from "./scope.js";

export function declareBody(body: Statement[], scope: Scope): void {
  hoistVars(body, (name) => scope.declare(name, "var", 0));
  for (const s of body) {
    if (s.type === "FunctionDeclaration") {
      const b = scope.declare(s.id.name, "var", 0);
      scope.functions.push({ binding: b, node: s });
    } else declareLexical(s, scope);
  }
}

/** `let`, `const`, `class`, `enum` and functions of a block. */
export function declareBlock(body: Statement[], scope: Scope): void {
  for (const s of body) {
    const inner = unlabelled(s);
    if (inner.type === "FunctionDeclaration") {
      const b = scope.declare(inner.id.name, "function", 0);
      scope.functions.push({ binding: b, node: inner });
    } else declareLexical(s, scope);
  }
}

export function declareLexical(s: Statement, scope: Scope): void {
  if (s.type === "VariableDeclaration") {
    if (s.kind === "var") return;
    const kind = s.kind === "let" ? "let" : s.kind === "const" ? "const" : "using";
    if (kind === "using" && scope.using !== "async") scope.using = s.kind === "await using" ? "async" : "sync";
    for (const d of s.declarations) for (const name of namesOf(d.id)) scope.declare(name, kind, d.end);
  } else if (s.type === "ClassDeclaration") {
    scope.declare(s.id.name, "class", s.end);
  } else if (s.type === "TSEnumDeclaration") {
    scope.declare(s.id.name, "let", s.start);
  }
}

/** Gives every binding of a function its place. Parameters come first in the frame, in order. */
export function placeBindings(info: FunctionInfo): void {
  info.frameSize = info.paramBase + info.paramCount;
  for (const scope of info.scopes) {
    let env = 1;
    for (const b of scope.bindings.values()) {
      if (b.captured) b.slot = env++;
      else if (b.kind === "param" && info.simpleParams) continue; // its slot is its position
      else if (b.name === NAME_THIS) b.slot = THIS;
      else if (b.name === NAME_CALLEE || b.kind === "self") b.slot = CALLEE;
      else b.slot = info.newSlot();
    }
    scope.envSize = env > 1 ? env : 0;
  }
  if (info.simpleParams) {
    let i = 0;
    const node = info.node;
    const params = node !== null && "params" in node ? node.params : [];
    if (info.kind === "program") {
      const b = info.scope.bindings.get(NAME_ARGUMENT)!;
      if (!b.captured) b.slot = info.paramBase;
    }
    for (const p of params) {
      if (p.type === "Identifier") {
        const b = info.scope.bindings.get(p.name)!;
        if (!b.captured) b.slot = info.paramBase + i;
      }
      i++;
    }
  }
}
