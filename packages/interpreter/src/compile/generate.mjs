// Writes operators.gen.ts and entries.gen.ts: run `node generate.mjs` here after a change.
//
// V8 keeps call feedback for each function literal of the source. One factory per operator and operand shape, and one entry per number of
// arguments and frame size, keep that feedback apart; that is worth about 3x on arithmetic (measured with prototypes of this design).

import { writeFileSync } from "node:fs";

const NUMERIC = {
  "-": "subtract",
  "*": "multiply",
  "/": "divide",
  "%": "remainder",
  "**": "exponentiate",
  "&": "bitAnd",
  "|": "bitOr",
  "^": "bitXor",
  "<<": "shiftLeft",
  ">>": "shiftRight",
  ">>>": "shiftRightUnsigned",
};
const COMPARE = { "<": "less", ">": "greater", "<=": "lessOrEqual", ">=": "greaterOrEqual" };
const EQUAL = { "===": null, "!==": null, "==": "looseEquals", "!=": "looseEquals" };
const OTHER = { in: "isIn", instanceof: "instanceOf" };

/** The operation on `a` and `b`; `aN`, `bN`: known to be numbers. */
function operation(op, aN, bN) {
  const numbers = [aN ? null : 'typeof a === "number"', bN ? null : 'typeof b === "number"'].filter(Boolean).join(" && ") || "true";
  if (op === "+") return `${numbers} ? (a as number) + (b as number) : add(a, b)`;
  if (op in NUMERIC) return `${numbers} ? (a as number) ${op} (b as number) : ${NUMERIC[op]}(a, b)`;
  if (op in COMPARE) return `${numbers} ? (a as number) ${op} (b as number) : ${COMPARE[op]}(a, b)`;
  if (op === "===") return 'typeof a === "string" && a.length > LONG_TEXT ? isSame(a, b) : a === b';
  if (op === "!==") return 'typeof a === "string" && a.length > LONG_TEXT ? !isSame(a, b) : a !== b';
  if (op === "==") return 'typeof a === "object" && a === b ? true : looseEquals(a, b)';
  if (op === "!=") return 'typeof a === "object" && a === b ? false : !looseEquals(a, b)';
  return `${OTHER[op]}(a, b)`;
}

// L: a local slot, C: a constant, N: a constant number, P: a named property of a local, X: any expression; in parentheses, the factors of a
// product, or a remainder: a call less, and a closure can give a double only in a box.
const SHAPES = ["LL", "LC", "LN", "LX", "XL", "XC", "XN", "XX", "CL", "CX", "NL", "NX"];
const PROPERTY_SHAPES = ["PP", "PL", "LP", "PX", "XP", "PN", "NP", "PC"];
const WITH_PROPERTY = new Set(["+", "-", "*", "/", "<", ">", "<=", ">=", "===", "!=="]);
const PRODUCT_SHAPES = ["(LL)(LL)", "(LL)L", "L(LL)", "X(LL)", "X(LP)", "X(PL)", "X(PP)"];
const WITH_PRODUCT = new Set(["+", "-"]);
const WITH_REMAINDER = new Set(["===", "!=="]);
const shapesOf = (op) => [
  ...SHAPES,
  ...(WITH_PROPERTY.has(op) ? PROPERTY_SHAPES : []),
  ...(WITH_PRODUCT.has(op) ? PRODUCT_SHAPES : []),
  ...(WITH_REMAINDER.has(op) ? ["(L%N)C"] : []),
];

/** How a local or a property of one is read: what is taken out of its descriptor before the closure, and the closure's code. */
function readFactor(shape, v, d) {
  if (shape === "L") return [`slot: ${d}s`, `const ${v}: Value = f[${d}s];`];
  return [
    `slot: ${d}s, cache: ${d}c, at: ${d}t`,
    `const ${d}o = f[${d}s];
    const ${v}: Value = typeof ${d}o === "object" && ${d}o !== null && ${d}o.shape === ${d}c.shape ? (load(${d}o, ${d}c.slot) as Value) : readForUpdate(${d}o, ${d}c, ${d}t, f);`,
  ];
}

/**
 * An operand `v` out of its descriptor `d`: the descriptor's type, the code before the closure, the code in it, and the values that the
 * operand is then the product of.
 */
function operand(shape, v, d) {
  switch (shape) {
    case "L":
      return { type: "number", head: "", read: `const ${v}: Value = f[${d}];`, values: [v] };
    case "X":
      return { type: "Ev", head: "", read: `const ${v}: Value = ${d}(f);`, values: [v] };
    case "C":
    case "N":
      return { type: shape === "N" ? "number" : "Value", head: "", read: `const ${v}: Value = ${d};`, values: [v] };
    case "P": {
      const [fields, read] = readFactor("P", v, d);
      return { type: "Property", head: `const { ${fields} } = ${d};`, read, values: [v] };
    }
  }
  if (shape === "(L%N)") {
    const read = `const ${v}0: Value = f[${d}s];
    const ${v}: Value = typeof ${v}0 === "number" ? ${v}0 % ${d}n : remainder(${v}0, ${d}n);`;
    return { type: "Remainder", head: `const { slot: ${d}s, divisor: ${d}n } = ${d};`, read, values: [v] };
  }
  const letters = shape.match(/\w/g);
  const factors = letters.map((s, i) => readFactor(s, `${v}${i}`, `${d}${i}`));
  return {
    type: `readonly [${letters.map((s) => (s === "P" ? "Property" : "Local")).join(", ")}]`,
    head: `const [${factors.map(([fields]) => `{ ${fields} }`).join(", ")}] = ${d};`,
    read: factors.map(([, read]) => read).join("\n    "),
    values: factors.map((_, i) => `${v}${i}`),
  };
}

/** The operation on two operands. Products of two locals may be read before either is computed: nothing of the program's runs between. */
function operationOn(op, l, r, ls, rs) {
  if (ls === "(L%N)") return `a ${op} b`; // no text
  if (l.values.length === 1 && r.values.length === 1) return operation(op, ls === "N", rs === "N");
  const numbers = [...l.values, ...r.values].map((v) => `typeof ${v} === "number"`).join(" && ");
  const whole = ({ values: [first, ...others] }) => others.reduce((a, b) => `multiply(${a}, ${b})`, first);
  return `${numbers} ? ${l.values.join(" * ")} ${op} ${r.values.join(" * ")} : ${op === "+" ? "add" : NUMERIC[op]}(${whole(l)}, ${whole(r)})`;
}

const shapesIn = (pair) => pair.match(/\([^)]+\)|\w/g);

const quoted = (key) => (/^\w+$/.test(key) ? key : JSON.stringify(key));

function factory(op, pair, result = "Ev") {
  const [ls, rs] = shapesIn(pair);
  const l = operand(ls, "a", "l");
  const r = operand(rs, "b", "r");
  const heads = [l.head, r.head].filter(Boolean);
  const closure = `(f) => {
    ${l.read}
    ${r.read}
    return ${operationOn(op, l, r, ls, rs)};
  }`;
  const params = `l: ${l.type}, r: ${r.type}`;
  return heads.length === 0
    ? `(${params}): ${result} => ${closure}`
    : `(${params}): ${result} => {\n    ${heads.join("\n    ")}\n    return ${closure};\n  }`;
}

const needsNumber = (op) => op === "+" || op in NUMERIC || op in COMPARE;
const operators = ["+", ...Object.keys(NUMERIC), ...Object.keys(COMPARE), ...Object.keys(EQUAL), ...Object.keys(OTHER)];

let out = `// Generated by generate.mjs. Do not edit.

import { add, ${[...Object.values(NUMERIC), ...Object.values(COMPARE), "looseEquals", "isIn", "instanceOf"].join(", ")} } from "../operators.js";
import { LONG_TEXT, R, isSame } from "../run-state.js";
import { load, store } from "../shape.js";
import { type Frame, HOLE as NOT_EVALUATED, type Value } from "../values.js";
import type { GetCache, SetCache } from "./cache.js";
import { type Local, type Property, type ReadSite, type Remainder, readForUpdate } from "./property.js";
import type { Ev } from "./unit.js";

/** A factory for each operator and shape of operands. */
export const BINARY: { readonly [operator: string]: { readonly [shape: string]: (l: never, r: never) => Ev } } = {
`;
for (const op of operators) {
  out += `  ${JSON.stringify(op)}: {\n`;
  for (const shape of shapesOf(op)) {
    if (/N(?!\))/.test(shape) && !needsNumber(op)) continue;
    out += `    ${quoted(shape)}: ${factory(op, shape)},\n`;
  }
  out += "  },\n";
}
out +=
  "};\n\n/** The operation on two values. */\nexport const APPLY: { readonly [operator: string]: (a: Value, b: Value) => Value } = {\n";
for (const op of operators) out += `  ${JSON.stringify(op)}: (a, b) => (${operation(op, false, false)}),\n`;
out +=
  "};\n\n/** `local = local op right`, and the other operators' assignments to a local. */\nexport const ASSIGN_LOCAL: { readonly [operator: string]: { readonly [shape: string]: (l: number, r: never) => Ev } } = {\n";
for (const op of ["+", ...Object.keys(NUMERIC)]) {
  out += `  ${JSON.stringify(op)}: {\n`;
  for (const shape of WITH_PRODUCT.has(op) ? ["L", "N", "X", "(LL)", "(LP)", "(PL)", "(PP)"] : ["L", "N", "X"]) {
    const right = operand(shape, "b", "r");
    out += `    ${quoted(shape)}: (l: number, r: ${right.type}): Ev => {
    ${right.head}
    return (f) => {
      const a: Value = f[l];
      ${right.read}
      return (f[l] = ${operationOn(op, { values: ["a"] }, right, "X", shape)});
    };
  },\n`;
  }
  out += "  },\n";
}
out +=
  "};\n\n/** `object.name op= right`, the object a local (L) or any expression (X): one read, one write. What a write may hit, a read may. */\nexport const ASSIGN_MEMBER: { readonly [operator: string]: { readonly [shape: string]: (object: never, read: GetCache, write: SetCache, right: never, at: ReadSite) => Ev } } = {\n";
for (const op of ["+", ...Object.keys(NUMERIC)]) {
  out += `  ${JSON.stringify(op)}: {\n`;
  for (const pair of WITH_PRODUCT.has(op) ? ["LX", "XX", "L(LL)", "L(LP)", "L(LPL)"] : ["LX", "XX"]) {
    const [os, rs] = shapesIn(pair);
    const o = operand(os, "o", "object");
    const right = operand(rs, "b", "right");
    out += `    ${quoted(pair)}: (object: ${o.type}, read, write, right: ${right.type}, at) => {
    ${right.head}
    return (f) => {
      ${o.read}
      const a: Value = typeof o === "object" && o !== null && o.shape === write.shape ? (load(o, write.slot) as Value) : readForUpdate(o, read, at, f);
      ${right.read}
      const v = ${operationOn(op, { values: ["a"] }, right, "X", rs)};
      if (typeof o === "object" && o !== null && o.shape === write.shape) {
        store(o, write.slot, v);
        return v;
      }
      R.site = at.site;
      write.set(o, v);
      return v;
    };
  },\n`;
  }
  out += "  },\n";
}
out +=
  "};\n\n/** Conditions: true or false for the host, without a guest boolean between. */\nexport const TEST: { readonly [operator: string]: { readonly [shape: string]: (l: never, r: never) => Test } } = {\n";
out = out.replace('import type { Ev } from "./unit.js";', 'import type { Ev, Test } from "./unit.js";');
for (const op of [...Object.keys(COMPARE), "===", "!=="]) {
  out += `  ${JSON.stringify(op)}: {\n`;
  for (const shape of shapesOf(op)) {
    if (/N(?!\))/.test(shape) && !needsNumber(op)) continue;
    out += `    ${quoted(shape)}: ${factory(op, shape, "Test")},\n`;
  }
  out += "  },\n";
}
out += "};\n";
out += `
/** \`Math.name(x)\` on numbers while the realm is as made; \`slow\` does everything else. */
export const MATH: { readonly [name: string]: (a: Ev, intact: () => boolean, slow: (f: Frame, a: Value) => Value) => Ev } = {
`;
for (const name of ["abs", "ceil", "cos", "exp", "floor", "log", "round", "sin", "sqrt", "tan", "trunc"]) {
  out += `  ${name}: (arg, intact, slow) => (f) => {
    if (!intact()) return slow(f, NOT_EVALUATED);
    const a = arg(f);
    return typeof a === "number" ? Math.${name}(a) : slow(f, a);
  },
`;
}
out += `};

/** \`Math.min\` and \`Math.max\` of two. */
export const MATH2: { readonly [name: string]: (a: Ev, b: Ev, intact: () => boolean, slow: (f: Frame, a: Value, b: Value) => Value) => Ev } = {
`;
for (const name of ["max", "min"]) {
  out += `  ${name}: (first, second, intact, slow) => (f) => {
    if (!intact()) return slow(f, NOT_EVALUATED, NOT_EVALUATED);
    const a = first(f);
    const b = second(f);
    return typeof a === "number" && typeof b === "number" ? Math.${name}(a, b) : slow(f, a, b);
  },
`;
}
out += "};\n";
writeFileSync(new URL("operators.gen.ts", import.meta.url), out);

// Entries --------------------------------------------------------------------------------------------------------------------------

const MAX_FRAME = 24;
let entries = `// Generated by generate.mjs. Do not edit.

import { R } from "../run-state.js";
import type { FunctionObject, Value } from "../values.js";
import { type Ev, RETURN_UNDEFINED } from "./unit.js";

type Entry = (fn: FunctionObject, t: Value, a: Value, b: Value, c: Value) => Value;

/**
 * Entries by the number of arguments that go into the frame, then by the frame's size (from 3 on). \`body\` gives a completion (a
 * statement's) or, for \`expression\`, the value itself.
 */
`;
for (const kind of ["STATEMENTS", "EXPRESSION"]) {
  entries += `export const ENTRY_${kind}: readonly (readonly ((body: Ev, weight: number) => Entry)[])[] = [\n`;
  for (let m = 0; m <= 3; m++) {
    entries += "  [\n";
    for (let size = 3; size <= MAX_FRAME; size++) {
      if (size < 3 + m) {
        entries += "    undefined as never,\n";
        continue;
      }
      const args = ["a", "b", "c"].slice(0, m);
      const frame = ["fn.d.env as never", "t", "fn", ...args, ...Array(size - 3 - m).fill("undefined")].join(", ");
      entries += `    (body, weight) => (fn, t${args.map((x) => `, ${x}`).join("")}) => {
      if (--R.fuel < 0) R.run.outOfFuel();
      R.sites[++R.depth] = R.site;
      if (R.depth > R.depthMax || (R.stack += weight) > R.stackMax) R.run.tooDeep();
      const v = body([${frame}]);
      R.site = R.sites[R.depth--];
      R.stack -= weight;
      return ${kind === "STATEMENTS" ? "v === RETURN_UNDEFINED ? undefined : v" : "v"};
    },\n`;
    }
    entries += "  ],\n";
  }
  entries += "];\n\n";
}
entries += `export const MAX_ENTRY_FRAME = ${MAX_FRAME};\n`;
writeFileSync(new URL("entries.gen.ts", import.meta.url), entries);
