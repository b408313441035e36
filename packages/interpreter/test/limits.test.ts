// Limits in every builtin: programs that hide work, memory and depth where nobody might count them, one kind a line (fuzz/hostile.mjs).
// Each ends soon by a limit or by an ordinary error, never by a fault of the interpreter, and the next run in this process works.

import { describe, expect, test } from "vitest";
import { type Limits, type Outcome, run } from "@airlock/interpreter";

const hostile = (await import(new URL("../fuzz/hostile.mjs", import.meta.url).href)) as {
  [group in "WORK" | "DEPTH" | "MEMORY" | "GARBAGE"]: { [name: string]: string };
};

const MB = 1_048_576;
/** No single operation may take longer than this past the limit, on a busy machine too. */
const MAX_CPU_MS = 3_000;
const MAX_RSS = 1_200 * MB;

const names = Array.from({ length: 3_000 }, (_, i) => `get_list_of_things_${i.toString(36)}`);
const tools = { big: { t0: () => 1, ...Object.fromEntries(names.map((name) => [name, () => 1])) } };

/** How a program ended: the limit, or the kind of the failure, or "completed". */
async function end(code: string, limits: Partial<Limits>): Promise<string> {
  const before = process.cpuUsage();
  const outcome: Outcome = await run(code, { tools, limits });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000 - outcome.stats.computeMs).toBeLessThan(MAX_CPU_MS);
  expect(process.memoryUsage().rss).toBeLessThan(MAX_RSS);
  expect(await run("return 1")).toMatchObject({ status: "completed", value: 1 });
  if (outcome.status === "completed") return "completed";
  expect(outcome.error.kind, outcome.error.message).not.toBe("internal");
  return outcome.error.limit ?? outcome.error.kind;
}

describe("work", () => {
  test.each(Object.entries(hostile.WORK))("%s", async (_, code) => {
    const limits = { computeMs: 40, wallMs: 1_000, memoryBytes: 64 * MB };
    expect([
      "computeMs",
      "steps",
      "wallMs",
      "memoryBytes",
      "callDepth",
      "resultBytes",
      "timers",
      "pendingPromises",
      "uncaught",
      "completed",
    ]).toContain(await end(code, limits));
  });
});

describe("depth", () => {
  test.each(Object.entries(hostile.DEPTH))("%s", async (_, code) => {
    // Chains that are only long take time instead; and values may be refused for their depth.
    expect(["callDepth", "computeMs", "steps", "memoryBytes", "uncaught", "completed"]).toContain(
      await end(code, { computeMs: 300, memoryBytes: 128 * MB }),
    );
  });
});

describe("memory is live and over everything", () => {
  test.each(Object.entries(hostile.MEMORY))("%s", async (_, code) => {
    expect(["memoryBytes", "pendingPromises", "timers", "steps"]).toContain(await end(code, { computeMs: 60_000, memoryBytes: 12 * MB }));
  });
  test.each(Object.entries(hostile.GARBAGE))("much garbage, little that is kept: %s", async (_, code) => {
    const outcome = await run(code, { limits: { computeMs: 60_000, memoryBytes: 16 * MB } });
    expect(outcome).toMatchObject({ status: "completed", value: true });
  });
});
