// The record of one call: its state, and the events that tell of it. Once settled, nothing changes it any more.

import type { Registration } from "@airlock/catalog";
import type { Diagnostic, Json, SourceLocation } from "@airlock/interpreter";
import type { CallRecord, CallResult, ExecutionEvent } from "../types.js";

export class Call {
  readonly record: CallRecord;
  private settled = false;

  constructor(
    id: string,
    registration: Pick<Registration, "path" | "tool">,
    input: Json,
    location: SourceLocation | undefined,
    private readonly executionId: string,
    private readonly emit: ((event: ExecutionEvent) => void) | undefined,
  ) {
    this.record = {
      id,
      path: registration.path,
      server: registration.tool.server,
      name: registration.tool.name,
      input,
      state: "pending",
      decision: { action: "deny", by: "default", message: "The call ended before it was judged." },
      startedAt: Date.now(),
    };
    if (location !== undefined) this.record.location = location;
  }

  get open(): boolean {
    return !this.settled;
  }

  /** From here on the tool may act. */
  start(): void {
    this.record.state = "running";
    this.record.startedAt = Date.now();
    this.emit?.({ type: "call.started", executionId: this.executionId, call: { ...this.record } });
  }

  progress(update: { [key: string]: Json }): void {
    if (this.settled) return;
    this.emit?.({ type: "call.progress", executionId: this.executionId, callId: this.record.id, update });
  }

  complete(result: CallResult): void {
    this.settle("completed", { result });
  }

  /** A failure that the tool or the pipeline reported: what happened is known. */
  fail(error: Diagnostic): void {
    this.settle("error", { error });
  }

  /** The call's end is not known. If it was running, its outcome is unknown ("interrupted"); else it never began. */
  interrupt(error: Diagnostic): void {
    this.settle(this.record.state === "running" ? "interrupted" : "error", { error });
  }

  private settle(state: CallRecord["state"], end: { result: CallResult } | { error: Diagnostic }): void {
    if (this.settled) return;
    this.settled = true;
    const { location } = this.record;
    if ("error" in end && location !== undefined) end.error.location ??= location;
    Object.assign(this.record, { state, endedAt: Date.now() }, end);
    this.emit?.({ type: "call.settled", executionId: this.executionId, call: { ...this.record } });
  }
}
