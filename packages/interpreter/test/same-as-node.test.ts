// What the differential tests have found: programs of each kind, in our interpreter and in Node's engine.

import { expect, test } from "vitest";
import { hostValue, value } from "./program.js";

const PROGRAMS: [kind: string, code: string][] = [
  [
    "ordinary objects with a builtin's prototype are none of its kind",
    `const out = []; const from = (C) => Object.create(C.prototype); const a = from(Array); a.push(7); a[3] = 1; a[0] = 2; out.push(a.length, a[0], a[3]);
     for (const use of [() => from(Map).get(1), () => from(Map).has(1), () => from(Set).has(1), () => from(Set).add(1), () => from(Map).set(1, 2), () => from(WeakMap).get(1)])
       try { out.push(use()); } catch (e) { out.push(e.name); }
     return out;`,
  ],
  [
    "methods of Map and Set that a program has replaced, inherited or called on something else",
    `const out = []; const use = (m, k) => { out.push(m.get?.(k), m.has(k)); };
     class Own extends Map { get(k) { return "own " + super.get(k); } has(k) { return "has " + super.has(k); } }
     class Adds extends Set { add(v) { return super.add(v + 1); } }
     for (const m of [new Map([[1, 2]]), new Own([[1, 2]]), new Set([1]), new Adds([0]), { get: () => "plain", has: () => "none" }, new Map([[1, 3]])]) use(m, 1);
     const m = new Map([["a", 1]]); const set = (o, k, v) => o.set(k, v); out.push(set(m, "b", 2) === m, set({ set: (...x) => x }, 1, 2));
     out.push(m.get((Object.setPrototypeOf(m, null), "a")), (Object.setPrototypeOf(m, Map.prototype), m.size));
     m.get = () => "shadow"; use(m, "a"); delete m.get; use(m, "a");
     const add = (s, v) => s.add(v); const s = new Set(); out.push(add(s, 1) === s, add(new Adds(), 1).size, add({ add: (v) => -v }, 1), s.has(-0), add(s, -0).has(0));
     const get = Map.prototype.get; Map.prototype.get = function (k) { return "new " + get.call(this, k); }; out.push(new Map([[1, 2]]).get(1)); Map.prototype.get = get;
     for (const v of [null, undefined, 1]) try { v.get(1); } catch (e) { out.push(e.name); }
     return out;`,
  ],
  [
    "spread and rest of many layouts at one place",
    `const out = []; const symbol = Symbol("s"); const show = (o) => out.push(Reflect.ownKeys(o).map((k) => [String(k), o[k], Object.getOwnPropertyDescriptor(o, k).writable === true]));
     class Hidden { #secret = 1; shown = 2; static read(o) { return #secret in o; } }
     let got = 0; const tricky = { get a() { return ++got; }, b: 1 }; const later = {}; Object.defineProperty(later, "hidden", { value: 1 }); later.z = 1;
     const all = [{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1, b: 2 }, { [symbol]: 1, a: 2, c: 3 }, { 2: "two", 1: "one", a: 0 }, tricky, later, Object.freeze({ a: 1, z: 2 }), new Hidden(), [7, 8], "xy", null, undefined, 5, () => 0,
       Object.create({ inherited: 1 }, { a: { value: 1, enumerable: true } }), new Proxy({ a: 1, p: 2 }, {}), Object.assign(Object.create(null), { a: 1, n: 2 }), { ["__proto__"]: 1, a: 2 }, Object.fromEntries(Array.from({ length: 130 }, (_, i) => ["k" + i, i]))];
     for (let turn = 0; turn < 2; turn++) for (const v of all) {
       show({ ...v, a: 9, late: 1 }); show({ first: 0, a: 3, ...v }); show({ ...v, ...{ b: 5, q: 6 } }); show({ get a() { return 4; }, ...v });
       if (v == null) continue;
       const { a, ...others } = v; const { ["b"]: b, ...rest } = v; const { a: x = 5, z, 1: one, ...left } = v; let o = {}; ({ a: o.a, ...o.left } = v);
       show(others); show(rest); show(left); show(o.left); out.push(String([a, b, x, z, one, o.a]), Hidden.read(others));
     }
     for (let i = 0; i < 60; i++) { const { a, ...others } = { a: i, ["k" + (i % 40)]: i, b: 1 }; show({ ...others, b: 2 }); show({ ...{ ["m" + i]: i }, last: i }); }
     const copy = { ...all[0], a: 5 }; copy.a = 6; show(all[0]); out.push(got);
     return out;`,
  ],
  [
    "private elements of many layouts and of several evaluations of a class at one place",
    `const out = []; const attempt = (f) => { try { out.push(f()); } catch (e) { out.push(e.name); } };
     class Same { constructor(o) { return o; } }
     const make = () => class Stamp extends Same { #x = 1; #m() { return this.#x * 10; } get #both() { return this.#x; } set #both(v) { this.#x = v + 100; }
       static read(o) { return o.#x; } static write(o, v) { o.#x = v; return o.#x; } static grow(o) { o.#x += 5; o.#x++; return o.#x--; } static call(o) { return o.#m(); } static has(o) { return #x in o; }
       static both(o, v) { o.#both = v; return o.#both; } static spoil(o) { o.#m = 1; } static into(o, list) { [o.#x, ...o.#both] = list; return o.#x; } };
     const kinds = [make(), make(), make()];
     const objects = [{}, { a: 1 }, { a: 1, b: 2 }, { b: 1, a: 2 }, [], () => 0, Object.create(null), new Proxy({ p: 1 }, {}), new Map(), Object.fromEntries(Array.from({ length: 140 }, (_, i) => ["k" + i, i]))];
     for (let turn = 0; turn < 3; turn++) for (const o of objects) for (const C of kinds) {
       attempt(() => C.has(o)); attempt(() => C.read(o)); attempt(() => { new C(o); return "stamped"; });
       attempt(() => C.read(o)); attempt(() => C.write(o, turn)); attempt(() => C.grow(o)); attempt(() => C.call(o)); attempt(() => C.both(o, 7)); attempt(() => C.spoil(o)); attempt(() => C.into(o, [3, 4])); attempt(() => C.read(o));
     }
     for (const v of [null, undefined, 1, "s"]) attempt(() => kinds[0].read(v));
     class Base { #kept; constructor(v) { this.#kept = v; } get kept() { return this.#kept; } set kept(v) { this.#kept = v; } }
     class A extends Base { x = 1; } class B extends Base { y = 2; } class D extends A { constructor() { super(4); this.z = 3; } } class E extends B { #kept = 9; own() { return [this.#kept, this.kept]; } }
     for (let i = 0; i < 4; i++) for (const o of [new Base(1), new A(2), new B(3), new D(), new E(5)]) { o.kept += i; out.push(o.kept, o.own?.() ?? "none"); }
     return out;`,
  ],
  [
    "super and new.target with any number of arguments",
    `const out = []; const attempt = (f) => { try { out.push(JSON.stringify(f())); } catch (e) { out.push(e.name); } };
     class Base { constructor(...args) { this.args = args; this.nt = new.target.name; } }
     class Named { constructor(a, b = "two") { this.args = [a, b]; this.nt = new.target.name; this.n = arguments.length; } }
     function Old(a) { this.args = [a]; this.nt = new.target?.name; }
     const Bound = Base.bind(null, "bound"); Bound.prototype = Base.prototype; const Through = new Proxy(Named, { construct(t, args, nt) { return Reflect.construct(t, [...args, "proxied"], nt); } });
     for (const Parent of [Base, Named, Old, Bound, Through, Array, Error]) {
       class Zero extends Parent { constructor() { super(); this.k = 0; } }
       class One extends Parent { k = 1; constructor(x) { const before = () => this; super(x); this.same = before() === this; } }
       class Two extends Parent { constructor(x, y) { super(x, y); } }
       class Three extends Parent { constructor(x, y, z) { super(x, y, z); } }
       class Spread extends Parent { constructor(...all) { super(...all, "last"); } }
       class Given extends Parent { k = 2; }
       class Sub extends One { #p = 1; constructor(x) { super(x); this.p = this.#p; } }
       for (const C of [Zero, One, Two, Three, Spread, Given, Sub]) for (let i = 0; i < 2; i++) attempt(() => { const o = new C(1, 2, 3, 4); return [{ ...o }, o instanceof Parent || Parent === Bound, Object.getPrototypeOf(o) === C.prototype]; });
     }
     class Twice extends Base { constructor() { super(1); super(2); } } class Never extends Base { constructor(x) { if (x) return { x }; } } class Wrong extends Base { constructor() { super(); return 1; } } class Early extends Base { constructor() { this.x = 1; super(); } }
     class Nothing extends null { constructor() { super(); } } class Swapped extends Base {} Object.setPrototypeOf(Swapped, Old);
     for (let i = 0; i < 2; i++) { attempt(() => new Twice()); attempt(() => new Never()); attempt(() => new Never(5)); attempt(() => new Wrong()); attempt(() => new Early()); attempt(() => new Nothing()); attempt(() => new Swapped(6)); }
     Object.setPrototypeOf(Swapped, () => 1); attempt(() => new Swapped()); Object.setPrototypeOf(Swapped, Named); attempt(() => new Swapped(7));
     return out;`,
  ],
  [
    "Object.assign between the same layouts, while what is behind them changes",
    `const out = []; const show = (o) => out.push(JSON.stringify(Object.entries(Object.getOwnPropertyDescriptors(o)))); const attempt = (f) => { try { show(f()); } catch (e) { out.push(e.name); } };
     class Point { constructor(x, y) { Object.assign(this, { x, y }); } }
     for (let i = 0; i < 3; i++) show(new Point(i, i)); Object.defineProperty(Point.prototype, "y", { set(v) { out.push("set " + v); }, configurable: true }); for (let i = 0; i < 2; i++) show(new Point(i, i));
     Object.defineProperty(Point.prototype, "y", { value: 0, writable: false }); attempt(() => new Point(1, 2)); attempt(() => new Point(1, 2));
     const copy = (to, from) => Object.assign(to, from); const symbol = Symbol("s"); let got = 0;
     const sources = [{ a: 1, b: 2 }, { b: 1, a: 2 }, { [symbol]: 1, a: 3 }, { get a() { return ++got; }, b: 4 }, Object.freeze({ a: 5 }), "text", 7, null, [1, 2], Object.defineProperty({ z: 1 }, "hidden", { value: 2 }), { ["__proto__"]: 1 }, new Map(), () => 0];
     const targets = [() => ({}), () => ({ a: 0 }), () => ({ b: 0, a: 0 }), () => Object.freeze({ c: 1 }), () => Object.freeze({ a: 1 }), () => Object.seal({ a: 1, b: 1 }), () => [], () => Object.create({ set a(v) { out.push("inherited " + v); } }), () => Object.defineProperty({}, "a", { value: 1, configurable: true }), () => Object.defineProperty({}, "b", { value: 1, writable: true }), () => function () {}, () => Object.create(null)];
     for (let turn = 0; turn < 2; turn++) for (const make of targets) for (const from of sources) attempt(() => copy(make(), from));
     function F() {} Object.assign(F, { prototype: { mark: 1 } }); out.push(new F().mark); const self = { a: 1, b: 2 }; show(copy(self, self)); out.push(got);
     for (let i = 0; i < 300; i++) copy({}, { ["k" + i]: i }); show(copy({ a: 1 }, { b: 2 }));
     Object.defineProperty(Object.prototype, "a", { set() { out.push("base"); }, configurable: true }); attempt(() => copy({}, { a: 1, b: 2 })); delete Object.prototype.a; attempt(() => copy({}, { a: 1, b: 2 }));
     return out;`,
  ],
  [
    "yield* hands on values, errors and returns, whatever gives them",
    `const out = []; const show = (r) => out.push(JSON.stringify(r)); const attempt = (f) => { try { show(f()); } catch (e) { out.push(e.name ?? e); } };
     function* inner(...list) { const got = []; try { for (const v of list) got.push(yield v); return got; } catch (e) { yield "caught " + e; return "after"; } finally { out.push("closed"); } }
     function* outer(source) { try { return ["returned", yield* source]; } finally { out.push("outer closed"); } }
     function* twice(source) { return yield* outer(source); } function* list(sources) { for (const s of sources) yield* s; }
     class Own { [Symbol.iterator]() { let n = 0; return { next: (v) => ({ done: n++ > 1, value: v ?? n }), throw: (e) => ({ done: true, value: "thrown " + e }), return: (v) => ({ done: true, value: ["r", v] }) }; } }
     const sources = [() => inner(1, 2, 3), () => [1, 2, 3], () => [, 1], () => "añ😀", () => new Set([1, 2]), () => new Map([[1, 2]]), () => new Own(), () => outer([1, 2]), () => inner(), () => [][Symbol.iterator](), () => new Uint8Array([4, 5]), () => [1, 2].values(), () => (function () { return arguments; })(8, 9)];
     for (const wrap of [outer, twice]) for (const make of sources) {
       let g = wrap(make()); for (const v of [undefined, "b", "c", "d", "e"]) attempt(() => g.next(v)); attempt(() => [...wrap(make())]);
       g = wrap(make()); g.next(); attempt(() => g.throw("t")); attempt(() => g.next("n")); g = wrap(make()); g.next(); attempt(() => g.return("r")); attempt(() => g.next());
       for (const v of wrap(make())) { show(v); break; } const [a, b] = wrap(make()); show([a, b]);
     }
     attempt(() => [...list([[1], "ab", inner(3), new Own(), list([[4], [5, 6]])])]); for (const v of [undefined, null, 5, {}, { [Symbol.iterator]: 1 }, { [Symbol.iterator]() { return 1; } }, { [Symbol.iterator]() { return { next: () => 1 }; } }]) attempt(() => [...outer(v)]);
     const live = [1, 2]; const during = []; for (const v of outer(live)) { during.push(v); if (live.length < 5) live.push(v * 2); } show(during);
     const shrinking = [1, 2, 3]; for (const v of outer(shrinking)) { shrinking.length = 1; show(v); }
     const g = outer((function* () { g2.next(); yield 1; })()); const g2 = outer(g); attempt(() => g2.next());
     const AI = Object.getPrototypeOf([].values()); const open = outer([1, 2, 3]); show(open.next()); AI.throw = () => ({ done: false, value: "patched throw" }); AI.return = (v) => ({ done: true, value: ["patched", v] }); attempt(() => open.throw("x")); attempt(() => open.return("y")); delete AI.throw; delete AI.return;
     const { next } = AI; const before = outer([1, 2]); show(before.next()); AI.next = function () { const r = next.call(this); return { done: r.done, value: "p" + r.value }; }; attempt(() => before.next()); attempt(() => [...outer([1, 2])]); AI.next = next; attempt(() => [...outer([1, 2])]);
     const GP = Object.getPrototypeOf(function* () {}).prototype; const gnext = GP.next; GP.next = function (v) { const r = gnext.call(this, v); return r.done ? r : { done: false, value: ["g", r.value] }; }; attempt(() => [...outer(inner(1, 2))]); GP.next = gnext; attempt(() => [...outer(inner(1, 2))]);
     return out;`,
  ],
  [
    "array patterns of names over whatever can be iterated",
    `const out = []; const show = (...all) => out.push(JSON.stringify(all)); const attempt = (f) => { try { show(f()); } catch (e) { out.push(e.name); } };
     const pair = (v) => { const [a, b] = v; return [a, b]; }; const three = (v) => { let x, y, z; [x, , y, z] = v; return [x, y, z]; }; const one = ([a]) => a; const captured = ([a, b]) => () => [a, b]; const none = (v) => { const [] = v; return 0; };
     const closing = () => ({ [Symbol.iterator]() { let n = 0; return { next: () => ({ done: n > 9, value: n++ }), return() { out.push("closed"); return {}; } }; } });
     for (const v of [[], [1], [1, 2], [1, 2, 3, 4], [, 2], [undefined, null], "😀x", new Set([5]), new Map([[1, 2], [3, 4]]), closing(), (function* () { yield 1; yield 2; yield 3; })(), /(a)(b)?/.exec("a"), new Float64Array(3), Object.assign([1, 2], { extra: 1 }), Object.freeze([7, 8]), null, undefined, 5, {}, { length: 2, 0: 1 }])
       for (const f of [pair, three, one, (x) => captured(x)(), none]) attempt(() => f(v));
     let a = 1, b = 2; [a, b] = [b, a]; show(a, b); var [c, d] = [c, 3]; show(c, d); for (const [k, v] of [[1, 2], [3], []]) show(k, v); for (const [k, v] of Object.entries({ x: 1 })) out.push(k + v); let late; attempt(() => { [early, late] = [1, 2]; let early; }); show(late);
     const fixed = 1; attempt(() => { [late, fixed] = [8, 9]; }); show(late); const o = { set p(v) { list.length = 1; } }; const list = [1, 2, 3]; let second; [o.p, second] = list; show(second);
     const values = Array.prototype[Symbol.iterator]; Array.prototype[Symbol.iterator] = function* () { yield "first"; yield* ["second", "third"].values(); }; attempt(() => pair([1, 2])); attempt(() => three([1])); Array.prototype[Symbol.iterator] = values; attempt(() => pair([1, 2]));
     return out;`,
  ],
  [
    "objects as texts and numbers, while their methods change",
    `const out = []; const attempt = (f) => { try { out.push(f()); } catch (e) { out.push(e.name); } };
     class Text { constructor(t) { this.t = t; } toString() { return "<" + this.t + ">"; } } class Num extends Text { valueOf() { return 7; } } class Both extends Num { [Symbol.toPrimitive](hint) { return hint; } }
     const own = new Text(1); own.toString = () => "own"; const plain = {}; const bare = Object.create(null); const broken = { toString: () => ({}), valueOf: 5 }; const proxy = new Proxy(new Num(2), { get(t, k, r) { out.push(String(k)); return Reflect.get(t, k, r); } });
     const all = [new Text(1), new Num(2), new Both(3), own, plain, bare, broken, proxy, [1, [2]], () => 0, new Date(0), Symbol.iterator, { [Symbol.toPrimitive]: null, valueOf: () => 3 }, { [Symbol.toPrimitive]: 5 }, { [Symbol.toPrimitive]: () => ({}) }, Object(1n), Object(Symbol.iterator)];
     const use = (v) => { attempt(() => String(v).slice(0, 12)); attempt(() => \`\${v}\`.slice(0, 12)); attempt(() => +v); attempt(() => (v + "").slice(0, 12)); attempt(() => v * 2); attempt(() => v < 5); attempt(() => ({ [v]: 1 })[String(v)]); };
     for (let turn = 0; turn < 2; turn++) for (const v of all) use(v);
     Text.prototype.toString = () => "changed"; use(new Text(1)); use(new Num(1)); delete Num.prototype.valueOf; use(new Num(1)); Text.prototype[Symbol.toPrimitive] = () => 9; use(new Num(1)); use(new Both(1)); const { toString } = Object.prototype; Object.prototype.toString = () => "base"; use({}); use({ a: 1 }); Object.prototype.toString = toString; use({}); use({ a: 1 });
     class Even { static [Symbol.hasInstance](n) { return n % 2 === 0; } } function F() {} const f = new F(); const isA = (v, C) => v instanceof C;
     for (let turn = 0; turn < 2; turn++) for (const C of [Even, F, Object, Array, F.bind(null), new Proxy(F, {}), { [Symbol.hasInstance]: () => "yes" }, {}, () => 0, 5]) for (const v of [2, f, [], new Proxy(f, {})]) attempt(() => isA(v, C));
     F.prototype = {}; attempt(() => isA(f, F)); attempt(() => isA(new F(), F)); F.prototype = 5; attempt(() => isA(f, F)); attempt(() => isA(5, F)); Object.defineProperty(F, Symbol.hasInstance, { value: () => true }); attempt(() => isA(1, F));
     return out;`,
  ],
  [
    "the length of a typed array is its prototype's getter",
    `const out = []; const length = (v) => { try { out.push(v.length); } catch (e) { out.push(e.name); } }; class Own extends Uint8Array { get length() { return "own"; } }
     const made = [new Uint8Array(3), new Float64Array(2), new BigInt64Array(1), new Own(4), Object.assign(new Uint8Array(5), { x: 1 }), Object.create(Uint8Array.prototype), Object.setPrototypeOf(new Uint8Array(6), Array.prototype), Object.setPrototypeOf(new Uint8Array(7), null), Object.defineProperty(new Uint8Array(8), "length", { value: "defined" }), Object.setPrototypeOf(new Uint8Array(9), Int8Array.prototype)];
     for (let turn = 0; turn < 2; turn++) for (const v of made) length(v);
     const buffer = new ArrayBuffer(8, { maxByteLength: 16 }); const tracking = new Uint8Array(buffer); const fixed = new Uint8Array(buffer, 4, 4); length(tracking); buffer.resize(12); length(tracking); buffer.resize(2); length(tracking); length(fixed);
     Object.defineProperty(Uint8Array.prototype, "length", { get: () => "closer", configurable: true }); for (const v of made) length(v); delete Uint8Array.prototype.length; for (const v of made) length(v);
     const Base = Object.getPrototypeOf(Uint8Array.prototype); const was = Object.getOwnPropertyDescriptor(Base, "length"); Object.defineProperty(Base, "length", { get: () => "base" }); for (const v of made) length(v); Object.defineProperty(Base, "length", was); length(made[0]);
     return out;`,
  ],
  [
    "defaults of parameters see the parameters before them, and nothing else",
    `const out = []; const attempt = (f) => { try { out.push(f()); } catch (e) { out.push(e.name); } };
     const f1 = (a, b = 2, { c = 3, d: [e = "e"] = [], ...rest } = {}) => [a, b, c, e, JSON.stringify(rest)].join(); const f2 = (a = b, b = 1) => [a, b].join(); const f3 = (a, b = a, c = () => b) => { b = "changed"; return [a, b, c()].join(); }; const f4 = ({ a = z, z = 1 }) => [a, z].join();
     const f5 = (a = 1, b = (a = 5), ...more) => [a, b, more.length].join(); const f6 = ({ [key()]: v = 1 }, w = 2) => [v, w].join(); function key() { return "k"; } const f7 = (x, y = eval0(() => x)) => [x, y].join(); const eval0 = (g) => g(); function f8(a, a2 = arguments[0], b = arguments.length) { return [a, a2, b].join(); }
     const f9 = (a = -1, b = "t", c = null, d = /x/g, e = \`u\`) => { const inner = () => [a, b, c, d.source, e].join(); a = 2; return inner(); }; const f10 = ([a, b = a] = [1], { c } = { c: b }) => [a, b, c].join(); const f11 = ({ a }, [b, , c = 4], d = 5) => () => [a, b, c, d].join();
     for (let i = 0; i < 2; i++) { attempt(() => f1()); attempt(() => f1(1, undefined, { c: undefined, d: [undefined], q: 1 })); attempt(() => f1(1, null, { c: null, d: [null] })); attempt(() => f1(1, 2, null)); attempt(() => f2()); attempt(() => f2(1)); attempt(() => f3(1)); attempt(() => f4({})); attempt(() => f4({ a: 1 })); attempt(() => f5()); attempt(() => f5(1, 2, 3)); attempt(() => f6({ k: 7 })); attempt(() => f6({})); attempt(() => f7(3)); attempt(() => f8(1)); attempt(() => f9()); attempt(() => f9(0, 0, 0)); attempt(() => f10()); attempt(() => f10([5])); attempt(() => f11({ a: 1 }, [2])()); attempt(() => f11()); }
     return out;`,
  ],
  [
    "what a constructor makes has its new.target's prototype, as it is then",
    `const out = []; const kinds = [Object, Function, Array, Map, Set, Date, RegExp, Error, TypeError, Promise, Number, String, Uint8Array, class A {}, class B extends Map {}, function F() {}, function* G() {}, async function H() {}, () => 0, (function () {}).bind(null), new Proxy(Set, {})];
     const names = new Map(); const name = (p) => p === null ? "null" : (names.get(p) ?? (names.set(p, "p" + names.size), names.get(p))); const made = (C, nt) => { try { out.push(name(Object.getPrototypeOf(Reflect.construct(C, C === Promise ? [() => 0] : [], nt)))); } catch (e) { out.push(e.name); } };
     for (let turn = 0; turn < 2; turn++) for (const C of [Map, Set, Date, Error, Array, Promise, Uint8Array, class {}, class extends Error {}]) for (const nt of kinds) made(C, nt);
     function T() {} const proto = { one: 1 }; for (const C of [Map, Error, T]) { made(C, T); T.prototype = proto; made(C, T); T.prototype = 5; made(C, T); T.prototype = null; made(C, T); Object.defineProperty(T, "prototype", { value: { two: 2 } }); made(C, T); T.prototype = {}; made(C, T); }
     const bound = T.bind(null); for (const C of [Map, T]) { made(C, bound); bound.prototype = proto; made(C, bound); made(C, bound); bound.prototype = [].__proto__; made(C, bound); delete bound.prototype; made(C, bound); Object.defineProperty(bound, "prototype", { get: () => proto, configurable: true }); made(C, bound); delete bound.prototype; Object.setPrototypeOf(bound, { prototype: proto }); made(C, bound); Object.setPrototypeOf(bound, Function.prototype); }
     function* Gen() { yield 1; } const first = Object.getPrototypeOf(Gen()) === Gen.prototype; Gen.prototype = proto; out.push(first, Object.getPrototypeOf(Gen()) === proto); Gen.prototype = null; out.push(Object.getPrototypeOf(Gen()) === Object.getPrototypeOf(function* () {}).prototype); Object.setPrototypeOf(T.prototype, proto); out.push(new T().one);
     return out;`,
  ],
  [
    "for…in sees the keys of the whole chain as they were at the start",
    `const base = { b: 1, c: 2 }; const o = Object.create(base, { a: { value: 1, enumerable: true, configurable: true }, c: { value: 0 } });
     const out = [];
     for (const k in o) { out.push(k); base.added = 1; o.late = 1; delete base.b; }
     for (const k in Object.create({ x: 1, y: 2 })) { out.push(k); }
     const p = { p: 1, q: 2 }; const own = Object.create(p, { p: { value: 1, enumerable: true, configurable: true } });
     for (const k in own) { out.push(k); delete own.p; }
     return out;`,
  ],
  [
    "for…in asks a proxy for all its keys first",
    `const log = []; const base = new Proxy({ b: 1 }, { ownKeys(t) { log.push("base keys"); return Reflect.ownKeys(t); }, getOwnPropertyDescriptor(t, k) { log.push(k); return Reflect.getOwnPropertyDescriptor(t, k); } });
     const o = new Proxy(Object.setPrototypeOf({ a: 1 }, base), { ownKeys(t) { log.push("keys"); return Reflect.ownKeys(t); }, getPrototypeOf(t) { log.push("proto"); return Reflect.getPrototypeOf(t); } });
     for (const k in o) log.push("turn " + k);
     return log.filter((x) => x === "keys" || x === "base keys" || x.startsWith("turn"));`,
  ],
  [
    "for await gives next() of a sync iterator no argument",
    `const out = []; let i = 0;
     const it = { [Symbol.iterator]: () => ({ next(...r) { out.push(r.length); return { value: i, done: i++ > 1 }; }, return(...r) { out.push("return", r.length); return {}; } }) };
     for await (const x of it) out.push(x);
     i = 0; for await (const x of it) break;
     async function* all() { yield* it; }
     i = 0; const g = all(); await g.next(1); await g.next(2); await g.return(3);
     return out;`,
  ],
  [
    "a method is looked up before its arguments, whatever they make of the object",
    `const out = []; const other = { push: () => 'other', get: () => 'other', has: () => 'other', add: () => 'other', set: () => 'other' };
     { const a = [1]; out.push(a.push((Object.setPrototypeOf(a, other), 2)), a.length, a[1]); }
     { const a = [1]; try { a.push((Object.freeze(a), 2)); } catch (e) { out.push(e.name, a.length); } }
     { const a = [1]; out.push(a.push((a.push = other.push, 2)), a.length); }
     { const m = new Map([[1, 2]]); out.push(m.get((Object.setPrototypeOf(m, other), 1))); }
     { const m = new Map([[1, 2]]); out.push(m.has((m.has = other.has, 1))); }
     { const s = new Set([1]); const f = s.add; out.push(s.add((Object.setPrototypeOf(s, other), 2)) === s, Set.prototype.has.call(s, 2)); }
     { const m = new Map(); m.set((Object.setPrototypeOf(m, other), 1), 2); out.push(Map.prototype.get.call(m, 1)); }
     { const { push } = Array.prototype; const a = []; out.push(a.push((Array.prototype.push = other.push, 3))); Array.prototype.push = push; }
     return out;`,
  ],
  [
    "a tag is called on its object, whatever of it waits",
    `const o = { f(s, ...v) { return [this === o, s.raw[0], ...v]; } }; const later = async (v) => v;
     const out = [(await o).f\`a\`, o.f\`b\${await 1}\`, (await o)["f"]\`c\${await 2}\`, o[await "f"]\`d\${3}\`, (await later(o.f))\`e\`, (await String).raw\`f\\n\`];
     class A extends Array { async g() { return [super.concat\`x\${await 1}\`.length, (await this.constructor).of\`y\`.length]; } }
     out.push(await new A().g());
     function* gen() { return [(yield).f\`g\${yield}\`, o[yield]\`h\`]; }
     const it = gen(); it.next(); it.next(o); it.next(7); out.push(it.next("f").value);
     return out;`,
  ],
  [
    "an array pattern ends where the array ended, whatever its targets do to the array",
    `const out = []; let n, m;
     { const a = []; [a[1], ...n] = a; out.push(n, a.length); }
     { const a = []; [a[0], n, m] = a; out.push(n === undefined, m === undefined, a.length); }
     { const a = [1]; [n, a[3], m, ...a[5]] = a; out.push(n, m === undefined, a); }
     { const a = [1, 2, 3]; [a.length, ...n] = [2, ...a]; out.push(n, a); }
     { const a = [1, 2, 3, 4]; [a.length, n, m] = a; out.push(n === undefined, m === undefined); }
     { const a = [5, 6, 7]; [a[1], a[2], ...n] = a; out.push(n, a); }
     { const a = [1, 2, 3]; [a[100], n, ...m] = a; out.push(n, m.length); }
     { const a = [1, 2]; [a.x, ...n] = a; out.push(n); }
     { const a = [1, 2, 3]; const o = { set p(v) { Object.freeze(a); } }; [o.p, n, ...m] = a; out.push(n, m); }
     { const a = []; await (async () => { [a[1], n = await 3, ...m] = a; })(); out.push(n, m); }
     function* g() { const a = []; [a[yield], ...n] = a; out.push(n); }
     { const it = g(); it.next(); it.next(2); }
     return out;`,
  ],
  [
    "the keys of the prototypes of functions, in order",
    `const of = (f) => Reflect.ownKeys(Object.getPrototypeOf(f)).map(String);
     return [of(function* () {}), of(async function () {}), of(async function* () {}), of((function* () {})()), of((async function* () {})())];`,
  ],
  [
    "an invalid date has its text whatever the options are",
    `const d = new Date(NaN);
     return [d.toLocaleDateString("en-US", { timeStyle: "short" }), d.toLocaleTimeString("no such locale"), d.toLocaleString("en-US", { get timeZone() { throw 1; } })];`,
  ],
  [
    "a name read before its declaration in a later turn, when an earlier turn has left a value",
    `const out = []; const tries = (f) => { try { out.push(f()); } catch (e) { out.push(e.name); } };
     tries(() => { for (let i = 0; i < 2; i++) { if (i === 1) out.push(a); const a = i; } });
     tries(() => { for (let i = 0; i < 2; i++) { if (i === 1) b = 5; let b = i; } });
     tries(() => { for (let i = 0; i < 2; i++) { const { c = i === 1 ? d : 0, d = 2 } = {}; out.push(c, d); } });
     tries(() => { for (let i = 0; i < 2; i++) { const e = i === 1 ? e : 3; out.push(e); } });
     tries(() => { for (const [g, h = g] of [[1], [2]]) out.push(g, h); });
     tries(() => { for (let i = 0; i < 2; i++) { let j; out.push(j); j = i; } });
     tries(() => { for (let i = 0; i < 2; i++) switch (i) { case 1: k; break; case 0: let k = 1; } });
     tries(() => { try { throw [1]; } catch ([l, m = l]) { return l + m; } });
     return out.map((v) => v === undefined ? "undefined" : v);`,
  ],
  [
    "fields define on whatever the constructor gives, again and again",
    `const out = []; class Gives { constructor(o) { return o; } } class Fields extends Gives { x = 1; y = 2; }
     const make = (o) => { try { out.push(JSON.stringify(Object.getOwnPropertyDescriptors(new Fields(o)))); } catch (e) { out.push(e.name); } };
     for (const o of [{}, {}, { x: 5 }, Object.freeze({}), { get y() { return 3; } }, [], Object.create({ set x(v) { out.push("set"); } }), {}, Object.create(null)]) make(o);
     class Base { a = 1; } class Derived extends Base { b = this.a; a = 3; }
     for (let i = 0; i < 3; i++) { out.push(Object.entries(new Derived())); Object.defineProperty(Base.prototype, "b", { set() { out.push("set"); }, configurable: true }); }
     class Counted { static n = 0; constructor() { Counted.n++; } } new Counted(); new Counted(); out.push(Counted.n);
     function Old() {} Old.n = 1; out.push(new Old() instanceof Old); Old.prototype = { p: 7 }; out.push(new Old().p); Object.defineProperty(Old, "prototype", { value: { p: 8 } }); out.push(new Old().p);
     return out;`,
  ],
];

test.each(PROGRAMS)("%s", async (_kind, code) => {
  expect(await value(code)).toEqual(await hostValue(code));
});
