import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { startHttp } from "@airlock/fixtures";
import { expect, test } from "vitest";
import { call, connect, eventually, failure, later, text } from "./bridge.js";

type Body = { id?: number; method?: string; params?: { name?: string } };
type Handler = (body: Body, request: IncomingMessage, response: ServerResponse) => void;

/** A server by hand: what `odd` leaves alone it answers as a plain JSON server with one tool. */
async function handMade(
  odd: Handler,
): Promise<{ url: string; seen: { method: string; headers: IncomingMessage["headers"]; body: Body }[]; close(): Promise<void> }> {
  const seen: { method: string; headers: IncomingMessage["headers"]; body: Body }[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const body: Body = text === "" ? {} : JSON.parse(text);
    seen.push({ method: request.method ?? "", headers: request.headers, body });
    odd(body, request, response);
    if (response.headersSent || response.writableEnded || response.destroyed || body.method === "tools/call") return;
    if (request.method !== "POST") return void response.writeHead(405).end();
    const results: { [method: string]: unknown } = {
      initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "hand-made", version: "1" } },
      "tools/list": { tools: [{ name: "act", inputSchema: { type: "object" } }] },
    };
    const result = results[body.method ?? ""];
    if (result === undefined) response.writeHead(202).end();
    else answer(response, { jsonrpc: "2.0", id: body.id, result });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  later(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen, close };
}

function answer(response: ServerResponse, message: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
}

const result = (id: number | undefined, said: string) => ({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: said }] } });

test("the fixtures over HTTP: all pages, results, progress, list_changed", async () => {
  const http = await startHttp("odd");
  later(() => http.close());
  let changes = 0;
  const connections = await connect({ odd: { url: http.url } }, { onChange: () => (changes += 1) });
  expect(connections.tools).toHaveLength(34);
  const updates: object[] = [];
  expect(await text(connections, "odd.slow", { ms: 200, steps: 2 }, { updates })).toBe("done in 2 steps");
  expect(updates[0]).toEqual({ progress: 1, total: 2, message: "step 1" });
  expect((await failure(call(connections, "odd.rpc_error"))).message).toBe("out of order");
  await call(connections, "odd.add_tool", { name: "fresh" });
  await eventually(() => changes === 1);
  expect(connections.tools.at(-1)?.name).toBe("fresh");
});

test("a result of 50 MB over HTTP", async () => {
  const http = await startHttp("odd");
  later(() => http.close());
  const connections = await connect({ odd: { url: http.url } });
  expect((await text(connections, "odd.big", { bytes: 50_000_000 })).length).toBe(50_000_000);
});

test("a session that has expired is renewed once, and the call is done once", async () => {
  const http = await startHttp("odd");
  later(() => http.close());
  const connections = await connect({ odd: { url: http.url } });
  await text(connections, "odd.echo", { text: "before" });
  http.forgetSessions();
  expect(await text(connections, "odd.echo", { text: "after" })).toBe("after");
  expect(JSON.parse(await text(connections, "odd.counts"))).toMatchObject({ calls: 3 });
});

test("a session that expires again at once is an error, not a loop", async () => {
  let calls = 0;
  const { url } = await handMade((body, _, response) => {
    if (body.method === "initialize") response.setHeader("mcp-session-id", "s");
    if (body.method !== "tools/call") return;
    calls += 1;
    response.writeHead(404).end("Session not found");
  });
  const connections = await connect({ web: { url } });
  expect(await failure(call(connections, "web.act"))).toMatchObject({ name: "ServerUnavailable" });
  expect(calls).toBe(2);
});

test("aborting tells the server and gives the connection back", async () => {
  const http = await startHttp("odd");
  later(() => http.close());
  const connections = await connect({ odd: { url: http.url } });
  const abort = new AbortController();
  const pending = call(connections, "odd.never", {}, { signal: abort.signal });
  setTimeout(() => abort.abort(new Error("no patience")), 100);
  expect((await failure(pending)).message).toBe("no patience");
  let cancelled = 0;
  for (let tries = 0; tries < 50 && cancelled === 0; tries++) ({ cancelled } = JSON.parse(await text(connections, "odd.counts")));
  expect(cancelled).toBe(1);
});

test("an aborted call's connection is closed", async () => {
  let closed = false;
  const { url, seen } = await handMade((body, _, response) => {
    if (body.method === "tools/call") response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
    if (body.method === "tools/call") response.on("close", () => (closed = true));
  });
  const connections = await connect({ web: { url } });
  const abort = new AbortController();
  const pending = failure(call(connections, "web.act", {}, { signal: abort.signal }));
  await eventually(() => seen.some(({ body }) => body.method === "tools/call"));
  abort.abort(new Error("no patience"));
  await pending;
  await eventually(() => closed);
  expect(seen.some(({ body }) => body.method === "notifications/cancelled")).toBe(true);
});

test.each<[string, Handler]>([
  [
    "the stream ends before the answer",
    (_, __, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).end(": bye\n\n"),
  ],
  [
    "the connection breaks in the stream",
    (_, request, response) =>
      void response.writeHead(200, { "content-type": "text/event-stream" }).write("data: {", () => request.socket.destroy()),
  ],
  ["the connection breaks without an answer", (_, request) => void request.socket.destroy()],
  ["the answer is no JSON-RPC", (_, __, response) => answer(response, { ok: true })],
  ["the answer is a web page", (_, __, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>")],
  ["the server fails", (_, __, response) => void response.writeHead(500).end("boom")],
])("the outcome is unknown if %s", async (_, broken) => {
  const { url } = await handMade((body, request, response) => body.method === "tools/call" && broken(body, request, response));
  const connections = await connect({ web: { url } });
  const error = await failure(call(connections, "web.act"));
  expect(error).toMatchObject({ name: "OutcomeUnknown", data: { outcome: "unknown" } });
  expect(error.message).toContain("tools.web.act");
});

test.each<[string, number, string]>([
  ["refuses", 403, "status 403: not for you"],
  ["is busy", 429, "status 429"],
])("a server that %s has not done the call", async (_, status, said) => {
  const { url } = await handMade(
    (body, __, response) => body.method === "tools/call" && response.writeHead(status).end('{"error":{"message":"not for you"}}'),
  );
  const error = await failure(call(await connect({ web: { url } }), "web.act"));
  expect(error).toMatchObject({ name: "ServerUnavailable", data: { outcome: "not-called" } });
  expect(error.message).toContain(said);
});

test("a server that is gone has not done the call", async () => {
  const { url, close } = await handMade(() => {});
  const connections = await connect({ web: { url } });
  await close();
  // Our side has to notice that its kept connection is closed; a call at that very moment might have been read.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await failure(call(connections, "web.act"))).toMatchObject({ name: "ServerUnavailable" });
});

test("a stream that breaks off is resumed where the server gave its events ids", async () => {
  let asked: string | undefined;
  let id: number | undefined;
  const { url } = await handMade((body, request, response) => {
    if (body.method === "tools/call") {
      id = body.id;
      response.writeHead(200, { "content-type": "text/event-stream" }).end("id: event-7\nretry: 10\ndata:\n\n");
    } else if (request.method === "GET" && request.headers["last-event-id"]) {
      asked = String(request.headers["last-event-id"]);
      response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${JSON.stringify(result(id, "resumed"))}\r\n\r\n`);
    }
  });
  expect(await text(await connect({ web: { url } }), "web.act")).toBe("resumed");
  expect(asked).toBe("event-7");
});

test("headers go with every request, and not to another origin", async () => {
  const other = await handMade(() => {});
  const { url, seen } = await handMade((body, _, response) => {
    if (body.method === "tools/call") response.writeHead(307, { location: other.url }).end();
  });
  const connections = await connect({ web: { url, headers: { authorization: "Bearer ${KEY}" } } }, { environment: { KEY: "key-123456" } });
  const error = await failure(call(connections, "web.act"));
  expect(error.message).toContain(`status 307 and points to ${other.url}`);
  expect(other.seen).toEqual([]);
  expect(seen.every(({ headers }) => headers.authorization === "Bearer key-123456")).toBe(true);
  expect(
    seen.filter(({ body }) => body.method === "tools/call").every(({ headers }) => headers["mcp-protocol-version"] === "2025-06-18"),
  ).toBe(true);
});

test("a redirect within the origin is followed", async () => {
  const { url } = await handMade((body, request, response) => {
    if (request.url === "/mcp") response.writeHead(308, { location: "/moved" }).end();
    else if (body.method === "tools/call") answer(response, result(body.id, "moved"));
  });
  expect(await text(await connect({ web: { url } }), "web.act")).toBe("moved");
});

test.each([
  [401, '"headers": { "Authorization"'],
  [404, "Check the address"],
])("status %s at the start: the failure says what to do", async (status, hint) => {
  const { url } = await handMade((_, __, response) => void response.writeHead(status).end());
  const { failures } = await connect({ web: { url } });
  expect(failures[0].message).toContain(`status ${status}`);
  expect(failures[0].hint).toContain(hint);
});

test("close ends the session at the server", async () => {
  const { url, seen } = await handMade(
    (body, _, response) => void (body.method === "initialize" && response.setHeader("mcp-session-id", "session-1")),
  );
  const connections = await connect({ web: { url } });
  await connections.close();
  expect(seen.at(-1)).toMatchObject({ method: "DELETE", headers: { "mcp-session-id": "session-1" } });
});
