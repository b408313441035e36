// The text as sent, made a text of the same length that a parser reads: what is around a fenced block becomes spaces,
// so that every offset stays what it was.

import { syntax, unsupported } from "./failure.js";
import { scan } from "./parser.js";

const FENCE = /^[ \t]{0,3}(`{3,}|~{3,})([^`]*)$/;
const CODE = new Set(["js", "javascript", "jsx", "mjs", "cjs", "ts", "typescript", "tsx", "mts", "node", "nodejs", "ecmascript"]);

/** A line that is code for sure, and no sentence. */
const CODE_LINE = /^\s*(?:(?:const|let|var)\s+[\w$[{][^.\n]*=|(?:return|await|throw)\b.*;\s*$|(?:async\s+)?function\b.*\{)/m;

interface Block {
  language: string;
  fence: number;
  from: number;
  to: number;
}

const FENCE_LINE = /^[ \t]{0,3}(?:`{3}|~{3})/m;

/** True where some line is a fence, or looks like one. */
export function hasFence(source: string): boolean {
  return FENCE_LINE.test(source);
}

/** True where the first fence is one: not in a comment or a template of a program, but where a program's token would begin, or after text that is no tokens. */
export function isFenced(source: string): boolean {
  const line = FENCE_LINE.exec(source);
  if (!line) return false;
  const fence = line.index + line[0].length - 3;
  const { tokens, complete } = scan(source, fence);
  return !complete || tokens.at(-1)?.start === fence;
}

/**
 * The text with only the program of its fenced block left. The block in JavaScript or TypeScript if there is one, else the one without a
 * language; undefined if there is no block. Throws a Failure if several could be meant, or if the only one is in another language.
 */
export function fenced(source: string): string | undefined {
  const blocks = blocksOf(source);
  const last = blocks.at(-1);
  if (blocks.length === 1 && last?.language === "" && source.slice(last.from).trim() === "") {
    if (source.slice(0, last.fence).trim() !== "") return source.slice(0, last.fence) + blank(source.slice(last.fence)); // only the closing fence was sent
  }
  const named = blocks.filter((block) => CODE.has(block.language));
  const plain = blocks.filter((block) => block.language === "");
  const candidates = named.length > 0 ? named : plain;
  if (candidates.length > 1)
    throw syntax(
      candidates[1].fence,
      `There are ${candidates.length} fenced blocks with code.`,
      "Send one program: only the code, in one block or without a fence.",
    );
  if (candidates.length === 0) {
    if (blocks.length === 0) return undefined;
    throw unsupported(
      blocks[0].fence,
      `The fenced block is ${blocks[0].language}, not JavaScript.`,
      "Write the program in JavaScript or TypeScript.",
    );
  }
  const { from, to, fence } = candidates[0];
  if (CODE_LINE.test(source.slice(0, fence)) || CODE_LINE.test(source.slice(to)))
    throw syntax(fence, "There is code inside and outside the fenced block.", "Send only the code, without a fence or all in one block.");
  return blank(source.slice(0, from)) + source.slice(from, to) + blank(source.slice(to));
}

/** Blocks with their contents' extents. The last may be unclosed: it goes to the end. */
function blocksOf(source: string): Block[] {
  const blocks: Block[] = [];
  let open: (Block & { mark: string }) | undefined;
  for (const { text, from, next } of linesOf(source)) {
    const match = FENCE.exec(text);
    if (!match) continue;
    const info = match[2].trim();
    if (!open) open = { mark: match[1], language: info.split(/[\s{:,]/)[0].toLowerCase(), fence: from, from: next, to: source.length };
    else if (match[1][0] === open.mark[0] && match[1].length >= open.mark.length && info === "") {
      blocks.push({ language: open.language, fence: open.fence, from: open.from, to: from });
      open = undefined;
    }
  }
  if (open) blocks.push(open);
  return blocks;
}

function* linesOf(source: string): Generator<{ text: string; from: number; next: number }> {
  const ends = /\r\n|[\n\r\u2028\u2029]|$/g;
  let from = source.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (;;) {
    ends.lastIndex = from;
    const end = ends.exec(source);
    const at = end ? end.index : source.length;
    const next = at + (end ? end[0].length : 0);
    yield { text: source.slice(from, at), from, next };
    if (next === at) return;
    from = next;
  }
}

function blank(text: string): string {
  return text.replace(/[^\n\r\u2028\u2029]/g, " ");
}
