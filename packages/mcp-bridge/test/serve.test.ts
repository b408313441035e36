import { request } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
  type CallToolResult,
  type ElicitRequest,
  type ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { serveMcp, type ServedMcp, type ServeOptions } from "../dist/src/index.js";
import { eventually, failure, firstLine, later, runProgram } from "./bridge.js";
import { fakeRuntime, type FakeRuntime } from "./fake-runtime.js";

interface Served {
  served: ServedMcp;
  url: string;
  /** One per client, in the order in which they were needed. */
  runtimes: FakeRuntime[];
}

async function serve(options: Partial<ServeOptions> = {}): Promise<Served> {
  const runtimes: FakeRuntime[] = [];
  const served = await serveMcp({
    createRuntime(ask) {
      const runtime = fakeRuntime(ask);
      runtimes.push(runtime);
      return runtime;
    },
    formatExecution: (execution) =>
      execution.status === "completed" ? `value ${JSON.stringify(execution.value)}` : `failed: ${execution.error.message}`,
    transport: { kind: "http", port: 0 },
    ...options,
  });
  later(() => served.close());
  return { served, url: served.url ?? "", runtimes };
}

async function client(url: string, elicit?: (request: ElicitRequest) => ElicitResult): Promise<Client> {
  const made = new Client({ name: "test", version: "1" }, { capabilities: elicit ? { elicitation: {} } : {} });
  if (elicit) made.setRequestHandler(ElicitRequestSchema, elicit);
  await made.connect(new StreamableHTTPClientTransport(new URL(url)));
  later(() => made.close());
  return made;
}

async function execute(from: Client, command: object, more: object = {}): Promise<CallToolResult> {
  return (await from.callTool({ name: "execute", arguments: { code: JSON.stringify(command), ...more } })) as CallToolResult;
}

const textOf = (result: CallToolResult) => (result.content[0].type === "text" ? result.content[0].text : "");

test("offers execute, with the listing in its description, and search", async () => {
  const { url } = await serve({ name: "my-airlock", version: "2.0.0", notes: () => "Not available: docs." });
  const connected = await client(url);
  expect(connected.getServerVersion()).toMatchObject({ name: "my-airlock", version: "2.0.0" });
  const { tools } = await connected.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["execute", "search"]);
  expect(tools[0].description).toBe("Runs a program.\n\nissues (10 tools), v1\n\nNot available: docs.");
  expect(tools[0].inputSchema.required).toEqual(["code"]);
});

test("execute gives the text and the plain document", async () => {
  const { url } = await serve();
  const result = await execute(await client(url), { do: "return", value: { open: 3 } }, { input: { a: [1] } });
  expect(textOf(result)).toBe('value {"open":3}');
  expect(result.isError).toBeUndefined();
  expect(result.structuredContent).toMatchObject({
    id: "run-1",
    status: "completed",
    value: { open: 3 },
    logs: [{ level: "log", text: 'input {"a":[1]}' }],
    calls: [],
  });
});

test("a failed run is an error, with what became of its calls", async () => {
  const { url } = await serve();
  const result = await execute(await client(url), { do: "fail" });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe("failed: out of order");
  expect(result.structuredContent).toMatchObject({
    error: { kind: "tool-failed", location: { line: 2, column: 7 }, hints: ["Try again."] },
    calls: [
      { path: "tools.issues.create_issue", input: { title: "x" }, outcome: "done" },
      { outcome: "failed" },
      { outcome: "unknown" },
      { outcome: "denied" },
    ],
  });
});

test("media that the program returned come as content, each once", async () => {
  const { url } = await serve();
  const handle = { media: "media-1", mimeType: "image/png", bytes: 3 };
  const result = await execute(await client(url), { do: "return", value: { pictures: [handle, handle, { ...handle, media: "gone" }] } });
  expect(result.content.slice(1)).toEqual([{ type: "image", data: "AAAA", mimeType: "image/png" }]);
});

test("a long result is cut in the text, and whole in the document", async () => {
  const { url } = await serve({ textLimit: 100 });
  const result = await execute(await client(url), { do: "return", value: "x".repeat(1_000) });
  expect(textOf(result)).toContain("[Cut: the first 100 of 1000 characters. Return less");
  expect(textOf(result).length).toBeLessThan(300);
  expect(result.structuredContent).toMatchObject({ value: "x".repeat(1_000) });
});

test("wrong arguments, an unknown tool and a broken host are answers that a model can read", async () => {
  const { url } = await serve();
  const connected = await client(url);
  const wrong = (await connected.callTool({ name: "execute", arguments: { program: "1" } })) as CallToolResult;
  expect([wrong.isError, textOf(wrong)]).toEqual([true, '`code` is missing: { "code": "the program" }.']);
  const broken = await execute(connected, { do: "throw" });
  expect([broken.isError, textOf(broken)]).toEqual([true, "The program could not be run: broken host"]);
  expect((await failure(connected.callTool({ name: "list_issues", arguments: {} }))).message).toContain(
    "Other tools are called in a program",
  );
});

test("search shows signatures, with paging", async () => {
  const { url } = await serve();
  const result = (await (await client(url)).callTool({ name: "search", arguments: { query: "issues", offset: 2 } })) as CallToolResult;
  expect(textOf(result)).toBe(
    "tools.issues.list_issues(input: { repo: string }): Promise<unknown>\n  Finds issues\n4 more: search again with offset 3.",
  );
  expect(result.structuredContent).toMatchObject({ items: [{ path: "tools.issues.list_issues" }], remaining: 4 });
});

test("programs are checked against the catalog that the client was shown", async () => {
  const { served, url, runtimes } = await serve();
  const connected = await client(url);
  let changes = 0;
  connected.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
  await connected.listTools();
  runtimes[0].version = "v2";
  await eventually(() => {
    served.catalogChanged();
    return changes > 0;
  });
  expect((await execute(connected, { do: "catalog" })).structuredContent).toMatchObject({ value: "v1" });
  expect((await connected.listTools()).tools[0].description).toContain("v2");
  expect((await execute(connected, { do: "catalog" })).structuredContent).toMatchObject({ value: "v2" });
});

test("progress is told while calls run", async () => {
  const { url } = await serve();
  const progress: { progress: number; message?: string }[] = [];
  await (
    await client(url)
  ).callTool({ name: "execute", arguments: { code: '{"do":"calls","ms":80}' } }, undefined, {
    onprogress: (update) => progress.push(update),
  });
  expect(progress.length).toBeGreaterThanOrEqual(3);
  expect(progress[0].message).toBe("calls tools.issues.create_issue");
  expect(progress.map((update) => update.progress)).toEqual(progress.map((_, index) => index + 1));
});

test("cancelling the request aborts the run", async () => {
  const { url, runtimes } = await serve();
  const connected = await client(url);
  const abort = new AbortController();
  const pending = failure(
    connected.callTool({ name: "execute", arguments: { code: '{"do":"wait"}' } }, undefined, { signal: abort.signal }),
  );
  await eventually(() => runtimes.length === 1);
  abort.abort("changed my mind");
  await pending;
  await eventually(() => runtimes[0].aborted === 1);
});

test.each<[string, ElicitResult, object]>([
  ["accepts once", { action: "accept", content: { answer: "once" } }, { reply: "once" }],
  ["accepts always", { action: "accept", content: { answer: "always" } }, { reply: "always" }],
  [
    "rejects with words",
    { action: "accept", content: { answer: "reject", message: "use a draft" } },
    { reply: "reject", message: "use a draft" },
  ],
  ["declines", { action: "decline" }, { reply: "reject" }],
  ["dismisses the question", { action: "cancel" }, { reply: "reject", message: "The question was dismissed without an answer." }],
])("a person who %s is heard", async (_, answer, expected) => {
  const { url } = await serve();
  const seen: ElicitRequest[] = [];
  const connected = await client(url, (asked) => {
    seen.push(asked);
    return answer;
  });
  expect((await execute(connected, { do: "ask" })).structuredContent).toMatchObject({ value: expected });
  expect(seen[0].params.message).toContain("A program wants to call tools.issues.create_issue with");
  expect(seen[0].params.message).toContain("line 3: await tools.issues.create_issue({ title })");
  expect(seen[0].params.message).toContain('"Always allow" would also allow: issues.create_issue *');
});

test("the parts of a question are answered apart; only what can be saved offers always", async () => {
  const { url } = await serve();
  let asked: ElicitRequest | undefined;
  const connected = await client(url, (request_) => {
    asked = request_;
    return { action: "accept", content: { answer_1: "once", answer_2: "reject" } };
  });
  expect((await execute(connected, { do: "ask", requests: 2 })).structuredContent).toMatchObject({
    value: { replies: [{ reply: "once" }, { reply: "reject" }] },
  });
  expect(asked?.params).toMatchObject({
    message: expect.stringContaining("- old\n+ new"),
    requestedSchema: {
      required: ["answer_1", "answer_2"],
      properties: { answer_1: { enum: ["once", "always", "reject"] }, answer_2: { enum: ["once", "reject"] } },
    },
  });
});

test("a client that cannot ask anyone: the runtime gets no one to ask", async () => {
  const { url, runtimes } = await serve();
  await execute(await client(url), { do: "ask" });
  expect(runtimes[0].ask).toBeUndefined();
});

test("every client has its own runtime, closed with its session", async () => {
  const { url, runtimes, served } = await serve();
  const [one, two] = [await client(url), await client(url)];
  await Promise.all([one.listTools(), two.listTools()]);
  expect(runtimes).toHaveLength(2);
  await (one.transport as StreamableHTTPClientTransport).terminateSession();
  await eventually(() => runtimes.filter(({ closed }) => closed).length === 1);
  await served.close();
  await served.closed;
  expect(runtimes.every(({ closed }) => closed)).toBe(true);
});

test.each<[string, { [name: string]: string }, string, number]>([
  ["a page's origin", { origin: "http://evil.example" }, "/mcp", 403],
  ["another local page's origin", { origin: "http://localhost:3000" }, "/mcp", 403],
  ["a name that was bound to our address", { host: "evil.example" }, "/mcp", 403],
  ["a session that there is not", { "mcp-session-id": "no-such-session" }, "/mcp", 404],
  ["another path", {}, "/", 404],
  ["no session", {}, "/mcp", 400],
])("over HTTP, %s is refused", async (_, headers, path, status) => {
  const { url } = await serve();
  const answered = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(
      new URL(path, url),
      { method: "POST", headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers } },
      (response) => resolve(response.resume().statusCode),
    );
    sent.on("error", reject);
    sent.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  });
  expect(answered).toBe(status);
});

test("over HTTP it listens on loopback only, and a taken port is an error", async () => {
  const { url } = await serve();
  expect(new URL(url).hostname).toBe("127.0.0.1");
  expect(await failure(serve({ transport: { kind: "http", port: Number(new URL(url).port) } }))).toMatchObject({ code: "EADDRINUSE" });
});

const stdioServer = `
  import { serveMcp } from "@airlock/mcp-bridge";
  const stats = {};
  const served = await serveMcp({
    createRuntime: () => ({
      instructions: () => ({ description: "Runs a program.", catalog: "no tools", snapshot: { search: () => ({ items: [], remaining: 0, next: null }) } }),
      execute: (code, { signal }) => code === "wait"
        ? new Promise((resolve) => signal.addEventListener("abort", () => { process.stderr.write("aborted\\n"); resolve({ id: "run-1", status: "completed", value: 0, logs: [], warnings: [], calls: [], stats }); }))
        : Promise.resolve({ id: "run-1", status: "completed", value: code, logs: [], warnings: [], calls: [], stats }),
      media: () => undefined,
      close: async () => process.stderr.write("closed\\n"),
    }),
    formatExecution: ({ value }) => "value " + value,
    transport: { kind: "stdio" },
  });
  await served.closed;
  process.stderr.write("served\\n");
`;

test("over stdio: the SDK's client lists and executes", async () => {
  const { spawnargs } = runProgram("serve-client", stdioServer);
  const connected = new Client({ name: "test", version: "1" });
  await connected.connect(new StdioClientTransport({ command: spawnargs[0], args: spawnargs.slice(1), stderr: "ignore" }));
  later(() => connected.close());
  expect((await connected.listTools()).tools).toHaveLength(2);
  expect(textOf((await connected.callTool({ name: "execute", arguments: { code: "hello" } })) as CallToolResult)).toBe("value hello");
  expect(textOf((await connected.callTool({ name: "search", arguments: { query: "x" } })) as CallToolResult)).toContain("No tool found");
});

test("over stdio: requests that were piped in are answered, then the process ends", async () => {
  const child = runProgram("serve-pipe", stdioServer);
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk) => (out += String(chunk)));
  child.stderr?.on("data", (chunk) => (err += String(chunk)));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  };
  child.stdin?.end(`${JSON.stringify(initialize)}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`);
  expect(await ended).toBe(0);
  expect(
    out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: number }).id),
  ).toEqual([1, 2]);
  expect(err).toBe("closed\nserved\n");
});

test("over stdio: a client that goes away aborts its runs, and the process ends", async () => {
  const child = runProgram("serve-gone", stdioServer);
  let err = "";
  child.stderr?.on("data", (chunk) => (err += String(chunk)));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stdin?.write(
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n',
  );
  expect(JSON.parse(await firstLine(child))).toMatchObject({ id: 1 });
  child.stdin?.end('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"execute","arguments":{"code":"wait"}}}\n');
  expect(await ended).toBe(0);
  expect(err).toBe("aborted\nclosed\nserved\n");
});
