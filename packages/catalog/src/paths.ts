// Paths of tools: the expression that a program writes, and back.

import { quoteText } from "./text.js";

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;

/** The two names that make a tool's path. */
export interface ToolName {
  server: string;
  name: string;
}

/** Whether a name can follow a dot as it is. Names that look like others (not normalised, invisible characters) are put in brackets. */
export function isPlainName(name: string): boolean {
  return IDENTIFIER.test(name) && !IGNORABLE.test(name) && name.normalize("NFC") === name;
}

/** Whether a program can write the name after a dot: those that it can't have aliases. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

/** `.name` or `["na-me"]`. */
export function formatKey(name: string): string {
  return isPlainName(name) ? `.${name}` : `[${quoteText(name)}]`;
}

/**
 * The expression by which a program reaches a tool, or a server if `name` is left out.
 *
 * @example formatPath("context7", "resolve-library-id") // 'tools.context7["resolve-library-id"]'
 */
export function formatPath(server: string, name?: string): string {
  return `tools${formatKey(server)}${name === undefined ? "" : formatKey(name)}`;
}

/**
 * Server and name of a path: `tools.a.b`, `tools.a["x-y"]`, the same without `tools.`, or plain `server.name`, which is split after the
 * longest of the known servers. The result need not exist. Undefined if the text is no path.
 */
export function parsePath(path: string, servers: Iterable<string> = []): ToolName | undefined {
  return pathReadings(path, servers)[0];
}

/** All readings of a path, the likeliest first: a plain `a.b.c` may be a server `a` or a server `a.b`. */
export function pathReadings(path: string, servers: Iterable<string>): ToolName[] {
  if (path.length > 10_000) return [];
  const readings: ToolName[] = [];
  const expression = parseKeys(path.trim());
  const withPrefix = expression?.[0] === "tools" && expression.length === 3;
  if (expression !== undefined && withPrefix) readings.push({ server: expression[1], name: expression[2] });
  const matching = [...servers].filter((server) => path.startsWith(`${server}.`) || path.startsWith(`tools.${server}.`));
  matching.sort((a, b) => b.length - a.length);
  for (const server of matching) {
    const rest = path.startsWith(`${server}.`) ? path.slice(server.length + 1) : path.slice("tools.".length + server.length + 1);
    readings.push({ server, name: rest });
  }
  if (expression?.length === 2) readings.push({ server: expression[0], name: expression[1] });
  return readings;
}

/** The keys of `a.b["c"]?.d`; undefined if the text is anything else. */
function parseKeys(text: string): string[] | undefined {
  const keys: string[] = [];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const dotted = (keys.length === 0 ? /^([\p{ID_Start}$_][\p{ID_Continue}$]*)/u : /^\??\.\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)/u).exec(
      rest,
    );
    if (dotted !== null) {
      keys.push(dotted[1]);
      at += dotted[0].length;
      continue;
    }
    const bracket = /^(?:\?\.)?\[\s*(["'`])((?:\\[^]|(?!\1)[^\\])*)\1\s*\]/.exec(rest);
    const key = bracket === null || keys.length === 0 ? undefined : unquote(bracket[2]);
    if (bracket === null || key === undefined) return undefined;
    keys.push(key);
    at += bracket[0].length;
  }
  return keys.length === 0 ? undefined : keys;
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", "0": "\0", "\n": "" };

/** The value of the inside of a string literal; undefined for a malformed escape. */
function unquote(body: string): string | undefined {
  let malformed = false;
  const value = body.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^]))/gu,
    (_, long?: string, unit?: string, byte?: string, other?: string) => {
      const code = Number.parseInt(long ?? unit ?? byte ?? "", 16);
      if (other !== undefined) {
        if (other === "u" || other === "x") malformed = true;
        return Object.hasOwn(SIMPLE_ESCAPES, other) ? SIMPLE_ESCAPES[other] : other;
      }
      if (code > 0x10ffff) malformed = true;
      else return unit === undefined ? String.fromCodePoint(code) : String.fromCharCode(code);
      return "";
    },
  );
  return malformed ? undefined : value;
}
