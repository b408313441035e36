// Classes with private names, generators, async generators, destructuring, labels, templates, errors.
class Figure {
  static made = 0;
  #kind;
  constructor(kind) {
    this.#kind = kind;
    Figure.made++;
  }
  get kind() {
    return this.#kind;
  }
  surface() {
    return 0;
  }
  toString() {
    return `${this.kind} of ${this.surface().toFixed(1)}`;
  }
}
class Box extends Figure {
  constructor(width, height) {
    super("box");
    Object.assign(this, { width, height });
  }
  surface() {
    return this.width * this.height;
  }
}
class Disc extends Figure {
  constructor(radius) {
    super("disc");
    this.radius = radius;
  }
  surface() {
    return Math.PI * this.radius ** 2;
  }
  toString() {
    return `[${super.toString()}]`;
  }
}
function* count(to, step = 1) {
  for (let i = 0; i < to; i += step) yield i;
}
function* squares(to) {
  for (const i of count(to)) yield* [[i, i * i]];
}
async function* pages(to) {
  for (let number = 0; number < to; number++) yield { number, rows: [number, ...count(2)] };
}

let surface = 0;
let caught = 0;
let text = "";
for (const i of count(20_000)) {
  const figure = i % 2 === 0 ? new Disc(i % 4) : new Box(i % 5, i % 9);
  surface += figure.surface();
  text = String(figure);
  try {
    if (i % 8 === 0) throw new RangeError("no " + i);
    JSON.parse(i % 20 === 1 ? "[" : "[]");
  } catch (error) {
    if (error instanceof RangeError) caught += 1;
    else if (error.name === "SyntaxError") caught += 1000;
  } finally {
    surface += 0;
  }
}
let state = { sum: 0, marks: [] };
for (const [i, square] of squares(20_000)) {
  const { sum, ...others } = state;
  state = { ...others, sum: sum + (square % 5) };
  if (i % 4000 === 0) state.marks = [...state.marks, i];
}
let rows = 0;
for await (const { number, rows: [first, ...rest] } of pages(2_000)) rows += first + rest.length + (number ?? 0);
const tag = (strings, ...values) => strings.raw.join("+") + values.join("/");
let visited = 0;
outer: for (let i = 0; ; i++) {
  switch (i) {
    case 2:
      continue outer;
    case 7:
      break outer;
    default:
      visited++;
  }
}
const union = new Set([4, 5, 5, 6].flatMap((n) => [n, n * 3]));
return { surface: Math.round(surface), caught, text, state, rows, visited, made: Figure.made, tag: tag`x${1}y${2}z`, union: [...union], none: state?.absent?.deep ?? null };
