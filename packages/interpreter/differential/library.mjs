// The library: every method that both engines have, called on receivers of its kind with fitting and with odd arguments.

import vm from "node:vm";
import fc from "fast-check";
import { callback } from "./language.mjs";
import { many, maybe, one, t, words } from "./grammar.mjs";
import {
  arrayLike,
  array,
  args,
  bigint,
  index,
  key,
  number,
  numbers,
  odd,
  primitive,
  smallInt,
  string,
  strings,
  symbol,
  traced,
} from "./values.mjs";

/** Names of methods of an object of the engine, but for those that only hosts have or whose results are the host's own affair. */
function methodsOf(expression, not = []) {
  const names = vm.runInNewContext(
    `Object.getOwnPropertyNames(${expression}).filter((k) => typeof Object.getOwnPropertyDescriptor(${expression}, k).value === "function")`,
  );
  return fc.constantFrom(...names.filter((name) => !["constructor", "captureStackTrace", "prepareStackTrace", ...not].includes(name)));
}

const fn = callback(1);
const comparator = words`by(size) by((x)=>-size(x)) by((x)=>typeof(x)) ()=>0 ()=>NaN ()=>"0" undefined by((x)=>size(x)%2) ()=>1n ()=>{throw(n)} 1 null`;
const reducer = words`(x,y)=>x+y (x,y,i)=>[x,y,i] Math.max (x,y)=>(log(x,y),y)`;
const L = (expression) => t`L(() => ${expression});`;

// Arrays ---------------------------------------------------------------------------------------------------------------------------

const callbackMethods = words`map filter forEach some every find findIndex findLast findLastIndex flatMap`;
const mutatingCallback = t`(x, i, l) => { log(x, i); ${one("l.push(i);", "l.pop();", "delete l[i + 1];", "l[i + 1] = 9;", "l.length = 2;", "l.shift();", "l.unshift(0);")} return ${one("x > 1", "x", "[x]", "i % 2")}; }`;
const arrayCall = (receiver) =>
  one(
    [3, t`${receiver}.${callbackMethods}(${fn}${maybe(t`, ${odd}`)})`],
    [2, t`${receiver}.${callbackMethods}(${mutatingCallback})`],
    [2, t`sortable(${receiver}).${words`sort toSorted`}(${comparator})`],
    t`${receiver}.${words`reduce reduceRight`}(${reducer}${maybe(t`, ${odd}`)})`,
    [
      2,
      t`${receiver}.${words`slice fill copyWithin at with includes indexOf lastIndexOf flat join toString splice toSpliced`}(${many(one([4, smallInt], odd), ", ", 0, 3)})`,
    ],
    t`${receiver}.${words`splice toSpliced concat push unshift`}(${many(one(smallInt, arrayLike, odd), ", ", 0, 4)})`,
    t`${receiver}.${words`pop shift reverse toReversed keys values entries`}()`,
  );
const viaCall = t`Array.prototype.${methodsOf("Array.prototype", ["toLocaleString", "sort", "toSorted"])}.call(${one([3, arrayLike], string, odd, "{ length: 3, 0: 1, 1: 2, 2: 3 }", "new Uint8Array([3, 1, 2])", "(function () { return arguments; })(1, 2, 3)")}, ${args})`;
const arrays = one(
  [6, t`{ const l = ${arrayLike}; ${L(arrayCall("l"))} log(l); }`],
  [3, t`{ const l = ${arrayLike}; ${L(t`[...${arrayCall("l")}]`)} log(l); }`],
  [
    2,
    t`{ const l = ${one("{ length: 3, 0: 1, 1: 2, 2: 3 }", "spy('l', [2, 1])", "{ length: 2 }", "Object.seal([1, 2])", "Object.preventExtensions([1])")}; L(() => Array.prototype.${methodsOf("Array.prototype", ["toLocaleString", "sort", "toSorted"])}.call(l, ${args})); log(l); }`,
  ],
  L(viaCall),
  L(t`Array.from(${one(arrayLike, string, odd, t`iter(1, ${numbers}, ${index})`)}, ${one(fn, odd, "undefined")}${maybe(t`, ${odd}`)})`),
  L(t`Array.${words`of isArray from`}.call(${words`C0 Array Object undefined`}, ${args})`),
  L(t`new Array(${one(index, many(odd))})`),
  t`{ const l = ${array}; L(() => (l.length = ${one(index, traced, words`-1 1.5 "2" NaN true null "x"`)})); L(() => (l[${key}] = 1)); log(l, l.length); }`,
  // A copy of the start only: of an array with a huge index, it would need that much memory here.
  t`{ const l = ${array}; L(() => Object.defineProperty(l, ${key}, { ${one("value: 1", "get() { return 2; }", "value: 1, writable: true, enumerable: true, configurable: true", "writable: false")} })); L(() => l.push(5)); L(() => l.slice(0, 9).map((x) => x)); log(l); }`,
  t`{ class A extends Array {} const l = A.from(${numbers}); ${L(t`${arrayCall("l")}`)} L(() => l.map((x) => x) instanceof A); L(() => l.slice(1).constructor.name); log(l); }`,
  t`{ const l = ${array}; l.constructor = ${one("undefined", "null", "{ [Symbol.species]: function (n) { log('species', n); return { length: 0 }; } }", "C0", "3")}; ${L(t`l.${words`map filter slice splice concat flat flatMap`}(${one(fn, smallInt, odd)})`)} }`,
  t`{ const l = Array.from({ length: ${words`5 12 30 70`} }, (_, i) => ({ k: (i * 7919) % ${words`3 5 7`}, i })); l.sort((x, y) => ${words`x.k-y.k y.k-x.k (x.k>y.k)-(x.k<y.k) 0`}); log(l.map((x) => x.k + ":" + x.i).join()); }`,
  t`{ const l = [${many(one(number, string, words`undefined null true`, ""), ", ", 0, 14)}]; log(l.sort()); log(l.sort(by(size))); log([${many(number, ", ", 0, 40)}].filter((x) => x === x).sort((x, y) => ${words`x-y y-x`} || 0)); }`,
);

// Objects --------------------------------------------------------------------------------------------------------------------------

const descriptor = one(
  t`{ ${many(one(t`value: ${odd}`, t`writable: ${words`true false 1 0`}`, t`enumerable: ${words`true false`}`, t`configurable: ${words`true false`}`), ", ", 0, 3)} }`,
  t`{ get() { log("get"); return ${number}; }${maybe(", set(v) { log('set', v); }")}${maybe(", enumerable: true")} }`,
  odd,
  t`spy("d", { value: 1, writable: true })`,
  "{ get: 1 }",
  "{ get() {}, value: 1 }",
);
const subject = one(
  [2, "{ a: 1, b: 2 }"],
  "{ b: 1, 2: 2, a: 3, 1: 4, [Symbol('z')]: 5 }",
  arrayLike,
  odd,
  "new C0(1)",
  "Object.create({ a: 1 }, { h: { value: 2 } })",
  "spy('o', { a: 1 })",
  "Object.freeze({ a: 1 })",
  "Object.seal({ a: 1 })",
  "new Proxy({}, {})",
  // Not `function`: V8 leaves its prototype writable where it is sealed first and frozen then.
  "(x, y) => {}",
  "class { static s = 1; }",
  "Object.defineProperty({}, 'a', { get() { log('ga'); return 1; }, enumerable: true })",
);
const objects = one(
  [
    3,
    t`{ const u = ${subject}; ${many(one(L(t`Object.defineProperty(u, ${key}, ${descriptor})`), L(t`Object.defineProperties(u, { a: ${descriptor}, z: ${descriptor} })`), L(t`Object.${words`freeze preventExtensions isFrozen isSealed isExtensible`}(u)`), L(t`(u[${key}] = ${odd})`), L(t`delete u[${key}]`), L(t`Object.assign(u, ${many(subject, ", ", 1, 2)})`), L("({ ...u })"), L(t`${key} in u`), L(t`Object.hasOwn(u, ${key})`), L(t`Object.getOwnPropertyDescriptor(u, ${key})`)), " ", 1, 5)} log(u); }`,
  ],
  // Not seal, here and above: V8 takes typed arrays with elements, which cannot be sealed, without a word.
  [3, L(t`Object.${methodsOf("Object", ["seal"])}(${one(subject, odd)}, ${args})`)],
  L(t`Object.seal(${one("{ a: 1, b: 2 }", "[1, , 2]", "(x, y) => {}", "new Proxy({ a: 1 }, {})", "new C0(1)")})`),
  L(
    t`Object.${words`keys values entries getOwnPropertyNames getOwnPropertySymbols getOwnPropertyDescriptors fromEntries getPrototypeOf`}(${subject})`,
  ),
  L(
    t`Object.fromEntries(${one(t`[${many(t`[${key}, ${odd}]`, ", ", 0, 3)}]`, t`iter(1, [[1, 2], ${odd}], ${words`0 2 3`})`, "new Map([[1, 2]])")})`,
  ),
  L(t`Object.prototype.${methodsOf("Object.prototype")}.call(${one(subject, odd)}, ${args})`),
  L(t`Reflect.${methodsOf("Reflect")}(${subject}, ${one(key, odd, "[1, 2]")}, ${args})`),
  L(
    t`Reflect.construct(${words`C0 Array Map Object Date function(){return(new.target)} (class{constructor(){this.t=new.target===C0}})`}, ${one(array, arrayLike)}${maybe(t`, ${words`C0 Array Object (()=>1) 1`}`)})`,
  ),
  t`{ const log2 = []; for (const k in plain(${subject})) log2.push(k); log(log2); }`,
  L(
    t`Function.prototype.${words`call apply bind toString`}.call(${words`C0 C0.prototype.m Math.max f`}, ${one(args, t`null, ${arrayLike}`)})?.name`,
  ),
  L(t`(function (x, y = 1, ...z) {}).bind(${args})`),
  L(t`${words`C0.prototype.m f ((x,y)=>x+y)`}.bind(${args})(${args})`),
);

const trapValue = one(
  "undefined",
  "true",
  "false",
  "null",
  "1",
  "{}",
  "[]",
  "['a']",
  "{ value: 1, configurable: true }",
  "{ value: 2 }",
  "Reflect",
);
const trapBody = words`get set has deleteProperty ownKeys getOwnPropertyDescriptor defineProperty getPrototypeOf setPrototypeOf isExtensible preventExtensions apply construct`;
const proxyUse = one(
  t`u[${key}]`,
  t`(u[${key}] = 1)`,
  t`${key} in u`,
  t`delete u[${key}]`,
  "Object.keys(u)",
  "({ ...u })",
  "Object.getPrototypeOf(u)",
  "Object.isExtensible(u)",
  "Object.preventExtensions(u)",
  "Object.freeze(u)",
  "Object.isFrozen(u)",
  "u(1, 2)",
  "new u(3)",
  "JSON.stringify(u)",
  "[].concat(u)",
  "u instanceof C0",
  "Object.create(u).a",
  "(Object.create(u).a = 1)",
  "`${u}`",
  "[...u]",
  "typeof u",
  "Array.isArray(u)",
  "Object.assign({}, u)",
  "Object.entries(u)",
  t`Object.defineProperty(u, ${key}, { value: 1 })`,
  "u?.a?.b",
  "u.toString()",
  "u == 1",
  "({ a, ...r } = u, r)".replace("a, ...r", "a: o.x, ...o.y").replace(", r)", ", o.y)"),
);
const proxies = t`{ const u = new Proxy(${one("{ a: 1 }", "[1, 2]", "C0", "function (x) { return x; }", "Object.freeze({ a: 1 })", "Object.defineProperty({}, 'a', { value: 1 })", "spy('inner', { a: 1 })")}, { ${many(t`${trapBody}(...r) { log(${string}, r.length); return ${trapValue}; }`, ", ", 1, 3)} }); ${many(L(proxyUse), " ", 1, 4)} }`;

// Texts ----------------------------------------------------------------------------------------------------------------------------

const replacement = one(
  words`"[$&]" "$1-$2" "$$" "$<n>" "<$\`>" "<$'>" "$0$10" "" "$"`,
  "(...r) => (log(...r), 'R')",
  "(m) => m.length",
  odd,
);
// From the middle of a surrogate pair on, V8 does not see the pair where a pattern is characters only: hence the group around \u{1f600}.
const pattern = words`/a/ /a/g /[a-c]+/gi /(?<n>\w)(\d)?/g /(?:)/g /(?:)/gu /\s*,\s*/ /$/m /^/gm /(?<=a)b/g /(?<!a)b/g /(a)|(b)/g /./gsu /[^\x00-\x7f]/g /\p{L}+/gu /\b/g /(.)\1/ /a*?/y /x?/y /[\ud83d]/g /😀/u /(?:\u{1f600})/gu /(?=(a))a/ /\W+/ /[-,]/ /(a+)+b/ /^\s+|\s+$/g /(?<y>\d{4})-(?<m>\d\d)/ /\d+(?:\.\d+)?/g /[[a-z]--[aeiou]]/v /\p{Emoji}/v /k/iu /ſ/iu /ß/i /[^]/ /\cA/ /[\b]/ /\0/ /(z)?(a)?/d`;
const odder = one([4, string], odd);
const texts = one(
  [
    4,
    L(
      t`(${string}).${methodsOf("String.prototype", ["toLocaleLowerCase", "toLocaleUpperCase", "anchor", "repeat", "padStart", "padEnd"])}(${args})`,
    ),
  ],
  [2, L(t`String.prototype.${methodsOf("String.prototype", ["repeat", "padStart", "padEnd"])}.call(${odd}, ${args})`)],
  [
    2,
    L(
      t`(${string}).${words`slice substring substr at charAt charCodeAt codePointAt indexOf lastIndexOf includes startsWith endsWith padStart padEnd repeat`}(${many(one([3, smallInt], string, words`undefined null true NaN 2.7 "1"`), ", ", 0, 3)})`,
    ),
  ],
  [2, L(t`(${string}).${words`replace replaceAll`}(${one(string, pattern)}, ${replacement})`)],
  [2, L(t`(${string}).split(${one(string, pattern, "undefined")}${maybe(t`, ${smallInt}`)})`)],
  L(t`(${string}).${words`match search matchAll`}(${one(string, pattern)})`),
  L(t`[...(${string}).matchAll(${pattern})]`),
  L(
    t`(${string}).${words`localeCompare normalize toLocaleUpperCase toLocaleLowerCase`}(${one(string, words`"NFD" "NFKC" "en-US" "tr"`, odd)})`,
  ),
  L(
    t`String.${words`fromCharCode fromCodePoint`}(${many(one(number, words`0x1f600 0xd83d 0xdc00 65 0x10ffff 0x110000 -1 1.5`), ", ", 0, 3)})`,
  ),
  L(t`String.raw(${one("{ raw: 'abc' }", "{ raw: ['x', 'y', 'z'] }", odd)}, ${args})`),
  L(t`String.raw\`a\u{\${${number}}\n\``.map((text) => text.replace("\\u{", "\\x"))),
  L(t`[...(${string})].map((c) => c.codePointAt(0).toString(16))`),
  L(
    t`${one("encodeURIComponent", "encodeURI", "decodeURIComponent", "decodeURI", "escape", "unescape").map((w) => (w.includes("escape") ? "encodeURI" : w))}(${odder})`,
  ),
  L(t`decodeURIComponent(${words`"%" "%41" "%E2%82%AC" "%ff" "%C0%80" "a%20b" "%F0%9F%98%80" "%23"`})`),
  L(
    t`${words`parseInt parseFloat Number isNaN isFinite Number.isInteger Number.isSafeInteger String Boolean BigInt Symbol`}(${odder}${maybe(t`, ${one(smallInt, words`2 16 36 37 10`)}`)})`,
  ),
  L(t`Object.getOwnPropertyNames(Object(${string}))`),
);
const regexes = one(
  [
    4,
    t`{ const re = ${pattern}; re.lastIndex = ${index}; L(() => re.${words`exec test`}(${odder})); log(re.lastIndex); L(() => re.exec(${string})); log(re.lastIndex); }`,
  ],
  L(t`${pattern}[Symbol.${words`match matchAll replace search split`}](${odder}, ${replacement})`),
  t`{ const re = ${pattern}; L(() => re.exec(${string})?.groups); L(() => re.exec(${string})?.indices); log(re.flags, re.source, String(re)); }`,
  L(
    t`new RegExp(${one(string, words`"(" "[" "a{2,1}" "\\d" "/" "" "(?<a>x)\\k<a>" "[^]" "\n"`, pattern, odd)}, ${one("undefined", words`"g" "gimsuyd" "gg" "v" "uv" "x" ""`, odd)})`,
  ),
  t`{ class R extends RegExp { exec(s) { log("exec", s, this.lastIndex); return ${one("super.exec(s)", "null", "{ index: 0, 0: 'a', length: 1 }", "1")}; } } const re = new R("a", ${words`"g" "" "y"`}); L(() => "banana".${words`replace match search split`}(re${maybe(', "x"')})); L(() => re.test("a")); }`,
  t`{ const re = /(?<n>a)(b)?/${words`g y d dg`}; re.exec = ${one("function (s) { log('own'); return RegExp.prototype.exec.call(this, s); }", "undefined", "() => null")}; L(() => "abab".replace(re, "<$1$<n>>")); L(() => re.test("ab")); log(re.lastIndex); }`,
  L(
    t`(${string}).${words`replace match search split replaceAll matchAll`}({ [Symbol.${words`replace match search split matchAll`}](...r) { log("proto", ...r); return ${odd}; }, toString() { return "a"; } }, ${odd})`,
  ),
  t`{ const text = ${fc.constantFrom('"2024-03-15T10:20:30Z"', '"key=value;k2=v2"', '"John Smith <js@example.com>"', '"<a href=x>t</a><b>u</b>"', '"aaa bbb"', '"The Quick brown"', '"1,234.50"')}; L(() => text.replace(${words`/(\d+)-(\d+)/ /(\w+)=(\w+)/g /(\w+)\s(\w+)/ /<(\w+)[^>]*>/g /\b\w/g /(?<a>\w)(?<b>\w)/g /,/g`}, ${replacement})); L(() => [...text.matchAll(${words`/(\w)=(\w)/g /(?<w>\w+)/g /[A-Z]/g /\d+/g`})].map((x) => [x.index, ...x])); L(() => text.split(${words`/([;,=-])/ /\s/ "" /(?:)/ /[<>]+/`})); }`,
);
const numbersText = one(
  [3, L(t`(${number}).toString(${one("", words`2 3 7 8 16 32 36`, odd)})`)],
  [3, L(t`(${number}).${words`toFixed toPrecision toExponential`}(${one("", words`0 1 2 3 5 10 17 20 21 50 100 101 -1 NaN "2"`)})`)],
  [
    2,
    L(
      t`(${number}).toLocaleString(${one("", '"en-US"', t`"en-US", { ${many(one("maximumFractionDigits: 2", "minimumFractionDigits: 1", 'style: "percent"', 'style: "currency", currency: "USD"', 'notation: "compact"', "useGrouping: false"), ", ", 0, 1)} }`)})`,
    ),
  ],
  L(
    t`Math.${methodsOf("Math", ["random", "f16round", "sumPrecise", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "expm1", "log", "log1p", "log10", "log2", "cbrt", "pow", "atan2"])}(${many(one(number, odd), ", ", 0, 3)})`,
  ),
  L(t`Math.${words`log2 log10 cbrt pow atan2 sin exp`}(${number}, ${number})`),
  L("[Math.random(), Math.random() * 10, Math.floor(Math.random() * 100)]"),
  L(
    t`[${number} % ${number}, ${number} ** ${smallInt}, ${number} / ${number}, ${number} | 0, ${number} >>> 0, -${number}, ${number} << ${index}]`.map(
      (text) => text.replace(/(^|[[ ])(-?[\d.e+x]+|-Infinity|-0) \*\*/g, "$1($2) **"),
    ),
  ),
  L(t`String(${number})`),
  L(t`Number.prototype.${methodsOf("Number.prototype", ["toLocaleString"])}.call(${one(number, odd)}, ${args})`),
  L(t`Number(${string})`),
  L(
    t`[${string} < ${string}, ${string} == ${primitive}, ${primitive} < ${primitive}, ${primitive} == ${primitive}, ${primitive} + ${string}]`,
  ),
  L(
    t`${primitive} ${words`+ - * / % ** < > == === & | << >>>`.map((w) => w)} ${odd}`.map(
      (text) => `(${text.replace(/^(-.*?|\(?-.*?) \*\*/, "($1) **")})`,
    ),
  ),
);

// Collections ----------------------------------------------------------------------------------------------------------------------

const mapOp = one(
  t`u.set(${odd}, ${odd})`,
  t`u.get(${primitive})`,
  t`u.delete(${primitive})`,
  t`u.has(${primitive})`,
  "u.size",
  "u.clear()",
  t`u.forEach(${one("(v, k, m) => { log(v, k); if (m.size < 6) m.set(m.size, 1); }", "(v, k, m) => { log(k); m.delete(k); }", "(v, k, m) => { log(k); m.delete(k); if (v !== 'again') m.set(k, 'again'); }", "(...r) => log(...r)", odd)})`,
  "[...u]",
  t`[...u.${words`keys values entries`}()]`,
  "u.add(1)",
);
const setOp = one(
  t`u.add(${odd})`,
  t`u.delete(${primitive})`,
  t`u.has(${primitive})`,
  "u.size",
  "u.clear()",
  t`u.forEach(${one("(v, k, m) => { log(v); if (m.size < 6) m.add(m.size); }", "(v, k, m) => { log(k); m.delete(k); }", odd)})`,
  "[...u]",
  t`[...u.${words`keys values entries`}()]`,
);
const collections = one(
  [
    2,
    t`{ const u = new Map(${one(t`[${many(t`[${one(primitive, odd)}, ${odd}]`, ", ", 0, 4)}]`, "", odd, t`iter(1, [[1, 2], ${odd}], ${index})`)}); ${many(L(mapOp), " ", 1, 6)} log(u); }`,
  ],
  [
    2,
    t`{ const u = new Set(${one(t`[${many(one(primitive, odd), ", ", 0, 5)}]`, "", odd, string)}); ${many(L(setOp), " ", 1, 6)} log(u); }`,
  ],
  t`{ const u = new Set([1, 2, 3]); for (const x of u) { burn(); log(x); ${one("if (x < 6) u.add(x + 3);", "u.delete(x);", "u.delete(x + 1);", "u.clear();", "u.delete(x); if (x < 3) u.add(x);")} } log(u); }`,
  t`{ const u = new Map([[1, 1], [2, 2], [3, 3]]); for (const [x] of u) { burn(); log(x); ${one("if (x < 6) u.set(x + 3, 0);", "u.delete(x);", "u.delete(x + 1);", "u.clear();", "u.delete(1); u.set(1, 9); if (n++ > 5) break;")} } log(u); }`,
  t`{ const it = new Map([[1, 2], [3, 4]]).${words`keys values entries`}(); log(it.next(), it[Symbol.toStringTag]); log([...it], it.next()); }`,
  t`{ const k = {}; const u = new ${words`WeakMap WeakSet`}(); L(() => u.set?.(k, 1)); L(() => u.add?.(k)); L(() => u.has(k)); L(() => u.get?.(k)); L(() => u.${words`set add delete has get`}?.(${odd}, 1) === u); L(() => u.delete(k)); L(() => u.has(k)); }`,
  L(t`${words`Map Set`}.prototype.${words`get has add set keys forEach delete`}?.call(${odd}, ${args})`),
  L(t`new ${words`WeakRef WeakMap WeakSet Map Set`}(${odd})`),
  L(t`Symbol(${odd}).${words`description toString() constructor.name valueOf()`}`),
  L(t`[Symbol.for(${string}) === Symbol.for(${string}), Symbol.keyFor(${symbol})]`),
  L(t`${bigint}.${words`toString() toString(2) toString(36) toLocaleString()`}`.map((text) => text.replace(/^(\(?-?\d+n\)?)/, "($1)"))),
);

const typedKind = words`Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array`;
const bigKind = words`BigInt64Array BigUint64Array`;
/** No lengths beyond memory. */
const typedSource = words`undefined null true "3" "x" {} -1 1.5 NaN iter(1,[1,2]) new(Set)([1,2]) {length:2,0:5} Symbol() 1n new(ArrayBuffer)(16) (()=>1)`;
// V8 looks at the value of with() before the index.
const typedCall = arrayCall("u").map((text) => text.replace(".with(", ".at("));
const typedArrays = one(
  [
    3,
    t`{ const u = new ${typedKind}(${one(numbers, index, arrayLike, typedSource, t`new Uint8Array(${numbers})`)}); ${many(L(one(typedCall, t`u.set(${one(numbers, odd)}, ${smallInt})`, t`u.subarray(${smallInt}, ${smallInt})`, t`(u[${key}] = ${odd})`, "u.toString()", t`Object.getOwnPropertyDescriptor(u, ${key})`, t`${key} in u`, t`Object.defineProperty(u, ${key}, { value: ${number} })`, "u.byteLength", "Object.keys(u)", t`new ${typedKind}(u)`)), " ", 1, 4)} log(u); }`,
  ],
  t`{ const u = new ${bigKind}([${many(bigint, ", ", 0, 4)}]); ${many(L(one(typedCall, t`(u[0] = ${one(bigint, odd)})`)), " ", 1, 3)} log(u); }`,
  t`{ const b = new ArrayBuffer(${words`0 8 16`}${maybe(", { maxByteLength: 32 }")}); const u = new DataView(b${maybe(t`, ${index}`)}); ${many(L(one(t`u.set${words`Int8 Uint8 Int16 Uint16 Int32 Uint32 Float32 Float64`}(${index}, ${number}${maybe(", true")})`, t`u.get${words`Int8 Uint8 Int16 Uint16 Int32 Uint32 Float32 Float64 BigInt64 BigUint64`}(${index}${maybe(", true")})`, t`u.setBigInt64(0, ${one(bigint, odd)})`, t`b.slice(${smallInt}, ${smallInt})`, t`b.resize(${words`0 8 32 33`})`, "[b.resizable, b.maxByteLength, u.byteLength]", t`new ${typedKind}(b, ${index}${maybe(t`, ${index}`)})`)), " ", 1, 5)} L(() => new Uint8Array(b)); }`,
  L(t`${typedKind}.${words`from of`}(${one(arrayLike, odd)}, ${one(fn, odd)})`),
);

// JSON -----------------------------------------------------------------------------------------------------------------------------

const jsonText = one(
  words`{} [] 1 -0 "a" {"a":[1,{"b":null}]} {"a":1,"a":2} {"__proto__":1} [1,2] 01 +1 .5 1. 1e5 1E-2 nul [1,] {a:1} "\u0041" "\ud83d" "\x" true{} {"2":1,"1":2,"b":3} [[[[]]]] 1e400 -`.map(
    (text) => JSON.stringify(text),
  ),
  string,
  fc.json({ maxDepth: 2 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('" 1 "', '"\\"\\n\\""', '"\\"\\\\n\\""', '"\\ufeff1"', '""', '"{}x"'),
);
const replacer = one(
  "undefined",
  "null",
  '["a", 1, "b"]',
  "(k, v) => (log('rep', k, v), v)",
  "(k, v) => (k === 'a' ? undefined : v)",
  "function (k, v) { return Array.isArray(this) ? String(v) : v; }",
  odd,
);
// V8 breaks lines for indents between 0 and 1.
const indent = one(
  "undefined",
  words`0 1 2 2.9 11 -1 "--" "\t" "abcdefghijklm" true null [] {} 1n NaN`,
  'obj(1, 2, "x")',
  "Object(3)",
  'Object("ab")',
  "Symbol()",
);
const jsonValue = one(
  odd,
  arrayLike,
  words`{a:1,b:[1,{c:2}]} {a:undefined,b(){},c:Symbol()} [undefined,()=>1,Symbol()] {d:new(Date)(0)} {toJSON(k){return[k,1]}} {a:{toJSON(k){log(k);return(k)}}} [NaN,Infinity,-0] "\ud83d\u2028\"" {a:Object(1n)} {1:1,0:0} new(C0)(2) {[Symbol()]:1} Object(true)`,
  t`{ a: ${odd}, b: ${array}, c: ${string} }`,
  "(o.o = o)",
  "[[], {}, [{}], { a: [] }]",
);
const json = one(
  [3, L(t`JSON.stringify(${jsonValue}, ${replacer}, ${indent})`)],
  L(t`JSON.stringify(${jsonValue})`),
  [2, L(t`JSON.parse(${jsonText})`)],
  L(
    t`JSON.parse(${jsonText}, ${one("(k, v) => (log(k, v), v)", "(k, v) => (k === 'a' ? undefined : v)", "function (k, v) { if (k === 'a') this.b = 5; return v; }", "(k, v) => (typeof v === 'number' ? v * 2 : v)", odd)})`,
  ),
  L(t`JSON.parse(JSON.stringify(${jsonValue}))`),
  L(
    t`structuredClone(${one(words`1 "a" {a:[1]} new(Date)(5) /x/g [,1] null 1n`, "new Map([[1, { a: 1 }]])", "new Set([1])", "new Error('~c')")})`.map(
      (text) => text,
    ),
  ),
);

const errors = one(
  L(t`new ${words`Error TypeError RangeError SyntaxError EvalError URIError ReferenceError`}(${args})`),
  L(t`${words`Error TypeError`}(${odd}, { cause: ${odd} })`),
  L(t`new AggregateError(${one(array, odd)}, ${odd})`),
  L(t`String(Object.assign(new Error(${string}), { name: ${odd} }))`),
  L(t`Error.prototype.toString.call(${odd})`),
  t`{ class E extends ${words`Error TypeError`} { constructor(m) { super(m); this.name = "E"; } } L(() => { throw new E(${string}); }); L(() => String(new E("~x"))); L(() => new E() instanceof Error); }`,
  L(
    one(
      words`undefinedName undefined.x null.x (1)() ({}).x.y (void(0))[Symbol.iterator] new(1) [...1] new(()=>1) C0() 1n+1 Symbol()+"" null[Symbol()] Object.create(1) "x"in"y" 1instanceof(1) new(Array)(-1) (0).toFixed(101) "a".repeat(-1) [].reduce((x)=>x) new(Date)(NaN).toISOString() JSON.parse("{") decodeURI("%") BigInt(1.5) new(Proxy)(1,2) Reflect.ownKeys(1) ({}).a.b.c`.map(
        (w) => w.replace("1instanceof(1)", "1 instanceof 1").replace('"x"in"y"', '"x" in "y"'),
      ),
      "(() => { const c = 1; c = 2; })()",
      "(() => { x1; let x1; })()",
      "(({ a: { b } }) => b)({})",
      "(([x]) => x)()",
      "(([x]) => x)({})",
      "((...[x, y]) => [x, y])(1)",
      "Object.freeze([1]).push(2)",
      "(Object.freeze({ a: 1 }).a = 2)",
      "delete Object.freeze({ a: 1 }).a",
      "({ get a() { return 1; } }).a = 2",
      "new Map([1])",
      "for1",
    ),
  ),
);

// Dates ----------------------------------------------------------------------------------------------------------------------------

const dateNumber = one(words`0 1 -1 59 60 61 12 23 24 25 31 32 99 100 1970 2024 2023 1900 -1 0.5 -0.5 NaN 275760`, smallInt);
const dateText = one(
  words`"2024-03-10T02:30:00" "2024-03-10" "2024-11-03T01:30:00" "2024-03-31T01:30" "2024-10-27T02:30:00.123" "2024-02-30" "2024-13-01" "2024" "2024-06" "+012024-01-01T00:00:00Z" "-000001-01-01T00:00:00Z" "-000000-01-01T00:00:00Z" "2024-01-01T24:00:00Z" "2024-01-01T24:00:01Z" "2024-01-01T00:00:00+05:30" "2024-01-01T00:00Z" "1969-12-31T23:59:59.999Z" "12/25/1995" "2011-10-10T14:48:00.000+09:00" "0099-01-01" "2024-1-2" "2024/01/02" "garbage" "" "20240101" "2024-01-01T00:00:00.1234567Z" "2024-01-01Z"`,
  fc.constantFrom(
    '"Mar 10, 2024"',
    '"10 March 2024 12:34"',
    '"Sun, 10 Mar 2024 02:30:00 GMT"',
    '"Tue Mar 01 2022 10:00:00 GMT+0100 (CET)"',
    '"March 7"',
    '"2024-01-01 10:20"',
    '"2024-01-01 10:20:30 PM"',
    '"Jan 1 2024 10:00 EST"',
    '"1/2/03"',
    '"1/2/70"',
    '"Thu, 01 Jan 1970 00:00:00 GMT+0200"',
    '"2024-01-01 00:00:00+01"',
    '"12:00"',
    '"Jan 32 2024"',
    '"2024 Jan 1"',
    '"(comment) Jan 1 2024"',
    '"Jan 1 2024 10:00 UTC+2"',
    '"Jan 1 2024 25:00"',
    '" 2024-01-01 "',
    '"2024-01-01T10:00:00 Z"',
    '"2024-01-01t10:00:00z"',
    '"Dec 25, 1995 13:30 PST"',
  ),
);
const date = one(
  [3, t`new Date(${dateText})`],
  [3, t`new Date(${many(dateNumber, ", ", 1, 7)})`],
  t`new Date(${words`0 1710054000000 1710055800000 1730608200000 -1 8.64e15 8640000000000001 951782400000 -62167219200000 1711846800000 -2208988800000`})`,
  t`new Date(2024, ${words`2 9 10`}, ${words`9 10 27 31 3`}, ${words`0 1 2 3`}, 30)`,
  "new Date()",
);
/** The names of zones in times long past are the host's affair. */
const recent = t`new Date(${words`1710054000000 1730608200000 1711846800000 1720000000000`})`;
const dates = one(
  [
    4,
    t`{ const u = ${date}; ${many(one(L(t`u.set${maybe("UTC")}${words`Date Month Hours Minutes Seconds Milliseconds FullYear`}(${many(dateNumber, ", ", 1, 3)})`), L(t`u.setTime(${one(number, odd)})`)), " ", 0, 3)} L(() => u); L(() => u.toISOString()); L(() => [u.getFullYear(), u.getMonth(), u.getDate(), u.getHours(), u.getMinutes(), u.getDay(), Math.trunc(u.getTimezoneOffset()), u.getUTCDay(), u.getMilliseconds()]); L(() => (Math.abs(u.getFullYear() - 2015) < 15 ? String(u) : u.toISOString())); }`,
  ],
  [2, L(t`Date.parse(${one([4, dateText], odd)})`)],
  L(t`Date.UTC(${many(one(dateNumber, odd), ", ", 0, 7)})`),
  L(
    t`${recent}.${methodsOf("Date.prototype", ["toLocaleString", "toLocaleDateString", "toLocaleTimeString", "toTemporalInstant", "toString", "toTimeString"])}(${args})`,
  ),
  L(
    t`${date}.${words`toLocaleString toLocaleDateString toLocaleTimeString`}(${one("", '"en-US"', '"de-DE"', t`"en-US", { ${one('dateStyle: "medium"', 'timeZone: "Asia/Tokyo"', 'month: "long", day: "numeric"', 'timeZoneName: "short"', "hour12: false", 'weekday: "short"', 'timeStyle: "short"')} }`)})`,
  ),
  L(
    t`[${date} - ${date}, ${recent} + 1, ${date} < ${date}, \`\${${recent}}\`, JSON.stringify(${date}), typeof ${date}]`.map((text) =>
      text.replace("typeof new", "typeof new"),
    ),
  ),
  L(t`[${recent}.toString(), ${recent}.toTimeString(), ${recent}.toDateString(), ${recent}.toUTCString()]`),
  L("[Date.now(), new Date(), typeof Date(), Date.length]"),
  L(t`Date(${args})`),
  t`{ const u = new Date(${words`2024 1999 1970 2038`}, ${words`0 2 5 9 10`}, 1); for (let i = 0; i < 40; i++) u.${words`setDate(u.getDate()+1) setHours(u.getHours()+13) setMonth(u.getMonth()+1) setMinutes(u.getMinutes()+61)`}; log(u, u.toISOString()); }`,
);
const intl = one(
  L(
    t`new Intl.NumberFormat("en-US"${maybe(t`, { ${one('style: "percent"', 'style: "currency", currency: "EUR"', 'notation: "compact"', "maximumFractionDigits: 1", 'style: "unit", unit: "liter"')} }`)}).format(${number})`,
  ),
  L(
    t`new Intl.DateTimeFormat("en-US", { ${one('dateStyle: "full"', 'dateStyle: "short", timeStyle: "long"', 'year: "numeric", month: "2-digit"', 'timeZone: "America/New_York", hour: "numeric"')} }).format(${date})`,
  ),
  L(t`[${many(string, ", ", 2, 5)}].sort(new Intl.Collator("en-US"${maybe(', { numeric: true, sensitivity: "base" }')}).compare)`),
  L(t`new Intl.PluralRules("en-US"${maybe(', { type: "ordinal" }')}).select(${one(smallInt, number)})`),
  L(t`new Intl.ListFormat("en-US"${maybe(', { type: "disjunction" }')}).format(${strings})`),
  L(
    t`new Intl.RelativeTimeFormat("en-US"${maybe(', { numeric: "auto" }')}).format(${smallInt}, ${words`"day" "month" "years" "hour" "x"`})`,
  ),
  L(t`[...new Intl.Segmenter("en-US"${maybe(', { granularity: "word" }')}).segment(${string})].map((x) => x.segment)`),
);

// What the console writes: Node's form, but deeper, and without running anything of the program. So no deep values, no errors and
// functions (their stacks are the host's), no objects where a directive converts them, and ASCII, whose columns need no tables.
const ascii = fc.string({ unit: "grapheme-ascii", maxLength: 12 }).map((text) => JSON.stringify(text));
const shown = one(
  number,
  ascii,
  numbers,
  words`undefined null true`,
  fc.constantFrom(
    "[undefined, , null]",
    '{ "a-b": 1, 2: 3 }',
    "new Map()",
    'new Set([1, "a"])',
    "new Map([[{ a: 1 }, [1]]])",
    "new C0(1)",
    "Object.create(null)",
    "{ __proto__: null, x: 1 }",
    "-0",
    "[-0]",
    "new Date(0)",
    "/x/g",
    "{ get a() { return 1; } }",
    "{ get a() {}, set a(v) {} }",
    'Symbol("a")',
    '{ [Symbol("k")]: 1 }',
    "new Uint8Array(3)",
    "Array(3)",
    "Array.from({ length: 120 }, (_, i) => i)",
    '"x".repeat(200)',
    '{ s: "it\'s" }',
    '["a\\nb"]',
    "Promise.resolve(1)",
    "10n",
    "[1n]",
    "Object(1)",
    'Object("ab")',
    "(function* () {})()",
    '[1.5, "b", true, null]',
    '{ a: 1, b: "two", c: [3] }',
    "[new Date(NaN)]",
    "[[], {}, [{}], { a: [] }]",
    "Object.assign([1, 2], { x: 1 })",
    "[{ a: 1, b: 2 }, { a: 3, b: 4 }]",
    "[new Map([[1, 2]])]",
  ),
  t`{ a: ${numbers}, b: ${ascii}, c: { d: ${number} } }`,
  t`[${many(ascii, ", ", 0, 12)}]`,
  t`[${many(number, ", ", 0, 30)}]`,
  t`new Map([[${ascii}, [${ascii}]], [${number}, { a: ${ascii} }]])`,
  t`{ ${many(t`k${index}${index}: ${one(number, ascii)}`, ", ", 0, 14)} }`,
);
// An object under %d, %i or %f is NaN here: printing runs no code of the program.
const consoles = t`console.${words`log info warn error debug`}(${one([3, many(shown, ", ", 1, 3).map((text) => text.replace(/%(?=[dif])/g, "%%"))], t`${fc.constantFrom('"%s is %d"', '"%i %f %%"', '"%O"', '"%c styled"', '"%s"', '"100%"', '"a %x %s"')}, ${many(one(number, ascii, bigint, "undefined", "null", "true"), ", ", 0, 3)}`)});`;

export const library = {
  consoles,
  arrays,
  objects,
  proxies,
  texts,
  regexes,
  numbers: numbersText,
  collections,
  typedArrays,
  json,
  errors,
  dates,
  intl,
};
