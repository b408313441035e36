// Statements that always complete normally, and runs of them: up to four are one closure.

import { R } from "../run-state.js";
import { assignedLocal, assignedValue } from "./assign.js";
import type { Context } from "./context.js";
import { expression, namedExpression } from "./expressions.js";
import { unparenthesized, type Expression, type Statement, type estree } from "./nodes.js";
import { declarator, nothing, sequence } from "./statements.js";
import type { Ev } from "./unit.js";

/**
 * A statement that always completes normally: what it does, the site to set before (-1: it sets its own), and the local that takes the
 * value (-1: none).
 */
export interface Effect {
  run: Ev;
  site: number;
  slot: number;
}

/** The effects of an expression statement or a declaration; null for other statements and for what suspends. */
export function effectsOf(node: Statement, c: Context): Effect[] | null {
  if (c.suspends(node)) return null;
  if (node.type === "ExpressionStatement") {
    const inner = unparenthesized(node.expression as Expression);
    const assignment = inner.type === "AssignmentExpression" ? inner : null;
    const slot = assignment === null ? -1 : assignedLocal(assignment, c);
    c.body.enter(2);
    const run = slot >= 0 ? assignedValue(assignment!, c) : expression(inner, c);
    c.body.leave(2);
    return [{ run, site: hasOwnSites(inner) ? -1 : c.site(node), slot }];
  }
  if (node.type === "VariableDeclaration") {
    return node.declarations.flatMap((d) => {
      const slot = plainTarget(d, node.kind, c);
      if (slot >= 0) {
        c.body.enter();
        const run = namedExpression(d.init!, (d.id as estree.Identifier).name, c);
        c.body.leave();
        return [{ run, site: c.site(d), slot }];
      }
      const run = declarator(d, node.kind, c);
      return run === null ? [] : [{ run: run as Ev, site: -1, slot: -1 }];
    });
  }
  return null;
}

/** The local that a declarator with a value puts it in without further ado; else -1. */
function plainTarget(d: estree.VariableDeclarator, kind: estree.VariableDeclaration["kind"], c: Context): number {
  if (!d.init || d.id.type !== "Identifier" || kind === "using" || kind === "await using") return -1;
  const r = c.resolve(d.id.name);
  return r === undefined || r.binding.captured ? -1 : r.binding.slot;
}

/** How many effects one closure takes. */
const MAX_RUN = 4;

/** Effects one after the other, as one statement. */
export function effectRun(effects: Effect[]): Ev {
  if (effects.length > MAX_RUN) {
    const parts: Ev[] = [];
    for (let i = 0; i < effects.length; i += MAX_RUN) parts.push(effectRun(effects.slice(i, i + MAX_RUN)));
    return sequence(parts);
  }
  switch (effects.length) {
    case 0:
      return nothing;
    case 1: {
      const [{ run, site, slot }] = effects;
      if (slot >= 0) {
        return (f) => {
          if (site >= 0) R.site = site;
          f[slot] = run(f);
          return undefined;
        };
      }
      return site < 0
        ? (f) => {
            run(f);
            return undefined;
          }
        : (f) => {
            R.site = site;
            run(f);
            return undefined;
          };
    }
    case 2: {
      const [a, b] = effects;
      const { run: runA, site: siteA, slot: slotA } = a;
      const { run: runB, site: siteB, slot: slotB } = b;
      return (f) => {
        if (siteA >= 0) R.site = siteA;
        const x = runA(f);
        if (slotA >= 0) f[slotA] = x;
        if (siteB >= 0) R.site = siteB;
        const y = runB(f);
        if (slotB >= 0) f[slotB] = y;
        return undefined;
      };
    }
    case 3: {
      const [a, b, d] = effects;
      const { run: runA, site: siteA, slot: slotA } = a;
      const { run: runB, site: siteB, slot: slotB } = b;
      const { run: runD, site: siteD, slot: slotD } = d;
      return (f) => {
        if (siteA >= 0) R.site = siteA;
        const x = runA(f);
        if (slotA >= 0) f[slotA] = x;
        if (siteB >= 0) R.site = siteB;
        const y = runB(f);
        if (slotB >= 0) f[slotB] = y;
        if (siteD >= 0) R.site = siteD;
        const z = runD(f);
        if (slotD >= 0) f[slotD] = z;
        return undefined;
      };
    }
  }
  const [a, b, d, e] = effects;
  const { run: runA, site: siteA, slot: slotA } = a;
  const { run: runB, site: siteB, slot: slotB } = b;
  const { run: runD, site: siteD, slot: slotD } = d;
  const { run: runE, site: siteE, slot: slotE } = e;
  return (f) => {
    if (siteA >= 0) R.site = siteA;
    const x = runA(f);
    if (slotA >= 0) f[slotA] = x;
    if (siteB >= 0) R.site = siteB;
    const y = runB(f);
    if (slotB >= 0) f[slotB] = y;
    if (siteD >= 0) R.site = siteD;
    const z = runD(f);
    if (slotD >= 0) f[slotD] = z;
    if (siteE >= 0) R.site = siteE;
    const w = runE(f);
    if (slotE >= 0) f[slotE] = w;
    return undefined;
  };
}

/** True for what sets the site itself, or cannot fail at all. */
function hasOwnSites(node: Expression): boolean {
  switch (node.type) {
    case "CallExpression":
    case "CallWith":
    case "UpdateExpression":
      return true;
    case "AssignmentExpression":
      if (node.left.type === "MemberExpression" && node.operator !== "=") return true;
      return (
        node.operator === "=" &&
        (node.right.type === "CallExpression" ||
          node.right.type === "Literal" ||
          node.right.type === "Identifier" ||
          node.right.type === "MemberExpression")
      );
    default:
      return false;
  }
}
