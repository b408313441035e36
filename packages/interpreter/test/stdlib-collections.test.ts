import { describe, expect, test } from "vitest";
import { failure, hostValue, value } from "./program.js";

const SAME = [
  "const m = new Map([[1, 'a'], ['1', 'b'], [NaN, 'n'], [-0, 'z']]); return [m.get(1), m.get('1'), m.get(NaN), m.get(0), m.size, [...m.keys()].map((k) => Object.is(k, -0))]",
  "const m = new Map([[1, 1], [2, 2], [3, 3]]); const seen = []; for (const [k] of m) { seen.push(k); if (k === 1) { m.delete(2); m.set(4, 4); } if (k === 3) { m.delete(1); m.set(1, 1); } } return seen",
  "const s = new Set([1, 2, 3]); const seen = []; s.forEach((x) => { seen.push(x); if (x === 1) { s.clear(); s.add(7); s.add(8); } }); return seen",
  "const m = new Map(); const it = m.entries(); m.set(1, 2); const a = it.next(); const b = it.next(); m.set(3, 4); return [a, b, it.next()]",
  "const m = new Map([[1, 2]]); return [m.delete(1), m.delete(1), m.has(1), m.set(1, 1) === m, m.clear()]",
  "class M extends Map { set(k, v) { return super.set(k, v * 2); } } return [...new M([['a', 1]])]",
  "try { new Map([1]); } catch (e) { return e.name; }",
  "try { Map(); } catch (e) { return e.message; }",
  "try { Map.prototype.get.call({}, 1); } catch (e) { return e.name; }",
  "return [...new Set('hello')].join('') + [...new Set([1, '1', 1])].length",
  "const k = {}; const w = new WeakMap([[k, 1]]); const s = new WeakSet([k]); return [w.get(k), w.has({}), s.has(k), s.delete(k), s.has(k), new WeakRef(k).deref() === k]",
  "try { new WeakMap().set(1, 1); } catch (e) { return e.name; }",
  "const it = { n: 0, next() { return { done: this.n > 2, value: this.n++ }; }, [Symbol.iterator]() { return this; } }; return [[...it], Array.from(it), new Set(it).size]",
  "let closed = 0; const it = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }), return() { closed++; return {}; } }) }; for (const x of it) break; const [a] = it; try { new Map(it); } catch {} return closed",
  "return [...new Map([[1, 2]]).entries()].concat([...new Set([3]).entries()])",
  "const m = new Map([['a', { n: 1 }]]); m.get('a').n++; return [...m]",
];

describe("collections and iteration as the host's", () => {
  test.each(SAME)("%s", async (code) => {
    expect(await value(code)).toEqual(await hostValue(code));
  });
});

// What Node 20's own engine does not have.
const EXPECTED: [string, unknown][] = [
  [
    "const a = new Set([1, 2, 3]); const b = new Set([3, 4]); return [[...a.union(b)], [...a.intersection(b)], [...a.difference(b)], [...a.symmetricDifference(b)], a.isSubsetOf(b), a.isSupersetOf(new Set([1])), a.isDisjointFrom(new Set([9]))]",
    [[1, 2, 3, 4], [3], [1, 2], [1, 2, 4], false, true, true],
  ],
  ["return [...new Set([1, 2]).union(new Map([[5, 6]]))]", [1, 2, 5]],
  [
    "const m = new Map([['a', 1]]); return [m.getOrInsert('a', 2), m.getOrInsert('b', 3), m.getOrInsertComputed('c', (k) => k + k), [...m]]",
    [
      1,
      3,
      "cc",
      [
        ["a", 1],
        ["b", 3],
        ["c", "cc"],
      ],
    ],
  ],
  ["return [1, 2, 3, 4, 5].values().filter((x) => x % 2).map((x) => x * 10).drop(1).take(1).toArray()", [30]],
  [
    "function* g() { let i = 0; for (;;) yield i++; } return [g().take(3).toArray(), g().find((x) => x > 5), g().some((x) => x > 3), g().drop(2).flatMap((x) => [x, x]).take(4).toArray()]",
    [[0, 1, 2], 6, true, [2, 2, 3, 3]],
  ],
  [
    "let closed = 0; function* g() { try { yield 1; yield 2; } finally { closed++; } } g().take(1).toArray(); try { g().map(() => { throw 1; }).next(); } catch {} const i = g().map((x) => x); i.next(); i.return(); return closed",
    3,
  ],
  [
    "return [Iterator.from({ next: () => ({ done: true }) }).toArray(), Iterator.concat([1], [2, 3]).toArray(), Iterator.zip([[1, 2], ['a', 'b', 'c']]).toArray(), Iterator.zip([[1, 2], ['a']], { mode: 'longest', padding: [0, '-'] }).toArray(), Iterator.zipKeyed({ x: [1, 2], y: [3, 4] }).toArray()]",
    [
      [],
      [1, 2, 3],
      [
        [1, "a"],
        [2, "b"],
      ],
      [
        [1, "a"],
        [2, "-"],
      ],
      [
        { x: 1, y: 3 },
        { x: 2, y: 4 },
      ],
    ],
  ],
  [
    "return [[1, 2, 3].values().reduce((a, b) => a + b), [1, 2].values().includes(2), ['a', 'b'].values().join('-'), [1, 2, 3].values().chunks(2).toArray(), [1, 2, 3].values().windows(2).toArray(), [1, 2].values().every((x) => x > 0)]",
    [
      6,
      true,
      "a-b",
      [[1, 2], [3]],
      [
        [1, 2],
        [2, 3],
      ],
      true,
    ],
  ],
  [
    "const log = []; { using a = { [Symbol.dispose]() { log.push('a'); } }; using s = new DisposableStack(); s.defer(() => log.push('d')); s.adopt(5, (x) => log.push(x)); s.use({ [Symbol.dispose]() { log.push('u'); } }); } return log",
    ["u", 5, "d", "a"],
  ],
  [
    "const s = new DisposableStack(); s.defer(() => { throw 1; }); s.defer(() => { throw 2; }); try { s.dispose(); } catch (e) { return [e.name, e.error, e.suppressed, s.disposed]; }",
    ["SuppressedError", 1, 2, true],
  ],
  [
    "const log = []; const s = new AsyncDisposableStack(); s.defer(async () => { await null; log.push(1); }); s.use({ [Symbol.dispose]() { log.push(2); } }); await s.disposeAsync(); return log",
    [2, 1],
  ],
];

describe("newer than the host", () => {
  test.each(EXPECTED)("%s", async (code, expected) => {
    expect(await value(code)).toEqual(expected);
  });
});

test("changed prototypes are seen by the native paths", async () => {
  expect(
    await value(
      "Array.prototype[Symbol.iterator] = function* () { yield 'mine'; }; const [a] = [1]; return [[...[1, 2]], a, new Set([1]).size, Math.max(...[1].values())]",
    ),
  ).toEqual([["mine"], "mine", 1, 1]);
  expect(
    await value(
      "const P = Object.getPrototypeOf([].values()); P.next = () => ({ done: true }); return [[...[1, 2]].length, Array.from([1]).length]",
    ),
  ).toEqual([0, 0]);
  expect(await value("Map.prototype.set = function () { return this; }; return new Map([[1, 2]]).size")).toBe(0);
  expect(
    await value(
      "const P = Object.getPrototypeOf(new Map().entries()); const next = P.next; P.next = function () { const r = next.call(this); return r.done ? r : { done: false, value: 'n' }; }; return [...new Map([[1, 2]])]",
    ),
  ).toEqual(["n"]);
});

describe("bounds", () => {
  test("entries are counted", async () => {
    expect(
      await value("const s = new Set(); try { for (let i = 0; ; i++) s.add(i); } catch (e) { return [e.name, s.size]; }", {
        limits: { arrayLength: 1000 },
      }),
    ).toEqual(["RangeError", 1000]);
    expect(
      (await failure("const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })", { limits: { memoryBytes: 40_000_000 } })).limit,
    ).toBe("memoryBytes");
  });
  test("endless iterators end by steps", async () => {
    const endless = "const e = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) };";
    for (const use of [
      "for (const x of e);",
      "Iterator.from(e[Symbol.iterator]()).forEach(() => 1)",
      "new Set(e)",
      "new Set([1]).isSupersetOf({ size: 1, has() {}, keys: () => e[Symbol.iterator]() })",
    ]) {
      expect((await failure(endless + use, { limits: { steps: 100_000 } })).limit, use).toBe("steps");
    }
  });
});
