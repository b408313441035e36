import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Source, compile } from "../dist/src/load.js";

const dist = (path: string): string => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));

function run(...flags: string[]): string {
  const program = `import { run } from ${JSON.stringify(dist("index.js"))}; console.log(JSON.stringify(await run("const n: number = 20 + 1; return n * 2")))`;
  return execFileSync(process.execPath, [...flags, "--input-type=module", "-e", program], { encoding: "utf8" });
}

test("the bundle and its acorn are loaded from their code caches", () => {
  const index = readFileSync(dist("index.js"), "utf8");
  const [, code] = /"(code-\w+\.cjs)"/.exec(index)!;
  const [, acorn] = /"(acorn-\w+)"/.exec(index)!;
  const sources: Source[] = [
    { file: dist(code), encoding: "latin1", cache: dist(code) },
    { file: createRequire(import.meta.url).resolve("acorn"), encoding: "utf8", cache: dist(acorn) },
  ];
  for (const source of sources) expect(compile(source, {}).script.cachedDataRejected).toBe(false);
});

test("where V8 refuses the cache, the text is read: programs run all the same", () => {
  expect(JSON.parse(run())).toMatchObject({ status: "completed", value: 42 });
  expect(JSON.parse(run("--max-semi-space-size=16"))).toMatchObject({ status: "completed", value: 42 });
});
