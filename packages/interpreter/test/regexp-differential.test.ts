// Our engine against the host's, on what both of them know.

import { describe, expect, test } from "vitest";
import { compilePattern, type Captures, type Meter } from "../dist/src/regexp/index.js";

const METER: Meter = {
  fuel: 0,
  outOfFuel() {
    this.fuel += 1_000;
  },
};

const find = (source: string, flags: string, input: string, from = 0): Captures | null =>
  compilePattern(source, flags).match(input, from, METER);

describe("against the host's engine", () => {
  test("every pattern on every input from every index", () => {
    const different: unknown[] = [];
    for (const line of PATTERNS) {
      const [flagSets, source] = line.split("  ");
      for (const flags of flagSets.split(",").map((set) => set.replace("-", ""))) {
        for (const input of INPUTS) {
          for (let from = 0; from <= input.length; from++) {
            if (splits(flags, input, from)) continue;
            const ours = find(source, flags, input, from);
            const theirs = host(source, flags, input, from);
            if (ours?.join() !== theirs?.join()) different.push({ source, flags, input, from, ours, theirs });
          }
        }
      }
    }
    expect(different).toEqual([]);
  });

  test("generated patterns", () => {
    const random = randomOf(20_260_807);
    const different: unknown[] = [];
    for (let i = 0; i < 4_000; i++) {
      const flags = random.of(["", "i", "m", "s", "u", "iu", "y"]);
      const source = generate(random, 3, flags.includes("u"));
      if (!valid(source, flags, RegExp)) {
        if (valid(source, flags, compilePattern)) different.push({ source, flags });
        continue;
      }
      const input = Array.from({ length: 1 + random.below(8) }, () =>
        random.of(["a", "b", "c", "k", "S", "\u017f", "\u212a", "1", " ", "\n", "é", "É", "😀", "\ud83d", "\ude00", "σ", "ς", "ab"]),
      ).join("");
      const expected = host(source, flags, input, 0);
      // The host starts and ends matches inside of surrogate pairs where the specification doesn't.
      if (expected !== null && expected.some((index) => splits(flags, input, index))) continue;
      const ours = find(source, flags, input);
      if (ours?.join() !== expected?.join()) different.push({ source, flags, input, ours, expected });
    }
    expect(different).toEqual([]);
  });
});

describe("properties", () => {
  const everything = Array.from({ length: 0x110000 }, (_, point) => point).filter((point) => point < 0xd800 || point > 0xdfff);
  const text = Array.from({ length: Math.ceil(everything.length / 4_096) }, (_, i) =>
    String.fromCodePoint(...everything.slice(i * 4_096, (i + 1) * 4_096)),
  ).join("");

  /** The bounds of all runs, to be compared as one text. */
  const runs = (source: string, flags: string): string => {
    const pattern = compilePattern(source, flags);
    const found: number[] = [];
    for (let match = pattern.match(text, 0, METER); match !== null; match = pattern.match(text, match[1], METER))
      found.push(match[0], match[1]);
    return found.join();
  };
  const hostRuns = (source: string, flags: string): string =>
    [...text.matchAll(new RegExp(source, `g${flags}`))].flatMap((found) => [found.index, found.index + found[0].length]).join();

  test.each(
    "Any ASCII Assigned L Lu gc=Cn Cs Co Nd Script=Latin scx=Grek sc=Zyyy ID_Start Emoji Noncharacter_Code_Point White_Space Default_Ignorable_Code_Point Alphabetic".split(
      " ",
    ),
  )("%s", (name) => {
    expect(runs(`\\p{${name}}+`, "u")).toBe(hostRuns(`\\p{${name}}+`, "u"));
    expect(runs(`\\P{${name}}+`, "u")).toBe(hostRuns(`\\P{${name}}+`, "u"));
  });

  test.each([
    ["\\p{Lu}+", "iu"],
    ["[^\\p{Ll}]+", "iu"],
    ["\\w+", "iu"],
    ["\\W+", "iu"],
    ["[a-z]+", "iu"],
    ["[\\u0370-\\u03ff]+", "iu"],
    ["[^\\u1f00-\\u1fff]+", "iu"],
    ["[\\u0370-\\u1fff]+", "i"],
    ["[^\\u0080-\\u04ff]+", "i"],
    ["\\s+", ""],
  ])("/%s/%s", (source, flags) => {
    expect(runs(source, flags)).toBe(hostRuns(source, flags));
  });

  test("properties of strings", () => {
    const samples = ["😀", "👍🏽", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️‍🔥", "🧑🏿‍🤝‍🧑🏻", "👩🏽‍🚀", "🏃🏻‍♀️", "🐻‍❄️", "a", "1", "👨‍👨", "🇩"];
    for (const name of [
      "Basic_Emoji",
      "Emoji_Keycap_Sequence",
      "RGI_Modifier_Sequence",
      "RGI_Flag_Sequence",
      "RGI_Emoji_Tag_Sequence",
      "RGI_Emoji_ZWJ_Sequence",
      "RGI_Emoji",
    ]) {
      const full = name.replace(/^RGI_(Modifier|Flag)/, "RGI_Emoji_$1");
      for (const sample of samples)
        expect([full, sample, find(`^\\p{${full}}$`, "v", sample) !== null]).toEqual([
          full,
          sample,
          new RegExp(`^\\p{${full}}$`, "v").test(sample),
        ]);
    }
  });
});

/** What the host's engine says, in our form. */
function host(source: string, flags: string, input: string, from: number): Captures | null {
  const expression = new RegExp(source, `${flags.replace(/[gdy]/g, "")}d${flags.includes("y") ? "y" : "g"}`);
  expression.lastIndex = from;
  const found = expression.exec(input);
  return found?.indices?.flatMap((pair) => pair ?? [-1, -1]) ?? null;
}

/** True if the flags make code points of surrogate pairs, and `index` is inside of one. */
function splits(flags: string, input: string, index: number): boolean {
  return flags.includes("u") && index > 0 && /^[\udc00-\udfff]/.test(input.slice(index)) && /[\ud800-\udbff]$/.test(input.slice(0, index));
}

/** Whether `make` takes the pattern. */
function valid(source: string, flags: string, make: (source: string, flags: string) => unknown): boolean {
  try {
    return make(source, flags) !== null;
  } catch {
    return false;
  }
}

interface Random {
  below(n: number): number;
  of<T>(list: readonly T[]): T;
}

function randomOf(seed: number): Random {
  const below = (n: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * n);
  };
  return { below, of: (list) => list[below(list.length)] };
}

function generate(random: Random, depth: number, unicode: boolean): string {
  const atoms = unicode ? [...ATOMS, ...UNICODE_ATOMS] : ATOMS;
  const term = (): string => {
    const open = depth > 0 ? random.of(OPENINGS) : "";
    const atom = open === "" ? random.of(atoms) : `${open}${generate(random, depth - 1, unicode)})`;
    return atom + (random.below(2) === 0 ? "" : random.of(QUANTIFIERS));
  };
  const alternative = (): string => Array.from({ length: 1 + random.below(3) }, term).join("");
  return random.below(3) === 0 ? `${alternative()}|${alternative()}` : alternative();
}

const OPENINGS = ["(", "(", "(?:", "(?:", "(?=", "(?!", "(?<=", "(?<!", "", "", "", ""];
const QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{2,}"];
const ATOMS = String.raw`a b c ab k S . \d \w \W \s [ab] [^ab] [a-c1] [^] \b \B ^ $ é σ 😀 \1 \2`.split(" ");
const UNICODE_ATOMS = String.raw`\p{L} \P{Lu} [^\p{Lu}] [😀-😂] [^😀] \ud83d`.split(" ");

/** Flag sets (- for none), and a pattern. */
const PATTERNS = String.raw`
-  a|ab
-  ((a)|(ab))((c)|(bc))
-,i  a[a-z]{2,4}
-  a[a-z]{2,4}?
-  (aa|aabaac|ba|b|c)*
-  (z)((a+)?(b+)?(c))*
-  (a*)*
-  (?:a*)*?b
-  (?=(a+))
-  (?=(a+))a*b\1
-  (.*?)a(?!(a+)b\2c)\2(.*)
-  (?<=a|b{2})c
-  (?<=(\d+)(\d+))b
-  (?<=\1(a))b
-  (?<!ab)c
-,m  (?<=^|,)\w*
-,i  \bfoo\b
-  \B.
-,m,s,ms  ^.*$
-,m  ^
-,m  $
-  (?:^|\s)(\w)
-,u  \u{61}
-  [^]
-  []
-,u,iu  [^\W\d]+
-  (?<year>\d{4})-(?<month>\d\d)
-  \k<a>(?<a>.)
-,u,i,iu  (?<a>.)\k<a>
-  \k<a>
-  \8\1(a)
-  \c
-  [\c_]
-  \cA|\x4|\u12
-  a{,2}|]|}
-  \07\101
-  (?=a)*b
-  (?=a){2}a
-  (?!(a))+b|a
iu  \w+
u  [\w-]+
iu,i  \W
-,i,u,iu  [^\x00-\x7f]+
i,iu  \u017f|\u212a|k
i,iu  [^k]
i,iu  \u03c3
i,iu  [\u0390-\u03ff]+
i,iu  \u00df
i,iu  \u01c5
-,u  😀+
u  [😀-😂]{2}
-,u,su  ^.$
-,u  \ud83d
u  [^\ud83d]
-,u  \ude00
-,u  (?<=\ud83d)\ude00
u  (?<!.)😀
-,u  [\ud83d\ude00]
u,iu  (.)\1
u,iu  \p{Lu}\p{Ll}*
u,iu  \P{L}+
u  [^\p{L}\d]+
u  \p{Script=Greek}
u  \p{Emoji}+?
-  (a?)*?$
-  (?:a?)+?b
-  (a?b??)*
-  (?:(a)|b)*
-  ((a)|b)*?c
-  (?:(?:ab){2}c?){1,3}
-  (\2a)(\1)
-  (?:a|(b))\1c
-  x*y+$
-  [a-c]+?(?=c)
-  a{0}b|a{2}
-  (a){0}b
-  ([ab]){2,3}?\1
-  (?:a{2}){2}
-  \d+(?=\.)\.(\d*)
-,s  a.c|a\nc
y  a
y,my  ^a
y  \Ba
`
  .trim()
  .split("\n");

const INPUTS = [
  "",
  "a",
  "b",
  "ab",
  "abc",
  "aab",
  "aabc",
  "abcabc",
  "zaacbbbcac",
  "baaabac",
  "baaabaac",
  "aabaac",
  "bbc",
  "foo Foo FOO food",
  "a\nc",
  "a\r\nb\u2028c",
  "2024-05-17,x",
  "12.5",
  "1053b",
  "kK\u212a sS\u017f",
  "\u03c3\u03c2\u03a3\u1e9e\u00df\u01c4\u01c5\u01c6",
  "😀😁😂a",
  "\ud83d\ud83d\ude00\ude00",
  "\ude00\ud83d",
  "AaBb Éé-1_",
  "\u0390\u1fd3",
  "xxyyxy",
  "\\c_\x01\x1f",
  "a{,2}]}",
  "\x07A",
  "\u0000",
  "u{61}uuuu",
];
