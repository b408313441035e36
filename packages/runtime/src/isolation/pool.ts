// A pool of workers: bounded, one of them warm; who finds none waits in order, which counts in no limit.

import type { Outcome } from "@airlock/interpreter";
import { followCalls, isInsideCall } from "../call/nesting.js";
import type { Channel } from "./channel.js";
import { Lane } from "./lane.js";
import { abortedBy, ended, type Isolation, type ProgramOptions } from "./program.js";

export interface PoolOptions {
  /** Most workers with a run. */
  size: number;
  start(): Channel;
}

export class Pool implements Isolation {
  private idle: Lane[] = [];
  private readonly all = new Set<Lane>();
  private readonly waiting: (() => void)[] = [];
  private busy = 0;
  private closed = false;
  private trim: NodeJS.Timeout | undefined;

  constructor(private readonly options: PoolOptions) {
    followCalls();
    this.warm();
  }

  readonly run = async (source: string, options: ProgramOptions): Promise<Outcome> => {
    // A run that a tool starts inside of another run gets a place beside the bound: it would else wait for its own caller.
    const nested = isInsideCall();
    if (!nested && !(await this.place(options.signal))) return ended(abortedBy(options.signal?.reason), { seed: options.seed });
    if (this.closed) return ended(abortedBy(new Error("the runtime was closed.")), { seed: options.seed });
    const lane = this.take();
    try {
      return await lane.run(source, options);
    } finally {
      this.giveBack(lane);
      if (!nested) this.leave();
    }
  };

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.trim);
    for (const next of this.waiting.splice(0)) next();
    await Promise.all([...this.all].map((lane) => lane.end()));
    this.all.clear();
    this.idle = [];
  }

  /** Waits for a place; false if the signal came first. */
  private place(signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false);
    if (this.busy < this.options.size) {
      this.busy += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const next = (): void => {
        signal?.removeEventListener("abort", abort);
        this.busy += 1;
        resolve(true);
      };
      const abort = (): void => {
        this.waiting.splice(this.waiting.indexOf(next), 1);
        resolve(false);
      };
      this.waiting.push(next);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  private leave(): void {
    this.busy -= 1;
    this.waiting.shift()?.();
  }

  private take(): Lane {
    let lane = this.idle.pop();
    while (lane?.spent === true) {
      this.all.delete(lane);
      lane = this.idle.pop();
    }
    lane ??= this.start();
    // Where one run at a time is all there is, one worker serves them all.
    if (this.busy > 1) this.warm();
    return lane;
  }

  private giveBack(lane: Lane): void {
    if (lane.spent || this.closed || lane.runs >= MAX_RUNS) {
      this.all.delete(lane);
      void lane.end();
    } else {
      this.idle.push(lane);
    }
    this.warm();
    this.trim ??= setTimeout(() => this.trimIdle(), TRIM_MS).unref();
  }

  /** One worker is started ahead, so that a run begins without the start of a thread. */
  private warm(): void {
    if (!this.closed && this.idle.length === 0 && this.busy < this.options.size) this.idle.push(this.start());
  }

  private trimIdle(): void {
    this.trim = undefined;
    for (const lane of this.idle.splice(1)) {
      this.all.delete(lane);
      void lane.end();
    }
  }

  private start(): Lane {
    const lane = new Lane(this.options.start());
    this.all.add(lane);
    return lane;
  }
}

/** A worker is replaced after so many runs: what little stays of each is bounded too. */
const MAX_RUNS = 500;
const TRIM_MS = 30_000;
