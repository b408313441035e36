// A runtime whose "programs" are JSON commands, so that serving is tested without running programs.

import type { Catalog, PermissionRequest } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import type { Answer, CallRecord, Execution, ExecuteOptions, Question, RuntimeOptions } from "@airlock/runtime";
import type { ServedRuntime } from "../dist/src/index.js";

type Command =
  | { do: "return"; value: Json }
  | { do: "fail" }
  | { do: "wait" }
  | { do: "calls"; ms: number }
  | { do: "ask"; requests?: number }
  | { do: "throw" }
  | { do: "catalog" };

export interface FakeRuntime extends ServedRuntime {
  ask: RuntimeOptions["ask"];
  aborted: number;
  closed: boolean;
  /** Changes the catalog. */
  version: string;
}

export function fakeRuntime(ask: RuntimeOptions["ask"]): FakeRuntime {
  const runtime: FakeRuntime = {
    ask,
    aborted: 0,
    closed: false,
    version: "v1",
    instructions: () => ({
      description: "Runs a program.",
      catalog: `issues (10 tools), ${runtime.version}`,
      snapshot: snapshot(runtime.version),
    }),
    execute: (code, options = {}) => execute(runtime, JSON.parse(code) as Command, options),
    media: (id) => (id === "media-1" ? { type: "image", data: "AAAA", mimeType: "image/png" } : undefined),
    close: async () => {
      runtime.closed = true;
    },
  };
  return runtime;
}

/** Only what serving uses of a catalog. */
function snapshot(version: string): Catalog {
  const search: Catalog["search"] = (query, options) => ({
    items: [
      {
        path: "tools.issues.list_issues",
        description: `Finds ${query}`,
        signature: "tools.issues.list_issues(input: { repo: string }): Promise<unknown>",
        score: 1,
      },
    ],
    remaining: 4,
    next: { offset: (options?.offset ?? 0) + 1 },
  });
  return { version, search } as Catalog;
}

async function execute(runtime: FakeRuntime, command: Command, options: ExecuteOptions): Promise<Execution> {
  const finish = (value: Json, calls: CallRecord[] = []): Execution => ({
    status: "completed",
    value,
    logs: [],
    warnings: [],
    stats,
    id: "run-1",
    calls,
  });
  switch (command.do) {
    case "return":
      return { ...finish(command.value), logs: [{ level: "log", text: `input ${JSON.stringify(options.input)}`, args: [] }] };
    case "catalog":
      return finish(options.catalog?.version ?? null);
    case "fail":
      return {
        status: "failed",
        error: {
          kind: "tool-failed",
          name: "McpError",
          message: "out of order",
          location: { line: 2, column: 7 },
          frame: "  await x\n  ^",
          hints: ["Try again."],
        },
        logs: [],
        warnings: [],
        stats,
        id: "run-1",
        calls: [record("completed"), record("error"), record("interrupted"), record("error", "deny")],
      };
    case "throw":
      throw new Error("broken host");
    case "wait":
      return new Promise((resolve) => {
        options.signal?.addEventListener("abort", () => {
          runtime.aborted += 1;
          resolve(finish(null));
        });
      });
    case "calls":
      for (let call = 0; call < 3; call++) {
        options.onEvent?.({ type: "call.started", executionId: "run-1", call: record("running") });
        await new Promise((resolve) => setTimeout(resolve, command.ms));
        options.onEvent?.({ type: "call.settled", executionId: "run-1", call: record("completed") });
      }
      return finish("called");
    case "ask": {
      const question = makeQuestion(command.requests ?? 1);
      options.onEvent?.({ type: "asked", executionId: "run-1", question });
      const answer: Answer | "nobody" = (await runtime.ask?.(question, options.signal ?? new AbortController().signal)) ?? "nobody";
      return finish(JSON.parse(JSON.stringify(answer)) as Json);
    }
  }
}

const stats = { steps: 1, computeMs: 1, wallMs: 1, allocatedBytes: 0, peakDepth: 1, toolCalls: 0, seed: 1, cachedProgram: false };

function record(state: CallRecord["state"], action: "allow" | "deny" = "allow"): CallRecord {
  return {
    id: "call-1",
    path: "tools.issues.create_issue",
    server: "issues",
    name: "create_issue",
    input: { title: "x" },
    state,
    decision: { action, by: "rule" },
    startedAt: 0,
  };
}

function makeQuestion(requests: number): Question {
  const part = (index: number): PermissionRequest => ({
    permission: index === 0 ? "issues.create_issue" : "edit",
    patterns: ['{"title":"x"}'],
    always: index === 0 ? ["*"] : [],
    metadata: index === 0 ? {} : { diff: "- old\n+ new" },
  });
  return {
    id: "question-1",
    callId: "call-1",
    path: "tools.issues.create_issue",
    input: { title: "x" },
    location: { line: 3, column: 1 },
    line: "await tools.issues.create_issue({ title })",
    requests: Array.from({ length: requests }, (_, index) => part(index)),
    batch: "batch-1",
    batchSize: 1,
  };
}
