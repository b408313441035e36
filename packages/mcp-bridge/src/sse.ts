// Server-sent events, as MCP uses them. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
// (lone CR as a line end is not taken: no server sends it, and JSON has none).

import { lineReader, type LineReader } from "./lines.js";

export interface SseHandlers {
  data(text: string): void;
  id(id: string): void;
  retry(ms: number): void;
  overflow(): void;
}

/** Feeds on the bytes of a stream; calls `data` once for each event. */
export function sseReader(maxBytes: number, handlers: SseHandlers): LineReader {
  let data: Buffer[] = [];
  let size = 0;
  let event = "";

  function dispatch(): void {
    if (data.length > 0 && (event === "" || event === "message")) handlers.data(data.map((line) => line.toString("utf8")).join("\n"));
    data = [];
    size = 0;
    event = "";
  }

  return lineReader(
    maxBytes,
    (line) => {
      if (line.length === 0) return dispatch();
      const colon = line.indexOf(0x3a);
      const name = line.toString("latin1", 0, colon === -1 ? line.length : colon);
      const value = colon === -1 ? line.subarray(line.length) : line.subarray(line[colon + 1] === 0x20 ? colon + 2 : colon + 1);
      if (name === "data") {
        size += value.length;
        if (size > maxBytes) handlers.overflow();
        else data.push(value);
      } else if (name === "event") {
        event = value.toString("utf8");
      } else if (name === "id" && !value.includes(0)) {
        handlers.id(value.toString("utf8"));
      } else if (name === "retry" && /^\d{1,9}$/.test(value.toString("latin1"))) {
        handlers.retry(Number(value.toString("latin1")));
      }
    },
    handlers.overflow,
  );
}
