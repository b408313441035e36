// Generators driven from outside, and async functions among each other: who goes on when.

import { many, one, t, words } from "./grammar.mjs";
import { any, body, parameters, statements } from "./language.mjs";
import { index, number, numbers, odd, string } from "./values.mjs";

const drive = one([3, t`L(() => it.next(${any(0, "")}));`], t`L(() => it.return(${any(0, "")}));`, t`L(() => it.throw(new Error("~in")));`);

export const generator = one(
  [3, t`{ function* gen(${parameters(1)}) { ${body(3, "y")} } const it = gen(${any(0, "")}); ${many(drive, " ", 1, 6)} }`],
  t`{ function* inner() { try { ${statements(2, "y", 0, true)} yield 1; yield 2; } finally { ${statements(1, "y", 0, true)} log("inner done"); } } function* gen() { const r = yield* ${one("inner()", t`iter(1, ${numbers}, ${index})`, "[1, 2]", '"ab"', t`spy("p", ${numbers})`)}; log("r", r); return r; } const it = gen(); ${many(drive, " ", 1, 6)} }`,
  t`{ function* gen() { ${body(2, "y")} } for (const u of gen()) { log(u); ${one("", "if (n++ > 2) break;", "throw new Error('~out');")} } }`,
  t`{ function* gen() { try { yield 1; yield 2; } finally { log("closed"); ${one("", "return 5;", "throw new Error('~fin');", "yield 9;")} } } ${one("const [u] = gen();", "const [u, v, w] = gen();", "L(() => Math.max(...gen()));", "L(() => Array.from(gen(), (x) => { throw x; }));", "L(() => new Map(gen()));", "L(() => new Set(gen()));", "L(() => Object.fromEntries(gen()));", "for (const x of gen()) { break; }")} log("after"); }`,
);

const step = one(
  t`log(${string}, await ${any(1, "a")});`,
  t`log(${string}, await ticks(${index}, ${number}));`,
  t`await undefined; log(${string});`,
  t`try { await ${one("Promise.reject(new Error('~r'))", "thenable(1, 2, 2)", "ticks(1, 2)", "pending")}; } catch (e) { log("c", e); } finally { log(${string}); }`,
  t`if (${index} > 3) throw new Error("~s");`,
  t`return ${one(any(1, "a"), "ticks(1, 4)", "thenable(4, 5)", "Promise.resolve(6)")};`,
);
const worker = t`(async () => { ${many(step, " ", 1, 4)} })()`;
const promise = one(
  [3, worker],
  t`Promise.resolve(${any(1, "")})`,
  t`Promise.reject(${one("new Error('~p')", number)})`,
  t`ticks(${index}, ${number})`,
  t`thenable(${index}, ${number}, ${index})`,
  t`new Promise((yes, no) => { ${many(one(t`yes(${one(number, "ticks(1, 1)", "thenable(2, 3)")});`, "no(new Error('~n'));", "throw new Error('~x');", "log('in');"), " ", 0, 3)} })`,
  t`Promise.${words`all allSettled any race`}([${many(one(number, t`ticks(${index}, ${number})`, "Promise.reject(1)", "thenable(3, 4)"), ", ", 1, 3)}])`,
  t`(async function* () { ${body(2, "ya")} })().next()`,
);
const reaction = one(
  t`(v) => { log(${string}, v); ${one("", "return ticks(1, v);", "throw new Error('~h');", "return thenable(5, v);", "return p1;")} }`,
  t`(v) => log(${index}, v)`,
  "undefined",
  number,
);
const chain = one(t`.then(${reaction}, ${reaction})`, t`.then(${reaction})`, t`.catch(${reaction})`, t`.finally(${reaction})`);
// A program that ends while a promise is rejected and unhandled is no matter here.
const start = t`{ const p1 = ${promise}; const pending = ${promise}; ${many(t`Promise.resolve(${words`p1 pending 3`})${many(chain, "", 0, 3)};`, " ", 1, 4)} log("sync"); }`;

export const async = one(
  [3, start],
  [2, t`{ const pending = undefined; ${many(t`${worker}.then((v) => log("w", v), (e) => log("e", e));`, " ", 2, 4)} log("sync"); }`],
  [
    2,
    t`{ const p1 = 0; const pending = ${promise}; L(() => Promise.${words`all allSettled any race`}(${one(t`[${many(promise, ", ", 0, 4)}]`, t`iter(1, [${many(promise, ", ", 0, 3)}], ${words`0 0 1 2`})`, odd)}).then((v) => log("ok", v), (e) => log("bad", e, e?.errors))); await ticks(3); log("three"); }`,
  ],
  [
    2,
    t`{ async function* gen() { ${body(3, "ya")} } const it = gen(); for (const p of [${many(one(t`it.next(${number})`, t`it.return(${one(number, "ticks(1, 2)", "Promise.reject(new Error('~ret'))")})`, "it.throw(new Error('~in'))"), ", ", 1, 4)}]) p.then((v) => log("ok", v), (e) => log("bad", e)); log("sync"); }`,
  ],
  t`{ async function* gen() { try { yield 1; yield ticks(1, 2); yield* ${one("[3, 4]", "aiter(2, [5, ticks(1, 6)])", "(async function* () { yield 7; })()")}; } finally { log("closed"); await null; log("closed 2"); } } try { for await (const u of gen()) { log(u); ${one("", "if (n++ > 1) break;", "throw new Error('~out');", "await ticks(2);")} } } catch (e) { log(e); } }`,
  t`{ const run = async () => { ${body(3, "a")} }; run().then((v) => log("ok", v), (e) => log("bad", e)); queueMicrotask(() => LOG.push("micro")); log("sync"); }`,
  t`{ const P = class extends Promise { static get [Symbol.species]() { log("species"); return ${words`Promise P undefined`}; } constructor(f) { log("P"); super(f); } then(...r) { log("then"); return super.then(...r); } }; ${one("P.resolve(1).then((v) => log(v));", "const u = await P.resolve(2); log(u);", "P.all([P.resolve(1), 2]).then((v) => log(v));", "(async () => P.resolve(3))().then((v) => log(v));", "P.reject(1).catch((v) => log(v)).finally(() => log('f'));", "log(await Promise.all([P.resolve(1)]));", "new P((y) => y(P.resolve(5))).then(log);")} }`,
);
