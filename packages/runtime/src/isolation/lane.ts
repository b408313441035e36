// One worker with one run at a time: the host's side of the messages, and the watch over a worker that no longer answers.

import type { Diagnostic, Outcome, SourceLocation, ToolCall, ToolFunction, ToolTree } from "@airlock/interpreter";
import { Stopping } from "../call/stopping.js";
import type { Channel, Loss } from "./channel.js";
import { carry, carryError, uncarry, uncarryError, type FromWorker, type ToWorker, type TreeNames } from "./messages.js";
import { abortReason, abortedBy, ended, type ProgramOptions } from "./program.js";

interface OpenRun {
  id: number;
  leaves: ToolFunction[];
  options: ProgramOptions;
  calls: Map<number, Site>;
  made: number;
  startedAt: number;
  logs: Outcome["logs"];
  finish(outcome: Outcome): void;
}

export class Lane {
  /** No further run may go here: the worker is gone, or in an unknown state. */
  spent = false;
  runs = 0;
  private current: OpenRun | undefined;
  private readonly saying: ToWorker[] = [];
  private heard = 0;
  private ready = false;

  constructor(private readonly channel: Channel) {
    channel.onMessage((said) => {
      for (const message of said) this.receive(message);
    });
    channel.onLost((loss) => this.lose(loss));
    // Last: a listener for messages holds a thread's port again.
    channel.hold(false);
  }

  /** Runs a program. Always resolves: at the latest when the worker is ended because it no longer answers. */
  run(source: string, options: ProgramOptions): Promise<Outcome> {
    return new Promise((resolve) => {
      const leaves: ToolFunction[] = [];
      const tree = namesOf(options.tools ?? {}, leaves);
      const { aliases, globals, limits, seed, startTime, timeZone, signal } = options;
      const watch = new Watch(
        () => this.say({ type: "ping" }),
        () => this.silence(),
        silenceAllowed(limits.computeMs),
        () => void this.giveUp(stuck(limits.computeMs)),
      );
      const abort = (): void => {
        this.say({ type: "abort", run: opened.id, reason: abortReason(signal?.reason) });
        // A worker in the middle of a computation does not hear it.
        grace = setTimeout(() => void this.giveUp(abortedBy(signal?.reason)), ABORT_GRACE_MS);
      };
      let grace: NodeJS.Timeout | undefined;
      const opened: OpenRun = {
        id: ++this.runs,
        leaves,
        options,
        calls: new Map(),
        made: 0,
        startedAt: Date.now(),
        logs: [],
        finish: (outcome) => {
          if (this.current !== opened) return;
          this.current = undefined;
          watch.stop();
          clearTimeout(grace);
          signal?.removeEventListener("abort", abort);
          this.channel.hold(false);
          resolve(outcome);
        },
      };
      this.current = opened;
      this.heard = performance.now();
      this.channel.hold(true);
      try {
        // At once: that its globals cannot cross is this run's end, and nobody else's.
        this.channel.post([{ type: "run", run: opened.id, source, tree, aliases, globals, limits, seed, startTime, timeZone }]);
      } catch (error) {
        return opened.finish(this.outcome(uncrossable(error)));
      }
      if (signal?.aborted === true) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });
  }

  async end(): Promise<void> {
    this.spent = true;
    this.current?.finish(this.outcome(abortedBy(new Error("the runtime was closed."))));
    await this.channel.end();
  }

  /** Goes with what else is said in this turn: while several calls are open, with all that they give in this round of the event loop. */
  private say(message: ToWorker): void {
    if (this.saying.push(message) > 1) return;
    const send = (): void => this.send(this.saying.splice(0));
    if (this.current !== undefined && this.current.calls.size > 1) setImmediate(send);
    else queueMicrotask(send);
  }

  private send(said: readonly ToWorker[]): void {
    try {
      this.channel.post(said);
    } catch (error) {
      if (said.length > 1) return said.forEach((message) => this.send([message]));
      // The data of a thrown ToolError are the tool's own. The call fails; others go on.
      const [message] = said;
      const why = `cannot cross to the program's worker: ${messageOf(error)}`;
      if (message.type === "failure" && message.failure.data !== undefined)
        this.send([{ ...message, failure: { ...message.failure, data: undefined } }]);
      else if (message.type === "failure" || message.type === "result")
        this.channel.post([{ type: "failure", run: message.run, call: message.call, failure: carryError(`What the tool gave ${why}`) }]);
      else void this.giveUp({ kind: "internal", message: `A message of the host ${why}`, hints: [] });
    }
  }

  /** A worker that is still being started may be silent for longer. */
  private silence(): number {
    return Math.max(0, performance.now() - this.heard - (this.ready ? 0 : START_MS));
  }

  private receive(message: FromWorker): void {
    this.heard = performance.now();
    this.ready = true;
    const run = this.current;
    if (run === undefined || !("run" in message) || message.run !== run.id) return;
    switch (message.type) {
      case "call":
        return void this.call(run, message);
      case "cancel":
        return run.calls.get(message.call)?.stop(uncarryError(message.reason));
      case "log":
        run.logs.push(message.entry);
        return run.options.onLog?.(message.entry);
      case "outcome":
        // Its heap may be full of what ended the run.
        if (
          message.outcome.status === "failed" &&
          (message.outcome.error.limit === "memoryBytes" || message.outcome.error.kind === "internal")
        )
          this.spent = true;
        return run.finish(message.outcome);
      case "broken":
        this.spent = true;
        return run.finish(this.outcome({ kind: "internal", message: `The interpreter failed: ${message.message}`, hints: [] }));
    }
  }

  private async call(run: OpenRun, message: FromWorker & { type: "call" }): Promise<void> {
    const { call } = message;
    const site = new Site(message, (type) => {
      if (this.current === run) this.say({ type, run: run.id, call });
    });
    run.calls.set(call, site);
    run.made += 1;
    try {
      const result = await run.leaves[message.tool](uncarry(message.input) as never, site);
      if (this.current === run) this.say({ type: "result", run: run.id, call, result: carry(result) });
    } catch (error) {
      if (this.current === run) this.say({ type: "failure", run: run.id, call, failure: carryError(error) });
    }
    run.calls.delete(call);
  }

  private lose({ memory, message }: Loss): void {
    this.spent = true;
    const memoryBytes = this.current?.options.limits.memoryBytes;
    this.current?.finish(
      this.outcome(
        memory
          ? {
              kind: "limit",
              limit: "memoryBytes",
              message: `The program used more memory than it may (limit memoryBytes, ${memoryBytes}).`,
              hints: ["Work on smaller parts, and keep only the fields that are needed."],
            }
          : { kind: "internal", message: `The worker of this run ended unexpectedly: ${message}.`, hints: [] },
      ),
    );
  }

  private async giveUp(error: Diagnostic): Promise<void> {
    if (this.current === undefined) return;
    this.spent = true;
    this.current.finish(this.outcome(error));
    await this.channel.end();
  }

  private outcome(error: Diagnostic): Outcome {
    const run = this.current;
    return ended(error, { logs: run?.logs, toolCalls: run?.made, startedAt: run?.startedAt, seed: run?.options.seed });
  }
}

/** A call of a program in the worker. */
class Site implements ToolCall {
  readonly callId: string;
  readonly path: string;
  readonly location: SourceLocation | undefined;
  private readonly stopping = new Stopping();
  private pauses = 0;

  constructor(
    { callId, path, location }: FromWorker & { type: "call" },
    private readonly say: (type: "progress" | "pause" | "resume") => void,
  ) {
    this.callId = callId;
    this.path = path;
    this.location = location;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  onStop(listener: (reason: unknown) => void): void {
    this.stopping.onStop(listener);
  }

  stop(reason: unknown): void {
    this.stopping.stop(reason);
  }

  progress(): void {
    this.say("progress");
  }

  pauseClocks(): () => void {
    if (this.pauses++ === 0) this.say("pause");
    let resumed = false;
    return () => {
      if (resumed) return;
      resumed = true;
      if (--this.pauses === 0) this.say("resume");
    };
  }
}

/** Pings, and calls `stuck` once the worker has been silent for too long. A host that was itself held up does not count. */
class Watch {
  private readonly timer: NodeJS.Timeout;
  private last = performance.now();
  private heldUp = 0;

  constructor(ping: () => void, silence: () => number, allowed: number, giveUp: () => void) {
    this.timer = setInterval(() => {
      const late = performance.now() - this.last - PING_MS;
      this.last = performance.now();
      if (silence() < 2 * PING_MS) this.heldUp = 0;
      if (late > PING_MS) this.heldUp += late;
      if (silence() - this.heldUp > allowed) giveUp();
      else ping();
    }, PING_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

function namesOf(tree: ToolTree, leaves: ToolFunction[]): TreeNames {
  return Object.entries(tree).map(([name, inner]) => {
    if (typeof inner !== "function") return [name, namesOf(inner, leaves)];
    leaves.push(inner);
    return [name, null];
  });
}

/** A computation may be silent for `computeMs`; the interpreter ends it then. What is silent for longer is stuck. */
function silenceAllowed(computeMs: number): number {
  return computeMs * 1.5 + 2_000;
}

function uncrossable(error: unknown): Diagnostic {
  return { kind: "invalid-input", message: `The program's globals cannot cross to its worker: ${messageOf(error)}`, hints: [] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function stuck(computeMs: number): Diagnostic {
  return {
    kind: "limit",
    limit: "computeMs",
    message: `The program did not come to an end and its worker no longer answered (limit computeMs, ${computeMs} ms). The worker was ended.`,
    hints: [],
  };
}

const START_MS = 30_000;
const PING_MS = 250;
const ABORT_GRACE_MS = 250;
