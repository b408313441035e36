// The progress lines beside the questions to a person.

import { PassThrough } from "node:stream";
import type { CallRecord, ExecutionEvent } from "@airlock/runtime";
import { expect, test } from "vitest";
import { Progress } from "../dist/src/progress.js";

const started = (id: string): CallRecord => ({
  id,
  path: `tools.chat.${id}`,
  server: "chat",
  name: id,
  input: {},
  state: "running",
  decision: { action: "allow", by: "person" },
  startedAt: 0,
});
const settled = (id: string, state: CallRecord["state"], message: string): CallRecord => ({
  ...started(id),
  state,
  endedAt: 5,
  error: { kind: "tool-failed", message, hints: [] },
});

function screen() {
  const output = new PassThrough();
  let text = "";
  output.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const progress = new Progress({ output });
  const event = (type: "call.started" | "call.settled", call: CallRecord): void =>
    progress.onEvent({ type, executionId: "r", call } as ExecutionEvent);
  return { progress, event, text: () => text };
}

test("lines wait while a person is asked", () => {
  const { progress, event, text } = screen();
  event("call.started", started("list"));
  progress.pause(true);
  event("call.settled", { ...started("list"), state: "completed", endedAt: 7 });
  progress.line("a log line");
  expect(text()).toBe("");
  progress.pause(false);
  progress.stop();
  expect(text()).toBe("✓ tools.chat.list() 7 ms\na log line\n");
});

test("the end of a run does not lose them", () => {
  const { progress, text } = screen();
  progress.pause(true);
  progress.line("a log line");
  progress.stop();
  expect(text()).toBe("a log line\n");
});

test("a call that never began has no time; of one whose end is not known, why", () => {
  const { progress, event, text } = screen();
  event("call.settled", settled("post", "error", "it was rejected."));
  event("call.started", started("list"));
  event("call.settled", settled("list", "interrupted", "the server has gone."));
  progress.stop();
  expect(text()).toBe("✗ tools.chat.post()\n  it was rejected.\n✗ tools.chat.list() 5 ms\n  outcome unknown: the server has gone.\n");
});
