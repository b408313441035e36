// A loopback server that replays the answers of a wire transcript (`test/wire/*.json`) and keeps what it was asked.

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { Json } from "@airlock/interpreter";

export interface WireAnswer {
  /** Default 200, and then a stream of events. */
  status?: number;
  headers?: { [name: string]: string };
  /** The body of an answer that is no stream. */
  body?: Json;
  /** A string is sent as the data it is. */
  events?: { event?: string; data: Json }[];
  /** The connection is cut after the events: `reset` destroys it, `close` ends the body as if it were whole. */
  end?: "reset" | "close" | "hang";
}

export type Scenarios = { [name: string]: WireAnswer[] };

export interface Asked {
  path: string;
  headers: IncomingMessage["headers"];
  body: { [key: string]: Json };
  at: number;
}

export function scenarios(file: string): Scenarios {
  return JSON.parse(readFileSync(new URL(`wire/${file}.json`, import.meta.url), "utf8"));
}

/** `split`: the body goes out in pieces of so many bytes, each in a chunk of its own. */
export async function loopback(
  answers: WireAnswer[],
  { split = Infinity }: { split?: number } = {},
): Promise<{ url: string; asked: Asked[]; close(): Promise<void> }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = answers[asked.length] ?? {
      status: 500,
      body: { error: { message: "the transcript has no further answer" } },
      headers: { "x-should-retry": "false" },
    };
    asked.push({
      path: request.url ?? "",
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString("utf8")),
      at: Date.now(),
    });
    await reply(response, answer, split);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function reply(response: ServerResponse, answer: WireAnswer, split: number): Promise<void> {
  if (!answer.events) {
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    response.end(JSON.stringify(answer.body ?? {}));
    return;
  }
  response.writeHead(answer.status ?? 200, { "content-type": "text/event-stream", ...answer.headers });
  const wire = answer.events
    .map(({ event, data }) => `${event ? `event: ${event}\n` : ""}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`)
    .join("");
  const bytes = Buffer.from(wire);
  for (let at = 0; at < bytes.length && !response.destroyed; at += split) {
    response.write(bytes.subarray(at, at + split));
    await turn();
  }
  if (answer.end === "hang") return;
  if (answer.end === "reset") {
    // What was written has to arrive first.
    await new Promise((resolve) => setTimeout(resolve, 50));
    response.destroy();
  } else response.end();
}
