// Conformance programs with recorded answers, in this process; and programs that try the sandbox, each in a process of its own with
// checks of the host. What they are is told in the shared folder's cases/README.md.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Json, run } from "@airlock/interpreter";
import { describe, expect, test } from "vitest";
import { casesIn, testCases } from "../../../test/support/sandbox.js";
import { sharedPath } from "../../../test/support/shared.js";

const conformance = sharedPath("cases", "conformance");
const sandbox = sharedPath("cases", "sandbox");

/** Where the recorded answer of Node 20 is not ours, and what ours is. */
const OURS: { [file: string]: (recorded: never) => Json } = {
  // A reviver of JSON.parse gets a third argument by now: the source text.
  "033-callbacks-get-right-arguments.js": (recorded: { rec: [name: string, count: number, args: Json[]][] }) => ({
    ...recorded,
    rec: recorded.rec.map(([name, count, args]) => (name === "reviver" ? [name, count + 1, [...args, "obj"]] : [name, count, args])),
  }),
};

describe.skipIf(conformance === undefined)("conformance", () => {
  test.each(casesIn(conformance))("%s", async (file) => {
    const outcome = await run(readFileSync(join(conformance!, file), "utf8"));
    if (outcome.status === "failed") return expect(outcome.error).toBeUndefined();
    const recorded = JSON.parse(readFileSync(join(conformance!, file.replace(/\.js$/, ".json")), "utf8")) as never;
    expect(outcome.value).toEqual(OURS[file]?.(recorded) ?? recorded);
  });
});

describe.skipIf(sandbox === undefined)("sandbox", () => {
  testCases(sandbox, [fileURLToPath(new URL("cases/sandbox-child.mjs", import.meta.url))], 2, 30_000);
});
