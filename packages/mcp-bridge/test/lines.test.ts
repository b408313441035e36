import { expect, test } from "vitest";
import { lineReader } from "../dist/src/lines.js";
import { sseReader } from "../dist/src/sse.js";

function lines(chunks: string[], maxBytes = 1_000): { lines: string[]; overflows: number } {
  const found = { lines: [] as string[], overflows: 0 };
  const reader = lineReader(
    maxBytes,
    (line) => found.lines.push(line.toString()),
    () => (found.overflows += 1),
  );
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return found;
}

function events(chunks: string[]): unknown[] {
  const found: unknown[] = [];
  const reader = sseReader(1_000, {
    data: (text) => found.push(text),
    id: (id) => found.push({ id }),
    retry: (retry) => found.push({ retry }),
    overflow: () => found.push("overflow"),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return found;
}

test("lines are cut anywhere, with either end", () => {
  expect(lines(["a\nb", "c\r\n", "\n", "d", "e\nrest"]).lines).toEqual(["a", "bc", "", "de"]);
});

test("a character that is cut by a chunk stays whole", () => {
  const bytes = Buffer.from("größe\n");
  const found: string[] = [];
  const reader = lineReader(
    100,
    (line) => found.push(line.toString()),
    () => {},
  );
  for (const byte of bytes) reader.push(Buffer.from([byte]));
  expect(found).toEqual(["größe"]);
});

test("an overlong line is said once, and nothing is read any more", () => {
  expect(lines(["ok\n", "x".repeat(600), "x".repeat(600), "\nafter\n"])).toEqual({ lines: ["ok"], overflows: 1 });
});

test("a line of 200 MB in small chunks takes linear time", () => {
  let length = 0;
  const reader = lineReader(
    300_000_000,
    (line) => (length = line.length),
    () => {},
  );
  const chunk = Buffer.alloc(16_384, "x");
  const began = performance.now();
  for (let count = 0; count < 12_800; count++) reader.push(chunk);
  reader.push(Buffer.from("\n"));
  expect(length).toBe(12_800 * 16_384);
  expect(performance.now() - began).toBeLessThan(4_000);
});

test("events: data of several lines, ids, retry, comments, other events", () => {
  expect(
    events([
      "data: a\ndata:b\n\n",
      ": comment\nid: 7\nretry: 50\ndata\n\n",
      "event: ping\ndata: x\n\n",
      "event: message\ndata: y\r\n\r\n",
      "data: never ended",
    ]),
  ).toEqual(["a\nb", { id: "7" }, { retry: 50 }, "", "y"]);
});

test("an event over the limit, in one line or many, overflows", () => {
  expect(events([`data: ${"x".repeat(2_000)}`])).toEqual(["overflow"]);
  expect(events(["data: y\n".repeat(1_001)])).toContain("overflow");
});
