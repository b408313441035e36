// Loads the bundle and acorn (dist/index.js calls this). V8's code cache, written at build time, spares the host the reading of a megabyte
// of text in every process and every worker, and the compiling of what each program uses. Another V8, or other flags, refuse the cache:
// then the text is read as usual.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

/** A CommonJS module's file, and what its cache is called before the ending that says the V8 and the machine. */
export interface Source {
  file: string;
  /** The bundle is ASCII, which is read faster. */
  encoding: "latin1" | "utf8";
  cache: string;
}

/** The cache for this V8 on this machine. It is trusted as the code beside it is: V8 does not look for damage in it. */
export function cacheFile({ cache }: Source): string {
  return `${cache}.${process.platform}-${process.arch}-${process.versions.v8}.cache`;
}

/** A module compiled: `exports` runs it. `modules` are those that it shares with others, by name. */
export function compile(source: Source, modules: Readonly<Record<string, unknown>>): { script: Script; exports(): object } {
  const { file, encoding } = source;
  const code = readFileSync(file, encoding);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
    filename: file,
    cachedData: cacheOf(source),
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

export function load(source: Source, modules: Readonly<Record<string, unknown>> = {}): object {
  return compile(source, modules).exports();
}

function cacheOf(source: Source): Buffer | undefined {
  try {
    return readFileSync(cacheFile(source));
  } catch {
    return undefined;
  }
}
