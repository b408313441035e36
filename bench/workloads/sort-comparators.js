// Sorting records by several keys, texts by locale, and a merge by hand.
const people = [];
for (let i = 0; i < 20_000; i++) people.push({ id: i, last: "L" + ((i * 7919) % 997), first: "F" + ((i * 104_729) % 89), age: (i * 31) % 80 });
const byName = [...people].sort((a, b) => {
  if (a.last !== b.last) return a.last < b.last ? -1 : 1;
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  return a.id - b.id;
});
const byAge = people.toSorted ? people.toSorted((a, b) => b.age - a.age || a.id - b.id) : [...people].sort((a, b) => b.age - a.age || a.id - b.id);
const numbers = people.map((person) => (person.id * 48_271) % 65_537).sort((a, b) => a - b);
const texts = people.map((person) => person.last + person.first).sort();
function mergeSort(list) {
  if (list.length < 2) return list;
  const middle = list.length >> 1;
  const left = mergeSort(list.slice(0, middle));
  const right = mergeSort(list.slice(middle));
  const out = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) out.push(left[i] <= right[j] ? left[i++] : right[j++]);
  while (i < left.length) out.push(left[i++]);
  while (j < right.length) out.push(right[j++]);
  return out;
}
const merged = mergeSort(people.map((person) => (person.id * 16_807) % 30_011));
return { first: byName[0].id, last: byName.at(-1).id, oldest: byAge[0].id, numbers: numbers.slice(0, 3), texts: texts[100], merged: merged[10_000] };
