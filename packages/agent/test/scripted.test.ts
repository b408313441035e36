// The scripted provider: what it expects, and what it says when it does not get it.

import { expect, test } from "vitest";
import {
  parseTranscript,
  scripted,
  type Expectation,
  type Message,
  type ProviderEvent,
  type ProviderRequest,
  type TranscriptStep,
} from "../dist/src/index.js";

async function events(step: TranscriptStep, request: Partial<ProviderRequest> = {}): Promise<ProviderEvent[]> {
  const all: ProviderEvent[] = [];
  const given = { system: ["Be brief.", "Tools: a"], messages, tools: [{ name: "execute", description: "", inputSchema: {} }], ...request };
  for await (const event of scripted({ format: "airlock-transcript/1", steps: [step] }).stream(given, new AbortController().signal))
    all.push(event);
  return all;
}

const messages: Message[] = [
  { role: "user", parts: [{ type: "text", text: "Which bugs?" }] },
  { role: "tool", results: [{ callId: "1", name: "execute", state: "completed", content: [{ type: "text", text: "result: 3" }] }] },
];

async function problem(expect: Expectation): Promise<string> {
  const [event] = await events({ expect, events: [{ text: "ok" }] });
  return event.type === "provider.error" ? event.error.message : "met";
}

test("expectations that are met", async () => {
  expect(
    await problem({ system: ["Be brief.", "Tools: a"], prompt: "bugs", results: "result: 3", notInResults: "secret", tools: ["execute"] }),
  ).toBe("met");
});

test("expectations that are not met say what was wanted and what is there", async () => {
  expect(await problem({ system: "Be long" })).toContain('step 1: the system prompt should contain "Be long", but it is:\nBe brief.');
  expect(await problem({ prompt: ["Which", "owner"] })).toContain('the prompt should contain "owner", but it is:\nWhich bugs?');
  expect(await problem({ results: "result: 4" })).toContain('the tool results should contain "result: 4", but it is:\nresult: 3');
  expect(await problem({ notInResults: "result" })).toContain('should not contain "result"');
  expect(await problem({ tools: ["execute", "other"] })).toContain("should be execute, other, but they are execute");
});

test("no steps left", async () => {
  const provider = scripted({ format: "airlock-transcript/1", steps: [] });
  for await (const event of provider.stream({ system: [], messages: [], tools: [] }, new AbortController().signal))
    expect(event).toMatchObject({ type: "provider.error", error: { retryable: false, message: expect.stringContaining("has 0 steps") } });
});

test("inputs as JSON, as lines of a program, and raw; the stop follows from the calls", async () => {
  const all = await events({
    events: [
      { tool: "a", input: { n: 1 } },
      { tool: "execute", code: ["let x = 1", "return x"] },
      { tool: "b", rawInput: ["{", "oops"] },
    ],
  });
  expect(all.flatMap((event) => (event.type === "tool.input.delta" ? [event.delta] : []))).toEqual([
    '{"n":1}',
    '{"code":"let x = 1\\nreturn x"}',
    "{",
    "oops",
  ]);
  expect(all.at(-1)).toEqual({ type: "stop", reason: "tool-calls" });
});

test("files that are no transcripts", () => {
  expect(() => parseTranscript("{")).toThrow("not JSON");
  expect(() => parseTranscript('{"steps":[]}')).toThrow('"format": "airlock-transcript/1"');
  expect(() => parseTranscript('{"format":"airlock-transcript/1","steps":[{"events":[{"txt":"x"}]}]}')).toThrow(
    'steps[0].events[0]: needs "text"',
  );
});
