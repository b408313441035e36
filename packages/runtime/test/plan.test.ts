// Section 2.2: what stops a run before it starts, and what never does.
import { describe, expect, it } from "vitest";
import type { Catalog } from "@airlock/catalog";
import type { Plan, PermissionMap } from "../dist/src/index.js";
import { catalogOf, runtimeOf, tool } from "./support/kit.js";

const catalog = catalogOf(
  tool("github.list_issues"),
  tool("github.create_issue"),
  tool("calendar.list_events"),
  { ...tool("docs.x"), name: "get-page" },
  { ...tool("docs.x"), server: "my-docs" },
);
const plan = (code: string, permission: PermissionMap = { "*": "allow" }, tools: Catalog = catalog): Plan =>
  runtimeOf(tools, { permission }).plan(code);
const problems = (code: string): string[] =>
  plan(code).problems.map((one) => `${one.kind} ${one.location?.line}:${one.location?.column} ${one.message}`);
const calls = (code: string): string[] =>
  plan(code).calls.map((one) => `${one.path}${one.called ? "()" : ""} ${one.location.line}:${one.location.column}`);
const decision = (permission: PermissionMap): unknown => plan("tools.github.list_issues({})", permission).calls[0].decision;

describe("the list of calls", () => {
  it.each<[string, string, string[]]>([
    ["a call", "return await tools.github.list_issues({})", ["tools.github.list_issues() 1:27"]],
    [
      "brackets",
      'tools["github"]["list_issues"]({}); tools.docs["get-page"]({}); tools.docs[`get-page`]({})',
      ["tools.github.list_issues() 1:17", 'tools.docs["get-page"]() 1:48', 'tools.docs["get-page"]() 1:76'],
    ],
    ["an alias of a name", "tools.docs.get_page({}); tools.myDocs.x({})", ['tools.docs["get-page"]() 1:12', 'tools["my-docs"].x() 1:39']],
    ["through a name", "const gh = tools.github; gh.list_issues({})", ["tools.github.list_issues() 1:29"]],
    [
      "through destructuring",
      "const { github, calendar: { list_events } } = tools; github.list_issues({}); list_events({})",
      ["tools.github.list_issues() 1:61", "tools.calendar.list_events() 1:78"],
    ],
    [
      "through names of names",
      "const t = tools; const { github: g } = t; const f = g.list_issues; f({})",
      ["tools.github.list_issues() 1:68"],
    ],
    [
      "inside functions and loops",
      "const f = async (x) => { for (const y of x) await tools.github.list_issues({ y }) }",
      ["tools.github.list_issues() 1:64"],
    ],
    [
      "used before its name in the text",
      "function f() { return gh.list_issues({}) } const gh = tools.github; f()",
      ["tools.github.list_issues() 1:26"],
    ],
    ["given as a callback", "[1].map(tools.github.list_issues)", ["tools.github.list_issues 1:22"]],
    ["call and apply", "tools.github.list_issues.call(null, {})", ["tools.github.list_issues() 1:26"]],
    [
      "guarded",
      "tools.github?.list_issues({}); tools.github.create_issue?.({})",
      ["tools.github.list_issues() 1:15", "tools.github.create_issue() 1:45"],
    ],
    [
      "TypeScript, in a fence",
      "```ts\nconst r: unknown = await tools.github.list_issues<any>({} as X)\n```",
      ["tools.github.list_issues() 2:39"],
    ],
    ["shadowed by a parameter", "function f(tools) { return tools.github.list_issues({}) }", []],
    ["shadowed by a constant", "{ const tools = other; tools.github.list_issues({}) }", []],
    ["shadowed in a catch", "try {} catch (tools) { tools.github.list_issues() }", []],
    ["another object's field", "x.tools.github.list_issues({})", []],
  ])("%s", (_, code, wanted) => expect(calls(code)).toEqual(wanted));

  it("finds them in long flat programs too", () => {
    expect(calls(`return ${"x + ".repeat(20_000)}tools.github.list_issues({})`)).toHaveLength(1);
    expect(calls("tools.github.list_issues({});\n".repeat(2_000))).toHaveLength(2_000);
    expect(
      calls(
        "{ var gh = tools.github; } try { gh.list_issues({}) } catch { switch (1) { case 1: var x = tools; } } x.github.create_issue({})",
      ),
    ).toHaveLength(2);
  });
  it("places them where the records of the run do", async () => {
    const code =
      "const { github } = tools;\nawait github.list_issues({}); await tools.calendar['list_events']({}); return await tools.github.create_issue.call(0, {})";
    const outcome = await runtimeOf(catalog).execute(code);
    expect(plan(code).calls.map((one) => one.location)).toEqual(outcome.calls.map((one) => one.location));
  });
  it("says that it is not complete where names are computed", () => {
    expect(plan("tools[server].list_issues({})").dynamic).toBe(true);
    expect(plan("for (const t of list) tools.github[t]({})").dynamic).toBe(true);
    expect(plan("const { [name]: f } = tools; f.x()").dynamic).toBe(true);
    expect(plan("tools.github.list_issues({})").dynamic).toBe(false);
  });
  it("comes with what the rules say", () => {
    expect(decision({ "*": "allow" })).toMatchObject({ action: "allow", possible: ["allow"] });
    expect(decision({})).toMatchObject({ action: "ask", rules: [] });
    expect(decision({ "*": "allow", "github.*": { "*secret*": "deny" } })).toMatchObject({
      action: "depends",
      possible: ["allow", "deny"],
    });
    expect(decision({ "github.*": { "*a*": "allow" } })).toMatchObject({ action: "depends", possible: ["allow", "ask"] });
  });
});

describe("a tool that is not there stops the run before it starts", () => {
  it.each<[string, string, string]>([
    ["misspelt", "\ntools.github.list_isues({})", 'unknown-tool 2:14 github has no tool "list_isues".'],
    [
      "on another server",
      "tools.github.list_events({})",
      'unknown-tool 1:14 github has no tool "list_events"; calendar.list_events exists.',
    ],
    ["no such server", "tools.gitlab.foo({})", 'unknown-tool 1:14 There is no server "gitlab".'],
    ["no such tool at the top", "tools.nope({})", "unknown-tool 1:7 There is no tool tools.nope."],
    ["a server is no tool", "tools.github({})", "unknown-tool 1:7 tools.github is a server, not a tool."],
    ["through a name", "const { github } = tools; github.nope({})", 'unknown-tool 1:34 github has no tool "nope".'],
    ["in a try", "try { await tools.github.nope({}) } catch {}", 'unknown-tool 1:26 github has no tool "nope".'],
  ])("%s", (_, code, wanted) => expect(problems(code)).toEqual([wanted]));

  it("with the nearest names, the line, and no dead end", async () => {
    const [problem] = plan("tools.github.list_isues({})").problems;
    expect(problem.hints[0]).toContain("tools.github.list_issues");
    expect(problem.frame).toBe("tools.github.list_isues({})\n             ^");
    for (const code of ["tools.github.zzz({})", "tools.zzz.zzz({})", "tools.zzz()", "tools.github()"])
      expect(plan(code).problems[0].hints.join()).not.toBe("");
  });
  it("nothing is called, and every such place is told", async () => {
    let ran = 0;
    const runtime = runtimeOf([tool("a.b", () => Promise.resolve(++ran))]);
    const outcome = await runtime.execute("await tools.a.b({});\nawait tools.a.c({});\nawait tools.a.d({})");
    expect(outcome).toMatchObject({ status: "failed", error: { kind: "unknown-tool", location: { line: 2, column: 15 } }, calls: [] });
    expect(outcome.status === "failed" && outcome.error.hints.join("\n")).toContain('Also in line 3: a has no tool "d".');
    expect(ran).toBe(0);
  });
  it("a hidden tool is denied, not unknown", async () => {
    const outcome = await runtimeOf(catalog, { permission: { "*": "allow", "github.create_*": "deny" } }).execute(
      "return await tools.github.create_issue({})",
    );
    expect(outcome).toMatchObject({
      status: "failed",
      error: { kind: "denied", message: 'tools.github.create_issue was denied: the rule "github.create_*": "deny" (user) forbids it.' },
    });
  });
  it("a text that is no program is told as such", () => expect(plan("const = 1").problems).toMatchObject([{ kind: "syntax" }]));
});

describe("never stopped", () => {
  it.each([
    "if (tools.linear) await tools.linear.list({})",
    "if (!tools.linear) return 0; return await tools.linear.list({})",
    "const r = tools.linear ? await tools.linear.list({}) : null",
    "tools.linear && await tools.linear.list({})",
    "await tools.linear?.list({})",
    "await tools.github.nope?.({})",
    "await tools[server]?.[name]({})",
    "await tools[server][name]({})",
    '"linear" in tools && await tools.linear.list({})',
    'if ("nope" in tools.github) await tools.github.nope({})',
    'if (Object.hasOwn(tools, "linear")) await tools.linear.list({})',
    'if (tools.hasOwnProperty("linear")) await tools.linear.list({})',
    'if (Object.keys(tools).includes("linear")) await tools.linear.list({})',
    "if (typeof tools.github.nope === 'function') await tools.github.nope({})",
    "const { linear } = tools; if (linear) await linear.list({})",
    "const { linear = null } = tools; await linear.list({})",
    "const linear = tools.linear ?? tools.github; await linear.nope({})",
    "let gh = tools.github; gh = other; gh.nope({})",
    "const tools = { a: { b: () => 1 } }; return tools.a.b()",
    "const f = (tools) => tools.a.b(); return f(x)",
    "return tools.linear",
    "return tools.github.nope",
    "return [1].map(tools.github.nope)",
    "for (const s in tools) for (const t in tools[s]) console.log(t); tools.zzz.a()",
    "use(tools); tools.zzz.a()",
    "class tools { static github = { nope() {} } } tools.github.nope()",
    "return tools.github.toString()",
  ])("%s", (code) => expect(problems(code)).toEqual([]));
});
