// A server's configuration: what it may say, `${VAR}` in it, and what of it must never be shown.

import { isObject } from "./message.js";

/** A server as a configuration file names it: a command to start, or an address. Other keys are ignored. */
export type ServerConfig = StdioConfig | HttpConfig;

interface CommonConfig {
  /** Shown with the server's tools. Default: what the server says about itself. */
  description?: string;
  /** The server's annotations of its tools (`readOnlyHint` …) count. */
  trusted?: boolean;
  /** Not started, and no failure. */
  disabled?: boolean;
  /** Milliseconds until the server must have answered with its tools. */
  startTimeoutMs?: number;
}

export interface StdioConfig extends CommonConfig {
  command: string;
  args?: string[];
  env?: { [name: string]: string };
  cwd?: string;
}

export interface HttpConfig extends CommonConfig {
  url: string;
  headers?: { [name: string]: string };
}

export type Environment = { readonly [name: string]: string | undefined };

/** A configuration ready for use. `redact` takes the values of variables, `env` and `headers` out of a text. */
export type ResolvedConfig = (
  | { kind: "stdio"; command: string; args: string[]; env: { [name: string]: string }; cwd?: string }
  | { kind: "http"; url: URL; headers: { [name: string]: string } }
) & { written: string; redact: (text: string) => string };

/** A configuration that cannot be used. The message names what is wrong and never shows a value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/**
 * Checks a server's configuration and expands `${NAME}` and `${NAME:-default}` in command, args, env, cwd, url and headers.
 * Throws `ConfigError` for a wrong field or an unset variable.
 */
export function resolveConfig(server: string, config: ServerConfig, environment: Environment): ResolvedConfig {
  const fields: unknown = config;
  if (!isObject(fields)) throw new ConfigError(`The configuration of MCP server "${server}" is not an object.`, FORMS);
  const secrets = new Map<string, string>();
  const expand = expander(server, environment, secrets);
  const redact = (text: string) => redacted(text, secrets);

  if (typeof fields.command === "string" && fields.command !== "" && fields.url === undefined) {
    const own = textFields(server, "env", fields.env, expand, secrets);
    return {
      kind: "stdio",
      command: expand(fields.command),
      args: textList(server, fields.args).map(expand),
      env: { ...inherited(environment), ...own },
      ...(fields.cwd === undefined ? {} : { cwd: expand(text(server, "cwd", fields.cwd)) }),
      written: [fields.command, ...textList(server, fields.args)].join(" "),
      redact,
    };
  }
  if (typeof fields.url === "string" && fields.command === undefined) {
    if (fields.type === "sse") {
      throw new ConfigError(
        `MCP server "${server}" is configured for the old SSE transport, which is not supported.`,
        "Use the server's Streamable HTTP address (often ending in /mcp instead of /sse).",
      );
    }
    const url = httpAddress(server, expand(fields.url));
    return { kind: "http", url, headers: textFields(server, "headers", fields.headers, expand, secrets), written: fields.url, redact };
  }
  throw new ConfigError(`The configuration of MCP server "${server}" has neither just a "command" nor just a "url".`, FORMS);
}

const FORMS = `Write { "command": "npx", "args": ["-y", "some-server"] } or { "url": "https://…/mcp" }.`;

function expander(server: string, environment: Environment, secrets: Map<string, string>): (text: string) => string {
  return (text) =>
    text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (whole, name: string, fallback: string | undefined) => {
      // As in a shell, an empty variable takes the default too.
      const value = environment[name] || (fallback ?? environment[name]);
      if (value === undefined) {
        throw new ConfigError(
          `The configuration of MCP server "${server}" uses \${${name}}, which is not set.`,
          `Set the environment variable ${name}, or write \${${name}:-default}.`,
        );
      }
      secrets.set(value, whole);
      return value;
    });
}

/** Short values are left alone: taking out "1" or "true" would spoil the text and hide nothing. */
function redacted(text: string, secrets: Map<string, string>): string {
  let shown = text;
  const longestFirst = [...secrets].filter(([value]) => value.length >= 6).sort(([a], [b]) => b.length - a.length);
  for (const [value, name] of longestFirst) shown = shown.replaceAll(value, name);
  return shown;
}

function text(server: string, field: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new ConfigError(`"${field}" of MCP server "${server}" is not a text.`, FORMS);
}

function textList(server: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new ConfigError(`"args" of MCP server "${server}" is not a list.`, FORMS);
  return value.map((item) => text(server, "args", item));
}

function textFields(
  server: string,
  field: "env" | "headers",
  value: unknown,
  expand: (text: string) => string,
  secrets: Map<string, string>,
): { [name: string]: string } {
  if (value === undefined) return {};
  if (!isObject(value)) throw new ConfigError(`"${field}" of MCP server "${server}" is not an object.`, FORMS);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const written = text(server, `${field}.${name}`, item);
      const expanded = expand(written);
      if (!secrets.has(expanded)) secrets.set(expanded, `[${field}.${name}]`);
      return [name, expanded];
    }),
  );
}

function httpAddress(server: string, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return url;
  throw new ConfigError(`The "url" of MCP server "${server}" is no http or https address.`, FORMS);
}

/** What a server inherits: what programs need to start, and no credentials of ours. Everything else is named in its `env`. */
const INHERITED =
  /^(PATH|HOME|LOGNAME|USER|SHELL|TERM|LANG|LC_\w+|LD_LIBRARY_PATH|TZ|TMPDIR|TEMP|TMP|XDG_\w+|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|APPDATA|LOCALAPPDATA|HOMEDRIVE|HOMEPATH|PATHEXT|PROCESSOR_ARCHITECTURE|PROGRAMFILES|SYSTEMDRIVE|SYSTEMROOT|SystemRoot|ComSpec|USERNAME|USERPROFILE)$/;

function inherited(environment: Environment): { [name: string]: string } {
  const kept: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(environment)) {
    // A value that starts with "()" is an exported shell function.
    if (value !== undefined && INHERITED.test(name) && !value.startsWith("()")) kept[name] = value;
  }
  return kept;
}
