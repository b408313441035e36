// A server that others wrote: the protocol's own test server.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { call, connect, text } from "./bridge.js";

const folder = dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json"));

test("server-everything: lists, answers, shows an image", async () => {
  const connections = await connect({ everything: { command: process.execPath, args: [join(folder, "dist/index.js")] } });
  expect(connections.failures).toEqual([]);
  expect(connections.tools.length).toBeGreaterThan(5);
  expect(await text(connections, "everything.echo", { message: "hello" })).toContain("hello");
  const images = await call(connections, "everything.get-tiny-image");
  expect(images.content?.some(({ type }) => type === "image")).toBe(true);
});
