// One call without a program: classic mode and MCP clients of ours, by the same pipeline.

import { randomUUID } from "node:crypto";
import type { Catalog } from "@airlock/catalog";
import type { Json, ToolCall } from "@airlock/interpreter";
import { CallFailure } from "./call/failure.js";
import { makeCall, type CallRun } from "./call/pipeline.js";
import { Stopping } from "./call/stopping.js";
import { linkAborts, safely, type ExecutionServices } from "./execution.js";
import { unknownTool } from "./plan/plan.js";
import type { CallOptions, CallRecord } from "./types.js";

/** Makes one call. Whatever happens is in the record: never thrown. */
export async function callDirectly(
  services: ExecutionServices,
  path: string,
  input: Json,
  snapshot: Catalog,
  options: CallOptions,
): Promise<CallRecord> {
  const id = `direct_${randomUUID()}`;
  const emit = safely(options.onEvent);
  const resolved = snapshot.resolve(path);
  const registration = "tool" in resolved ? snapshot.get(resolved.tool.server, resolved.tool.name) : undefined;
  if (registration === undefined) {
    const now = Date.now();
    const keys = namesIn(path);
    const error = unknownTool(keys, snapshot, services);
    return {
      id: `${id}.1`,
      path,
      server: keys[0],
      name: keys[1] ?? "",
      input,
      state: "error",
      decision: { action: "deny", by: "default", message: error.message },
      error,
      startedAt: now,
      endedAt: now,
    };
  }
  const end = new Stopping();
  const stop = linkAborts([options.signal, services.closed], end);
  const media = services.media.openRun();
  const warnings: string[] = [];
  const run: CallRun = {
    id,
    snapshot,
    media,
    end,
    sessionId: options.sessionId,
    messageId: options.messageId,
    agent: options.agent,
    calls: [],
    line: () => undefined,
    emit,
    warn: (message) => void warnings.push(message),
  };
  const clock = new CallClock(registration.path, services.limits.toolMs);
  try {
    const site: ToolCall = {
      callId: `${id}.1`,
      path: registration.path,
      get signal() {
        return clock.end.signal;
      },
      onStop: (listener) => void clock.end.onStop(listener),
      progress: () => clock.restart(),
      pauseClocks: () => clock.pause(),
    };
    await makeCall(services, run, registration, input, site);
  } catch {
    // It is in the record.
  } finally {
    clock.stop();
    stop();
    end.stop(new Error("The call has ended."));
    media.end();
  }
  const { record } = run.calls[0];
  if (record.result !== undefined && warnings.length > 0) record.result.metadata.warnings = warnings;
  return { ...record };
}

/** Server and name of a path that leads to no tool, as well as they can be told. */
function namesIn(path: string): string[] {
  const [server, ...rest] = path
    .replace(/^tools(?=[.[])/, "")
    .split(/[.[\]"'`]+/)
    .filter((part) => part !== "");
  return rest.length === 0 ? [server ?? ""] : [server, rest.join(".")];
}

/** The `toolMs` of a direct call: restarted by progress, stopped while a person is asked. */
class CallClock {
  readonly end = new Stopping();
  private timer: NodeJS.Timeout | undefined;
  private pauses = 0;

  constructor(
    private readonly path: string,
    private readonly toolMs: number,
  ) {
    this.restart();
  }

  restart(): void {
    this.stop();
    if (this.pauses > 0 || this.end.isStopped || this.toolMs > MAX_TIMEOUT) return;
    this.timer = setTimeout(() => {
      this.end.stop(new CallFailure("limit", `${this.path} did not answer within ${this.toolMs} ms (limit toolMs).`, { limit: "toolMs" }));
    }, this.toolMs);
  }

  pause(): () => void {
    this.pauses += 1;
    this.stop();
    let resumed = false;
    return () => {
      if (resumed) return;
      resumed = true;
      this.pauses -= 1;
      this.restart();
    };
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

const MAX_TIMEOUT = 2 ** 31 - 1;
