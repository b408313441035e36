// Small documents to text and back, with a replacer, a reviver and indentation.
const documentOf = (i) => ({
  id: i,
  title: `Item "${i}"`,
  tags: ["new", "sale", null],
  size: { width: i % 50, height: 2.5, unit: "cm" },
  stock: i % 3 === 0 ? [] : [{ place: "A" + (i % 9), count: i % 17 }],
  active: i % 2 === 0,
});
let length = 0;
let sum = 0;
for (let i = 0; i < 10_000; i++) {
  const text = JSON.stringify(documentOf(i));
  length += text.length;
  const copy = JSON.parse(text);
  sum += copy.size.width + copy.stock.length + copy.tags.length;
}
for (let i = 0; i < 1_000; i++) {
  const text = JSON.stringify(documentOf(i), (key, value) => (key === "tags" ? undefined : value), 2);
  length += text.length;
  sum += JSON.parse(text, (_, value) => (typeof value === "number" ? value + 1 : value)).id;
}
return { length, sum };
