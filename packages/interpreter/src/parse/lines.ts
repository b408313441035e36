// Offsets to lines and columns, and the picture of a place in the source.

import type { SourceLocation } from "../api.js";

/** Starts of all lines. Line ends as in the language: LF, CR, CRLF (one), U+2028, U+2029. */
export function lineStarts(source: string): number[] {
  const starts = [0];
  for (let i = 0; i < source.length; i++) {
    const code = source.charCodeAt(i);
    if (code === 13 && source.charCodeAt(i + 1) === 10) i++;
    if (code === 10 || code === 13 || code === 0x2028 || code === 0x2029) starts.push(i + 1);
  }
  return starts;
}

/** A function from offsets to locations. The table of lines is built by the first call; a byte order mark counts as no column. */
export function locator(source: string): (offset: number) => SourceLocation {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(source);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    const mark = low === 0 && source.charCodeAt(0) === 0xfeff ? 1 : 0;
    return { line: low + 1, column: Math.max(1, offset - starts[low] + 1 - mark) };
  };
}

const WIDEST = 120;

/**
 * The source line of a location with a caret under its column. Long lines are cut around the column; tabs stay aligned.
 *
 *     const total = sum(1, 2;
 *                           ^
 */
export function frameOf(source: string, location: SourceLocation): string {
  const starts = lineStarts(source);
  const line = Math.min(Math.max(location.line, 1), starts.length);
  const from = starts[line - 1];
  let text = source.slice(from, line < starts.length ? starts[line] : source.length).replace(/[\n\r\u2028\u2029]+$/, "");
  if (line === 1 && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  let at = Math.min(Math.max(location.column - 1, 0), text.length);
  if (text.length > WIDEST) {
    const first = Math.max(0, Math.min(at - WIDEST / 2, text.length - WIDEST));
    const last = Math.min(text.length, first + WIDEST);
    text = (first > 0 ? "…" : "") + text.slice(first, last) + (last < text.length ? "…" : "");
    at = at - first + (first > 0 ? 1 : 0);
  }
  return `${text}\n${text.slice(0, at).replace(/[^\t]/g, " ")}^`;
}
