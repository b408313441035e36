// What goes out on each wire: the conversation, the tools, and the marks for prompt caches.

import { afterEach, expect, test } from "vitest";
import { anthropic, memoryStore, openaiChat, openaiResponses, runAgent, type Message, type Provider } from "../dist/src/index.js";
import { completed, fakeRuntime, formatExecution } from "./fake-runtime.js";
import { loopback, scenarios, type Asked } from "./loopback.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const files = { anthropic: "anthropic", openai: "openai-responses", local: "openai-chat" };
const make: { [Name in keyof typeof files]: (url: string) => Provider } = {
  anthropic: (url) => anthropic({ model: "claude-test", apiKey: "key-1", baseUrl: url }),
  openai: (url) => openaiResponses({ model: "gpt-test", apiKey: "key-2", baseUrl: `${url}/v1` }),
  local: (url) => openaiChat({ model: "local-test", baseUrl: `${url}/v1` }),
};

const png = { type: "image" as const, mimeType: "image/png", data: "iVBORw0=" };

/** The requests of a run with one call, whose result holds an image. */
async function asked(name: keyof typeof files): Promise<Asked[]> {
  const server = await loopback(scenarios(files[name])["tool-use"]);
  open.push(server);
  const runtime = fakeRuntime({
    execute: () => completed({ shot: { media: "med_1", mimeType: "image/png", bytes: 5 } }),
    media: { med_1: png },
  });
  await runAgent({
    runtime,
    provider: make[name](server.url),
    store: memoryStore(),
    prompt: "Frage?",
    system: "Be brief.",
    formatExecution,
  });
  return server.asked;
}

/** The request for a conversation that is given. */
async function sent(name: keyof typeof files, messages: Message[]): Promise<Asked> {
  const server = await loopback(scenarios(files[name]).answer);
  open.push(server);
  for await (const event of make[name](server.url).stream({ system: [], messages, tools: [] }, new AbortController().signal)) void event;
  return server.asked[0];
}

const resultText = 'result: {"shot":{"media":"med_1","mimeType":"image/png","bytes":5}}';
const catalog = "Tools: tools.github.list_issues";

test("anthropic", async () => {
  const [first, second] = await asked("anthropic");
  const cache_control = { type: "ephemeral" };
  expect(first.path).toBe("/v1/messages");
  expect(first.headers.authorization ?? first.headers["x-api-key"]).toContain("key-1");
  expect(first.body).toMatchObject({
    model: "claude-test",
    stream: true,
    system: [
      { type: "text", text: "Be brief." },
      { type: "text", text: catalog, cache_control },
    ],
    tools: [{ name: "execute", description: "Run a program.", input_schema: { type: "object", required: ["code"] }, cache_control }],
  });
  expect(first.body.messages).toEqual([{ role: "user", content: [{ type: "text", text: "Frage?", cache_control }] }]);
  expect(second.body.messages).toEqual([
    { role: "user", content: [{ type: "text", text: "Frage?" }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Überlegen wir 🤔.", signature: "sig-abc==" },
        { type: "redacted_thinking", data: "opaque-1" },
        { type: "text", text: "Ich schaue 👀 nach – 日本語." },
        { type: "tool_use", id: "toolu_1", name: "execute", input: { code: "return 'é🙂'" } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          content: [
            { type: "text", text: resultText },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0=" } },
          ],
          cache_control,
        },
      ],
    },
  ]);
  // The parts that a cache holds are the same bytes.
  expect(JSON.stringify([second.body.tools, second.body.system])).toBe(JSON.stringify([first.body.tools, first.body.system]));
});

test("openai responses", async () => {
  const [first, second] = await asked("openai");
  expect(first.path).toBe("/v1/responses");
  expect(first.headers.authorization).toBe("Bearer key-2");
  expect(first.body).toMatchObject({
    model: "gpt-test",
    stream: true,
    store: false,
    instructions: `Be brief.\n\n${catalog}`,
    include: ["reasoning.encrypted_content"],
  });
  expect(first.body.tools).toMatchObject([{ type: "function", name: "execute", strict: false }]);
  expect(second.body.input).toEqual([
    { type: "message", role: "user", content: [{ type: "input_text", text: "Frage?" }] },
    {
      type: "reasoning",
      id: "rs_1",
      encrypted_content: "enc-abc",
      summary: [
        { type: "summary_text", text: "Überlegen" },
        { type: "summary_text", text: "wir 🤔." },
      ],
    },
    { type: "message", role: "assistant", content: "Ich schaue 👀 nach – 日本語.", phase: "commentary" },
    { type: "function_call", call_id: "call_a", name: "execute", arguments: '{"code":"return \'é🙂\'"}' },
    {
      type: "function_call_output",
      call_id: "call_a",
      output: [
        { type: "input_text", text: resultText },
        { type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBORw0=" },
      ],
    },
  ]);
  expect(second.body.prompt_cache_key).toBe(first.body.prompt_cache_key);
});

test("chat completions", async () => {
  const [first, second] = await asked("local");
  expect(first.path).toBe("/v1/chat/completions");
  expect(first.headers["openai-organization"]).toBeUndefined();
  expect(first.body.tools).toMatchObject([{ type: "function", function: { name: "execute" } }]);
  expect(second.body.messages).toEqual([
    { role: "system", content: `Be brief.\n\n${catalog}` },
    { role: "user", content: "Frage?" },
    {
      role: "assistant",
      content: "Ich schaue 👀 nach – 日本語.",
      tool_calls: [{ id: "call_a", type: "function", function: { name: "execute", arguments: '{"code":"return \'é🙂\'"}' } }],
    },
    { role: "tool", tool_call_id: "call_a", content: resultText },
    {
      role: "user",
      content: [
        { type: "text", text: "From the result of execute:" },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0=" } },
      ],
    },
  ]);
});

const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
/** A session that another provider began, with a malformed call, an empty text, an empty result and an answer that never came. */
const foreign: Message[] = [
  { role: "user", parts: [{ type: "text", text: "one" }] },
  {
    role: "assistant",
    provider: "elsewhere",
    model: "x",
    stop: "tool-calls",
    usage,
    parts: [
      { type: "reasoning", text: "secret thought", opaque: { signature: "s", id: "rs", encrypted: "e" } },
      { type: "text", text: "" },
      { type: "tool-call", callId: "id:1", name: "execute", input: {}, malformed: "{oops" },
    ],
  },
  { role: "tool", results: [{ callId: "id:1", name: "execute", state: "error", content: [{ type: "text", text: "" }] }] },
  { role: "assistant", provider: "elsewhere", model: "x", stop: "error", usage, parts: [] },
  { role: "user", parts: [{ type: "text", text: "two" }] },
];

test("a session of another provider: its own data stays out, calls and results stay paired", async () => {
  const messages = (await sent("anthropic", foreign)).body.messages;
  expect(messages).toEqual([
    { role: "user", content: [{ type: "text", text: "one" }] },
    { role: "assistant", content: [{ type: "tool_use", id: "id_1", name: "execute", input: { INVALID_JSON: "{oops" } }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "id_1", content: [{ type: "text", text: "(no output)" }], is_error: true },
        { type: "text", text: "two", cache_control: { type: "ephemeral" } },
      ],
    },
  ]);
  expect((await sent("openai", foreign)).body.input).toEqual([
    { type: "message", role: "user", content: [{ type: "input_text", text: "one" }] },
    { type: "function_call", call_id: "id:1", name: "execute", arguments: '{"INVALID_JSON":"{oops"}' },
    { type: "function_call_output", call_id: "id:1", output: "(no output)" },
    { type: "message", role: "user", content: [{ type: "input_text", text: "two" }] },
  ]);
  expect((await sent("local", foreign)).body.messages).toEqual([
    { role: "user", content: "one" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "id:1", type: "function", function: { name: "execute", arguments: '{"INVALID_JSON":"{oops"}' } }],
    },
    { role: "tool", tool_call_id: "id:1", content: "(no output)" },
    { role: "user", content: "two" },
  ]);
});
