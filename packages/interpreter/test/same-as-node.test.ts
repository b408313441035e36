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
