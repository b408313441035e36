import { fromRanges, type CharSet } from "./charset.js";
import { zwjCandidates } from "./emoji.js";
import { PatternError } from "./types.js";

/**
 * The sets behind `\p{…}`. The data is the host's: a regular expression of ours (`\p{name}+` with a name from a fixed vocabulary) runs over a text
 * of all code points once for each property, and what it finds is kept. So the version of Unicode is the host's too.
 */
const sets = new Map<string, CharSet>();
const strings = new Map<string, readonly string[]>();

/**
 * The code points of `\p{key}` or `\p{key=value}`. Throws a PatternError for a name that the host doesn't know.
 * @see https://tc39.es/ecma262/#sec-runtime-semantics-unicodematchproperty-p
 */
export function propertySet(key: string, value: string | null): CharSet {
  const name = value === null ? key : `${key}=${value}`;
  let set = sets.get(name);
  if (set === undefined) sets.set(name, (set = findSet(name)));
  return set;
}

/** The strings of a property of strings, such as RGI_Emoji; those of one code point among them. */
export function propertyStrings(name: string): readonly string[] {
  let found = strings.get(name);
  if (found === undefined) strings.set(name, (found = findStrings(name)));
  return found;
}

function findSet(name: string): CharSet {
  const run = hostExpression(`\\p{${name}}+`, "gu");
  const one = hostExpression(`^\\p{${name}}$`, "u");
  const ranges: number[] = [];
  for (const { text, pointAt } of allPoints()) {
    run.lastIndex = 0;
    for (let found = run.exec(text); found !== null; found = run.exec(text)) ranges.push(pointAt(found.index), pointAt(run.lastIndex) - 1);
  }
  for (const { sample, from, to } of UNIFORM) if (one.test(String.fromCodePoint(sample))) ranges.push(from, to);
  return fromRanges(ranges);
}

interface Stretch {
  readonly text: string;
  /** The code point that starts at an index of `text`; at its end, one more than the last. */
  pointAt(index: number): number;
}

let stretches: readonly Stretch[] | undefined;

/** The planes that have characters, as texts. Surrogates and the planes without characters are in UNIFORM. */
function allPoints(): readonly Stretch[] {
  return (stretches ??= [unitsFrom(0, 0xd800), unitsFrom(0xe000, 0x10000), pairsFrom(0x10000, 0x40000), pairsFrom(0xe0000, 0xf0000)]);
}

function unitsFrom(from: number, to: number): Stretch {
  return { text: textOfPoints(from, to), pointAt: (index) => from + index };
}

function pairsFrom(from: number, to: number): Stretch {
  return { text: textOfPoints(from, to), pointAt: (index) => from + (index >> 1) };
}

/** The code points from `from` up to `to`, which is not included, all of one plane or of whole planes. */
export function textOfPoints(from: number, to: number): string {
  const pairs = from > 0xffff;
  const units = new Uint16Array(pairs ? (to - from) * 2 : to - from);
  for (let point = from, i = 0; point < to; point++) {
    if (pairs) units[i++] = 0xd7c0 + (point >> 10);
    units[i++] = pairs ? 0xdc00 | (point & 0x3ff) : point;
  }
  return Buffer.from(units.buffer).toString("utf16le");
}

/** Code points that share all their properties with a sample: surrogates, and in planes 4 to 13, 15 and 16 all but the last two of each, which are noncharacters. */
const UNIFORM: readonly { sample: number; from: number; to: number }[] = [
  { sample: 0xd800, from: 0xd800, to: 0xdfff },
  ...[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16].flatMap((plane) => [
    { sample: plane << 16, from: plane << 16, to: (plane << 16) | 0xfffd },
    { sample: (plane << 16) | 0xfffe, from: (plane << 16) | 0xfffe, to: (plane << 16) | 0xffff },
  ]),
];

/** A host expression over a property whose name has passed the parser's list of names. */
function hostExpression(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    throw new PatternError("Invalid property name");
  }
}

function findStrings(name: string): readonly string[] {
  const whole = hostExpression(`^\\p{${name}}$`, "v");
  return candidates().filter((text) => whole.test(text));
}

let candidateList: readonly string[] | undefined;

/** Each string that could have a property of strings, by the grammar of emoji sequences. @see https://unicode.org/reports/tr51/#Emoji_Sets */
function candidates(): readonly string[] {
  if (candidateList !== undefined) return candidateList;
  const list: string[] = [];
  const emoji = pointsOf(propertySet("Emoji", null)).map((point) => String.fromCodePoint(point));
  const modifiers = pointsOf(propertySet("Emoji_Modifier", null)).map((point) => String.fromCodePoint(point));
  const bases = pointsOf(propertySet("Emoji_Modifier_Base", null)).map((point) => String.fromCodePoint(point));
  const flagLetters = pointsOf(propertySet("Regional_Indicator", null)).map((point) => String.fromCodePoint(point));
  for (const char of emoji) list.push(char, `${char}\ufe0f`, `${char}\ufe0f\u20e3`);
  for (const base of bases) for (const modifier of modifiers) list.push(base + modifier);
  for (const a of flagLetters) for (const b of flagLetters) list.push(a + b);
  for (const region of ["gbeng", "gbsct", "gbwls"]) list.push(tagSequence(region));
  list.push(...zwjCandidates(bases, modifiers));
  return (candidateList = list);
}

function tagSequence(region: string): string {
  const tags = [...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
  return `\u{1f3f4}${tags.join("")}\u{e007f}`;
}

function pointsOf(set: CharSet): readonly number[] {
  const points: number[] = [];
  for (let i = 0; i < set.length; i += 2) for (let point = set[i]; point <= set[i + 1]; point++) points.push(point);
  return points;
}
