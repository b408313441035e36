// Code mode: the model gets one tool, `execute`, and writes programs that call the others.

import type { Catalog } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import type { Execution, Runtime } from "@airlock/runtime";
import { text, type ToolCallPart } from "../messages.js";
import { wireNames } from "./names.js";
import { mediaParts, type Toolset } from "./toolset.js";

export interface CodeModeOptions {
  /** What the model reads of an execution. Default: the runtime's `formatExecution`. */
  formatExecution?: (execution: Execution) => string;
}

export function codeMode(runtime: Runtime, options: CodeModeOptions): Toolset {
  const { description, catalog, snapshot } = runtime.instructions();
  return {
    definitions: [
      {
        name: "execute",
        description,
        inputSchema: {
          type: "object",
          properties: { code: { type: "string", description: "The program: JavaScript or TypeScript, as the body of an async function." } },
          required: ["code"],
          additionalProperties: false,
        },
      },
    ],
    system: [catalog],
    // Programs of one answer were written in an order, and may count on it.
    concurrent: false,
    refuse(call) {
      if (call.name !== "execute") return notATool(call, snapshot, catalog.includes("search("));
      if (typeof call.input.code === "string") return undefined;
      return `execute takes { "code": "…" }, with the whole program as one string; it got ${shape(call.input)}. Nothing ran.`;
    },
    async run(call, { sessionId, messageId, agent, signal, onEvent }) {
      const code = String(call.input.code);
      const execution = await runtime.execute(code, {
        catalog: snapshot,
        sessionId,
        messageId,
        signal,
        onEvent,
        ...(agent === undefined ? {} : { agent }),
      });
      // Only now, because a caller with a format of its own (a test) needs no runtime.
      const format = options.formatExecution ?? (await import("@airlock/runtime")).formatExecution;
      const failed = execution.status === "failed" ? execution.error.kind : undefined;
      return {
        state: failed === undefined ? "completed" : failed === "aborted" ? "interrupted" : "error",
        content: [text(format(execution)), ...(execution.status === "completed" ? mediaParts(runtime, handlesIn(execution.value)) : [])],
        calls: execution.calls,
        rejected: failed === "rejected",
      };
    },
  };
}

/** Weak models call a catalog's tools by themselves. The answer is the program to send, with the input they gave. */
function notATool(call: ToolCallPart, snapshot: Catalog, searchable: boolean): string {
  const path = pathOf(call.name, snapshot);
  const head = `The only tool that can be called is execute, so nothing ran.`;
  const program = (name: string, code: string): string =>
    `${head} ${name} is a function for programs. Call execute with ${JSON.stringify({ code })}`;
  if (path !== undefined)
    return program(path, `return await ${path}(${Object.keys(call.input).length > 0 ? JSON.stringify(call.input) : ""})`);
  if (searchable && /^(tools[._])?search$/.test(call.name)) {
    const query = Object.values(call.input).find((value) => typeof value === "string") ?? "";
    return program("search", `return search(${JSON.stringify(query)})`);
  }
  const found = snapshot.resolve(call.name);
  const nearest =
    "nearest" in found && found.nearest.length > 0
      ? ` Programs have no ${JSON.stringify(call.name)} either; the nearest names are ${found.nearest.join(", ")}.`
      : "";
  return `${head} Everything else that you have been told of is used inside a program: execute({ "code": "…" }).${nearest}`;
}

/** A catalog's tool by its path, or by the name that it would have by itself (`github_create_issue`, `github__create_issue`, `mcp__github__…`). */
function pathOf(name: string, snapshot: Catalog): string | undefined {
  const found = snapshot.resolve(name);
  if ("tool" in found) return snapshot.get(found.tool.server, found.tool.name)?.path;
  const plain = name.replace(/^(functions\.|mcp__)/, "").replace(/__/g, "_");
  const names = wireNames(snapshot.registrations);
  return names.get(plain)?.path;
}

function shape(input: { [key: string]: Json }): string {
  const keys = Object.keys(input);
  if (keys.length === 0) return "an empty object";
  return Object.hasOwn(input, "code")
    ? `"code" that is ${Array.isArray(input.code) ? "an array" : input.code === null ? "null" : `of type ${typeof input.code}`}`
    : `the fields ${keys.slice(0, 10).join(", ")}`;
}

/** Media handles in a result, wherever they stand. The result is in the limits of the run, so walking it is cheap. */
function* handlesIn(value: Json): Generator<{ media: string; mimeType: string; bytes: number }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) {
    const { media, mimeType, bytes } = value;
    if (typeof media === "string" && typeof mimeType === "string" && typeof bytes === "number") {
      yield { media, mimeType, bytes };
      return;
    }
  }
  for (const inner of Object.values(value)) yield* handlesIn(inner);
}
