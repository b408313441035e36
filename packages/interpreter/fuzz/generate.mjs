// Programs from a small grammar: odd values, calls of every builtin with them, and the language's forms around.

/** Expressions that are no ordinary values. `§` is another expression. */
const ODD = [
  "0",
  "-0",
  "1",
  "-1",
  "NaN",
  "Infinity",
  "2**31",
  "2**32",
  "2**53-1",
  "1e308",
  "0.5",
  "100",
  "1e5",
  "''",
  "'a'",
  "'abc\\ud800'",
  "'x'.repeat(5000)",
  "('y'.repeat(3000)+§)",
  "'length'",
  "'constructor'",
  "'__proto__'",
  "'then'",
  "`${§}`",
  "'0'",
  "'(a+)+§'",
  "'g'",
  "0n",
  "-1n",
  "2n**200n",
  "(1n<<5000n)",
  "true",
  "false",
  "null",
  "undefined",
  "Symbol()",
  "Symbol.iterator",
  "Symbol.for('k')",
  "Symbol.toPrimitive",
  "{}",
  "[]",
  "[1,2,3]",
  "[,1,,2]",
  "[§,§]",
  "{a:§,b:§}",
  "{length:5}",
  "{length:2**53-1}",
  "{length:-1,0:1}",
  "{__proto__:§}",
  "{get a(){return §}}",
  "{valueOf(){return §}}",
  "{toString(){return §}}",
  "{[Symbol.iterator](){return this},next(){return {done:false,value:§}}}",
  "{[Symbol.iterator]:()=>({next:Object})}",
  "{then(r){r(§)}}",
  "{toJSON(){return §}}",
  "{next(){return §},return(){return §}}",
  "Object.freeze([1,2])",
  "Object.seal({a:1})",
  "Object.create(null)",
  "Object.create(§)",
  "Object.preventExtensions([§])",
  "()=>§",
  "x=>x",
  "(...a)=>a",
  "function(){return this}",
  "function*(){yield §}",
  "async()=>§",
  "async function*(){yield §}",
  "class{a=§}",
  "class extends Array{}",
  "class{static [Symbol.hasInstance](){return §}}",
  "(function(){return arguments})(1,§)",
  "(function*(){yield 1;yield §})()",
  "[1,2].values()",
  "[3,1,2].values().map(x=>x)",
  "new Map([[1,§]])",
  "new Set([1,§])",
  "new WeakMap()",
  "new Map([[§,§]]).entries()",
  "new Proxy({},{})",
  "new Proxy([1],{})",
  "new Proxy(()=>1,{})",
  "new Proxy({},{get(t,k,r){return §}})",
  "new Proxy({a:1},{ownKeys(){return [§,'a']},getOwnPropertyDescriptor(){return {value:1,configurable:true,enumerable:true}}})",
  "new Proxy(§,{set(){return true},has(){return true},deleteProperty(){return true}})",
  "(()=>{const p=Proxy.revocable({},{});p.revoke();return p.proxy})()",
  "new Uint8Array(8)",
  "new Float64Array([1,NaN])",
  "new BigInt64Array(2)",
  "new Uint16Array(new ArrayBuffer(8,{maxByteLength:16}))",
  "new ArrayBuffer(8,{maxByteLength:64})",
  "(()=>{const b=new ArrayBuffer(8);const u=new Uint8Array(b);b.transfer();return u})()",
  "new DataView(new ArrayBuffer(4))",
  "new Date(0)",
  "new Date(NaN)",
  "/a/g",
  "/(?<n>a+)|b/giu",
  "/(a+)+§/y",
  "new Error('e',{cause:§})",
  "new AggregateError([§])",
  "Promise.resolve(§)",
  "Promise.reject(§)",
  "new Promise(()=>{})",
  "Object(1n)",
  "new String('ab')",
  "new Number(1)",
  "Object(Symbol())",
  "globalThis",
  "tools",
  "tools.f",
  "tools.f.give",
  "console",
  "JSON",
  "Math",
  "Reflect",
  "Object.prototype",
  "Array.prototype",
  "Function.prototype",
  "Promise.prototype",
  "Object.getPrototypeOf(function*(){})",
  "new URL('http://a.test/?a=1')",
  "new URLSearchParams('a=1&b=2')",
  "new TextDecoder()",
  "new AbortController()",
  "new Intl.NumberFormat()",
  "structuredClone(§)",
  "JSON.rawJSON('1')",
  "Array(50).fill(§)",
  "Array.from({length:300},(_,i)=>i)",
  "(()=>{let a=[];for(let i=0;i<300;i++)a=[a];return a})()",
  "new DisposableStack()",
  "v[0]",
  "v[1]",
  "v[2]",
  "v",
  "f",
  "f($)",
  "input",
];

const OPERATORS = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "**",
  "&",
  "|",
  "^",
  "<<",
  ">>",
  ">>>",
  "<",
  ">",
  "<=",
  ">=",
  "==",
  "!=",
  "===",
  "!==",
  "in",
  "instanceof",
  "&&",
  "||",
  "??",
  ",",
];

export class Grammar {
  /** `members` lists the properties of each builtin: `["Array.prototype", "map"]`. */
  constructor(r, members) {
    this.r = r;
    this.members = members;
    /** Above 0 inside of functions, which are no async ones. */
    this.inner = 0;
  }

  value(depth = 0) {
    const { r } = this;
    this.inner++;
    const text = r.pick(ODD).replace(/§/g, () => (depth > 2 ? r.pick(["1", "'a'", "v[0]", "[]"]) : this.expression(depth + 1)));
    this.inner--;
    return text;
  }

  expression(depth = 0) {
    const { r } = this;
    if (depth > 3) return this.value(depth);
    const e = () => this.expression(depth + 1);
    switch (r.below(24)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        return `(${this.value(depth)})`;
      case 5:
      case 6:
      case 7:
      case 8:
      case 9:
      case 10:
        return this.call(depth);
      case 11:
        return `(${e()} ${r.pick(OPERATORS)} ${e()})`;
      case 12:
        return `(${r.pick(["!", "-", "~", "typeof ", "void ", "+", "delete "])}${r.chance(0.5) ? e() : `(${e()})[${e()}]`})`
          .replace("-(-", "-( -")
          .replace("+(+", "+( +");
      case 13:
        return `(${e()})[${e()}]`;
      case 14:
        return `(${e()})?.[${e()}]`;
      case 15:
        return `(${e()} ? ${e()} : ${e()})`;
      case 16:
        return `[...(${e()})]`;
      case 17:
        return `({...(${e()}), [${e()}]: ${e()}})`;
      case 18:
        return this.inner > 0 ? e() : `(await (${e()}))`;
      case 19:
        return `new (${e()})(${r.many(3, e).join(",")})`;
      case 20:
        return `(${e()})(${r.many(3, e).join(",")})`;
      case 21:
        return `\`\${${e()}}\``;
      case 22:
        return `(v[${r.below(4)}] ${r.pick(["=", "+=", "??=", "||=", "**=", "<<="])} ${e()})`;
      default:
        return `(${this.inner > 0 ? "" : "await "}tools.${r.pick(["f.give", "f.later", "f.slow", "f.echo", "nosuch.x"])}({a: ${e()}}))`;
    }
  }

  /** A builtin's method on any receiver with any arguments. */
  call(depth) {
    const { r } = this;
    const [owner, name] = r.pick(this.members);
    const args = r.many(4, () => (r.chance(0.3) ? `(${this.value(depth + 1)})` : this.expression(depth + 2))).join(", ");
    const member = `${owner}[${name}]`;
    if (!owner.endsWith(".prototype")) return r.chance(0.2) ? `new (${member})(${args})` : `${member}(${args})`;
    const receiver = r.chance(0.5) ? (RECEIVERS[owner] ?? this.value(depth + 1)) : this.value(depth + 1);
    return r.chance(0.15)
      ? `Reflect.${r.pick(["get", "set", "getOwnPropertyDescriptor"])}(${owner}, ${name}, ${receiver})`
      : `Reflect.apply(${member}, ${receiver}, [${args}])`;
  }

  statement(depth = 0) {
    const { r } = this;
    const e = () => this.expression(1);
    const s = () => (depth > 2 ? `${e()};` : this.statement(depth + 1));
    const block = () => `{ ${r.many(3, s).join(" ")} }`;
    switch (r.below(22)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5:
        return `v[${r.below(4)}] = ${e()};`;
      case 6:
      case 7:
        return `${e()};`;
      case 8:
        return `try ${block()} catch (e) { v[3] = e; }`;
      case 9:
        return `try ${block()} finally ${block()}`;
      case 10:
        return `if (${e()}) ${block()} else ${block()}`;
      case 11:
        return `for (let i = 0; i < ${r.pick(["3", "20", "1e9"])}; i++) ${block()}`;
      case 12:
        return `for (const x of ${e()}) { v[1] = x; ${s()} break; }`;
      case 13:
        return `for (const k in ${e()}) { v[2] = k; ${s()} }`;
      case 14:
        return `while (${e()}) { ${s()} if (v[0]) break; }`;
      case 15:
        return `for await (const x of ${e()}) { v[1] = x; break; }`;
      case 16:
        return `const [p${r.below(1e6)} = ${e()}, ...q${r.below(1e6)}] = ${e()};`;
      case 17:
        return `({a: v[0], [${e()}]: v[1] = ${e()}, ...v[2]} = ${e()});`;
      case 18:
        return `switch (${e()}) { case ${e()}: ${s()} default: ${s()} }`;
      case 19:
        return `${r.pick(["Object", "Array", "Promise", "RegExp", "Map", "Error", "Iterator", "String", "Number", "Function", "Date"])}${r.pick([".prototype", ""])}[${r.pick(["'zz'", "Symbol.iterator", "'then'", "'toString'", "'constructor'", "'exec'", "Symbol.species", "'next'", "'0'", "'push'", "'length'", e()])}] = ${e()};`;
      case 20:
        return `Object.defineProperty(${e()}, ${e()}, {${r.pick(["value: " + e(), "get() { return " + e() + " }, set(x) {}", "value: 1, writable: false"])}, configurable: ${r.chance(0.5)}, enumerable: true});`;
      default:
        return `console.${r.pick(["log", "error", "table", "dir", "group"])}(${r.many(3, e).join(", ")});`;
    }
  }

  program() {
    const { r } = this;
    const body = Array.from({ length: 1 + r.below(6) }, () => `try { ${this.statement()} } catch (e) { v[3] = e; }`).join("\n");
    return `const v = [];\nfunction f(x) { return v.length > 50 ? x : (v.push(x), ${this.value()}); }\n${body}\n${r.chance(0.3) ? `return ${this.expression(1)};` : "return v;"}`;
  }
}

/** What the methods of a prototype are usually called on. */
const RECEIVERS = {
  "Array.prototype": "[3,1,,2]",
  "String.prototype": "'aXbXc'",
  "Map.prototype": "new Map([[1,2],['a',v]])",
  "Set.prototype": "new Set([1,2,v])",
  "Promise.prototype": "Promise.resolve(1)",
  "RegExp.prototype": "/a(b)?/g",
  "Date.prototype": "new Date(0)",
  "Number.prototype": "12.5",
  "BigInt.prototype": "12n",
  "ArrayBuffer.prototype": "new ArrayBuffer(8,{maxByteLength:32})",
  "DataView.prototype": "new DataView(new ArrayBuffer(16))",
  "Iterator.prototype": "[1,2,3].values()",
  "Uint8Array.prototype": "new Uint8Array([1,2,3])",
  "Object.getPrototypeOf(Uint8Array).prototype": "new Float64Array([3,1,2])",
  "Function.prototype": "f",
  "Symbol.prototype": "Symbol('s')",
  "URL.prototype": "new URL('http://u:p@a.test:8/p?q=1#h')",
  "URLSearchParams.prototype": "new URLSearchParams('a=1&b=2')",
};

/** A program that lists all members of all globals. */
export const LIST_MEMBERS = `
const out = [];
const key = (k) => typeof k === "string" ? JSON.stringify(k) : k.description.startsWith("Symbol.") ? k.description : null;
const add = (owner, o) => { for (const k of Reflect.ownKeys(o)) { const name = key(k); if (name !== null) out.push([owner, name]); } };
for (const name of Reflect.ownKeys(globalThis)) {
  if (typeof name !== "string" || name === "tools" || name === "globalThis" || name === "input") continue;
  const value = globalThis[name];
  if (typeof value === "function") out.push(["globalThis", JSON.stringify(name)]);
  if ((typeof value !== "object" && typeof value !== "function") || value === null) continue;
  add(name, value);
  if (typeof value === "function" && value.prototype) add(name + ".prototype", value.prototype);
}
add("Object.getPrototypeOf(Uint8Array).prototype", Object.getPrototypeOf(Uint8Array).prototype);
for (const name of ["NumberFormat", "DateTimeFormat", "Collator", "PluralRules", "ListFormat", "RelativeTimeFormat", "Segmenter"]) add("Intl." + name + ".prototype", Intl[name].prototype);
return out;`;
