// One MCP client of ours: its two tools, the snapshot it was shown, its runs.

import type { Catalog, SearchResult } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import type { Execution, ExecutionEvent, Runtime, RuntimeOptions } from "@airlock/runtime";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type RequestId,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { elicitation } from "./elicit.js";
import { outcomeResult } from "./outcome.js";

/** What of a runtime is served. */
export type ServedRuntime = Pick<Runtime, "instructions" | "execute" | "media"> & Partial<Pick<Runtime, "close">>;

export interface SessionOptions {
  /**
   * Makes the runtime of one client; it is closed with the client's session. `ask` reaches the person behind the client by
   * elicitation; it is undefined where the client cannot ask, and then the gate denies what it would ask for.
   */
  createRuntime(ask: RuntimeOptions["ask"]): ServedRuntime;
  /** The text of an execution that a model reads: the runtime's `formatExecution`. */
  formatExecution(execution: Execution): string;
  /** Default "airlock". */
  name?: string;
  version?: string;
  /** Said after the listing, e.g. `describeFailures(connections.failures)`. */
  notes?: () => string;
  /** Characters of a result that the text shows. Default 100,000. */
  textLimit?: number;
}

export interface Session {
  readonly server: Server;
  /** Requests that are being worked on. */
  readonly active: number;
  catalogChanged(): void;
  close(): Promise<void>;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Arguments = { [key: string]: unknown };

const HEARTBEAT_MS = 5_000;
const PROGRESS_EVERY_MS = 50;

export function createSession(options: SessionOptions): Session {
  const server = new Server(
    { name: options.name ?? "airlock", version: options.version ?? "0.1.0" },
    {
      capabilities: { tools: { listChanged: true } },
      instructions:
        "Write a program for `execute`: it calls many tools in one go and returns only what you need. `search` finds tools and shows their signatures.",
    },
  );
  const runs = new Map<RequestId, Set<string>>();
  let runtime: ServedRuntime | undefined;
  let shown: Catalog | undefined;

  /** Only after the handshake is it known whether the client can ask. */
  function theRuntime(): ServedRuntime {
    runtime ??= options.createRuntime(
      elicitation(server, ({ id }) => [...runs].find(([, questions]) => questions.has(id))?.[0] ?? [...runs.keys()].at(-1)),
    );
    return runtime;
  }

  /** What the model is shown from here on is what its programs are checked against. */
  function show(): ReturnType<Runtime["instructions"]> {
    const instructions = theRuntime().instructions();
    shown = instructions.snapshot;
    return instructions;
  }

  async function execute(input: Arguments, extra: Extra): Promise<CallToolResult> {
    if (typeof input.code !== "string") return failure('`code` is missing: { "code": "the program" }.');
    const questions = new Set<string>();
    runs.set(extra.requestId, questions);
    const progress = reportProgress(extra);
    try {
      const running = theRuntime();
      const execution = await running.execute(input.code, {
        // It came as JSON.
        ...(input.input === undefined ? {} : { input: input.input as Json }),
        signal: extra.signal,
        catalog: shown ?? show().snapshot,
        onEvent: (event) => {
          if (event.type === "asked") questions.add(event.question.id);
          progress.on(event);
        },
      });
      return outcomeResult(execution, {
        formatExecution: options.formatExecution,
        media: (id) => running.media(id),
        textLimit: options.textLimit ?? 100_000,
      });
    } catch (error) {
      return failure(`The program could not be run: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      progress.stop();
      runs.delete(extra.requestId);
    }
  }

  function search(input: Arguments): CallToolResult {
    if (typeof input.query !== "string") return failure('`query` is missing: { "query": "words" }.');
    const count = (value: unknown) => (typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined);
    const [limit, offset] = [count(input.limit), count(input.offset)];
    const result = show().snapshot.search(input.query, {
      ...(typeof input.server === "string" ? { server: input.server } : {}),
      ...(limit === undefined ? {} : { limit: Math.min(limit, 100) }),
      ...(offset === undefined ? {} : { offset }),
    });
    return { content: [{ type: "text", text: searchText(result) }], structuredContent: { ...result } };
  }

  server.setRequestHandler(ListToolsRequestSchema, () => {
    const { description, catalog } = show();
    return {
      tools: [executeTool([description, catalog, options.notes?.() ?? ""].filter((part) => part !== "").join("\n\n")), SEARCH_TOOL],
    };
  });
  let active = 0;
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    active += 1;
    try {
      if (params.name === "execute") return await execute(params.arguments ?? {}, extra);
      if (params.name === "search") return search(params.arguments ?? {});
    } finally {
      active -= 1;
    }
    throw new McpError(
      ErrorCode.InvalidParams,
      `There is no tool ${params.name}; there are execute and search. Other tools are called in a program: execute({ code: "return await tools.…" })`,
    );
  });

  return {
    server,
    get active() {
      return active;
    },
    catalogChanged() {
      // Before the handshake there is nothing that the client could have read.
      if (server.getClientVersion()) server.sendToolListChanged().catch(() => {});
    },
    async close() {
      await server.close();
      await runtime?.close?.();
      runtime = undefined;
    },
  };
}

function executeTool(description: string): Tool {
  return {
    name: "execute",
    title: "Run a program",
    description,
    inputSchema: {
      type: "object",
      properties: {
        code: { type: "string", description: "The program: JavaScript or TypeScript with top-level await; `return` gives the result." },
        input: { description: "JSON that the program sees as `input`." },
      },
      required: ["code"],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  };
}

const SEARCH_TOOL: Tool = {
  name: "search",
  title: "Find tools",
  description: "Finds tools that programs can call, and shows their signatures.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", description: 'Words of what the tool should do; "" lists all.' },
      server: { type: "string", description: "Only this server's tools." },
      limit: { type: "integer", minimum: 1, maximum: 100 },
      offset: { type: "integer", minimum: 0 },
    },
    required: ["query"],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

function searchText({ items, remaining, next }: SearchResult): string {
  if (items.length === 0) return 'No tool found. Try other words, or the query "" to list all tools.';
  const lines = items.map(
    ({ signature, description }) => `${signature}${description === "" ? "" : `\n  ${description.replace(/\s+/g, " ").slice(0, 300)}`}`,
  );
  if (next) lines.push(`${remaining} more: search again with offset ${next.offset}.`);
  return lines.join("\n");
}

function failure(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Progress for a client that asked for it: at calls, and from time to time, so that the client's patience starts anew. */
function reportProgress(extra: Extra): { on(event: ExecutionEvent): void; stop(): void } {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return { on: () => {}, stop: () => {} };
  let progress = 0;
  let settled = 0;
  let last = 0;
  const send = (message: string) => {
    last = performance.now();
    extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress: ++progress, message } }).catch(() => {});
  };
  const heartbeat = setInterval(() => send(`running, ${settled} calls done`), HEARTBEAT_MS);
  return {
    on(event) {
      if (event.type === "call.settled") settled += 1;
      if (event.type !== "call.started" && event.type !== "call.settled" && event.type !== "call.progress") return;
      if (progress > 0 && performance.now() - last < PROGRESS_EVERY_MS) return;
      send(
        event.type === "call.started"
          ? `calls ${event.call.path}`
          : event.type === "call.settled"
            ? `${settled} calls done`
            : "a call goes on",
      );
    },
    stop: () => clearInterval(heartbeat),
  };
}
