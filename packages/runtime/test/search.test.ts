import { describe, expect, it } from "vitest";
import { catalogOf, runtimeOf, tool } from "./support/kit.js";

const many = catalogOf(
  ...Array.from({ length: 40 }, (_, n) => tool(`svc.tool_${n}`, undefined, { description: `Does the thing number ${n} for invoices.` })),
  tool("secret.invoices"),
);

describe("tools.catalog.search", () => {
  const runtime = runtimeOf(many, { search: true, listing: { budgetTokens: 200 }, permission: { "svc.*": "allow", "secret.*": "deny" } });
  it("is named where the listing is partial, and works as named, without permission", async () => {
    const { catalog } = runtime.instructions();
    expect(catalog).toContain('tools.catalog.search({ query: "words" })');
    const outcome = await runtime.execute(
      "const r = await tools.catalog.search({ query: 'invoices', limit: 3 }); return [r.items.length, r.items[0].path.startsWith('tools.svc.'), r.remaining, r.next]",
    );
    expect(outcome).toMatchObject({
      status: "completed",
      value: [3, true, 37, { offset: 3 }],
      calls: [{ path: "tools.catalog.search", state: "completed" }],
    });
  });
  it("finds nothing that is hidden, and keeps the other tools' registrations", async () => {
    expect(
      await runtime.execute("return (await tools.catalog.search({ query: 'secret' })).items.filter((one) => one.path.includes('secret'))"),
    ).toMatchObject({ value: [] });
    expect(await runtime.execute("return await tools.svc.tool_1({ n: 1 })")).toMatchObject({ status: "completed", value: { n: 1 } });
  });
  it("can be denied by name, and is not there by default: then the listing does not name it", async () => {
    const denied = runtimeOf(many, {
      search: true,
      listing: { budgetTokens: 200 },
      permission: { "*": "allow", "catalog.search": "deny" },
    });
    expect(denied.instructions().catalog).not.toContain("search");
    const plain = runtimeOf(many, { listing: { budgetTokens: 200 } });
    expect(plain.instructions().catalog).not.toContain("search");
    expect(await plain.execute("return await tools.catalog.search({ query: 'x' })")).toMatchObject({
      status: "failed",
      error: { kind: "unknown-tool" },
    });
  });
  it("leaves a catalog.search of the catalog alone", async () => {
    expect(
      await runtimeOf([tool("catalog.search")], { search: true }).execute("return await tools.catalog.search({ mine: 1 })"),
    ).toMatchObject({ value: { mine: 1 } });
  });
});
