// Diagnostics for models: where a failure is, and what they say about the habits and slips that led to it.

import { describe, expect, test } from "vitest";
import { type Diagnostic, type ToolTree, run } from "@airlock/interpreter";
import { value } from "./program.js";

const tools: ToolTree = {
  github: {
    list_issues: async () => ({ total: 1, issues: [{ number: 1, title: "a", created_at: "2025-03-14" }] }),
    get_issue: async (input) => input as object,
  },
  fs: { read_file: async () => "# Title\ntext\n", read_json: async () => '{"a":1}' },
};

async function failure(code: string): Promise<Diagnostic> {
  const outcome = await run(code, { tools, limits: { computeMs: 400 } });
  if (outcome.status === "completed") throw new Error(`completed: ${JSON.stringify(outcome.value)}`);
  return outcome.error;
}

/** Code, the place as line:column, and what message and hints say together. */
type Case = [code: string, place: string, said: RegExp];

function cases(name: string, all: Case[]): void {
  describe(name, () => {
    test.each(all)("%s", async (code, place, said) => {
      const { location, message, hints, frame } = await failure(code);
      expect(`${location?.line}:${location?.column}`).toBe(place);
      expect([message, ...hints].join(" ")).toMatch(said);
      expect(frame).toContain(code.split("\n")[location!.line - 1].slice(0, 40));
    });
  });
}

cases("a missing await", [
  ["const r = tools.github.list_issues({});\nreturn r.issues.map((i) => i.title);", "2:17", /r is a promise: write await/],
  ["const r = tools.github.list_issues({});\nreturn r.map((i) => i.title);", "2:10", /called on a promise.*await/],
  ["const r = tools.github.list_issues({});\nfor (const i of r) console.log(i);", "2:17", /is a promise: write await/],
  ["const [a] = tools.github.list_issues({});", "1:7", /promise.*await/],
  [
    "const { issues } = tools.github.list_issues({});\nreturn issues.map((i) => i.title);",
    "2:15",
    /list_issues \(line 1\) was called without await/,
  ],
  ["return JSON.parse(tools.fs.read_json({}));", "1:13", /is a promise: write await/],
  ["return [...tools.github.list_issues({})];", "1:9", /promise.*await/],
  ["const all = [1].map((n) => tools.github.get_issue({ n }));\nreturn { all };", "2:1", /result\.all\[0\] is a promise.*Promise\.all/],
]);

cases("what hosts and libraries have", [
  ['const res = await fetch("https://example.org");', "1:19", /fetch is not available.*tools/],
  ['fs.readFileSync("a");', "1:1", /fs is not available.*tools/],
  ["const key = process.env.KEY;", "1:13", /process is not available/],
  ['Buffer.from("a");', "1:1", /Buffer is not available.*TextEncoder/],
  ['const x = 1;\nconst fs = require("fs");', "2:12", /require is not available.*"fs".*no modules/],
  ['const x = 1;\nimport fs from "fs";', "2:1", /"import" is not available.*no modules/],
  ['const { parse } = await import("papaparse");', "1:25", /import\(\) is not available.*papaparse/],
  ["await sleep(100);", "1:7", /setTimeout\(resolve/],
  ["return _.groupBy([], 'x');", "1:8", /lodash is not available/],
  ["return window.location;", "1:8", /window is not available/],
  ["print(1)", "1:1", /console\.log/],
  ["ls -la", "1:1", /shell command/],
  ["$ npm install", "1:3", /shell command/],
]);

cases("names that are not there", [
  [
    'const repo = "a";\nreturn await tools.github.get_issue({ repo, number });',
    "2:45",
    /\{ number \} stands for \{ number: number \}.*no variable number/,
  ],
  ["const issues = [];\nreturn isues.length;", "2:8", /isues is not defined.*Did you mean issues\?/],
  ["consol.log(1);", "1:1", /Did you mean console\?/],
  ["if (true) { const found = 1; }\nreturn found;", "2:8", /found is declared in line 1, inside another function or block/],
  [
    "return await tools.github.list_issue({});",
    "1:27",
    /There is no tool tools\.github\.list_issue; did you mean tools\.github\.list_issues\?/,
  ],
  ["return await github.get_issue({});", "1:14", /Tools are reached through tools: write tools\.github\./],
  ["return await get_issue({});", "1:14", /write tools\.github\.get_issue\./],
  ["return await mcp__github__list_issues({});", "1:14", /write tools\.github\.list_issues\./],
  ["return await githubGetIssue({});", "1:14", /write tools\.github\.get_issue\./],
  ["return undefinedName;", "1:8", /^undefinedName is not defined$/],
]);

cases("what cannot be called", [
  ["const list = 5;\nlist();", "2:1", /list is not a function list is a number \(5\)/],
  ["const o = { a: { b: 1 } };\no.a.c();", "2:5", /o\.a\.c is not a function o\.a has no "c"\. Its fields: b/],
  ["return [1, 2].lenght();", "1:15", /an array of 2, which has no "lenght"; did you mean "length"/],
  ["return [1, 2].length();", "1:15", /\[1, 2\]\.length is a number \(2\): read it without \(\)/],
  ['return "abc".contains("a");', "1:14", /a string, which has no "contains"; did you mean "includes"/],
  ["return [1].contains(1);", "1:12", /did you mean "includes"/],
  ["return new Map().put(1, 2);", "1:18", /a Map, which has no "put"; did you mean "set"/],
  ["return new Set([1]).contains(1);", "1:21", /did you mean "has"/],
  ["const o = { a: 1 };\nreturn o.map((x) => x);", "2:10", /o is an object, not an array: Object\.values\(o\).*Its fields: a/],
  ["const r = await tools.github.list_issues({});\nreturn r.map((x) => x);", "2:10", /r is an object, not an array; r\.issues is one/],
  ["const m = new Map();\nreturn m.map((x) => x);", "2:10", /\[\.\.\.m\] makes an array/],
  ["class A { run() {} }\nreturn new A().runn();", "2:16", /did you mean "run"/],
]);

cases("what a value has not", [
  [
    'const file = await tools.fs.read_file({});\nreturn file.content.split("\\n");',
    "2:21",
    /file is a string, which has no "content"\. It is what tools\.fs\.read_file \(line 1\) gave/,
  ],
  ["const file = await tools.fs.read_json({});\nreturn file.data.a;", "2:18", /file is a string, which has no "data".*JSON\.parse\(file\)/],
  [
    "const r = await tools.github.list_issues({});\nreturn r.issues[0].createdAt.slice(0, 4);",
    "2:30",
    /r\.issues\[0\] has no "createdAt"; did you mean "created_at"\?/,
  ],
  ["const r = await tools.github.list_issues({});\nreturn r.isues.length;", "2:16", /r has no "isues"; did you mean "issues"\?/],
  [
    "const r = await tools.github.list_issues({});\nconst { isues } = r;\nreturn isues.length;",
    "3:14",
    /r has no "isues"; did you mean "issues"\?/,
  ],
  [
    "const r = await tools.github.list_issues({});\nfor (const i of r.items) {}",
    "2:17",
    /r\.items is not iterable r has no "items"\. Its fields: total, issues/,
  ],
  [
    "const r = await tools.github.list_issues({});\nfor (const i of r.isues) await i;",
    "2:17",
    /r\.isues is not iterable r has no "isues"; did you mean "issues"/,
  ],
  ["const r = await tools.github.list_issues({});\nreturn [...r.isues];", "2:9", /r\.isues is not iterable.*did you mean "issues"/],
  [
    "const r = await tools.github.list_issues({});\nconst { a } = r.data;",
    "2:7",
    /Cannot destructure property 'a' of 'r\.data' as it is undefined.*r has no "data"/,
  ],
  [
    "const r = await tools.github.list_issues({});\nreturn r.issues.title.length;",
    "2:23",
    /r\.issues is an array of 1; its items have "title": r\.issues\[0\]\.title/,
  ],
  ["const list = [];\nreturn list[0].name;", "2:16", /list is an empty array/],
  ['const m = new Map([["a", 1]]);\nreturn m.a.b;', "2:12", /m is a Map: m\.get\("a"\)/],
  ["const hit = [1].find((x) => x > 1);\nreturn hit.name;", "2:12", /hit is what find\(…\) in line 1 gave: undefined/],
  ['const m = "abc".match(/x/);\nreturn m[1];', "2:10", /null where nothing matches/],
  [
    "const { items } = await tools.github.list_issues({});\nreturn items.length;",
    "2:14",
    /What tools\.github\.list_issues \(line 1\) gave has no "items"\. Its fields: total, issues/,
  ],
  [
    "const { isues: list } = await tools.github.list_issues({});\nfor (const i of list) {}",
    "2:17",
    /gave has no "isues"; did you mean "issues"/,
  ],
  ["const file = await tools.fs.read_file({});\nreturn file.map((x) => x);", "2:13", /file is a string.*file\.split\("\\n"\)/],
  ["const o = { a: { b: null } };\nreturn o.a.b.c;", "2:14", /o\.a\.b is null: where it may be, write o\.a\.b\?\./],
  ["function f() {\n  return this.x;\n}\nf();", "2:15", /this is undefined in a function/],
  ["const o = { a: 1 };\nfor (const x of o) {}", "2:17", /Object\.entries/],
  ["function f(user) {\n  return user.name.first;\n}\nf({ nam: 1 });", "2:20", /user has no "name"; did you mean "nam"/],
  [
    "class A { go() { return this.lst.length; } }\nclass B extends A { list = []; }\nnew B().go();",
    "1:34",
    /this has no "lst"; did you mean "list"/,
  ],
  ["return tools.github.list_issues.issues.map((x) => x);", "1:40", /list_issues is a tool: call it with an object and await/],
]);

cases("JSON", [
  ["return JSON.parse({ a: 1 });", "1:13", /no text but an object already/],
  ["return JSON.parse(await tools.github.list_issues({}));", "1:8", /no text but an object already/],
  ["return JSON.parse(undefined);", "1:13", /undefined/],
  ["return JSON.parse('```json\\n{}\\n```');", "1:13", /Markdown fence/],
  ['return JSON.parse("{ // note\\n }");', "1:13", /JSON has no comments/],
  ['return JSON.parse("<html>");', "1:13", /markup/],
  ['return JSON.parse(\'{"a":1}\\n{"a":2}\');', "1:13", /one JSON value in each line/],
]);

cases("results", [
  ["const f = () => 1;\nreturn { list: [f] };", "2:1", /result\.list\[0\] is a function/],
  ["const a = {};\na.self = a;\nreturn { x: [a] };", "3:1", /result\.x\[0\]\.self is a cycle/],
  ["function g() {\n  return Symbol();\n}\ng()", "4:1", /result is a symbol/],
  ["return tools.github;", "1:1", /part of the tool tree/],
]);

cases("loops without an end", [
  ["let i = 0;\nwhile (i >= 0) {\n  new Date(i);\n}", "2:1", /computed for more than/],
  ["const f = (x) => Math.abs(x);\nfor (;;) {\n  [1, 2].map((x) => f(x));\n}", "2:1", /computed for more than/],
  ["let n = 1;\ndo {\n  n++;\n} while (n);", "2:1", /computed for more than/],
]);

cases("other errors", [
  ["new Date(NaN).toISOString();", "1:15", /The date is invalid/],
  ["await setTimeout(100);", "1:7", /await new Promise\(\(resolve\) => setTimeout/],
  ["if (1 &lt; 2) {}", "1:7", /escaped as HTML/],
  ["const f = (x) =&gt; x;", "1:16", /escaped as HTML/],
  ["const c = 1;\nc = 2;", "2:1", /Declare it with let/],
  ["const o = { get total() { return 1; } };\nObject.create(o).total = 2;", "2:18", /Cannot set property total .* which has only a getter/],
  ["const o = Object.create(Object.freeze({ a: 1 }));\no.a = 2;", "2:3", /read only property 'a'/],
  ["const s = 'abc';\ns[0] = 'x';", "2:3", /read only property '0' of string/],
  ["Object.defineProperty(Object.freeze({}), 'a', {});", "1:8", /Cannot define property a, object is not extensible/],
  ["const x = 1;\nreturn 1n + x;", "2:1", /Number\(value\)/],
  ["return [].reduce((a, b) => a + b);", "1:11", /start as the second argument/],
]);

test("a stack is in V8's form, with frames of the program only", async () => {
  const code = `class Shop { sell() { throw new Error("sold out"); } }
function go() { [1].map(() => new Shop().sell()); }
try { go(); } catch (e) { return e.stack; }`;
  expect(await value(code)).toBe(
    [
      "Error: sold out",
      "    at sell (program:1:29)",
      "    at program:2:42",
      "    at go (program:2:21)",
      "    at program (program:3:7)",
    ].join("\n"),
  );
});

test("a native that calls back again does so from its own place", async () => {
  const code = `const f = (x) => { if (x > 1) throw new Error("a"); return Math.abs(x); };
const all = [];
const stacks = (g) => { try { g(); } catch (e) { all.push(e.stack.split("\\n").slice(2).map((line) => line.trim())); } };
stacks(() => [1, 2].map((x) => f(x)));
stacks(() => [2, 1].sort((a, b) => f(a) - f(b)));
stacks(() => new Map([[1, 1], [2, 2]]).forEach((x) => f(x)));
stacks(() => "abc".replace(/./g, (c, at) => f(at)));
stacks(() => Array.from((function* () { yield 1; yield f(2); })()));
stacks(() => JSON.parse("[1,2]", (k, v) => (typeof v === "number" ? f(v) : v)));
return all.map((frames) => frames[1]);`;
  expect(await value(code)).toEqual([4, 5, 6, 7, 8, 9].map((line) => expect.stringContaining(`program:${line}:`)));
});

test("Error.captureStackTrace, as constructors of errors call it", async () => {
  const code = `class E extends Error { constructor(m) { super(m); this.name = "E"; Error.captureStackTrace(this, E); } }
const o = {}; Error.captureStackTrace(o);
return [new E("bad").stack.split("\\n")[0], o.stack, Object.keys(o)];`;
  expect(await value(code)).toEqual(["E: bad", "Error\n    at program (program:2:21)", []]);
});

test("what is caught costs no hint, and a hint runs nothing of the program", async () => {
  expect(
    await value("const log = []; const o = { get a() { log.push('a'); return undefined; } }; try { o.a.b; } catch {} return log;"),
  ).toEqual(["a"]);
  expect((await failure("let n = 0; const o = { get a() { if (n++ > 0) throw 1; return undefined; } };\nreturn o.a.b;")).message).toMatch(
    /reading 'b'/,
  );
  expect(
    (await failure("const p = new Proxy({}, { get(t, k) { return undefined; }, ownKeys() { throw 1; } });\nreturn p.a.b;")).message,
  ).toMatch(/reading 'b'/);
});
