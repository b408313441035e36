// Acorn's errors in our words: what is wrong, where it began, and what to write instead.

import type { Limits } from "../api.js";
import type { AnyNode } from "./ast.js";
import { brackets, unclosed } from "./brackets.js";
import type { Failure, FailureDetails } from "./failure.js";
import { guess } from "./guess.js";
import { locator } from "./lines.js";
import { tokens } from "./internals.js";
import { AwaitFailure, scan, type ScannedToken } from "./parser.js";
import { hasFence } from "./source.js";

export interface Explanation {
  offset: number;
  kind: NonNullable<FailureDetails["kind"]>;
  message: string;
  hints: string[];
  limit?: keyof Limits;
}

/** The diagnostic's parts for a failure. `text` is what was parsed. */
export function explain(text: string, failure: Failure): Explanation {
  if (failure instanceof AwaitFailure) return explainAwait(text, failure);
  const { kind = "syntax", hints = [], limit } = failure.details;
  const offset = Math.max(0, failure.offset);
  const other = kind === "syntax" ? guess(text, offset, !failure.raw) : undefined;
  if (other) return { offset, kind: other.kind, message: other.message, hints: [other.hint] };
  if (!failure.raw) return { offset, kind, message: failure.message, hints, ...(limit ? { limit } : {}) };
  if (hasFence(text)) {
    const fence = text.search(/^[ \t]{0,3}(?:`{3}|~{3})/m);
    return said(fence, "A Markdown fence stands in the code.", "Send only the code, without a fence or in one complete block.");
  }
  const tag = markupAt(text, offset);
  if (tag !== undefined)
    return { ...said(tag, "JSX is not supported.", "Build text with a template: `<div>${value}</div>`."), kind: "unsupported" };
  return failure.message.startsWith("Unexpected token")
    ? explainToken(text, offset)
    : (reword(text, offset, failure.message) ?? said(offset, sentence(failure.message)));
}

function said(offset: number, message: string, ...hints: string[]): Explanation {
  return { offset, kind: "syntax", message, hints };
}

function sentence(message: string): string {
  const text = message.replaceAll("'", '"');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const CALLBACKS = /\.(map|flatMap|forEach|filter|find|findIndex|some|every|reduce|sort)\s*\(\s*$/;

function explainAwait(text: string, failure: AwaitFailure): Explanation {
  const { offset, inside } = failure; // an async one: the place is in a class inside it
  if (!inside || inside.async === true)
    return said(offset, '"await" is not allowed here.', "Await before the class, and use the value in it.");
  const line = locator(text)(inside.start).line;
  const name = (inside.id as AnyNode | null | undefined)?.name;
  const which = typeof name === "string" ? `"${name}" (line ${line})` : `the function on line ${line}`;
  const method = CALLBACKS.exec(text.slice(Math.max(0, inside.start - 40), inside.start))?.[1];
  const hints: string[] = [];
  if (method === "map" || method === "flatMap") hints.push(`Write await Promise.all(list.map(async (item) => …)).`);
  else if (method) hints.push(`${method} does not wait for an async function: use a for…of loop, where await works.`);
  return said(offset, `"await" is only allowed in async functions: mark ${which} as async.`, ...hints);
}

const HTML_ESCAPE = /&(?:lt|gt|amp|quot|#39);/;

/** "Unexpected token" says nothing: what is unexpected, after what, and which bracket is missing. */
function explainToken(text: string, offset: number): Explanation {
  const all = scan(text, offset).tokens;
  const at = all.findIndex((token) => token.start >= offset);
  const before = at < 0 ? all : all.slice(0, at);
  const token = at < 0 ? undefined : all[at];
  const found = brackets(text, before);
  const top = found.open.at(-1);
  const previous = before.at(-1);
  const lineOf = (start: number): number => locator(text)(start).line;

  const escaped = HTML_ESCAPE.exec(text.slice(Math.max(0, offset - 5), offset + 6));
  if (escaped !== null)
    return said(
      Math.max(0, offset - 5) + escaped.index,
      `${escaped[0]} is HTML for a character.`,
      "The code was escaped as HTML: send <, >, & and quotes as they are.",
    );
  if (text.slice(offset).trim() === "") {
    const opener = unclosed(found);
    if (opener)
      return said(
        opener.start,
        `Missing ${quote(opener.closer)}: the ${quote(opener.text)} on line ${lineOf(opener.start)} is never closed.`,
        `Add ${quote(opener.closer)} where it ends; if the program was cut off, send all of it.`,
      );
    return said(
      offset,
      previous
        ? `The program ends after ${quote(previous.text)}, in the middle of a statement.`
        : "The program ends in the middle of a statement.",
      "Finish the statement; if the program was cut off, send all of it.",
    );
  }
  const word = token?.text ?? /^(?:[\p{L}\p{N}_$]+|.)/u.exec(text.slice(offset))?.[0] ?? "";
  const kind = token?.kind;

  if (kind === tokens.braceR || kind === tokens.parenR || kind === tokens.bracketR) {
    if (!top) return said(offset, `Unexpected ${quote(word)}: no bracket is open here.`, "Delete it, or add the opening one before.");
    if (top.closer !== word) {
      return said(
        offset,
        `Unexpected ${quote(word)}: the ${quote(top.text)} on line ${lineOf(top.start)} is still open.`,
        `Add ${quote(top.closer)} before it.`,
      );
    }
    return said(offset, `Unexpected ${quote(word)}${after(previous)}: an expression is missing.`);
  }
  const opening = top ? before.findIndex((other) => other.start === top.start) : -1;
  const head = top?.text === "(" && /^(?:if|for|while|switch|catch)$/.test(before[opening - 1]?.text ?? "");
  if (top && head && kind === tokens.braceL)
    return said(offset, `Missing ")": the "(" on line ${lineOf(top.start)} is not closed before "{".`, 'Add ")" before it.');
  if (
    top &&
    (top.text === "(" || top.text === "[") &&
    (kind === tokens.semi || isStatementWord(token)) &&
    !(head && before[opening - 1].text === "for")
  ) {
    return said(
      offset,
      `Missing ${quote(top.closer)}: the ${quote(top.text)} on line ${lineOf(top.start)} is not closed before ${quote(word)}.`,
      `Add ${quote(top.closer)} before it.`,
    );
  }
  const declaration = before.at(-2);
  if (
    declaration?.text === "const" &&
    previous?.kind === tokens.name &&
    (kind === tokens.semi || kind === tokens.comma || startsStatement(token))
  ) {
    return said(
      offset,
      `"const ${previous.text}" needs a value.`,
      `Write const ${previous.text} = …, or let ${previous.text} if it is set later.`,
    );
  }
  if ((kind === tokens.semi || kind === tokens.comma) && declaresPattern(before))
    return said(offset, "A destructuring declaration needs a value.", "Write const { a } = object.");
  if (kind === tokens.semi && top?.text === "{") {
    return said(
      offset,
      `Unexpected ";"${after(previous)}.`,
      `If the "{" on line ${lineOf(top.start)} begins an object, its properties are separated by "," and it needs a "}".`,
    );
  }
  if (kind === tokens.colon && top?.text === "{") {
    return said(
      offset,
      'Unexpected ":".',
      "To return an object, write return { … }; an object that begins a statement needs parentheses: ({ … }).",
    );
  }
  if (previous?.kind === tokens.name && kind === tokens.name) {
    const meant = nearestKeyword(previous.text);
    if (meant) return said(previous.start, `Unexpected ${quote(word)}${after(previous)}.`, `Did you mean ${quote(meant)}?`);
  }
  if (previous?.kind === tokens.string && previous.end === offset && kind === tokens.name) {
    return said(
      offset,
      `Unexpected ${quote(word)} after the string ${quote(previous.text)}.`,
      "If the quote before it belongs to the text, write \\ before it or use other quotes around.",
    );
  }
  if (word === "=>")
    return said(offset, 'Unexpected "=>".', "An arrow function is (a, b) => …, with no function before it and no line end before =>.");
  if (top && endsOperand(previous) && startsOperand(token)) {
    const hint =
      top.text === "{" || top.text === "[" || top.text === "("
        ? [`A comma or an operator may be missing before it${top.text === "{" ? "" : `, or ${quote(top.closer)}`}.`]
        : [];
    return said(offset, `Unexpected ${quote(word)}${after(previous)}.`, ...hint);
  }
  return said(offset, `Unexpected ${quote(word)}${after(previous)}.`);
}

function quote(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  return short.includes('"') ? short : `"${short}"`;
}

function after(token: ScannedToken | undefined): string {
  return token && token.text.trim() !== "" ? ` after ${quote(token.text)}` : "";
}

/** Where the tag begins if the error is inside markup, or undefined. */
function markupAt(text: string, offset: number): number | undefined {
  const near = text.slice(Math.max(0, offset - 200), offset + 200);
  if (!/<\/[A-Za-z][\w.]*\s*>|\/>|<>|<\/>/.test(near)) return undefined;
  const before = text.slice(0, offset + 1);
  const tag = /(?:^|[=(,?:&|>\s])<(?:[A-Za-z][\w.]*(?:\s[^<>]*)?\/?>?|>)[^;]*$/.exec(before.slice(-200));
  return tag ? Math.max(0, before.length - 200) + tag.index + tag[0].indexOf("<") : undefined;
}

function isStatementWord(token: ScannedToken | undefined): boolean {
  return token !== undefined && ["const", "let", "var", "return", "if", "for", "while", "throw", "try", "switch"].includes(token.text);
}

function startsStatement(token: ScannedToken | undefined): boolean {
  return isStatementWord(token) || token?.kind === tokens.name || token?.kind === tokens.braceR;
}

/** True after `const { … }`. */
function declaresPattern(before: ScannedToken[]): boolean {
  let depth = 0;
  for (let i = before.length - 1; i >= 0; i--) {
    const { text } = before[i];
    if (text === "}" || text === "]") depth++;
    else if (text === "{" || text === "[") depth--;
    if (depth === 0) return i < before.length - 1 && /^(?:const|let|var)$/.test(before[i - 1]?.text ?? "");
  }
  return false;
}

function endsOperand(token: ScannedToken | undefined): boolean {
  if (!token) return false;
  const { kind } = token;
  return (
    kind === tokens.name ||
    kind === tokens.num ||
    kind === tokens.string ||
    kind === tokens.parenR ||
    kind === tokens.bracketR ||
    kind === tokens.braceR ||
    kind === tokens.backQuote
  );
}

function startsOperand(token: ScannedToken | undefined): boolean {
  return (
    token !== undefined &&
    (token.kind === tokens.name || token.kind === tokens.num || token.kind === tokens.string || token.kind === tokens.backQuote)
  );
}

const KEYWORDS = [
  "const",
  "return",
  "let",
  "var",
  "await",
  "async",
  "function",
  "class",
  "throw",
  "new",
  "typeof",
  "else",
  "while",
  "switch",
  "export",
  "import",
  "delete",
  "case",
  "interface",
  "type",
  "enum",
];

function nearestKeyword(word: string): string | undefined {
  if (KEYWORDS.includes(word) || word.length < 3) return undefined;
  return KEYWORDS.find(
    (keyword) =>
      keyword.length > 2 &&
      (distance(word.toLowerCase(), keyword) === 1 ||
        (keyword.length > 4 && [...word.toLowerCase()].sort().join("") === [...keyword].sort().join(""))),
  );
}

/** Edit distance, as far as 2. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 1) return 2;
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  const rest =
    a.length === b.length
      ? [a.slice(i + 1), b.slice(i + 1)]
      : a.length > b.length
        ? [a.slice(i + 1), b.slice(i)]
        : [a.slice(i), b.slice(i + 1)];
  return a === b ? 0 : rest[0] === rest[1] ? 1 : 2;
}

/** The other messages of the parsers that are worth better words. */
function reword(text: string, offset: number, message: string): Explanation | undefined {
  const name = /'([^']*)'/.exec(message)?.[1] ?? "";
  for (const [pattern, make] of WORDING) if (pattern.test(message)) return make(text, offset, name);
  return undefined;
}

type Make = (text: string, offset: number, name: string) => Explanation;

function fixed(message: string, ...hints: string[]): Make {
  return (_text, offset) => said(offset, message, ...hints);
}

const WORDING: readonly (readonly [RegExp, Make])[] = [
  [
    /^Unterminated string/,
    fixed(
      "The string that starts here is not closed on its line.",
      "Close it, put \\ before quotes inside it, or use backticks for several lines.",
    ),
  ],
  [
    /^Unterminated template/,
    (text, offset) => {
      const opener = brackets(text, scan(text, offset).tokens).open.findLast((open) => open.text === "`");
      const start = opener?.start ?? Math.max(0, offset - 1);
      return said(
        start,
        `The template that starts on line ${locator(text)(start).line} is not closed.`,
        "Add the closing backtick, and put \\ before backticks inside it.",
      );
    },
  ],
  [/^Unterminated comment/, fixed("The comment that starts here is not closed.", "Add */ at its end.")],
  [
    /^Unterminated regular expression/,
    (_text, offset) =>
      said(
        Math.max(0, offset - 1),
        "The regular expression that starts here is not closed on its line.",
        "Close it with /, or put text in quotes.",
      ),
  ],
  [/^Unexpected character/, explainCharacter],
  [/^Expecting Unicode escape sequence/, explainCharacter],
  [/has already been declared/, explainDuplicate],
  [/^Assigning to rvalue/, fixed("This cannot be assigned to: only variables and properties can.", "To compare, write ===.")],
  [/^Optional chaining cannot appear in left-hand side/, fixed("An optional chain (?.) cannot be assigned to.", "Write if (a) a.b = …")],
  [/^Unsyntactic break/, fixed('"break" stands outside a loop or switch.', "In a callback use return; to stop early use a for…of loop.")],
  [/^Unsyntactic continue/, fixed('"continue" stands outside a loop.', "In a callback use return.")],
  [
    /^'with' in strict mode/,
    (_text, offset) => ({
      ...said(offset, '"with" is not supported.', "Read the properties by name, or destructure: const { a, b } = object."),
      kind: "unsupported",
    }),
  ],
  [/^'return' outside of function/, fixed('"return" is not allowed here.')],
  [/^Shorthand property assignments/, fixed('In an object a property is written with ":", not "=".', "Write { name: value }.")],
  [/^Complex binding patterns/, fixed("A destructuring declaration needs a value.", "Write const { a } = object.")],
  [/^Missing initializer in/, fixed("A using declaration needs a value.")],
  [/^Logical expressions and coalesce/, fixed('"??" cannot stand beside "||" or "&&" without parentheses.', "Write (a ?? b) || c.")],
  [/^Illegal newline after throw/, fixed('The value must begin on the same line as "throw".')],
  [/^Missing catch or finally/, fixed('"try" needs a catch or a finally block.')],
  [/^Deleting local variable/, fixed("A variable cannot be deleted.", "Set it to undefined instead.")],
  [/^Argument name clash/, fixed("Two parameters have the same name.")],
  [
    /^Invalid number|^Octal literal/,
    fixed("A number cannot begin with 0 and another digit.", "Write 0o17 for octal, or drop the leading 0."),
  ],
  [/^Octal escape|octal escape/i, fixed("Octal escapes are not allowed in strings.", "Write \\x and two digits, or \\u and four.")],
  [/^Bad character escape|^Invalid Unicode escape/i, fixed("This escape in a string is not complete.", "Write \\\\ for a backslash.")],
  [
    /^Identifier directly after number/,
    fixed("A name directly follows a number.", "Put quotes around text such as 10px, and an operator between a number and a name."),
  ],
  [
    /^(?:The keyword|Unexpected keyword) '/,
    (_text, offset, name) => said(offset, `"${name}" is a reserved word: it cannot be a name here.`),
  ],
  [/^Cannot use 'yield' as identifier/, fixed('"yield" cannot be a name in a generator.')],
  [
    /^Binding (\w+) in strict mode|^Assigning to (?:eval|arguments) in strict mode/,
    fixed('"eval" and "arguments" cannot be assigned to or declared.'),
  ],
  [/^'import' and 'export' may/, fixed('"import" and "export" may stand only at the top level.')],
  [/^Comma is not permitted after the rest element/, fixed('"..." must come last, without a comma after it.')],
  [/^Redefinition of __proto__/, fixed("An object can set __proto__ only once.")],
  [/^Cannot use new with import/, fixed("import() is not available: no module can be loaded.")],
];

function explainCharacter(text: string, at: number): Explanation {
  const offset = text[at - 1] === "#" || text[at - 1] === "\\" ? at - 1 : at; // acorn has read these two already
  const char = String.fromCodePoint(text.codePointAt(offset) ?? 32);
  if (/[“”„‟«»]/u.test(char)) return said(offset, `${char} is a typographic quote.`, 'Write " for a string.');
  if (/[‘’‚‛´]/u.test(char)) return said(offset, `${char} is a typographic quote.`, "Write ' for a string.");
  if (char === "\\" && /^\\[nrt"'`\\]/.test(text.slice(offset, offset + 2)))
    return said(offset, "A backslash stands outside a string.", "The code was escaped twice: send line breaks and quotes as they are.");
  if (char === "#") return said(offset, 'Unexpected "#".', "A comment begins with //; private names stand only in classes.");
  if (char === "@")
    return { ...said(offset, "Decorators are not supported.", "Call the decorating function yourself."), kind: "unsupported" };
  const shown = /[\p{L}\p{N}\p{P}\p{S}]/u.test(char)
    ? `"${char}"`
    : `(U+${(text.codePointAt(offset) ?? 0).toString(16).toUpperCase().padStart(4, "0")})`;
  return said(offset, `Unexpected character ${shown}.`);
}

function explainDuplicate(text: string, offset: number, name: string): Explanation {
  const list = scan(text, offset).tokens;
  const first =
    list.find(
      (token, i) =>
        token.text === name && token.start < offset && i > 0 && /^(?:const|let|var|class|function|\*|enum|using)$/.test(list[i - 1].text),
    ) ?? list.find((token) => token.text === name && token.start < offset);
  const where = first ? ` (line ${locator(text)(first.start).line})` : "";
  return said(offset, `"${name}" is already declared${where}.`, "Use another name, or assign to it without declaring it again.");
}
