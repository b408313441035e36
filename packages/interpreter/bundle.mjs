// What the package exports: dist/index.js, which loads the modules that tsc has built (dist/src, dist/stdlib) from one file of code, with
// V8's code cache beside it (src/load.ts). Loading the 240 modules one by one takes five times as long. Nothing is left out, renamed for
// size or compiled anew; dependencies stay outside.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createRequire } from "node:module";
import { rolldown } from "rolldown";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Writes the bundle, if the modules have changed: each file whole at once, as processes may be loading it. */
export async function bundle() {
  const { cacheFile } = await import("./dist/src/load.js");
  const modules = await rolldown({ input: here("dist/src/index.js"), platform: "node", external: /^[^./]/, treeshake: false });
  const { output } = await modules.generate({ format: "cjs", codeSplitting: false });
  await modules.close();
  // In ASCII, which V8 keeps in half the space and reads faster.
  const code = output[0].code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  // The names tell versions apart, so that no code meets another one's cache.
  const name = `code-${hash(code)}.cjs`;
  const acorn = `acorn-${hash(readFileSync(acornFile))}`;
  if (!existsSync(here(`dist/${name}`))) write(here(`dist/${name}`), code);
  if (sources(name, acorn).some((source) => !existsSync(cacheFile(source))))
    execFileSync(process.execPath, [here("bundle.mjs"), name, acorn], { env: { ...process.env, NODE_OPTIONS: "" } });
  const index = `// Made by bundle.mjs.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { load } from "./src/load.js";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

// One acorn for all: the TypeScript plugin extends the classes of the parser that it is given.
const acorn = load({ file: createRequire(import.meta.url).resolve("acorn"), encoding: "utf8", cache: here("${acorn}") });
export const { ${output[0].exports.join(", ")} } = load({ file: here("${name}"), encoding: "latin1", cache: here("${name}") }, { acorn });
`;
  if (textOf(here("dist/index.js")) === index) return;
  write(here("dist/index.js"), index);
  const isOther = (item) => /^(?:code|acorn)-/.test(item) && !item.startsWith(name) && !item.startsWith(acorn);
  for (const other of readdirSync(here("dist")).filter(isOther)) {
    if (Date.now() - statSync(here(`dist/${other}`)).mtimeMs > 600_000) rmSync(here(`dist/${other}`)); // a process may have been about to load it
  }
}

export { bundle as setup }; // vitest's name for what comes before the tests

const acornFile = createRequire(import.meta.url).resolve("acorn");
const hash = (text) => createHash("sha256").update(text).digest("hex").slice(0, 12);

function sources(name, acorn) {
  return [
    { file: acornFile, encoding: "utf8", cache: here(`dist/${acorn}`) },
    { file: here(`dist/${name}`), encoding: "latin1", cache: here(`dist/${name}`) },
  ];
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function write(file, content) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}

// What the cache holds is what these have compiled: a program as models write them, and one that fails.
const USUAL = `
class Team {
  #members = new Map();
  static of(people) { const team = new Team(); for (const person of people) team.add(person); return team; }
  add({ name, role = "member", ...rest }) { this.#members.set(name, { role, ...rest }); return this; }
  get size() { return this.#members.size; }
  *[Symbol.iterator]() { yield* this.#members; }
}
const fetchPage = async (page) => await tools.bench.page({ page, limit: 2 });
const rows = [];
for (let page = 1; page <= 3; page++) {
  const { items, next } = await fetchPage(page);
  rows.push(...items);
  if (!next) break;
}
const answers = await Promise.all(rows.map(async (row, i) => ({ ...row, detail: await tools.bench.page({ page: row.id ?? i }) })));
const groups = {};
for (const { team, score } of rows) (groups[team] ??= []).push(score);
const totals = Object.entries(groups).map(([team, scores]) => ({ team, total: scores.reduce((a, b) => a + b, 0), max: Math.max(...scores) }));
totals.sort((a, b) => b.total - a.total || a.team.localeCompare(b.team));
const seen = new Set(rows.filter((row) => row.name.includes("a")).map((row) => row.name.toUpperCase()));
const words = "one two, three".split(/[ ,]+/).map((word) => word.replace(/(\\w)(\\w*)/, (_, first, rest) => first.toUpperCase() + rest));
let text = "";
for (const [index, word] of words.entries()) text += \`\${index}: \${word.padEnd(8)}|\`;
let failures = 0;
try { await tools.bench.fail({}); } catch (error) { failures++; console.log("failed:", error.message); } finally { text = text.trim(); }
try { JSON.parse("{"); } catch (error) { if (!(error instanceof SyntaxError)) throw error; }
const copy = JSON.parse(JSON.stringify({ totals, when: new Date(0).toISOString(), text }));
const { totals: [first, ...others] = [], when } = copy;
class Squad extends Team {
  static made = 0;
  constructor(title) { super(); Object.assign(this, { title }); Squad.made++; }
  get heading() { return \`\${this.title}: \${super.size}\`; }
  toString() { return this.heading; }
}
function* pairs(list) { for (let i = 0; i < list.length; i++) yield [i, list[i]]; }
async function* pages() { for (let page = 1; page < 3; page++) yield* (await fetchPage(page)).items; }
for await (const { id, ...row } of pages()) text += id + Object.keys(row).length;
for (const [i, { name }] of pairs(rows)) text += i % 2 === 0 ? String(new Squad(name)) : name;
const team = Team.of(rows);
switch (team.size) { case 0: throw new Error("empty"); default: label: for (const [name] of team) { for (const key in groups) { if (key === name) continue label; } } }
let n = 0;
while (n < 10) { n += n % 3 === 0 ? 2 : 1; if (n > 8) break; }
const counts = rows.flatMap((row) => Object.keys(row)).slice(0, 20).reduce((map, key) => map.set(key, (map.get(key) ?? 0) + 1), new Map());
console.log(first, others.length, [...seen].join(), words.find((word) => word.startsWith("T")), when?.slice(0, 4));
return { totals, counts: Object.fromEntries(counts), answers: answers.length, failures, size: team.size, sum: (12.345).toFixed(1) };`;
const FAILING = `const list = await tools.bench.page({ page: 1 });\nreturn list.item.map((x) => x.id);`;

/** Writes the code caches of a bundle that has run the usual, and of its acorn. */
async function writeCaches(name, acornName) {
  const { cacheFile, compile } = await import("./dist/src/load.js");
  const [acornSource, source] = sources(name, acornName);
  const acorn = compile(acornSource, {});
  const code = compile(source, { acorn: acorn.exports() });
  const { run } = code.exports();
  const page = async ({ page }) => ({
    items: [0, 1].map((i) => ({ id: page * 2 + i, name: "ab" + i, team: "t" + i, score: i })),
    next: page < 3,
  });
  const fail = async () => {
    throw new Error("no");
  };
  const tools = { bench: { page, fail } };
  const [usual, failing] = [await run(USUAL, { tools }), await run(FAILING, { tools })];
  if (usual.status !== "completed" || failing.status !== "failed") throw new Error(`unexpected: ${JSON.stringify([usual, failing])}`);
  write(cacheFile(acornSource), acorn.script.createCachedData());
  write(cacheFile(source), code.script.createCachedData());
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await (process.argv[2] === undefined ? bundle() : writeCaches(process.argv[2], process.argv[3]));
