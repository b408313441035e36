import { expect, test } from "vitest";
import { toMessages } from "../dist/src/message.js";
import { toToolResult } from "../dist/src/result.js";

test.each<[string, unknown, unknown[]]>([
  ["a request", { jsonrpc: "2.0", id: 1, method: "ping", extra: 1 }, [{ jsonrpc: "2.0", id: 1, method: "ping" }]],
  ["a notification with params that are no object", { jsonrpc: "2.0", method: "n", params: [1] }, [{ jsonrpc: "2.0", method: "n" }]],
  [
    "an answer with fields too many and a malformed _meta",
    { jsonrpc: "2.0", id: "a", result: { a: 1, _meta: 3 }, took: 5 },
    [{ jsonrpc: "2.0", id: "a", result: { a: 1 } }],
  ],
  ["an answer whose error is null", { jsonrpc: "2.0", id: 1, error: null, result: {} }, [{ jsonrpc: "2.0", id: 1, result: {} }]],
  [
    "an answer whose result is null",
    { jsonrpc: "2.0", id: 1, result: null },
    [{ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "the server's result is not an object" } }],
  ],
  ["an error that is a text", { jsonrpc: "2.0", id: 1, error: "no" }, [{ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "no" } }]],
  [
    "an error with a code that is no number",
    { jsonrpc: "2.0", id: 1, error: { code: "E1", message: "no", data: [1] } },
    [{ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "no", data: [1] } }],
  ],
  [
    "a batch",
    [{ jsonrpc: "2.0", method: "a" }, 7, { jsonrpc: "2.0", method: "b" }],
    [
      { jsonrpc: "2.0", method: "a" },
      { jsonrpc: "2.0", method: "b" },
    ],
  ],
  ["a log line", { level: "info", id: 1, error: "x" }, []],
  ["an answer without an id", { jsonrpc: "2.0", id: null, error: { code: -32700, message: "parse" } }, []],
  ["a number", 42, []],
])("JSON-RPC: %s", (_, value, expected) => {
  expect(toMessages(value)).toEqual(expected);
});

test("an own __proto__ in a result stays a key", () => {
  const [message] = toMessages(JSON.parse('{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"__proto__":{"a":1}}}}'));
  const { structuredContent } = toToolResult("result" in message ? message.result : {});
  expect(Object.keys(structuredContent as object)).toEqual(["__proto__"]);
});

test.each<[string, object, object]>([
  ["the old toolResult", { toolResult: { a: 1 } }, { content: [{ type: "text", text: '{"a":1}' }] }],
  ["content that is a text", { content: "hello" }, { content: [{ type: "text", text: "hello" }] }],
  ["structured content that is null", { structuredContent: null, content: [] }, { content: [] }],
  ["isError that is no boolean", { content: [], isError: "false" }, { content: [] }],
  [
    "an image without a type",
    { content: [{ type: "image", data: "AA" }] },
    { content: [{ type: "image", data: "AA", mimeType: "application/octet-stream" }] },
  ],
  [
    "an embedded resource with fields too many",
    { content: [{ type: "resource", resource: { uri: "a:b", blob: "AA", size: 1 } }] },
    { content: [{ type: "resource", resource: { uri: "a:b", blob: "AA" } }] },
  ],
])("results: %s", (_, raw, expected) => {
  expect(toToolResult({ ...raw })).toEqual(expected);
});
