// Text from others' machines, shown safely; and what a text costs.
//
// A name or a description of a server reaches the model in listings, signatures and comments. There it must not be able to
// end a string, a comment, a line or a code fence, nor hide or reorder what stands around it.

/** Control characters, line separators, bidi marks, invisible characters, lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** `\n`, `\u202e`, `\u{e0041}`: the escapes that a JavaScript string literal knows. */
function escapeUnseen(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 10) return "\\n";
  if (code === 13) return "\\r";
  if (code === 9) return "\\t";
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/**
 * A foreign text, safe to show in a line, a comment or a fenced block: characters that cannot be seen (controls, line ends, bidi
 * marks, zero-width) as escapes, comment ends and code fences broken by a backslash.
 *
 * @example escapeText("a\n*\/b") // "a\\n*\\/b"
 */
export function escapeText(text: string): string {
  return text.replace(UNSEEN, escapeUnseen).replaceAll("*/", "*\\/").replaceAll("```", "\\`\\`\\`");
}

/**
 * A foreign text as a string literal of JavaScript and TypeScript: it evaluates to exactly the text, and can stand in a comment or a fenced
 * block as well.
 *
 * @example quoteText('a"b') // '"a\\"b"'
 */
export function quoteText(text: string): string {
  const escaped = text.replace(/[\\"]/g, "\\$&").replace(UNSEEN, escapeUnseen);
  return `"${escaped.replaceAll("*/", "*\\/").replaceAll("```", "\\`\\`\\`")}"`;
}

/** The text without its end if it has more than `limit` UTF-16 units; never half a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = limit - 1;
  const last = text.charCodeAt(end - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end)}…`;
}

/** The first paragraph of a foreign description in one line of at most `limit` UTF-16 units, escaped; "" if there is none. */
export function oneLine(description: unknown, limit: number): string {
  if (typeof description !== "string") return "";
  // Only the start is looked at: a description may be megabytes long.
  const paragraph = /\S[^]*?(?=\r?\n\s*\r?\n|$)/.exec(description.slice(0, limit * 4))?.[0] ?? "";
  return escapeText(
    cutText(
      paragraph
        .replace(/\ufe0f/g, "")
        .replace(/\s+/g, " ")
        .trim(),
      limit,
    ),
  );
}

/** `oneLine` in double quotes, so that it is clear where the foreign text ends; "" if there is none. */
export function quotedLine(description: unknown, limit: number): string {
  const line = oneLine(description, limit);
  return line === "" ? "" : `"${line.replaceAll('"', "'")}"`;
}

/**
 * About how many tokens a text is for a model: ASCII characters / 4, other characters × 0.75, rounded up.
 * Free and deterministic; within about 15 % for code and JSON.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(tokenCost(text));
}

/** `estimateTokens` before rounding: costs of parts add up to the cost of the whole. */
export function tokenCost(text: string): number {
  let ascii = 0;
  let others = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) ascii++;
    else if (unit < 0xdc00 || unit > 0xdfff) others++; // the second half of a pair is not counted again
  }
  return ascii / 4 + others * 0.75;
}
