// The host's own engine: no containment, no limit. The bound that nobody passes.

import { withDeadline } from "../deadline.mjs";

const AsyncFunction = (async () => {}).constructor;
const compiled = new Map();

export const version = `V8 ${process.versions.v8}`;

export async function create() {}

export function run(source, tools, limits) {
  let program = compiled.get(source);
  if (program === undefined) compiled.set(source, (program = new AsyncFunction("tools", source)));
  return withDeadline(program(tools), limits.timeMs);
}
