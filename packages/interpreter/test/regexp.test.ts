import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  MatchLimit,
  PatternError,
  compilePattern,
  hostRegExp,
  hostRegExpEngine,
  type Captures,
  type Meter,
} from "../dist/src/regexp/index.js";
import { Op } from "../dist/src/regexp/ops.js";

/** A meter of `steps`, that counts what was taken. */
function meterOf(steps: number): Meter & { taken: number } {
  return {
    fuel: 0,
    taken: -1_000,
    outOfFuel() {
      this.taken += 1_000;
      if (this.taken > steps) throw new Error("out of fuel");
      this.fuel += 1_000;
    },
  };
}

const find = (source: string, flags: string, input: string, from = 0, steps = 10_000_000): Captures | null =>
  compilePattern(source, flags).match(input, from, meterOf(steps));

/** The matched texts, group 0 first, or null. */
function texts(source: string, flags: string, input: string, from = 0): (string | undefined)[] | null {
  const found = find(source, flags, input, from);
  if (found === null) return null;
  return found.flatMap((start, i) => (i % 2 === 1 ? [] : [start < 0 ? undefined : input.slice(start, found[i + 1])]));
}

const refused = (source: string, flags = ""): string => {
  try {
    compilePattern(source, flags);
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
  return `/${source}/${flags} was compiled`;
};

/** What a call returns or throws, as text. */
const outcome = (run: () => unknown): string => {
  try {
    return String(run());
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** The fuel that a match takes. */
const taken = (source: string, input: string): number => {
  const meter = meterOf(1e9);
  meter.fuel = 1e9;
  compilePattern(source, "").match(input, 0, meter);
  return 1e9 - meter.fuel;
};

/** A deep pattern, different for each number. */
const nested = (i: number): string => `${"(".repeat(150)}z${")".repeat(150)}${i}`;

describe("names and captures", () => {
  test("names keep the order of the source, and duplicate names their groups", () => {
    const pattern = compilePattern("(?<b>x)(?:(?<a>y)|(?<a>z))(w)", "");
    expect(pattern.groupCount).toBe(5);
    expect([...pattern.groupNames]).toEqual([
      ["b", [1]],
      ["a", [2, 3]],
    ]);
  });

  test("a duplicate name refers to the group that took part", () => {
    expect(texts("(?:(?<x>a)|(?<x>b))\\k<x>", "", "ab bb")).toEqual(["bb", undefined, "b"]);
    expect(texts("(?:(?:(?<x>a)|(?<x>b)|c)\\k<x>){2}", "", "aac")).toEqual(["aac", undefined, undefined]);
    expect(texts("(?<=\\k<x>(?:(?<x>a)|(?<x>b)))c", "", "bbc")).toEqual(["c", undefined, "b"]);
    expect(refused("(?<x>a)(?<x>b)")).toBe("Duplicate capture group name");
  });

  test("flags are told apart", () => {
    expect(compilePattern("a", "dgimsvy").flags).toEqual({
      hasIndices: true,
      global: true,
      ignoreCase: true,
      multiline: true,
      dotAll: true,
      unicode: false,
      unicodeSets: true,
      sticky: true,
    });
  });

  test("a sticky pattern and matchAt match in one place", () => {
    expect(find("b", "y", "ab", 0)).toBeNull();
    expect(find("b", "y", "ab", 1)).toEqual([1, 2]);
    expect(compilePattern("b", "").matchAt("ab", 0, meterOf(100))).toBeNull();
    expect(compilePattern("b", "").matchAt("ab", 1, meterOf(100))).toEqual([1, 2]);
  });

  test("a last index past the end matches nothing, one inside of a pair means the pair", () => {
    expect(find("", "", "ab", 3)).toBeNull();
    expect(find("", "", "ab", 2)).toEqual([2, 2]);
    expect(find("^.", "u", "😀", 1)).toEqual([0, 2]);
    expect(find("\\ude00", "u", "😀", 1)).toBeNull();
  });
});

describe("newer than the host", () => {
  test("modifiers", () => {
    expect(texts("a(?i:b)c", "", "aBc")).toEqual(["aBc"]);
    expect(find("a(?i:b)c", "", "aBC")).toBeNull();
    expect(find("a(?-i:b)c", "i", "ABC")).toBeNull();
    expect(texts("a(?-i:b)c", "i", "AbC")).toEqual(["AbC"]);
    expect(texts("(?s:.)(?-s:.)", "", "\na")).toEqual(["\na"]);
    expect(texts("(?m:^b)$", "", "a\nb")).toEqual(["b"]);
    expect(find("(?-m:^)b", "m", "a\nb")).toBeNull();
    expect(texts("(?i:(a)\\1)", "", "xaA")).toEqual(["aA", "a"]);
    expect(find("(?i:(a))\\1", "", "xaA")).toBeNull();
    expect(texts("(?i:\\b\\w+\\b)", "u", "-\u017f\u212a-")).toEqual(["\u017f\u212a"]);
    for (const bad of ["(?ii:a)", "(?i-i:a)", "(?-:a)", "(?g:a)", "(?i", "(?i)a", "(?I:a)", "(?-u:a)", "(?s-ss:a)"])
      expect(refused(bad)).not.toContain("was compiled");
    expect(texts("(?i-:a)", "", "A")).toEqual(["A"]);
  });

  test("set operations and strings of the flag v", () => {
    expect(texts("[\\w--[a-y]]+", "v", "abcz_1")).toEqual(["z_1"]);
    expect(texts("[\\w&&[a-f]&&[^c]]+", "v", "cabc")).toEqual(["ab"]);
    expect(texts("[\\q{ab|abc|a}x]", "v", "abcd")).toEqual(["abc"]);
    expect(texts("[\\q{ab|abc}--\\q{abc}]", "v", "abcd")).toEqual(["ab"]);
    expect(texts("[\\q{|b}]", "v", "ab")).toEqual([""]);
    expect(texts("(?<=[\\q{ab|b}])c", "v", "abc")).toEqual(["c"]);
    expect(texts("[\\q{KM|x}]", "iv", "\u212am")).toEqual(["\u212am"]);
    expect(texts("[\\q{KM}&&\\q{km}]", "iv", "kM")).toEqual(["kM"]);
    expect(texts("[\\w--k]", "iv", "kK\u212as")).toEqual(["s"]);
    expect(texts("[^\\w--[b-z]]+", "v", "ab-a")).toEqual(["b-"]);
    expect(texts("\\P{Lu}", "iv", "Aa1")).toEqual(["1"]);
    expect(texts("\\P{Lu}", "iu", "Aa1")).toEqual(["A"]);
    expect(find("[\\q{a\\ud83d}]", "v", "a😀")).toBeNull();
    for (const bad of ["[^\\q{ab}]", "[a&&&b]", "[a--b&&c]", "[(]", "[a-z&&b]", "\\P{RGI_Emoji}", "[^\\p{RGI_Emoji}]", "[a||b]"])
      expect(refused(bad, "v")).not.toContain("was compiled");
  });
});

describe("properties", () => {
  test("lone surrogates", () => {
    expect(texts("\\p{Cs}+", "u", "a\udc00\ud800")).toEqual(["\udc00\ud800"]);
    expect(find("\\p{L}", "u", "\ud800")).toBeNull();
  });

  test("unknown names are refused", () => {
    for (const bad of [
      "\\p{Klingon}",
      "\\p{Script=Klingon}",
      "\\p{L",
      "\\p",
      "\\pL",
      "\\p{Block=ASCII}",
      "\\p{lu}",
      "\\p{Script}",
      "\\p{RGI_Emoji}",
    ])
      expect(refused(bad, "u")).toBe("Invalid property name");
  });
});

describe("errors", () => {
  test.each([
    ["(", ""],
    [")", ""],
    ["a**", ""],
    ["?", ""],
    ["{1}", ""],
    ["a{2,1}", ""],
    ["[b-a]", ""],
    ["[", ""],
    ["\\", ""],
    ["(?<a", ""],
    ["(?<1>a)", ""],
    ["(?<a>a)\\k<b>", ""],
    ["(?<a>a)\\k", ""],
    ["(?<=a)*", ""],
    ["(?<!a)?", ""],
    ["\\u{110000}", "u"],
    ["\\u{1", "u"],
    ["\\-", "u"],
    ["\\1", "u"],
    ["\\01", "u"],
    ["{", "u"],
    ["}", "u"],
    ["]", "u"],
    ["a{", "u"],
    ["(?=a)*", "u"],
    ["[\\d-a]", "u"],
    ["[a-\\d]", "u"],
    ["\\c", "u"],
    ["[\\c]", "u"],
    ["\\xg", "u"],
    ["\\k<a>", "u"],
    ["\\a", "v"],
    ["a", "gg"],
    ["a", "uv"],
    ["a", "x"],
    ["a", "G"],
  ])("/%s/%s", (source, flags) => {
    expect(refused(source, flags)).not.toContain("was compiled");
  });

  test("messages are what stands after the pattern", () => {
    expect(refused("(")).toBe("Unterminated group");
    expect(refused("/: (/")).toBe("Unterminated group");
    expect(refused("a**")).toBe("Nothing to repeat");
    expect(refused("a", "gg")).toBe("Invalid flags 'gg'");
  });
});

describe("limits", () => {
  const TOO_LARGE = "regular expression too large";
  const long = "ab".repeat(500_000);

  test("a million characters", () => {
    expect(find("(?:a|b)*c", "", long)).toBeNull();
    expect(find("(?:a|b)*c", "", `${long}c`)).toEqual([0, 1_000_001]);
    expect(find("(a|b)*c", "", `${long}c`)).toEqual([0, 1_000_001, 999_999, 1_000_000]);
    expect(find("(?:ab|a|b)*?c", "", `${long}c`)).toEqual([0, 1_000_001]);
    expect(find("^(?:(?=(\\w))\\1)*$", "", long, 0, 100_000_000)).toEqual([0, 1_000_000, 999_999, 1_000_000]);
    expect(find("$(?<=^(?:a|b)*)", "", long, 0, 100_000_000)).toEqual([1_000_000, 1_000_000]);
  });

  test("alternatives beyond the memory of the engine end the match", () => {
    expect(() => find("(?:(a)|(b)|c)*d", "", "ab".repeat(2_500_000), 0, 1e9)).toThrow(MatchLimit);
    expect(texts("(a)b", "", "ab")).toEqual(["ab", "a"]);
  });

  test("exponential patterns end by the meter, and leave the engine as it was", () => {
    const pattern = compilePattern("^(a+)+$", "");
    expect(() => pattern.match(`${"a".repeat(40)}!`, 0, meterOf(100_000))).toThrow("out of fuel");
    expect(pattern.match("aaa", 0, meterOf(100_000))).toEqual([0, 3, 0, 3]);
    for (const evil of [
      "(a*)*b",
      "(a|aa)+b",
      "(.*a){20}b",
      "(a?){50}a{50}b",
      "(?=(a+a+)+b)",
      "(?<=b(a+)+)c",
      "(?:a{0,1000}){0,1000}b",
      "(?:|a){1000000}b",
    ]) {
      expect([evil, outcome(() => find(evil, "", `${"a".repeat(100)}cc`, 0, 200_000))]).toEqual([evil, "out of fuel"]);
    }
  });

  test("matching takes fuel for the text it passes over", () => {
    expect(taken("x", "x")).toBeLessThan(10);
    for (const source of ["x", "[xy]", "[^ab]", ".*x", ".*?x", "^(?:ab)*x", "^(a|b)*x"])
      expect([source, taken(source, "ab".repeat(100_000)) > 700]).toEqual([source, true]);
  });

  test("counts are not unrolled", () => {
    expect(find("(?:x{1000}){1000}", "", "x".repeat(1_000_000))).toEqual([0, 1_000_000]);
    expect(find("(?:(?:(?:x{1000}){1000}){1000}){1000}", "", "x".repeat(1_000))).toBeNull();
    expect(find("b{9007199254740991}", "u", "b")).toBeNull();
    expect(find("b{0,9007199254740993}?c", "", "bbc")).toEqual([0, 3]);
    expect(find("(?:b|c){99999999999999999999,}", "", "bcb")).toBeNull();
  });

  test("too large", () => {
    expect(refused("(".repeat(10_000) + ")".repeat(10_000))).toBe(TOO_LARGE);
    expect(refused("(?:".repeat(10_000))).toBe(TOO_LARGE);
    expect(refused("[".repeat(10_000), "v")).toBe(TOO_LARGE);
    expect(refused("a".repeat(300_000))).toBe(TOO_LARGE);
    expect(refused(Array.from({ length: 30_000 }, (_, i) => `[a${String.fromCharCode(0x3000 + i)}]`).join(""))).toBe(TOO_LARGE);
    expect(refused("\\p{L}[\\p{N}a]".repeat(10_000), "u")).toBe(TOO_LARGE);
    expect(find("(".repeat(190) + "a" + ")".repeat(190), "", "a")?.length).toBe(382);
    expect(find(`[a${"&&a".repeat(20_000)}]`, "v", "a")).toEqual([0, 1]);
    expect(find(`[[${"(".repeat(1_000)}]+`, "", "((")).toEqual([0, 2]);
    expect(compilePattern("a".repeat(2_000), "").cost).toBeGreaterThan(2_000);
  });

  test("compiling on a stack that is almost used up leaves nothing half done", () => {
    const outcomes = new Set<string>();
    let frames = 0;
    const deep = (): void => {
      try {
        deep();
      } catch {
        // Each frame on the way back has a little more room.
        if (frames++ < 200) outcomes.add(outcome(() => compilePattern(nested(frames), "iu")));
        throw new Error("further");
      }
    };
    expect(deep).toThrow();
    for (const found of outcomes) expect(["[object Object]", "Maximum call stack size exceeded", "further", TOO_LARGE]).toContain(found);
    for (let i = 1; i <= 200; i++) expect(find(nested(i), "iu", `Z${i}`)?.length).toBe(302);
  });

  test("two patterns may take turns, on texts of all lengths", () => {
    const words = compilePattern("\\w+", "g");
    const vowels = compilePattern("[aeiou]", "g");
    for (const input of ["some words here ", "some words here ".repeat(10), "some words here ".repeat(1_000)]) {
      let count = 0;
      for (let word = words.match(input, 0, meterOf(1e6)); word !== null; word = words.match(input, word[1], meterOf(1e6))) {
        if (vowels.match(input.slice(word[0], word[1]), 0, meterOf(100)) !== null) count++;
        if (vowels.match(`${input}x`, word[0], meterOf(1_000)) === null) count = Number.NaN;
      }
      expect(count).toBe((input.length / 16) * 3);
    }
  });
});

describe("host patterns", () => {
  test("find, test, and the name that ajv tells them apart by", () => {
    const pattern = hostRegExp("^(\\d+)-", "u", 1_000);
    expect(pattern.test("12-")).toBe(true);
    expect(pattern.test("x12-")).toBe(false);
    expect(pattern.find("12-")).toEqual([0, 3, 0, 2]);
    expect(String(pattern)).toBe("/^(\\d+)-/u");
  });

  test("a match of too many steps throws, each match has its own", () => {
    const pattern = hostRegExp("^(a+)+$", "u", 10_000);
    expect(() => pattern.test(`${"a".repeat(40)}!`)).toThrow("took more than 10000 steps");
    for (let i = 0; i < 1_000; i++) expect(pattern.test("aaaaaaaaaa")).toBe(true);
  });

  test("as ajv's code.regExp", () => {
    const engine = hostRegExpEngine(10_000);
    expect(engine.code).toBe("hostRegExp");
    expect(hostRegExp.code).toBe("hostRegExp");
    expect(engine("a", "u").test("ba")).toBe(true);
    expect(() => engine("(", "u")).toThrow(PatternError);
  });
});

test("the numbers in the matcher's switch are those of Op", () => {
  const source = readFileSync(new URL("../src/regexp/matcher.ts", import.meta.url), "utf8");
  const cases = [...source.matchAll(/case (\d+):(?: \{)?\s*\/\/ (\w+)/g)].map(([, number, name]) => [name, Number(number)]);
  expect(Object.fromEntries(cases)).toEqual(Op);
  for (const [, number, name] of source.matchAll(/=== (\d+) \/\* (\w+) \*\//g))
    expect([name, Number(number)]).toEqual([name, Op[name as keyof typeof Op]]);
});
