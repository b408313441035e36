// Airlock's interpreter in the host's thread. All limits are at their defaults but one: some workloads make more tool calls.

import { existsSync, readFileSync } from "node:fs";

const build = process.env.BENCH_BASELINE || new URL("../../packages/interpreter/dist/", import.meta.url).href;

export const version = JSON.parse(readFileSync(new URL("../package.json", build), "utf8")).version;

let interpreter;

export async function create() {
  interpreter = await import(existsSync(new URL("index.js", build)) ? new URL("index.js", build) : new URL("src/index.js", build));
}

export async function run(source, tools) {
  const outcome = await interpreter.run(source, { tools, limits: { toolCalls: 50_000 } });
  if (outcome.status === "completed") return outcome.value;
  throw Object.assign(new Error(outcome.error.message), { limit: outcome.error.limit, kind: outcome.error.kind });
}
