// The hostile probes of the shared benchmarks, with their own limits: each ends by its limit or by an ordinary error, the next run in the
// same host works, and memory stays bounded.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sharedPath } from "../../../test/support/shared.js";

const file = sharedPath("bench", "probes.mjs");

const MAX_PEAK_MB = 512;
const CHILD = fileURLToPath(new URL("support/probe.mjs", import.meta.url));

/** The table of probes in that file: lines of `'name': 'program',`. Its tools stand directly in `tools` there and take numbers. */
function probes(): [name: string, program: string][] {
  if (file === undefined) return [];
  const table = /const PROBES = \{\n([^]*?)\n\};/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  return [...table.matchAll(/^ {2}'([^']+)': '(.*)',$/gm)].map((found) => [
    found[1],
    found[2].replace(/tools\.(ping|never)\([^)]*\)/g, "tools.t.$1({})"),
  ]);
}

describe.skipIf(file === undefined)("hostile probes", () => {
  it("are read from their file", () => expect(probes().length).toBeGreaterThanOrEqual(10));
  describe.each(["none", "worker"])("isolation: %s", (isolation) => {
    it.each(probes())(
      "%s",
      async (name, program) => {
        // As there: 64 MB, and 200 ms, but 20 s where memory or recursion is what ends it.
        const timeMs = /^[bd]/.test(name) ? 20_000 : 200;
        const { stdout } = await promisify(execFile)(process.execPath, [CHILD, isolation, program, String(timeMs), "64"], {
          timeout: 90_000,
        });
        const report = JSON.parse(stdout) as { ended: string; after: number; escaped: string[]; peakMb: number };
        console.log(`${isolation} ${name}: ${report.ended}, ${report.peakMb} MB`);
        expect(report).toMatchObject({ after: 1, escaped: [] });
        expect(report.ended).not.toMatch(/^returned|internal/);
        expect(report.peakMb).toBeLessThan(MAX_PEAK_MB);
      },
      120_000,
    );
  });
});
