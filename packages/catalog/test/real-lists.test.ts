// The tool lists of real servers, kept beside the project: all of them give signatures that TypeScript accepts.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCatalog, estimateTokens, type Tool } from "../dist/src/index.js";
import { tool, typeErrors } from "./helpers.js";
import { sharedPath } from "../../../test/support/shared.js";

const folder = sharedPath("mcp-catalogs");

function realTools(path: string): Tool[] {
  return readdirSync(path)
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => {
      const list: { tools: Partial<Tool>[] } = JSON.parse(readFileSync(join(path, file), "utf8"));
      return list.tools.map((entry) => ({ ...tool(`${file.slice(0, -5)}.x`), foreign: true, ...entry }));
    });
}

test.skipIf(folder === undefined)(
  "all are taken; signatures and declarations parse; the listing keeps its budget",
  { timeout: 300_000 },
  async () => {
    const catalog = createCatalog(realTools(folder ?? ""));
    expect(catalog.warnings).toEqual([]);
    const signatures = catalog.registrations.map(({ path }, i) => `declare function f${i}${catalog.signature(path).slice(path.length)};`);
    expect(typeErrors({ "signatures.d.ts": signatures.join("\n"), "tools.d.ts": catalog.declarations() })).toEqual([]);
    expect(signatures.filter((text) => text.includes("(input: unknown)"))).toEqual([]);
    for (const budgetTokens of [1_000, 2_000, 8_000])
      expect(estimateTokens(catalog.listing({ budgetTokens }))).toBeLessThanOrEqual(budgetTokens);
    for (const registration of catalog.registrations.filter((_, i) => i % 10 === 0)) {
      const result = await catalog.validateInput(registration, { no_such_field_anywhere: true });
      if (!result.ok) expect(result.message.length).toBeLessThan(1_501);
    }
  },
);
