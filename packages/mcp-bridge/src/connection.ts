// One server, from start to end: its tools, its calls, its restarts.

import { isDeepStrictEqual } from "node:util";
import type { CallContext, Tool, ToolResult } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ErrorCode, McpError, ToolListChangedNotificationSchema, type Implementation } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { ResolvedConfig, ServerConfig } from "./config.js";
import { HttpError, OutcomeUnknownError, ServerAnswerError, ServerStartError, ServerUnavailableError } from "./errors.js";
import { exitText, lastLines, messageOf, startFailure } from "./failure.js";
import { HttpTransport, LOST } from "./http.js";
import { listTools, type ListingLimits, type ToolDefinition } from "./listing.js";
import { isObject } from "./message.js";
import { toToolResult } from "./result.js";
import { NotSentError, StdioTransport } from "./stdio.js";

/** setTimeout's longest. How long a call may take is the runtime's limit (`toolMs`), not the SDK's 60 seconds. */
const NO_TIMEOUT = 2_147_483_647;
const RESTARTS = 5;
const RESTARTS_WITHIN_MS = 60_000;
const RELOAD_AFTER_MS = 100;
const DESCRIPTION_LENGTH = 300;

export type ServerState = "starting" | "ready" | "failed" | "lost" | "restarting" | "closed";

export interface ConnectionOptions {
  server: string;
  config: ServerConfig;
  resolved: ResolvedConfig;
  trusted: boolean;
  startTimeoutMs: number;
  maxMessageBytes: number;
  listing: ListingLimits;
  clientInfo: Implementation;
  onState(state: ServerState, message?: string): void;
  /** The server's tools are others than before. */
  onTools(): void;
}

interface Link {
  client: Client;
  transport: StdioTransport | HttpTransport;
}

export class Connection {
  tools: readonly Tool[] = [];
  warnings: readonly string[] = [];
  /** Why the server is not there, while it is not. */
  failure?: ServerStartError;
  state: ServerState = "starting";

  readonly #options: ConnectionOptions;
  readonly #closing = new AbortController();
  readonly #ends = new Set<Promise<void>>();
  #link?: Link;
  #last?: Link;
  #opening?: Promise<Link>;
  #restarts: number[] = [];
  #definitions: readonly ToolDefinition[] = [];
  #reload?: NodeJS.Timeout;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** What `doctor` shows: who the server says it is, noise on its stdout, the last of its stderr. */
  get details(): {
    info?: Implementation;
    protocol: "stdio" | "http";
    pid?: number;
    noise?: { lines: number; last: string[] };
    stderr?: string;
  } {
    const link = this.#link ?? this.#last;
    const { redact, kind } = this.#options.resolved;
    const info = link?.client.getServerVersion();
    return {
      protocol: kind,
      ...(info ? { info } : {}),
      ...(link?.transport instanceof StdioTransport
        ? {
            pid: link.transport.pid,
            noise: { lines: link.transport.noise.lines, last: link.transport.noise.last.map((line) => lastLines(redact(line))) },
            stderr: redact(lastLines(link.transport.stderr)),
          }
        : {}),
    };
  }

  /** Connects and lists the tools within the deadline. Throws `ServerStartError`. */
  async start(signal?: AbortSignal): Promise<void> {
    await this.#openOnce(() => this.#open(signal));
  }

  /** One tools/call. Throws `OutcomeUnknownError`, `ServerUnavailableError` or `ServerAnswerError`, or the signal's reason. */
  async call(tool: string, input: Json, context: CallContext): Promise<ToolResult> {
    let link = await this.#ready(context.signal);
    for (let renewed = false; ; renewed = true) {
      try {
        return await this.#ask(link, tool, input, context);
      } catch (error) {
        if (context.signal.aborted) throw context.signal.reason;
        // In both cases the server cannot have acted on the call, so it may be sent once more.
        const notTaken = error instanceof NotSentError || (error instanceof HttpError && error.sessionExpired);
        if (!notTaken || renewed) throw this.#explain(error, link, context.path);
        this.#drop(link);
        link = await this.#ready(context.signal);
      }
    }
  }

  /** Ends the server with all its children. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the connections are being closed"));
    clearTimeout(this.#reload);
    if (this.#link) this.#drop(this.#link);
    await this.#opening?.catch(() => {});
    while (this.#ends.size > 0) await Promise.all(this.#ends);
    if (this.state !== "failed") this.#setState("closed");
  }

  async #ask({ client }: Link, name: string, input: Json, context: CallContext): Promise<ToolResult> {
    context.signal.throwIfAborted();
    // The SDK never takes its listener off the signal again, so it gets one that lives as long as the call.
    const cancel = new AbortController();
    const onAbort = () => cancel.abort(messageOf(context.signal.reason));
    context.signal.addEventListener("abort", onAbort, { once: true });
    try {
      const request = { method: "tools/call" as const, params: { name, arguments: input as { [key: string]: unknown } } };
      const result = await client.request(request, z.unknown(), {
        signal: cancel.signal,
        timeout: NO_TIMEOUT,
        onprogress: ({ progress, total, message }) =>
          context.metadata({ progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) }),
      });
      return toToolResult(isObject(result) ? result : {});
    } finally {
      context.signal.removeEventListener("abort", onAbort);
    }
  }

  #explain(error: unknown, { transport }: Link, path: string): Error {
    const { server, resolved } = this.#options;
    const name = `MCP server "${server}"`;
    if (error instanceof HttpError) {
      const message = resolved.redact(`${name}: ${messageOf(error)}`);
      if (error.delivered === "unknown") return new OutcomeUnknownError(server, path, message);
      return new ServerUnavailableError(server, `${message}. The call did not happen.`, "Try again later, or do without this server.");
    }
    if (error instanceof NotSentError)
      return new ServerUnavailableError(server, `${name} has ended. The call did not happen.`, "Do without this server.");
    if (!(error instanceof McpError)) return error instanceof Error ? error : new Error(String(error));
    if (error.data === LOST) return new OutcomeUnknownError(server, path, `${name}: ${messageOf(error)}`);
    // Also a server may answer with this code; then its connection still stands.
    if (error.code === ErrorCode.ConnectionClosed && this.#link?.transport !== transport) {
      if (!(transport instanceof StdioTransport) || this.#closing.signal.aborted)
        return new OutcomeUnknownError(server, path, `${name} was disconnected`);
      const stderr = lastLines(transport.stderr);
      const how = transport.broken ? `was ended (${transport.broken})` : `ended ${exitText(transport)}`;
      return new OutcomeUnknownError(
        server,
        path,
        resolved.redact(`${name} ${how}${stderr === "" ? "" : ` (stderr: ${stderr.slice(-300)})`}`),
      );
    }
    return new ServerAnswerError(server, error.code, resolved.redact(messageOf(error)), error.data as Json | undefined);
  }

  async #ready(signal: AbortSignal): Promise<Link> {
    const { server } = this.#options;
    if (this.#closing.signal.aborted)
      throw new ServerUnavailableError(server, `MCP server "${server}" is closed. The call did not happen.`, "");
    if (this.#link) return this.#link;
    return abortable(this.#opening ?? this.#openOnce(() => this.#reopen()), signal);
  }

  #openOnce(open: () => Promise<Link>): Promise<Link> {
    const opening = open().finally(() => (this.#opening = undefined));
    // All who wait for it may have been aborted before it fails.
    opening.catch(() => {});
    this.#opening = opening;
    return opening;
  }

  async #reopen(): Promise<Link> {
    const { server } = this.#options;
    const now = performance.now();
    this.#restarts = this.#restarts.filter((time) => now - time < RESTARTS_WITHIN_MS);
    if (this.#restarts.length >= RESTARTS) {
      throw new ServerUnavailableError(
        server,
        `MCP server "${server}" has ended ${RESTARTS} times within a minute and is not started again yet. The call did not happen.`,
        "Do without this server, or try again in a minute.",
      );
    }
    this.#restarts.push(now);
    this.#setState("restarting");
    try {
      return await this.#open();
    } catch (error) {
      throw new ServerUnavailableError(
        server,
        `${messageOf(error)}. The call did not happen.`,
        error instanceof ServerStartError ? error.hint : "",
      );
    }
  }

  async #open(signal?: AbortSignal): Promise<Link> {
    const { server, resolved, startTimeoutMs, clientInfo } = this.#options;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error("deadline")), startTimeoutMs);
    const stop = AbortSignal.any([deadline.signal, this.#closing.signal, ...(signal ? [signal] : [])]);
    const transport = this.#transport();
    const client = new Client(clientInfo, { capabilities: {} });
    const link: Link = { client, transport };
    this.#last = link;
    client.onclose = () => this.#onClosed(link);
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#reloadSoon(link));
    try {
      await abortable(client.connect(transport, { signal: stop, timeout: NO_TIMEOUT }), stop);
      this.#link = link;
      await this.#list(link, stop);
    } catch (error) {
      const timeoutMs = deadline.signal.aborted ? startTimeoutMs : undefined;
      if (error instanceof NotSentError && transport instanceof StdioTransport) await abortable(transport.ended(), stop).catch(() => {});
      this.#drop(link);
      this.failure = startFailure({ server, config: resolved, transport, error, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
      this.#setState("failed", this.failure.message);
      throw this.failure;
    } finally {
      clearTimeout(timer);
    }
    this.failure = undefined;
    this.#setState("ready");
    return link;
  }

  #transport(): StdioTransport | HttpTransport {
    const { resolved, maxMessageBytes } = this.#options;
    return resolved.kind === "stdio"
      ? new StdioTransport({ ...resolved, maxMessageBytes })
      : new HttpTransport({ ...resolved, maxMessageBytes });
  }

  async #list(link: Link, signal: AbortSignal): Promise<void> {
    const listing = await listTools(async (cursor) => {
      const request = { method: "tools/list" as const, params: cursor === undefined ? {} : { cursor } };
      try {
        return await link.client.request(request, z.unknown(), { signal, timeout: NO_TIMEOUT });
      } catch (error) {
        if (error instanceof McpError && error.code === ErrorCode.MethodNotFound) return { tools: [] };
        throw error;
      }
    }, this.#options.listing);
    this.warnings = listing.warnings;
    if (isDeepStrictEqual(listing.definitions, this.#definitions)) return;
    const before = new Map(this.#definitions.map((definition, index) => [definition.name, { definition, tool: this.tools[index] }]));
    const serverDescription = this.#description(link.client);
    this.tools = listing.definitions.map((definition) => {
      const known = before.get(definition.name);
      // A tool that is as it was stays the same object, so a new catalog can tell that nothing replaced it.
      return known && isDeepStrictEqual(known.definition, definition) ? known.tool : this.#tool(definition, serverDescription);
    });
    this.#definitions = listing.definitions;
    if (this.state !== "starting") this.#options.onTools();
  }

  #tool(definition: ToolDefinition, serverDescription: string | undefined): Tool {
    const { server, trusted } = this.#options;
    return {
      server,
      ...(serverDescription === undefined ? {} : { serverDescription }),
      ...definition,
      foreign: true,
      trusted,
      execute: (input, context) => this.call(definition.name, input, context),
    };
  }

  /** The configuration's words, else the first paragraph of the server's instructions, else its title. */
  #description(client: Client): string | undefined {
    const { config } = this.#options;
    if (typeof config.description === "string") return config.description;
    const info = client.getServerVersion();
    const said =
      client
        .getInstructions()
        ?.trim()
        .split(/\n\s*\n/)[0] ||
      info?.description ||
      info?.title;
    const line = said?.replace(/\s+/g, " ").trim();
    return line && line.length > DESCRIPTION_LENGTH ? `${line.slice(0, DESCRIPTION_LENGTH - 1)}…` : line || undefined;
  }

  /** A burst of notifications is one reload. */
  #reloadSoon(link: Link): void {
    if (this.#reload || this.#link !== link) return;
    this.#reload = setTimeout(() => {
      this.#reload = undefined;
      if (this.#link !== link) return;
      this.#list(link, AbortSignal.timeout(this.#options.startTimeoutMs)).catch((error: unknown) => {
        this.warnings = [...this.warnings, `the tool list could not be read again (${messageOf(error)}): the old one stays`];
      });
    }, RELOAD_AFTER_MS);
  }

  #onClosed(link: Link): void {
    if (this.#link !== link) return;
    this.#drop(link);
    if (!this.#closing.signal.aborted && this.state === "ready")
      this.#setState("lost", link.transport instanceof StdioTransport ? `ended ${exitText(link.transport)}` : "disconnected");
  }

  #drop(link: Link): void {
    if (this.#link === link) this.#link = undefined;
    const end: Promise<void> = link.transport.close().finally(() => this.#ends.delete(end));
    this.#ends.add(end);
  }

  #setState(state: ServerState, message?: string): void {
    this.state = state;
    this.#options.onState(state, message);
  }
}

/** The promise, or the signal's reason as soon as it aborts. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
