// The generated operators: every form gives what the host's own operator gives, and reads its operands in the order of the text.

import { describe, expect, test } from "vitest";
import { BINARY } from "../dist/src/compile/operators.gen.js";
import { failure, hostValue, value } from "./program.js";

const OPERANDS = ["3", "-0", "2.5", "NaN", "'7'", "'a'", "undefined", "10n", "({ valueOf: () => 4 })"];

async function same(code: string): Promise<void> {
  expect(await value(code), code).toEqual(await hostValue(code));
}

const SHOW =
  "const show = (f) => { try { const v = f(); return typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0' : typeof v + ' ' + v; } catch (e) { return e.name; } };";

/** One operand in each form in which the compiler tells operands apart. */
const FORMS: Record<string, (code: string, name: string) => { declare: string; use: string }> = {
  local: (code, name) => ({ declare: `const ${name} = ${code};`, use: name }),
  constant: (code) => ({ declare: "", use: `(${code})` }),
  property: (code, name) => ({ declare: `const ${name}o = { p: ${code} };`, use: `${name}o.p` }),
  expression: (code, name) => ({ declare: `const ${name}f = () => (${code});`, use: `${name}f()` }),
};

describe("every operator in every form of its operands", () => {
  test.each(Object.keys(BINARY))("%s", async (operator) => {
    const values =
      operator === "in" ? ["'a'", "0", "({ a: 1 })", "[1]", "5"] : operator === "instanceof" ? ["[]", "({})", "Array", "5"] : OPERANDS;
    const lines: string[] = [];
    for (const [i, left] of Object.entries(FORMS)) {
      for (const [j, right] of Object.entries(FORMS)) {
        for (const a of values) {
          for (const b of values) {
            const l = left(a, `l_${i}`);
            const r = right(b, `r_${j}`);
            lines.push(`out.push(show(() => { ${l.declare} ${r.declare} return ${l.use} ${operator} ${r.use}; }));`);
            if (["<", ">", "<=", ">=", "===", "!=="].includes(operator))
              lines.push(`out.push(show(() => { ${l.declare} ${r.declare} if (${l.use} ${operator} ${r.use}) return 1; return 2; }));`);
          }
        }
      }
    }
    // A few thousand lines a program: in parts, below the limit of the source.
    for (let i = 0; i < lines.length; i += 500) await same(`${SHOW} const out = []; ${lines.slice(i, i + 500).join("\n")} return out;`);
  });
});

// Sums read a product of locals and of their properties in place, comparisons a remainder: whatever the operands are, the result and the
// order stay.
describe("operations that an operator does itself", () => {
  const FACTORS = ["3", "-0", "NaN", "'7'", "10n", "logged(4)"];
  const SUMS = [
    "A * B OP C",
    "C OP A * B",
    "C OP A * B * D",
    "A * B OP C * D",
    "(C, A) * B OP D",
    "(C ?? 1) OP A * B",
    "(C ?? 1) OP A * B * D",
    "A * B OP C OP D * C",
    "(v = C, v OP= A * B)",
    "(v = C, v OP= A * B * D)",
    "(o.v = C, o.v OP= A * B)",
    "(o.v = C, o.v OP= A * B * D)",
    "(o.v = C, self().v OP= A * B)",
  ];

  test.each(["+", "-"])("%s", async (operator) => {
    const lines: string[] = [];
    for (const sum of SUMS) {
      for (const [a, b, c, d] of ["aaaa", "pppp", "paaa", "apaa", "aapa", "appa"]) {
        for (const x of FACTORS) {
          for (const y of FACTORS) {
            const text = sum.replace(/[ABCD]|OP/g, (n) => {
              if (n === "OP") return operator;
              const form = { A: a, B: b, C: c, D: d }[n]!;
              return form === "p" ? `p.${n.toLowerCase()}` : n.toLowerCase();
            });
            lines.push(`{ const a = ${x}, b = ${y}, c = ${y}, d = 2, p = properties(a, b, c, d); let v;
              try { const r = ${text}; log.push(show(() => r)); } catch (e) { log.push(e.name); } }`);
          }
        }
      }
    }
    const head = `${SHOW} const log = []; const logged = (n) => ({ valueOf() { log.push(n); return n; } });
      const o = { v: 0 }, self = () => (log.push("self"), o);
      const properties = (a, b, c, d) => ({ get a() { log.push("a"); return a; }, b, get c() { log.push("c"); return c; }, d });`;
    for (let i = 0; i < lines.length; i += 400) await same(`${head} ${lines.slice(i, i + 400).join("\n")} return log;`);
  });

  test("remainders in comparisons", async () => {
    const lines = ["===", "!=="].flatMap((operator) =>
      [...FACTORS, "8", "7.5", "-3", "'x'", "undefined", "null"].flatMap((x) =>
        ["0", "-0", "1", "'0'", "NaN"].flatMap((y) => [
          `{ const a = ${x}; log.push(show(() => a % 3 ${operator} ${y})); }`,
          `{ const a = ${x}; log.push(show(() => { if (a % -2.5 ${operator} ${y}) return 1; return a % 2 ${operator} ${y} ? 2 : 3; })); }`,
        ]),
      ),
    );
    await same(`${SHOW} const log = []; const logged = (n) => ({ valueOf() { log.push(n); return n; } }); ${lines.join("\n")} return log;`);
  });

  test("a message points at the factor that cannot be read", async () => {
    const { location } = await failure("const a = 1;\nlet p;\nlet sum = 0;\nsum += a *\n  p.price;");
    expect(location?.line).toBe(5);
  });
});

test("texts with numbers, made again and again", async () => {
  const numbers = ["0", "-0", "7", "63", "64", "-1", "1.5", "NaN", "Infinity", "1e21", "4294967296"];
  const labels = ["'a'", "'b'", "''", "'a label of thirty'", "'a label of 12'.slice(1)", "'ab'.slice(0, 1)"];
  const lines = numbers.flatMap((n) =>
    labels.map(
      (label) => `{ const n = ${n}, t = ${label}; out.push(t + n, n + t, \`\${t}\${n}\`, \`a\${n}\`, \`a\${n}b\`, t + n === t + n); }`,
    ),
  );
  await same(`const out = []; for (let i = 0; i < 2; i++) { ${lines.join("\n")} } return out;`);
});

test("a label keeps no larger text that it was cut out of", async () => {
  const code = `let n = 0;
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 60; i++) {
        const large = "abcdefghij".repeat(400_000) + "tail" + i;
        for (let length = 1; length < 20; length++) n += (large.slice(100 + i, 100 + i + length) + i).length;
      }
    }
    return n;`;
  expect(await value(code, { limits: { memoryBytes: 64_000_000 } })).toBe(2 * (60 * 190 + 10 * 19 + 50 * 38));
});

describe("operands are read in the order of the text", () => {
  const arithmetic = ["+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>"];
  test.each(arithmetic)("%s", async (operator) => {
    await same(`let x = 5; const v = x ${operator} x++; return [v, x];`);
    await same(`let x = 5; const v = x++ ${operator} x; return [v, x];`);
    await same(`let x = 5; x ${operator}= x = 2; return x;`);
    await same(`let x = 5; x ${operator}= x++ ${operator} x; return x;`);
    await same(`const o = { x: 5 }; const v = o.x ${operator} o.x++; return [v, o.x];`);
    await same(`const o = { x: 5 }; o.x ${operator}= o.x = 2; return o.x;`);
    await same(`let o = { x: 5 }; const p = o; o.x ${operator}= (o = { x: 1 }, 3); return [o.x, p.x];`);
    await same(`let x = 5; const f = () => (x = 7); const v = x ${operator} f(); return [v, x];`);
    await same(`const a = [1, 2, 3]; let i = 0; a[i] ${operator}= i = 2; return [a, i];`);
    await same(
      `const log = []; const t = (n) => ({ valueOf() { log.push(n); return n; } }); const v = (log.push("l"), t(3)) ${operator} (log.push("r"), t(2)); return [v, log];`,
    );
  });

  test("element assignment", async () => {
    await same("const a = []; let i = 0; a[i] = i = 5; return [a, i];");
    await same("const a = [0, 0]; let i = 0; a[i++] = i++; return [a, i];");
    await same(
      "const log = []; const o = { get a() { log.push('o'); return {}; } }; const k = () => (log.push('k'), 'x'); const v = () => (log.push('v'), 1); o.a[k()] = v(); return log;",
    );
    await same(
      "const log = []; const key = { toString() { log.push('key'); return 'x'; } }; const o = {}; o[key] = (log.push('value'), 1); return log;",
    );
    await same("const log = []; try { null[(log.push('k'), 'x')] = (log.push('v'), 1); } catch (e) { log.push(e.name); } return log;");
  });
});
