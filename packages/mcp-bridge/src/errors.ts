// The ways a server can fail that a caller can tell apart.

import { ToolError, type Json } from "@airlock/interpreter";

/** A server that could not be started; it stands in `failures`. */
export class ServerStartError extends Error {
  override readonly name = "ServerStartError";
  readonly server: string;
  readonly hint: string;
  constructor(server: string, message: string, hint: string) {
    super(message);
    this.server = server;
    this.hint = hint;
  }
}

/** The call was sent and its answer is lost: it may or may not have taken effect. `data.outcome` is "unknown". */
export class OutcomeUnknownError extends ToolError {
  readonly outcome = "unknown";
  constructor(server: string, tool: string, what: string) {
    super(`${what} while ${tool} was running: whether the call took effect is unknown.`, {
      name: "OutcomeUnknown",
      data: { server, tool, outcome: "unknown" },
      outcomeUnknown: true,
      diagnostic: { hints: ["Look whether the call took effect before you repeat it."] },
    });
  }
}

/** The call never reached the server, so nothing happened. */
export class ServerUnavailableError extends ToolError {
  constructor(server: string, message: string, hint: string) {
    super(message, { name: "ServerUnavailable", data: { server, outcome: "not-called" }, diagnostic: { hints: [hint] } });
  }
}

/** The server answered the call with a JSON-RPC error. */
export class ServerAnswerError extends ToolError {
  constructor(server: string, code: number, message: string, data: Json | undefined) {
    super(message, { name: "McpError", data: { server, code, ...(data === undefined ? {} : { data }) } });
  }
}

/** An HTTP exchange that gave no answer. `delivered` says whether the server can have acted on it. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly delivered: "no" | "unknown";
  readonly status?: number;
  /** The server no longer knows our session: connecting anew helps. */
  readonly sessionExpired: boolean;
  constructor(message: string, options: { delivered: "no" | "unknown"; status?: number; sessionExpired?: boolean }) {
    super(message);
    this.delivered = options.delivered;
    this.status = options.status;
    this.sessionExpired = options.sessionExpired ?? false;
  }
}
