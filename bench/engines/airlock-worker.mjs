// Airlock as products use it: the runtime with its pipeline of a call (catalog, validation, permission, record), the program in a worker.

import { readFileSync } from "node:fs";
import { createCatalog } from "../../packages/catalog/dist/src/index.js";
import { createRuntime } from "../../packages/runtime/dist/src/index.js";

export const version = JSON.parse(readFileSync(new URL("../../packages/runtime/package.json", import.meta.url), "utf8")).version;

let runtime;

export async function create() {}

export async function run(source, tools) {
  runtime ??= createRuntime({
    catalog: catalogOf(tools),
    permission: { "*": "allow" },
    isolation: "worker",
    workers: 1,
    limits: { toolCalls: 50_000 },
  });
  const outcome = await runtime.execute(source);
  if (outcome.status === "completed") return outcome.value;
  throw Object.assign(new Error(outcome.error.message), { limit: outcome.error.limit, kind: outcome.error.kind });
}

function catalogOf(tools) {
  const list = Object.entries(tools).flatMap(([server, members]) =>
    Object.entries(members).map(([name, execute]) => ({ server, name, inputSchema: { type: "object" }, execute })),
  );
  return createCatalog(list);
}
