import { EMPTY, LINE_TERMINATOR, intersect, union, type CharSet } from "./charset.js";
import type { Node } from "./tree.js";

/**
 * What can come next where matching goes forward: a character of `set`, or the end of the input if `end`.
 * Null says that nothing is known. Always a superset of what can succeed.
 */
export type First = { readonly set: CharSet; readonly end: boolean } | null;

const AT_END: First = { set: EMPTY, end: true };

/** Past this many numbers a set is not worth carrying around. */
const MAX_RANGES = 4_000;

/** What `node` can begin with when `next` is what can follow it. */
export function firstOf(node: Node, next: First, charge: (work: number) => void): First {
  charge(1);
  switch (node.kind) {
    case "empty":
    case "word":
      return next;
    case "char":
      return { set: node.set, end: false };
    case "sequence": {
      let first = next;
      for (let i = node.parts.length - 1; i >= 0; i--) first = firstOf(node.parts[i], first, charge);
      return first;
    }
    case "choice": {
      let first: First = { set: EMPTY, end: false };
      for (const part of node.parts) {
        first = either(first, firstOf(part, next, charge), charge);
        if (first === null) return null;
      }
      return first;
    }
    case "loop": {
      const inner = firstOf(node.body, next, charge);
      return node.least === 0 ? either(inner, next, charge) : inner;
    }
    case "group":
      return firstOf(node.body, next, charge);
    case "look":
      return node.behind || node.negate ? next : both(next, firstOf(node.body, null, charge), charge);
    case "edge":
      if (node.at === "end") return AT_END;
      return node.at === "lineEnd" ? both(next, { set: LINE_TERMINATOR, end: true }, charge) : next;
    case "backreference":
    case "strings":
      return null;
  }
}

export function either(a: First, b: First, charge: (work: number) => void): First {
  if (a === null || b === null) return null;
  charge(a.set.length + b.set.length);
  const set = union(a.set, b.set);
  return set.length > MAX_RANGES ? null : { set, end: a.end || b.end };
}

function both(a: First, b: First, charge: (work: number) => void): First {
  if (a === null) return b;
  if (b === null) return a;
  charge(a.set.length + b.set.length);
  return { set: intersect(a.set, b.set), end: a.end && b.end };
}
