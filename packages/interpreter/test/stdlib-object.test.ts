import { describe, expect, test } from "vitest";
import { failure, hostValue, value } from "./program.js";

const SAME = [
  "return Object.keys({ b: 1, 2: 1, a: 1, 1: 1 })",
  "const o = { get x() { return 1; }, y: 2, [Symbol('s')]: 3 }; return [Object.entries(o), Object.assign({}, o), Object.values(o)]",
  "const o = {}; Object.defineProperty(o, 'x', { value: 1 }); return [Object.keys(o), Object.getOwnPropertyDescriptor(o, 'x'), JSON.stringify(o)]",
  "const o = Object.freeze({ a: 1, b: { c: 2 } }); o.b.c = 3; let e; try { o.a = 2; } catch (x) { e = x.name; } return [o, e, Object.isFrozen(o), Object.isSealed(o), Object.isExtensible(o)]",
  "const o = Object.seal({ a: 1 }); o.a = 2; let e; try { o.b = 1; } catch (x) { e = x.name; } try { delete o.a; } catch (x) { e += x.name; } return [o, e]",
  "return Object.fromEntries(Object.entries({ a: 1, b: 2 }).map(([k, v]) => [k + k, v * 2]))",
  "return Object.fromEntries(new Map([['a', 1], [1, 2]]))",
  "const o = { __proto__: { a: 1 }, b: 2 }; return [o.a, Object.keys(o), o.hasOwnProperty('a'), Object.hasOwn(o, 'b'), o.propertyIsEnumerable('b')]",
  "const o = {}; o.__proto__ = null; return ['toString' in o, Object.getPrototypeOf(o), o.__proto__]",
  "return JSON.parse('{\"__proto__\": 1}').__proto__",
  "const p = {}; const o = Object.create(p, { x: { value: 1, enumerable: true } }); return [p.isPrototypeOf(o), o]",
  "try { Object.setPrototypeOf(Object.prototype, {}); } catch (e) { return e.name; }",
  "const a = {}; const b = Object.create(a); try { Object.setPrototypeOf(a, b); } catch (e) { return e.message; }",
  "return [Object.is(NaN, NaN), Object.is(0, -0)]",
  "return [{}, [], () => 1, new Error(), 1, 'a', true, null, undefined, new Date(0), /x/, Symbol(), new Map()].map((x) => Object.prototype.toString.call(x))",
  "return Object.getOwnPropertyNames('ab').concat(Object.getOwnPropertySymbols({ [Symbol.iterator]: 1 }).map(String))",
  "const o = { get a() { delete this.b; return 1; }, b: 2 }; return Object.entries(o)",
  "const o = { a: 1 }; o.__defineGetter__('b', () => 7); return [o.b, typeof o.__lookupGetter__('b'), Object.keys(o)]",
  "const o = {}; for (let i = 0; i < 300; i++) o['k' + i] = i; for (let i = 0; i < 299; i++) delete o['k' + i]; o.z = 1; return [o, Object.keys(o).length]",
  // one constructor for many shapes, written as a prototype too
  "class A { f = 1; constructor(n) { this.n = n; A.made = (A.made ?? 0) + 1; } } class B extends A { b = 2; } class C extends A { f = 3; } class D extends B {} class E extends C { g = 1; } class F extends A { n = 9; } const all = []; for (let i = 0; i < 60; i++) { const K = [A, B, C, D, E, F][i % 6]; all.push(Object.entries(new K(i)).join()); if (i === 30) Object.defineProperty(C.prototype, 'n', { set(v) { this.other = v; } }); if (i === 40) Object.freeze(A); if (i === 40) break; } let e; try { A.made = 1; } catch (x) { e = x.name; } return [all, A.made, B.made, e]",
  "class A { static n = 0; static up() { return ++A.n; } } class B extends A { static up() { return super.up() + super.up.name.length; } } const seen = []; for (let i = 0; i < 5; i++) { seen.push(B.up()); if (i === 2) A.up = function late() { return -1; }; if (i === 3) Object.defineProperty(A, 'up', { get() { return () => this.name; } }); } return [seen, A.n, Object.hasOwn(B, 'n')]",
  "class A { get x() { return this.y; } } class B extends A { y = 5; read() { return [super.x, super.none]; } } const b = new B(); const out = [b.read()]; A.prototype.none = 1; out.push(b.read()); Object.setPrototypeOf(B.prototype, { x: 7, none: 8 }); out.push(b.read()); Object.setPrototypeOf(B.prototype, null); try { b.read(); } catch (e) { out.push(e.name); } return out",
  "const o = { m() { return 1; }, n(a) { return [this === o, a]; }, p(a, b) { return [a, b]; }, q(...r) { return r; } }; const k = (x) => x; return [o[k('m')](), o[k('n')](1), o[k('p')](1, 2), o[k('q')](1, 2, 3), o?.[k('n')]?.(2), (() => { try { o[k('z')](1); } catch (e) { return e.name; } })()]",
  "function F() {} F.prototype = { a: 1 }; const first = new F(); const set = (x, v) => { x.prototype = v; }; set({}, 1); set({ prototype: 0 }, 2); for (let i = 0; i < 3; i++) set(F, { a: i + 10 }); return [first.a, new F().a]",
  // functions
  "function f(a, b = 1, ...c) {} return [f.length, f.name, (() => 1).name, (class A {}).name, f.bind().name, f.bind(null, 1).length]",
  "function f() { return [this?.x, ...arguments]; } return [f.call({ x: 1 }, 2), f.apply({ x: 1 }, [2, 3]), f.bind({ x: 1 }, 2)(3), f.apply(null, { length: 2, 0: 'a' })]",
  "class P { constructor(...a) { this.a = a; } } const B = P.bind(null, 1, 2); const p = new B(3); return [p.a, p instanceof P, p instanceof B]",
  "return [Math.max.apply(null, [1, 3, 2]), [].push.call({ length: 1 }, 'a'), Function.prototype.call.call((x) => x, null, 5)]",
  "function f(a) { return a + 1; } return [f.toString(), `${(x) => x}`, Math.max.toString()]",
  "class A { static [Symbol.hasInstance](v) { return v === 1; } } return [1 instanceof A, {} instanceof A]",
  // reflect, proxy
  "return [Reflect.ownKeys({ b: 1, 1: 2, [Symbol.iterator]: 3 }).map(String), Reflect.has({ a: 1 }, 'a'), Reflect.getPrototypeOf([]) === Array.prototype]",
  "const o = { get x() { return this.y; } }; return [Reflect.get(o, 'x', { y: 5 }), Reflect.set(Object.freeze({}), 'a', 1), Reflect.defineProperty({}, 'a', { value: 1 })]",
  "const log = []; const p = new Proxy({ a: 1 }, { get: (t, k, r) => (log.push(`get ${String(k)}`), Reflect.get(t, k, r)), has: (t, k) => (log.push(`has ${k}`), k in t), ownKeys: (t) => (log.push('keys'), Reflect.ownKeys(t)), set: (t, k, v) => (log.push(`set ${k}`), (t[k] = v), true), deleteProperty: (t, k) => (log.push(`delete ${k}`), delete t[k]) }); p.a; 'b' in p; p.c = 2; Object.keys(p); delete p.a; ({ ...p }); return log",
  "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); try { proxy.x; } catch (e) { return e.message; }",
  "const p = new Proxy(function (a) { return a * 2; }, { apply: (t, self, args) => t(...args) + 1 }); return [p(3), typeof p, [1, 2].map((x) => p(x))]",
  "const p = new Proxy(class { constructor(a) { this.a = a; } }, { construct: (t, args, nt) => ({ made: args }) }); return new p(1)",
  "const t = Object.freeze({ a: 1 }); const p = new Proxy(t, { get: () => 2 }); try { p.a; } catch (e) { return e.name; }",
  "const p = new Proxy([1, 2, 3], {}); return [p.map((x) => x + 1), p.length, Array.isArray(p), JSON.stringify(p), [...p]]",
  // symbols
  "return [Symbol.for('a') === Symbol.for('a'), Symbol.keyFor(Symbol.for('a')), Symbol('x').toString(), Symbol('d').description, typeof Object(Symbol())]",
  "try { Symbol() + ''; } catch (e) { return e.name; }",
  // errors
  "const e = new TypeError('m', { cause: 1 }); return [e.name, e.message, e.cause, String(e), e instanceof Error, Object.keys(e), e.toString()]",
  "const e = new AggregateError([1, 2], 'all'); return [e.errors, e.message, e.name]",
  "class E extends Error { constructor(m) { super(m); this.name = 'E'; } } const e = new E('x'); return [String(e), e instanceof E, Error.prototype.toString.call({ name: 'A', message: 'b' })]",
  "try { null.x; } catch (e) { return [e.name, e.constructor === TypeError]; }",
];

describe("objects, functions, proxies, symbols and errors as the host's", () => {
  test.each(SAME)("%s", async (code) => {
    expect(await value(code)).toEqual(await hostValue(code));
  });
});

test("Object.groupBy and Map.groupBy", async () => {
  expect(
    await value("return [Object.groupBy([1, 2, 3], (x) => (x % 2 ? 'odd' : 'even')), [...Map.groupBy([1, -0, 0], (x) => x)]]"),
  ).toEqual([
    { odd: [1, 3], even: [2] },
    [
      [1, [1]],
      [0, [0, 0]],
    ],
  ]);
});

test("a stack names functions and places", async () => {
  const stack = (await value(
    "function inner() { return new Error('here').stack; }\nfunction outer() { return inner(); }\nreturn outer();",
  )) as string;
  expect(stack).toMatch(/^Error: here\n    at inner \(program:1:\d+\)\n    at outer \(program:2:\d+\)/);
});

test("a stack is an accessor of the prototype", async () => {
  expect(
    await value(
      "const e = new Error('x'); const own = Object.getOwnPropertyNames(e); e.stack = 'mine'; return [own, e.stack, Object.hasOwn(Error.prototype, 'stack')]",
    ),
  ).toEqual([["message"], "mine", true]);
});

test("there is no way to make code from text", async () => {
  for (const code of [
    "globalThis.Function('return 1')",
    "new globalThis.Function('return 1')",
    "(() => 1).constructor('return 1')",
    "(async () => 1).constructor('return 1')",
    "(function* () {}).constructor('return 1')",
    "Reflect.construct(Object.constructor, ['return 1'])",
    "[].map.constructor.call(null, 'return 1')",
  ]) {
    expect((await failure(code)).name, code).toBe("EvalError");
  }
  expect(await value("const f = new Function(); return [f() === undefined, typeof f, f.name, f.length]")).toEqual([
    true,
    "function",
    "anonymous",
    0,
  ]);
  expect(await value("return [typeof globalThis.eval, typeof FinalizationRegistry, typeof SharedArrayBuffer]")).toEqual([
    "undefined",
    "undefined",
    "undefined",
  ]);
});

// Each of these would overflow the host's stack if a native did not weigh itself.
const ENDLESS = [
  "let p = {}; for (let i = 0; i < 20000; i++) p = new Proxy(p, {}); p.x",
  "let p = {}; for (let i = 0; i < 20000; i++) p = new Proxy(p, {}); Object.keys(p)",
  "let p = {}; for (let i = 0; i < 20000; i++) p = new Proxy(p, {}); p.x = 1",
  "let p = {}; for (let i = 0; i < 20000; i++) p = Object.create(new Proxy(p, {})); p.x",
  "let f = function () {}; for (let i = 0; i < 20000; i++) { f = f.bind(null); Object.defineProperty(f, 'name', { value: '' }); } f()",
  "let f = class {}; for (let i = 0; i < 20000; i++) { f = f.bind(null); Object.defineProperty(f, 'name', { value: '' }); } new f()",
  "let f = function () {}; for (let i = 0; i < 20000; i++) { f = f.bind(null); Object.defineProperty(f, 'name', { value: '' }); } ({}) instanceof f",
  "let a = []; for (let i = 0; i < 20000; i++) a = [a]; a.join()",
  "let a = []; for (let i = 0; i < 20000; i++) a = [a]; a.flat(Infinity)",
  "const a = []; a.push(a); a.flat(Infinity)",
  "let i = [1].values(); for (let n = 0; n < 20000; n++) i = i.map((x) => x); i.next()",
  "let i = [1].values(); for (let n = 0; n < 20000; n++) i = i.map((x) => x); i.return()",
  "let i = [1].values(); for (let n = 0; n < 20000; n++) i = Iterator.zip([i]); i.next()",
  "let i = [1].values(); for (let n = 0; n < 20000; n++) i = Iterator.concat(i); i.next()",
  "const o = { toString() { return `${o}`; } }; `${o}`",
  "const e = new Error(); Object.defineProperty(e, 'name', { get() { return String(e); } }); String(e)",
  "const o = { get x() { return Object.assign({}, o); } }; Object.assign({}, o)",
  "const o = { get x() { return Object.entries(o); } }; Object.entries(o)",
  "const o = { get x() { return { ...o }; } }; ({ ...o })",
  "const d = { get value() { Object.defineProperty({}, 'x', d); } }; Object.defineProperty({}, 'x', d)",
  "const o = { get x() { Object.defineProperties({}, o); } }; Object.defineProperties({}, o)",
  "const o = { [Symbol.iterator]() { return [...o]; } }; [...o]",
  "const o = { [Symbol.iterator]() { return new Map(o); } }; new Map(o)",
  "const o = { [Symbol.iterator]() { return new Uint8Array(o); } }; new Uint8Array(o)",
  "const f = () => [2, 1].sort(() => f()); f()",
  "const f = () => [1].map(() => [1].flatMap(() => [1].some(() => f()))); f()",
  "const f = () => new Map([[1, 1]]).forEach(() => f()); f()",
  "const f = () => Array.from([1], () => f()); f()",
  "const f = () => Reflect.apply(f, null, []); f()",
  "function F() { return Reflect.construct(F, []); } new F()",
  "class A extends Array { static get [Symbol.species]() { new A(1).map((x) => x); return A; } } new A(1, 2).map((x) => x)",
  "const f = () => { const s = new DisposableStack(); s.defer(() => f()); s.dispose(); }; f()",
  "const p = new Proxy({}, { ownKeys: () => Reflect.ownKeys(p) }); Object.keys(p)",
];

describe("recursion through natives ends by callDepth", () => {
  test.each(ENDLESS)("%s", async (code) => {
    const error = await failure(code);
    expect([error.kind, error.limit], error.message).toEqual(["limit", "callDepth"]);
  });
});

test("loops of the host over a program's proxies end by steps", async () => {
  const code = "const p = new Proxy({}, { getPrototypeOf: () => p }); p instanceof Object";
  expect((await failure(code, { limits: { steps: 100_000 } })).limit).toBe("steps");
});

test("globals that were not read yet are what they are, however many others came and went", async () => {
  const program = `delete globalThis.isFinite;
    for (let i = 0; i < 200; i++) { globalThis["t" + (i % 3)] = i; delete globalThis["t" + (i % 3)]; }
    return [JSON.stringify({ a: 1 }), typeof isFinite, [...new Map([[1, 2]])], Math.max(1, 2), parseInt("7"), isNaN(NaN), new Intl.NumberFormat("en").format(1)]`;
  expect(await value(program)).toEqual(['{"a":1}', "undefined", [[1, 2]], 2, 7, true, "1"]);
  const most = `for (const name of Object.getOwnPropertyNames(globalThis)) if (!["globalThis", "Reflect", "JSON", "Set", "tools"].includes(name)) Reflect.deleteProperty(globalThis, name);
    for (let i = 0; i < 300; i++) { globalThis["t" + i] = i; delete globalThis["t" + i]; }
    return [JSON.stringify([1]), new Set([1]).size, typeof tools, typeof Map]`;
  expect(await value(most)).toEqual(["[1]", 1, "object", "undefined"]);
});
