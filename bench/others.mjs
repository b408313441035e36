// Ten programs to run before the one that is measured: a long-lived host has run others, and its machine code knows their values too.

export const OTHERS = [
  `let n = 0; for (let i = 0; i < 50_000; i++) n += i % 3 === 0 ? i : -1; return n;`,
  `const words = "the quick brown fox jumps over the lazy dog".split(" ");
   const lengths = {}; for (let i = 0; i < 5_000; i++) { const w = words[i % 9]; lengths[w] = (lengths[w] ?? 0) + w.length; } return lengths;`,
  `class Stack { #items = []; push(item) { this.#items.push(item); return this; } pop() { return this.#items.pop(); } get size() { return this.#items.length; } }
   const stack = new Stack(); for (let i = 0; i < 10_000; i++) stack.push(i).push(i + 1).pop(); return stack.size;`,
  `const rows = Array.from({ length: 5_000 }, (_, i) => ({ i, half: i / 2, even: i % 2 === 0 }));
   return rows.filter(({ even }) => even).map(({ half }) => half + 0.25).reduce((a, b) => a + b, 0);`,
  `function* steps(to) { for (let i = 0; i < to; i++) yield { i, text: "s" + i }; }
   let all = ""; for (const { text } of steps(3_000)) all += text; return all.length;`,
  `const gcd = (a, b) => (b === 0 ? a : gcd(b, a % b)); let sum = 0;
   for (let i = 1; i < 5_000; i++) sum += gcd(i * 12, 360); return sum;`,
  `let failures = 0; for (let i = 0; i < 3_000; i++) { try { if (i % 3 === 0) throw new Error("e" + i); null.x; } catch (error) { failures += error.message.length > 3 ? 1 : 0; } } return failures;`,
  `const matrix = []; for (let y = 0; y < 60; y++) { const row = []; for (let x = 0; x < 60; x++) row.push(x * y * 0.5); matrix.push(row); }
   let trace = 0; for (let i = 0; i < 60; i++) for (let j = 0; j < 60; j++) trace += matrix[i][j] * matrix[j][i]; return trace;`,
  `const inventory = new Map(); for (let i = 0; i < 4_000; i++) { const key = "sku-" + (i % 333); inventory.set(key, { count: (inventory.get(key)?.count ?? 0) + 1, last: i }); }
   return JSON.stringify([...inventory].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, 5));`,
  `const pause = (value) => Promise.resolve(value); const load = async (i) => ({ i, value: await pause(i * 2) });
   let total = 0; for (const { value } of await Promise.all([...Array(500).keys()].map(load))) total += value; return total;`,
];
