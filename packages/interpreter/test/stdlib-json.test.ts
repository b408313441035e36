import { describe, expect, test } from "vitest";
import { failure, hostValue, value } from "./program.js";

// Each program's answer is the host engine's own.
const SAME = [
  `return JSON.parse('{"a":1,"b":[1,2,{"c":null}],"a":3}')`,
  `return [JSON.parse('[1,-0,1.5,-2.25e3,0.1,123456789012345678,1E400,5e-324,0.30000000000000004]').map(String), Object.is(JSON.parse('-0'), -0)]`,
  `return JSON.parse('"a\\\\n\\\\u0041\\\\ud83d\\\\ude00\\\\/\\\\\\\\"')`,
  `return JSON.parse(' [ {"x":1,"y":2} , {"x":3,"y":4,"z":5}, {"y":1,"x":2}, {}, [ ], {"x":1} ] ')`,
  // Keys that repeat are compared with the text: only those whose literal is the key itself.
  `const b = String.fromCharCode(92), q = '"'; return JSON.parse('[{' + q + b + b + b + q + q + ':1},{' + q + b + q + q + ':2},{' + q + b + b + q + ':3}]')`,
  `const b = String.fromCharCode(92); const ends = (text) => { try { return JSON.parse(text) } catch (e) { return e.name } }; return [ends('[{"a' + b + '"b":1},{"a"b":2}]'), ends('[{"a' + b + 'nb":1},{"a' + String.fromCharCode(10) + 'b":2}]'), ends('{"a' + b + '"b":1}'), ends('{"a"b":1}')]`,
  `const all = []; for (let i = 0; i < 3; i++) all.push(JSON.parse('{"a":{"b":' + i + '},"c":[{"b":1,"d":2}]}'), JSON.parse('{"a":1}'), JSON.parse('{"a":{"d":2,"b":1},"z":1}'), JSON.stringify({ a: { b: i }, c: [{ d: 1 }] }), JSON.stringify({ a: i, c: undefined }, null, 1)); return all`,
  `const o = JSON.parse('{"__proto__":1,"toString":2}'); return [Object.keys(o), o.toString, Object.getPrototypeOf(o) === Object.prototype]`,
  `return Object.keys(JSON.parse('{"b":1,"10":2,"a":3,"2":4}'))`,
  `const keys = Array.from({ length: 400 }, (_, i) => 'k' + i); const text = JSON.stringify(Object.fromEntries(keys.map((k, i) => [k, { i, k }]))); const o = JSON.parse(text); o.extra = 1; delete o.k5; return [Object.keys(o).length, o.k399, JSON.stringify(o).length]`,
  `return JSON.parse('[1,{"a":2,"b":[3]}]', (k, v) => typeof v === 'number' ? v * 2 : v)`,
  `const log = []; JSON.parse('{"a":[1,2],"b":{"c":3}}', function (k, v) { log.push(k, Array.isArray(this)); return v }); return log`,
  `return JSON.parse('{"a":1,"b":2,"c":3}', (k, v) => k === 'b' ? undefined : v)`,
  `return JSON.parse('[1,2,3]', function (k, v) { if (k === '0') this[1] = 'changed'; return v })`,
  `return JSON.stringify({ a: [1, 'x', null, undefined, () => 1, Symbol('s'), NaN, -0, Infinity], b: undefined, c: { d: new Date(0) }, [Symbol('k')]: 1 })`,
  `return JSON.stringify({ a: 1, b: [1, { c: [] , d: {} }] }, null, 2)`,
  `return [JSON.stringify([1, 2], null, '--'), JSON.stringify({ a: 1 }, null, 20), JSON.stringify({ a: 1 }, null, 'x'.repeat(20)), JSON.stringify([], null, 2), JSON.stringify({ a: 1 }, null, new Number(3))]`,
  `return JSON.stringify({ b: 1, a: { b: 2, z: 3 }, 1: 4 }, ['a', 'b', 1, 'a', new String('z')])`,
  `return JSON.stringify({ a: 1, b: [2, 3] }, (k, v) => k === '' ? v : Array.isArray(v) ? v.concat(9) : typeof v === 'number' ? v + 0.5 : v)`,
  `return [JSON.stringify('\\ud800 "\\\\\\b\\u2028'), JSON.stringify(undefined) === undefined, JSON.stringify(() => 1) === undefined, JSON.stringify(Symbol()) === undefined, JSON.stringify(null), JSON.stringify(new String('x')), JSON.stringify(Object(true)), JSON.stringify([new Number(3)])]`,
  `class P { #x = 1; y = 2; get z() { return 3 } toJSON(k) { return { k, y: this.y } } } return JSON.stringify({ p: new P(), l: [new P()] })`,
  `const o = { get a() { return 1 } }; Object.defineProperty(o, 'h', { value: 2, enumerable: false }); return JSON.stringify(Object.create(o, { c: { value: 1, enumerable: true } })) + JSON.stringify(o)`,
  `const a = { x: 1, y: { toJSON() { delete a.z; a.n = 5; return 2 } }, z: 3 }; return JSON.stringify(a)`,
  `BigInt.prototype.toJSON = function () { return String(this) }; const r = JSON.stringify({ a: 1n }); delete BigInt.prototype.toJSON; return r`,
  `Object.prototype.toJSON = function () { return 'all' }; const r = JSON.stringify({ a: [{}] }); delete Object.prototype.toJSON; return r`,
  `return JSON.stringify(new Proxy({ a: 1, b: new Proxy([1, 2], {}) }, { get: (t, k) => k === 'a' ? 'trapped' : t[k] }))`,
  `return [JSON.stringify(Object.freeze([1, , 3])), JSON.stringify([, 1]), JSON.stringify(Object.assign([1], { x: 2 }))]`,
  `return JSON.stringify([new Map([[1, 2]]), new Set([1]), /x/, new Error('e'), Object.create(null), Object('ab')])`,
  `try { const a = []; a[0] = { a }; JSON.stringify(a) } catch (e) { return [e.name, e.message.startsWith('Converting circular structure to JSON')] }`,
  `try { JSON.stringify({ a: 1n }) } catch (e) { return [e.name, e.message] }`,
  `const shared = { a: 1 }; return JSON.stringify([shared, shared])`,
  `return [JSON[Symbol.toStringTag], JSON.stringify({ a: '\\u007f\\u0000é€😀' })]`,
];

describe("JSON", () => {
  test.each(SAME)("%s", async (code) => expect(await value(code)).toEqual(await hostValue(code)));

  test("records by the thousand", async () => {
    const code =
      "const rows = Array.from({ length: 3000 }, (_, i) => ({ id: i, name: 'n' + i, tags: ['a', 'é' + i], at: { x: i / 7, y: null }, ...(i % 3 === 0 ? { odd: true } : {}) })); const text = JSON.stringify(rows); const back = JSON.parse(text); return [JSON.stringify(back) === text, JSON.stringify(back, null, 1).length, back[2999].tags[1], back[3].odd, back[4].odd]";
    expect(await value(code)).toEqual(await hostValue(code));
  });
});

const MESSAGES: [string, string][] = [
  ["Hello world foo bar baz", `Unexpected token 'H', "Hello worl"... is not valid JSON`],
  ["<!DOCTYPE html><html><body>", `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`],
  ["", "Unexpected end of JSON input"],
  ['{"a":1,}', "Expected double-quoted property name in JSON at position 7 (line 1 column 8)"],
  ["{'a':1}", "Expected property name or '}' in JSON at position 1 (line 1 column 2)"],
  ['{"a":1\n "b":2}', "Expected ',' or '}' after property value in JSON at position 8 (line 2 column 2)"],
  ["[1,]", `Unexpected token ']', "[1,]" is not valid JSON`],
  ['{"foo":"bar", "baz": [1,2,undefined]}', `Unexpected token 'u', ..."az": [1,2,undefined]"... is not valid JSON`],
  ['"abc', "Unterminated string in JSON at position 4 (line 1 column 5)"],
  ["{} x", "Unexpected non-whitespace character after JSON at position 3 (line 1 column 4)"],
  ["undefined", `"undefined" is not valid JSON`],
];

describe("messages of JSON.parse", () => {
  test.each(MESSAGES)("%j", async (text, message) => {
    expect(await value("try { JSON.parse(input) } catch (e) { return e.name + ': ' + e.message }", { globals: { input: text } })).toBe(
      `SyntaxError: ${message}`,
    );
  });
  test("a value in place of a text", async () => {
    expect(
      await value("const out = []; for (const v of [undefined, {}]) try { JSON.parse(v) } catch (e) { out.push(e.message) } return out"),
    ).toEqual(['"undefined" is not valid JSON', '"[object Object]" is not valid JSON']);
  });
});

test("source text access and raw JSON", async () => {
  expect(
    await value(
      `return [JSON.parse('[1.0,{"a":"x\\\\u0041","b":[true]}]', (k, v, { source }) => source ?? v), JSON.stringify({ n: JSON.rawJSON('12345678901234567890'), s: JSON.rawJSON('"x"') }), JSON.isRawJSON(JSON.rawJSON('1')), JSON.isRawJSON({ rawJSON: '1' }), Object.isFrozen(JSON.rawJSON('1'))]`,
    ),
  ).toEqual([["1.0", { a: '"x\\u0041"', b: ["true"] }], '{"n":12345678901234567890,"s":"x"}', true, false, true]);
  expect(
    await value(
      "const out = []; for (const t of ['{}', '[]', ' 1', '', '1\\n', 'x']) try { JSON.rawJSON(t); out.push(t) } catch (e) { out.push(e.name) } return out",
    ),
  ).toEqual(Array(6).fill("SyntaxError"));
});

describe("JSON within the limits", () => {
  test("deep nesting never overflows the host's stack", async () => {
    expect(
      await value(
        "const n = 100000; const v = JSON.parse('['.repeat(n) + ']'.repeat(n)); let d = 0; for (let x = v; x; x = x[0]) d++; return d",
      ),
    ).toBe(100_000);
    expect(
      await value(
        `const n = 100000; let d = 0; for (let x = JSON.parse('{"a":'.repeat(n) + '1' + '}'.repeat(n)); typeof x === 'object'; x = x.a) d++; return d`,
      ),
    ).toBe(100_000);
    expect((await failure("const n = 100000; return JSON.stringify(JSON.parse('['.repeat(n) + ']'.repeat(n))).length")).limit).toBe(
      "callDepth",
    );
    expect((await failure("const n = 100000; JSON.parse('['.repeat(n) + ']'.repeat(n), (k, v) => v)")).limit).toBe("callDepth");
    expect((await failure("const n = 100000; structuredClone(JSON.parse('['.repeat(n) + ']'.repeat(n)))")).limit).toBe("callDepth");
    expect((await failure("const o = {}; o.toJSON = () => ({ a: { toJSON: o.toJSON } }); JSON.stringify(o)")).limit).toBe("callDepth");
  });
  test("an array over the limit is a RangeError", async () => {
    expect(
      await value("try { JSON.parse('[' + '1,'.repeat(2000) + '1]') } catch (e) { return e.name }", { limits: { arrayLength: 1000 } }),
    ).toBe("RangeError");
  });
  test("work is counted", async () => {
    expect(
      (await failure("const t = JSON.stringify(Array(1000).fill({ a: 1 })); for (;;) JSON.parse(t)", { limits: { steps: 300_000 } })).limit,
    ).toBe("steps");
    expect((await failure("const v = Array(1000).fill({ a: 1 }); for (;;) JSON.stringify(v)", { limits: { steps: 300_000 } })).limit).toBe(
      "steps",
    );
  });
});
