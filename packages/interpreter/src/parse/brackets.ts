// Which bracket is missing where: by the brackets themselves, and where they agree with nothing, by the indentation.

import type { ScannedToken } from "./parser.js";
import { tokens } from "./internals.js";

export interface Opener {
  /** The bracket as written: `{`, `(`, `[`, `${`, or a backtick. */
  text: string;
  closer: string;
  start: number;
}

const CLOSERS = new Map([
  ["{", "}"],
  ["(", ")"],
  ["[", "]"],
  ["${", "}"],
]);

export interface Brackets {
  /** What is open at the end of the tokens, outermost first. */
  open: Opener[];
  /** An opener whose closer seems to have been taken for another's: its line is indented deeper than the line that closes it. */
  suspect: Opener | undefined;
}

/** Follows the brackets through tokens. Closers that fit nothing are passed over. */
export function brackets(text: string, list: ScannedToken[]): Brackets {
  const open: Opener[] = [];
  let suspect: Opener | undefined;
  for (const token of list) {
    const closer = CLOSERS.get(token.text);
    if (closer && token.kind !== tokens.template && token.kind !== tokens.string) {
      open.push({ text: token.text, closer, start: token.start });
      continue;
    }
    if (token.kind === tokens.backQuote) {
      if (open.at(-1)?.text === "`") open.pop();
      else open.push({ text: "`", closer: "`", start: token.start });
      continue;
    }
    if (token.kind !== tokens.braceR && token.kind !== tokens.parenR && token.kind !== tokens.bracketR) continue;
    const top = open.at(-1);
    if (top?.closer !== token.text) continue;
    open.pop();
    if (!suspect && token.text === "}" && startsLine(text, token.start) && indent(text, token.start) < indent(text, top.start))
      suspect = top;
  }
  return { open, suspect };
}

/** The opener to name when the text ends too early. */
export function unclosed({ open, suspect }: Brackets): Opener | undefined {
  const last = open.at(-1);
  if (last?.text === "{" && suspect && suspect.start > last.start) return suspect;
  return last;
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}

function indent(text: string, offset: number): number {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0].length ?? 0;
}
