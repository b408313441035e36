import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import type { Json } from "@airlock/interpreter";
import { pathArguments } from "../dist/src/permission/paths.js";
import type { PermissionMap } from "../dist/src/index.js";
import { person, runtimeOf, tool } from "./support/kit.js";

const text = { type: "string" };
const foreign = (properties: object, more = {}) =>
  tool("disk.write_file", undefined, { foreign: true, inputSchema: { type: "object", properties }, ...more });
const found = (properties: object, input: Json, more = {}): string[] =>
  pathArguments(foreign(properties, more), input, "/work").map((one) => one.path);
const state = async (permission: PermissionMap, path: string, more = {}): Promise<string> =>
  (await runtimeOf([foreign({ path: text }, more)], { permission, root: "/work" }).call("disk.write_file", { path })).state;

describe("path arguments by the schema", () => {
  it.each<[string, object, Json, string[]]>([
    ["path", { path: text }, { path: "src/a.ts" }, ["src/a.ts"]],
    ["absolute, in the root", { path: text }, { path: "/work/src/a.ts" }, ["src/a.ts"]],
    ["absolute, outside", { file_path: text }, { file_path: "/etc/passwd" }, ["/etc/passwd"]],
    ["with dots", { filePath: text }, { filePath: "src/../../etc/x" }, ["/etc/x"]],
    ["of the home folder", { outputDir: text }, { outputDir: "~/x" }, [`${homedir()}/x`]],
    ["several", { paths: { type: "array", items: text } }, { paths: ["a", "b", "a"] }, ["a", "b"]],
    ["both ends of a move", { source: text, destination: text }, { source: "a", destination: "b" }, ["a", "b"]],
    ["nested", { edits: { type: "array", items: { type: "object", properties: { file: text } } } }, { edits: [{ file: "x" }] }, ["x"]],
    [
      "by reference and branch",
      { at: { anyOf: [{ type: "null" }, { $ref: "#/properties/more" }] }, more: { type: "object", properties: { path: text } } },
      { at: { path: "y" } },
      ["y"],
    ],
    [
      "by the description",
      { target_location: { type: "string", description: "Absolute path to the file" } },
      { target_location: "z" },
      ["z"],
    ],
    ["by the format", { where: { type: "string", format: "path" } }, { where: "z" }, ["z"]],
    ["file addresses, anywhere", { url: text }, { url: "file:///etc/hosts" }, ["/etc/hosts"]],
    [
      "no path",
      { id: text, folderId: text, pattern: text, url: text, content: text },
      { id: "a", folderId: "f", pattern: "*.ts", url: "https://x.test/a", content: "b" },
      [],
    ],
    ["not named by the schema", {}, { path: "x" }, []],
  ])("%s", (_, properties, input, wanted) => expect(found(properties, input)).toEqual(wanted));

  it("hints count only of trusted servers", () => {
    const read = { annotations: { readOnlyHint: true } };
    expect(found({ path: text }, { path: "x" }, read)).toEqual(["x"]);
    expect(found({ path: text }, { path: "x" }, { ...read, trusted: true })).toEqual([]);
    expect(found({ path: text }, { path: "x" }, { foreign: false })).toEqual([]);
  });
});

describe("a foreign tool with a path is also judged as an edit of it", () => {
  it("where a rule that names edit matches", async () => {
    expect(await state({ "*": "allow", edit: "deny" }, "a.ts")).toBe("error");
    expect(await state({ "*": "allow", edit: { "secrets/*": "deny" } }, "src/../secrets/k")).toBe("error");
    expect(await state({ "*": "allow", edit: { "/work/secrets/*": "deny" } }, "secrets/k")).toBe("error");
    expect(await state({ "*": "allow", edit: { "secrets/*": "deny" } }, "src/k")).toBe("completed");
    expect(await state({ "*": "allow", apply_patch: "deny" }, "src/k")).toBe("error");
  });
  it("no match adds nothing, and a bare * does not name edit", async () => {
    expect(await state({ "disk.*": "allow" }, "a.ts")).toBe("completed");
    expect(await state({ "*": "ask", "disk.*": "allow" }, "a.ts")).toBe("completed");
  });
  it("the stricter answer wins", async () => {
    expect(await state({ "disk.*": "deny", edit: "allow" }, "a.ts")).toBe("error");
    expect(await state({ edit: "allow" }, "a.ts")).toBe("error");
  });
  it("asks about the path, and saves it only if it has no wildcard", async () => {
    const { ask, questions } = person({ reply: "once" });
    const runtime = runtimeOf([foreign({ path: text })], { permission: { "*": "allow", edit: "ask" }, ask, root: "/work" });
    await runtime.call("disk.write_file", { path: "/work/a.ts" });
    await runtime.call("disk.write_file", { path: "a*" });
    expect(questions.map((one) => one.requests)).toEqual([
      [{ permission: "edit", patterns: ["a.ts"], always: ["a.ts"], metadata: {} }],
      [{ permission: "edit", patterns: ["a*"], always: [], metadata: {} }],
    ]);
  });
});
