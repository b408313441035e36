// Why a server did not start, and what to do about it.

import { stripVTControlCharacters } from "node:util";
import { ConfigError, type ResolvedConfig } from "./config.js";
import { HttpError, ServerStartError } from "./errors.js";
import { HttpTransport } from "./http.js";
import type { StdioTransport } from "./stdio.js";

/** A server that is not there, as the catalog and `doctor` report it. */
export interface ServerFailure {
  server: string;
  message: string;
  hint: string;
}

/**
 * The text that tells a model which servers are missing, one line each; "" if none is. Details and hints are for the person.
 *
 *     describeFailures(connections.failures)   // 'Not available: MCP server "docs" did not answer within 30000 ms.'
 */
export function describeFailures(failures: readonly ServerFailure[]): string {
  return failures.map(({ message }) => `Not available: ${message.split(/(?<=\.)\s/)[0]}`).join("\n");
}

/** The failure of a configuration. */
export function configFailure(server: string, error: unknown): ServerStartError {
  if (error instanceof ConfigError) return new ServerStartError(server, error.message, error.hint);
  return new ServerStartError(server, `The configuration of MCP server "${server}" cannot be used: ${messageOf(error)}.`, "");
}

export interface StartProblem {
  server: string;
  config: ResolvedConfig;
  transport: StdioTransport | HttpTransport;
  error: unknown;
  /** Set if the deadline passed. */
  timeoutMs?: number;
}

/** The failure of a start, from what the transport saw. */
export function startFailure(problem: StartProblem): ServerStartError {
  const { server, config, transport, error, timeoutMs } = problem;
  const { message, hint } =
    transport instanceof HttpTransport ? httpProblem(error, config, timeoutMs) : stdioProblem(error, config, transport, timeoutMs);
  return new ServerStartError(server, config.redact(`MCP server "${server}" ${message}`), config.redact(hint));
}

type Problem = { message: string; hint: string };

function httpProblem(error: unknown, config: ResolvedConfig, timeoutMs: number | undefined): Problem {
  const where = `(${config.written})`;
  if (timeoutMs !== undefined)
    return { message: `${where} did not answer within ${timeoutMs} ms.`, hint: "Raise its startTimeoutMs if it needs longer." };
  const message = `${where} could not be connected: ${messageOf(error)}.`;
  const status = error instanceof HttpError ? error.status : undefined;
  if (status === 401 || status === 403)
    return { message, hint: `Give it credentials: "headers": { "Authorization": "Bearer \${TOKEN}" }.` };
  if (status === 404 || status === 405)
    return {
      message,
      hint: "Check the address: it must be the server's Streamable HTTP endpoint (often /mcp); the old SSE transport is not supported.",
    };
  if (status !== undefined && status >= 300 && status < 400)
    return { message, hint: "Put the address that it points to in the configuration." };
  return { message, hint: "Check that the server runs and that the address is right." };
}

function stdioProblem(error: unknown, config: ResolvedConfig, transport: StdioTransport, timeoutMs: number | undefined): Problem {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ENOENT")
    return {
      message: `could not be started: there is no command "${firstWord(config)}" (or no folder as its "cwd").`,
      hint: "Check the command, and that it is installed and on the PATH.",
    };
  if (code === "EACCES")
    return { message: `could not be started: "${firstWord(config)}" may not be run.`, hint: "Check that the file is executable." };
  const noise =
    transport.noise.lines === 0
      ? ""
      : ` It wrote ${transport.noise.lines} lines on stdout that are no MCP messages, the last: ${transport.noise.last.at(-1)}`;
  const stderr = lastLines(transport.stderr);
  const said = `${stderr === "" ? "" : ` Its stderr ends with:\n${stderr}`}${noise}`;
  const tryIt = `Run it by hand to see what is wrong: ${config.written}`;
  if (timeoutMs !== undefined) {
    return {
      message: `did not answer within ${timeoutMs} ms.${said}`,
      hint: `Raise its startTimeoutMs if it needs longer (npx downloads at the first start). ${tryIt}`,
    };
  }
  if (transport.broken) return { message: `was ended: ${transport.broken}.${said}`, hint: tryIt };
  if (transport.exit) return { message: `ended ${exitText(transport)} before it had answered.${said}`, hint: tryIt };
  return { message: `could not be connected: ${messageOf(error)}.${said}`, hint: tryIt };
}

/** "with exit code 3", "by SIGKILL". */
export function exitText(transport: StdioTransport): string {
  const { code, signal } = transport.exit ?? { code: null, signal: null };
  if (signal) return `by ${signal}`;
  return code === null ? "unexpectedly" : `with exit code ${code}`;
}

/** The last few lines of a text, without those of a stack trace (they push out what was said) and without control characters (they could move a terminal's cursor). */
export function lastLines(text: string): string {
  const plain = stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, "");
  const lines = plain.split("\n").filter((line) => line.trim() !== "" && !/^\s+at \S/.test(line));
  return lines.slice(-8).join("\n").slice(-1_000).trim();
}

function firstWord(config: ResolvedConfig): string {
  return config.kind === "stdio" ? config.command : config.written;
}

export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^(MCP error -?\d+: )+/, "").replace(/\.$/, "");
}
