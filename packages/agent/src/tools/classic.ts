// Classic mode: each tool of the catalog goes out by itself. Its calls take the same pipeline as those of programs.

import type { Registration } from "@airlock/catalog";
import type { CallRecord, CallResult, Runtime } from "@airlock/runtime";
import { text, type ImagePart, type TextPart } from "../messages.js";
import { wireNames } from "./names.js";
import { wireSchema } from "./schema.js";
import { mediaParts, type Toolset } from "./toolset.js";

export function classic(runtime: Runtime): Toolset {
  const { snapshot } = runtime.instructions();
  const names = wireNames([...snapshot.registrations].sort((a, b) => (a.path < b.path ? -1 : 1)));
  const nameOf = new Map([...names].map(([name, { path }]) => [path, name]));
  return {
    definitions: [...names].map(([name, registration]) => ({ name, ...described(registration) })),
    system: [],
    concurrent: true,
    refuse(call) {
      if (names.has(call.name)) return undefined;
      const found = snapshot.resolve(call.name);
      const paths = "nearest" in found ? found.nearest : [snapshot.get(found.tool.server, found.tool.name)?.path ?? ""];
      const nearest = paths.flatMap((path) => nameOf.get(path) ?? []);
      if (names.size === 0) return `There is no tool ${JSON.stringify(call.name)}: there are no tools at all. Nothing ran.`;
      const which =
        nearest.length > 0
          ? `The nearest: ${nearest.join(", ")}`
          : `Tools: ${[...names.keys()].slice(0, 30).join(", ")}${names.size > 30 ? `, and ${names.size - 30} more` : ""}`;
      return `There is no tool ${JSON.stringify(call.name)}, so nothing ran. ${which}.`;
    },
    async run(call, { sessionId, messageId, agent, signal, onEvent }) {
      const registration = names.get(call.name)!;
      const record = await runtime.call(registration.path, call.input, {
        catalog: snapshot,
        sessionId,
        messageId,
        signal,
        onEvent,
        ...(agent === undefined ? {} : { agent }),
      });
      return {
        state: record.state === "completed" ? "completed" : record.state === "interrupted" ? "interrupted" : "error",
        content:
          record.state === "completed" && record.result ? resultParts(runtime, registration, record.result) : [text(failureText(record))],
        calls: [record],
        rejected: record.error?.kind === "rejected",
      };
    },
  };
}

function described({ tool, path }: Registration): { description: string; inputSchema: { [keyword: string]: unknown } } {
  const { schema, left } = wireSchema(tool.inputSchema);
  const note = left.length > 0 ? `\nIt also takes the fields ${left.map((name) => JSON.stringify(name)).join(", ")}.` : "";
  return { description: `${tool.description ?? tool.title ?? path}${note}`, inputSchema: schema };
}

/** The tool's own words, if it has any; else a text as it is, and a value as JSON. */
function resultParts(runtime: Runtime, { tool }: Registration, result: CallResult): (TextPart | ImagePart)[] {
  const own = ownWords(tool, result);
  const shown = own?.text ?? result.text ?? (typeof result.value === "string" ? result.value : JSON.stringify(result.value));
  const cut = result.truncated ? "\n(The tool cut its output.)" : result.complete ? "" : "\n(The output is not complete.)";
  return [text(`${shown}${cut}`), ...mediaParts(runtime, own?.attachments ?? result.attachments)];
}

/** A tool's code may fail: the value is there all the same. */
function ownWords(tool: Registration["tool"], result: CallResult): ReturnType<NonNullable<Registration["tool"]["toModel"]>> | undefined {
  try {
    return tool.toModel?.(result.value);
  } catch {
    return undefined;
  }
}

function failureText({ error, path, state }: CallRecord): string {
  if (error === undefined) return `${path}: ${state}, without a reason`;
  return [`${error.kind}: ${error.message}`, ...error.hints].join("\n");
}
