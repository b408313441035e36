// Whole programs of the kind that models write, through the runtime: value, logs and calls as `run()` has them (the interpreter's tests
// compare that with the recorded outcomes). With `text: "auto"` a text that is JSON arrives as its value, which is what may differ.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createCatalog, type JsonSchema, type Tool } from "@airlock/catalog";
import { type Json, run, type Outcome, type ToolTree } from "@airlock/interpreter";
import { describe, expect, test } from "vitest";
import { createRuntime } from "../dist/src/index.js";

interface World {
  catalog: {
    server: string;
    description: string;
    tools: { name: string; description: string; inputSchema: JsonSchema; outputSchema?: JsonSchema }[];
  }[];
  call(server: string, name: string, input: unknown): Promise<Json>;
}

/** What differs with `text: "auto"`: the path, what `run()` has, what the program gets then. */
const DIFFERS_WITH_AUTO: Record<string, [path: string[], text: Json, auto: Json]> = {
  // JSON.stringify of a tool's result: of a text, its quotes and escapes count; of the value, they do not.
  "139-introspect-tools.js": [["sizes", "tickets.stats"], 178, 152],
};

const workspace = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const corpus = join(process.env.AIRLOCK_SHARED ?? join(workspace, "..", "shared"), "corpus");
const isThere = existsSync(join(corpus, "programs"));
if (!isThere) console.log(`Skipped: ${join(corpus, "programs")} is not there. Set AIRLOCK_SHARED to the folder with corpus.`);

function codeOf(file: string): string {
  const lines = readFileSync(join(corpus, "programs", file), "utf8").split("\n");
  const from = lines.findIndex((line) => !/^\/\/ (?:task|style|shape): /.test(line));
  return lines.slice(lines[from] === "" ? from + 1 : from).join("\n");
}

interface Ran {
  outcome: Outcome;
  calls: string[];
}

async function inRun(code: string, world: World): Promise<Ran> {
  const calls: string[] = [];
  const tools: Record<string, ToolTree> = {};
  for (const { server, tools: listed } of world.catalog) {
    tools[server] = Object.fromEntries(
      listed.map(({ name }) => [name, (input: unknown) => (calls.push(`${server}.${name}`), world.call(server, name, input))]),
    ) as ToolTree;
  }
  return { outcome: await run(code, { tools }), calls };
}

/** Runs programs with this `text`, each in a world of its own: tools and their schemas are read once. */
function throughRuntime(text: "string" | "auto", listed: World["catalog"]): (code: string, world: World) => Promise<Ran> {
  let world: World;
  let calls: string[];
  const tools = listed.flatMap(({ server, tools: ofServer }): Tool[] =>
    ofServer.map((tool) => ({
      server,
      ...tool,
      async execute(input) {
        calls.push(`${server}.${tool.name}`);
        const result = await world.call(server, tool.name, input);
        return typeof result === "string" ? { content: [{ type: "text", text: result }] } : result;
      },
    })),
  );
  const runtime = createRuntime({ catalog: createCatalog(tools), permission: { "*": "allow" }, text });
  return async (code, fresh) => {
    world = fresh;
    calls = [];
    return { outcome: await runtime.execute(code), calls };
  };
}

function shown({ outcome, calls }: Ran): unknown {
  const end = outcome.status === "completed" ? outcome.value : { name: outcome.error.name, message: outcome.error.message };
  // What is logged, not its text: a catalog lists servers by name.
  return { end, logs: outcome.logs.map(({ level, args }) => ({ level, args })), calls: calls.toSorted() };
}

function put(value: Json, path: readonly string[], replaced: Json): void {
  const [key, ...rest] = path;
  const holder = value as Record<string, Json>;
  if (rest.length === 0) holder[key] = replaced;
  else put(holder[key], rest, replaced);
}

describe.skipIf(!isThere)("the corpus", async () => {
  if (!isThere) return;
  const { createTools } = (await import(pathToFileURL(join(corpus, "tools.mjs")).href)) as { createTools(): World };
  const { catalog } = createTools();
  const asString = throughRuntime("string", catalog);
  const asAuto = throughRuntime("auto", catalog);
  test.each(readdirSync(join(corpus, "programs")))("%s", async (file) => {
    const code = codeOf(file);
    const plain = await inRun(code, createTools());
    expect(shown(await asString(code, createTools()))).toEqual(shown(plain));
    const differs = DIFFERS_WITH_AUTO[file];
    if (differs !== undefined && plain.outcome.status === "completed") {
      const [path, text, auto] = differs;
      expect(plain.outcome.value).toHaveProperty(path, text);
      put(plain.outcome.value, path, auto);
    }
    expect(shown(await asAuto(code, createTools()))).toEqual(shown(plain));
  });
});
