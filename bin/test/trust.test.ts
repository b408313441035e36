import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverCommand } from "@airlock/fixtures";
import { expect, test } from "vitest";
import { folder } from "./cli.js";

const MODULE = `type Input = { a: number };
export default { mine: { description: "Mine", tools: { twice: { description: "Twice", inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] }, execute: async ({ a }: Input) => a * 2 } } } };`;

test("servers, modules and allow rules of a project wait for trust; its deny rules do not", async () => {
  const { write, pipe } = folder();
  write("airlock.jsonc", { permission: { "mine.*": "allow" } });
  write(".mcp.json", { mcpServers: { chat: serverCommand("chat") } });
  write(".airlock/tools/mine.ts", MODULE);
  const program = "return [typeof tools.mine, typeof tools.chat, await tools.mine?.twice({ a: 4 })]";

  const untrusted = await pipe(program, "run", "-");
  expect(JSON.parse(untrusted.stdout)).toEqual(["undefined", "undefined", null]);
  expect(untrusted.stderr).toMatch(/is not trusted yet: 1 server, 1 tool module, 1 allow or ask rule of it do not take effect.*--trust/);

  const trusted = await pipe(program, "run", "-", "--trust");
  expect(JSON.parse(trusted.stdout)).toEqual(["object", "object", 8]);
  const again = await pipe(program, "run", "-");
  expect(JSON.parse(again.stdout)).toEqual(["object", "object", 8]);

  // Other content, and be it only in a module: asked again.
  write(".airlock/tools/mine.ts", `${MODULE}\n// changed`);
  const changed = await pipe(program, "run", "-");
  expect(JSON.parse(changed.stdout)[0]).toBe("undefined");
  expect(changed.stderr).toContain("has changed since you trusted it");
});

test("a project's deny holds without trust, and under --config", async () => {
  const { write, pipe, env } = folder();
  mkdirSync(env.AIRLOCK_CONFIG_DIR, { recursive: true });
  writeFileSync(
    join(env.AIRLOCK_CONFIG_DIR, "airlock.jsonc"),
    JSON.stringify({ permission: { "*": "allow" }, mcpServers: { chat: serverCommand("chat") } }),
  );
  write("airlock.jsonc", { permission: { "chat.list_users": { "{*": "deny" }, "chat.*": { "{*": "allow" } } });
  const denied = await pipe("return await tools.chat.list_users()", "run", "-", "--yes");
  expect(denied).toMatchObject({ code: 3, stderr: expect.stringContaining("(project) forbids it") });
  const other = write("other.json", { permission: { "*": "allow" }, mcpServers: { chat: serverCommand("chat") } });
  expect(await pipe("return await tools.chat.list_users()", "run", "-", "--config", other)).toMatchObject({ code: 3 });
});

test("tool modules: --tools, the person's folder; a broken one is reported, the rest stay", async () => {
  const { write, pipe, env } = folder();
  write(
    "extra.mjs",
    `export default { extra: { tools: { hello: { description: "Hello", inputSchema: { type: "object" }, execute: async () => "hello" } } } };`,
  );
  write("broken.mjs", "export default { broken: { tools: { x: {} } } };");
  write("worse.mjs", "throw new Error('at once')");
  mkdirSync(join(env.AIRLOCK_CONFIG_DIR, "tools"), { recursive: true });
  writeFileSync(join(env.AIRLOCK_CONFIG_DIR, "tools/own.ts"), MODULE);
  writeFileSync(join(env.AIRLOCK_CONFIG_DIR, "tools/script.js"), "process.exit(9)");
  const { code, stdout, stderr } = await pipe(
    "return [await tools.extra.hello(), await tools.mine.twice({ a: 2 })]",
    "run",
    "-",
    "--yes",
    "--tools",
    "extra.mjs",
    "--tools",
    "broken.mjs",
    "--tools",
    "worse.mjs",
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(["hello", 4]);
  expect(stderr).toContain("broken.x has no function execute(input, context)");
  expect(stderr).toContain("at once");
  const absent = await pipe("return 1", "run", "-", "--tools", "extra.mjs", "--tools", "none.mjs");
  expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining("--tools none.mjs: there is no such file or folder.") });
});
