import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBare, matches } from "../dist/src/permission/wildcard.js";

describe("wildcards", () => {
  it.each([
    ["*", "", true],
    ["*", "a/b\nc", true],
    ["a*c", "abbc", true],
    ["a*c", "abcb", false],
    ["src/*", "src/a/b.ts", true],
    ["?", "é", true],
    ["?", "💡", true],
    ["?", "", false],
    ["a?c", "abc", true],
    ["git status *", "git status", true],
    ["git status *", "git status -s", true],
    ["git status *", "git statusx", false],
    ["git status*", "git statusx", true],
    [" *", "", true],
    ["*", "anything", true],
    ["Git", "git", false],
    ["a.b", "axb", false],
    ["[a]", "a", false],
    ["**", "x", true],
    ["*a*b*", "xxaxxbxx", true],
    ["", "", true],
    ["", "a", false],
  ])("%j on %j is %s", (pattern, text, wanted) => expect(matches(pattern, text)).toBe(wanted));

  const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", " ", "/", "💡"), maxLength: 12 });

  it("agrees with a plain recursive definition", () => {
    const reference = (pattern: string[], text: string[]): boolean => {
      if (pattern.length === 0) return text.length === 0;
      if (pattern[0] === "*") return reference(pattern.slice(1), text) || (text.length > 0 && reference(pattern, text.slice(1)));
      return text.length > 0 && (pattern[0] === "?" || pattern[0] === text[0]) && reference(pattern.slice(1), text.slice(1));
    };
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        const wanted =
          reference([...pattern], [...text]) || (pattern.endsWith(" *") && reference(Array.from(pattern.slice(0, -2)), [...text]));
        expect(matches(pattern, text)).toBe(wanted);
      }),
      { numRuns: 3_000 },
    );
  });

  it("matches every text without wildcards with itself, and with any part replaced by a star", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.nat(), (raw, a, b) => {
        const text = raw.replaceAll(/[*?]/g, "x");
        const [from, to] = [a % (text.length + 1), b % (text.length + 1)].toSorted((x, y) => x - y);
        expect(matches(text, text)).toBe(true);
        expect(matches(`${text.slice(0, from)}*${text.slice(to)}`, text)).toBe(true);
      }),
    );
  });

  it("takes linear time where a regular expression would explode", () => {
    const pattern = "*a".repeat(50) + "b";
    const started = performance.now();
    expect(matches(pattern, "a".repeat(20_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("knows a bare star", () => {
    expect([isBare("*"), isBare("**"), isBare(""), isBare("*a"), isBare("a.*")]).toEqual([true, true, false, false, false]);
  });
});
