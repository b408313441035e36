// airlock mcp: `execute` and `search` for any MCP client, over stdio or HTTP.

import { formatExecution } from "@airlock/runtime";
import { EXIT } from "../exit.js";
import { interruption } from "../interrupt.js";
import { openSession, type SessionFlags } from "../session.js";
import { say } from "../terminal.js";

export interface McpFlags extends SessionFlags {
  http?: number;
}

export async function mcp(flags: McpFlags): Promise<number> {
  const interrupted = interruption();
  const { describeFailures, serveMcp } = await import("@airlock/mcp-bridge");
  let changed = (): void => {};
  // stdin is the client's: there is nobody here to ask for trust.
  const session = await openSession(flags, { onChange: () => changed() });
  try {
    const served = await serveMcp({
      createRuntime: (ask) => session.createRuntime(ask),
      formatExecution,
      notes: () => describeFailures(session.failures),
      transport: flags.http === undefined ? { kind: "stdio" } : { kind: "http", port: flags.http },
    });
    changed = () => served.catalogChanged();
    if (served.url !== undefined) say(`Serving MCP at ${served.url} (Ctrl-C ends it).`);
    const end = (): void => void served.close();
    interrupted.signal.addEventListener("abort", end, { once: true });
    if (interrupted.signal.aborted) end();
    await served.closed;
    return interrupted.exitCode ?? EXIT.completed;
  } finally {
    await session.close();
  }
}
