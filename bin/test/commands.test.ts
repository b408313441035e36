// check, tools, agent, init, doctor, demo.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serverCommand } from "@airlock/fixtures";
import { describe, expect, test } from "vitest";
import { importServers, personalFiles } from "../dist/src/config/clients.js";
import { config, folder } from "./cli.js";

describe("check", () => {
  test("lists the calls with what the rules say", async () => {
    const { write, run } = folder();
    const file = write(
      "c.json",
      config(["chat"], { permission: { "chat.list_*": "allow", "chat.set_topic": { "{*general*": "deny", "{*": "ask" } } }),
    );
    write(
      "p.js",
      "const users = await tools.chat.list_users();\nif (users.length > 3) await tools.chat.set_topic({ channel: 'general', topic: 'x' });\nawait tools.chat.read_channel({ channel: 'general' });\n",
    );
    const { code, stdout, stderr } = await run("check", "p.js", "--config", file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/ 1 {2}tools\.chat\.list_users {2}allowed {2}"chat\.list_\*": "allow" \(user\)/);
    expect(stdout).toMatch(/ 2 {2}tools\.chat\.set_topic {2}depends on the input/);
    expect(stdout).toMatch(/ 3 {2}tools\.chat\.read_channel {2}asks {2}no rule matches/);
    const document = JSON.parse((await run("check", "p.js", "--config", file, "--json")).stdout);
    expect(document).toMatchObject({
      complete: true,
      problems: [],
      calls: [{ path: "tools.chat.list_users", location: { line: 1 }, decision: { action: "allow" } }, {}, {}],
    });
  });

  test("a tool that is not there: the nearest, exit 1; one that is denied: exit 3", async () => {
    const { write, run } = folder();
    const file = write("c.json", config(["chat"], { permission: { "chat.set_topic": "deny" } }));
    write("p.js", "await tools.chat.list_user()");
    expect(await run("check", "p.js", "--config", file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("tools.chat.list_users"),
    });
    write("d.js", "await tools.chat.set_topic({})");
    expect(await run("check", "d.js", "--config", file)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('"chat.set_topic": "deny" (user)'),
    });
  });
});

describe("tools", () => {
  test("--why, --cost, --skipped, an unknown server, a server that does not start", async () => {
    const { write, run } = folder();
    const file = write("c.json", {
      permission: { "chat.*": "allow", "chat.set_topic": "deny" },
      mcpServers: { chat: serverCommand("chat"), gone: { command: "no-such-command-here" } },
    });
    const why = await run("tools", "--why", "chat.set_topic", "--config", file);
    expect(why.stdout).toContain('denied and hidden from the catalog\n  "chat.set_topic": deny by "chat.set_topic": "deny" (user)');
    expect(await run("tools", "--why", "chat.set_topics", "--config", file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("tools.chat.set_topic"),
    });
    expect((await run("tools", "--cost", "--config", file)).stdout).toMatch(/\d+ {2}chat \(8 tools\)/);
    const skipped = await run("tools", "--skipped", "--config", file);
    expect(skipped.stdout).toMatch(/MCP server "gone" could not be started.*\ntools\.chat\.set_topic is hidden/);
    expect(await run("tools", "--server", "chatt", "--config", file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "chat"?'),
    });
  });

  test("a schema that can't be taken: the signature is unknown, with a warning, the server stays", async () => {
    const { write, run } = folder();
    write(
      "odd.mjs",
      `export default { odd: { tools: { bad: { description: "Bad", inputSchema: { $ref: "http://127.0.0.1:9/x.json" }, execute: async () => 1 }, good: { inputSchema: { type: "object" }, execute: async () => 1 } } } };`,
    );
    const { code, stdout } = await run("tools", "--tools", "odd.mjs");
    expect(code).toBe(0);
    expect(stdout).toMatch(/tools\.odd\.bad\(input: unknown\)|tools\.odd\.bad\(input\?: unknown\)/);
    expect(stdout).toContain("tools.odd.good(");
    expect((await run("tools", "--skipped", "--tools", "odd.mjs")).stdout).toContain("odd.bad");
  });

  test("no tools: what to do", async () => {
    const { run } = folder();
    expect((await run("tools")).stdout).toContain("airlock init");
  });
});

test("agent: the model's words on stdout, its calls on stderr; goes on with a session", async () => {
  const { write, run } = folder();
  const file = write("c.json", config(["chat"]));
  const steps = (words: string): object[] => [
    { events: [{ tool: "execute", code: ["return (await tools.chat.list_users()).length"] }] },
    { expect: { results: "4" }, events: [{ text: words }] },
  ];
  write("one.json", { format: "airlock-transcript/1", steps: steps("Four people.") });
  write("two.json", { format: "airlock-transcript/1", steps: [{ expect: { prompt: "again" }, events: [{ text: "Still four." }] }] });
  const first = await run("agent", "How", "many?", "--model", "scripted/one.json", "--config", file);
  expect(first).toMatchObject({ code: 0, stdout: "Four people.\n" });
  expect(first.stderr).toContain("✓ tools.chat.list_users()");
  const id = /--continue (ses_\w+)/.exec(first.stderr)?.[1] ?? "";
  const second = await run("agent", "again", "--model", "scripted/two.json", "--continue", id, "--json", "--config", file);
  expect(JSON.parse(second.stdout)).toMatchObject({ sessionId: id, reason: "stop", text: "Still four." });
  expect(await run("agent", "x", "--model", "scripted/two.json", "--continue", "ses_none")).toMatchObject({ code: 2 });
  expect(await run("agent", "x")).toMatchObject({ code: 2, stderr: expect.stringContaining("No model is named.") });
  expect(await run("agent", "x", "--model", "anthropic/claude")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("ANTHROPIC_API_KEY"),
  });
});

describe("init", () => {
  test("takes the servers of the clients that are there, keeps what stands in the file, and says what it left out", async () => {
    const { run, env } = folder();
    const place = (path: string, content: unknown): void => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    };
    for (const { client, path } of personalFiles(env.HOME)) {
      if (client === "Claude Desktop")
        place(path, {
          mcpServers: {
            chat: { command: "npx", args: ["chat"], alwaysAllow: ["x"] },
            web: { type: "http", url: "https://example.com/mcp" },
          },
        });
      if (client === "VS Code") place(path, '{ // comment\n "servers": { "chat": { "command": "other" }, "empty": {} } }');
      if (client === "Cursor") place(path, "{ broken");
    }
    const dry = await run("init", "--dry-run", "--json");
    expect(JSON.parse(dry.stdout)).toMatchObject({ written: false, added: ["chat", "web"] });
    const { code, stdout } = await run("init");
    expect(code).toBe(0);
    expect(stdout).toContain('"chat": alwaysAllow left out');
    expect(stdout).toContain('"chat" is another server than the one taken under this name');
    expect(stdout).toContain('"empty" has neither a command nor a url');
    expect(stdout).toMatch(/Cursor: .*mcp\.json, line 1/);
    const file = join(env.AIRLOCK_CONFIG_DIR, "airlock.jsonc");
    const text = readFileSync(file, "utf8");
    expect(text).toContain("// What may run");
    expect(text).toContain('"url": "https://example.com/mcp"');
    expect(await run("init")).toMatchObject({ stdout: expect.stringContaining("has all of it already") });
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("forms of other clients", () => {
    const { write } = folder();
    const path = write("mcp_config.json", {
      mcpServers: { w: { serverUrl: "https://a.example/mcp" }, g: { httpUrl: "https://b.example/mcp" }, n: null },
    });
    expect(importServers([{ client: "x", path }])).toMatchObject([
      { servers: { w: { url: "https://a.example/mcp" }, g: { url: "https://b.example/mcp" } } },
    ]);
  });
});

test("doctor: what is well and what is not, each with what to do", async () => {
  const { write, run } = folder();
  const file = write("c.json", {
    mcpServers: {
      chat: serverCommand("chat"),
      gone: { command: "no-such-command-here" },
      crash: { command: process.execPath, args: ["-e", "throw new Error('out of ink')"] },
    },
  });
  const { code, stdout } = await run("doctor", "--config", file);
  expect(stdout).toMatch(/✗ Server crash: .*Its stderr ends with:\n(.+\n)* {4}Error: out of ink\n/);
  expect(code).toBe(1);
  expect(stdout).toContain("✓ Interpreter: runs a program in a worker");
  expect(stdout).toMatch(/✓ Server chat: 9 tools over stdio \(chat 1\.0\.0\)/);
  expect(stdout).toMatch(/✗ Server gone: .*could not be started.*\n {4}Check the command/);
  const well = await run("doctor", "--json");
  expect(well.code).toBe(0);
  expect(JSON.parse(well.stdout)).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ what: "Servers", state: "ok" })]),
  });
});

test("demo: the program, its calls, the result, and the same from the agent", async () => {
  const { run } = folder();
  const { code, stdout, stderr } = await run("demo");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const text of [
    "issues   10 tools",
    "files    14 tools",
    "memory   9 tools",
    "✓ tools.memory.create_entities(",
    "✗ tools.chat.post_message(",
    '"bugs": 10',
    "the model reads: {",
    "The report is in report.md.",
  ])
    expect(stdout).toContain(text);
});

test("a run without servers starts fast", async () => {
  const { write, run } = folder();
  write("p.js", "return 1");
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const startedAt = performance.now();
    expect((await run("check", "p.js")).code).toBe(0);
    times.push(performance.now() - startedAt);
  }
  // Idle, it takes under 300 ms; a machine that tests in parallel takes longer.
  expect(Math.min(...times)).toBeLessThan(3_000);
});
