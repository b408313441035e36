// Literals: ordinary ones, and those at which engines differ.

import fc from "fast-check";
import { many, one, t, words } from "./grammar.mjs";

const numberText = (x) => (Object.is(x, -0) ? "-0" : x < 0 ? `(${x})` : String(x));

export const smallInt = fc.integer({ min: -3, max: 6 }).map(numberText);
export const index = fc.integer({ min: 0, max: 4 }).map(String);
export const number = one(
  [4, fc.integer({ min: 0, max: 20 }).map(String)],
  [
    3,
    words`-0 1.5 (-1.5) 2.5 0.1 255 256 1e21 1e-7 123456789 4294967295 4294967296 2147483647 (-2147483648) 9007199254740991 9007199254740993 NaN Infinity -Infinity 5e-324 1.7976931348623157e308 0.000001 1e20 1.005 1.45 35.855 1e300 0.3 123.456 0x7f 0b101 1_000 (-1) (-7.5) 1e16 999999999999999900000 0.00001 4.35 10.235 8.345`,
  ],
  [2, fc.double().map(numberText)],
  [1, fc.integer().map(numberText)],
);

const SPECIAL = [
  "",
  "a",
  "abc",
  "Hello, World",
  "ß",
  "İ",
  "ı",
  "e\u0301",
  "\u00e9",
  "😀",
  "\ud83d",
  "\udc00",
  "a😀b",
  "\udc00\ud83d",
  "0",
  "01",
  "1e3",
  " 12 ",
  "0x1f",
  "-0",
  "Infinity",
  "NaN",
  "true",
  "null",
  "constructor",
  "__proto__",
  "length",
  "\n\t\u2028",
  "\ufeff x\u00a0",
  "x,y,,z",
  "aaa",
  "ABC abc",
  "ﬀ",
  "ΑΣ ΑΣ",
  "$&-$1-$$-$`-$'",
  "a-b_c d",
  "1,2",
  "[1]",
  '{"a":1}',
  "\0",
  "ǆ",
  "가",
  "𝒳y",
  "12px",
  "1n",
  "0b11",
  "tHe qUick",
  "--",
  "2020-01-01",
];
const quoted = (s) => JSON.stringify(s).replace(/[\ud800-\udfff]/gu, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
export const string = one(
  [4, words`"a" "b" "x" "k1" "abc"`],
  [4, fc.constantFrom(...SPECIAL).map(quoted)],
  [
    1,
    fc.string({ unit: fc.constantFrom("a", "b", "A", " ", ",", "1", "é", "😀", "\ud83d", "\udc00", "\n", "ﬁ"), maxLength: 8 }).map(quoted),
  ],
);
export const bigint = one(
  words`0n 1n -1n 7n 255n -256n 18446744073709551615n -9223372036854775808n 340282366920938463463374607431768211456n`,
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map((v) => (v < 0n ? `(${v}n)` : `${v}n`)),
);
export const symbol = words`Symbol("s") Symbol.for("f") Symbol.iterator Symbol() Symbol.toStringTag`;
export const key = one(
  [5, words`"a" "b" "x" "k1"`],
  [2, words`"0" "1" "10" "-1" "01" "4294967295" "1.5"`],
  [1, string],
  [1, symbol],
  [1, number],
);

/** Objects whose conversions are logged. */
export const traced = one(
  t`obj(${index}, ${number}, ${string})`,
  t`prim(${index}, ${one(number, string, words`undefined null true 1n "~throw"`)})`,
  t`obj(${index}, {}, ${string})`,
  t`obj(${index}, {}, {})`,
);

export const primitive = one([3, number], [3, string], [2, words`undefined null true false`], bigint, symbol);

/** Anything that no method expects. */
export const odd = one(
  [6, primitive],
  [2, traced],
  words`[] {} [1,2] {a:1} (()=>1) /x/g [,1] [[1],[2,[3]]] {length:2,0:"p",1:"q"} {length:-1} {length:"2",1:1} C0`,
  one(
    "new Date(1720000000000)",
    "new Map([[1, 2]])",
    "new Set([1, 2])",
    "Object.create(null)",
    "function f(a, b = 1) {}",
    "new Uint8Array([1, 2, 300])",
    "Object(1)",
    "Object('ab')",
    "iter(1, [1, 2])",
    "spy('p', {a: 1})",
    "spy('p', [1, 2])",
    "Object.freeze([1, 2])",
    "Object.freeze({ a: 1 })",
    "(class K {})",
  ),
);
export const args = many(odd, ", ", 0, 4);

const element = one([4, number], [3, string], [1, odd]);
export const numbers = t`[${many(number, ", ", 0, 6)}]`;
export const strings = t`[${many(string, ", ", 0, 5)}]`;
export const array = one(
  [3, numbers],
  [2, strings],
  [2, t`[${many(one([5, element], ""), ", ", 0, 6)}]`],
  t`[${many(t`[${many(element, ", ", 0, 3)}]`, ", ", 0, 3)}]`,
  t`holes(${index})`,
  t`[...${string}]`,
);
export const arrayLike = one(
  [6, array],
  t`{ length: ${one(index, words`-1 2.5 "2" undefined NaN`)}, 0: ${element}, 2: ${element} }`,
  t`Object.assign([], { 3: ${element}, x: 1 })`,
  t`spy("p", ${array})`,
  t`Object.freeze(${array})`,
);
