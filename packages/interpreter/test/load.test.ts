import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compile } from "../dist/src/load.js";

const dist = (path: string): string => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));

function run(...flags: string[]): string {
  const program = `import { run } from ${JSON.stringify(dist("index.js"))}; console.log(JSON.stringify(await run("const n: number = 20 + 1; return n * 2")))`;
  return execFileSync(process.execPath, [...flags, "--input-type=module", "-e", program], { encoding: "utf8" });
}

test("the bundle is loaded from its code cache", () => {
  const [, name] = /"(code-\w+\.cjs)"/.exec(readFileSync(dist("index.js"), "utf8"))!;
  expect(compile(dist(name), {}).script.cachedDataRejected).toBe(false);
});

test("where V8 refuses the cache, the text is read: programs run all the same", () => {
  expect(JSON.parse(run())).toMatchObject({ status: "completed", value: 42 });
  expect(JSON.parse(run("--max-semi-space-size=16"))).toMatchObject({ status: "completed", value: 42 });
});
