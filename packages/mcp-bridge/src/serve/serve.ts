// Airlock as an MCP server: `execute` and `search` for any client, over stdio or HTTP.

import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { serveHttp } from "./http.js";
import { createSession, type SessionOptions } from "./session.js";

export interface ServeOptions extends SessionOptions {
  transport: { kind: "stdio"; stdin?: Readable; stdout?: Writable } | { kind: "http"; port: number };
}

export interface ServedMcp {
  /** Of an HTTP server. */
  readonly url?: string;
  /** Resolves once serving has ended: by `close`, or because the client of a stdio server went away. */
  readonly closed: Promise<void>;
  /** To be called when the catalog is another: clients read the listing again. */
  catalogChanged(): void;
  /** Ends all sessions; runs that are going on are aborted. */
  close(): Promise<void>;
}

/** How long calls may go on after a stdio client has closed our stdin. */
const LAST_ANSWERS_MS = 1_000;

/**
 * Serves `execute` and `search`. Over HTTP on 127.0.0.1 only; rejects if the port is taken.
 *
 *     const served = await serveMcp({ createRuntime: (ask) => createRuntime({ catalog, permission, ask }), formatExecution, transport: { kind: "stdio" } });
 *     await served.closed;
 */
export async function serveMcp(options: ServeOptions): Promise<ServedMcp> {
  const { transport } = options;
  let ended: () => void = () => {};
  const closed = new Promise<void>((resolve) => (ended = resolve));

  if (transport.kind === "http") {
    const serving = await serveHttp(() => createSession(options), transport.port);
    return {
      url: serving.url,
      closed,
      catalogChanged: () => serving.sessions().forEach((session) => session.catalogChanged()),
      close: () => serving.close().then(ended),
    };
  }

  const { stdin = process.stdin, stdout = process.stdout } = transport;
  const session = createSession(options);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= session.close().finally(ended));
  // The SDK's transport does not notice that the client has gone.
  for (const event of ["end", "close", "error"]) stdin.once(event, () => void lastAnswers().then(close));
  stdout.on("error", close);
  await session.server.connect(new StdioServerTransport(stdin, stdout));
  return { closed, catalogChanged: () => session.catalogChanged(), close };

  async function lastAnswers(): Promise<void> {
    const end = performance.now() + LAST_ANSWERS_MS;
    do await new Promise((resolve) => setTimeout(resolve, 20));
    while (session.active > 0 && performance.now() < end);
  }
}
