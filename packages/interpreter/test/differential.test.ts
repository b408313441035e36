// Generated programs in our interpreter and in Node's engine; `pnpm differential` runs many more. A difference is reported by the
// smallest program that shows it, with the seed that finds it again.

import { expect, test } from "vitest";

interface Found {
  text: string;
  zone: string;
  seed: number;
  difference: { before: string[]; wanted: string; got: string };
}

interface Check {
  check(
    options: { programs: number; seed: number; patienceMs?: number },
    onDifference: (found: Found) => void,
  ): Promise<{ programs: number; refused: number; differences: number }>;
}

const PROGRAMS = 500;
// The same programs at every run, so that a change is what a failure means; `pnpm differential` takes new ones.
const seed = Number(process.env.AIRLOCK_SEED ?? 20_261);

/** The generator leaves out where this version's engine is wrong. Newer ones are wrong elsewhere: in closing a sync iterator in async code. */
const ORACLE = "20";
const isOracle = process.versions.node.startsWith(`${ORACLE}.`);
if (!isOracle) console.log(`Skipped: generated programs are compared with Node ${ORACLE}; this is ${process.version}.`);

test.skipIf(!isOracle)(`${PROGRAMS} generated programs, seed ${seed}`, { timeout: 120_000 }, async () => {
  const path = "../differential/check.mjs"; // JavaScript without types of its own
  const { check } = (await import(path)) as Check;
  const found: Found[] = [];
  console.log(`differential tests: seed ${seed} (AIRLOCK_SEED sets it)`);
  const totals = await check({ programs: PROGRAMS, seed, patienceMs: 20_000 }, (each) => found.push(each));
  expect(
    found.map(({ text, zone, seed: at, difference }) => `${text}\nseed ${at}, ${zone}\nnode ${difference.wanted}\nours ${difference.got}`),
  ).toEqual([]);
  // Where programs are refused, nothing is tested.
  expect(totals.refused).toBeLessThan(totals.programs / 20);
});
