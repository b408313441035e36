import { describe, expect, test } from "vitest";
import { failure, hostValue, value } from "./program.js";

// Each program's answer is the host engine's own.
const SAME = [
  "const m = /(\\d+)-(?<unit>\\w+)/d.exec('x 10-km'); return [m, m.index, m.input, m.groups.unit, m.indices, m.indices.groups.unit]",
  "const r = /a/g; return [r.test('aa'), r.lastIndex, r.test('aa'), r.lastIndex, r.test('aa'), r.lastIndex]",
  "const r = /a/y; r.lastIndex = 1; return [r.exec('ba').index, r.lastIndex, r.exec('ba'), r.lastIndex]",
  "const [, y, m, d] = /(\\d+)-(\\d+)-(\\d+)/.exec('2025-03-14'); return [y, m, d]",
  "return ['a1b22c'.replace(/\\d+/g, '<$&>'), 'a1b22c'.replace(/(\\d)(\\d)?/g, (...a) => JSON.stringify(a)), 'abc'.replace(/(?<x>b)/, '[$<x>$1$2]')]",
  "return ['x'.replace(/x/, '$0$1$10$$'), 'abc'.replace(/(a)(b)(c)/, '$3$2$1'), 'aaa'.replace(/a/y, 'b'), 'abc'.replace(/(?:)/g, '-')]",
  "return ['a, b ,c'.split(/\\s*,\\s*/), 'a1b2c'.split(/(\\d)/), 'abc'.split(/(?:)/), 'abc'.split(/(?:)/, 2), ''.split(/a/), ''.split(/(?:)/), 'abab'.split(/b/y), 'a😀b'.split(/(?:)/u)]",
  "return ['aBc'.match(/[a-z]/gi), 'abc'.match(/x/g), 'aab'.match(/a*?/g), 'a😀'.match(/./gu), 'a😀'.match(/./g).length]",
  "return [...'2025-03 2026-04'.matchAll(/(?<y>\\d{4})-(?<m>\\d\\d)/g)].map(({ groups: { y, m }, index }) => [y, m, index])",
  "return ['abc'.search(/c/), 'abc'.search(/c/g), 'abc'.search(/a/y), 'abc'.search(/b/y)]",
  "return [String(/a/gi), /a/gimsuyd.flags, /a\\/b/.source, new RegExp('a/b\\n[/]').source, new RegExp('').toString(), /[/]/.source, RegExp('\\n').source]",
  "return [RegExp(/a/g).flags, new RegExp(/a/g, 'i').flags, new RegExp('a', undefined).flags, RegExp('x').test('x')]",
  "const r = /a/; return [RegExp(r) === r, new RegExp(r) === r]",
  "const r = /a/g; r.lastIndex = 5; r.compile('b', 'i'); return [r.source, r.flags, r.lastIndex]",
  "return [/(?<=\\$)\\d+/.exec('a$12')[0], /(?<!\\$)\\b\\d+/.exec('$12 34')[0], /(a)|(b)/.exec('b')]",
  "return [/^b/m.test('a\\nb'), /a.b/s.test('a\\nb'), /\\p{Lu}/u.test('É'), /[\\p{L}--[a-z]]/v.test('a'), /\\u{1F600}/u.test('😀')]",
  "const r = /x/g; const all = []; 'xxx'.replace(r, () => { all.push(r.lastIndex); r.lastIndex = 7; return 'y' }); return [all, r.lastIndex]",
  "class R extends RegExp { exec(s) { const m = super.exec(s); if (m) m[0] = m[0].toUpperCase(); return m; } } return ['abab'.replace(new R('a', 'g'), '[$&]'), 'ab'.match(new R('b')), new R('a') instanceof R]",
  "class R extends RegExp { get flags() { return super.flags + 'y'.repeat(0); } [Symbol.match](s) { return 'mine'; } } return 'a'.match(new R('a'))",
  "const r = /a/; r.exec = () => ({ index: 1, 0: 'zz', length: 1 }); return ['abc'.replace(r, '-'), r.test('q'), r[Symbol.match]('abc')[0]]",
  "const r = /a/g; Object.freeze(r); try { 'aa'.replace(r, ''); } catch (e) { return e.name }",
  "return [Symbol.species in RegExp, RegExp.prototype.flags, RegExp.prototype.source, RegExp.prototype.global, Object.prototype.toString.call(RegExp.prototype)]",
  "const r = /./g; const out = []; let m; while ((m = r.exec('ab')) !== null) out.push(m[0], r.lastIndex); return out",
  "for (const bad of ['(', '[', 'a**', '\\\\', '(?<n>a)(?<n>b)', '{1}', 'a{2,1}']) { try { new RegExp(bad); return bad } catch (e) { if (e.name !== 'SyntaxError') return e } } return 'all refused'",
  "for (const bad of ['gg', 'x', 'uv']) { try { new RegExp('a', bad); return bad } catch (e) { if (e.name !== 'SyntaxError') return e } } return 'all refused'",
  "return /(?:(?<y>\\d{4})-\\d\\d|\\d\\d-(?<z>\\d{4}))/.exec('03-2025').groups",
];

describe("RegExp", () => {
  test.each(SAME)("%s", async (code) => expect(await value(code)).toEqual(await hostValue(code)));
});

test("RegExp.escape", async () => {
  expect(
    await value(
      "return [RegExp.escape('1a.b-c d/'), RegExp.escape('\\n\\u2028\\ud800😀'), new RegExp(RegExp.escape('[x]*')).test('[x]*')]",
    ),
  ).toEqual(["\\x31a\\.b\\x2dc\\x20d\\/", "\\n\\u2028\\ud800😀", true]);
});

test("a pattern that would run for ever ends by a limit that cannot be caught", async () => {
  const { limit } = await failure("try { return /^(a+)+$/.test('a'.repeat(40) + 'b') } catch { return 'caught' }", {
    limits: { steps: 1_000_000 },
  });
  expect(limit).toBe("steps");
});

test("patterns are used again: a literal in a loop makes new objects with one pattern", async () => {
  expect(
    await value(
      "const seen = new Set(); for (let i = 0; i < 3; i++) { const r = /a/g; r.lastIndex = i; seen.add(r); } return [...seen].map((r) => r.lastIndex)",
    ),
  ).toEqual([0, 1, 2]);
});

test("the pristine way sees what a program changes", async () => {
  expect(
    await value(`
      const before = 'abc'.replace(/b/, 'x');
      const exec = RegExp.prototype.exec;
      RegExp.prototype.exec = function (s) { const m = exec.call(this, s); if (m) m[0] = 'bc'; return m; };
      return [before, 'abc'.replace(/b/, '[$&]'), 'abc'.split(/b/), 'abc'.match(/b/)];
    `),
  ).toEqual(["axc", "a[bc]", ["a", "c"], ["bc"]]);
});
