// Programs for each kind of fault that sandboxes are known for, written anew: what they try, and what they get. The tests compare the
// result and look at the host after each; the fuzzer mutates them.

/** `[kind, program, expected]`: the value that the program returns, or the kind of failure after a "!". */
export const CONTAINED = [
  // Text becomes code.
  ["code-from-text", 'try { return ({}).constructor.constructor("return 1")() } catch (e) { return e.name }', "EvalError"],
  ["code-from-text", 'try { return (async()=>{}).constructor("return 1")() } catch (e) { return e.name }', "EvalError"],
  [
    "code-from-text",
    'try { return Object.getPrototypeOf(function*(){}).constructor("yield 1")() } catch (e) { return e.name }',
    "EvalError",
  ],
  ["code-from-text", 'try { return Reflect.construct(Function, ["return this"]) } catch (e) { return e.name }', "EvalError"],
  ["code-from-text", 'try { return Function.apply(null, ["return 1"])() } catch (e) { return e.name }', "EvalError"],
  ["code-from-text", 'try { return ["return 1"].map(Function)[0]() } catch (e) { return e.name }', "EvalError"],
  [
    "code-from-text",
    'const k = { n: 0, toString() { return this.n++ ? "constructor" : "name" } }; const f = (()=>1)[k]; try { return f("return 1")() } catch (e) { return e.name }',
    "TypeError",
  ],
  ["code-from-text", 'try { return setTimeout("1") } catch (e) { return e.name }', "TypeError"],
  ["code-from-text", 'eval("1")', "!unsupported"],
  ["code-from-text", 'const e = globalThis["ev" + "al"]; return typeof e', "undefined"],
  ["code-from-text", 'try { return tools.t.give.constructor("return 1")() } catch (e) { return e.name }', "EvalError"],
  ["code-from-text", 'try { return JSON.parse.call.call(Function, null, "return 1") } catch (e) { return e.name }', "EvalError"],
  ["code-from-text", 'class A extends Function {} try { return new A("return 1")() } catch (e) { return e.name }', "EvalError"],
  ["code-from-text", 'return "a".replace("a", "$&$`") + "x".replace(/x/, "${process}")', "a${process}"],

  // Names that the interpreter or the host keeps for itself.
  ["scope-names", "return (function () { return this })()", null],
  [
    "scope-names",
    "return [typeof process, typeof require, typeof module, typeof Buffer, typeof global, typeof __dirname, typeof window].join()",
    "undefined,undefined,undefined,undefined,undefined,undefined,undefined",
  ],
  ["scope-names", "return (function f() { try { return f.caller } catch (e) { return e.name } })()", "TypeError"],
  ["scope-names", "return (function () { try { return arguments.callee } catch (e) { return e.name } })()", "TypeError"],
  ["scope-names", "with ({}) {}", "!unsupported"],
  ["scope-names", 'const o = {}; __proto__: for (;;) { break __proto__ } constructor: { break constructor } return "ok"', "ok"],
  ["scope-names", "let R = 1, f = 2, fn = 3, _this = 4, $frame = 5; return R + f + fn + _this + $frame", 15],
  [
    "scope-names",
    "let __proto__ = 1, constructor = 2, hasOwnProperty = 3, toString = 4; return [__proto__, constructor, hasOwnProperty, toString]",
    [1, 2, 3, 4],
  ],
  ["scope-names", "return Reflect.ownKeys(globalThis).filter((k) => !(k in globalThis)).length", 0],
  [
    "scope-names",
    "class A { #x = 1; static read(o) { return #x in o } } return [A.read(new A()), A.read({}), Reflect.ownKeys(new A())]",
    [true, false, []],
  ],

  // Errors of the host.
  [
    "host-error",
    "try { null.x } catch (e) { return [e instanceof TypeError, Object.getPrototypeOf(Object.getPrototypeOf(e)) === Error.prototype, e.constructor === TypeError] }",
    [true, true, true],
  ],
  ["host-error", "try { new Array(-1) } catch (e) { return [e instanceof RangeError, Reflect.ownKeys(e)] }", [true, ["message"]]],
  ["host-error", 'try { "x".repeat(-1) } catch (e) { return Object.getPrototypeOf(e) === RangeError.prototype }', true],
  ["host-error", 'try { BigInt("x") } catch (e) { return e.constructor === SyntaxError }', true],
  ["host-error", 'try { decodeURIComponent("%") } catch (e) { return e.constructor === URIError }', true],
  ["host-error", 'try { new Intl.NumberFormat("en", { style: "nope" }) } catch (e) { return e.constructor === RangeError }', true],
  ["host-error", 'try { JSON.parse("{") } catch (e) { return e.constructor === SyntaxError }', true],
  ["host-error", 'try { new URL("nope") } catch (e) { return e.constructor === TypeError }', true],
  [
    "host-error",
    'try { await tools.t.fail() } catch (e) { return [e instanceof Error, Reflect.ownKeys(e).filter((k) => k !== "message"), "secret" in e] }',
    [true, [], false],
  ],
  ["host-error", "try { await tools.t.failFrozen() } catch (e) { e.x = 1; return [e.x, e.message] }", [1, "frozen"]],
  ["host-error", 'const f = () => f(); try { f() } catch { return "caught" }', "!limit"],
  [
    "host-error",
    "const r = await Promise.allSettled([tools.t.fail()]); return [r[0].reason instanceof Error, r[0].reason.host]",
    [true, null],
  ],

  // Stack texts and hooks.
  ["stack-hook", 'Error.prepareStackTrace = (e, frames) => frames; return typeof new Error("x").stack', "string"],
  [
    "stack-hook",
    'return typeof Error.captureStackTrace === "undefined" || (() => { const o = {}; Error.captureStackTrace(o); return typeof o.stack === "string" || o.stack === undefined })()',
    true,
  ],
  ["stack-hook", 'return /node:|file:|\\/dist\\/|\\.js:/.test(new Error("x").stack)', false],
  [
    "stack-hook",
    'const e = new Error("x"); e.toString = () => { throw 1 }; Object.defineProperty(e, "name", { get() { throw 2 } }); return typeof e.stack',
    "string",
  ],
  ["stack-hook", "try { await tools.t.fail() } catch (e) { return /node:|file:|\\/test\\//.test(String(e.stack)) }", false],

  // Pollution.
  ["pollution", "Object.prototype.zz = 1; Array.prototype.zz = 1; Function.prototype.zz = 1; Promise.prototype.zz = 1; return ({}).zz", 1],
  ["pollution", 'JSON.parse(\'{"__proto__":{"zz":1}}\'); return ({}).zz ?? null', null],
  [
    "pollution",
    'const o = await tools.t.echo(JSON.parse(\'{"__proto__":{"zz":1}}\')); return [Object.keys(o), o.zz ?? null, ({}).zz ?? null]',
    [["__proto__"], null, null],
  ],
  ["pollution", 'const a = {}; a["__proto__"].zz = 1; return ({}).zz', 1],
  ["pollution", 'Object.prototype.toJSON = () => "hijacked"; return { a: 1 }', "hijacked"],
  ["pollution", 'Array.prototype[Symbol.iterator] = function* () { yield "hijacked" }; return [...[1, 2]]', ["hijacked"]],
  [
    "pollution",
    'Object.assign({}, JSON.parse(\'{"__proto__":{"zz":1}}\')); ({ ...JSON.parse(\'{"__proto__":{"zz":1}}\') }); structuredClone(JSON.parse(\'{"__proto__":{"zz":1}}\')); return ({}).zz ?? null',
    null,
  ],
  [
    "pollution",
    'String.prototype.replace = () => "hijacked"; RegExp.prototype.exec = () => null; Map.prototype.get = () => 1; Promise.prototype.then = undefined; return "ok"',
    "ok",
  ],

  // The host reads values after or beside the run.
  ["host-reads-values", "let n = 0; return { get a() { return ++n } }", { a: 1 }],
  ["host-reads-values", "let n = 0; return { toJSON() { n++; return { n } } }", { n: 1 }],
  ["host-reads-values", "return { toJSON: () => { for (;;); } }", "!limit"],
  ["host-reads-values", "return { get a() { for (;;); } }", "!limit"],
  ["host-reads-values", "return new Proxy({}, { ownKeys() { for (;;); } })", "!limit"],
  ["host-reads-values", "return { a: () => 1 }", "!invalid-result"],
  ["host-reads-values", "const o = {}; o.o = o; return o", "!invalid-result"],
  ["host-reads-values", "throw { get message() { for (;;); }, toString() { for (;;); } }", "!uncaught"],
  ["host-reads-values", 'const e = new Error("x"); Object.defineProperty(e, "message", { get() { for (;;); } }); throw e', "!uncaught"],
  [
    "host-reads-values",
    "console.log({ get a() { for (;;); }, toString() { for (;;); }, [Symbol.toPrimitive]() { for (;;); } }, new Proxy({}, { get() { for (;;); } })); return 1",
    1,
  ],
  ["host-reads-values", "const input = { a: 1 }; const p = tools.t.echo(input); input.a = 2; return await p", { a: 1 }],
  ["host-reads-values", "let n = 0; return await tools.t.echo({ get a() { return ++n }, toJSON: undefined })", { a: 1 }],
  ["host-reads-values", 'throw new Proxy(new Error("x"), { get() { throw 1 }, getPrototypeOf() { throw 2 } })', "!uncaught"],

  // Promises.
  ["promise-thenable", "return await { then(f) { f({ then(g) { g(7) } }) } }", 7],
  [
    "promise-thenable",
    'class P extends Promise { static get [Symbol.species]() { return function (e) { e(() => {}, () => {}); return {} } } } const p = new P((f) => f(1)); p.then(() => {}); return "ok"',
    "ok",
  ],
  [
    "promise-thenable",
    'const p = tools.t.give(); p.constructor = function (e) { e(() => {}, () => {}) }; p.then = (f) => f("hijacked"); return await p',
    "hijacked",
  ],
  ["promise-thenable", 'Promise.reject(new Error("x")); return 1', 1],
  [
    "promise-thenable",
    "return [await tools, typeof await tools.t, typeof tools.then].map((x) => typeof x)",
    ["object", "string", "string"],
  ],
  ["promise-thenable", 'Promise.prototype.then = function () { return "hijacked" }; return (async () => 1)() instanceof Promise', true],

  // Modules and what is simply there.
  ["module-and-ambient", 'import fs from "fs"', "!unsupported"],
  ["module-and-ambient", 'return await import("fs")', "!unsupported"],
  ["module-and-ambient", "return import.meta.url", "!unsupported"],
  ["module-and-ambient", 'require("fs")', "!unsupported"],
  [
    "module-and-ambient",
    "return [typeof fetch, typeof WebAssembly, typeof SharedArrayBuffer, typeof Atomics, typeof FinalizationRegistry, typeof Worker, typeof performance, typeof navigator, typeof EventSource, typeof BroadcastChannel].join()",
    "undefined,undefined,undefined,undefined,undefined,undefined,undefined,undefined,undefined,undefined",
  ],
  [
    "module-and-ambient",
    'return [typeof process, typeof globalThis.process, "process" in globalThis, typeof console.constructor.process]',
    ["undefined", "undefined", false, "undefined"],
  ],

  // Tool results.
  ["tool-result", "try { return await tools.t.giveFunction() } catch (e) { return e.name }", "InvalidOutputError"],
  ["tool-result", "return Object.getPrototypeOf(await tools.t.giveInstance()) === Object.prototype", true],
  ["tool-result", "const o = await tools.t.giveGetter(); return [Object.keys(o), o.live ?? null]", [["plain"], null]],
  ["tool-result", "try { await tools.t.giveProxy() } catch (e) { return e.name }", "InvalidOutputError"],
  ["tool-result", "try { await tools.t.giveCycle() } catch (e) { return e.name }", "InvalidOutputError"],
  ["tool-result", "const [a, b] = await Promise.all([tools.t.giveShared(), tools.t.giveShared()]); a.x = 2; return b.x", 1],
  ["tool-result", "const m = await tools.t.giveMap(); return [m, m instanceof Map]", [{ a: 1 }, false]],
  [
    "tool-result",
    "const d = await tools.t.giveDate(); return [d instanceof Date, Object.getPrototypeOf(d) === Date.prototype, d.getTime()]",
    [true, true, 0],
  ],
  ["tool-result", "try { await tools.t.giveDeep() } catch (e) { return e.name }", "InvalidOutputError"],

  // What a tool sees.
  ["tool-surface", "return await tools.t.describe.call({ zz: 1 }, { a: 1 }, 2, 3)", ["object", 2, "other", true]],
  [
    "tool-surface",
    "return await tools.t.describe(Object.create({ inherited: 1 }, { own: { value: 1, enumerable: true } }))",
    ["object", 2, "other", true],
  ],
  ["tool-surface", "return Reflect.ownKeys(tools.t.give).sort()", ["length", "name"]],
  ["tool-surface", "try { tools.t.give.x = 1 } catch (e) { return e.name }", "TypeError"],
  ["tool-surface", "try { tools.t.extra = 1 } catch (e) { return e.name }", "TypeError"],
  [
    "tool-surface",
    "return [tools.t.constructor, tools.t.__proto__, tools.t.toString, tools.constructor].map((x) => x === undefined)",
    [true, true, true, true],
  ],
  ["tool-surface", "try { tools.t.nosuch() } catch (e) { return e.name }", "UnknownToolError"],

  // Time.
  ["cpu", "for (;;);", "!limit"],
  ["cpu", 'return /(a+)+$/.test("a".repeat(50) + "b")', "!limit"],
  ["cpu", '[..."x".repeat(1e5)].sort(() => { for (;;); })', "!limit"],
  ["cpu", "await Promise.resolve().then(function f() { return Promise.resolve().then(f) })", "!limit"],
  ["cpu", "JSON.stringify({ length: 0, get a() { return JSON.stringify(this) } })", "!limit"],

  // Memory.
  ["memory", 'let s = "x"; for (;;) s += s', "!uncaught"],
  ["memory", 'const a = []; for (;;) a.push("x".repeat(1e5) + a.length)', "!limit"],
  ["memory", 'return "x".padEnd(2 ** 29)', "!uncaught"],
  ["memory", "return new Array(2 ** 31).fill(0)", "!uncaught"],
  ["memory", "const a = []; for (;;) a.push(new Uint8Array(1e6))", "!limit"],
  ["memory", "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return JSON.stringify(a).length", "!limit"],

  // Depth.
  ["depth", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return String(a).length", "!limit"],
  ["depth", "let a = []; for (let i = 0; i < 1e3; i++) a = [a]; return a", "!invalid-result"],
  ["depth", "const o = { get a() { return o.a } }; return o.a", "!limit"],
  ["depth", "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x", "!limit"],
  ["depth", `return ${"(".repeat(2_000)}1${")".repeat(2_000)}`, "!limit"],

  // Later turns.
  ["async-lifetime", "setInterval(() => console.log('late'), 1); return 1", 1],
  ["async-lifetime", "(async () => { for (;;) await 1 })(); return 1", 1],
  ["async-lifetime", "await new Promise(() => {})", "!stalled"],
  ["async-lifetime", "await tools.t.never()", "!limit"],
  ["async-lifetime", "const f = () => { queueMicrotask(f) }; f(); await new Promise(() => {})", "!limit"],
  ["async-lifetime", "tools.t.give(); return 1", 1],

  // Output.
  ["output-flood", "for (let i = 0; i < 1e4; i++) console.log('x'.repeat(1e3)); return 1", 1],
  ["output-flood", "return 'x'.repeat(6e6)", "!limit"],
  ["output-flood", "throw new Error('x'.repeat(1e7))", "!uncaught"],
  ["output-flood", "for (let i = 0; i < 2000; i++) try { await tools.t.give() } catch {}", "!limit"],
  ["output-flood", "for (let i = 0; i < 500; i++) Promise.reject(new Error('x'.repeat(1e4))); return 1", 1],

  // Limits that are caught or waited out.
  ["limit-evasion", "for (;;) try { for (;;); } catch {} finally { continue }", "!limit"],
  [
    "limit-evasion",
    "const g = (function* () { try { for (;;); } finally { yield 1 } })(); try { g.next() } catch {} return g.next()",
    "!limit",
  ],
  [
    "limit-evasion",
    "await Promise.race([new Promise((f) => setTimeout(f, 1)), (async () => { for (;;); })()]).catch(() => 1); return 2",
    "!limit",
  ],
  ["limit-evasion", "try { (function f() { f() })() } catch { return 'caught' } finally { return 'finally' }", "!limit"],
  ["limit-evasion", "class A { static [Symbol.hasInstance]() { for (;;); } } try { 1 instanceof A } catch { return 1 }", "!limit"],
  [
    "limit-evasion",
    "const it = { [Symbol.iterator]() { return { next() { for (;;); }, return() { return {} } } } }; try { for (const x of it); } catch { return 1 }",
    "!limit",
  ],
  ["limit-evasion", "new Promise(() => { for (;;); }).catch(() => 1); return 2", "!limit"],
];
