import { describe, expect, test } from "vitest";
import { failure, hostValue, value } from "./program.js";

// Each program's answer is the host engine's own.
const SAME = [
  "return [3, 1, 2].sort()",
  "return [10, 9, 1, undefined, , 2].sort().length",
  "const a = [10, 9, 1, undefined, , 2]; a.sort(); return [a.join('|'), 5 in a, 4 in a]",
  "return [5, 1, 4].sort((a, b) => b - a)",
  "return Array.from({ length: 50 }, (_, i) => ({ k: i % 5, i })).sort((a, b) => a.k - b.k).map((x) => x.i)",
  "return ['b', 10, 'a', 9, null, true].sort()",
  "return [1, [2, [3, [4]]]].flat(Infinity)",
  "return [1, 2, 3].flatMap((x) => [x, [x * 2]])",
  "const a = [1, 2, 3, 4, 5]; const r = a.splice(1, 2, 'x', 'y', 'z'); return [a, r]",
  "const a = [1, 2, 3, 4, 5]; const r = a.splice(-2); return [a, r]",
  "const a = []; for (let i = 0; i < 600; i++) a.push(i); const r = a.splice(5, 1, ...a.slice(0, 400)); return [a.length, a[4], a[5], a[404], a[405], r]",
  "const a = [1, 2]; a.unshift(9, 8); a.shift(); return a",
  "const a = [1, 2, 3]; const b = a.map((x, i) => { if (i === 0) { a.push(9); a[1] = 5; delete a[2]; } return x * 2; }); return [b, 2 in b, b.length, a.length]",
  "const b = [1, , 3].map((x) => x); return [b.length, 1 in b, b.indexOf(undefined)]",
  "const a = [1, 2, 3]; Object.defineProperty(a, 'constructor', { get() { a.push(4, 5); return Array; } }); const b = a.map((x) => x + 1); return [b, a.length]",
  "const a = [1, 2, 3]; Object.defineProperty(a, 'constructor', { get() { a.length = 1; return Array; } }); const b = a.map((x) => x + 1); return [b, b.length, 1 in b]",
  "Array.prototype[1] = 'p'; const b = [1, , 3].map((x) => x + '!'); const c = [3, , 1].sort(); delete Array.prototype[1]; return [b, c, 1 in c]",
  "return Array.prototype.map.call({ length: 3, 0: 'a', 2: 'c' }, (x) => x + x)",
  "const a = [3, 1, 2]; const b = a.toSorted(); b.push(0); return [a, b, [2, , undefined, 1].toSorted()]",
  "const a = [3, undefined, 1]; a.sort((x, y) => { a.push(7); return x - y; }); return a",
  "return [1, 2, 3].concat(4, [5, [6]], { 0: 7, length: 1, [Symbol.isConcatSpreadable]: true })",
  "return [1, , 3].concat([, 5]).map((x) => x ?? 'hole')",
  "const seen = []; [1, , 3].forEach((x, i, all) => seen.push([x, i, all.length])); return seen",
  "const a = [1, 2, 3]; const seen = []; a.forEach((x) => { seen.push(x); if (x < 3) a.push(x + 10); }); return [a, seen]",
  "const a = [1, 2, 3, 4]; return [a.map((x, i) => { if (i === 0) a.length = 2; return x; }).length, a]",
  "const a = [1, 2, 3, 4]; return a.filter((x, i) => { if (i === 0) a[3] = 40; return x > 1; })",
  "return [1, 2, 3].reduce((s, x, i, a) => s + x * i + a.length)",
  "return [[1, 2], [3]].reduceRight((s, x) => s.concat(x), [])",
  "return [NaN, -0, 1].includes(NaN) && ![NaN].includes(1) && [NaN].indexOf(NaN)",
  "return [, 1].includes(undefined) && [, 1].indexOf(undefined)",
  "return [1, 2, 1].lastIndexOf(1, -2)",
  "return [1, 2, 3, 4, 5].copyWithin(1, 3)",
  "return [1, 2, 3, 4, 5].copyWithin(2, 0, 3)",
  "return [1, 2, 3].fill(7, -2, -1)",
  "return [1, 2, 3, 4].findLast((x) => x % 2) + [1, 2, 3, 4].findLastIndex((x) => x > 9)",
  "return [[1, 2, 3].at(-1), [].at(0), [1].at(5)]",
  "return [1, 2, 3].with(1, 9).concat([3, 1].toSorted(), [1, 2].toReversed(), [1, 2, 3].toSpliced(1, 1, 8, 8))",
  "return [1, [2, [3, null, undefined]], { a: 1 }].toString()",
  "const a = [1]; a.push(a); return a.join('-')",
  "return Object.keys(Object.assign([1, 2], { x: 1 }))",
  "const a = [1, 2, 3]; a.length = 1; a[3] = 4; return [a.length, 1 in a, a]",
  "const a = [1, 2, 3]; delete a[1]; return [1 in a, a.length, a.map(() => 1).length]",
  "return [...[1, , 3].entries()]",
  "return [...[1, 2].keys(), ...'ab', ...new Set([1, 1, 2])]",
  "return Array.from('a😀b').length + Array.of(1, 2, 3).length",
  "return Array.from([1, 2, 3], (x, i) => x * i)",
  "class A extends Array {} const a = A.from([1, 2, 3]); const m = a.map((x) => x * 2); return [m instanceof A, m.length, a.slice(1) instanceof A, A.of(1) instanceof A]",
  "const a = Object.freeze([1, 2]); let e; try { a.push(3); } catch (x) { e = x.name; } return [e, a, Object.isFrozen(a), a.map((x) => x + 1), a.includes(2)]",
  "const a = [1, 2, 3]; Object.defineProperty(a, 1, { get: () => 'got' }); return [a, a.map((x) => x), a.indexOf('got')]",
  "Array.prototype[1] = 'proto'; try { return [[1, , 3].map((x) => x), [1, , 3].indexOf('proto'), [...[1, , 3]]]; } finally { delete Array.prototype[1]; }",
  "const p = Object.create([1, 2]); return [p.length, Array.isArray(p), Array.isArray(new Proxy([], {}))]",
  "return Array.prototype.map.call('abc', (x) => x + x)",
  "return Array.prototype.slice.call({ 0: 'a', 1: 'b', length: 2 })",
  "try { [].reduce((a, b) => a); } catch (e) { return e.message; }",
  "try { [1].map(3); } catch (e) { return e.name; }",
  "try { new Array(-1); } catch (e) { return e.message; }",
  "const s = Array.prototype[Symbol.unscopables]; return [Object.getPrototypeOf(s), s.flat]",
];

describe("arrays as the host's", () => {
  test.each(SAME)("%s", async (code) => {
    expect(await value(code)).toEqual(await hostValue(code));
  });
});

test("Array.fromAsync gathers what it awaits", async () => {
  expect(
    await value(
      "async function* g() { yield 1; yield 2; } return [await Array.fromAsync(g(), (x) => x * 2), await Array.fromAsync([Promise.resolve(1), 2]), await Array.fromAsync({ length: 2, 0: 'a' })]",
    ),
  ).toEqual([
    [2, 4],
    [1, 2],
    ["a", null],
  ]);
});

test("a sort that changes its array sorts what was there", async () => {
  expect(await value("const a = [3, 1, 2]; a.sort((x, y) => { a.length = 0; return x - y; }); return a")).toEqual([1, 2, 3]);
});

describe("bounds", () => {
  test("lengths end in a RangeError that can be caught", async () => {
    for (const code of [
      "new Array(1001)",
      "const a = []; for (;;) a.push(1)",
      "const a = [1]; for (;;) a.push(...a)",
      "let a = [1]; for (;;) a = a.concat(a)",
      "const a = []; a[1000] = 1",
      "[].length = 1001",
      "Array.from({ length: 1001 })",
      "Array.from({ length: 999 }).flatMap(() => [1, 2])",
    ]) {
      expect(await value(`try { ${code} } catch (e) { return e.name; } return "none"`, { limits: { arrayLength: 1000 } }), code).toBe(
        "RangeError",
      );
    }
  });

  test("huge lengths end by steps", async () => {
    for (const name of ["indexOf", "includes", "forEach", "every", "fill", "join", "lastIndexOf", "reverse", "sort"]) {
      const { limit } = await failure(
        `Array.prototype.${name}.call({ length: 2 ** 53 - 1 }, ${name === "join" ? "''" : name === "sort" ? "undefined" : "() => true"})`,
        { limits: { steps: 200_000 } },
      );
      expect(limit, name).toBe("steps");
    }
  });

  test("text of elements ends by stringLength", async () => {
    expect(await value("try { new Array(1e6).fill('x'.repeat(100)).join(''); } catch (e) { return e.name; }")).toBe("RangeError");
  });
});
