// What the differential tests have found: programs of each kind, in our interpreter and in Node's engine.

import { expect, test } from "vitest";
import { hostValue, value } from "./program.js";

const PROGRAMS: [kind: string, code: string][] = [
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
    "an invalid date has its text whatever the options are",
    `const d = new Date(NaN);
     return [d.toLocaleDateString("en-US", { timeStyle: "short" }), d.toLocaleTimeString("no such locale"), d.toLocaleString("en-US", { get timeZone() { throw 1; } })];`,
  ],
];

test.each(PROGRAMS)("%s", async (_kind, code) => {
  expect(await value(code)).toEqual(await hostValue(code));
});
