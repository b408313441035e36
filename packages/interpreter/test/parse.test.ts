import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { programOf } from "../../../test/support/corpus.js";
import { sharedPath } from "../../../test/support/shared.js";
import { type Diagnostic, ProgramError } from "../dist/src/api.js";
import { frameOf, type ParsedProgram, parseProgram, parseScript, PROGRAM_ARGUMENT } from "../dist/src/parse/index.js";

const LIMITS = { sourceBytes: 262_144, astDepth: 500 };
const parse = (code: string): ParsedProgram => parseProgram(code, LIMITS);
const refusal = (run: () => unknown): Diagnostic => {
  try {
    run();
  } catch (error) {
    if (error instanceof ProgramError) return error.diagnostic;
    throw error;
  }
  throw new Error("It was accepted.");
};
const failure = (code: string): Diagnostic => refusal(() => parse(code));
/** `line:column message`. */
const said = (code: string): string => {
  const { location, message } = failure(code);
  return `${location?.line}:${location?.column} ${message}`;
};
/** The tree without positions and spelling, so that two ways to write a program can be compared. */
const tree = (code: string): unknown =>
  JSON.parse(
    JSON.stringify(parse(code).body, (key, value: unknown) =>
      ["start", "end", "loc", "raw"].includes(key) ? undefined : typeof value === "bigint" ? String(value) : value,
    ),
  );
const same = (code: string, plain: string): void => expect(tree(code), code).toEqual(tree(plain));

describe("forms", () => {
  it("takes a body with await and return", () => {
    const { form, hasTopLevelAwait, body } = parse("const x = await f();\nif (x) return 1;\nfor await (const y of x) {}");
    expect([form, hasTopLevelAwait, body.length]).toEqual(["body", true, 3]);
    expect(parse("const f = async () => await 1; return f()").hasTopLevelAwait).toBe(false);
    expect(parse("class A { [await k] = 1 }").hasTopLevelAwait).toBe(true);
    expect(parse("await using a = b").hasTopLevelAwait).toBe(true);
  });
  it("returns the last expression, also before functions", () => {
    same("const a = 1; a + 1", "const a = 1; return a + 1");
    same("a + 1;;\nfunction f() {}", "return a + 1;;\nfunction f() {}");
    same("main();\nasync function main() {}\ntype A = 1", "return main();\nasync function main() {}");
    expect(parse("(async () => { return 1 })()").form).toBe("iife");
    expect(parse("await (async () => 1)()").form).toBe("iife");
    expect(parse("if (a) b()").form).toBe("body");
  });
  it("calls a program that is one function", () => {
    const argument = { type: "Identifier", name: PROGRAM_ARGUMENT };
    for (const code of [
      "async ({ tools }) => 1",
      "(function () { return 1 });",
      "async function main(input: X) { return 1 }",
      "export default async () => 1",
      "export default function () {}",
      "export async function run() {}",
    ]) {
      expect(tree(code), code).toContainEqual(
        expect.objectContaining({
          type: "ReturnStatement",
          argument: expect.objectContaining({ type: "CallExpression", arguments: [argument] }),
        }),
      );
    }
    expect(parse("() => 1").form).toBe("function");
    expect(parse("const a = 1; () => a").form).toBe("expression");
  });
  it("takes export default, of functions, names and values", () => {
    const last = (code: string): unknown => (tree(code) as unknown[]).at(-1);
    expect(last("const a = 1; export default { a }")).toMatchObject({ type: "ReturnStatement", argument: { type: "Identifier" } });
    expect(last("const main = () => 1; export default main")).toMatchObject({ argument: { type: "ConditionalExpression" } });
    expect(last("const main = () => 1; export { main as default }")).toMatchObject({ argument: { type: "ConditionalExpression" } });
    expect(last("export default class A {}")).toMatchObject({ argument: { type: "Identifier", name: "A" } });
    same("export const h = 1; export default () => h", "const h = 1; export default () => h");
    expect(parse("export default 1;\nconst later = 2;").body).toHaveLength(3);
    expect(failure("export const a = 1").hints[0]).toContain("export default");
    expect(said("if (a) { export default 1 }")).toBe('1:10 "export" may stand only at the top level.');
  });
});

describe("fences", () => {
  const fence = "```";
  it("takes the one fenced program, at its place in the text", () => {
    const code = `Here's the code:\n\n${fence}js\nconst a = 1;\nreturn a;\n${fence}\nIt returns 1.`;
    const { body, locate } = parse(code);
    expect(locate(body[1].start)).toEqual({ line: 5, column: 1 });
    same(code, "const a = 1;\nreturn a;");
    same(`~~~ts\nreturn 1 as number\n~~~`, "return 1");
    same(`${fence}\nreturn 1\n${fence}`, "return 1");
    same(`Sure:\n${fence}javascript\nreturn 1`, "return 1");
    same(`${fence}json\n{}\n${fence}\n${fence}js\nreturn 1\n${fence}`, "return 1");
    same(`return 1\n${fence}`, "return 1");
    expect(said(`Sure:\n${fence}js\nconst a = ;\n${fence}`)).toBe('3:11 Unexpected ";" after "=".');
  });
  it("leaves fences in comments and templates alone", () => {
    same(`/*\n${fence}js\nreturn 2\n${fence}\n*/\nreturn 1`, "return 1");
    same("return `\n\\`\\`\\`js\n\\`\\`\\``", "return `\n\\`\\`\\`js\n\\`\\`\\``");
  });
  it("refuses what could mean several programs, or none", () => {
    expect(said(`${fence}js\n1\n${fence}\n${fence}js\n2\n${fence}`)).toBe("4:1 There are 2 fenced blocks with code.");
    expect(said(`${fence}python\nprint(1)\n${fence}`)).toBe("1:1 The fenced block is python, not JavaScript.");
    expect(said(`const a = 1;\n${fence}\nreturn a;`)).toBe("2:1 There is code inside and outside the fenced block.");
  });
});

describe("types", () => {
  it.each([
    ["const x: number = 1; return x as any", "const x = 1; return x"],
    ["return a?.b!.c", "return a?.b.c"],
    ["return (a?.b)!.c", "return (a?.b).c"],
    ["return a.b?.<string>(1)", "return a.b?.(1)"],
    ["return f<string>(x)", "return f(x)"],
    ["return new Map<string, Map<a, b>>()", "return new Map()"],
    ["return <any>y", "return y"],
    ["return { a: 1 } satisfies T as const", "return { a: 1 }"],
    ["return async <T,>(a?: T, ...b: T[]): Promise<T> => a", "return async (a, ...b) => a"],
    ["(a as any) = 1; b!++; [c as any] = d; return 1", "a = 1; b++; [c] = d; return 1"],
    [
      "interface A { x: number }\ntype B = A;\ndeclare const t: any;\ndeclare module 'x' {}\nimport type { C } from 'c';\nreturn 1",
      "return 1",
    ],
    ["function f(this: A, a: string): void;\nfunction f(a: any) {}\nreturn f", "function f(a) {}\nreturn f"],
    [
      "abstract class A<T> extends B<T> implements C { private x?: T; declare y: T; [k: string]: T; abstract m(): void; n(): T; n() { return 1 } }\nreturn A",
      "class A extends B { x; n() { return 1 } }\nreturn A",
    ],
    ["try {} catch (e: unknown) {}\nfor (const x of y as any[]) {}\nreturn 1", "try {} catch (e) {}\nfor (const x of y) {}\nreturn 1"],
    ["const x: T = a ? (b) : c => d; return x", "const x = a ? (b) : c => d; return x"],
    ["const x: boolean = a < b && c > d; return x", "const x = a < b && c > d; return x"],
    ["if (a) type X = 1\nreturn 1", "if (a) ;\nreturn 1"],
    ["using x: any = f(); await using y = g() as any; return 1", "using x = f(); await using y = g(); return 1"],
  ])("%s", same);
  it("keeps enums and parameter properties", () => {
    expect(tree("const enum E { A, 'b' = 2 }\nreturn E.A")).toMatchObject([
      { type: "TSEnumDeclaration", members: [{ id: { name: "A" } }, { id: { value: "b" }, initializer: { value: 2 } }] },
      {},
    ]);
    expect(tree("class P { constructor(private x, readonly y = 2) {} }\nreturn P")).toMatchObject([
      {
        body: {
          body: [
            {
              value: { params: [{ type: "TSParameterProperty", parameter: { name: "x" } }, { parameter: { type: "AssignmentPattern" } }] },
            },
          ],
        },
      },
      {},
    ]);
  });
  it.each([
    ["class A { foo() }", '1:11 The method "foo" has no body.'],
    ["function f(a: string): void;\nreturn 1", '1:1 The function "f" has no body.'],
    ["f(name: 'x')", '1:7 Unexpected ":".'],
    ["f(a?)", '1:4 Unexpected "?".'],
    ["let this = 1", '1:5 "this" is not a name.'],
    ["delete (x as any)", "1:1 A variable cannot be deleted."],
    ["class A { m(private x: T) {} }", "1:13 Only a constructor's parameters can have public, private, protected or readonly."],
  ])("refuses %s", (code, expected) => expect(said(code)).toBe(expected));
});

describe("refusals", () => {
  it.each([
    ["import fs from 'fs'", '"import" is not available: no module "fs" can be loaded.'],
    ["const x = await import('y')", 'import() is not available: no module "y" can be loaded.'],
    ["const x = require('y')", 'require is not available: no module "y" can be loaded.'],
    ["return import.meta.url", "import.meta is not available: a program is not a module."],
    ["return eval('1')", "eval is not available: code cannot be made from text."],
    ["return new Function('return 1')()", "new Function() is not available: code cannot be made from text."],
    ["with (a) { b }", '"with" is not supported.'],
    ["return <div>hi</div>", "JSX is not supported."],
    ["@a class B {}", "Decorators are not supported."],
    ["namespace A { export const b = 1 }", "Namespaces are not supported."],
    ["import x = require('y')", "import … = is not available: no module can be loaded."],
    ["export = 1", "export = is not supported."],
    ["<!-- hi\nreturn 1", "HTML comments are not supported."],
    ["let z: T;\n<!-- hi", "HTML comments are not supported."],
  ])("%s", (code, message) => expect(failure(code)).toMatchObject({ kind: "unsupported", message, hints: [expect.any(String)] }));
  it("leaves names of the program's own alone", () => {
    for (const code of [
      "const require = (x) => x; return require('a')",
      "function f(Function) { return Function('a') }",
      "return { eval: 1 }.eval",
      "let x = 3; while (x --> 0) {}",
    ])
      expect(() => parse(code), code).not.toThrow();
  });
});

describe("what is no program", () => {
  it.each([
    ["npm install lodash", "This is a shell command, not a program."],
    ["ls -la", "This is a shell command, not a program."],
    ["cd x && y", "This is a shell command, not a program."],
    ["$ curl http://x", "This is a shell command, not a program."],
    ['{"name": "x", "input": {}}', "This is JSON, not a program."],
    ["Please list the open issues of the api repository.", "This is prose, not a program."],
    ["Here is the code you asked for:\nconst x = 1;", "This line is prose, not code."],
    ["<html><body></body></html>", "This is markup, not a program."],
    ["def f(x):\n    return x", "This looks like Python; programs are JavaScript."],
    ['titles = [i["title"] for i in r["issues"]]', "This looks like Python; programs are JavaScript."],
    ["  // nothing", "The program is empty."],
  ])("%s", (code, message) => expect(failure(code)).toMatchObject({ kind: "syntax", message }));
  it("takes code for code", () => {
    for (const code of ["const ls = 1, la = 2; ls - la", "git.status", "echo(1)", "[1, 2]", "cat = 1"])
      expect(() => parse(code), code).not.toThrow();
  });
});

describe("messages", () => {
  it.each([
    ["async function f() {\n  if (x) {\n    y();\n}\nreturn f();\n", '2:10 Missing "}": the "{" on line 2 is never closed.'],
    ["const t = d.reduce((s, x) => s + x.a, 0;\nreturn t", '1:40 Missing ")": the "(" on line 1 is not closed before ";".'],
    ["for (let i = 0; i < 3; i++ { x() }", '1:28 Missing ")": the "(" on line 1 is not closed before "{".'],
    ["f([1, 2);", '1:8 Unexpected ")": the "[" on line 1 is still open.'],
    ["if (x) { y() }}\nreturn 1", '1:15 Unexpected "}": no bracket is open here.'],
    ["return {\n  a: 1\n  b: 2\n};", '3:3 Unexpected "b" after "1".'],
    ["cosnt x = 1;", '1:1 Unexpected "x" after "cosnt".'],
    ["const x;\nreturn 1", '1:8 "const x" needs a value.'],
    ['const s = "abc\ndef";', "1:11 The string that starts here is not closed on its line."],
    ["const a = 1;\nconst s = `abc\n${a}\nreturn s;", "2:11 The template that starts on line 2 is not closed."],
    ["return “hello”;", "1:8 “ is a typographic quote."],
    ["const a = 1;\\nreturn a;", "1:13 A backslash stands outside a string."],
    ["const a = 1;\nconst a = 3;", '2:7 "a" is already declared (line 1).'],
    [
      "function load() {\n  const x = await fetch();\n}\nreturn load()",
      '2:13 "await" is only allowed in async functions: mark "load" (line 1) as async.',
    ],
    ["function f() { return await (g()) }", '1:23 "await" is only allowed in async functions: mark "f" (line 1) as async.'],
    ["class A { x = await f() }", '1:15 "await" is not allowed here.'],
    ["const await = 1", '1:7 "await" is a reserved word: it cannot be a name.'],
    ["const x: number = ;\nreturn x", '1:19 Unexpected ";" after "=".'],
    ["return /(/.test('a')", "1:8 Invalid regular expression: Unterminated group"],
  ])("%s", (code, expected) => expect(said(code)).toBe(expected));
  it("says what to do about await in callbacks", () => {
    expect(failure("ids.map(id => await get(id))").hints[0]).toContain("Promise.all");
    expect(failure("ids.forEach(function (id) { await get(id) })").hints[0]).toContain("for…of");
  });
});

describe("places", () => {
  it("counts lines and columns in the text as sent", () => {
    const { body, locate } = parse("\uFEFFa();\r\nb();\rc();\u2028\td();");
    expect(body.map((statement) => locate(statement.start))).toEqual([
      { line: 1, column: 1 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 4, column: 2 },
    ]);
    expect(frameOf("a\r\n\tb(;", { line: 2, column: 4 })).toBe("\tb(;\n\t  ^");
    expect(frameOf("\uFEFFa b", { line: 1, column: 3 })).toBe("a b\n  ^");
    const frame = frameOf(`x = "${"y".repeat(500)}" z`, { line: 1, column: 508 }).split("\n");
    expect(frame[0].length).toBeLessThan(125);
    expect(frame[0][frame[1].length - 1]).toBe("z");
  });
});

describe("limits", () => {
  const limit = (code: string): string | undefined => failure(code).limit;
  it("bounds bytes and depth, alike in both parsers", () => {
    expect(refusal(() => parseProgram("'ää'", { ...LIMITS, sourceBytes: 5 }))).toMatchObject({ kind: "limit", limit: "sourceBytes" });
    expect(() => parseProgram("'ää'", { ...LIMITS, sourceBytes: 6 })).not.toThrow();
    expect(refusal(() => parseProgram("return [[[1]]]", { ...LIMITS, astDepth: 3 }))).toMatchObject({ kind: "limit", limit: "astDepth" });
    const nested: Record<string, (n: number) => string> = {
      parentheses: (n) => `return ${"(".repeat(n)}1${")".repeat(n)}`,
      arrays: (n) => `return ${"[".repeat(n)}${"]".repeat(n)}`,
      objects: (n) => `return ${"{a:".repeat(n)}1${"}".repeat(n)}`,
      unary: (n) => `return ${"!".repeat(n)}1`,
      arrows: (n) => `return ${"a=>".repeat(n)}1`,
      ternaries: (n) => `return ${"a?b:".repeat(n)}c`,
      assignments: (n) => `${"a=".repeat(n)}1`,
      powers: (n) => `return ${"a**".repeat(n)}1`,
      news: (n) => `return ${"new ".repeat(n)}X`,
      blocks: (n) => `${"{".repeat(n)}${"}".repeat(n)}`,
      functions: (n) => `${"function f(){".repeat(n)}${"}".repeat(n)}`,
      classes: (n) => `return ${"class extends ".repeat(n)}A${"{}".repeat(n)}`,
      templates: (n) => `return ${"`${".repeat(n)}1${"}`".repeat(n)}`,
      patterns: (n) => `let ${"[".repeat(n)}a${"]".repeat(n)} = b`,
      types: (n) => `let a: ${"A<".repeat(n)}B${">".repeat(n)}`,
      members: (n) => `return a${".b".repeat(n)}`,
    };
    for (const [name, make] of Object.entries(nested)) {
      for (const prefix of ["", "let typed: T;\n"]) {
        expect(() => parse(prefix + make(100)), name).not.toThrow();
        expect(limit(prefix + make(10_000)), name).toBe("astDepth");
      }
    }
  });
  it("counts no depth for flat chains", () => {
    for (const prefix of ["", "let typed: T;\n"]) {
      expect(() => parse(`${prefix}return a${" + b".repeat(5_000)}`)).not.toThrow();
      expect(() => parse(`${prefix}return a${" && b || c".repeat(2_500)}`)).not.toThrow();
      expect(() => parse(`${prefix}return (a${", b".repeat(5_000)})`)).not.toThrow();
      expect(() => parse(`${prefix}return a${".b()".repeat(200)}`)).not.toThrow();
      expect(() => parse(`${prefix}${"if (a) {} else ".repeat(2_000)}{}`)).not.toThrow();
    }
  });
  it("ends on texts that can be read in many ways", () => {
    expect(failure(`return ${"<A>(".repeat(60)}1${")".repeat(60)}`).message).toContain("ambiguous");
    expect(() => parse(`let z: T;${"a<b;".repeat(5_000)}`)).not.toThrow();
  });
});

describe("scripts", () => {
  const refused = (code: string): string => refusal(() => parseScript(code)).kind;
  it("are strict, without a program's forms", () => {
    for (const code of [
      "return 1",
      "await 1",
      "using a = b",
      "with (a) b",
      "var public",
      "010",
      "export default 1",
      "let a; let a",
      "a: { let a: number }",
      "/(/",
      "/[/v",
      "({a = 1})",
    ])
      expect(refused(code), code).toBe("syntax");
    for (const code of [
      "var await",
      "function f() {} function f() {}",
      "/(?<a>x)|(?<a>y)/v",
      "/(?i:a)/",
      "{ using a = b }",
      "async () => { await using a = b }",
    ])
      expect(() => parseScript(code), code).not.toThrow();
    expect(parseScript("a").body[0].type).toBe("ExpressionStatement");
  });
  it("asks the given check about patterns, and the host's RegExp never", () => {
    const asked: string[][] = [];
    const checkPattern = (source: string, flags: string): string | undefined => void asked.push([source, flags]);
    const { body } = parseScript("x = /(a+)+$/gi", { checkPattern });
    expect(asked).toEqual([["(a+)+$", "gi"]]);
    expect(JSON.parse(JSON.stringify(body))).toMatchObject([
      { expression: { right: { regex: { pattern: "(a+)+$", flags: "gi" }, value: null } } },
    ]);
    expect(refusal(() => parseProgram("return /a/", { ...LIMITS, checkPattern: () => "no" })).message).toBe(
      "Invalid regular expression: no",
    );
  });
});

const corpus = sharedPath("corpus");
describe.skipIf(corpus === undefined)("the shared corpus", () => {
  const code = (folder: string, name: string): string => programOf(readFileSync(join(corpus!, folder, name), "utf8"));
  it("parses every program", () => {
    for (const name of readdirSync(join(corpus!, "programs"))) expect(() => parse(code("programs", name)), name).not.toThrow();
  });
  it.each([
    ["029-uses-require.js", 1],
    ["031-dynamic-import.js", 2],
    ["033-missing-bracket.js", 2],
    ["035-python-code.js", 2],
  ])("reports %s on its line", (name, line) => expect(failure(code("mistakes", name)).location?.line).toBe(line));
});
