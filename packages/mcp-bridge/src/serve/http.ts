// Our side of Streamable HTTP: loopback only, one session per client.

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Session } from "./session.js";

const MAX_SESSIONS = 100;
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

export interface HttpServing {
  url: string;
  sessions(): Session[];
  close(): Promise<void>;
}

interface Entry {
  session: Session;
  transport: StreamableHTTPServerTransport;
  open: number;
  lastUsed: number;
}

/** Serves on 127.0.0.1; port 0 takes a free one. Rejects if the port is taken. */
export async function serveHttp(createSession: () => Session, port: number): Promise<HttpServing> {
  const entries = new Map<string, Entry>();

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, error instanceof Error ? error.message : String(error));
      else response.end();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const own = (server.address() as AddressInfo | null)?.port ?? port;
    if (!isLoopback(request, own)) return refuse(response, 403, "Only programs on this machine may connect");
    if (request.url?.split("?")[0] !== "/mcp") return refuse(response, 404, "The endpoint is /mcp");
    const id = request.headers["mcp-session-id"];
    const entry = typeof id === "string" ? entries.get(id) : undefined;
    if (entry) return use(entry, request, response);
    if (id !== undefined) return refuse(response, 404, "Session not found");
    if (request.method !== "POST") return refuse(response, 400, "No session: begin with an initialize request");
    if (entries.size >= MAX_SESSIONS && !dropIdlest()) return refuse(response, 503, "Too many sessions");
    const session = createSession();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (started) => void entries.set(started, fresh),
      onsessionclosed: (ended) => drop(ended),
    });
    const fresh: Entry = { session, transport, open: 0, lastUsed: performance.now() };
    await session.server.connect(transport);
    await use(fresh, request, response);
    // Not an initialize request: the transport has refused it.
    if (transport.sessionId === undefined) await session.close();
  }

  async function use(entry: Entry, request: IncomingMessage, response: ServerResponse): Promise<void> {
    entry.open += 1;
    response.once("close", () => {
      entry.open -= 1;
      entry.lastUsed = performance.now();
    });
    await entry.transport.handleRequest(request, response);
  }

  async function drop(id: string): Promise<void> {
    const entry = entries.get(id);
    entries.delete(id);
    await entry?.session.close();
  }

  function idle(): [string, Entry][] {
    const found = [...entries].filter(([, entry]) => entry.open === 0 && entry.session.active === 0);
    return found.sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
  }

  function dropIdlest(): boolean {
    const [idlest] = idle();
    if (idlest) void drop(idlest[0]);
    return idlest !== undefined;
  }

  const sweep = setInterval(() => {
    for (const [id, entry] of idle()) if (performance.now() - entry.lastUsed > IDLE_MS) void drop(id);
  }, SWEEP_MS);
  sweep.unref();

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    sessions: () => [...entries.values()].map(({ session }) => session),
    async close() {
      clearInterval(sweep);
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all([...entries.keys()].map(drop));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Against pages in a browser: they send their origin, and with a name of their own for our address, that name. */
function isLoopback({ headers: { host, origin } }: IncomingMessage, port: number): boolean {
  const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  return host !== undefined && hosts.includes(host) && (origin === undefined || hosts.some((name) => origin === `http://${name}`));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: status === 404 ? -32001 : -32000, message }, id: null }));
}
