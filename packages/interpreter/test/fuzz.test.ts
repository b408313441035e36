// A short run of the fuzzer (fuzz/run.mjs), always from the same seed; `pnpm fuzz` takes a new one.

import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SECONDS = 15;
const SEED = 7_411;

test("the fuzzer finds nothing", async () => {
  const out = mkdtempSync(join(tmpdir(), "airlock-fuzz-"));
  const child = spawn(process.execPath, [
    fileURLToPath(new URL("../fuzz/run.mjs", import.meta.url)),
    "--seconds",
    String(SECONDS),
    "--seed",
    String(SEED),
    "--jobs",
    "1",
    "--out",
    out,
  ]);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(said).toMatch(/[1-9]\d* programs:/);
  expect(code, said).toBe(0);
}, 300_000);
