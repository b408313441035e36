// After vitest's own report: what was skipped and why; and the counts for .ci/run, into the file that AIRLOCK_TEST_COUNTS names.

import { writeFileSync } from "node:fs";
import { relative } from "node:path";

export default class SkippedReporter {
  onTestRunEnd(modules) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const skipped = new Map();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, note } = test.result();
        if (state in counts) counts[state] += 1;
        if (state !== "skipped" || test.options.mode === "run") continue;
        const place = relative(process.cwd(), module.moduleId);
        const why = note ?? (test.parent.type === "suite" && test.parent.options.mode === "skip" ? test.parent.fullName : test.fullName);
        skipped.set(`${place}: ${why}`, (skipped.get(`${place}: ${why}`) ?? 0) + 1);
      }
      if (module.state() === "failed" && [...module.children.allTests()].length === 0) counts.failed += 1;
    }
    if (skipped.size > 0)
      console.log(
        `Skipped, because what they need is not here:\n${[...skipped].map(([what, number]) => `  ${what}${number > 1 ? ` (${number})` : ""}`).join("\n")}`,
      );
    if (process.env.AIRLOCK_TEST_COUNTS)
      writeFileSync(process.env.AIRLOCK_TEST_COUNTS, `${counts.passed} ${counts.failed} ${counts.skipped}\n`);
  }
}
