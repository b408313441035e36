// The record of one tool call, and what its tool function gets of it. Thousands may wait: what only a running call needs is in its
// lane, what few calls need is made when it is first needed.

import type { SourceLocation, ToolCall } from "../api.js";
import type { PromiseObject } from "../promise.js";
import type { Calls } from "./calls.js";
import type { Arrival } from "./loop.js";
import type { Leaf } from "./tree.js";

export const enum CallState {
  QUEUED,
  RUNNING,
  ANSWERED,
  FAILED,
  /** The program has been told. */
  TOLD,
}

export class Call implements Arrival {
  state = CallState.QUEUED;
  at = 0;
  lane: Lane | null = null;
  /** Its neighbours among those that the program has not been told of. */
  before: Call | null = null;
  after: Call | null = null;
  private control: Control | null = null;
  constructor(
    private readonly calls: Calls,
    readonly id: number,
    readonly leaf: Leaf,
    /** Its input until it starts, then what it settled with. */
    public content: unknown,
    readonly promise: PromiseObject,
    readonly sites: readonly number[],
  ) {}

  deliver(): void {
    this.calls.deliver(this);
  }

  get path(): string {
    return this.leaf.path;
  }

  get location(): SourceLocation | undefined {
    return this.calls.owner.locate(this.sites[0]);
  }

  get signal(): AbortSignal {
    return (this.control ??= new Control()).signal;
  }

  onStop(listener: (reason: unknown) => void): void {
    (this.control ??= new Control()).onStop(listener);
  }

  /** It runs. */
  startClock(now: number, deadline: number): void {
    this.lane!.deadline = deadline;
    this.control?.restart(now);
  }

  progress(): void {
    if (this.state !== CallState.RUNNING) return;
    const { owner } = this.calls;
    const now = performance.now();
    const deadline = now + owner.limits.toolMs;
    this.startClock(now, deadline);
    owner.rearm(deadline);
  }

  pause(): () => void {
    const { lane } = this;
    if (lane === null) return () => {};
    const { owner } = this.calls;
    const control = (this.control ??= new Control());
    const resume = (): void => {
      const ms = control.resume(resume);
      if (ms < 0) return;
      owner.wall.resume();
      lane.deadline += ms;
      owner.rearm();
    };
    control.pause(resume);
    owner.wall.pause();
    return resume;
  }

  /** When it will have taken too long; it runs. */
  get wakeAt(): number {
    return this.control?.isPaused ? Infinity : this.lane!.deadline;
  }

  /** The host is through with it, or (with a reason) need not go on. */
  close(stop?: { reason: unknown }): void {
    this.control?.end();
    if (stop !== undefined && this.state !== CallState.QUEUED) (this.control ??= new Control()).stop(stop.reason);
  }
}

/** The pauses of a call's clock, and what tells its tool function to stop. */
class Control {
  private pauses: Set<() => void> | null = null;
  private pausedAt = 0;
  private controller: AbortController | undefined;
  private listeners: ((reason: unknown) => void)[] | undefined;
  private stopped: { reason: unknown } | undefined;

  get isPaused(): boolean {
    return this.pauses !== null && this.pauses.size > 0;
  }

  pause(resume: () => void): void {
    if (!this.isPaused) this.pausedAt = performance.now();
    (this.pauses ??= new Set()).add(resume);
  }

  /** The time that nothing else pauses any more; negative if `resume` has been called before. */
  resume(resume: () => void): number {
    if (!this.pauses?.delete(resume)) return -1;
    return this.isPaused ? 0 : performance.now() - this.pausedAt;
  }

  /** The clock starts anew. */
  restart(now: number): void {
    this.pausedAt = now;
  }

  end(): void {
    this.pauses?.forEach((resume) => resume());
  }

  /** Made when first asked for. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.stopped !== undefined) this.controller.abort(this.stopped.reason);
    }
    return this.controller.signal;
  }

  onStop(listener: (reason: unknown) => void): void {
    const { listeners, stopped } = this;
    if (stopped !== undefined) listener(stopped.reason);
    else if (listeners === undefined) this.listeners = [listener];
    else listeners.push(listener);
  }

  stop(reason: unknown): void {
    if (this.stopped !== undefined) return;
    this.stopped = { reason };
    this.controller?.abort(reason);
    this.listeners?.forEach((listener) => tell(listener, reason));
  }
}

/** What a listener throws ends neither the run nor the others: the host hears of it. */
function tell(listener: (reason: unknown) => void, reason: unknown): void {
  try {
    listener(reason);
  } catch (e) {
    process.emitWarning(`A listener to a call's end failed: ${e instanceof Error ? (e.stack ?? e.message) : String(e)}`);
  }
}

/** What a running call needs. Serves the next call once the host's promise has settled. */
export class Lane {
  call: Call | null = null;
  /** Its place among the lanes in which a call runs. */
  place = 0;
  /** When its call has to have settled, by `performance.now()`. */
  deadline = 0;
  constructor(private readonly calls: Calls) {}

  readonly answered = (value: unknown): void => this.calls.settled(this, CallState.ANSWERED, value);
  readonly failed = (e: unknown): void => this.calls.settled(this, CallState.FAILED, e);
}

/** What a tool function gets: nothing of ours can be reached from it. */
export class HostCall implements ToolCall {
  readonly #call: Call;
  constructor(call: Call) {
    this.#call = call;
  }
  get callId(): string {
    return `call_${this.#call.id}`;
  }
  get path(): string {
    return this.#call.path;
  }
  get location(): SourceLocation | undefined {
    return this.#call.location;
  }
  get signal(): AbortSignal {
    return this.#call.signal;
  }
  get onStop(): (listener: (reason: unknown) => void) => void {
    const call = this.#call;
    return (listener) => call.onStop(listener);
  }
  get progress(): () => void {
    const call = this.#call;
    return () => call.progress();
  }
  get pauseClocks(): () => () => void {
    const call = this.#call;
    return () => call.pause();
  }
}

/** Calls in the order in which they were made, of which any can be taken out. */
export class CallList {
  size = 0;
  private first: Call | null = null;
  private last: Call | null = null;

  add(call: Call): void {
    call.before = this.last;
    if (this.last === null) this.first = call;
    else this.last.after = call;
    this.last = call;
    this.size++;
  }

  delete(call: Call): void {
    const { before, after } = call;
    if (before === null) this.first = after;
    else before.after = after;
    if (after === null) this.last = before;
    else after.before = before;
    call.before = call.after = null;
    this.size--;
  }

  clear(): void {
    this.first = this.last = null;
    this.size = 0;
  }

  *[Symbol.iterator](): Generator<Call> {
    for (let call = this.first; call !== null;) {
      const { after }: Call = call;
      yield call;
      call = after;
    }
  }
}
