// The edge where JSON-RPC enters: whatever a server sends becomes a message that the SDK takes, or is no message.
// The SDK drops a message that its strict schemas refuse, and the request that it answers would wait for ever.

import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";

export type Fields = { [key: string]: unknown };

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The messages in a parsed line or body (a batch has several); none if it is no JSON-RPC. */
export function toMessages(value: unknown): JSONRPCMessage[] {
  if (!Array.isArray(value)) {
    const message = toMessage(value);
    return message ? [message] : [];
  }
  return value.flatMap((item) => toMessage(item) ?? []);
}

/** A failed answer to `id`, as a server would have sent it. */
export function failedAnswer(id: RequestId, code: number, message: string, data?: unknown): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

function toMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isObject(value) || value.jsonrpc !== "2.0") return undefined;
  const id = typeof value.id === "string" || Number.isSafeInteger(value.id) ? (value.id as RequestId) : undefined;
  if (typeof value.method === "string") {
    const params = isObject(value.params) ? { params: value.params } : {};
    return id === undefined ? { jsonrpc: "2.0", method: value.method, ...params } : { jsonrpc: "2.0", id, method: value.method, ...params };
  }
  if (id === undefined) return undefined;
  if (value.error !== undefined && value.error !== null) return toFailedAnswer(id, value.error);
  if (!("result" in value)) return undefined;
  if (!isObject(value.result)) return failedAnswer(id, -32603, "the server's result is not an object");
  // `_meta` of a result is not used here, and a malformed one would fail the whole answer.
  const { _meta, ...result } = value.result;
  return { jsonrpc: "2.0", id, result };
}

function toFailedAnswer(id: RequestId, error: unknown): JSONRPCMessage {
  if (!isObject(error)) return failedAnswer(id, -32603, typeof error === "string" ? error : "the server failed without saying why");
  const code = Number.isSafeInteger(error.code) ? (error.code as number) : -32603;
  return failedAnswer(id, code, typeof error.message === "string" ? error.message : "the server failed without saying why", error.data);
}
