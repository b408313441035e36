import { describe, expect, test } from "vitest";
import { failure, hostValue, value } from "./program.js";

// Each program's answer is the host engine's own.
const SAME = [
  "return [Number('0x1f'), Number(' 12 '), String(Number('1_0')), Number(''), Number(null), Number('1e3'), Number(10n), Number([5])]",
  "return [(255).toString(16), (0.1).toString(3), (-255).toString(36), (1e21).toString(), (25).toString(2)]",
  "return [(1.005).toFixed(2), (1e21).toFixed(2), (-1.5).toFixed(0), (0).toFixed(2), (123.456).toPrecision(4), (0.00001).toPrecision(1), (12345).toExponential(2), (NaN).toFixed(2)]",
  "return [Number.isInteger(5.0), Number.isSafeInteger(2 ** 53), Number.isFinite('5'), isFinite('5'), Number.isNaN('x'), isNaN('x'), Number.parseFloat === parseFloat]",
  "return [parseInt('12px'), String(parseInt('px')), parseInt('0x1f'), parseInt('11', 2), parseInt('z', 36), String(parseInt('1', 1)), parseInt(1e21), parseInt(-0), parseInt(0.0000005), parseFloat('3.14abc'), parseFloat('.5'), String(parseFloat('')), parseFloat('-Infinityx') === -Infinity]",
  "return [(1234567.891).toLocaleString(), (0.256).toLocaleString('en-US', { style: 'percent' }), (1234.5).toLocaleString('de-DE', { style: 'currency', currency: 'EUR' }), (12345678901234567890n).toLocaleString('en-US')]",
  "return [Number.MAX_SAFE_INTEGER, Number.EPSILON, Number.MIN_VALUE, Number.MAX_VALUE]",
  "return [typeof new Number(5), new Number(5) + 1, Object(5) instanceof Number, new Number('7').valueOf()]",
  "return [String(BigInt('0xff')), String(BigInt(' 12 ')), String(BigInt.asIntN(8, 255n)), String(BigInt.asUintN(8, -1n)), String(BigInt.asUintN(64, -1n)), (255n).toString(16), String(BigInt(true))]",
  "for (const f of [() => BigInt(1.5), () => BigInt('x'), () => BigInt(undefined), () => new BigInt(1), () => BigInt.asIntN(-1, 1n), () => (1n).toString(1), () => (1).toString(37), () => (1).toFixed(101)]) { try { f(); return String(f) } catch (e) { if (!['RangeError', 'SyntaxError', 'TypeError'].includes(e.name)) return e.name } } return 'all refused'",
  "return [Math.max(), Math.min(), Math.max(1, '3', 2), Math.max(NaN, 1), Math.max(-0, 0), Math.min(0, -0), Math.hypot(3, 4), Math.hypot(), Math.hypot(1e200, 1e200), Math.hypot(NaN, Infinity)].map(String)",
  "return [Math.round(-0.5), Math.round(2.5), Math.round(-2.5), Math.sign(-3), Math.trunc(-4.7), Math.cbrt(27), Math.clz32(1), Math.imul(0xffffffff, 5), Math.fround(5.5), Math.fround(5.05), Math.log2(8), Math.expm1(1e-10), Math.atan2(1, 1)].map((n) => [n, Object.is(n, -0)])",
  "return [Math[Symbol.toStringTag], Object.keys(Math).length, Math.pow(2, 0.5), 2 ** 31]",
];

describe("Number, BigInt, Math", () => {
  test.each(SAME)("%s", async (code) => expect(await value(code)).toEqual(await hostValue(code)));
});

test("Math.sumPrecise and Math.f16round", async () => {
  expect(
    await value(
      "return [Math.sumPrecise([1e20, 0.1, -1e20]), Math.sumPrecise([0.1, 0.2, 0.3]), Object.is(Math.sumPrecise([]), -0), Math.sumPrecise([1e308, 1e308, -1e308]), String(Math.sumPrecise([Infinity, -Infinity])), Math.f16round(1.337), Math.f16round(65520) === Infinity, Math.f16round(5.960464477539063e-8)]",
    ),
  ).toEqual([0.1, 0.6, true, 1e308, "NaN", 1.3369140625, true, 5.960464477539063e-8]);
  expect(await value("try { Math.sumPrecise([1, '2']) } catch (e) { return e.name }")).toBe("TypeError");
});

test("random numbers are the run's", async () => {
  const code = "return [Math.random(), Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(4))]]";
  expect(await value(code, { seed: 7 })).toEqual(await value(code, { seed: 7 }));
  expect(await value(code, { seed: 7 })).not.toEqual(await value(code, { seed: 8 }));
  expect(await value("return Math.random()", { random: () => 0.25 })).toBe(0.25);
});

test("BigInt work is counted by its size", async () => {
  expect((await failure("let x = 3n ** 100000n; for (;;) x.toString()", { limits: { steps: 5_000_000 } })).limit).toBe("steps");
});

test("the global object starts with its values", async () => {
  expect(await value("return [Object.getOwnPropertyNames(globalThis).slice(0, 4), globalThis.globalThis === globalThis]")).toEqual([
    ["globalThis", "Infinity", "NaN", "undefined"],
    true,
  ]);
  expect(
    await value(
      "return ['NaN', 'Infinity', 'undefined'].map((k) => { const d = Object.getOwnPropertyDescriptor(globalThis, k); return [d.writable, d.enumerable, d.configurable] })",
    ),
  ).toEqual([
    [false, false, false],
    [false, false, false],
    [false, false, false],
  ]);
});
