// A loader hook: TypeScript with its types taken out, as later versions of Node do it themselves.

import { readFile } from "node:fs/promises";
import type { LoadHook } from "node:module";
import { fileURLToPath } from "node:url";

export const load: LoadHook = async (url, context, nextLoad) => {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return nextLoad(url, context);
  const { transformSync } = await import("amaro");
  const { code } = transformSync(await readFile(fileURLToPath(url), "utf8"), { mode: "strip-only" });
  return { format: "module", source: code, shortCircuit: true };
};
