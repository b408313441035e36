import { serverCommand, startHttp } from "@airlock/fixtures";
import { expect, test } from "vitest";
import { call, connect, eventually, failure, later, text } from "./bridge.js";

const odd = (...options: string[]) => connect({ odd: serverCommand("odd", ...options) });

test("results are handed through, careless ones made into results", async () => {
  const connections = await odd();
  const texts = (...all: string[]) => ({ content: all.map((item) => ({ type: "text", text: item })) });
  const expected = {
    wrong_structured: { structuredContent: { score: "high" }, content: [] },
    missing_structured: texts("the score is 7"),
    list_structured: { structuredContent: [1, 2, 3], content: [] },
    is_error: { ...texts("it did not work"), isError: true },
    loose_content: texts(
      "a bare text",
      '{"a":1}',
      '[content of the unknown type "hologram", left out]',
      "[image without data, left out]",
      '{"no":"type"}',
    ),
  };
  for (const [name, result] of Object.entries(expected)) expect(await call(connections, `odd.${name}`), name).toEqual(result);
  for (const name of ["resolve-library-id", "__proto__", "then", "constructor", "list.items", "größe", "with space", "42"])
    expect(await text(connections, `odd.${name}`)).toBe(name);
});

test("media and structured content come together", async () => {
  const result = await call(await odd(), "odd.media");
  expect(result.structuredContent).toEqual({ width: 1 });
  expect(result.content?.map(({ type }) => type)).toEqual(["text", "image"]);
});

test("deep structured content arrives", async () => {
  let { structuredContent: value } = await call(await odd(), "odd.deep", { levels: 1_000 });
  let levels = 0;
  while (typeof value === "object" && value !== null && !Array.isArray(value)) {
    levels += 1;
    value = value.in;
  }
  expect(levels).toBe(1_000);
});

test("a JSON-RPC error is an error with the server's message, code and data", async () => {
  const connections = await odd();
  const error = await failure(call(connections, "odd.rpc_error"));
  expect(error).toMatchObject({
    name: "McpError",
    message: "out of order",
    data: { server: "odd", code: -32099, data: { since: "today" } },
  });
  expect((await failure(call(connections, "odd.no_object"))).message).toBe("the server's result is not an object");
});

test("200 calls at once over two servers all get their own answer", async () => {
  const http = await startHttp("odd");
  later(() => http.close());
  const connections = await connect({ pipe: serverCommand("odd"), web: { url: http.url } });
  const calls = Array.from({ length: 200 }, (_, index) =>
    text(connections, `${index % 2 === 0 ? "pipe" : "web"}.echo`, { text: `call ${index}` }),
  );
  expect(await Promise.all(calls)).toEqual(calls.map((_, index) => `call ${index}`));
});

test("a result of 50 MB arrives, in linear time", async () => {
  const connections = await odd();
  const timed = async (bytes: number) => {
    const began = performance.now();
    expect((await text(connections, "odd.big", { bytes })).length).toBe(bytes);
    return performance.now() - began;
  };
  await timed(1_000_000);
  const ten = await timed(10_000_000);
  const fifty = await timed(50_000_000);
  expect(fifty).toBeLessThan(Math.max(10 * ten, 8_000));
});

test("a message over the limit ends the connection: the outcome is unknown, the next call finds the server again", async () => {
  const connections = await connect({ odd: serverCommand("odd") }, { maxMessageBytes: 100_000 });
  const error = await failure(call(connections, "odd.big", { bytes: 200_000 }));
  expect(error).toMatchObject({ name: "OutcomeUnknown", outcome: "unknown" });
  expect(error.message).toContain("more than 100000 bytes");
  expect(await text(connections, "odd.echo", { text: "back" })).toBe("back");
});

test("a call that is never answered ends with its signal, and the server is told", async () => {
  const connections = await odd();
  const abort = new AbortController();
  const pending = call(connections, "odd.never", {}, { signal: abort.signal });
  setTimeout(() => abort.abort(new Error("no patience")), 100);
  expect((await failure(pending)).message).toBe("no patience");
  expect(JSON.parse(await text(connections, "odd.counts"))).toMatchObject({ cancelled: 1 });
});

test("a signal that is aborted before the call sends nothing", async () => {
  const connections = await odd();
  expect((await failure(call(connections, "odd.echo", {}, { signal: AbortSignal.abort(new Error("too late")) }))).message).toBe("too late");
  expect(JSON.parse(await text(connections, "odd.counts"))).toEqual({ calls: 1, cancelled: 0 });
});

test("aborting after the answer cancels nothing", async () => {
  const connections = await odd();
  const abort = new AbortController();
  await call(connections, "odd.echo", { text: "x" }, { signal: abort.signal });
  abort.abort();
  expect(JSON.parse(await text(connections, "odd.counts"))).toMatchObject({ cancelled: 0 });
});

test("progress reaches the call's context", async () => {
  const updates: object[] = [];
  expect(await text(await odd(), "odd.slow", { ms: 300, steps: 3 }, { updates })).toBe("done in 3 steps");
  expect(updates.slice(0, 2)).toEqual([
    { progress: 1, total: 3, message: "step 1" },
    { progress: 2, total: 3, message: "step 2" },
  ]);
});

test.each([
  ["exit", "ended with exit code 3 (stderr: odd: out of paper)"],
  ["kill", "ended by SIGKILL (stderr: odd: out of paper)"],
])("a server that dies in the middle of a call (%s): its outcome is unknown, the next call restarts it", async (how, said) => {
  const connections = await odd();
  const other = failure(call(connections, "odd.never"));
  const error = await failure(call(connections, "odd.die", { how }));
  expect(error).toMatchObject({ name: "OutcomeUnknown", data: { server: "odd", tool: "tools.odd.die", outcome: "unknown" } });
  expect(error.message).toContain(said);
  expect(error.message).toContain("whether the call took effect is unknown");
  expect((await other).message).toContain("tools.odd.never");
  // Many calls at once cause one restart.
  const answers = await Promise.all(["a", "b", "c"].map((word) => text(connections, "odd.echo", { text: word })));
  expect(answers).toEqual(["a", "b", "c"]);
  expect(JSON.parse(await text(connections, "odd.counts"))).toMatchObject({ calls: 4 });
  expect(connections.failures).toEqual([]);
});

test("restarts are bounded", async () => {
  const connections = await odd();
  for (let times = 0; times < 6; times++) expect((await failure(call(connections, "odd.die"))).name).toBe("OutcomeUnknown");
  const error = await failure(call(connections, "odd.echo"));
  expect(error).toMatchObject({ name: "ServerUnavailable", data: { outcome: "not-called" } });
  expect(error.message).toContain("ended 5 times within a minute");
});

test("a server that ended between calls is restarted without a failure", async () => {
  const connections = await odd();
  const first = connections.servers[0].pid as number;
  process.kill(first, "SIGKILL");
  await eventually(() => connections.servers[0].state === "lost");
  expect(await text(connections, "odd.echo", { text: "here" })).toBe("here");
  expect(connections.servers[0].pid).not.toBe(first);
});
