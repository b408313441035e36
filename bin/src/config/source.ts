// One configuration file: read, parsed, and the places of its parts.

import { readFileSync } from "node:fs";
import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { UsageError } from "../exit.js";
import { shownLine } from "../terminal.js";

export interface ConfigSource {
  path: string;
  /** As it was on the disk: what trust is given to. */
  text: string;
  value: { [key: string]: unknown };
  /** `line 3, column 5` of the value at a path of keys, or of the key itself. */
  place(keys: readonly (string | number)[], of?: "key" | "value"): string;
}

const MAX_BYTES = 1_048_576;

/**
 * Reads a file of JSON with comments whose top is an object. Undefined if there is no such file.
 *
 * @throws UsageError with file, line and what is wrong
 */
export function readConfigSource(path: string): ConfigSource | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw new UsageError(`${path} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (bytes.length > MAX_BYTES) throw new UsageError(`${path} has ${bytes.length} bytes; a configuration may have ${MAX_BYTES}.`);
  return parseConfigSource(path, decode(path, bytes));
}

export function parseConfigSource(path: string, text: string): ConfigSource {
  const place = (offset: number): string => {
    const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
    return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
  };
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, disallowComments: false };
  const tree = parseTree(text, errors, options);
  if (errors.length > 0) {
    const [{ error, offset, length }] = errors;
    const found =
      offset >= text.trimEnd().length
        ? "the file ends here"
        : `at ${JSON.stringify(shownLine(text.slice(offset, offset + Math.min(length || 1, 40))))}`;
    throw new UsageError(`${path}, ${place(offset)}: ${WORDS[printParseErrorCode(error)] ?? "not valid JSON"} (${found}).`);
  }
  if (tree === undefined) throw new UsageError(`${path}: the file is empty.`, ["A configuration is an object; {} is enough."]);
  if (tree.type !== "object")
    throw new UsageError(
      `${path}, ${place(tree.offset)}: a configuration is an object { … }; this is ${tree.type === "array" ? "a list" : `a ${tree.type}`}.`,
    );
  const twice = duplicateKey(tree);
  if (twice !== undefined)
    throw new UsageError(
      `${path}, ${place(twice.offset)}: the key ${text.slice(twice.offset, twice.offset + twice.length)} is there twice.`,
    );
  return {
    path,
    text,
    value: valueOf(tree) as { [key: string]: unknown },
    place(keys, of = "value") {
      const node = nodeAt(tree, keys);
      const shownNode = of === "key" ? (node?.parent?.children?.[0] ?? node) : node;
      return place(shownNode?.offset ?? tree.offset);
    },
  };
}

function nodeAt(tree: Node, keys: readonly (string | number)[]): Node | undefined {
  return keys.reduce<Node | undefined>((node, key) => node && findNodeAtLocation(node, [node.type === "array" ? Number(key) : key]), tree);
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${path} is not UTF-8 text.`);
  }
}

/** The value of a tree; `__proto__` is a key like any other (the parser's own values would have it as their prototype). */
function valueOf({ type, value, children = [] }: Node): unknown {
  if (type === "array") return children.map(valueOf);
  if (type !== "object") return value;
  return Object.fromEntries(children.map(({ children: [key, inner] = [] }) => [key.value, valueOf(inner)]));
}

/** JSON lets the last one win; in a list of rules that would hide a line that a reader sees. */
function duplicateKey(node: Node): Node | undefined {
  const keys = new Set<string>();
  for (const child of node.children ?? []) {
    if (node.type === "object") {
      const [key] = child.children ?? [];
      if (keys.has(String(key.value))) return key;
      keys.add(String(key.value));
    }
    const inner = duplicateKey(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const WORDS: { readonly [code: string]: string } = {
  InvalidSymbol: "this word has no meaning in JSON",
  InvalidNumberFormat: "this is no number",
  PropertyNameExpected: "a key in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: "a colon is expected",
  CommaExpected: "a comma is expected",
  CloseBraceExpected: "a closing } is expected",
  CloseBracketExpected: "a closing ] is expected",
  EndOfFileExpected: "nothing more is expected",
  InvalidCommentToken: "this is no comment",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a text is not closed",
  UnexpectedEndOfNumber: "a number is not complete",
  InvalidUnicode: "this \\u escape is wrong",
  InvalidEscapeCharacter: "this escape is wrong",
  InvalidCharacter: "this character may not stand here",
};
