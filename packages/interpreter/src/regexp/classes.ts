import type { AST } from "@eslint-community/regexpp";
import { canonicalize, closeOver } from "./casefold.js";
import {
  DIGIT,
  EMPTY,
  MAX_POINT,
  MAX_UNIT,
  SPACE,
  WORD,
  WORD_FOLDED,
  fromRanges,
  intersect,
  invert,
  subtract,
  union,
  type CharSet,
} from "./charset.js";
import { propertySet, propertyStrings } from "./unicode.js";

/** What the flags and modifiers at a place in the pattern say about classes. */
export interface ClassMode {
  readonly ignoreCase: boolean;
  /** `u` or `v` */
  readonly unicode: boolean;
  readonly unicodeSets: boolean;
  /** Pays for work over sets; throws if the pattern is too large. */
  charge(work: number): void;
}

/** A CharSet of the specification: single characters, and with the flag `v` strings (of none, two or more; with case folded if it is ignored). */
export interface ClassSet {
  readonly chars: CharSet;
  readonly strings: ReadonlySet<string>;
}

type SetNode = AST.CharacterClass | AST.ExpressionCharacterClass | AST.EscapeCharacterSet | AST.UnicodePropertyCharacterSet;

const NO_STRINGS: ReadonlySet<string> = new Set();

/**
 * The characters and strings that a class or a class escape matches, case already considered.
 * @see https://tc39.es/ecma262/#sec-compilecharacterclass
 */
export function classSet(node: SetNode, mode: ClassMode): ClassSet {
  if (mode.unicodeSets) return operand(node as AST.UnicodeSetsCharacterClassElement, mode);
  if (node.type === "CharacterSet") return chars(closed(escapeSet(node, mode), mode));
  if (node.type !== "CharacterClass") throw new TypeError(`${node.type} without the flag v`);
  const all = closed(rangesOf(node.elements, mode), mode);
  return chars(node.negate ? complement(all, mode) : all);
}

/** `\w` here. @see https://tc39.es/ecma262/#sec-wordcharacters */
export function wordSet(mode: ClassMode): CharSet {
  return mode.ignoreCase && mode.unicode ? WORD_FOLDED : WORD;
}

/** All the characters that equal a member of `set` at this place. */
export function closed(set: CharSet, mode: ClassMode): CharSet {
  mode.charge(set.length);
  return mode.ignoreCase ? closeOver(set, mode.unicode) : set;
}

function chars(set: CharSet): ClassSet {
  return { chars: set, strings: NO_STRINGS };
}

function complement(set: CharSet, mode: ClassMode): CharSet {
  return invert(set, mode.unicode ? MAX_POINT : MAX_UNIT);
}

/** The union of the elements of a class without the flag `v`. */
function rangesOf(elements: readonly AST.CharacterClassElement[], mode: ClassMode): CharSet {
  const ranges: number[] = [];
  for (const element of elements) {
    if (element.type === "Character") ranges.push(element.value, element.value);
    else if (element.type === "CharacterClassRange") ranges.push(element.min.value, element.max.value);
    else if (element.type === "CharacterSet") {
      const set = escapeSet(element, mode);
      mode.charge(set.length);
      for (const end of set) ranges.push(end);
    }
  }
  return fromRanges(ranges);
}

/**
 * `\d`, `\s`, `\w`, `\p{…}` and their opposites. With `v` and `i`, the set behind `\P` is folded before its opposite is taken.
 * @see https://tc39.es/ecma262/#sec-compiletocharset
 */
function escapeSet(node: AST.EscapeCharacterSet | AST.UnicodePropertyCharacterSet, mode: ClassMode): CharSet {
  let set: CharSet;
  if (node.kind === "property") {
    set = propertySet(node.key, node.value);
    if (mode.unicodeSets) set = closed(set, mode);
  } else if (node.kind === "word") set = wordSet(mode);
  else set = node.kind === "digit" ? DIGIT : SPACE;
  if (!node.negate) return set;
  mode.charge(set.length);
  return complement(set, mode);
}

/**
 * An operand of a class of the flag `v`. Where the specification folds each part and later compares folded characters, each part here is closed over
 * case: the same classes of characters, so union, intersection and complement agree.
 */
function operand(node: AST.UnicodeSetsCharacterClassElement | AST.ClassIntersection | AST.ClassSubtraction, mode: ClassMode): ClassSet {
  mode.charge(1);
  switch (node.type) {
    case "Character":
      return chars(closed([node.value, node.value], mode));
    case "CharacterClassRange":
      return chars(closed([node.min.value, node.max.value], mode));
    case "CharacterSet":
      return node.kind === "property" && node.strings
        ? stringSet(propertyStrings(node.key), mode)
        : chars(closed(escapeSet(node, mode), mode));
    case "ClassStringDisjunction":
      return stringSet(
        node.alternatives.map((alternative) => String.fromCodePoint(...alternative.elements.map((element) => element.value))),
        mode,
      );
    case "CharacterClass": {
      const all = unionOf(node.elements as readonly AST.UnicodeSetsCharacterClassElement[], mode);
      return node.negate ? chars(complement(all.chars, mode)) : all;
    }
    case "ExpressionCharacterClass": {
      const all = expression(node.expression, mode);
      return node.negate ? chars(complement(all.chars, mode)) : all;
    }
    case "ClassIntersection":
    case "ClassSubtraction":
      return expression(node, mode);
  }
}

/** `a&&b&&c` and `a--b--c` lean to the left, as deep as they are long: walked down first, then worked upwards. */
function expression(node: AST.ClassIntersection | AST.ClassSubtraction, mode: ClassMode): ClassSet {
  const rights: AST.ClassSetOperand[] = [];
  const intersection = node.type === "ClassIntersection";
  let left: AST.ClassSetOperand | AST.ClassIntersection | AST.ClassSubtraction = node;
  while (left.type === "ClassIntersection" || left.type === "ClassSubtraction") {
    rights.push(left.right);
    left = left.left;
  }
  let result = operand(left, mode);
  for (let i = rights.length - 1; i >= 0; i--) {
    const right = operand(rights[i], mode);
    mode.charge(result.chars.length + right.chars.length + result.strings.size);
    result = {
      chars: intersection ? intersect(result.chars, right.chars) : subtract(result.chars, right.chars),
      strings: new Set([...result.strings].filter((text) => right.strings.has(text) === intersection)),
    };
  }
  return result;
}

function unionOf(elements: readonly AST.UnicodeSetsCharacterClassElement[], mode: ClassMode): ClassSet {
  let all: CharSet = EMPTY;
  let plain: number[] = [];
  const strings = new Set<string>();
  for (const element of elements) {
    if (element.type === "Character") plain.push(element.value, element.value);
    else if (element.type === "CharacterClassRange") plain.push(element.min.value, element.max.value);
    else {
      const part = operand(element, mode);
      mode.charge(all.length + part.chars.length + part.strings.size);
      all = union(all, part.chars);
      for (const text of part.strings) strings.add(text);
    }
  }
  if (plain.length > 0) all = union(all, closed(fromRanges(plain), mode));
  return { chars: all, strings };
}

function stringSet(texts: readonly string[], mode: ClassMode): ClassSet {
  const points: number[] = [];
  const strings = new Set<string>();
  for (const text of texts) {
    mode.charge(text.length + 1);
    const point = text.codePointAt(0);
    if (point !== undefined && text.length === (point > MAX_UNIT ? 2 : 1)) points.push(point, point);
    else strings.add(mode.ignoreCase ? foldText(text) : text);
  }
  return { chars: closed(fromRanges(points), mode), strings };
}

/** A text with each character canonicalized as the flags `v` and `i` do. */
export function foldText(text: string): string {
  let folded = "";
  for (const char of text) folded += String.fromCodePoint(canonicalize(char.codePointAt(0) ?? 0, true));
  return folded;
}
