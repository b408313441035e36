import type { FromWorker, ToWorker } from "./messages.js";

/** What was lost with a worker: its memory ran out, or it broke in another way. */
export interface Loss {
  memory: boolean;
  message: string;
}

/** A worker as the host sees it, a thread or a process. */
export interface Channel {
  /** Each message costs, whatever is in it: what is said at one time goes together. */
  post(said: readonly ToWorker[]): void;
  onMessage(listener: (said: readonly FromWorker[]) => void): void;
  /** Called once, when the worker ended without being told to. */
  onLost(listener: (loss: Loss) => void): void;
  /** Whether the worker keeps the host's process alive: it does while it has a run. */
  hold(alive: boolean): void;
  /** Ends the worker at once, whatever it does. */
  end(): Promise<void>;
}

export interface LaneOptions {
  memoryBytes: number;
  /** Tests put another module in the interpreter's place. */
  interpreter?: string;
}
