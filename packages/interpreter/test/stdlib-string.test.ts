import { describe, expect, test } from "vitest";
import { failure, hostValue, value } from "./program.js";

// Each program's answer is the host engine's own.
const SAME = [
  "return ['abc'.at(-1), 'abc'.at(5), 'abc'.charAt(1), 'abc'.charAt(-1), 'abc'.charCodeAt(1), String('abc'.charCodeAt(9))]",
  "return ['a😀b'.codePointAt(1), 'a😀b'.codePointAt(2), 'a😀b'.codePointAt(9), [...'a😀b'], 'a😀b'.length]",
  "return ['abc'.concat(1, null, undefined, [2]), 'x'.concat()]",
  "return ['hello'.startsWith('ell', 1), 'hello'.endsWith('ell', 4), 'hello'.includes('lo'), 'hello'.includes('he', 1), 'hello'.includes('')]",
  "return ['canal'.indexOf('a'), 'canal'.indexOf('a', 2), 'canal'.indexOf('z'), 'canal'.lastIndexOf('a'), 'canal'.lastIndexOf('a', 2), 'canal'.lastIndexOf('a', -5), 'abc'.indexOf('', 10)]",
  "return ['abc'.padStart(6), 'abc'.padStart(6, '12'), 'abc'.padEnd(7, 'xy'), 'abc'.padEnd(2), 'abc'.padEnd(9, '')]",
  "return ['ab'.repeat(3), 'ab'.repeat(0), ''.repeat(1e9)]",
  "return ['hello'.slice(1, 3), 'hello'.slice(-3), 'hello'.slice(3, 1), 'hello'.substring(3, 1), 'hello'.substring(-1, 2), 'hello'.substr(-3, 2), 'hello'.substr(1)]",
  "return ['  a b\\u00a0\\ufeff'.trim(), '  a '.trimStart() + '|', '|' + ' a  '.trimEnd(), ''.trimLeft.name, ''.trimRight.name]",
  "return ['İı'.toLowerCase(), 'straße'.toUpperCase(), 'ΑΣ'.toLowerCase(), 'I'.toLocaleLowerCase('tr'), 'i'.toLocaleUpperCase('tr')]",
  "return ['\\u1E9B\\u0323'.normalize('NFC'), '\\u1E9B\\u0323'.normalize('NFKD').length, 'x'.normalize()]",
  "return ['a,b,,c'.split(','), 'abc'.split(''), 'a,b,c'.split(',', 2), 'abc'.split(), ''.split(','), ''.split(''), 'abc'.split('', 2), 'aXbXc'.split('X', -1)]",
  "return ['abcabc'.replace('b', 'x'), 'abcabc'.replace('b', (m, i, s) => m + i + s.length), 'abc'.replace('z', 'y'), 'abc'.replace('', '_'), 'abc'.replace('c', '[$&$`$\\'$$$1$<a>]')]",
  "return ['abcabc'.replaceAll('b', 'x'), 'aaa'.replaceAll('', '-'), 'a.b.c'.replaceAll('.', '$&$&'), 'abab'.replaceAll('ab', (m, i) => i), 'aaaa'.replaceAll('aa', 'b')]",
  "return ['a1b2'.match(/\\d/g), 'a1b2'.match(/(\\d)/).slice(), 'ab'.match(/\\d/), 'a.c'.match('.').index, 'abc'.search('b'), 'abc'.search(/z/)]",
  "return [...'a1b22'.matchAll(/\\d+/g)].map((m) => [m[0], m.index])",
  "return ['x'.anchor('a\"b'), 'x'.link('u'), 'x'.bold(), 'x'.fontcolor('red'), 'x'.sub()]",
  "return [String(Symbol('d')), String(null), String([1, [2]]), String({}), new String('ab').length, new String('ab')[1], Object.keys(new String('ab'))]",
  "return [String.raw`a\\n${1}b`, String.raw({ raw: 'abc' }, 1, 2, 3), String.fromCharCode(65, 0x10041, 66.9), String.fromCodePoint(128512, 97)]",
  "return ['a\\ud800'.isWellFormed(), 'a😀'.isWellFormed(), 'a\\ud800b'.toWellFormed()]",
  "return ['a'.localeCompare('b'), 'a'.localeCompare('á', 'de', { sensitivity: 'base' }), ['z', 'ä', 'a'].sort((a, b) => a.localeCompare(b))]",
  "const s = { toString: () => 'xyz' }; return ['axyzb'.replace(s, '-'), 'axyzb'.split(s), 'axyzb'.indexOf(s), String.prototype.toUpperCase.call(s)]",
  "return [Object.getOwnPropertyNames(String.prototype).length > 40, String.prototype.length, 'abc'[1], 'length' in Object('x')]",
];

describe("String", () => {
  test.each(SAME)("%s", async (code) => expect(await value(code)).toEqual(await hostValue(code)));
});

describe("String within the limits", () => {
  const LIMIT = { limits: { stringLength: 1000 } };
  test.each([
    "'ab'.repeat(501)",
    "'a'.padStart(1001)",
    "'a'.padEnd(1e15)",
    "'a'.repeat(500).concat('b'.repeat(501))",
    "'a'.repeat(500).replaceAll('a', 'bcd')",
    "'a'.repeat(100).replace('a', '$`$\\'$&'.repeat(20))",
    "'\"'.repeat(200).anchor('\"'.repeat(200))",
    "encodeURIComponent('€'.repeat(200))",
    "escape('€'.repeat(200))",
    "String.raw({ raw: Array(600).fill('ab') })",
    "'\\ufdfa'.repeat(900).normalize('NFKC')",
    "'ŉ'.repeat(600).toUpperCase()",
    "btoa('a'.repeat(900))",
    "JSON.stringify('\\n'.repeat(600))",
    "JSON.stringify(Array(600).fill(1))",
    "'a'.repeat(600).replace(/a/g, 'bcd')",
    "'a'.repeat(600).split('').join('ab')",
    "'€'.repeat(500).link('x').bold().bold().bold().link('y'.repeat(600))",
  ])("%s is a RangeError that can be caught", async (code) => {
    expect(await value(`try { return (${code}).length } catch (e) { return e.name + ': ' + e.message.slice(0, 21) }`, LIMIT)).toBe(
      "RangeError: Invalid string length",
    );
  });

  test("a search that the host would take hours for is linear", async () => {
    expect(
      await value(
        "const n = 2_000_000; const s = 'a'.repeat(n); const needle = 'b' + 'a'.repeat(n / 2); return [s.indexOf(needle), s.lastIndexOf('a'.repeat(n / 2) + 'b'), s.includes(needle), s.split(needle).length, s.replaceAll(needle, '').length]",
      ),
    ).toEqual([-1, -1, false, 1, 2_000_000]);
  });

  test("a linear search finds what is there", async () => {
    expect(
      await value(
        "const s = 'ab'.repeat(400_000) + 'aab' + 'ab'.repeat(400_000); const n = 'aab' + 'ab'.repeat(300); return [s.indexOf(n), s.lastIndexOf(n), s.indexOf('ab'.repeat(399_000), 3), s.lastIndexOf('ab'.repeat(399_999))]",
      ),
    ).toEqual([800_000, 800_000, 4, 800_005]);
  });

  test("work is counted", async () => {
    const steps = { limits: { steps: 100_000 } };
    for (const code of [
      "while (true) 'abc'.repeat(1000).toUpperCase()",
      "const s = 'a'.repeat(1e6); while (true) s.indexOf('b')",
      "const s = 'a,'.repeat(1e6); while (true) s.split(',')",
      "while (true) 'x'.localeCompare('y'.repeat(1000))",
    ]) {
      expect((await failure(code, steps)).limit).toBe("steps");
    }
  });
});

test("patterns that are objects are asked by their symbols, texts are not", async () => {
  expect(
    await value(`
      const log = [];
      const p = { [Symbol.split]: (s, l) => ['split', s, l], [Symbol.replace]: (s, r) => ['replace', s, r], [Symbol.match]: (s) => ['match', s], [Symbol.search]: (s) => ['search', s] };
      Object.defineProperty(String.prototype, Symbol.split, { get() { throw new Error('asked') }, configurable: true });
      return ['a'.split(p, 3), 'a'.replace(p, 'r'), 'a'.match(p), 'a'.search(p), 'a-b'.split('-')];
    `),
  ).toEqual([
    ["split", "a", 3],
    ["replace", "a", "r"],
    ["match", "a"],
    ["search", "a"],
    ["a", "b"],
  ]);
});
