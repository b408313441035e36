// All configured servers at once.

import type { Tool } from "@airlock/catalog";
import type { Implementation } from "@modelcontextprotocol/sdk/types.js";
import { resolveConfig, type Environment, type ServerConfig } from "./config.js";
import { Connection, type ServerState } from "./connection.js";
import { ServerStartError } from "./errors.js";
import { configFailure, type ServerFailure } from "./failure.js";
import { LISTING_LIMITS, type ListingLimits } from "./listing.js";

export interface ConnectOptions {
  /** Milliseconds in which a server must have answered with its tools, unless its configuration says otherwise. Default 30,000. */
  startTimeoutMs?: number;
  /** Aborting it while servers start ends all of them; `connectServers` then rejects with its reason. */
  signal?: AbortSignal;
  onStatus?: (status: ServerStatus) => void;
  /** Some server's tools changed: `tools` has the new ones, a new catalog is due. */
  onChange?: (connections: McpConnections) => void;
  /** Whether annotations count for servers whose configuration does not say. Default false. */
  trusted?: boolean;
  /** Where `${VAR}` is looked up. Default: the environment of this process. */
  environment?: Environment;
  /** A larger message ends the connection. Default 256 MiB. */
  maxMessageBytes?: number;
  listing?: Partial<ListingLimits>;
  clientInfo?: Implementation;
}

export interface ServerStatus {
  server: string;
  state: ServerState;
  message?: string;
}

export interface ServerReport {
  server: string;
  state: ServerState;
  protocol?: "stdio" | "http";
  tools: number;
  info?: Implementation;
  pid?: number;
  /** Lines on stdout that were no MCP messages. */
  noise?: { lines: number; last: string[] };
  stderr?: string;
  warnings: readonly string[];
  failure?: ServerFailure;
}

/** The connected servers. All values are as of now, and change with the servers. */
export interface McpConnections {
  /** In the order of the configuration, then of the server's list. */
  readonly tools: Tool[];
  /** The servers that are not there, for the catalog to report. */
  readonly failures: ServerFailure[];
  /** What is odd about the servers' lists. */
  readonly warnings: { server: string; message: string }[];
  readonly servers: ServerReport[];
  /** Ends every server with all its children. */
  close(): Promise<void>;
}

/**
 * Starts all servers side by side. One that fails is in `failures` and stops no other. Rejects only if `signal` aborts.
 *
 *     const connections = await connectServers({ files: { command: "npx", args: ["-y", "some-server"] } });
 *     const catalog = createCatalog(connections.tools);
 *     await connections.close();
 */
export async function connectServers(
  servers: { readonly [name: string]: ServerConfig },
  options: ConnectOptions = {},
): Promise<McpConnections> {
  const enabled = Object.entries(servers).filter(([, config]) => config?.disabled !== true);
  const entries = enabled.map(([server, config]) => open(server, config, options, () => options.onChange?.(connections)));
  const connections = gather(entries);
  const abort = () => void connections.close();
  options.signal?.addEventListener("abort", abort, { once: true });
  await Promise.all(entries.map((entry) => entry.connection?.start(options.signal).catch(() => {})));
  options.signal?.removeEventListener("abort", abort);
  if (options.signal?.aborted) {
    await connections.close();
    throw options.signal.reason;
  }
  return connections;
}

interface Entry {
  server: string;
  connection?: Connection;
  /** Of a configuration that cannot be used. */
  failure?: ServerStartError;
}

function open(server: string, config: ServerConfig, options: ConnectOptions, onTools: () => void): Entry {
  const onState = (state: ServerState, message?: string) =>
    options.onStatus?.({ server, state, ...(message === undefined ? {} : { message }) });
  try {
    const resolved = resolveConfig(server, config, options.environment ?? process.env);
    const connection = new Connection({
      server,
      config,
      resolved,
      trusted: config.trusted ?? options.trusted ?? false,
      startTimeoutMs: config.startTimeoutMs ?? options.startTimeoutMs ?? 30_000,
      maxMessageBytes: options.maxMessageBytes ?? 268_435_456,
      listing: { ...LISTING_LIMITS, ...options.listing },
      clientInfo: options.clientInfo ?? { name: "airlock", version: "0.1.0" },
      onState,
      onTools,
    });
    onState("starting");
    return { server, connection };
  } catch (error) {
    const failure = configFailure(server, error);
    onState("failed", failure.message);
    return { server, failure };
  }
}

function gather(entries: readonly Entry[]): McpConnections {
  const failureOf = ({ server, connection, failure = connection?.failure }: Entry): ServerFailure | undefined =>
    failure && { server, message: failure.message, hint: failure.hint };
  return {
    get tools() {
      return entries.flatMap((entry) => [...(entry.connection?.tools ?? [])]);
    },
    get failures() {
      return entries.flatMap((entry) => failureOf(entry) ?? []);
    },
    get warnings() {
      return entries.flatMap(({ server, connection }) => (connection?.warnings ?? []).map((message) => ({ server, message })));
    },
    get servers() {
      return entries.map((entry): ServerReport => {
        const { server, connection } = entry;
        const failure = failureOf(entry);
        return {
          server,
          state: connection?.state ?? "failed",
          tools: connection?.tools.length ?? 0,
          warnings: connection?.warnings ?? [],
          ...connection?.details,
          ...(failure ? { failure } : {}),
        };
      });
    },
    async close() {
      await Promise.all(entries.map(({ connection }) => connection?.close()));
    },
  };
}
