// The shared folder's corpus: programs as models write them, and the tools that they call.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonSchema } from "../../packages/catalog/dist/src/index.js";
import type { Json, ToolTree } from "../../packages/interpreter/dist/src/index.js";

/** Tools with the state that programs change: each run gets a world of its own. */
export interface World {
  catalog: {
    server: string;
    description: string;
    tools: { name: string; description: string; inputSchema: JsonSchema; outputSchema?: JsonSchema }[];
  }[];
  call(server: string, name: string, input: unknown): Promise<Json>;
}

/** What makes the worlds of the programs in that folder, and the tool tree of a world. */
export async function worlds(corpus: string): Promise<{ createTools(): World; buildTools(world: World): ToolTree }> {
  return (await import(pathToFileURL(join(corpus, "tools.mjs")).href)) as Awaited<ReturnType<typeof worlds>>;
}

/** The program: what follows the header of `// key: value` lines. */
export function programOf(text: string): string {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => !/^\/\/ (?:task|style|shape|mistake|wanted|line|when): /.test(line));
  const code = lines.slice(lines[from] === "" ? from + 1 : from);
  return `${code.join("\n").trimEnd()}\n`;
}
