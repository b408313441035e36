import { existsSync, readFileSync } from "node:fs";
import { serverCommand } from "@airlock/fixtures";
import { expect, test } from "vitest";
import { connectServers, describeFailures, type ServerStatus } from "../dist/src/index.js";
import { call, connect, eventually, failure, lives, temporaryFile, text } from "./bridge.js";

const node = (program: string, more: object = {}) => ({ command: process.execPath, args: ["-e", program], ...more });

test("tools come in the order of the configuration, with what the server says of them", async () => {
  const { tools } = await connect({
    metrics: serverCommand("metrics"),
    issues: { ...serverCommand("issues"), trusted: true, description: "Our tracker" },
  });
  expect([...new Set(tools.map(({ server }) => server))]).toEqual(["metrics", "issues"]);
  const find = (name: string) => tools.find((tool) => tool.name === name);
  expect(find("list_issues")).toMatchObject({
    server: "issues",
    foreign: true,
    trusted: true,
    serverDescription: "Our tracker",
    annotations: { readOnlyHint: true },
    inputSchema: { type: "object", required: ["repo"] },
    outputSchema: { type: "object" },
  });
  expect(find("list_services")).toMatchObject({ trusted: false, serverDescription: "Monitoring" });
});

test("the server's instructions describe it, their first paragraph", async () => {
  const { tools } = await connect({ issues: serverCommand("issues") });
  expect(tools[0].serverDescription).toBe("Issues and pull requests of the acme repositories.");
});

test("servers start side by side", async () => {
  const began = performance.now();
  const { servers } = await connect(Object.fromEntries(["a", "b", "c"].map((name) => [name, serverCommand("odd", "--slow", "2500")])));
  expect(servers.map(({ state }) => state)).toEqual(["ready", "ready", "ready"]);
  expect(performance.now() - began).toBeLessThan(6_500);
});

test("servers that fail are reported and stop no other", async () => {
  const statuses: ServerStatus[] = [];
  const { tools, failures, servers } = await connect(
    {
      silent: { ...serverCommand("odd", "--silent"), startTimeoutMs: 700 },
      exits: serverCommand("odd", "--exit", "4"),
      missing: { command: "no-such-command-here" },
      folder: { ...serverCommand("chat"), cwd: "/no/such/folder" },
      babbler: node('console.log("Usage: babbler"); process.exit(1)'),
      refused: { url: "http://127.0.0.1:1/mcp" },
      chat: serverCommand("chat"),
    },
    { onStatus: (status) => statuses.push(status) },
  );
  expect(new Set(tools.map(({ server }) => server))).toEqual(new Set(["chat"]));
  const of = (server: string) => failures.find((item) => item.server === server) ?? { message: "", hint: "" };
  expect(of("silent").message).toBe('MCP server "silent" did not answer within 700 ms.');
  expect(of("silent").hint).toContain("startTimeoutMs");
  expect(of("exits").message).toContain("ended with exit code 4 before it had answered");
  expect(of("exits").message).toContain("odd: the licence key is missing");
  expect(of("exits").hint).toContain("Run it by hand");
  expect(of("missing").message).toContain('there is no command "no-such-command-here"');
  expect(of("folder").message).toContain("cwd");
  expect(of("babbler").message).toContain("Usage: babbler");
  expect(of("refused").message).toContain("(http://127.0.0.1:1/mcp) could not be connected");
  expect(failures).toHaveLength(6);
  expect(servers.find(({ server }) => server === "exits")).toMatchObject({ state: "failed", tools: 0 });
  expect(statuses).toContainEqual({ server: "chat", state: "ready" });
  expect(statuses.find(({ server, state }) => server === "silent" && state === "failed")?.message).toContain("700 ms");
  expect(describeFailures(failures)).toContain('Not available: MCP server "exits" ended with exit code 4 before it had answered.\n');
});

test("a server that reads no more is waited for: how it ended is said, and its last words", async () => {
  const program = (livesMs: number) => `
    process.stdin.once("data", (data) => {
      const { id } = JSON.parse(data);
      require("node:fs").closeSync(0);
      const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "deaf", version: "1" } };
      console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      setTimeout(() => { console.log("Usage: deaf"); process.exit(3); }, ${livesMs});
    });`;
  const { failures } = await connect({ deaf: node(program(300)), lasting: node(program(60_000)) });
  expect(failures).toHaveLength(2);
  expect(failures[0].message).toContain('MCP server "deaf" ended with exit code 3 before it had answered.');
  expect(failures[0].message).toContain("Usage: deaf");
  expect(failures[1].message).toContain('MCP server "lasting" could not be connected: write EPIPE.');
});

test("a server that failed to start leaves no process behind", async () => {
  const { servers, close } = await connect({ silent: { ...serverCommand("odd", "--silent", "--stubborn"), startTimeoutMs: 500 } });
  const { pid } = servers[0];
  await close();
  expect(pid).toBeGreaterThan(0);
  expect(lives(pid as number)).toBe(false);
});

test.each([
  ["a variable that is not set", { command: "x", env: { KEY: "${NOT_SET}" } }, ["${NOT_SET}", '"bad"']],
  ["neither command nor url", {}, ['neither just a "command" nor just a "url"']],
  ["both command and url", { command: "x", url: "http://127.0.0.1/mcp" }, ["neither just"]],
  ["an address that is none", { url: "localhost" }, ["no http or https address"]],
  ["the old transport", { type: "sse", url: "http://127.0.0.1/sse" }, ["old SSE transport"]],
  ["args that are no list", { command: "x", args: "-y server" }, ['"args" of MCP server "bad" is not a list']],
  ["no object", "npx server", ["not an object"]],
])("configuration: %s is a failure of that server", async (_, config, said) => {
  const { failures } = await connect({ bad: config as never }, { environment: {} });
  for (const part of said) expect(failures[0].message).toContain(part);
});

test("a server that is switched off is not started, and no failure", async () => {
  const { servers, failures } = await connect({ off: { command: "no-such-command", disabled: true } });
  expect(servers).toEqual([]);
  expect(failures).toEqual([]);
});

test("variables are expanded, with defaults; the server inherits no others", async () => {
  const environment = { PATH: process.env.PATH, SECRET_KEY: "s3cr3t-value", WORD: "echo", EMPTY: "" };
  const command = serverCommand("odd");
  const connections = await connect(
    { odd: { command: "${NODE:-" + command.command + "}", args: [command.args[0], "${EMPTY:-odd}"], env: { NAME: "${SECRET_KEY}" } } },
    { environment },
  );
  expect(JSON.parse(await text(connections, "odd.environment"))).toEqual(["NAME", "PATH"]);
});

test("values of variables, env and headers are never shown", async () => {
  const { failures, servers } = await connect(
    {
      leaky: node("console.error('key', process.env.A, process.env.B); process.exit(1)", { env: { A: "${TOKEN}", B: "literal-key" } }),
      url: { url: "http://127.0.0.1:1/${TOKEN}" },
    },
    { environment: { TOKEN: "tok-12345678" } },
  );
  const shown = JSON.stringify([failures, servers]);
  expect(shown).toContain("key ${TOKEN} [env.B]");
  expect(shown).not.toContain("tok-12345678");
  expect(shown).not.toContain("literal-key");
});

test("noise on stdout is survived, counted and kept", async () => {
  const connections = await connect({ odd: serverCommand("odd", "--noise") });
  expect(await text(connections, "odd.noise")).toBe("quiet again");
  expect(connections.servers[0].noise?.lines).toBe(15);
  expect(connections.servers[0].noise?.last).toContain("odd: ready on stdout");
});

test("all pages are read; bad entries cost themselves only", async () => {
  const { tools, warnings } = await connect({ odd: serverCommand("odd", "--pages", "3"), one: serverCommand("odd", "--pages", "1") });
  const names = (server: string) => tools.filter((tool) => tool.server === server).map(({ name }) => name);
  expect(names("odd")).toHaveLength(34);
  expect(names("one")).toEqual(names("odd"));
  expect(names("odd")).toEqual(
    expect.arrayContaining(["echo", "media", "resolve-library-id", "then", "constructor", "__proto__", "größe", "with space"]),
  );
  const find = (name: string) => tools.find((tool) => tool.name === name);
  expect(find("bad_schema")?.inputSchema).toEqual({ type: "object" });
  expect(find("no_schema")?.inputSchema).toEqual({ type: "object" });
  expect(find("bad_output")).not.toHaveProperty("outputSchema");
  expect(find("bad_fields")).not.toHaveProperty("title");
  const messages = warnings.filter(({ server }) => server === "odd").map(({ message }) => message);
  expect(messages).toContain('the inputSchema of "bad_schema" is not an object: ignored');
  expect(messages).toContain('there are two tools named "echo": the first counts');
  expect(messages.filter((message) => message.endsWith("has no name: left out"))).toHaveLength(4);
});

test("a list without end is cut, with a warning", async () => {
  const config = { odd: serverCommand("odd", "--endless") };
  const byTools = await connect(config, { listing: { tools: 120 } });
  expect(byTools.tools).toHaveLength(120);
  expect(byTools.warnings).toEqual([{ server: "odd", message: "the tool list is cut at 120 tools" }]);
  const byPages = await connect(config, { listing: { pages: 3 } });
  expect(byPages.tools).toHaveLength(150);
  expect(byPages.warnings[0].message).toBe("the tool list is cut at 3 pages");
  const byBytes = await connect(config, { listing: { bytes: 2_000 } });
  expect(byBytes.tools.length).toBeLessThan(30);
  expect(byBytes.warnings[0].message).toBe("the tool list is cut at 2000 bytes");
});

test("aborting the start ends all servers and rejects", async () => {
  const file = temporaryFile("pid");
  const abort = new AbortController();
  const silent = node(`require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); setTimeout(() => {}, 60000)`);
  const starting = connectServers({ silent, chat: serverCommand("chat") }, { signal: abort.signal });
  const error = failure(starting);
  await eventually(() => existsSync(file) && readFileSync(file, "utf8") !== "");
  abort.abort(new Error("enough"));
  expect((await error).message).toBe("enough");
  expect(lives(Number(readFileSync(file, "utf8")))).toBe(false);
});

test("a start that is aborted before it began leaves no process behind", async () => {
  const file = temporaryFile("pid");
  const silent = node(`require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); setTimeout(() => {}, 20000)`);
  await failure(connectServers({ silent }, { signal: AbortSignal.abort(new Error("too late")) }));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(existsSync(file) && lives(Number(readFileSync(file, "utf8")))).toBe(false);
});

test("tools/list_changed reads the list again; tools that are as they were stay the same", async () => {
  let changes = 0;
  const connections = await connect({ odd: serverCommand("odd") }, { onChange: () => (changes += 1) });
  const before = connections.tools;
  await call(connections, "odd.add_tool", { name: "fresh" });
  await eventually(() => changes === 1);
  expect(connections.tools.map(({ name }) => name)).toEqual([...before.map(({ name }) => name), "fresh"]);
  expect(connections.tools.slice(0, -1).every((tool, index) => tool === before[index])).toBe(true);
  expect(await text(connections, "odd.fresh")).toBe("fresh");
});

test("after close, a call fails clearly and nothing is restarted", async () => {
  const connections = await connect({ odd: serverCommand("odd") });
  await connections.close();
  const error = await failure(call(connections, "odd.echo", { text: "x" }));
  expect(error.message).toContain('MCP server "odd" is closed');
  expect(connections.servers[0].state).toBe("closed");
});
