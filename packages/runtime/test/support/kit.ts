// Short words for tests.

import { createCatalog, type Catalog, type Tool } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import { createRuntime, type Answer, type ExecutionEvent, type Question, type Runtime, type RuntimeOptions } from "../../dist/src/index.js";

export type Execute = Tool["execute"];

/** A tool `server.name`. Without a function it gives its input back. */
export function tool(path: string, execute: Execute = (input) => Promise.resolve(input), more: Partial<Tool> = {}): Tool {
  const [server, name] = path.split(".");
  return { server, name, inputSchema: { type: "object" }, execute, ...more };
}

export function catalogOf(...tools: Tool[]): Catalog {
  return createCatalog(tools);
}

export function runtimeOf(tools: Tool[] | RuntimeOptions["catalog"], more: Partial<RuntimeOptions> = {}): Runtime {
  return createRuntime({ catalog: Array.isArray(tools) ? createCatalog(tools) : tools, permission: { "*": "allow" }, ...more });
}

/** Somebody to ask, who answers in turn with the answers given, and keeps the questions. */
export function person(...answers: (Answer | Promise<Answer>)[]): {
  ask: NonNullable<RuntimeOptions["ask"]>;
  questions: Question[];
  signals: AbortSignal[];
} {
  const questions: Question[] = [];
  const signals: AbortSignal[] = [];
  return {
    questions,
    signals,
    ask: async (question, signal) => {
      questions.push(question);
      signals.push(signal);
      return answers[Math.min(questions.length, answers.length) - 1] ?? new Promise<Answer>(() => {});
    },
  };
}

export function recorder(): { events: ExecutionEvent[]; onEvent: (event: ExecutionEvent) => void; types: () => string[] } {
  const events: ExecutionEvent[] = [];
  return { events, onEvent: (event) => void events.push(event), types: () => events.map((event) => event.type) };
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const never = (): Promise<Json> => new Promise(() => {});
