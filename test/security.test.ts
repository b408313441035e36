// SECURITY.md names a test for each kind of threat: they are all there.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const text = readFileSync(`${root}SECURITY.md`, "utf8");
const rows = text.split("\n").filter((line) => /^\| (?!kind|---)/.test(line));

test("each kind of threat names tests, and they exist", () => {
  expect(rows.length).toBeGreaterThanOrEqual(16);
  for (const row of rows) {
    const files = [...row.matchAll(/`([\w./-]+\.test\.ts)`/g)].map((found) => found[1]);
    expect(files.length, row).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(root + file), file).toBe(true);
  }
});

test("no test of hostile programs is left out of it", () => {
  for (const file of ["contained", "limits", "boundary-properties", "many-runs", "fuzz", "cases"])
    expect(text).toContain(`packages/interpreter/test/${file}.test.ts`);
  for (const file of ["crowd", "probes", "cases", "isolation"]) expect(text).toContain(`packages/runtime/test/${file}.test.ts`);
});

test("a report goes to the repository, and to nobody's address", () => {
  expect(text).toContain("private security");
  expect(text).not.toMatch(/[\w.+-]+@[\w-]+\.\w/);
});
