// What the package exports: the modules that tsc has built (dist/src, dist/stdlib) in one file, dist/index.js. Loading the 240 of them
// takes three times as long as loading the one. Nothing is left out, renamed for size or compiled anew; dependencies stay outside.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Writes the bundle, if the modules have changed: whole at once, as processes may be loading it. */
export async function bundle() {
  const modules = await rolldown({ input: here("dist/src/index.js"), platform: "node", external: /^[^./]/, treeshake: false });
  const { output } = await modules.generate({ format: "esm", codeSplitting: false });
  await modules.close();
  const file = here("dist/index.js");
  // In ASCII, which V8 keeps in half the space and reads faster.
  const code = output[0].code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  if (textOf(file) === code) return;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, file);
}

export { bundle as setup }; // vitest's name for what comes before the tests

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
