// A log of 20,000 lines: parsed by named groups, split, replaced, tested.
const lines = [];
for (let i = 0; i < 20_000; i++) {
  const level = i % 10 === 0 ? "ERROR" : i % 4 === 0 ? "WARN" : "INFO";
  lines.push(`2024-03-${String((i % 28) + 1).padStart(2, "0")}T10:${String(i % 60).padStart(2, "0")}:07Z [${level}] user${i % 300}@mail${i % 7}.example.org GET /items/${i}?page=${i % 9} ${i % 2000}ms`);
}
const entry = /^(?<day>\d{4}-\d{2}-\d{2})T(?<time>[\d:]+)Z \[(?<level>[A-Z]+)\] (?<user>[^\s@]+)@(?<host>[\w.]+) (?<method>GET|POST) (?<path>\/\S*) (?<ms>\d+)ms$/;
const perLevel = {};
let slow = 0;
for (const line of lines) {
  const { level, ms } = entry.exec(line).groups;
  perLevel[level] = (perLevel[level] ?? 0) + 1;
  if (Number(ms) > 1500) slow++;
}
const text = lines.join("\n");
const masked = text.replace(/[\w.]+@[\w.]+/g, "<mail>");
const pages = [...text.matchAll(/page=(\d)/g)].reduce((sum, match) => sum + Number(match[1]), 0);
const words = text.split(/[\s?=&/]+/).length;
const errors = lines.filter((line) => /\berror\b/i.test(line)).length;
const camel = "some_long_snake_case_name".replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
return { perLevel, slow, masked: masked.length, pages, words, errors, camel };
