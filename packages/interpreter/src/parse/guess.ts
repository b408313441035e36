// What a text is that is no program: other languages, data, commands, prose. Asked only after parsing has failed
// (and for the few commands that are also expressions).

import type { FailureDetails } from "./failure.js";

export interface Guess {
  message: string;
  kind: NonNullable<FailureDetails["kind"]>;
  hint: string;
}

/** The lines about an offset: signs further off say nothing about what failed there (and patterns here need not be linear). */
function around(text: string, offset: number): string {
  const from = text.lastIndexOf("\n", Math.max(0, offset - 200)) + 1;
  const to = text.indexOf("\n", offset + 200);
  return text.slice(Math.max(from, offset - 500), Math.min(to < 0 ? text.length : to, offset + 500));
}

const WRITE_CODE = "Send JavaScript: the body of an async function, e.g. return await tools.<server>.<name>({ … }).";

/** What the text seems to be; `offset` is where it failed to parse as a program. `sure`: the failure is about one thing in a program. */
export function guess(text: string, offset: number, sure: boolean): Guess | undefined {
  if (sure) return markup(text);
  return markup(text) ?? json(text) ?? shell(text) ?? python(around(text, offset)) ?? prose(text, offset);
}

function json(text: string): Guess | undefined {
  const trimmed = text.trim();
  if (!/^[[{"]/.test(trimmed)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return undefined;
  }
  const code = typeof value === "object" && value !== null && "code" in value && typeof value.code === "string";
  return { kind: "syntax", message: "This is JSON, not a program.", hint: code ? 'Send the text of its "code" field alone.' : WRITE_CODE };
}

const COMMANDS =
  "apt|apt-get|awk|bash|brew|bun|bunx|cargo|cat|cd|chmod|chown|cp|curl|deno|docker|du|echo|egrep|find|gh|git|go|grep|head|jq|kill|kubectl|ls|make|mkdir|mv|node|npm|npx|pip|pip3|pnpm|ps|pwd|python|python3|rg|rm|rmdir|rsync|scp|sed|sh|ssh|sudo|tail|tar|tee|terraform|touch|tree|unzip|uv|wc|wget|which|xargs|yarn|zip|zsh";
const COMMAND = new RegExp(
  `^(?:\\$\\s+\\S|(?:${COMMANDS})(?:\\s+(?![=(.[?:;,]|[-+*/%&|<>]\\s|[=!<>]=|in\\b|instanceof\\b|=>|async\\b|function\\b|default\\b|const\\b|let\\b|class\\b|\\{)\\S|\\s*$|\\s*(?:&&|\\|)\\s*\\w))`,
);

/** The guess for a shell command. */
export const A_COMMAND: Guess = {
  kind: "syntax",
  message: "This is a shell command, not a program.",
  hint: "Programs cannot run commands by themselves. Send JavaScript that calls tools, e.g. await tools.<server>.<name>({ … }).",
};

function shell(text: string): Guess | undefined {
  return COMMAND.test(/^.*/.exec(text.trim())?.[0].trim() ?? "") ? A_COMMAND : undefined;
}

/** True for `ls -la` and its like, which are subtractions to a parser. */
export function isCommandExpression(text: string): boolean {
  const trimmed = text.trim();
  return new RegExp(`^(?:${COMMANDS})\\s+--?[A-Za-z]\\w*\\s*;?$`).test(trimmed) || /^(?:ls|pwd|cd);?$/.test(trimmed);
}

function markup(text: string): Guess | undefined {
  return /^\s*<(?:!DOCTYPE|html|\?xml|svg|div)\b/i.test(text)
    ? { kind: "syntax", message: "This is markup, not a program.", hint: WRITE_CODE }
    : undefined;
}

const PYTHON = [
  /^\s*(?:async\s+)?def\s+\w+\s*\(.*\)\s*(?:->.*)?:/m,
  /^\s*(?:elif\b.*|else|try|finally|except\b.*|class\s+\w+(?:\(.*\))?|while\s+[^({].*|if\s+[^({].*|for\s+\w+(?:\s*,\s*\w+)*\s+in\s+.*|with\s+.*\s+as\s+\w+):\s*(?:#.*)?$/m,
  /^\s*from\s+[\w.]+\s+import\s/m,
  /^\s*import\s+[\w.]+(?:\s+as\s+\w+)?\s*$/m,
  /[[({][^[\](){}"'`]*(?:\[[^\]]*\][^[\](){}"'`]*)?\sfor\s+\w+(?:\s*,\s*\w+)*\s+in\s/,
  /^\s*print\s+["']/m,
  /[^\w.]f["'][^"'\n]*\{/,
  /^\s*(?:if|while|elif)\s+[^({"'`\n]*\s(?:and|or|not)\s/m,
];

function python(text: string): Guess | undefined {
  if (!PYTHON.some((sign) => sign.test(text))) return undefined;
  return {
    kind: "syntax",
    message: "This looks like Python; programs are JavaScript.",
    hint: "Rewrite it: const and let, braces for blocks, null, true, false, // for comments, list.map(…) and list.filter(…) instead of comprehensions.",
  };
}

/** A line of words where code should be. */
function prose(text: string, offset: number): Guess | undefined {
  const from = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  const line = (/^[^\n\r]*/.exec(text.slice(from))?.[0] ?? "").trim();
  const words = /^(?:[-*#>]+\s+|\d+\.\s+)?[\p{L}'’]+(?:[\s,]+[\p{L}\d'’\-/`"]+){3,}\s*[.:!?,…]?/u.exec(line)?.[0];
  if (!words || words.length < line.length * 0.6 || /[{};=]|=>|\(\)/.test(line)) return undefined;
  const whole = !/[{};=()]/.test(text);
  return {
    kind: "syntax",
    message: whole ? "This is prose, not a program." : "This line is prose, not code.",
    hint: whole ? WRITE_CODE : "Send only the code, and write // before a comment.",
  };
}
