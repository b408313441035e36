// The example of the package page prints what the page says.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("README: the example runs", () => {
  const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```js\n([^]*?)```/.exec(page)?.[1] ?? "";
  const wanted = /```text\n([^]*?)```/.exec(page)?.[1] ?? "";
  const file = fileURLToPath(new URL("readme-example.generated.mjs", import.meta.url));
  writeFileSync(file, code.replace('"@airlock/runtime"', JSON.stringify(new URL("../dist/src/index.js", import.meta.url).href)));
  try {
    expect(execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 20_000 })).toBe(wanted);
  } finally {
    rmSync(file);
  }
});
