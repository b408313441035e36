import type { AST } from "@eslint-community/regexpp";
import { classSet, closed, wordSet, type ClassMode, type ClassSet } from "./classes.js";
import { LINE_TERMINATOR, MAX_POINT, MAX_UNIT, fromRanges, invert, type CharSet } from "./charset.js";
import { TOO_LARGE } from "./parse.js";
import * as tree from "./tree.js";
import { PatternError, type Flags } from "./types.js";

/** How much work over sets and nodes one pattern may cost to compile. */
export const MAX_WORK = 4_000_000;

/** A pattern whose flags are settled into its nodes. */
export interface Lowered {
  readonly root: tree.Node;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, readonly number[]>;
  readonly hasBackReferences: boolean;
  charge(work: number): void;
  /** How much has been charged. */
  work(): number;
}

/** What modifiers change: `i`, `m` and `s` at a place in the pattern. */
interface Mode extends ClassMode {
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

/** From the parser's tree to ours. @see https://tc39.es/ecma262/#sec-compilepattern */
export function lower(pattern: AST.Pattern, flags: Flags): Lowered {
  let left = MAX_WORK;
  const charge = (work: number): void => {
    left -= work;
    if (left < 0) throw new PatternError(TOO_LARGE);
  };
  const numbers = new Map<AST.CapturingGroup, number>();
  numberGroups(pattern.alternatives, numbers);
  const lowering = new Lowering(numbers, charge);
  const root = lowering.disjunction(pattern.alternatives, {
    ignoreCase: flags.ignoreCase,
    multiline: flags.multiline,
    dotAll: flags.dotAll,
    unicode: flags.unicode || flags.unicodeSets,
    unicodeSets: flags.unicodeSets,
    charge,
  });
  return {
    root,
    groupCount: numbers.size + 1,
    groupNames: namesOf(numbers),
    hasBackReferences: lowering.hasBackReferences,
    charge,
    work: () => MAX_WORK - left,
  };
}

function numberGroups(alternatives: readonly AST.Alternative[], numbers: Map<AST.CapturingGroup, number>): void {
  for (const alternative of alternatives) {
    for (const element of alternative.elements) {
      const inner = element.type === "Quantifier" ? element.element : element;
      if (inner.type === "CapturingGroup") numbers.set(inner, numbers.size + 1);
      if (inner.type === "CapturingGroup" || inner.type === "Group" || (inner.type === "Assertion" && "alternatives" in inner))
        numberGroups(inner.alternatives, numbers);
    }
  }
}

function namesOf(numbers: ReadonlyMap<AST.CapturingGroup, number>): ReadonlyMap<string, readonly number[]> {
  const names = new Map<string, number[]>();
  for (const [group, number] of numbers) {
    if (group.name === null) continue;
    const same = names.get(group.name);
    if (same === undefined) names.set(group.name, [number]);
    else same.push(number);
  }
  return names;
}

class Lowering {
  hasBackReferences = false;
  /** The groups met so far: which ones a node contains follows from the count before and after it. */
  private groups = 0;

  constructor(
    private readonly numbers: ReadonlyMap<AST.CapturingGroup, number>,
    private readonly charge: (work: number) => void,
  ) {}

  /** Neighbours that are one character each become one set. */
  disjunction(alternatives: readonly AST.Alternative[], mode: Mode): tree.Node {
    const parts: tree.Node[] = [];
    let run: CharSet[] = [];
    const endRun = (): void => {
      if (run.length > 0) parts.push(tree.char(run.length === 1 ? run[0] : fromRanges(run.flat())));
      run = [];
    };
    for (const alternative of alternatives) {
      const part = tree.sequence(alternative.elements.map((element) => this.element(element, mode)));
      if (part.kind === "char") run.push(part.set);
      else {
        endRun();
        parts.push(part);
      }
    }
    endRun();
    return tree.choice(parts);
  }

  private element(node: AST.Element, mode: Mode): tree.Node {
    this.charge(1);
    switch (node.type) {
      case "Character":
        return tree.char(closed([node.value, node.value], mode));
      case "CharacterSet":
        return node.kind === "any" ? tree.char(dot(mode)) : fromClass(classSet(node, mode), mode);
      case "CharacterClass":
      case "ExpressionCharacterClass":
        return fromClass(classSet(node, mode), mode);
      case "Quantifier": {
        const before = this.groups;
        const body = this.element(node.element, mode);
        return tree.loop(body, node.min, node.max, node.greedy, before + 1, this.groups);
      }
      case "Group":
        return this.disjunction(node.alternatives, modified(node.modifiers, mode));
      case "CapturingGroup": {
        const index = ++this.groups;
        return tree.group(index, this.disjunction(node.alternatives, mode));
      }
      case "Assertion":
        return this.assertion(node, mode);
      case "Backreference": {
        this.hasBackReferences = true;
        const groups = [node.resolved].flat().map((group) => this.numbers.get(group) ?? 0);
        return { kind: "backreference", groups, ignoreCase: mode.ignoreCase, min: 0 };
      }
    }
  }

  private assertion(node: AST.Assertion, mode: Mode): tree.Node {
    if (node.kind === "word") return { kind: "word", negate: node.negate, set: wordSet(mode), min: 0 };
    if (!("alternatives" in node)) {
      const edge = node.kind;
      return { kind: "edge", at: mode.multiline ? (edge === "start" ? "lineStart" : "lineEnd") : edge, min: 0 };
    }
    const before = this.groups;
    const body = this.disjunction(node.alternatives, mode);
    return {
      kind: "look",
      behind: node.kind === "lookbehind",
      negate: node.negate,
      body,
      firstGroup: before + 1,
      lastGroup: this.groups,
      min: 0,
    };
  }
}

function dot(mode: Mode): CharSet {
  return invert(mode.dotAll ? [] : LINE_TERMINATOR, mode.unicode ? MAX_POINT : MAX_UNIT);
}

/** Strings before characters, the empty string last. */
function fromClass(set: ClassSet, mode: Mode): tree.Node {
  if (set.strings.size === 0) return tree.char(set.chars);
  const longer = new Set(set.strings);
  const parts: tree.Node[] = [];
  const empty = longer.delete("");
  if (longer.size > 0) parts.push(tree.strings(longer, mode.ignoreCase));
  if (set.chars.length > 0) parts.push(tree.char(set.chars));
  if (empty) parts.push(tree.NOTHING);
  return tree.choice(parts);
}

/** @see https://tc39.es/ecma262/#sec-updatemodifiers */
function modified(modifiers: AST.Modifiers | null, mode: Mode): Mode {
  if (modifiers === null) return mode;
  const { add, remove } = modifiers;
  return {
    ...mode,
    ignoreCase: (mode.ignoreCase || add.ignoreCase) && remove?.ignoreCase !== true,
    multiline: (mode.multiline || add.multiline) && remove?.multiline !== true,
    dotAll: (mode.dotAll || add.dotAll) && remove?.dotAll !== true,
  };
}
