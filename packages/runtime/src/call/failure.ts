// The ways in which a call fails, as errors that cross into the program and as diagnostics of the record.

import { types } from "node:util";
import { ToolError, type Diagnostic, type DiagnosticKind, type Json, type Limits } from "@airlock/interpreter";

/** The `error.name` that a program sees. */
const NAMES: Partial<Record<DiagnosticKind, string>> = {
  "unknown-tool": "UnknownToolError",
  "stale-tool": "StaleToolError",
  "invalid-input": "InvalidInputError",
  "invalid-output": "InvalidOutputError",
  denied: "DeniedError",
  rejected: "RejectedError",
  aborted: "AbortError",
  limit: "LimitError",
};

/** A call that failed, with everything that its record and the program are told. */
export class CallFailure extends ToolError {
  constructor(
    kind: DiagnosticKind,
    message: string,
    options: { name?: string; hints?: string[]; limit?: keyof Limits; data?: Json; fatal?: boolean; outcomeUnknown?: boolean } = {},
  ) {
    const name = options.name ?? NAMES[kind] ?? "ToolError";
    const diagnostic: Partial<Diagnostic> = { kind, message, hints: options.hints ?? [] };
    if (options.limit !== undefined) diagnostic.limit = options.limit;
    if (kind === "tool-failed") diagnostic.name = name;
    super(message, { name, diagnostic, data: options.data, fatal: options.fatal, outcomeUnknown: options.outcomeUnknown });
  }
}

/** The diagnostic of a failure, for the record. */
export function diagnosticOf(failure: CallFailure): Diagnostic {
  return { kind: "internal", message: failure.message, hints: [], ...failure.diagnostic };
}

/**
 * What a tool threw, as a failure of its call: only name and message cross, both bounded. Reads nothing that could run code of the thrown value.
 */
export function thrownByTool(path: string, thrown: unknown): CallFailure {
  if (thrown instanceof CallFailure) return thrown;
  if (thrown instanceof ToolError) {
    const { diagnostic } = thrown;
    return new CallFailure(diagnostic.kind ?? "tool-failed", thrown.message, {
      name: thrown.name,
      hints: diagnostic.hints,
      limit: diagnostic.limit,
      data: thrown.data,
      fatal: thrown.fatal,
      outcomeUnknown: thrown.outcomeUnknown,
    });
  }
  const name = ownText(thrown, "name") ?? constructorName(thrown) ?? "ToolError";
  const said = typeof thrown === "string" ? thrown : ownText(thrown, "message");
  return new CallFailure("tool-failed", cut(said === undefined || said === "" ? `${path} failed without a message` : said, MAX_MESSAGE), {
    name: cut(name, 100),
  });
}

export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Not in the middle of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[length - 1]) ? length - 1 : length;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/** A text held as plain data by the value or one of its prototypes; accessors and proxies are not read. */
function ownText(value: unknown, key: string): string | undefined {
  let holder = value;
  for (let depth = 0; depth < 10 && holder !== null && typeof holder === "object" && !types.isProxy(holder); depth++) {
    const found = Object.getOwnPropertyDescriptor(holder, key);
    if (found !== undefined) return typeof found.value === "string" ? found.value : undefined;
    holder = Object.getPrototypeOf(holder);
  }
  return undefined;
}

function constructorName(value: unknown): string | undefined {
  return types.isNativeError(value) ? "Error" : undefined;
}

const MAX_MESSAGE = 16_384;
