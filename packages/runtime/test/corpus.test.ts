// Whole programs of the kind that models write, through the runtime: value, logs and calls as `run()` has them (the interpreter's tests
// compare that with the recorded outcomes). With `text: "auto"` a text that is JSON arrives as its value, which is what may differ.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createCatalog, type Tool } from "@airlock/catalog";
import { type Json, run, type Outcome } from "@airlock/interpreter";
import { describe, expect, test } from "vitest";
import { programOf, worlds, type World } from "../../../test/support/corpus.js";
import { sharedPath } from "../../../test/support/shared.js";
import { createRuntime } from "../dist/src/index.js";

/** What differs with `text: "auto"`: the path, what `run()` has, what the program gets then. */
const DIFFERS_WITH_AUTO: Record<string, [path: string[], text: Json, auto: Json]> = {
  // JSON.stringify of a tool's result: of a text, its quotes and escapes count; of the value, they do not.
  "139-introspect-tools.js": [["sizes", "tickets.stats"], 178, 152],
};

const corpus = sharedPath("corpus");

interface Ran {
  outcome: Outcome;
  calls: string[];
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

describe.skipIf(corpus === undefined)("the corpus", async () => {
  if (corpus === undefined) return;
  const { createTools, buildTools } = await worlds(corpus);
  const { catalog } = createTools();
  const asString = throughRuntime("string", catalog);
  const asAuto = throughRuntime("auto", catalog);
  test.each(readdirSync(join(corpus, "programs")))("%s", async (file) => {
    const code = programOf(readFileSync(join(corpus, "programs", file), "utf8"));
    const world = createTools();
    const calls: string[] = [];
    const call: World["call"] = (server, name, input) => (calls.push(`${server}.${name}`), world.call(server, name, input));
    const plain = { outcome: await run(code, { tools: buildTools({ ...world, call }) }), calls };
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
