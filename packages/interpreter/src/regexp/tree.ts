import type { CharSet } from "./charset.js";

/**
 * The pattern between parser and program: all that depends on flags is settled (case is folded into sets, `^` is one of four edges, names are
 * numbers), and what needs no node of its own is gone.
 */
export type Node = Empty | Char | Sequence | Choice | Loop | Group | Look | BackReference | Edge | Word | Strings;

/** `min` of each node: the fewest code units it takes. */
interface Sized {
  readonly min: number;
}

export interface Empty extends Sized {
  readonly kind: "empty";
}

/** One character of a set: a code unit, or a code point with the flags `u` and `v`. */
export interface Char extends Sized {
  readonly kind: "char";
  readonly set: CharSet;
}

export interface Sequence extends Sized {
  readonly kind: "sequence";
  readonly parts: readonly Node[];
}

export interface Choice extends Sized {
  readonly kind: "choice";
  readonly parts: readonly Node[];
}

/** A quantifier. Each turn resets the groups `firstGroup` to `lastGroup` inside it (none if the second is smaller). */
export interface Loop extends Sized {
  readonly kind: "loop";
  readonly body: Node;
  readonly least: number;
  /** Infinity for no upper bound. */
  readonly most: number;
  readonly greedy: boolean;
  readonly firstGroup: number;
  readonly lastGroup: number;
}

export interface Group extends Sized {
  readonly kind: "group";
  readonly index: number;
  readonly body: Node;
}

export interface Look extends Sized {
  readonly kind: "look";
  readonly behind: boolean;
  readonly negate: boolean;
  readonly body: Node;
  readonly firstGroup: number;
  readonly lastGroup: number;
}

export interface BackReference extends Sized {
  readonly kind: "backreference";
  /** More than one for a duplicate name: at most one of them has taken part. */
  readonly groups: readonly number[];
  readonly ignoreCase: boolean;
}

export interface Edge extends Sized {
  readonly kind: "edge";
  readonly at: "start" | "end" | "lineStart" | "lineEnd";
}

/** `\b` and `\B`. */
export interface Word extends Sized {
  readonly kind: "word";
  readonly negate: boolean;
  readonly set: CharSet;
}

/** The strings of more than one character in a class of the flag `v`, for the longest that matches. */
export interface Strings extends Sized {
  readonly kind: "strings";
  readonly strings: ReadonlySet<string>;
  readonly ignoreCase: boolean;
}

/** No text is as long as this, so greater sums needn't be told apart. */
const LONG = 2 ** 31 - 1;

export const NOTHING: Empty = { kind: "empty", min: 0 };

export function char(set: CharSet): Char {
  return { kind: "char", set, min: set.length > 0 && set[0] > 0xffff ? 2 : 1 };
}

export function sequence(parts: readonly Node[]): Node {
  const flat: Node[] = [];
  for (const part of parts) {
    if (part.kind === "sequence") for (const inner of part.parts) flat.push(inner);
    else if (part.kind !== "empty") flat.push(part);
  }
  if (flat.length === 0) return NOTHING;
  if (flat.length === 1) return flat[0];
  let min = 0;
  for (const part of flat) min = Math.min(LONG, min + part.min);
  return { kind: "sequence", parts: flat, min };
}

export function choice(parts: readonly Node[]): Node {
  if (parts.length === 1) return parts[0];
  let min = LONG;
  for (const part of parts) min = Math.min(min, part.min);
  return { kind: "choice", parts, min };
}

export function loop(body: Node, least: number, most: number, greedy: boolean, firstGroup: number, lastGroup: number): Node {
  if (most === 0 || body.kind === "empty") return NOTHING;
  if (least === 1 && most === 1) return body;
  return { kind: "loop", body, least, most, greedy, firstGroup, lastGroup, min: body.min === 0 ? 0 : Math.min(LONG, body.min * least) };
}

export function group(index: number, body: Node): Group {
  return { kind: "group", index, body, min: body.min };
}

export function strings(members: ReadonlySet<string>, ignoreCase: boolean): Strings {
  let min = LONG;
  for (const member of members) min = Math.min(min, member.length);
  return { kind: "strings", strings: members, ignoreCase, min };
}
