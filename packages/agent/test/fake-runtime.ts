// A runtime by its interface alone: programs are looked up by their text, tools are functions.

import type { Catalog, ContentBlock, JsonSchema, Registration } from "@airlock/catalog";
import type { Diagnostic, Json } from "@airlock/interpreter";
import type { CallOptions, CallRecord, ExecuteOptions, Execution, Runtime } from "@airlock/runtime";

export interface FakeTool {
  server: string;
  name: string;
  description?: string;
  inputSchema?: JsonSchema;
  toModel?: (value: Json) => { text: string };
  run?: (input: Json, options: CallOptions) => Json | Promise<Json>;
}

export interface FakeRuntime extends Runtime {
  executed: { code: string; options: ExecuteOptions }[];
  called: { path: string; input: Json; options: CallOptions }[];
}

export function fakeRuntime(
  options: {
    tools?: FakeTool[];
    execute?: (code: string, options: ExecuteOptions) => Execution | Promise<Execution>;
    media?: { [id: string]: ContentBlock };
    failCall?: (path: string) => Diagnostic | undefined;
    catalog?: string;
  } = {},
): FakeRuntime {
  const tools = options.tools ?? [{ server: "github", name: "list_issues" }];
  const snapshot = fakeCatalog(tools);
  const executed: FakeRuntime["executed"] = [];
  const called: FakeRuntime["called"] = [];
  return {
    executed,
    called,
    instructions: () => ({
      description: "Run a program.",
      catalog: options.catalog ?? `Tools: ${snapshot.registrations.map(({ path }) => path).join(", ")}`,
      snapshot,
    }),
    async execute(code, given = {}) {
      executed.push({ code, options: given });
      return (options.execute ?? ((program) => completed(program)))(code, given);
    },
    async call(path, input, given = {}) {
      called.push({ path, input, options: given });
      const tool = tools.find(({ server, name }) => pathOf(server, name) === path)!;
      const error = options.failCall?.(path);
      if (error) return { ...record(path, input), state: "error", error };
      return record(path, input, (await tool.run?.(input, given)) ?? null);
    },
    media: (id) => options.media?.[id],
    plan: () => raise(),
    explain: async () => raise(),
    close: async () => {},
  };
}

function raise(): never {
  throw new Error("the loop does not use this");
}

export function completed(value: Json, calls: CallRecord[] = []): Execution {
  return { id: "exe_1", status: "completed", value, calls, logs: [], warnings: [], stats };
}

export function failed(error: Partial<Diagnostic> & Pick<Diagnostic, "kind">, calls: CallRecord[] = []): Execution {
  return { id: "exe_1", status: "failed", error: { message: error.kind, hints: [], ...error }, calls, logs: [], warnings: [], stats };
}

/** As short as a text for the model can be. */
export function formatExecution(execution: Execution): string {
  return execution.status === "completed"
    ? `result: ${JSON.stringify(execution.value)}`
    : `${execution.error.kind}: ${execution.error.message}`;
}

export function record(path: string, input: Json, value: Json = null): CallRecord {
  const [, server, name] = path.split(".");
  const result = { value, attachments: [], metadata: {}, complete: true };
  return {
    id: "call_1",
    path,
    server,
    name,
    input,
    state: "completed",
    decision: { action: "allow", by: "rule" },
    result,
    startedAt: 1,
    endedAt: 2,
  };
}

const stats = { steps: 1, computeMs: 1, wallMs: 1, allocatedBytes: 1, peakDepth: 1, toolCalls: 0, seed: 1, cachedProgram: false };

function fakeCatalog(tools: FakeTool[]): Catalog {
  const registrations = tools.map(({ server, name, description, inputSchema, toModel }): Registration => ({
    id: `reg_${server}_${name}`,
    path: pathOf(server, name),
    tool: {
      server,
      name,
      description: description ?? `${name} of ${server}`,
      inputSchema: inputSchema ?? { type: "object" },
      execute: async () => null,
      ...(toModel ? { toModel } : {}),
    },
  }));
  const plain = (path: string): string => path.replace(/^tools\./, "");
  return {
    version: "1",
    registrations,
    warnings: [],
    aliases: {},
    listing: () => "",
    search: () => ({ items: [], remaining: 0, next: null }),
    resolve(path) {
      const found = registrations.find((each) => plain(each.path) === plain(path));
      return found
        ? { tool: found.tool }
        : { nearest: registrations.filter((each) => each.tool.name.slice(0, 4) === path.slice(0, 4)).map((each) => each.path) };
    },
    signature: () => "",
    declarations: () => "",
    get: (server, name) => registrations.find(({ tool }) => tool.server === server && tool.name === name),
    validateInput: async (_, value) => ({ ok: true, value }),
    validateOutput: async (_, value) => ({ ok: true, value }),
    filter: () => fakeCatalog(tools),
  };
}

function pathOf(server: string, name: string): string {
  return `tools.${server}${/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`}`;
}
