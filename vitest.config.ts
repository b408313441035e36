import { defineConfig } from "vitest/config";

// Tests import the built packages (`dist`), so what is tested is what ships, and runs natively. The interpreter's bundle is made anew before
// them, so that `tsc -b` is all that has to be run before.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "packages/*/test/**/*.test.ts", "bin/test/**/*.test.ts", "fixtures/test/**/*.test.ts"],
    globalSetup: "packages/interpreter/bundle.mjs",
    server: { deps: { external: [/\/dist\//, /\/node_modules\//] } },
    pool: "forks",
    reporters: ["default", "./test/reporter.mjs"],
    // Many tests wait for processes: more at once than the default, one less than there are cores.
    maxWorkers: 3,
    testTimeout: 30_000,
    // Tests of real processes and clocks get a second try on a busy CI machine; a fault fails twice.
    retry: process.env["CI"] === undefined ? 0 : 1,
  },
});
