// The language: expressions of known types, statements, functions and classes. `suspends` says what a body may do: "" nothing,
// "y" yield, "a" await, "ya" both.

import { many, maybe, one, rule, t, words } from "./grammar.mjs";
import { array, bigint, index, key, number, numbers, odd, smallInt, string, strings, symbol, traced } from "./values.mjs";

// The names that every body has: numbers n, m; a string s; an array a; an object o; a function f; q is a parameter or undefined.

const suspended = (suspends, value) => {
  const forms = [];
  if (suspends.includes("y")) forms.push([2, t`(yield ${value})`], t`(yield* iter(${index}, ${numbers}, ${words`0 0 0 1 3`}))`);
  if (suspends.includes("a"))
    forms.push(
      [2, t`(await ${value})`],
      t`(await ticks(${index}, ${value}))`,
      t`(await thenable(${index}, ${value}, ${words`0 0 0 1 2 3 4`}))`,
    );
  return forms;
};

export const any = rule((depth, suspends) => {
  if (depth <= 0) return one([4, number], [3, string], [2, words`n m s a o q`], words`undefined null true false`, odd);
  const d = depth - 1;
  return one(
    [3, num(d, suspends)],
    [3, str(d, suspends)],
    [2, bool(d, suspends)],
    [2, arr(d, suspends)],
    [2, object(d, suspends)],
    t`T(${index}, ${any(d, suspends)})`,
    t`${object(d, suspends)}${words`.a .b .x?.y ["k1"] ?.m?.(1) ?.["a"]`}`,
    t`a[${num(d, suspends)}]`,
    t`(${bool(d, suspends)} ? ${any(d, suspends)} : ${any(d, suspends)})`,
    t`(${any(d, suspends)} ${words`&& || ??`} (${any(d, suspends)}))`,
    t`f(${many(spreadable(d, suspends), ", ", 0, 4)})`,
    t`f?.(${any(d, suspends)})`,
    t`o.m?.(${any(d, suspends)})`,
    t`(() => ${any(d, "")})()`,
    t`(${words`n m s a o`} = ${any(d, suspends)})`,
    t`(${words`o.a o.x a[1] a[0]`} ${words`= += ??= ||= &&= -=`} ${any(d, suspends)})`,
    t`(${any(d, suspends)}, ${any(d, suspends)})`,
    t`void ${any(d, suspends)}`,
    t`(${arrayPattern(d, suspends)} = ${array})`,
    functionExpression(d),
    odd,
    ...suspended(suspends, any(d, suspends)),
  );
});

const spreadable = rule((depth, suspends) => one([4, any(depth, suspends)], t`...${arr(depth, suspends)}`));

export const num = rule((depth, suspends) => {
  if (depth <= 0) return one([3, number], [2, words`n m a.length s.length`], smallInt);
  const d = depth - 1;
  return one(
    [2, number],
    words`n m n++ --m ++n m-- a.length`,
    [4, t`(${num(d, suspends)} ${words`+ - * / % & | ^ << >> >>>`} ${num(d, suspends)})`],
    t`((${num(d, suspends)}) ** ${num(d, suspends)})`,
    t`(${any(d, suspends)} ${words`- * / % & | ^ << >> >>>`} ${any(d, suspends)})`,
    t`(${words`- + ~`} ${one(num(d, suspends), traced)})`,
    t`(${words`n m`} ${words`= += -= *= /= %= **= <<= >>= >>>= &= |= ^=`} ${num(d, suspends)})`,
    t`T(${index}, ${num(d, suspends)})`,
    t`(${bool(d, suspends)} ? ${num(d, suspends)} : ${num(d, suspends)})`,
    t`Math.${words`floor abs round trunc sign max min sqrt fround clz32 ceil imul hypot`}(${many(num(d, suspends), ", ", 1, 3)})`,
    t`${str(d, suspends)}.${words`length charCodeAt() indexOf("a") localeCompare("b") codePointAt(1) lastIndexOf("")`}`,
    t`parseInt(${str(d, suspends)}${maybe(t`, ${smallInt}`)})`,
    t`Number(${any(d, suspends)})`,
    ...suspended(suspends, num(d, suspends)),
  );
});

export const str = rule((depth, suspends) => {
  if (depth <= 0) return one([3, string], "s", "String(n)");
  const d = depth - 1;
  return one(
    [2, string],
    t`(${str(d, suspends)} + ${any(d, suspends)})`,
    t`(${one(any(d, suspends), traced)} + ${str(d, suspends)})`,
    t`\`${words`a \u0041 \n`}\${${any(d, suspends)}}-\${${any(d, suspends)}}\``,
    t`tag\`${words`a \u0041 \unicode`}\${${any(d, suspends)}}\${${any(d, suspends)}}z\``,
    t`typeof ${any(d, suspends)}`,
    t`(s ${words`= +=`} ${str(d, suspends)})`,
    t`${str(d, suspends)}.${words`toUpperCase() trim() slice(1) slice(-2) at(-1) padStart(5,"ab") concat(n,s) repeat(2) normalize() split("").join("-") replace("a","[$&]") toLowerCase() substring(2,0)`}`,
    t`String(${any(d, suspends)})`,
    t`${arr(d, suspends)}.join(${maybe(str(d, suspends))})`,
    t`JSON.stringify(${any(d, suspends)})`,
    ...suspended(suspends, str(d, suspends)),
  );
});

export const bool = rule((depth, suspends) => {
  // In parentheses, as `n<m > (1)` is a call with a type argument here.
  if (depth <= 0) return words`true false (n<m) s=="a" a.length`;
  const d = depth - 1;
  return one(
    words`true false`,
    [3, t`(${num(d, suspends)} ${words`< > <= >= === !== == !=`} ${num(d, suspends)})`],
    t`(${any(d, suspends)} ${words`< > <= >= === !== == !=`} ${any(d, suspends)})`,
    t`!${any(d, suspends)}`,
    t`(${bool(d, suspends)} ${words`&& ||`} ${bool(d, suspends)})`,
    t`(${key} in ${object(d, suspends)})`,
    t`(${any(d, suspends)} instanceof ${words`Object Array C0 Error Function n`})`,
    t`Object.is(${any(d, suspends)}, ${any(d, suspends)})`,
    t`delete ${words`o.a o.b a[0] o["k1"] o?.x`}`,
    t`Array.isArray(${any(d, suspends)})`,
  );
});

export const arr = rule((depth, suspends) => {
  if (depth <= 0) return one("a", [2, array], numbers, strings);
  const d = depth - 1;
  return one(
    array,
    "a",
    [2, t`[${many(one([4, spreadable(d, suspends)], ""), ", ", 0, 4)}]`],
    t`${arr(d, suspends)}.${one("map", "filter", "flatMap")}(${callback(d)})`,
    t`${arr(d, suspends)}.${words`slice(1) concat([n],s) reverse() toReversed() flat() splice(1,1) fill(n,1,2) copyWithin(0,1) with(0,s) keys().toString() entries().next().value`}`,
    t`Object.${words`keys values entries getOwnPropertyNames`}(${object(d, suspends)})`,
    t`[...${str(d, suspends)}]`,
    t`[...iter(${index}, ${numbers})]`,
    t`Array.from(${one(arr(d, suspends), t`{ length: ${index} }`, "new Set([1, 2, 1])", "new Map([[1, 2]])")}, ${callback(d)})`,
    t`sortable(${arr(d, suspends)}).${words`sort toSorted`}()`,
    t`Array.of(${many(any(d, suspends), ", ", 0, 3)})`,
    ...suspended(suspends, arr(d, suspends)),
  );
});

const property = rule((depth, suspends) =>
  one(
    [4, t`${words`a b x k1 1 "0" "__proto__" c`}: ${any(depth, suspends)}`],
    t`[${one(string, str(depth, suspends), any(depth, suspends))}]: ${any(depth, suspends)}`,
    words`n m s`,
    t`...${any(depth, suspends)}`,
    t`m(${parameters(depth)}) { ${body(depth, "")} }`,
    t`* gen() { ${body(depth, "y")} }`,
    t`async [${words`"am" s n`}]() { ${body(depth, "a")} }`,
    t`__proto__: ${any(depth, suspends)}`,
  ),
);

const accessor = one(
  t`get ${words`g a x [s] [T(8,"g")]`}() { log("get"); return ${number}; }`,
  t`set ${words`g a x`}(v) { log("set", v); }`,
);

export const object = rule((depth, suspends) => {
  if (depth <= 0) return one([2, "o"], words`{a:1,b:"x"} {x:{y:2}} {k1:1,2:2,1:1} C0.prototype`, "new C0(3)", "spy('p', { a: 1, x: 2 })");
  const d = depth - 1;
  return one(
    "o",
    // Behind a spread, V8 forgets where a method stood that comes twice.
    [
      3,
      t`({ ${many(property(d, suspends), ", ", 0, 4)} })`.filter(
        (text) => !/__proto__: [^]*__proto__: |\* gen\(\)[^]*\* gen\(\)| m\([^]* m\(|"am"[^]*"am"/.test(text),
      ),
    ],
    // Behind a spread, V8 puts accessors last.
    t`({ ${many(one(accessor, t`${words`a b x k1`}: ${any(d, suspends)}`), ", ", 1, 4)} })`,
    t`new C0(${any(d, suspends)})`,
    t`Object.assign(${object(d, suspends)}, ${many(any(d, suspends), ", ", 1, 2)})`,
    t`Object.create(${object(d, suspends)}, { p: { value: ${any(d, suspends)}, enumerable: ${bool(d, suspends)} } })`,
    t`Object.fromEntries(${object(d, suspends)} && Object.entries(o))`,
    t`Object.freeze(${object(d, suspends)})`,
    t`spy("p", ${object(d, suspends)})`,
    t`Object.setPrototypeOf(${object(d, suspends)}, ${object(d, suspends)})`,
  );
});

export const parameters = rule(
  (depth) =>
    t`${one("q", "q = T(1, 2)", t`{ a: q, b = ${any(depth, "")} } = o`, t`[q, z = q] = ${array}`, "q, n = q", t`q = ${any(depth, "")}`, t`{ ${words`a x k1`}: q = T(2, 3), w } = {}`)}${one([3, ""], ", ...r", t`, y = ${any(0, "")}`)}`,
);

export const callback = rule((depth) => {
  const d = Math.max(0, depth - 1);
  return one(
    words`(x=>x) ((x,i)=>i) (x=>[x]) String Number Boolean (x=>x*2) f`,
    t`(q, i) => ${one(num(d, ""), str(d, ""), bool(d, ""))}`,
    t`(q) => (log(q), ${any(d, "")})`,
    t`function (${parameters(d)}) { ${body(d, "")} }`,
  );
});

export const functionExpression = rule((depth) => {
  const d = Math.max(0, depth - 1);
  return one(
    t`((${parameters(d)}) => ${any(d, "")})`,
    t`(function ${maybe("g")}(${parameters(d)}) { ${body(d, "")} })`,
    t`(function* (${parameters(d)}) { ${body(d, "y")} })`,
    t`(async (${parameters(d)}) => { ${body(d, "a")} })`,
    t`(async function* (${parameters(d)}) { ${body(d, "ya")} })`,
    classExpression(d),
  );
});

// Patterns -------------------------------------------------------------------------------------------------------------------------

// V8 evaluates the targets of an object pattern before it looks at the value, so traced ones stand in array patterns only.
const target = words`n m s o.x a[1] o["k"+n]`;
const tracedTarget = one([5, target], "T(5,o).y");

const patternLeaf = rule((depth, suspends) =>
  depth <= 0 ? target : one([6, target], arrayPattern(depth - 1, suspends), objectPattern(depth - 1, suspends)),
);
const patternItem = rule((depth, suspends) =>
  one(
    [3, patternLeaf(depth, suspends)],
    t`${patternLeaf(depth, suspends)} = ${one(iterable(0, suspends), any(Math.max(0, depth - 1), suspends))}`,
  ),
);
const arrayPattern = rule((depth, suspends) =>
  t`[${many(one([4, patternItem(depth, suspends)], tracedTarget, ""), ", ", 0, 3)}${maybe(t`, ...${patternLeaf(depth, suspends)}`)}]`.map(
    (text) => text.replace("[, ...", "[..."),
  ),
);
const objectPattern = rule(
  (depth, suspends) =>
    t`{ ${many(one(t`${words`a b x 0 length`}: ${patternItem(depth, suspends)}`, t`[T(6, ${str(Math.max(0, depth - 1), suspends)})]: ${patternItem(depth, suspends)}`), ", ", 0, 3)} }`,
);

const arrayBinding = rule(
  (depth) => t`[${words`u ,u u=T(1,2) [u]=[3] {a:u}`}${one([2, ""], ", ...v", t`, v = ${any(Math.max(0, depth - 1), "")}`)}]`,
);
const objectBinding = rule((depth) => {
  const value = any(Math.max(0, depth - 1), "");
  return one(
    t`{ ${one("a: u", t`a: u = ${value}`, t`[T(2, ${string})]: u`, "length: u", "x: { y: u } = { y: T(3, 1) }")}${one([2, ""], t`, b: v = ${value}`)} }`,
  );
});

/** What a loop may go through and an array pattern take apart, most of the time. */
const iterable = rule((depth, suspends) =>
  one(
    [5, arr(depth, suspends)],
    [4, t`iter(${index}, ${numbers}, ${words`0 0 1 2 3`})`],
    [2, str(depth, suspends)],
    "new Set([1, 2, 1])",
    "new Map([[1, 2], [3, 4]])",
    "(function* () { yield 1; yield [2, 3]; })()",
    any(depth, suspends),
  ),
);

/** What any pattern may take apart. */
const source = rule((depth, suspends) =>
  one(
    [3, arr(depth, suspends)],
    [3, object(depth, suspends)],
    [2, t`iter(${index}, ${numbers}, ${words`0 0 1 2 3`})`],
    str(depth, suspends),
    any(depth, suspends),
  ),
);

// Statements -----------------------------------------------------------------------------------------------------------------------

/** `loops`: labels L1 … that enclose; `inFunction`: `return` is allowed. */
export const statement = rule((depth, suspends, loops, inFunction) => {
  const d = depth - 1;
  const e = Math.max(0, d);
  const jumps = [];
  if (loops > 0)
    jumps.push(
      "break;",
      "continue;",
      t`if (${bool(1, "")}) continue L${loops};`,
      ...Array.from({ length: loops }, (_, i) => `break L${i + 1};`),
      `continue L1;`,
    );
  if (inFunction) jumps.push(t`return ${any(e, suspends)};`, "return;");
  const simple = [
    [3, t`log(${any(e, suspends)});`],
    t`${words`n m s o a`} = ${any(e, suspends)};`,
    t`n ${words`= += -= *=`} ${num(e, suspends)};`,
    t`(${arrayPattern(Math.min(e, 1), suspends)} = ${iterable(e, suspends)});`,
    t`(${objectPattern(Math.min(e, 1), suspends)} = ${source(e, suspends)});`,
    // A rest takes from plain objects, so none stands in parameters: V8 reads some accessors twice (`get [s]()`), and looks at the value
    // too late where nothing stands before it.
    t`{ const { ${words`a b x 0 [s]`}: u, ...v } = ${one(words`{a:1,b:"x",x:{y:2}} {k1:1,2:2,1:1} [1,2] "ab" new(C0)(1)`, "spy('p', { a: 1, [Symbol.iterator]: 2 })")}; log(u, v); }`,
    t`({ ${words`a b x 0 [s]`}: ${target}, ...${target} } = ${one(words`{a:1,b:"x",x:{y:2}} {k1:1,2:2,1:1} [1,2] "ab" new(C0)(1)`, "spy('p', { a: 1, [Symbol.iterator]: 2 })")});`,
    t`o[${one(key, any(e, suspends))}] = ${any(e, suspends)};`,
    t`o[${key}] ${words`+= ??= **= ||=`} ${any(e, suspends)};`,
    t`(${any(e, suspends)});`,
    t`L(() => ${any(e, "")});`,
    t`throw ${one("new Error('~t')", "new C0(1)", number, t`new RangeError(${string}, { cause: ${number} })`)};`,
    ...jumps,
  ];
  if (depth <= 0) return one(...simple);
  const inner = statements(d, suspends, loops, inFunction);
  const loopBody = statements(d, suspends, loops + 1, inFunction);
  const label = `L${loops + 1}`;
  const compound = [
    [2, t`if (${bool(e, suspends)}) { ${inner} }${maybe(t` else { ${inner} }`)}`],
    [2, t`{ ${inner} }`],
    [3, t`try { ${inner} } catch ${one("{", "({ name: u, x = T(7, u) }) { log(u, x);", "(u) { log(u);")} ${inner} }`],
    [2, t`try { ${inner} } finally { log("finally"); ${inner} }`],
    [2, t`try { ${inner} } catch (e) { log("c", e); ${inner} } finally { log("f"); ${inner} }`],
    t`switch (${any(e, suspends)}) { case ${any(e, suspends)}: ${many(statement(d, suspends, loops, inFunction), " ", 0, 2)} ${maybe("break;")} default: ${many(statement(d, suspends, loops, inFunction), " ", 0, 1)} case ${words`1 "a" n`}: let u = ${any(e, "")}; log(u); }`,
    t`{ let ${arrayBinding(e)} = ${iterable(e, suspends)}; log(typeof v === "undefined" ? u : [u, v]); ${inner} }`,
    t`{ let ${objectBinding(e)} = ${source(e, suspends)}; log(typeof v === "undefined" ? u : [u, v]); ${inner} }`,
    t`{ const u = ${any(e, suspends)}; const g = ${functionExpression(e)}; L(() => g(${many(any(e, ""), ", ", 0, 3)})); ${inner} }`,
    t`{ log(typeof h, typeof w); function h(${parameters(e)}) { ${body(e, "")} } var w = h; L(() => w(${many(any(e, ""), ", ", 0, 2)})); }`,
    [
      2,
      t`{ ${classDeclaration(e)} L(() => new K(${any(e, "")})); ${many(one("L(() => K.st);", "L(() => new K().m(1));", "L(() => new K().pm(2));", "L(() => [...new K()]);", "L(() => `${new K()}`);", "L(() => o instanceof K);", "L(() => (new K().g = 1));", "L(() => K());", "L(() => new K().arrow());", "L(() => Reflect.construct(K, [1], C0));", "L(() => Object.getOwnPropertyNames(K.prototype));"), " ", 0, 3)} }`,
    ],
  ];
  if (loops < 2) {
    compound.push(
      [
        2,
        t`{ const fs = []; ${label}: for (let i = 0; i < ${index}; i++) { burn(); fs.push(() => i++); ${loopBody} } fs.forEach((g) => log(g(), g())); }`,
      ],
      [2, t`${label}: for (${words`const let`} u of ${iterable(e, suspends)}) { burn(); log(u); ${loopBody} }`],
      t`${label}: for (var w of ${iterable(e, suspends)}) { burn(); log(w); ${loopBody} }`,
      t`${label}: for (${one("n", "o.x", "[n, m]", "const { length: u }", t`let ${objectBinding(e)}`, t`let ${arrayBinding(e)}`)} of ${iterable(e, suspends)}) { burn(); ${loopBody} }`,
      t`${label}: for (${one("const u", "let u", "var w", "o.x")} in plain(${any(e, suspends)})) { burn(); ${loopBody} }`,
      t`${label}: for (const u in plain(${object(e, suspends)})) { burn(); log(u); ${one("delete o[u];", "o.added = 1;", "", "delete o.b;")} ${loopBody} }`,
      t`${label}: while (burn(), ${bool(e, suspends)}) { if (n++ > 30) break; ${loopBody} }`,
      t`${label}: do { burn(); ${loopBody} } while (n++ < 3 && ${bool(e, suspends)});`,
      t`B${depth}: { ${statements(d, suspends, loops, inFunction)} if (${bool(e, suspends)}) break B${depth}; log("after"); }`,
      t`{ const fs = []; for (let i = 0, j = (fs.push(() => i), 5); fs.push(() => [i, j]), i < 2; i++, fs.push(() => i)) { burn(); } fs.forEach((g) => log(g())); }`,
    );
    if (suspends.includes("a"))
      compound.push([
        2,
        t`${label}: for await (const u of ${one([2, iterable(e, suspends)], t`aiter(${index}, ${numbers}, ${words`0 0 1 2 3 6`})`, t`[thenable(1, 2), ticks(2, 3), Promise.resolve(4)]`)}) { burn(); log(u); ${loopBody} }`,
      ]);
  }
  return one([Math.max(2, simple.length), one(...simple)], [Math.max(4, compound.length), one(...compound)]);
});

export const statements = rule((depth, suspends, loops, inFunction) =>
  many(statement(depth, suspends, loops, inFunction), " ", 0, depth > 1 ? 3 : 2),
);

/** A function's body; the outer names are its variables. */
export const body = rule(
  (depth, suspends) => t`burn(); ${statements(Math.max(0, depth - 1), suspends, 0, true)} return ${any(Math.max(0, depth - 1), suspends)};`,
);

// Classes --------------------------------------------------------------------------------------------------------------------------

const member = rule((depth) => {
  const value = any(Math.max(0, depth - 1), "");
  return one(
    t`${words`a b "k1" 1`} = ${value};`,
    // Not "length": V8 refuses a field of that name in an array before it looks at the value.
    t`[T(${index}, ${one(
      string.filter((text) => text !== '"length"'),
      symbol,
    )})] = ${value};`,
    t`static ${words`st a`} = ${value};`,
    t`static { log("static", typeof this, ${value}); }`,
    t`${maybe("static ")}m(${parameters(depth)}) { ${body(depth, "")} }`,
    "pm(x) { this.#p = x; return [this.#p, #p in this, #p in o, this.#pm(x)]; }",
    t`get ${words`g x`}() { log("get"); return ${one("this.a", "super.g", "new.target", value)}; }`,
    t`set ${words`g x`}(v) { log("set", v); ${one("this.a = v;", "super.g = v;", "super.x = v;", "")} }`,
    t`*[Symbol.iterator]() { ${body(depth, "y")} }`,
    t`async am() { ${body(depth, "a")} }`,
    t`[Symbol.toPrimitive](h) { log("h", h); return ${number}; }`,
    t`static [Symbol.hasInstance](v) { log("hasInstance"); return ${bool(0, "")}; }`,
    "arrow = () => [this.a, typeof new.target];",
    t`toString() { return super.toString() + ${string}; }`,
    t`m() { return super.m?.(${value}); }`,
  );
});

const members = rule((depth) => many(member(depth), " ", 0, 4));

/** What follows a class's name. */
const classRest = rule((depth) =>
  one(
    t`{ #p = ${number}; #pm(x) { return [x, this.#p++, this.#p]; } get #acc() { return this.#p; } ${members(depth)} }`,
    t`{ #p; #pm(x) { return (this.#acc = x); } get #acc() { return this.#p; } set #acc(v) { log("acc", v); this.#p = v; } constructor(${parameters(depth)}) { log(new.target === undefined, typeof this); ${one("", "return { a: 9 };", t`this.a = ${any(0, "")};`, "return 1;")} } ${members(depth)} }`,
    t`extends ${one(words`C0 Object Array Error Map null Promise`, '(class { static st = 3; m() { return "base"; } })')} { #p = 1; #pm() {} ${members(depth)} }`,
    t`extends C0 { #p = T(4, 1); #pm() { return super.m(); } constructor(...r) { ${one("super(...r);", "const g = () => super(5); g();", "L(() => this); super(T(1, 2)); L(() => super(1));", "", "if (r.length > 0) super(); else return {};", "super(); return 1;")} log(typeof this, super.g); ${one("", "super.g = 4;", "super.zz = 5; log(this.zz);")} } ${members(depth)} }`,
  ),
);

export const classExpression = rule((depth) => t`(class ${maybe("K2 ")}${classRest(depth)})`);
export const classDeclaration = rule((depth) => t`class K ${classRest(depth)}`);

export const bigintExpression = rule((depth) => {
  if (depth <= 0) return bigint;
  const d = depth - 1;
  return one(
    bigint,
    [3, t`(${bigintExpression(d)} ${words`+ - * / % & | ^`} ${bigintExpression(d)})`],
    t`(${bigintExpression(d)} ${words`<< >>`} ${words`0n 1n 3n 64n (-2n)`})`,
    t`(${bigintExpression(d)} ** ${words`0n 1n 3n (-1n)`})`,
    t`(${words`- ~`}${bigintExpression(d)})`,
    t`BigInt.${words`asIntN asUintN`}(${words`0 1 8 32 64 65 200`}, ${bigintExpression(d)})`,
    t`BigInt(${one(number, string, words`true "0x1f" "0b101" "" "-5" "1e3"`)})`,
    t`(${bigintExpression(d)} ${words`+ - * < == & >>`} ${any(0, "")})`,
    t`(${bigintExpression(d)}).${words`toString(2) toString(36) toLocaleString() valueOf()`}`,
  );
});
