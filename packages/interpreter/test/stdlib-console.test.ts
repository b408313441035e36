import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { run } from "@airlock/interpreter";

async function lines(code: string): Promise<string[]> {
  const outcome = await run(code, { seed: 1 });
  if (outcome.status === "failed") throw new Error(outcome.error.message);
  return outcome.logs.map((entry) => `${entry.level}: ${entry.text}`);
}

// Plain data and builtin objects look as in Node.
const SAME = [
  "({ a: 1, b: [1, 2, { c: null, d: { e: { f: { g: {} } } } }], 'x-y': \"it's\", 3: 4 })",
  "[]",
  "[1, , 3, undefined, null]",
  "Array.from({ length: 120 }, (_, i) => i * i)",
  "Array.from({ length: 30 }, (_, i) => 'str' + i)",
  "Array.from({ length: 3 }, (_, i) => ({ id: i, name: 'user number ' + i, email: 'u' + i + '@example.com', tags: ['a', 'b'] }))",
  "['a\\nb', \"it's\", 'say \"x\"', `both ' and \"`, '\\u0000\\x7f', '\\ud800']",
  "({ k: 'x'.repeat(100), l: [[[[[[1]]]]]] })",
  "new Map([['a', 1], [{ b: 1 }, new Set([1, 'x'])]])",
  "[new Map(), new Set(), new WeakMap(), /a\\/b/gi, new Date(0), new Date(NaN), Symbol('s'), 10n, -0, NaN]",
  "[() => 1, function f() {}, class A {}, class B extends Map {}, async () => {}, function* g() {}, Math.max]",
  "(() => { const o = { a: { b: {} } }; o.a.b.back = o.a; o.self = o; return o })()",
  "({ get a() { throw 1 }, set b(v) {}, get c() { return 1 }, set c(v) {} })",
  "new (class Foo { constructor() { this.x = 1; this.y = [2] } })()",
  "[Object.create(null), Object.create({ a: 1 }), Object.assign(Object.create(null), { a: 1 }), new (class extends Array {})(3)]",
  "[Promise.resolve(4), new Promise(() => {}), Object(1), Object('abc'), Object(true), Object(Symbol('x'))]",
  "({ [Symbol('k')]: 1, [Symbol.iterator]: 2, f: Object.assign(() => {}, { x: 1 }) })",
  "[new Uint8Array([1, 2, 3]), new Float64Array(2), new ArrayBuffer(3), new Uint8Array(0)]",
  "Object.assign([1, 2], { extra: true, '-1': 2 })",
  "[new URLSearchParams('a=1&b=2'), (function () { return arguments })(1, 2).length]",
  "[[1, 2, [3, 4, [5, [6]]], { a: { b: { c: {} } } }]]",
  "'x'.repeat(20000).split('').slice(0, 150)",
  "Array.from({ length: 40 }, (_, i) => ({ i }))",
  "({ a: 'multi\\nline', b: ['also\\nmulti'] })",
];

describe("console.log", () => {
  test.each(SAME)("%s", async (expression) => {
    // Newer versions of Node put a buffer's length in brackets, and symbols in none.
    const expected = inspect(new Function(`return ${expression}`)(), { depth: 4 })
      .replaceAll("[byteLength]", "byteLength")
      .replace(/(?<=^\s*)Symbol\((.*?)\)(?=: )/gm, "[Symbol($1)]");
    expect(await lines(`console.log([${expression}][0])`)).toEqual([`log: ${expected}`]);
  });

  test("no code of the program runs", async () => {
    expect(
      await lines(`
        let ran = 0;
        const touch = () => { ran++; throw new Error('ran') };
        const trap = new Proxy({ a: 1 }, new Proxy({}, { get: touch }));
        const o = { get x() { return touch() }, toString: touch, toJSON: touch, [Symbol.toPrimitive]: touch, get [Symbol.toStringTag]() { return touch() }, constructor: touch };
        console.log(trap, o, [o], '%s %d %i %f %j %o %O', o);
        console.log('%s %d %j %o %O', o, o, o, o, o, trap);
        console.table([o, trap]); console.dir(o); console.group(o); console.count(o); console.time(o); console.assert(false, o); console.error(o, trap);
        const e = new Error('m'); Object.defineProperty(e, 'name', { get: touch }); Object.defineProperty(e, 'message', { get: touch }); console.log(e, '%s', e);
        console.log(ran);
      `),
    ).toContain("log:   0");
  });

  test("directives", async () => {
    expect(
      await lines(
        "console.log('%s is %d years and %i, %f, %j %o %O %% %c|%x', 'Bob', 42.5, 42.9, '1.5x', { a: [1] }, [1], { b: 2 }, 'css', 'rest', { c: 3 }); console.log('%s'); console.log('100%', 5); console.log('%d', 5n, 6n); console.log('%s', null, undefined); console.log('a%', 'b'); console.log(1, '%s', 2)",
      ),
    ).toEqual([
      `log: Bob is 42.5 years and 42, 1.5, {"a":[1]} [ 1 ] { b: 2 } % |%x rest { c: 3 }`,
      "log: %s",
      "log: 100% 5",
      "log: 5n 6n",
      "log: null undefined",
      "log: a% b",
      "log: 1 %s 2",
    ]);
  });

  test("levels, groups, counts, assertions, tables", async () => {
    expect(
      await lines(`
        console.info('i'); console.debug('d'); console.warn('w'); console.error('e'); console.log();
        console.group('G'); console.log('in\\nner'); console.group(); console.log('deep'); console.groupEnd(); console.groupEnd(); console.groupEnd(); console.log('out');
        console.count(); console.count('x'); console.count(); console.countReset(); console.count(); console.countReset('none');
        console.assert(true, 'no'); console.assert(false); console.assert(0, 'is %s', 'zero'); console.assert(null, { a: 1 });
        console.table([{ a: 1, b: 'x' }, { a: 2, c: true }, 5]); console.table(new Map([['k', { v: 1 }]])); console.table('text'); console.table([{ a: 1, b: 2 }], ['b']);
        console.trace('here');
      `),
    ).toEqual([
      "info: i",
      "debug: d",
      "warn: w",
      "error: e",
      "log: ",
      "log: G",
      "log:   in\n  ner",
      "log:     deep",
      "log: out",
      "info: default: 1",
      "info: x: 1",
      "info: default: 2",
      "info: default: 1",
      "warn: Warning: Count for 'none' does not exist",
      "error: Assertion failed",
      "error: Assertion failed: is zero",
      "error: Assertion failed { a: 1 }",
      "log: ┌─────────┬───┬─────┬──────┬────────┐\n│ (index) │ a │ b   │ c    │ Values │\n├─────────┼───┼─────┼──────┼────────┤\n│ 0       │ 1 │ 'x' │      │        │\n│ 1       │ 2 │     │ true │        │\n│ 2       │   │     │      │ 5      │\n└─────────┴───┴─────┴──────┴────────┘",
      "log: ┌───────────────────┬───┐\n│ (iteration index) │ v │\n├───────────────────┼───┤\n│ 0                 │ 1 │\n└───────────────────┴───┘",
      "log: text",
      "log: ┌─────────┬───┐\n│ (index) │ b │\n├─────────┼───┤\n│ 0       │ 2 │\n└─────────┴───┘",
      "log: Trace: here",
    ]);
  });

  test("times are the run's", async () => {
    let t = 1000;
    const outcome = await run("console.time('t'); console.timeLog('t', 'mark'); console.timeEnd('t'); console.timeEnd('t')", {
      now: () => (t += 1500),
    });
    expect(outcome.logs.map((l) => l.text)).toEqual([
      expect.stringMatching(/^t: [\d.]+s mark$/),
      expect.stringMatching(/^t: [\d.]+s$/),
      "Warning: No such label 't' for console.timeEnd()",
    ]);
  });

  test("errors show where they were made, causes and own data", async () => {
    const [text] = await lines("const e = new TypeError('bad', { cause: new Error('root') }); e.code = 'E1'; console.log(e)");
    expect(text).toMatch(/^log: TypeError: bad\n {4}at .*program:1:11.*\{\n {2}code: 'E1',\n {2}\[cause\]: Error: root\n {6}at /s);
  });

  test("huge values are cut", async () => {
    const [text] = await lines("const o = {}; for (let i = 0; i < 5000; i++) o['k' + i] = 'v'.repeat(2000); console.log(o)");
    expect(text.length).toBeLessThan(250_000);
    expect(text).toContain("4900 more properties");
    const [deep] = await lines("let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; console.log(o)");
    expect(deep).toBe("log: {\n  o: {\n    o: { o: { o: { o: [Object] } } }\n  }\n}");
  });
});
