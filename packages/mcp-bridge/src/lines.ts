// Bytes → lines, in linear time also for one line of many megabytes.

const LF = 0x0a;
const CR = 0x0d;

export interface LineReader {
  push(chunk: Buffer): void;
}

/**
 * Calls `onLine` with each line, without its end (LF or CRLF). Only the new chunk is searched and a line's pieces are joined once.
 * A line over `maxBytes` calls `onOverflow` once; from then on nothing is read.
 */
export function lineReader(maxBytes: number, onLine: (line: Buffer) => void, onOverflow: () => void): LineReader {
  let pieces: Buffer[] = [];
  let length = 0;
  let overflowed = false;

  function keep(piece: Buffer): void {
    length += piece.length;
    if (length > maxBytes) {
      overflowed = true;
      pieces = [];
      onOverflow();
    } else if (piece.length > 0) {
      pieces.push(piece);
    }
  }

  function emit(): void {
    const whole = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, length);
    pieces = [];
    length = 0;
    onLine(whole.at(-1) === CR ? whole.subarray(0, -1) : whole);
  }

  return {
    push(chunk) {
      let start = 0;
      while (!overflowed) {
        const end = chunk.indexOf(LF, start);
        if (end === -1) {
          keep(chunk.subarray(start));
          return;
        }
        keep(chunk.subarray(start, end));
        if (!overflowed) emit();
        start = end + 1;
      }
    },
  };
}
