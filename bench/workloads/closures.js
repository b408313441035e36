// Functions that make functions: counters, currying, composition, memoisation, bindings per turn.
const counter = () => {
  let n = 0;
  return { up: () => ++n, read: () => n };
};
const compose = (...functions) => (value) => functions.reduce((result, f) => f(result), value);
const curry = (a) => (b) => (c) => a * b + c;
function memo(f) {
  const known = new Map();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = f(key)));
    return value;
  };
}
const clicks = counter();
for (let i = 0; i < 200_000; i++) clicks.up();
let sum = 0;
for (let i = 0; i < 40_000; i++) sum += curry(i % 7)(i % 11)(i);
const inOrder = compose((n) => n + 1, (n) => n * 2, (n) => n - 3);
for (let i = 0; i < 30_000; i++) sum += inOrder(i);
const square = memo((n) => n * n);
for (let i = 0; i < 100_000; i++) sum += square(i % 500);
const later = [];
for (let i = 0; i < 20_000; i++) later.push(() => i);
for (const f of later) sum += f();
return { clicks: clicks.read(), sum };
