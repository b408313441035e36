// Where the compiler stands: the unit, the function and the scope.

import { type FunctionInfo, type Resolved, type Scope, resolve } from "./scope.js";
import type { Node } from "./nodes.js";
import type { Value } from "../values.js";
import type { Unit } from "./unit.js";

export class Context {
  readonly unit: Unit;
  readonly scope: Scope;
  readonly fn: FunctionInfo;
  readonly body: BodyState;
  constructor(unit: Unit, scope: Scope, body: BodyState) {
    this.unit = unit;
    this.scope = scope;
    this.fn = scope.fn;
    this.body = body;
  }

  within(scope: Scope | undefined): Context {
    return scope === undefined || scope === this.scope ? this : new Context(this.unit, scope, this.body);
  }

  resolve(name: string): Resolved | undefined {
    return resolve(this.scope, name);
  }

  suspends(node: Node): boolean {
    return this.fn.suspends && this.unit.analysis.suspending.has(node);
  }

  site(node: { start: number }): number {
    return this.unit.site(node.start, this.body.name);
  }

  newSlot(): number {
    return this.fn.newSlot();
  }
}

/** What compiling one function's body keeps. */
export class BodyState {
  /** The function as a stack trace names it. */
  readonly name: string;
  nesting = 0;
  deepest = 0;
  /** Targets of break and continue around the current statement, innermost last. */
  readonly targets: JumpTarget[] = [];
  constructor(name: string) {
    this.name = name;
  }

  enter(levels = 1): void {
    this.nesting += levels;
    if (this.nesting > this.deepest) this.deepest = this.nesting;
  }
  leave(levels = 1): void {
    this.nesting -= levels;
  }

  /** Estimated bytes of host stack of one activation (fitted to measurements of the closures' frames). */
  get weight(): number {
    return 200 + 110 * this.deepest;
  }
}

export interface JumpTarget {
  labels: string[];
  /** The completion of `break`; loops and switches take unlabelled ones too. */
  break: Value;
  continue: Value | null;
  takesPlainBreak: boolean;
}
