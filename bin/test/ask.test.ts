import { PassThrough } from "node:stream";
import type { Question } from "@airlock/runtime";
import { describe, expect, test } from "vitest";
import { person } from "../dist/src/ask.js";

function terminal() {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = "";
  let interrupts = 0;
  output.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const one = person({ open: () => ({ input, close: () => {} }), output, interrupt: () => (interrupts += 1) });
  const told = async (part: string): Promise<void> => {
    for (const end = Date.now() + 5_000; !text.includes(part); await new Promise((resolve) => setTimeout(resolve, 5)))
      if (Date.now() > end) throw new Error(`no ${part} in: ${text}`);
  };
  return {
    person: one,
    text: () => text,
    told,
    /** Types a line once the text is there. */
    async answer(after: string, line: string): Promise<void> {
      await told(after);
      text = "";
      input.write(`${line}\n`);
    },
    end: () => input.end(),
  };
}

let number = 0;
function question(change: Partial<Question> = {}): Question {
  number += 1;
  return {
    id: `q${number}`,
    callId: `c${number}`,
    path: "tools.chat.post_message",
    input: { channel: "general", text: "hi\u001b[2J" },
    location: { line: 3, column: 7 },
    line: "await tools.chat.post_message({ channel })",
    requests: [{ permission: "chat.post_message", patterns: ["{}"], always: ["*"], metadata: {} }],
    batch: `b${number}`,
    batchSize: 1,
    ...change,
  };
}

const never = new AbortController().signal;

describe("one question", () => {
  test("shows tool, line, input and what always would save; control characters as escapes", async () => {
    const { person: one, answer, told, text } = terminal();
    const asked = one.ask(question(), never);
    await told("[o]nce");
    expect(text()).toContain("Permission needed: tools.chat.post_message\n  line 3: await tools.chat.post_message({ channel })\n");
    expect(text()).toContain('"text": "hi\\u001b[2J"');
    expect(text()).toContain('"always" saves: "chat.post_message": "allow"');
    expect(text()).not.toContain("\u001b");
    await answer("[o]nce", "o");
    expect(await asked).toEqual({ reply: "once" });
  });

  test.each([
    ["a", { reply: "always" }],
    ["reject", { reply: "reject" }],
    ["m not on Fridays", { reply: "reject", message: "not on Fridays" }],
  ])("%s", async (line, expected) => {
    const { person: one, answer } = terminal();
    const asked = one.ask(question(), never);
    await answer("[o]nce", line);
    expect(await asked).toEqual(expected);
  });

  test("what is no answer is asked again; m asks for the message; the end of input rejects", async () => {
    const { person: one, answer, end, told } = terminal();
    const asked = one.ask(question(), never);
    await answer("[o]nce", "what?");
    await answer("Type the letter in brackets", "m");
    await answer("What should the program be told?", "later");
    expect(await asked).toEqual({ reply: "reject", message: "later" });
    const second = one.ask(question(), never);
    await told("[o]nce");
    end();
    expect(await second).toEqual({ reply: "reject" });
  });

  test("no always where it would save nothing; a diff is shown", async () => {
    const { person: one, answer, told, text } = terminal();
    const asked = one.ask(
      question({ requests: [{ permission: "edit", patterns: ["a.txt"], always: [], metadata: { diff: "-old\n+new" } }] }),
      never,
    );
    await told("[o]nce");
    expect(text()).not.toContain("[a]lways");
    expect(text()).toContain("  -old\n  +new\n  permission: edit for a.txt\n");
    await answer("[o]nce", "a");
    await answer("Type the letter", "o");
    expect(await asked).toEqual({ reply: "once" });
  });

  test("a question that needs no answer any more goes away", async () => {
    const { person: one, told } = terminal();
    const controller = new AbortController();
    void one.ask(question(), controller.signal);
    await told("[o]nce");
    controller.abort();
    await told("No answer is needed any more.");
    const asked = one.ask(question(), never);
    await told("Permission needed");
    expect(asked).toBeInstanceOf(Promise);
  });
});

describe("questions of the same moment", () => {
  test("are asked together: one answer for all", async () => {
    const { person: one, answer, told, text } = terminal();
    const both = Promise.all([
      one.ask(question({ batch: "x" }), never),
      one.ask(question({ batch: "x", path: "tools.chat.set_topic" }), never),
    ]);
    await told("(for all)");
    expect(text()).toContain("2 calls need your permission:\n1. tools.chat.post_message");
    expect(text()).toContain("2. tools.chat.set_topic");
    await answer("(for all)", "o");
    expect(await both).toEqual([{ reply: "once" }, { reply: "once" }]);
  });

  test("or each by itself, and so are the parts of one", async () => {
    const { person: one, answer } = terminal();
    const requests = [
      { permission: "edit", patterns: ["a.txt"], always: ["a.txt"], metadata: {} },
      { permission: "shell", patterns: ["rm a"], always: [], metadata: {} },
    ];
    const both = Promise.all([one.ask(question({ batch: "y", requests }), never), one.ask(question({ batch: "y" }), never)]);
    await answer("(for all)", "e");
    await answer("permission: edit for a.txt", "a");
    await answer("permission: shell for rm a", "m keep it");
    await answer("permission: chat.post_message", "o");
    expect(await both).toEqual([
      { replies: [{ reply: "always" }, { reply: "reject", message: "keep it" }] },
      { replies: [{ reply: "once" }] },
    ]);
  });

  test("dialogs come one after the other", async () => {
    const { person: one, answer, told, text } = terminal();
    const first = one.ask(question(), never);
    const second = one.ask(question({ path: "tools.chat.set_topic" }), never);
    await told("post_message");
    expect(text()).not.toContain("set_topic");
    await answer("[o]nce", "o");
    await answer("set_topic", "r");
    expect(await Promise.all([first, second])).toEqual([{ reply: "once" }, { reply: "reject" }]);
  });
});

test("a folder's trust: only yes is yes", async () => {
  const { person: one, answer, told } = terminal();
  const asked = one.confirm(["It brings a server."], "Trust this folder?");
  await told("It brings a server.\nTrust this folder? [y/N]");
  await answer("[y/N]", "yes");
  expect(await asked).toBe(true);
  const second = one.confirm([], "Trust?");
  await answer("[y/N]", "");
  expect(await second).toBe(false);
});
