// The one way of a call, whoever makes it: find → validate → permit → record started → run → check → normalise → record settled.

import type { CallContext, Catalog, PermissionRequest, Registration } from "@airlock/catalog";
import type { Json, Limits, LogEntry, ParsedText, ToolCall } from "@airlock/interpreter";
import type { Gate } from "../permission/gate.js";
import { isSearchTool } from "../search.js";
import type { CallResult, ExecutionEvent, TextMode } from "../types.js";
import { CallFailure, diagnosticOf, thrownByTool } from "./failure.js";
import { prepareInput, type Inputs } from "./input.js";
import type { MediaRun, MediaStore } from "./media.js";
import { plainToJson, toPlain, type Plain } from "./plain.js";
import { Call } from "./record.js";
import { normalise, type Settled } from "./result.js";
import { inSpan } from "./span.js";
import { Stopping } from "./stopping.js";
import { insideCall } from "./nesting.js";

/** What all calls of a runtime share. */
export interface Services {
  /** The catalog as it is now. */
  catalog(): Catalog;
  gate: Gate;
  media: MediaStore;
  limits: Limits;
  text: TextMode;
}

/** What the calls of one run share. */
export interface CallRun {
  id: string;
  /** The snapshot that was shown to the model. */
  snapshot: Catalog;
  media: MediaRun;
  /** Stopped at the end of the run. */
  end: Stopping;
  sessionId?: string;
  messageId?: string;
  agent?: string;
  /** All calls, in the order in which they were made. */
  calls: Call[];
  /** The program line of a location. */
  line(location: ToolCall["location"]): string | undefined;
  /** Undefined: nobody listens. */
  emit: ((event: ExecutionEvent) => void) | undefined;
  warn(message: string, location: ToolCall["location"]): void;
}

/**
 * Makes one call. Resolves to what the program gets.
 * @throws CallFailure: the call failed, or (fatal) the run has to end. What happened is in the call's record.
 */
export async function makeCall(
  services: Services,
  run: CallRun,
  registration: Registration,
  input: unknown,
  site: ToolCall,
): Promise<Plain | ParsedText> {
  const leave = services.gate.enter(run.sessionId ?? run.id);
  let call: Call | undefined;
  // At once: whoever ends the call or the run may look at the record next.
  const { end, release } = endOf(registration.path, site, run, (failure) => call?.interrupt(diagnosticOf(failure)));
  try {
    const inputs = prepareSafely(registration, input, services.media);
    call = new Call(`${run.id}.${run.calls.length + 1}`, registration, inputs.inputs.recorded, site.location, run.id, run.emit);
    run.calls.push(call);
    end.throwIfStopped();
    if (inputs.failure !== undefined) throw inputs.failure;
    const step = new CallSteps(services, run, registration, call, site, end);
    const settled = await inSpan(call.record, run, () => end.before(step.take(inputs.inputs, leave)));
    call.complete(settled.result);
    return settled.guest;
  } catch (error) {
    const failure =
      error instanceof CallFailure
        ? error
        : new CallFailure(
            "internal",
            `${registration.path} could not be called: ${error instanceof Error ? error.message : String(error)}`,
          );
    if (failure.outcomeUnknown) call?.interrupt(diagnosticOf(failure));
    else call?.fail(diagnosticOf(failure));
    throw failure;
  } finally {
    leave();
    release();
  }
}

class CallSteps {
  private readonly metadata: CallResult["metadata"] = {};
  private title: string | undefined;

  constructor(
    private readonly services: Services,
    private readonly run: CallRun,
    private readonly registration: Registration,
    private readonly call: Call,
    private readonly site: ToolCall,
    private readonly end: Stopping,
  ) {}

  async take(inputs: Inputs, leave: () => void): Promise<Settled> {
    const { registration, services, run, call } = this;
    this.refuseStale();
    const input = await this.validated(inputs.sent);
    const context = this.context();
    await this.permit(inputs.recorded, input, context, leave);
    // Nothing may start once the run has ended, or the tool been replaced while a person thought.
    this.end.throwIfStopped();
    this.refuseStale();
    call.start();
    const returned = await this.execute(input, context);
    // What comes late goes nowhere: also no media of it are kept.
    this.end.throwIfStopped();
    const settled = await normalise(returned, {
      registration,
      catalog: run.snapshot,
      media: run.media,
      limits: services.limits,
      text: services.text,
      warn: (message) => this.call.open && run.warn(message, call.record.location),
    });
    Object.assign(settled.result.metadata, this.metadata);
    if (this.title !== undefined) settled.result.title = this.title;
    return settled;
  }

  private refuseStale(): void {
    const { path, id, tool } = this.registration;
    if (isSearchTool(tool)) return;
    const now = this.services.catalog().get(tool.server, tool.name);
    if (now?.id === id) return;
    const what = now === undefined ? "is no longer there" : "was replaced by another version";
    throw new CallFailure("stale-tool", `${path} ${what} since its signature was shown. Nothing was called.`, {
      hints: ["The next program sees the present tools."],
    });
  }

  private async validated(input: Json): Promise<Json> {
    const { registration, run } = this;
    const validation = await run.snapshot.validateInput(registration, input);
    if (validation.ok) return validation.value;
    const { path, tool } = registration;
    const explained = tool.explainInvalid?.(validation.errors) ?? validation.message;
    throw new CallFailure("invalid-input", `${path} was not called, its input is wrong: ${explained}`, {
      hints: [`Signature: ${run.snapshot.signature(path)}`],
    });
  }

  private async permit(recorded: Json, input: Json, context: CallContext, leave: () => void): Promise<void> {
    const { registration, services, run, call, site, end } = this;
    const { tool, path } = registration;
    const { location } = call.record;
    let requests: PermissionRequest[] | undefined;
    try {
      if (tool.permissions !== undefined) requests = await tool.permissions(input, context);
    } catch (error) {
      const { message } = thrownByTool(path, error);
      throw new CallFailure("tool-failed", `${path} was not called, it could not say which permission it needs: ${message}`);
    }
    const decision = await services.gate.permit(
      {
        callId: call.record.id,
        path,
        tool,
        input: recorded,
        location,
        line: run.line(location),
        scope: run.sessionId ?? run.id,
        end,
        pauseClocks: () => site.pauseClocks(),
        emit: (event) => run.emit?.({ ...event, executionId: run.id }),
      },
      requests,
      leave,
    );
    const { fatal, ...kept } = decision;
    if (call.open) call.record.decision = kept;
    if (decision.action === "allow") return;
    // A person has said what they want; of a rule, or of nobody to ask, the user may know nothing.
    const hints = decision.by === "person" ? [] : ["Do without this call, or ask the user to allow it."];
    throw new CallFailure(fatal === true ? "rejected" : "denied", decision.message ?? `${path} was denied.`, { fatal, hints });
  }

  private async execute(input: Json, context: CallContext): Promise<unknown> {
    const { tool, path } = this.registration;
    try {
      return await insideCall(() => tool.execute(input, context));
    } catch (error) {
      throw thrownByTool(path, error);
    }
  }

  private context(): CallContext {
    const { call, run, registration, site, services, end } = this;
    return {
      callId: call.record.id,
      path: registration.path,
      location: call.record.location,
      get signal() {
        return end.signal;
      },
      sessionId: run.sessionId,
      messageId: run.messageId,
      agent: run.agent,
      metadata: (update) => {
        if (!call.open) return;
        site.progress();
        const plain = plainToJson(
          toPlain(update, { limits: { ...services.limits, memoryBytes: MAX_UPDATE_BYTES }, root: "update", keepBytes: refuseBytes }),
        );
        if (plain === null || typeof plain !== "object" || Array.isArray(plain)) return;
        if (typeof plain.title === "string") this.title = plain.title;
        Object.assign(this.metadata, plain);
        call.progress(plain);
      },
      log: (entry) => {
        if (call.open) run.emit?.({ type: "log", executionId: run.id, entry: plainEntry(entry) });
      },
    };
  }
}

function prepareSafely(registration: Registration, input: unknown, media: MediaStore): { inputs: Inputs; failure?: CallFailure } {
  try {
    return { inputs: prepareInput(registration.tool, input, media) };
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const recorded = (input ?? {}) as Json;
    return { inputs: { recorded, sent: recorded }, failure: error };
  }
}

/** The call's own end and the run's in one, until it is released. */
function endOf(path: string, site: ToolCall, run: CallRun, onEnd: (failure: CallFailure) => void): { end: Stopping; release: () => void } {
  const end = new Stopping();
  let isOpen = true;
  const stop = (reason: unknown): void => {
    if (!isOpen || end.isStopped) return;
    const failure = endedCall(path, reason);
    end.stop(failure);
    onEnd(failure);
  };
  site.onStop(stop);
  const forget = run.end.onStop(stop);
  const release = (): void => {
    isOpen = false;
    forget();
  };
  return { end, release };
}

function endedCall(path: string, reason: unknown): CallFailure {
  if (reason instanceof CallFailure) return reason;
  const failure = thrownByTool(path, reason);
  if (failure.diagnostic.kind === "limit") return failure;
  return new CallFailure("aborted", `${path} was stopped: the run ended first.`);
}

function plainEntry(entry: LogEntry): LogEntry {
  const args = Array.isArray(entry.args) ? entry.args : [];
  return { level: entry.level, text: String(entry.text), args };
}

function refuseBytes(): never {
  throw new CallFailure("limit", "too many bytes for a progress update", { limit: "mediaBytes" });
}

const MAX_UPDATE_BYTES = 1_048_576;
