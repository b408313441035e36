// An execution as the text that a model reads. Product text: short, exact, tested. It does not summarise: a value is shown whole.

import type { Diagnostic, Json, LogEntry } from "@airlock/interpreter";
import { canonicalJson } from "./permission/canonical.js";
import { cut } from "./call/failure.js";
import type { CallRecord, Execution } from "./types.js";

/**
 * The text of an execution: the value as JSON (a text as it is), or the failure with its place, hints, and the calls that had been made;
 * then warnings and logs.
 *
 * @example formatExecution(execution) // '{"open":3}'
 */
export function formatExecution(execution: Execution): string {
  const sections =
    execution.status === "completed"
      ? [valueText(execution.value)]
      : [diagnosticText(execution.error), ...callsText(execution.calls, execution.error)];
  if (execution.warnings.length > 0) sections.push(`Warnings:\n${counted(execution.warnings.map(warningText)).join("\n")}`);
  if (execution.logs.length > 0) sections.push(`Logs:\n${execution.logs.map(logText).join("\n")}`);
  return sections.join("\n\n");
}

function warningText(one: Diagnostic): string {
  return `- ${place(one)}${one.message}${one.hints.map((hint) => ` ${hint}`).join("")}`;
}

/** Each line once, with how often it stood there. */
function counted(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => (count === 1 ? line : `${line} (${count} times)`));
}

/** A diagnostic: what happened and where, the source line, and what to do. */
export function diagnosticText(error: Diagnostic): string {
  const name = error.name !== undefined && (error.kind === "uncaught" || error.kind === "tool-failed") ? `${error.name}: ` : "";
  const head = `${TITLE[error.kind]}${error.location === undefined ? "" : ` in line ${error.location.line}, column ${error.location.column}`}: ${name}${error.message}`;
  const frame =
    error.frame === undefined
      ? []
      : [
          error.frame
            .split("\n")
            .map((line) => `  ${line}`)
            .join("\n"),
        ];
  return [head, ...frame, ...error.hints.map((hint) => `Hint: ${hint}`)].join("\n");
}

function valueText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The calls of a failed run by what became of them; what the run's own failure says is not said again. Nothing where no call was made: the model may then simply try again. */
function callsText(calls: readonly CallRecord[], error: Diagnostic): string[] {
  const groups: [string, CallRecord[]][] = [
    ["Calls done before the failure (do not repeat what they changed):", calls.filter((call) => call.state === "completed")],
    [
      "Calls whose outcome is unknown (they may have happened: check before you repeat them):",
      calls.filter((call) => call.state === "interrupted"),
    ],
    ["Calls that failed:", calls.filter((call) => call.state === "error")],
  ];
  return groups.flatMap(([title, group]) => (group.length === 0 ? [] : [`${title}\n${listed(group, error)}`]));
}

function listed(calls: readonly CallRecord[], error: Diagnostic): string {
  const lines: string[] = [];
  for (const [path, same] of groupBy(calls, (call) => call.path)) {
    if (lines.length >= MAX_LINES) break;
    for (const call of same.slice(0, same.length > MAX_SAME + 1 ? MAX_SAME : same.length))
      lines.push(
        `- ${path}(${inputText(call)})${call.error === undefined || call.state !== "error" || call.error.message === error.message ? "" : `: ${cut(call.error.message, 300)}`}`,
      );
    if (same.length > MAX_SAME + 1) lines.push(`- ${path}: ${same.length - MAX_SAME} more calls`);
  }
  const paths = new Set(calls.map((call) => call.path)).size;
  const shown = new Set(lines.map((line) => line.slice(2).split(/[(:]/)[0])).size;
  return lines.join("\n") + (paths > shown && lines.length >= MAX_LINES ? `\n- calls of ${paths - shown} more tools` : "");
}

function inputText(call: CallRecord): string {
  const text = canonicalJson(call.input);
  return text === "{}" ? "" : cut(text, MAX_INPUT);
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

function logText({ level, text }: LogEntry): string {
  return level === "log" || level === "info" ? text : `[${level}] ${text}`;
}

function place({ location }: Diagnostic): string {
  return location === undefined ? "" : `line ${location.line}: `;
}

const TITLE: Readonly<Record<Diagnostic["kind"], string>> = {
  syntax: "Syntax error",
  unsupported: "Not supported",
  type: "Type error, nothing was run",
  "unknown-tool": "Unknown tool",
  "stale-tool": "Tool changed",
  "invalid-input": "Invalid input",
  "invalid-output": "Invalid tool result",
  denied: "Denied",
  rejected: "Rejected",
  "tool-failed": "Tool failed",
  uncaught: "Uncaught error",
  limit: "Limit reached",
  stalled: "The program waits for something that never comes",
  aborted: "Aborted",
  "invalid-result": "The result can't be returned",
  internal: "Internal error",
};
const MAX_LINES = 30;
const MAX_SAME = 5;
const MAX_INPUT = 200;
