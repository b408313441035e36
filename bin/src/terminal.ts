// What is written to the terminal. Texts of servers, programs and files are foreign: what could move the cursor or hide is shown as escapes.

import pc from "picocolors";

export type Colors = ReturnType<typeof pc.createColors>;

/** Colours where the stream is a terminal (and `NO_COLOR` is not set). */
export function colorsOf(stream: { isTTY?: boolean }): Colors {
  return pc.createColors(pc.isColorSupported && stream.isTTY === true);
}

/** For what is said on stderr. */
export const colors = colorsOf(process.stderr);
/** For what is printed on stdout. */
export const ink = colorsOf(process.stdout);

/** Controls, line separators, bidi marks, invisible characters; not the joiners that scripts and emoji need. */
const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A foreign text for the terminal, its lines kept.
 *
 * @example shown("a\u001b[2Jb") // "a\\u001b[2Jb"
 */
export function shown(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** The same in one line of at most `limit` characters. */
export function shownLine(text: string, limit = 200): string {
  const line = shown(text.slice(0, limit * 2))
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
  return line.length <= limit && text.length <= limit * 2 ? line : `${line.slice(0, limit - 1)}…`;
}

/** A line to stderr. Nothing but results goes to stdout. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A line of our own to stdout, foreign text in it made safe by the caller. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** A result, to stdout: to a terminal with escapes, to a pipe or file as it is. */
export function printResult(text: string): void {
  print(process.stdout.isTTY ? shown(text) : text);
}

export function printJson(value: unknown): void {
  printResult(JSON.stringify(value, null, 2));
}

/** `1 call`, `2 calls`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
