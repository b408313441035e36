import { EMPTY, MAX_UNIT, contains, leadingUnits, single, union, unitsOnly, type CharSet } from "./charset.js";
import { firstOf, type First } from "./first.js";
import type { Node } from "./tree.js";

/** How the engine finds where a match can start. */
export type Scan =
  | { readonly kind: "everywhere" }
  | { readonly kind: "start" }
  | { readonly kind: "lineStart" }
  | { readonly kind: "prefix"; readonly text: string }
  | { readonly kind: "first"; readonly first: NonNullable<First> }
  | ({ readonly kind: "skip"; readonly first: NonNullable<First> } & Skip);

/** By how much an attempt can move on, from the unit at `offset` after it: 0 if a match may start here. */
export interface Skip {
  readonly offset: number;
  /** For each unit below 256. */
  readonly shifts: Uint8Array;
  /** For the other units. */
  readonly highShift: number;
}

/** The furthest a skip looks ahead, in units. */
const WINDOW = 8;

/** The tightest way to find candidates for `root`. */
export function scanOf(root: Node, unicode: boolean, charge: (work: number) => void): Scan {
  const edge = leadingEdge(root);
  if (edge !== null) return { kind: edge };
  const text = prefix(root, unicode).text;
  if (text !== "") return { kind: "prefix", text };
  const any = firstOf(root, null, charge);
  if (any === null || any.end) return { kind: "everywhere" };
  const first = { set: unicode ? leadingUnits(any.set) : any.set, end: false };
  const skip = skipOf(root, unicode, charge);
  return skip === null ? { kind: "first", first } : { kind: "skip", first, ...skip };
}

/** The edge that each way through `node` starts with, if it is the start of the input or of a line. */
function leadingEdge(node: Node): "start" | "lineStart" | null {
  switch (node.kind) {
    case "edge":
      return node.at === "start" || node.at === "lineStart" ? node.at : null;
    case "group":
      return leadingEdge(node.body);
    case "sequence":
      return leadingEdge(node.parts[0]);
    case "choice": {
      const edges = node.parts.map(leadingEdge);
      return edges.every((edge) => edge === edges[0]) ? edges[0] : null;
    }
    case "loop":
      return node.least > 0 ? leadingEdge(node.body) : null;
    default:
      return null;
  }
}

/** The literal text that each match starts with. `whole` if the node is nothing but that text. */
function prefix(node: Node, unicode: boolean): { text: string; whole: boolean } {
  switch (node.kind) {
    case "char": {
      const point = single(node.set);
      const lone = unicode && point >= 0xd800 && point <= 0xdfff;
      return point < 0 || lone ? { text: "", whole: false } : { text: String.fromCodePoint(point), whole: true };
    }
    case "group":
      return prefix(node.body, unicode);
    case "sequence": {
      let text = "";
      for (const part of node.parts) {
        const inner = prefix(part, unicode);
        text += inner.text;
        if (!inner.whole) return { text, whole: false };
      }
      return { text, whole: true };
    }
    default:
      return { text: "", whole: false };
  }
}

/**
 * Looks at the last of the units that each match has, as Boyer and Moore do: one that can't stand there, nor anywhere before it, moves the attempt past
 * itself. Null if that gains little.
 */
function skipOf(root: Node, unicode: boolean, charge: (work: number) => void): Skip | null {
  const length = Math.min(root.min, WINDOW);
  if (length < 2) return null;
  const window = new Window(length, unicode, charge);
  window.walk(root, 1);
  let best: Skip | null = null;
  let bestGain = 1.6;
  for (let offset = 1; offset < length; offset++) {
    const skip = window.skip(offset);
    let gain = 0;
    for (let unit = 0x20; unit < 0x7f; unit++) gain += commonness(unit) * (skip.shifts[unit] === 0 ? 0.5 : skip.shifts[unit]);
    if (gain <= bestGain) continue;
    best = skip;
    bestGain = gain;
  }
  return best;
}

/** A rough share of a unit in texts that programs search. */
function commonness(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return 0.5 / 26;
  if (unit >= 0x30 && unit <= 0x39) return 0.15 / 10;
  if (unit === 0x20) return 0.15;
  return 0.2 / 58;
}

/** Which units can stand at each of the first places of a match. */
class Window {
  private readonly sets: CharSet[];

  constructor(
    private readonly length: number,
    private readonly unicode: boolean,
    private readonly charge: (work: number) => void,
  ) {
    this.sets = Array.from({ length }, () => EMPTY);
  }

  /** Enters `node` at each offset whose bit is set; returns the offsets where it can end. */
  walk(node: Node, offsets: number): number {
    if (offsets === 0) return 0;
    this.charge(1);
    switch (node.kind) {
      case "empty":
      case "edge":
      case "word":
      case "look":
        return offsets;
      case "char":
        if (this.unicode && !unitsOnly(node.set)) return this.open(offsets);
        for (let i = 0; i < this.length; i++) if ((offsets & (1 << i)) !== 0) this.add(i, node.set);
        return (offsets << 1) & ((1 << this.length) - 1);
      case "sequence": {
        let ends = offsets;
        for (const part of node.parts) ends = this.walk(part, ends);
        return ends;
      }
      case "choice": {
        let ends = 0;
        for (const part of node.parts) ends |= this.walk(part, offsets);
        return ends;
      }
      case "group":
        return this.walk(node.body, offsets);
      case "loop": {
        let ends = node.least === 0 ? offsets : 0;
        let turn = offsets;
        for (let i = 1; i <= this.length + 1 && i <= node.most && turn !== 0; i++) {
          turn = this.walk(node.body, turn);
          if (i >= node.least || node.body.min === 0) ends |= turn;
        }
        return ends;
      }
      case "backreference":
      case "strings":
        return this.open(offsets);
    }
  }

  /** What comes at these offsets is unknown, and so is all that follows. */
  private open(offsets: number): number {
    for (let i = 0; i < this.length; i++) if ((offsets & ((2 << i) - 1)) !== 0) this.sets[i] = [0, MAX_UNIT];
    return 0;
  }

  private add(offset: number, set: CharSet): void {
    this.charge(this.sets[offset].length + set.length);
    this.sets[offset] = union(this.sets[offset], set);
  }

  skip(offset: number): Skip {
    const shifts = new Uint8Array(256).fill(offset + 1);
    let highShift = offset + 1;
    for (let shift = offset; shift >= 0; shift--) {
      const set = this.sets[offset - shift];
      for (let unit = 0; unit < 256; unit++) if (contains(set, unit)) shifts[unit] = shift;
      if (set.length > 0 && set[set.length - 1] > 255) highShift = shift;
    }
    return { offset, shifts, highShift };
  }
}
