// Programs with one mistake each, as models make them: reported by when it should be, on its line, with words that say what to do.
// The files are kept outside of the repository (AIRLOCK_SHARED, else beside it), each with what is wanted in its header.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createCatalog, type Tool } from "@airlock/catalog";
import type { Diagnostic } from "@airlock/interpreter";
import { describe, expect, test } from "vitest";
import { programOf, worlds, type World } from "../../../test/support/corpus.js";
import { sharedPath } from "../../../test/support/shared.js";
import { createRuntime, type Execution } from "../dist/src/index.js";

interface Wanted {
  /** Message and hints together. */
  says: RegExp;
  kind: Diagnostic["kind"];
  /** Calls that may have reached a tool by then. */
  calls: number;
  /** A warning of a completed run. */
  isWarning?: true;
  /** Where the error is reported, as long as only types could tell its line before the run. */
  line?: number;
}

const WANTED: Record<string, Wanted> = {
  "001": { kind: "unknown-tool", calls: 0, says: /github has no tool "listIssues".*github\.list_issues/ },
  "003": { kind: "unknown-tool", calls: 0, says: /slack has no tool "list_events"; calendar\.list_events exists/ },
  "005": { kind: "unknown-tool", calls: 0, says: /no tool tools\.callTool.*Tools are nested: tools\.sql\.query\(\{ … \}\)/ },
  "007": {
    kind: "invalid-input",
    calls: 1,
    line: 3,
    says: /no field "channel_id"; did you mean "channel"\? It also needs field "channel"/,
  },
  "009": { kind: "invalid-input", calls: 0, says: /field "state" should be one of "open", "closed", "all"; got "merged"/ },
  "011": { kind: "invalid-input", calls: 1, says: /field "labels" should be an array of strings; got a string/ },
  "013": { kind: "invalid-input", calls: 0, says: /field "cursor" should be a string or be left out; got null/ },
  "015": { kind: "tool-failed", calls: 1, says: /INVALID_ARGUMENT: limit must be at most 100/ },
  "019": { kind: "uncaught", calls: 1, says: /file is a string, which has no "content"\. It is what tools\.fs\.read_file \(line 1\) gave/ },
  "023": { kind: "uncaught", calls: 0, line: 2, says: /tools\.slack\.list_users \(line 1\) was called without await/ },
  "025": { kind: "invalid-result", calls: 1, says: /result\.details\[0\] is a promise.*await Promise\.all/ },
  "027": { kind: "uncaught", calls: 8, isWarning: true, says: /slack\.post_message failed.*is_archived: old-project.*await/ },
  "029": { kind: "unsupported", calls: 0, says: /require is not available.*no modules.*tools/ },
  "031": { kind: "unsupported", calls: 0, says: /import\(\) is not available: no module "papaparse".*tools/ },
  "033": { kind: "syntax", calls: 0, says: /Missing "\)"/ },
  "035": { kind: "syntax", calls: 0, says: /looks like Python/ },
  "037": { kind: "limit", calls: 1, says: /computed for more than .*loop that does not end/ },
  "039": { kind: "invalid-result", calls: 1, says: /result\.children\[0\]\.children\[0\]\.parent is a cycle/ },
};
/** What only the types of a tool's output can tell: these programs still end, with a wrong value. */
const NEED_TYPES = ["017", "021"];

const corpus = sharedPath("corpus");

async function execute(code: string, world: World): Promise<{ execution: Execution; calls: number }> {
  let calls = 0;
  const tools = world.catalog.flatMap(({ server, description, tools: listed }): Tool[] =>
    listed.map((tool) => ({
      server,
      serverDescription: description,
      ...tool,
      execute: (input) => {
        calls++;
        return world.call(server, tool.name, input);
      },
    })),
  );
  const runtime = createRuntime({ catalog: createCatalog(tools), permission: { "*": "allow" }, limits: { computeMs: 1_000 } });
  const execution = await runtime.execute(code);
  await runtime.close();
  return { execution, calls };
}

describe.skipIf(corpus === undefined)("mistakes", async () => {
  if (corpus === undefined) return;
  const { createTools } = await worlds(corpus);
  test.each(readdirSync(join(corpus, "mistakes")))("%s", async (file) => {
    const text = readFileSync(join(corpus, "mistakes", file), "utf8");
    const line = Number(/^\/\/ line: (\d+)/m.exec(text)?.[1]);
    const code = programOf(text);
    const { execution, calls } = await execute(code, createTools());
    const id = file.slice(0, 3);
    if (NEED_TYPES.includes(id)) {
      expect(execution.status).toBe("completed");
      return;
    }
    const wanted = WANTED[id];
    const report = wanted.isWarning === true ? execution.warnings[0] : execution.status === "failed" ? execution.error : undefined;
    expect(report).toBeDefined();
    const { kind, message, hints, location, frame } = report!;
    expect(kind).toBe(wanted.kind);
    expect([message, ...hints].join(" ")).toMatch(wanted.says);
    expect(location?.line).toBe(wanted.line ?? line);
    expect(frame?.split("\n")[0]).toContain(code.split("\n")[location!.line - 1].slice(0, 30));
    expect(calls).toBe(wanted.calls);
  });
});
