import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCatalog, escapeText, estimateTokens, formatPath, nearestNames, parsePath, quoteText } from "../dist/src/index.js";
import { tool } from "./helpers.js";

const ODD = [
  "constructor",
  "__proto__",
  "then",
  "toString",
  "hasOwnProperty",
  "name",
  "length",
  "a*/b",
  'a"b',
  "a'b",
  "a`${1}b",
  "a\nb",
  "a\u2028b",
  "a.b",
  "a-b",
  "0a",
  "",
  " ",
  "class",
  "new",
  "await",
  "\u202eabc",
  "a\\u0062",
  "same-name",
  "same_name",
  "x.y",
  "x_y",
  "Case",
  "case",
  "\u00e9",
  "e\u0301",
  "```",
  "\ud800",
  "\u{e0041}",
  "*\\/",
  "]",
  '"]["',
  "道具",
];

describe("paths", () => {
  test("a path is the expression that a program writes", () => {
    expect(formatPath("github", "create_issue")).toBe("tools.github.create_issue");
    expect(formatPath("context7", "resolve-library-id")).toBe('tools.context7["resolve-library-id"]');
    expect(formatPath("my server", "class")).toBe('tools["my server"].class');
    expect(formatPath("a", "\u202eb")).toBe('tools.a["\\u202eb"]');
  });

  test("writing and reading give the same names back, and the expression evaluates to them", () => {
    const name = fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constantFrom(...ODD));
    fc.assert(
      fc.property(name, name, (server, key) => {
        const path = formatPath(server, key);
        expect(parsePath(path)).toEqual({ server, name: key });
        const keys: unknown = new Function("tools", `"use strict"; return ${path}`)(
          new Proxy({}, { get: (_, a) => new Proxy({}, { get: (__, b) => [a, b] }) }),
        );
        expect(keys).toEqual([server, key]);
        expect(path).not.toMatch(/\*\/|```|[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
      { numRuns: 500 },
    );
  });

  test("other ways to write a path", () => {
    const wanted = { server: "a", name: "x-y" };
    for (const path of ['a["x-y"]', "tools['a']['x-y']", 'tools?.a?.["x-y"]', "tools.a[`x-y`]", " tools.a[ 'x-y' ] "])
      expect(parsePath(path), path).toEqual(wanted);
    expect(parsePath("github.list", ["github"])).toEqual({ server: "github", name: "list" });
    for (const path of ["", "tools", "a(b)", "a b", "tools.a[x]", 'tools.a["\\u{110000}"]']) expect(parsePath(path), path).toBeUndefined();
  });

  test("a plain path is split after the longest known server", () => {
    expect(parsePath("a.b.c", ["a", "a.b"])).toEqual({ server: "a.b", name: "c" });
    expect(parsePath("a.b.c", ["a"])).toEqual({ server: "a", name: "b.c" });
    expect(parsePath("my server.do it!", ["my server"])).toEqual({ server: "my server", name: "do it!" });
  });

  test("every odd name is reached exactly", () => {
    const catalog = createCatalog(ODD.flatMap((name) => [tool(`odd.${name}`), { ...tool("x.t"), server: name }]));
    for (const name of ODD) {
      for (const path of [formatPath("odd", name), `odd.${name}`])
        expect(catalog.resolve(path), path).toMatchObject({ tool: { server: "odd", name } });
      expect(catalog.resolve(formatPath(name, "t")), name).toMatchObject({ tool: { server: name } });
      expect(catalog.get("odd", name)?.tool.name).toBe(name);
    }
  });
});

const aliases = (...paths: string[]): Record<string, string> => ({ ...createCatalog(paths.map((path) => tool(path))).aliases });

describe("aliases", () => {
  test("only names that no identifier has get aliases", () => {
    expect(aliases("c7.resolve-library-id", "c7.create_issue", "c7.é")).toEqual({
      "c7.resolve_library_id": "c7.resolve-library-id",
      "c7.resolveLibraryId": "c7.resolve-library-id",
    });
    expect(aliases("s.2fa code")).toEqual({ "s._2fa_code": "s.2fa code", "s._2faCode": "s.2fa code" });
  });

  test("an exact name wins, and an ambiguous alias is none", () => {
    expect(aliases("s.same-name", "s.same_name")).toEqual({ "s.sameName": "s.same-name" });
    expect(aliases("s.a-b", "s.a.b")).toEqual({});
  });

  test("servers have aliases too", () => {
    const catalog = createCatalog([tool("my-server.do-it"), tool("my-server.go")]);
    expect({ ...catalog.aliases }).toEqual({
      "my-server.do_it": "my-server.do-it",
      "my-server.doIt": "my-server.do-it",
      "my_server.do_it": "my-server.do-it",
      "my_server.doIt": "my-server.do-it",
      "myServer.do_it": "my-server.do-it",
      "myServer.doIt": "my-server.do-it",
      "my_server.do-it": "my-server.do-it",
      "myServer.do-it": "my-server.do-it",
      "my_server.go": "my-server.go",
      "myServer.go": "my-server.go",
    });
    for (const path of ["tools.my_server.go", "myServer.doIt", 'tools["my-server"].do_it'])
      expect(catalog.resolve(path), path).toHaveProperty("tool");
  });

  test("create_issue is not also createIssue", () => {
    expect(createCatalog([tool("github.create_issue")]).resolve("github.createIssue")).toEqual({ nearest: ["tools.github.create_issue"] });
  });
});

describe("nearest names", () => {
  test("another writing, few letters, the same words", () => {
    expect(nearestNames("listIssues", ["list_issues", "get_issue", "list_users"], 1)).toEqual(["list_issues"]);
    expect(nearestNames("channel_id", ["channel", "limit"], 3)).toEqual(["channel"]);
    expect(nearestNames("mergedAt", ["merged_at", "created_at"], 1)).toEqual(["merged_at"]);
    expect(nearestNames("consle", ["console", "Console2"], 1)).toEqual(["console"]);
    expect(nearestNames("xyz", ["console", "limit"], 3)).toEqual([]);
  });

  test("of tools: also on other servers, and in other hosts' writing", () => {
    const catalog = createCatalog(["github.list_issues", "calendar.list_events", "slack.list_users"].map((path) => tool(path)));
    expect(catalog.resolve("slack.list_events")).toEqual({ nearest: ["tools.calendar.list_events"] });
    expect(catalog.resolve("mcp__github__list_issues")).toEqual({ nearest: ["tools.github.list_issues"] });
    expect(catalog.resolve("githb.list_issues")).toEqual({ nearest: ["tools.github.list_issues"] });
    expect(() => catalog.signature("github.list_isues")).toThrow(
      "There is no tool github.list_isues; did you mean tools.github.list_issues?",
    );
  });

  test("long names and many candidates take no time", () => {
    const candidates = Array.from({ length: 10_000 }, (_, i) => `${"name".repeat(20)}${i}`);
    const before = process.cpuUsage();
    nearestNames("name".repeat(20), candidates, 3);
    nearestNames("n".repeat(1_000_000), candidates, 3);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });
});

describe("text", () => {
  test("what can't be seen is shown as escapes; comments and fences can't be ended", () => {
    expect(escapeText("a\n*/\u202e\u0000```")).toBe("a\\n*\\/\\u202e\\u0000\\`\\`\\`");
    expect(escapeText("\u{e0041}\ud800")).toBe("\\u{e0041}\\ud800");
    expect(escapeText("Übung 道具 ok")).toBe("Übung 道具 ok");
  });

  test("a quoted text evaluates to the text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => new Function(`return ${quoteText(text)}`)() === text));
  });

  test("tokens: ASCII / 4, other characters × 0.75", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("abcde")).toBe(2);
    expect(estimateTokens("道具道具")).toBe(3);
    expect(estimateTokens("😀")).toBe(1);
  });
});
