/**
 * Candidates for emoji sequences joined by U+200D, by the patterns they are made of: far more than there are, for the host's
 * `\p{RGI_Emoji_ZWJ_Sequence}` to choose from, because no one can list a property of strings of the host's version of Unicode.
 * @see https://unicode.org/reports/tr51/#Emoji_ZWJ_Sequences
 */
export function zwjCandidates(bases: readonly string[], modifiers: readonly string[]): readonly string[] {
  const forms = (char: string): readonly string[] => [char, `${char}\ufe0f`, ...modifiers.map((modifier) => char + modifier)];
  const adults = ADULTS.flatMap(forms);
  const people = [...bases, ...GROUPS].flatMap(forms);
  const list: string[] = [...ODD];
  const join = (...parts: string[]): void => void list.push(parts.join(JOINER));
  for (const adult of adults) {
    for (const thing of THINGS) {
      join(adult, thing);
      join(adult, thing, RIGHT);
    }
    for (const bond of BONDS) for (const other of adults) join(adult, bond, other);
  }
  for (const person of people) {
    join(person, RIGHT);
    for (const gender of GENDERS) {
      join(person, gender);
      join(person, gender, RIGHT);
    }
  }
  for (const a of modifiers) for (const b of modifiers) join(`\u{1faf1}${a}`, `\u{1faf2}${b}`);
  for (const parents of upToTwo(ADULTS)) for (const children of upToTwo(CHILDREN)) join(...parents, ...children);
  return list;
}

function upToTwo(chars: readonly string[]): readonly (readonly string[])[] {
  return [...chars.map((char) => [char]), ...chars.flatMap((a) => chars.map((b) => [a, b]))];
}

const JOINER = "\u200d";
const RIGHT = "➡\ufe0f";
const GENDERS = ["♀\ufe0f", "♂\ufe0f"];
const ADULTS = [..."👨👩🧑"];
const CHILDREN = [..."👦👧🧒"];
/** Persons that are no modifier bases in each version of Unicode. */
const GROUPS = [..."👯🤼🧞🧟🧌"];
/** What makes an adult a profession, gives them hair, or is theirs. */
const THINGS = [..."🌾🍳🍼🎄🎓🎤🎨🏫🏭💻💼🔧🔬🚀🚒🦯🦰🦱🦲🦳🦼🦽🩰", "⚕\ufe0f", "⚖\ufe0f", "✈\ufe0f"];
const BONDS = ["🤝", "❤\ufe0f", `❤\ufe0f${JOINER}💋`, "🐰", "\u{1faef}"];
/** Sequences of no pattern. */
const ODD = [
  ["🏳\ufe0f", "🌈"],
  ["🏳\ufe0f", "⚧\ufe0f"],
  ["🏴", "☠\ufe0f"],
  ["👁\ufe0f", "🗨\ufe0f"],
  ["❤\ufe0f", "🔥"],
  ["❤\ufe0f", "🩹"],
  ["⛓\ufe0f", "💥"],
  ["🐈", "⬛"],
  ["🐦", "⬛"],
  ["🐦", "🔥"],
  ["🐕", "🦺"],
  ["🐻", "❄\ufe0f"],
  ["🍄", "🟫"],
  ["🍋", "🟩"],
  ["😮", "💨"],
  ["😵", "💫"],
  ["😶", "🌫\ufe0f"],
  ["🙂", "↔\ufe0f"],
  ["🙂", "↕\ufe0f"],
].map((parts) => parts.join(JOINER));
