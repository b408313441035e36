// Runs generated programs and finds the smallest ones in which the engines differ.

import fc from "fast-check";
import { Oracle, difference, ours } from "./engines.mjs";
import { programs } from "./program.mjs";

const CHUNK = 25;
/** How long a chunk may take, most of all for making a failing program smaller. */
const CHUNK_MS = 20_000;

class Differs extends Error {
  constructor(found) {
    super(`node: ${found.wanted}\nours: ${found.got}`);
    this.found = found;
  }
}

/**
 * Tests so many programs from a seed on, in chunks with seeds of their own; a chunk ends with its first difference. Each difference is
 * shrunk and given to `onDifference` as `{ signature, text, zone, seed, difference }`. With `patienceMs`, no chunk begins after that time.
 * Resolves with the counts.
 */
export async function check({ programs: count, seed, families, patienceMs = Infinity }, onDifference) {
  const oracle = new Oracle();
  const totals = { programs: 0, refused: 0, unanswered: 0, differences: 0 };
  const property = fc.asyncProperty(programs(families), async (program) => {
    const [wanted, got] = await Promise.all([oracle.text(program), ours(program)]);
    if (wanted === undefined || got === undefined) return void totals.unanswered++;
    if (wanted.startsWith("syntax:") && got.startsWith("syntax:")) totals.refused++;
    const found = difference(wanted, got);
    if (found !== undefined) throw new Differs(found);
  });
  const began = performance.now();
  for (let done = 0; done < count && performance.now() - began < patienceMs; done += CHUNK) {
    const chunkSeed = (seed + done) % 2 ** 31;
    const result = await fc.check(property, { seed: chunkSeed, numRuns: Math.min(CHUNK, count - done), interruptAfterTimeLimit: CHUNK_MS });
    totals.programs += result.numRuns;
    if (!result.failed || result.counterexample === null) continue;
    totals.differences++;
    const [program] = result.counterexample;
    const found = result.errorInstance?.found ?? { wanted: "", got: String(result.errorInstance), before: [] };
    onDifference({
      signature: signatureOf(found),
      text: program.scenarios.join("\n---\n"),
      zone: program.zone,
      seed: chunkSeed,
      difference: found,
    });
  }
  oracle.close();
  return totals;
}

/** What two differences of one cause are likely to share. */
function signatureOf({ wanted, got }) {
  const shape = (line) =>
    line
      .replace(/-?\d+(\.\d+)?(e[+-]?\d+)?/g, "0")
      .replace(/"[^"]*"/g, '"…"')
      .slice(0, 60);
  return `${shape(wanted)} / ${shape(got)}`;
}
