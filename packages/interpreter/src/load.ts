// Loads the bundle (dist/index.js calls this). V8's code cache, written beside it at build time, spares the host the reading of a megabyte
// of text in every process and every worker, and the compiling of what each program uses. Another V8, or other flags, refuse the cache:
// then the text is read as usual.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

/** The cache of a bundle's code for this V8 on this machine. It is trusted as the code beside it is: V8 does not look for damage in it. */
export function cacheFile(file: string): string {
  return `${file}.${process.platform}-${process.arch}-${process.versions.v8}.cache`;
}

/** A bundle compiled: `exports` runs it. `modules` are those that it shares with others, by name. */
export function compile(file: string, modules: Readonly<Record<string, unknown>>): { script: Script; exports(): object } {
  const code = readFileSync(file, "latin1"); // it is ASCII
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
    filename: file,
    cachedData: cacheOf(file),
  });
  return {
    script,
    exports() {
      const require = createRequire(file);
      const module = { exports: {} };
      const run = script.runInThisContext() as (...args: unknown[]) => void;
      run(module.exports, (name: string) => modules[name] ?? (require(name) as unknown), module, file, dirname(file));
      return module.exports;
    },
  };
}

export function load(file: string, modules: Readonly<Record<string, unknown>>): object {
  return compile(file, modules).exports();
}

function cacheOf(file: string): Buffer | undefined {
  try {
    return readFileSync(cacheFile(file));
  } catch {
    return undefined;
  }
}
