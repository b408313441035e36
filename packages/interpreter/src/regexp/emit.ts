import { MAX_POINT, MAX_UNIT, disjoint, leadingUnits, single, unitsOnly, type CharSet } from "./charset.js";
import { either, firstOf, type First } from "./first.js";
import type { Lowered } from "./lower.js";
import { NO_LIMIT, Op } from "./ops.js";
import { TOO_LARGE } from "./parse.js";
import { HighSet, type CompiledScan, type Program, type StringTable } from "./program.js";
import { scanOf } from "./scan.js";
import type { BackReference, Choice, Edge, Look, Loop, Node, Strings } from "./tree.js";
import { PatternError } from "./types.js";

/** The longest program, in words of four bytes. */
export const MAX_CODE = 2_000_000;
/** The most sets a program may have: each has a table of 256 bytes. */
export const MAX_SETS = 10_000;

const NO_FILTER = -1;
const NO_SHIFTS = new Uint8Array(256);

/** The program of a lowered pattern. Throws a PatternError if it gets too large. */
export function emit(pattern: Lowered, unicode: boolean): Program {
  const emitter = new Emitter(pattern, unicode);
  emitter.pattern(pattern.root);
  return emitter.program(pattern.root.min);
}

class Emitter {
  private readonly code: number[] = [Op.Next];
  private readonly sets = new SetPool();
  private readonly strings: StringTable[] = [];
  private registers: number;

  constructor(
    private readonly lowered: Lowered,
    private readonly unicode: boolean,
  ) {
    this.registers = lowered.groupCount * 2;
  }

  pattern(root: Node): void {
    this.node(root, null, false, !this.lowered.hasBackReferences);
    this.put(Op.Match);
  }

  program(min: number): Program {
    const scan = this.scan();
    return {
      code: Int32Array.from(this.code),
      tables: this.sets.tables(),
      highs: this.sets.highs,
      atEnd: Uint8Array.from(this.sets.ends),
      strings: this.strings,
      registers: new Int32Array(this.registers),
      captureCount: this.lowered.groupCount * 2,
      unicode: this.unicode,
      scan,
      min,
    };
  }

  private scan(): CompiledScan {
    const scan = scanOf(this.lowered.root, this.unicode, this.lowered.charge);
    const compiled = {
      kind: scan.kind,
      costShift: COST_SHIFTS[scan.kind],
      prefix: "",
      set: NO_FILTER,
      offset: 0,
      shifts: NO_SHIFTS,
      highShift: 0,
    };
    if (scan.kind === "prefix") return { ...compiled, prefix: scan.text };
    if (scan.kind !== "first" && scan.kind !== "skip") return compiled;
    const set = this.sets.id(scan.first.set, MAX_UNIT, false);
    return scan.kind === "first"
      ? { ...compiled, set }
      : { ...compiled, set, offset: scan.offset, shifts: scan.shifts, highShift: scan.highShift };
  }

  /** `next` is what can follow the node; `leading` if each match starts with it, so that a run may say where the next attempt starts. */
  private node(node: Node, next: First, backward: boolean, leading: boolean): void {
    switch (node.kind) {
      case "empty":
        return;
      case "char":
        return this.char(node.set, backward);
      case "sequence":
        return backward ? this.backwards(node.parts) : this.forwards(node.parts, next, leading);
      case "choice":
        return this.choice(node, next, backward);
      case "loop":
        return this.loop(node, next, backward, leading);
      case "group": {
        const [enter, leave] = backward ? [1, 0] : [0, 1];
        this.put(Op.Save, node.index * 2 + enter);
        this.node(node.body, next, backward, leading);
        return this.put(Op.Save, node.index * 2 + leave);
      }
      case "look":
        return this.look(node);
      case "edge":
        return this.put(EDGES[node.at]);
      case "word":
        return this.put(Op.Word, this.sets.id(node.set, MAX_UNIT, false), node.negate ? 0 : 1);
      case "backreference":
        return this.backReference(node, backward);
      case "strings":
        return this.stringsOf(node, backward);
    }
  }

  private char(set: CharSet, backward: boolean): void {
    if (this.unicode && !unitsOnly(set)) {
      const text = literal(set, true);
      if (text === "") return this.put(backward ? Op.PointBack : Op.Point, this.sets.id(set, MAX_POINT, false));
      for (const unit of backward ? [1, 0] : [0, 1]) this.put(backward ? Op.CharBack : Op.Char, text.charCodeAt(unit));
      return;
    }
    const unit = single(set);
    if (unit >= 0) return this.put(backward ? Op.CharBack : Op.Char, unit);
    this.put(backward ? Op.SetBack : Op.Set, this.sets.id(set, MAX_UNIT, false));
  }

  private forwards(parts: readonly Node[], next: First, leading: boolean): void {
    const after: First[] = [];
    let follow = next;
    for (let i = parts.length - 1; i >= 0; i--) {
      after[i] = follow;
      follow = firstOf(parts[i], follow, this.lowered.charge);
    }
    for (let i = 0; i < parts.length; i++) {
      let text = "";
      let end = i;
      for (; end < parts.length; end++) {
        const part = parts[end];
        const more = part.kind === "char" ? literal(part.set, this.unicode) : "";
        if (more === "") break;
        text += more;
      }
      if (text.length > 1) {
        this.put(Op.Text, text.length);
        for (let j = 0; j < text.length; j++) this.put(text.charCodeAt(j));
        i = end - 1;
      } else this.node(parts[i], after[i], false, leading && i === 0);
    }
  }

  private backwards(parts: readonly Node[]): void {
    for (let i = parts.length - 1; i >= 0; i--) this.node(parts[i], null, true, false);
  }

  private choice(node: Choice, next: First, backward: boolean): void {
    const { parts } = node;
    const own: First[] = parts.map((part) => (backward ? null : firstOf(part, next, this.lowered.charge)));
    const rest: First[] = [];
    let joined: First = own[parts.length - 1];
    for (let i = parts.length - 2; i >= 0; i--) {
      rest[i] = joined;
      joined = either(own[i], joined, this.lowered.charge);
    }
    const ends: number[] = [];
    for (let i = 0; i < parts.length; i++) {
      const last = i === parts.length - 1;
      const split = last ? -1 : this.split(own[i], rest[i]);
      if (!last) this.code[split + 1] = this.code.length;
      this.node(parts[i], next, backward, false);
      if (last) break;
      this.put(Op.Jump, 0);
      ends.push(this.code.length - 1);
      this.code[split + 2] = this.code.length;
    }
    for (const end of ends) this.code[end] = this.code.length;
  }

  /** Two ways to go on, the first to be tried first; where they lead is for the caller to fill in. */
  private split(preferred: First, other: First): number {
    const at = this.code.length;
    this.put(Op.Split, 0, 0, this.filter(preferred), this.filter(other));
    return at;
  }

  private loop(node: Loop, next: First, backward: boolean, leading: boolean): void {
    if (node.body.kind === "char" && !backward && this.run(node, node.body.set, next, leading)) return;
    const inner = backward ? null : firstOf(node.body, next, this.lowered.charge);
    const follow = backward ? null : next;
    const again = either(inner, follow, this.lowered.charge);
    const nullable = node.body.min === 0;
    if (node.least === 0 && (node.most === Infinity || node.most === 1)) return this.star(node, inner, follow, again, backward);
    if (node.least === 1 && node.most === Infinity && !nullable) return this.plus(node, inner, follow, again, backward);
    const count = this.registers++;
    const start = nullable ? this.registers++ : -1;
    const least = Math.min(node.least, NO_LIMIT);
    this.put(Op.Zero, count);
    const at = this.code.length;
    this.put(Op.Loop, count, least, Math.min(node.most, NO_LIMIT), at + 7, 0, node.greedy ? 0 : 1);
    this.put(Op.Count, count);
    this.turn(node, start, again, backward);
    if (nullable) this.put(Op.CheckCounted, start, count, least);
    this.put(Op.Jump, at);
    this.code[at + 5] = this.code.length;
  }

  /** `x*` and `x?` */
  private star(node: Loop, inner: First, follow: First, again: First, backward: boolean): void {
    const nullable = node.body.min === 0;
    const start = nullable ? this.registers++ : -1;
    const at = this.split(node.greedy ? inner : follow, node.greedy ? follow : inner);
    this.code[at + (node.greedy ? 1 : 2)] = this.code.length;
    this.turn(node, start, node.most === 1 ? follow : again, backward);
    if (nullable) this.put(Op.Check, start);
    if (node.most !== 1) this.put(Op.Jump, at);
    this.code[at + (node.greedy ? 2 : 1)] = this.code.length;
  }

  /** `x+` of an x that takes something: a turn, then the choice of another. */
  private plus(node: Loop, inner: First, follow: First, again: First, backward: boolean): void {
    const body = this.code.length;
    this.turn(node, -1, again, backward);
    const at = this.split(node.greedy ? inner : follow, node.greedy ? follow : inner);
    this.code[at + (node.greedy ? 1 : 2)] = body;
    this.code[at + (node.greedy ? 2 : 1)] = this.code.length;
  }

  /** One turn of a loop: where it started, its groups reset, its body. */
  private turn(node: Loop, start: number, next: First, backward: boolean): void {
    if (start >= 0) this.put(Op.Save, start);
    if (node.firstGroup <= node.lastGroup) this.put(Op.Clear, node.firstGroup * 2, node.lastGroup * 2 + 1);
    this.node(node.body, next, backward, false);
  }

  /** A loop over a set, without an entry on the stack for each turn. False if there is no such instruction for it. */
  private run(node: Loop, set: CharSet, next: First, leading: boolean): boolean {
    const points = this.unicode && !unitsOnly(set);
    const least = Math.min(node.least, NO_LIMIT);
    const most = Math.min(node.most, NO_LIMIT);
    if (!node.greedy && least !== most) {
      if (points && most !== NO_LIMIT) return false;
      const id = this.sets.id(set, points ? MAX_POINT : MAX_UNIT, false);
      this.put(
        points ? Op.LazyPoints : Op.Lazy,
        id,
        least,
        most,
        points ? Op.MorePoints : Op.More,
        id,
        this.filter(next),
        leading && most === NO_LIMIT ? 1 : 0,
      );
      return true;
    }
    const id = this.sets.id(set, points ? MAX_POINT : MAX_UNIT, false);
    const lead = leading && most === NO_LIMIT ? 1 : 0;
    if (least === most || (next !== null && disjoint(set, next.set))) this.put(points ? Op.RunPoints : Op.Run, id, least, most, lead);
    else {
      const follow = this.filter(next);
      this.put(points ? Op.GreedyPoints : Op.Greedy, id, least, most, lead, follow, points ? Op.LessPoints : Op.Less, follow);
    }
    return true;
  }

  private look(node: Look): void {
    const { body, negate, behind } = node;
    if (body.kind === "char" && (!this.unicode || unitsOnly(body.set))) {
      return this.put(behind ? Op.PeekBack : Op.Peek, this.sets.id(body.set, MAX_UNIT, false), negate ? 0 : 1);
    }
    const register = this.registers;
    this.registers += 2;
    const at = this.code.length;
    this.put(negate ? Op.LookNot : Op.Look, register, node.firstGroup * 2, node.lastGroup * 2 + 1, 0);
    this.node(body, null, behind, false);
    this.put(negate ? Op.LookNotEnd : Op.LookEnd, register);
    this.code[at + 4] = this.code.length;
  }

  private backReference(node: BackReference, backward: boolean): void {
    this.put(Op.BackReference, (node.ignoreCase ? 1 : 0) | (backward ? 2 : 0), node.groups.length, ...node.groups);
  }

  private stringsOf(node: Strings, backward: boolean): void {
    const lengths = [...new Set([...node.strings].map((text) => text.length))].toSorted((a, b) => b - a);
    this.strings.push({ lengths, members: node.strings, ignoreCase: node.ignoreCase });
    this.put(Op.Strings, this.strings.length - 1, backward ? 1 : 0, Op.StringsRetry, this.strings.length - 1, backward ? 1 : 0);
  }

  private filter(first: First): number {
    if (first === null) return NO_FILTER;
    const units = this.unicode ? leadingUnits(first.set) : first.set;
    if (first.end && units.length === 2 && units[0] === 0 && units[1] >= MAX_UNIT) return NO_FILTER;
    this.lowered.charge(units.length);
    return this.sets.id(units, MAX_UNIT, first.end);
  }

  private put(...words: number[]): void {
    for (const word of words) this.code.push(word);
    if (this.code.length > MAX_CODE) throw new PatternError(TOO_LARGE);
  }
}

/** The kinds that look at no unit between two candidates cost nothing; the host's indexOf is quick. */
const COST_SHIFTS: Readonly<Record<CompiledScan["kind"], number>> = {
  everywhere: 31,
  start: 31,
  lineStart: 3,
  prefix: 8,
  first: 3,
  skip: 4,
};

const EDGES: Readonly<Record<Edge["at"], number>> = { start: Op.Start, end: Op.End, lineStart: Op.LineStart, lineEnd: Op.LineEnd };

/** The text of a set of one character, or "". With `unicode`, a lone surrogate is none: it must not match half of a pair. */
function literal(set: CharSet, unicode: boolean): string {
  const point = single(set);
  return point < 0 || (unicode && point >= 0xd800 && point <= 0xdfff) ? "" : String.fromCodePoint(point);
}

/** The sets of a program, each once. */
class SetPool {
  readonly highs: HighSet[] = [];
  readonly ends: number[] = [];
  private readonly members: CharSet[] = [];
  private readonly ids = new Map<string, number>();

  id(set: CharSet, max: number, end: boolean): number {
    const key = `${max}${end ? "$" : ":"}${set.join()}`;
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.members.length;
      if (id >= MAX_SETS) throw new PatternError(TOO_LARGE);
      this.ids.set(key, id);
      this.members.push(set);
      this.highs.push(new HighSet(set, max));
      this.ends.push(end ? 1 : 0);
    }
    return id;
  }

  tables(): Uint8Array {
    const tables = new Uint8Array(this.members.length * 256);
    this.members.forEach((set, id) => {
      for (let i = 0; i < set.length && set[i] < 256; i += 2) tables.fill(1, id * 256 + set[i], id * 256 + Math.min(set[i + 1], 255) + 1);
    });
    return tables;
  }
}
