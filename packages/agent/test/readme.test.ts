// The README's examples, run as they stand there.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as agent from "../dist/src/index.js";
import { completed, fakeRuntime, formatExecution } from "./fake-runtime.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const block = (language: string): string => readme.split(`\`\`\`${language}\n`)[1].split("```")[0];

test("the example prints the model's text and ends", async () => {
  const program = block("js").replace(/^import \{(.*)\} from "@airlock\/agent";$/m, "const {$1} = agent;");
  expect(program).not.toContain("import");
  const written: string[] = [];
  const process = { stdout: { write: (text: string) => written.push(text) } };
  const body = new Function(
    "agent",
    "runtime",
    "formatExecution",
    "process",
    `return (async () => { ${program}\nreturn { text, reason, sessionId }; })()`,
  );
  const result = await body(agent, fakeRuntime({ execute: () => completed(3) }), formatExecution, process);
  expect(result).toMatchObject({ text: "There are 3.", reason: "stop", sessionId: expect.stringMatching(/^ses_/) });
  expect(written.join("")).toBe("Let me count.There are 3.");
});

test("the transcript is one, and plays", async () => {
  const provider = agent.scripted(agent.parseTranscript(block("json")));
  const result = await agent.runAgent({
    runtime: fakeRuntime({ execute: () => completed(3) }),
    provider,
    store: agent.memoryStore(),
    prompt: "How many?",
    formatExecution,
  });
  expect(result).toMatchObject({ text: "There are 3.", reason: "stop" });
});

test("all files that it names are there, and all events", () => {
  for (const name of readme.split("## Files")[1].match(/[a-z]+\.ts/g) ?? [])
    expect(() => readFileSync(new URL(`../src/${name}`, import.meta.url))).not.toThrow();
  const union = readFileSync(new URL("../src/events.ts", import.meta.url), "utf8");
  const drawn = readme.split("## The order of events")[1].split("## Models")[0];
  for (const [, type] of union.matchAll(/type: "([a-z.]+)"/g)) if (type !== "opaque" && type !== "stop") expect(drawn).toContain(type);
});
