// The example of the package page does what its comments say, and the page names what the package exports.

import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import * as interpreter from "@airlock/interpreter";

const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the example", async () => {
  const example = /```js\n([^]*?)```/.exec(page)?.[1] ?? "";
  const wanted = [...example.matchAll(/^\/\/ (.*)$/gm)].map((match) => match[1]);
  const shown: string[] = [];
  const log = (...values: unknown[]): void => void shown.push(values.map((v) => (typeof v === "string" ? v : inspect(v))).join(" "));
  const body = example.replace(/^import .*$/m, "");
  const runExample = new Function("run", "console", `return (async () => { ${body} })();`) as (...args: unknown[]) => Promise<void>;
  await runExample(interpreter.run, { log });
  expect(wanted).toHaveLength(2);
  expect(shown).toEqual(wanted);
});

test("every exported name is on the page", () => {
  for (const name of Object.keys(interpreter)) expect(page, name).toContain(name);
});
