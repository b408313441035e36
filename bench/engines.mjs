// The engines: where each adapter is, and what has to be known before its process starts.
//
// An adapter exports `version`, `create()` (loads the engine) and `run(source, tools, limits)`: one program in a fresh runtime with the
// tools, to its value. `compilesOnce` says that a second run of one source uses what the first one compiled.

import { existsSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url);

export const ENGINES = [
  { name: "airlock", file: "engines/airlock.mjs", compilesOnce: true },
  { name: "airlock-worker", file: "engines/airlock-worker.mjs", compilesOnce: true },
  { name: "native", file: "engines/native.mjs", compilesOnce: true },
  { name: "quickjs-emscripten", file: "peers/quickjs-emscripten.mjs", needs: "peers/node_modules/quickjs-emscripten" },
  // From Node 20 on its documentation asks for the flag.
  {
    name: "isolated-vm",
    file: "peers/isolated-vm/engine.mjs",
    needs: "peers/isolated-vm/node_modules/isolated-vm/out/isolated_vm.node",
    flags: ["--no-node-snapshot"],
  },
  { name: "sval", file: "peers/sval.mjs", needs: "peers/node_modules/sval" },
  { name: "ses", file: "peers/ses.mjs", needs: "peers/node_modules/ses" },
  // Another build of ours, to compare with: `--baseline <folder of packages/interpreter/dist>`.
  { name: "baseline", file: "engines/airlock.mjs", compilesOnce: true },
];

export const engineNamed = (name) => ENGINES.find((engine) => engine.name === name);

export const isInstalled = (engine) => engine.needs === undefined || existsSync(here(engine.needs));

/** What one process may use. The same for all engines that have limits at all. */
export const LIMITS = { timeMs: 60_000, memoryMb: 1024 };
