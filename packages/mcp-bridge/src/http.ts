// MCP over Streamable HTTP. Unlike the SDK's transport: an answer that can no longer come fails its request instead of leaving it
// to wait, a cancelled request gives its connection back, no time limit of fetch ends a long call, large events take linear time.
// Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http

import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { HttpError } from "./errors.js";
import { failedAnswer, isObject, toMessages } from "./message.js";
import { sseReader } from "./sse.js";

export interface HttpOptions {
  url: URL;
  headers: { [name: string]: string };
  maxMessageBytes: number;
}

/** `data` of the failed answer that stands for an answer that was lost on its way. */
export const LOST: unique symbol = Symbol("lost");

const RESUME_ATTEMPTS = 3;
const LISTEN_ATTEMPTS = 5;
const REDIRECTS = 3;
const AFTER_ANSWER_MS = 1_000;

type Sent = { method: "POST" | "GET" | "DELETE"; body?: string; headers?: { [name: string]: string }; signal: AbortSignal };
type StreamEnd = { lastEventId?: string; retryMs: number; events: number; cause?: string };

export class HttpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  sessionId?: string;

  readonly #options: HttpOptions;
  readonly #agent: http.Agent;
  readonly #closed = new AbortController();
  /** The requests whose answers are awaited. */
  readonly #exchanges = new Map<RequestId, AbortController>();
  #protocolVersion?: string;
  #closing?: Promise<void>;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#agent = options.url.protocol === "https:" ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
  }

  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id !== undefined) return this.#ask(id, message);
    const method = "method" in message ? message.method : undefined;
    try {
      const response = await this.#exchange({ method: "POST", body: JSON.stringify(message), signal: AbortSignal.timeout(30_000) });
      response.resume();
    } finally {
      if (method === "notifications/cancelled" && "params" in message) this.#exchanges.get(message.params?.requestId as RequestId)?.abort();
    }
    if (method === "notifications/initialized") void this.#listen();
  }

  async #ask(id: RequestId, message: JSONRPCMessage): Promise<void> {
    const exchange = new AbortController();
    this.#exchanges.set(id, exchange);
    const { signal } = exchange;
    let streams = false;
    try {
      const response = await this.#exchange({ method: "POST", body: JSON.stringify(message), signal });
      const session = response.headers["mcp-session-id"];
      if (typeof session === "string") this.sessionId = session;
      const type = mediaType(response);
      if (type === "text/event-stream") {
        streams = true;
        void this.#awaitAnswer(id, response, signal).finally(() => this.#exchanges.delete(id));
      } else if (type === "application/json") {
        this.#deliverBody(id, await readBody(response, this.#options.maxMessageBytes));
      } else {
        response.destroy();
        throw new HttpError(`the server answered with ${type || "no content type"} where JSON or an event stream is due`, {
          delivered: "unknown",
          status: response.statusCode,
        });
      }
    } finally {
      if (!streams) this.#exchanges.delete(id);
    }
  }

  #deliverBody(id: RequestId, body: Buffer): void {
    const messages = parseMessages(body.toString("utf8"));
    if (!messages.some((message) => answers(message, id)))
      messages.push(failedAnswer(id, -32603, "the server's answer is not JSON-RPC", LOST));
    for (const message of messages) this.onmessage?.(message);
  }

  /** Reads the stream until the answer has come; a stream that ends before is resumed where the server allows it. */
  async #awaitAnswer(id: RequestId, first: IncomingMessage, signal: AbortSignal): Promise<void> {
    let response = first;
    let lastEventId: string | undefined;
    let reason = "the connection ended before the answer";
    for (let attempt = 0; ; attempt++) {
      let answered: NodeJS.Timeout | undefined;
      const current = response;
      const end = await this.#read(current, (message) => {
        // After the answer the server closes the stream; one that does not is not waited for.
        if (answers(message, id)) answered ??= setTimeout(() => current.destroy(), AFTER_ANSWER_MS).unref();
        this.onmessage?.(message);
      });
      clearTimeout(answered);
      if (answered || signal.aborted) return;
      if (end.cause) reason = end.cause;
      lastEventId = end.lastEventId ?? lastEventId;
      if (lastEventId === undefined || attempt >= RESUME_ATTEMPTS) break;
      try {
        await sleep(end.retryMs, undefined, { signal });
        response = await this.#exchange({ method: "GET", headers: { accept: "text/event-stream", "last-event-id": lastEventId }, signal });
      } catch (error) {
        if (signal.aborted) return;
        reason = messageOf(error);
        break;
      }
    }
    this.onmessage?.(failedAnswer(id, -32000, reason, LOST));
  }

  /** The stream of what the server says unasked (`tools/list_changed`). A server need not have one. */
  async #listen(): Promise<void> {
    let lastEventId: string | undefined;
    for (let failures = 0; failures < LISTEN_ATTEMPTS; failures++) {
      let waitMs = 1_000 * 2 ** failures;
      const began = performance.now();
      try {
        const resume = lastEventId === undefined ? undefined : { "last-event-id": lastEventId };
        const response = await this.#exchange({
          method: "GET",
          headers: { accept: "text/event-stream", ...resume },
          signal: this.#closed.signal,
        });
        const end = await this.#read(response, (message) => this.onmessage?.(message));
        lastEventId = end.lastEventId ?? lastEventId;
        if (end.events > 0 || performance.now() - began > 10_000) {
          failures = 0;
          waitMs = end.retryMs;
        }
      } catch (error) {
        if (this.#closed.signal.aborted) return;
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
        if (error instanceof HttpError && error.status !== undefined) return;
      }
      if (!(await sleep(waitMs, true, { signal: this.#closed.signal, ref: false }).catch(() => false))) return;
    }
  }

  async #read(response: IncomingMessage, onMessage: (message: JSONRPCMessage) => void): Promise<StreamEnd> {
    const end: StreamEnd = { retryMs: 1_000, events: 0 };
    const reader = sseReader(this.#options.maxMessageBytes, {
      data: (text) => {
        end.events += 1;
        for (const message of parseMessages(text)) onMessage(message);
      },
      id: (id) => (end.lastEventId = id),
      retry: (ms) => (end.retryMs = Math.min(ms, 30_000)),
      overflow: () => {
        end.cause = `the server sent a message of more than ${this.#options.maxMessageBytes} bytes`;
        response.destroy();
      },
    });
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) reader.push(chunk);
    } catch (error) {
      end.cause ??= `the connection broke (${messageOf(error)})`;
    }
    return end;
  }

  /** One request and the head of its response; throws `HttpError` unless that is a success. */
  async #exchange(sent: Sent): Promise<IncomingMessage> {
    let url = this.#options.url;
    for (let redirects = 0; ; redirects++) {
      const response = await this.#request(url, sent);
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) return response;
      const target = redirectTarget(url, response);
      if (target && (status === 307 || status === 308) && sameOrigin(url, target) && redirects < REDIRECTS) {
        response.resume();
        url = target;
        continue;
      }
      const body = (await readBody(response, 16_384).catch(() => Buffer.alloc(0))).toString("utf8");
      const where = target ? ` and points to ${target.origin}${target.pathname}` : "";
      throw new HttpError(`the server answered with status ${status}${where}${bodyMessage(body)}`, {
        status,
        // A server that refuses a request has not acted on it; one that fails may have.
        delivered: status < 500 ? "no" : "unknown",
        sessionExpired: this.sessionId !== undefined && (status === 404 || (status === 400 && /session/i.test(body))),
      });
    }
  }

  #request(url: URL, { method, body, headers, signal }: Sent): Promise<IncomingMessage> {
    const secure = url.protocol === "https:";
    return new Promise((resolve, reject) => {
      let delivered: "no" | "unknown" = "no";
      const request = (secure ? https : http).request(url, {
        method,
        agent: this.#agent,
        headers: {
          ...(body === undefined
            ? {}
            : {
                accept: "application/json, text/event-stream",
                "content-type": "application/json",
                "content-length": Buffer.byteLength(body),
              }),
          ...(this.sessionId === undefined ? {} : { "mcp-session-id": this.sessionId }),
          ...(this.#protocolVersion === undefined ? {} : { "mcp-protocol-version": this.#protocolVersion }),
          ...headers,
          ...this.#options.headers,
        },
      });
      request.on("socket", (socket) => {
        if (!socket.connecting) delivered = "unknown";
        else socket.once(secure ? "secureConnect" : "connect", () => (delivered = "unknown"));
      });
      request.on("error", (error) => reject(new HttpError(`the server could not be reached (${messageOf(error)})`, { delivered })));
      let response: IncomingMessage | undefined;
      request.on("response", (arrived) => {
        response = arrived;
        // An abort may come when nobody reads any more.
        arrived.on("error", () => {});
        resolve(arrived);
      });
      // By hand and without an error: node gives that of its `signal` option to a socket that nobody may listen to any more.
      const onAbort = () => void (response ?? request).destroy();
      signal.addEventListener("abort", onAbort, { once: true });
      request.once("close", () => signal.removeEventListener("abort", onAbort));
      if (signal.aborted) onAbort();
      request.end(body);
    });
  }

  /** Tells the server that the session is over (within a second) and drops all connections. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    if (this.sessionId !== undefined) {
      await this.#exchange({ method: "DELETE", signal: AbortSignal.timeout(1_000) }).then(
        (response) => response.resume(),
        () => {},
      );
    }
    this.#closed.abort();
    for (const exchange of this.#exchanges.values()) exchange.abort();
    this.#agent.destroy();
    this.onclose?.();
  }
}

function answers(message: JSONRPCMessage, id: RequestId): boolean {
  return !("method" in message) && message.id === id;
}

function parseMessages(text: string): JSONRPCMessage[] {
  try {
    return toMessages(JSON.parse(text));
  } catch {
    return [];
  }
}

function mediaType(response: IncomingMessage): string {
  return (response.headers["content-type"] ?? "").split(";")[0].trim().toLowerCase();
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw new HttpError(`the connection broke (${messageOf(error)})`, { delivered: "unknown", status: response.statusCode });
  }
  return Buffer.concat(chunks, length);
}

/** What the body of a failure says, if it says it in JSON or in a short text. */
function bodyMessage(body: string): string {
  const trimmed = body.trim();
  let said = trimmed.startsWith("<") ? "" : trimmed;
  try {
    const parsed: unknown = JSON.parse(trimmed);
    const inner =
      isObject(parsed) && isObject(parsed.error)
        ? parsed.error.message
        : isObject(parsed)
          ? (parsed.error_description ?? parsed.message ?? parsed.error)
          : undefined;
    if (typeof inner === "string") said = inner;
  } catch {
    // Not JSON: the text itself.
  }
  return said === "" ? "" : `: ${said.replace(/\s+/g, " ").slice(0, 300)}`;
}

function redirectTarget(from: URL, response: IncomingMessage): URL | undefined {
  const location = response.headers.location;
  return location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/** Headers of the configuration go to the configured origin only (or its https form). */
function sameOrigin(from: URL, to: URL): boolean {
  return (
    from.origin === to.origin ||
    (from.protocol === "http:" && to.protocol === "https:" && from.hostname === to.hostname && from.port === "" && to.port === "")
  );
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
