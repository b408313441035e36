import { readFileSync } from "node:fs";
import { DEFAULT_LIMITS } from "@airlock/interpreter";
import { expect, test } from "vitest";
import { checkConfig, schemaUrl } from "../dist/src/config/check.js";
import { parseConfigSource } from "../dist/src/config/source.js";
import { config, folder } from "./cli.js";

async function mistake(text: string): Promise<string> {
  try {
    await checkConfig(parseConfigSource("airlock.jsonc", text));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "none";
}

test.each([
  ['{\n  "permision": {}\n}', 'airlock.jsonc, line 2, column 3: there is no key "permision"; did you mean "permission"?'],
  [
    '{ "permission": { "bash": "alow" } }',
    'airlock.jsonc, line 1, column 27: "permission.bash" is "alow", but must be "allow" or "deny" or "ask" or an object; did you mean "allow"?',
  ],
  [
    '{ "permission": { "edit": { "src/*": "yes" } } }',
    'airlock.jsonc, line 1, column 38: "permission.edit.src/*" is "yes", but must be "allow" or "deny" or "ask"',
  ],
  ['{ "permission": [] }', 'airlock.jsonc, line 1, column 17: "permission" is a list, but must be an object'],
  ['{ "limits": { "toolsMs": 1 } }', 'airlock.jsonc, line 1, column 15: there is no key "toolsMs" in "limits"; did you mean "toolMs"?'],
  [
    '{ "limits": { "toolMs": "1 s" } }',
    'airlock.jsonc, line 1, column 25: "limits.toolMs" is "1 s", but must be a number of 0 or more or false',
  ],
  ['{ "limits": { "toolMs": -1 } }', 'airlock.jsonc, line 1, column 25: "limits.toolMs" is -1, but must be a number of 0 or more or false'],
  [
    '{ "mcpServers": { "a": { "comand": "x" } } }',
    'airlock.jsonc, line 1, column 26: there is no key "comand" in "mcpServers.a"; did you mean "command"?',
  ],
  [
    '{ "mcpServers": { "a": { "command": "x", "args": [1] } } }',
    'airlock.jsonc, line 1, column 51: "mcpServers.a.args.0" is 1, but must be a text',
  ],
  ['{ "code_mode": "no" }', 'airlock.jsonc, line 1, column 16: "code_mode" is "no", but must be true or false'],
  [
    '{ "text": "jsn" }',
    'airlock.jsonc, line 1, column 11: "text" is "jsn", but must be "auto" or "string" or "json"; did you mean "json"?',
  ],
  ['{\n  // a comment\n  "model": "a/b"\n  "tools": 1\n}', "airlock.jsonc, line 4, column 3: a comma is expected"],
  ["{ \"model\": 'a' }", "airlock.jsonc, line 1, column 12: this word has no meaning in JSON"],
  ['{ "model": "a"', "airlock.jsonc, line 1, column 15: a closing } is expected (the file ends here)."],
  ["", "airlock.jsonc, line 1, column 1: a value is expected"],
  ["[]", "airlock.jsonc, line 1, column 1: a configuration is an object { … }; this is a list."],
  ['{ "__proto__": { "tools": "./evil.mjs" } }', 'airlock.jsonc, line 1, column 3: there is no key "__proto__"'],
  ['{ "permission": { "a": "deny", "a": "allow" } }', 'airlock.jsonc, line 1, column 32: the key "a" is there twice.'],
])("%s", async (text, message) => {
  expect(await mistake(text)).toContain(message);
});

test("a server may be called __proto__", () => {
  const { value } = parseConfigSource("airlock.jsonc", '{ "mcpServers": { "__proto__": { "command": "x", "args": [] } } }');
  expect(Object.entries(value.mcpServers as object)).toEqual([["__proto__", { command: "x", args: [] }]]);
});

test("several mistakes are told at once", async () => {
  expect((await mistake('{ "modell": "x", "txt": 1 }')).split("\n")).toHaveLength(2);
});

test("the schema accepts what the architecture and the README show, and knows every limit", async () => {
  const example = `{ "$schema": "…", "code_mode": true, "model": "anthropic/claude", "permission": { "edit": "ask", "bash": { "git status *": "allow" } },
    "mcpServers": { "github": { "command": "npx", "args": ["-y", "x"], "env": { "TOKEN": "\${TOKEN}" } }, "docs": { "url": "https://example.com", "headers": { "a": "b" } } },
    "limits": { "wallMs": 1000, "toolMs": false }, "catalog": { "budgetTokens": 2000, "pinned": ["tools.github.list_issues"] }, "tools": "./tools", }`;
  expect(await mistake(example)).toBe("none");
  const { properties } = JSON.parse(readFileSync(schemaUrl, "utf8")) as { properties: { limits: { properties: object } } };
  expect(Object.keys(properties.limits.properties).sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
});

test("a malformed file ends every command with exit 2", async () => {
  const { write, run } = folder();
  write("airlock.jsonc", '{\n  "permision": {}\n}');
  for (const args of [["tools"], ["check", "p.js"], ["mcp"]]) {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain('airlock.jsonc, line 2, column 3: there is no key "permision"; did you mean "permission"?');
  }
  expect((await run("doctor")).code).toBe(2);
});

test("unreadable and missing files", async () => {
  const { write, run, path } = folder();
  expect(await run("tools", "--config", "none.json")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is no configuration file"),
  });
  expect(await run("tools", "--config", path)).toMatchObject({ code: 2, stderr: expect.stringContaining("can't be read") });
  expect(await run("tools", "--config", write("b.jsonc", Buffer.from([0x7b, 0xff, 0x7d])))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not UTF-8"),
  });
});

test("${VAR} that is not set is that server's failure; the others are there", async () => {
  const { write, run } = folder();
  const base = config(["chat"]) as { mcpServers: object };
  const file = write("c.json", {
    ...base,
    mcpServers: { ...base.mcpServers, keyed: { command: "x", env: { TOKEN: "${AIRLOCK_TEST_UNSET}" } } },
  });
  const { code, stdout, stderr } = await run("tools", "--config", file, "--server", "chat");
  expect(code).toBe(0);
  expect(stdout).toContain("tools.chat.list_users(");
  expect(stderr).toContain("${AIRLOCK_TEST_UNSET}, which is not set");
});
