// Section 2.5: one own form for whatever a tool gives.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import { runtimeOf, tool } from "./support/kit.js";
import type { CallRecord, RuntimeOptions } from "../dist/src/index.js";

const call = (returned: unknown, more: Partial<Tool> = {}, options: Partial<RuntimeOptions> = {}): Promise<CallRecord> =>
  runtimeOf([tool("svc.t", () => Promise.resolve(returned as Json), more)], options).call("svc.t", {});
const valueOf = async (returned: unknown, more: Partial<Tool> = {}, options: Partial<RuntimeOptions> = {}): Promise<unknown> =>
  (await call(returned, more, options)).result?.value;
const text = (...texts: string[]) => ({ content: texts.map((one) => ({ type: "text", text: one })) });
const png = { type: "image", data: Buffer.from("png").toString("base64"), mimeType: "image/png" };
const handle = { media: expect.stringMatching(/^media_/) as string, mimeType: "image/png", bytes: 3 };

describe("which returned objects are ToolResults", () => {
  it.each<[string, unknown, unknown]>([
    ["structuredContent", { structuredContent: { a: 1 } }, { a: 1 }],
    ["content of typed items", text("hello"), "hello"],
    ["several texts", text("a", "b"), "a\nb"],
    ["empty content", { content: [] }, null],
    ["content of other items: bare", { content: [{ kind: "x" }] }, { content: [{ kind: "x" }] }],
    ["content that is no array: bare", { content: "x" }, { content: "x" }],
    ["isError alone: bare", { isError: true }, { isError: true }],
    ["a bare text", '{"a":1}', '{"a":1}'],
    ["a bare array", [1], [1]],
    ["nothing", undefined, null],
  ])("%s", async (_, returned, wanted) => expect(await valueOf(returned)).toEqual(wanted));
  it("structured content comes before text", async () =>
    expect(await valueOf({ structuredContent: { a: 1 }, ...text("other") })).toEqual({ a: 1 }));
  it("complete is kept", async () => {
    expect((await call({ ...text("x"), complete: false })).result?.complete).toBe(false);
    expect((await call("x")).result?.complete).toBe(true);
  });
});

describe("text", () => {
  it.each<[string, string, string | undefined]>([
    ["an object", '{"a":1}', '{"a":1}'],
    ["an array, with blanks", " [1, 2]\n", " [1, 2]\n"],
  ])("%s is parsed and remembers its text", async (_, given, remembered) => {
    const { result } = await call(text(given));
    expect(result).toMatchObject({ value: JSON.parse(given) as Json, text: remembered });
  });
  it.each(["5", '"x"', "true", "{a:1}", 'see {"a":1}', '{"a":1} {"b":2}', ""])("%j stays text", async (given) =>
    expect(await call(text(given))).toMatchObject({ result: { value: given } }),
  );
  it("not where an output schema is declared", async () =>
    expect(await valueOf(text('{"a":1}'), { outputSchema: { type: "string" } })).toBe('{"a":1}'));
  it("text: string never parses, text: json parses scalars as well", async () => {
    expect(await valueOf(text("[1]"), {}, { text: "string" })).toBe("[1]");
    expect(await valueOf(text("5"), {}, { text: "json" })).toBe(5);
    expect(await valueOf(text("no"), {}, { text: "json" })).toBe("no");
  });
  it("too deep JSON stays text", async () => {
    const deep = "[".repeat(300) + "]".repeat(300);
    expect(await valueOf(text(deep))).toBe(deep);
  });
});

describe("media and links", () => {
  it("one medium is its handle; several are an array; with text, both", async () => {
    expect(await valueOf({ content: [png] })).toEqual(handle);
    expect(await valueOf({ content: [png, png] })).toEqual([handle, handle]);
    expect(await valueOf({ content: [{ type: "text", text: "shot" }, png] })).toEqual({ text: "shot", attachments: [handle] });
  });
  it("is not lost beside structured content", async () => {
    const { result } = await call({ structuredContent: { a: 1 }, content: [png] });
    expect(result).toMatchObject({ value: { a: 1, attachments: [handle] }, attachments: [handle] });
    expect(await valueOf({ structuredContent: { attachments: 0 }, content: [png] })).toEqual({ attachments: 0 });
  });
  it("embedded resources are text or media, links are plain data", async () => {
    expect(await valueOf({ content: [{ type: "resource", resource: { uri: "x:1", text: "body" } }] })).toBe("body");
    expect(await valueOf({ content: [{ type: "resource", resource: { uri: "x:1", mimeType: "image/png", blob: "AAAA" } }] })).toEqual(
      handle,
    );
    expect(await valueOf({ content: [{ type: "resource_link", uri: "x:2", name: "two" }] })).toEqual({ uri: "x:2", name: "two" });
  });
  it("unknown blocks are left out with a warning", async () => {
    expect((await call({ content: [{ type: "hologram" }, { type: "text", text: "x" }] })).result).toMatchObject({
      value: "x",
      metadata: { warnings: ['tools.svc.t: a content block of type "hologram" was left out.'] },
    });
  });
  it("contents are kept for the runtime, within the limits", async () => {
    const runtime = runtimeOf([tool("svc.t", () => Promise.resolve({ content: [png] } as never))], { limits: { mediaCount: 2 } });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { result } = await runtime.call("svc.t", {});
      ids.push((result?.value as { media: string } | undefined)?.media ?? "");
    }
    expect(ids.map((id) => runtime.media(id) !== undefined)).toEqual([false, true, true]);
    expect(runtime.media(ids[2])).toEqual(png);
    const much = await runtimeOf([tool("svc.t", () => Promise.resolve({ content: [png, png, png] } as never))], {
      limits: { mediaCount: 2 },
    }).call("svc.t", {});
    expect(much.error).toMatchObject({ kind: "limit", limit: "mediaCount" });
    const large = await runtimeOf([tool("svc.t", () => Promise.resolve({ content: [png] } as never))], { limits: { mediaBytes: 2 } }).call(
      "svc.t",
      {},
    );
    expect(large.error).toMatchObject({ kind: "limit", limit: "mediaBytes" });
  });
  it("a handle given to a tool goes out as its content: base64 where a text is wanted, else the block", async () => {
    const got: Json[] = [];
    const take = tool("svc.take", (input) => Promise.resolve(got.push(input)), {
      inputSchema: {
        type: "object",
        properties: { data: { type: "string" }, image: { type: "object" }, list: { type: "array", items: { type: "string" } } },
      },
    });
    const runtime = runtimeOf([tool("svc.t", () => Promise.resolve({ content: [png] } as never)), take]);
    const outcome = await runtime.execute(
      "const m = await tools.svc.t({}); await tools.svc.take({ data: m, image: m, list: [m], other: m }); return m",
    );
    expect(got).toEqual([{ data: png.data, image: png, list: [png.data], other: png }]);
    expect(outcome.calls[1].input).toMatchObject({ data: handle });
    const gone = await runtime.call("svc.take", { data: { media: "media_x", mimeType: "image/png", bytes: 3 } });
    expect(gone).toMatchObject({ state: "error", error: { kind: "invalid-input" } });
  });
});

describe("errors", () => {
  it("isError fails the call with the text as message", async () => {
    expect((await call({ ...text("no such issue"), isError: true })).error).toMatchObject({
      kind: "tool-failed",
      message: "no such issue",
    });
    expect((await call({ content: [], isError: true })).error?.message).toBe("tools.svc.t failed without a message");
  });
  it("structured content of an error is its data", async () => {
    const failing = tool("svc.t", () => Promise.resolve({ ...text("bad"), structuredContent: { code: 7 }, isError: true } as never));
    expect(await runtimeOf([failing]).execute("try { await tools.svc.t({}) } catch (e) { return [e.message, e.data] }")).toMatchObject({
      value: ["bad", { code: 7 }],
    });
  });
  it.each<[string, unknown, string, string]>([
    ["a TypeError", new TypeError("bad"), "TypeError", "bad"],
    ["a text", "plain", "ToolError", "plain"],
    ["nothing", undefined, "ToolError", "tools.svc.t failed without a message"],
    [
      "a proxy",
      new Proxy(new Error("p"), {
        get: () => {
          throw new Error("trap");
        },
      }),
      "ToolError",
      "tools.svc.t failed without a message",
    ],
    [
      "an object with a getter",
      {
        get message(): string {
          throw new Error("ran");
        },
      },
      "ToolError",
      "tools.svc.t failed without a message",
    ],
  ])("thrown: %s", async (_, thrown, name, message) => {
    const record = await runtimeOf([tool("svc.t", () => Promise.reject(thrown as Error))]).call("svc.t", {});
    expect(record).toMatchObject({ state: "error", error: { kind: "tool-failed", name, message } });
  });
});

describe("the output schema", () => {
  const schema = { outputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } };
  it("our own and module tools fail, and the message says that the call did happen", async () => {
    const record = await call({ n: "x" }, schema);
    expect(record).toMatchObject({ state: "error", error: { kind: "invalid-output" } });
    expect(record.error?.message).toMatch(/^tools\.svc\.t gave a result that does not fit its output schema: .+The call itself did run\.$/);
  });
  it("foreign servers give a warning and the text", async () => {
    const foreign = tool("svc.t", () => Promise.resolve({ structuredContent: { n: "x" }, ...text("n is x") } as never), {
      ...schema,
      foreign: true,
    });
    const outcome = await runtimeOf([foreign]).execute("return await tools.svc.t({})");
    expect(outcome).toMatchObject({ status: "completed", value: "n is x", warnings: [{ kind: "invalid-output" }] });
  });
  it("a Standard Schema's decoded values reach tool and program", async () => {
    const got: unknown[] = [];
    const decoded = tool("svc.t", (input) => Promise.resolve(got.push(input)), {
      inputSchema: z.object({ when: z.string().default("now") }),
      outputSchema: z.number().transform((n) => n * 10),
    });
    expect((await runtimeOf([decoded]).call("svc.t", {})).result?.value).toBe(10);
    expect(got).toEqual([{ when: "now" }]);
  });
  it("what can't cross fails, and did happen", async () => {
    expect((await call({ fn: () => 1 })).error).toMatchObject({
      kind: "invalid-output",
      message: "tools.svc.t gave a function at result.fn, which can't cross into a program. The call itself did run.",
    });
  });
});
