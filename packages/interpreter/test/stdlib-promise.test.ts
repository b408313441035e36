import { describe, expect, test } from "vitest";
import { run } from "@airlock/interpreter";
import { hostValue, value } from "./program.js";

// Event and EventTarget are no globals; they are reached as programs could.
const EVENTS =
  "const EventTarget = Object.getPrototypeOf(AbortSignal); let Event; { const c = new AbortController(); c.signal.addEventListener('abort', (e) => { Event = e.constructor; }); c.abort(); } ";

// Each program's answer is the host engine's own, order of turns included.
const SAME = [
  "const log = []; const p = Promise.resolve(); p.then(() => log.push(1)); p.then(() => log.push(2)).then(() => log.push(4)); p.then(() => log.push(3)); log.push(0); await p; await null; return log",
  "const log = []; (async () => { log.push('a'); await null; log.push('b') })(); Promise.resolve().then(() => log.push('c')); log.push('d'); await 0; await 0; return log",
  "const log = []; const inner = Promise.resolve('i'); Promise.resolve().then(() => inner).then(() => log.push('adopted')); let q = Promise.resolve(); for (let i = 0; i < 5; i++) q = q.then(() => log.push(i)); await q; return log",
  "const log = []; new Promise((r) => r({ then(f) { log.push('then'); f('t') } })).then((v) => log.push(v)); Promise.resolve().then(() => log.push(1)).then(() => log.push(2)); for (let i = 0; i < 4; i++) await 0; return log",
  "return Promise.all([1, Promise.resolve(2), { then: (f) => f(3) }])",
  "return Promise.all([]).then((v) => v.length)",
  "return Promise.all([Promise.reject('no'), new Promise(() => {})]).catch((e) => 'caught ' + e)",
  "return Promise.allSettled([1, Promise.reject('no'), { then: (f, r) => r('thenable') }])",
  "return Promise.any([Promise.reject(1), Promise.resolve(2), 3])",
  "return Promise.any([Promise.reject(1), Promise.reject(2)]).catch((e) => [e.name, e.errors, e.message, e instanceof AggregateError])",
  "return Promise.race([new Promise(() => {}), Promise.resolve('first'), 'second'])",
  "return Promise.resolve(1).finally(() => 2).then((v) => v)",
  "return Promise.resolve(1).finally(() => { throw 'f' }).catch((e) => e)",
  "return Promise.reject(1).finally(() => Promise.reject(2)).catch((e) => e)",
  "const log = []; await Promise.reject('x').finally((...a) => log.push(a.length)).catch((e) => log.push(e)); return log",
  "class P extends Promise {} const p = P.resolve(1); return [p instanceof P, p.then(() => {}) instanceof P, p.finally(() => {}) instanceof P, P.all([]) instanceof P, await P.all([1, p])]",
  "class P extends Promise { static get [Symbol.species]() { return Promise } } return new P((r) => r(1)).then(() => {}) instanceof P",
  "const p = new Promise((r) => r(p2())); function p2() { return Promise.resolve('deep') } return p",
  "let r; const p = new Promise((f) => { r = f }); r(p); return p.catch((e) => e.name)",
  "const out = []; for (const f of [() => new Promise(), () => new Promise(1), () => Promise(() => {}), () => Promise.prototype.then.call({}), () => Promise.resolve.call(1)]) { try { f(); out.push('none') } catch (e) { out.push(e.name) } } return out",
  "const log = []; const t = { then: (f) => { log.push('called'); f(1); f(2) } }; log.push(await t, await Promise.all([t, t])); return log",
  "const seen = []; const then = Promise.prototype.then; Promise.prototype.then = function (...a) { seen.push('then'); return then.apply(this, a) }; await Promise.all([Promise.resolve(1), 2]); Promise.prototype.then = then; return seen.length >= 2",
  "const it = { closed: false, [Symbol.iterator]() { return { next: () => ({ value: 1, done: false }), return: () => { this.closed = true; return {} } } } }; const resolve = Promise.resolve; Promise.resolve = () => { throw new Error('r') }; const m = await Promise.all(it).catch((e) => e.message); Promise.resolve = resolve; return [m, it.closed]",
  "return Promise.race([]) instanceof Promise && Promise.prototype[Symbol.toStringTag]",
  "const order = []; queueMicrotask(() => order.push('m')); Promise.resolve().then(() => order.push('p')); await 0; await 0; return order",
];

describe("Promise", () => {
  test.each(SAME)("%s", async (code) => expect(await value(code)).toEqual(await hostValue(code)));
});

test("newer parts", async () => {
  expect(
    await value("const { promise, resolve, reject } = Promise.withResolvers(); resolve(1); reject(2); resolve(3); return promise"),
  ).toBe(1);
  expect(
    await value(
      "return [await Promise.try((a, b) => a + b, 1, 2), await Promise.try(() => { throw 'x' }).catch((e) => 'caught ' + e), await Promise.allKeyed({ a: 1, b: Promise.resolve(2) }), await Promise.allSettledKeyed({ a: Promise.reject('r') }), Object.getPrototypeOf(await Promise.allKeyed({}))]",
    ),
  ).toEqual([3, "caught x", { a: 1, b: 2 }, { a: { status: "rejected", reason: "r" } }, null]);
});

const warnings = async (code: string): Promise<string[]> => (await run(code)).warnings.map((w) => w.message);

test("a rejection that nobody handles becomes a warning; one that is handled in time does not", async () => {
  expect(await warnings("Promise.reject(new TypeError('lost')); await null; return 1")).toEqual([expect.stringContaining("lost")]);
  expect(await warnings("const p = Promise.reject(1); p.catch(() => {}); await null; return 1")).toEqual([]);
  expect(await warnings("const all = Promise.allSettled([Promise.reject(1)]); await all; return 1")).toEqual([]);
  expect(
    await warnings(
      "await Promise.race([1, Promise.reject(2)]); await Promise.any([1, Promise.reject(2)]); await Promise.all([Promise.reject(1), Promise.reject(2)]).catch(() => {})",
    ),
  ).toEqual([]);
  expect(
    await warnings(
      EVENTS +
        "const t = new EventTarget(); let n = 0; t.addEventListener('a', () => { throw new Error('in a listener') }); t.addEventListener('a', () => n++); t.dispatchEvent(new Event('a')); return n",
    ),
  ).toEqual([expect.stringContaining("in a listener")]);
});

describe("timers", () => {
  test("run in order, with their arguments, once or again and again", async () => {
    expect(
      await value(`
        const log = [];
        await new Promise((done) => {
          setTimeout((a, b) => log.push(a + b), 2, 'x', 'y');
          setTimeout(() => log.push('first'), 0);
          const cancelled = setTimeout(() => log.push('never'), 1);
          clearTimeout(cancelled);
          let n = 0;
          const id = setInterval(() => { log.push(++n); if (n === 3) { clearInterval(id); done() } }, 3);
          log.push(typeof id);
        });
        clearTimeout(undefined); clearInterval(12345); clearTimeout('abc');
        return log;
      `),
    ).toEqual(["number", "first", "xy", 1, 2, 3]);
  });
  test("code as a string is refused", async () => {
    expect(await value("try { setTimeout('alert(1)') } catch (e) { return [e.name, e.message] }")).toEqual([
      "TypeError",
      "setTimeout takes a function; code as a string is not run here",
    ]);
  });
});
