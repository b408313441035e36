// The end of a run: its result on stdout (or one JSON document), everything else on stderr, and the exit code.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { diagnosticText, formatExecution, type Execution, type Runtime } from "@airlock/runtime";
import type { Diagnostic, Json } from "@airlock/interpreter";
import { EXIT } from "./exit.js";
import type { Interruption } from "./interrupt.js";
import { colors, printJson, printResult, say, shown, shownLine } from "./terminal.js";

export interface OutcomeOptions {
  json?: boolean | undefined;
  /** The program's file: named before a place in it. */
  name: string;
  interruption: Interruption;
}

/** Tells what came of a run. */
export function tellExecution(execution: Execution, { json, name, interruption }: OutcomeOptions): number {
  if (json) printJson(executionDocument(execution));
  else if (execution.status === "completed") {
    for (const warning of execution.warnings)
      say(
        colors.yellow(
          shown(
            diagnosticText(warning).replace(
              /^[^:]*: /,
              `Warning${warning.location === undefined ? "" : ` (line ${warning.location.line})`}: `,
            ),
          ),
        ),
      );
    printResult(typeof execution.value === "string" ? execution.value : JSON.stringify(execution.value, null, 2));
  } else {
    // The log was told while it ran.
    say(shown(formatExecution({ ...execution, logs: [] })));
    if (execution.error.location !== undefined)
      say(colors.dim(`(${shownLine(name)}:${execution.error.location.line}:${execution.error.location.column})`));
    tellUnasked(execution);
  }
  return exitCode(execution, interruption);
}

/** What to do where nobody could be asked. */
function tellUnasked({ calls }: Execution): void {
  const unasked = calls.filter(({ error, decision }) => error?.kind === "denied" && decision.by === "default");
  if (unasked.length === 0) return;
  const rules = [...new Set(unasked.map(({ server, name }) => `--allow '${shownLine(`${server}.${name}`, 80)}'`))].slice(0, 5);
  say(`To be asked, run it in a terminal. To allow it: ${rules.join(" ")}`);
}

function exitCode(execution: Execution, interruption: Interruption): number {
  if (execution.status === "completed") return EXIT.completed;
  return (execution.error.kind === "aborted" ? interruption.exitCode : undefined) ?? codeOf(execution.error);
}

export function codeOf({ kind }: Diagnostic): number {
  return kind === "denied" || kind === "rejected" ? EXIT.denied : kind === "aborted" ? EXIT.interrupted : EXIT.failed;
}

/** A program that was not even begun. */
export function tellProblems(problems: readonly Diagnostic[], { json, name }: Pick<OutcomeOptions, "json" | "name">): number {
  const [first] = problems;
  if (json) printJson({ status: "failed", error: first, ...(problems.length > 1 ? { also: problems.slice(1) } : {}) });
  else
    for (const problem of problems)
      say(
        `${problem.location === undefined ? "" : colors.dim(`${shownLine(name)}:${problem.location.line}:${problem.location.column}\n`)}${shown(diagnosticText(problem))}`,
      );
  return codeOf(first);
}

/** The execution as plain data, without the results of its calls: the program returned of them what it wanted. */
function executionDocument(execution: Execution): { [key: string]: unknown } {
  const { id, status, logs, warnings, stats, calls } = execution;
  return {
    id,
    status,
    ...(execution.status === "completed" ? { value: execution.value } : { error: execution.error }),
    logs,
    warnings,
    calls: calls.map(({ result: _, ...call }) => call),
    stats,
  };
}

/** Writes the media that a result names into a folder, and says where. */
export function saveMedia(value: Json, runtime: Runtime, folder: string): void {
  for (const { media, mimeType } of handles(value)) {
    const block = runtime.media(media);
    const data =
      block?.type === "image" || block?.type === "audio"
        ? block.data
        : block?.type === "resource"
          ? (block.resource.blob ?? block.resource.text)
          : undefined;
    if (block === undefined || data === undefined) continue;
    const text = block.type === "resource" && block.resource.blob === undefined;
    const extension = /^[a-z]+\/([a-z0-9]+)/.exec(mimeType)?.[1] ?? "bin";
    const path = join(folder, `${media.replace(/[^\w-]/g, "_")}.${extension}`);
    writeFileSync(path, Buffer.from(data, text ? "utf8" : "base64"));
    say(`${shownLine(mimeType, 60)}: ${path}`);
  }
}

function* handles(value: Json): Generator<{ media: string; mimeType: string }> {
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value)) {
    const { media, mimeType } = value;
    if (typeof media === "string" && typeof mimeType === "string") return void (yield { media, mimeType });
  }
  for (const inner of Object.values(value)) yield* handles(inner);
}
