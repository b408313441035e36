import { describe, expect, it } from "vitest";
import { estimateTokens } from "@airlock/catalog";
import { formatExecution, type CallRecord, type Execution } from "../dist/src/index.js";
import { catalogOf, runtimeOf, tool } from "./support/kit.js";

const stats = { steps: 0, computeMs: 0, wallMs: 0, allocatedBytes: 0, peakDepth: 0, toolCalls: 0, seed: 0, cachedProgram: false };
const call = (name: string, state: CallRecord["state"], input = {}, message?: string): CallRecord => ({
  id: "1",
  path: `tools.github.${name}`,
  server: "github",
  name,
  input,
  state,
  decision: { action: "allow", by: "default" },
  startedAt: 0,
  ...(message !== undefined && { error: { kind: "tool-failed", message, hints: [] } }),
});
const completed = (value: Execution extends { value: infer V } ? V : never | unknown, more: Partial<Execution> = {}): Execution =>
  ({ status: "completed", value, logs: [], warnings: [], stats, id: "r", calls: [], ...more }) as Execution;

describe("an execution as text", () => {
  it("a value is its JSON, a text is itself; calls are not listed", () => {
    expect(formatExecution(completed({ open: 3 }, { calls: [call("list_issues", "completed")] }))).toBe('{"open":3}');
    expect(formatExecution(completed("line 1\nline 2"))).toBe("line 1\nline 2");
    expect(formatExecution(completed(null))).toBe("null");
  });
  it("then warnings and logs", () => {
    expect(
      formatExecution(
        completed(1, {
          warnings: [{ kind: "invalid-output", message: "odd.", location: { line: 3, column: 1 }, hints: ["Look."] }],
          logs: [
            { level: "log", text: "a", args: [] },
            { level: "error", text: "b", args: [] },
          ],
        }),
      ),
    ).toBe("1\n\nWarnings:\n- line 3: odd. Look.\n\nLogs:\na\n[error] b");
  });
  it("what the failure says is not said again of its call", () => {
    const execution: Execution = {
      status: "failed",
      error: { kind: "tool-failed", name: "ToolError", message: "not found", hints: [] },
      logs: [],
      warnings: [],
      stats,
      id: "r",
      calls: [call("get", "error", { id: 1 }, "not found"), call("get", "error", { id: 2 }, "gone")],
    };
    expect(formatExecution(execution)).toBe(
      'Tool failed: ToolError: not found\n\nCalls that failed:\n- tools.github.get({"id":1})\n- tools.github.get({"id":2}): gone',
    );
  });
  it("a warning that stands there more than once is shown once", () => {
    const odd = { kind: "invalid-output" as const, message: "odd.", hints: [] };
    expect(formatExecution(completed(1, { warnings: [odd, { ...odd, message: "even." }, odd] }))).toBe(
      "1\n\nWarnings:\n- odd. (2 times)\n- even.",
    );
  });
  it("a failure shows place, frame and hints, then the calls by what became of them", () => {
    const execution: Execution = {
      status: "failed",
      error: {
        kind: "uncaught",
        name: "TypeError",
        message: "x is not a function",
        location: { line: 2, column: 8 },
        frame: "return x()\n       ^",
        hints: ["Call a function."],
      },
      logs: [],
      warnings: [],
      stats,
      id: "r",
      calls: [
        call("create_issue", "completed", { title: "a" }),
        call("merge", "interrupted", { id: 1 }),
        call("get", "error", {}, "not found"),
        ...Array.from({ length: 9 }, (_, n) => call("list", "completed", { n })),
      ],
    };
    expect(formatExecution(execution)).toBe(
      [
        "Uncaught error in line 2, column 8: TypeError: x is not a function",
        "  return x()",
        "         ^",
        "Hint: Call a function.",
        "",
        "Calls done before the failure (do not repeat what they changed):",
        '- tools.github.create_issue({"title":"a"})',
        ...[0, 1, 2, 3, 4].map((n) => `- tools.github.list({"n":${n}})`),
        "- tools.github.list: 4 more calls",
        "",
        "Calls whose outcome is unknown (they may have happened: check before you repeat them):",
        '- tools.github.merge({"id":1})',
        "",
        "Calls that failed:",
        "- tools.github.get(): not found",
      ].join("\n"),
    );
  });
  it("stays bounded over many calls and large inputs", () => {
    const calls = Array.from({ length: 1_000 }, (_, n) => call(`t${n}`, "completed", { text: "x".repeat(10_000) }));
    const text = formatExecution({
      status: "failed",
      error: { kind: "limit", message: "m", hints: [] },
      logs: [],
      warnings: [],
      stats,
      id: "r",
      calls,
    });
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain("- calls of 970 more tools");
  });
});

describe("the instructions", () => {
  const runtime = runtimeOf(catalogOf(tool("github.list_issues", undefined, { description: "Lists issues." })), {
    listing: { budgetTokens: 500 },
  });
  const { description, catalog, snapshot } = runtime.instructions();
  it("the description is short", () => expect(estimateTokens(description)).toBeLessThanOrEqual(500));
  it("is constant: the tools stand apart from it", () => {
    expect(runtimeOf(catalogOf(tool("other.x"))).instructions().description).toBe(description);
    expect(description).not.toContain("list_issues:");
    expect(catalog).toContain("list_issues");
    expect(snapshot.registrations).toHaveLength(1);
  });
  it("hides what is denied", () =>
    expect(runtimeOf(snapshot, { permission: { "*": "deny" } }).instructions().catalog).not.toContain("list_issues"));
  it("says nothing that is not so", async () => {
    for (const name of description.match(/`(fetch|require|import|process)`/g) ?? [])
      expect(description).toMatch(new RegExp(`Not there: .*${name}`));
    const outcome = await runtime.execute(
      "return [Object.keys(tools), Object.keys(tools.github), await Promise.all([tools.github.list_issues({ repo: 'x' })])]",
    );
    expect(outcome).toMatchObject({ value: [["github"], ["list_issues"], [{ repo: "x" }]] });
  });
});
