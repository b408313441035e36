// Patterns in parameters, declarations, loops and assignments, with defaults and rests.
const area = ({ width = 1, height = 1, origin: { x = 0, y = 0 } = {} }) => width * height + x - y;
const sumOf = ([first, second = 10, ...rest]) => first + second + rest.length;
let total = 0;
for (let i = 0; i < 60_000; i++) {
  total += area({ width: i % 7, origin: { x: i % 3 } });
  total += sumOf([i, undefined, 1, 2]);
}
let a = 0;
let b = 1;
for (let i = 0; i < 200_000; i++) [a, b] = [b, (a + b) % 1_000_003];
const rows = [];
for (let i = 0; i < 30_000; i++) rows.push({ id: i, name: "n" + i, meta: { score: i % 13, flags: [i % 2 === 0, true] } });
for (const {
  id,
  meta: {
    score,
    flags: [even],
  },
} of rows)
  total += even ? id : score;
for (const [key, value] of Object.entries({ p: 1, q: 2, r: 3 })) total += key.length + value;
let copy = rows[0];
for (const row of rows) {
  const { name, ...others } = row;
  copy = { ...others, label: name, seen: true };
}
return { total, a, b, copy };
