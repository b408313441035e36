import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runProgram } from "./bridge.js";

test("the example of the README runs and prints what it says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, source, printed] = /```js\n([\s\S]*?)```\s+It prints:\s+```\n([\s\S]*?)```/.exec(readme) ?? [];
  const child = runProgram("readme", source);
  let out = "";
  child.stdout?.on("data", (chunk) => (out += String(chunk)));
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
  expect(out).toBe(printed);
});
