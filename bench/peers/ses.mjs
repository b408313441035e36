// SES: the host's own engine in frozen intrinsics, a Compartment for each run. It has no limits.

import { createRequire } from "node:module";
import { withDeadline } from "../deadline.mjs";

export const version = createRequire(import.meta.url)("./node_modules/ses/package.json").version;

export async function create() {
  await import("ses");
  globalThis.lockdown();
}

export async function run(source, tools, limits) {
  const compartment = new globalThis.Compartment({ globals: { tools: globalThis.harden({ ...tools }) }, __options__: true });
  return withDeadline(compartment.evaluate(`(async () => {${source}\n})()`), limits.timeMs);
}
