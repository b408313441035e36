// The example of the package page does what its comments say.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as catalog from "../dist/src/index.js";

test("the example", async () => {
  const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const example = /```js\n([^]*?)```/.exec(page)?.[1] ?? "";
  const wanted = [...example.matchAll(/^\/\/ (.*)$/gm)].map((match) => match[1]);
  const shown: unknown[] = [];
  const body = example.replace(/^import .*$/m, "");
  const run: (...args: unknown[]) => Promise<void> = new Function(
    "createCatalog",
    "console",
    `return (async () => { ${body} })();`,
  ) as never;
  await run(catalog.createCatalog, { log: (value: unknown) => shown.push(value) });
  expect(wanted).toHaveLength(3);
  expect(shown).toEqual(wanted);
});

test("every exported name is on the page", () => {
  const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  for (const name of Object.keys(catalog)) expect(page, name).toContain(name);
});
