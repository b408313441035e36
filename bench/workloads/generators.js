// Lazy pipelines by hand, delegation, and iterator objects.
function* naturals(to) {
  for (let i = 0; i < to; i++) yield i;
}
function* keep(items, test) {
  for (const item of items) if (test(item)) yield item;
}
function* change(items, how) {
  for (const item of items) yield how(item);
}
function* both(a, b) {
  yield* a;
  yield* b;
}
let sum = 0;
for (const n of change(keep(naturals(60_000), (n) => n % 3 !== 0), (n) => n * 2)) sum += n;
for (const n of both(naturals(30_000), naturals(30_000))) sum += n;
class Tree {
  constructor(value, left, right) {
    this.value = value;
    this.left = left;
    this.right = right;
  }
  *[Symbol.iterator]() {
    if (this.left) yield* this.left;
    yield this.value;
    if (this.right) yield* this.right;
  }
}
const build = (from, to) => {
  if (from > to) return null;
  const middle = (from + to) >> 1;
  return new Tree(middle, build(from, middle - 1), build(middle + 1, to));
};
const values = [...build(0, 4_000)];
const talk = (function* () {
  let got = 0;
  for (;;) got += yield got;
})();
talk.next();
let last = 0;
for (let i = 0; i < 20_000; i++) last = talk.next(i).value;
return { sum, values: values.length, middle: values[2_000], last };
