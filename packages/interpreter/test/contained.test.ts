// Our own programs for each kind of fault that sandboxes are known for (fuzz/contained.mjs): what they get, and the host after each. They
// run in a process of their own, as a test runner changes the host too.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Json } from "@airlock/interpreter";

const { CONTAINED } = (await import(new URL("../fuzz/contained.mjs", import.meta.url).href)) as {
  CONTAINED: [kind: string, program: string, expected: Json][];
};

const child = fileURLToPath(new URL("cases/contained-child.mjs", import.meta.url));
const { stdout } = await promisify(execFile)(process.execPath, [child], { maxBuffer: 1e8 });
const reports = stdout
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { got: Json; faults: string[]; message?: string });

for (const kind of new Set(CONTAINED.map(([name]) => name))) {
  describe(kind, () => {
    const cases = CONTAINED.flatMap(([name, program, expected], i) =>
      name === kind ? [[program.slice(0, 120), expected, reports[i]] as const] : [],
    );
    test.each(cases)("%s", (_, expected, { got, faults, message }) => {
      expect(got, message).toEqual(expected);
      expect(faults).toEqual([]);
    });
  });
}
