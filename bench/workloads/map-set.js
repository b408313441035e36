// Maps and sets with text, number and object keys.
const index = new Map();
for (let i = 0; i < 60_000; i++) {
  const key = "k" + (i % 5_000);
  const list = index.get(key);
  if (list) list.push(i);
  else index.set(key, [i]);
}
let sum = 0;
for (const [key, list] of index) sum += key.length + list.length;
const seen = new Set();
let repeated = 0;
for (let i = 0; i < 200_000; i++) {
  const n = (i * 7) % 30_000;
  if (seen.has(n)) repeated++;
  else seen.add(n);
}
const objects = [];
for (let i = 0; i < 10_000; i++) objects.push({ i });
const ranks = new Map(objects.map((object, rank) => [object, rank]));
for (const object of objects) sum += ranks.get(object);
const weak = new WeakMap();
for (const object of objects) weak.set(object, object.i);
for (const object of objects) sum += weak.get(object);
index.forEach((list) => {
  sum += list[0];
});
for (let i = 0; i < 30_000; i += 2) seen.delete(i);
const ordered = [...seen].sort((a, b) => a - b);
return { keys: index.size, sum, repeated, left: seen.size, first: ordered.slice(0, 3), last: ordered.at(-1) };
