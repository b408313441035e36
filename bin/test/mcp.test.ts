// `airlock mcp` for other people's clients: the SDK's, and the inspector's command line.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished, test } from "vitest";
import { config, folder, isAlive, MAIN, soon } from "./cli.js";

const PROGRAM =
  'const { items } = await tools.issues.list_issues({ repo: "acme/shop", labels: ["security"], per_page: 2 }); return items.map(({ number }) => number)';

test("the SDK's client lists, searches and runs; the same list by the inspector's command line", async () => {
  const { write, env, path } = folder();
  const args = [MAIN, "mcp", "--config", write("c.json", config(["issues", "odd"]))];
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StdioClientTransport({ command: process.execPath, args, env, cwd: path, stderr: "pipe" });
  await client.connect(transport);
  const { pid } = transport;
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["execute", "search"]);
  expect(tools[0].description).toContain("tools.issues.list_issues(");
  expect(await client.callTool({ name: "execute", arguments: { code: PROGRAM } })).toMatchObject({
    content: [{ type: "text", text: "[46,45]" }],
    structuredContent: { status: "completed", value: [46, 45] },
  });
  expect(await client.callTool({ name: "execute", arguments: { code: "await tools.issues.nope()" } })).toMatchObject({ isError: true });
  expect(JSON.stringify(await client.callTool({ name: "search", arguments: { query: "merge pull request" } }))).toContain(
    "merge_pull_request",
  );
  await client.close();
  expect(await soon(() => pid === null || !isAlive(pid))).toBe(true);

  const session = write("session.json", { mcpServers: { airlock: { command: process.execPath, args } } });
  const inspector = fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/clients/launcher/build/index.js"));
  const inspect = async (...rest: string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [inspector, "--cli", "--config", session, "--server", "airlock", ...rest],
      { cwd: path, env: { ...env, MCP_INSPECTOR_SECRET_STORE: "memory" } },
    );
    return JSON.parse(stdout);
  };
  expect(await inspect("--method", "tools/list")).toMatchObject({ tools });
  expect(await inspect("--method", "tools/call", "--tool-name", "execute", "--tool-arg", `code=${PROGRAM}`)).toMatchObject({
    structuredContent: { status: "completed", value: [46, 45] },
  });
});

test("over HTTP; Ctrl-C ends it and its servers", async () => {
  const { write, start } = folder();
  const { child, ended, told } = start("mcp", "--http", "0", "--config", write("c.json", config(["odd"])));
  let stderr = "";
  child.stderr.on("data", (text: string) => (stderr += text));
  await told("Serving MCP at ");
  const client = new Client({ name: "test", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(/http:\S+/.exec(stderr)?.[0] ?? "")));
  const result = await client.callTool({ name: "execute", arguments: { code: "return (await tools.odd.family()).pid" } });
  const { value: pid } = result.structuredContent as { value: number };
  expect(isAlive(pid)).toBe(true);
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
  expect(await soon(() => !isAlive(pid))).toBe(true);
});

test("a client that cannot be asked: what would be asked is denied; an untrusted folder brings nothing", async () => {
  const { write, env, path } = folder();
  write(".mcp.json", config(["chat"]));
  const asks = write("c.json", config(["issues"], { permission: {} }));
  for (const [args, expected] of [
    [["mcp", "--config", asks], "nobody to ask"],
    [["mcp"], "There is no server"],
  ] as const) {
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, ...args], env, cwd: path, stderr: "ignore" }));
    const code = expected.includes("ask") ? "await tools.issues.list_repositories()" : "await tools.chat.list_users()";
    expect(JSON.stringify(await client.callTool({ name: "execute", arguments: { code } }))).toContain(expected);
    await client.close();
  }
});
