// A worker thread as a channel: bounded heap, a stack for 10 000 guest calls, no environment, no input.

import { Worker } from "node:worker_threads";
import type { Channel, LaneOptions, Loss } from "./channel.js";
import type { FromWorker } from "./messages.js";

export const STACK_MB = 32;
const MIB = 1_048_576;

export function laneThread({ memoryBytes, interpreter }: LaneOptions): Channel {
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    workerData: { interpreter },
    // The interpreter measures at intervals and ends a run by `memoryBytes`; this is the stop behind it.
    resourceLimits: {
      stackSizeMb: STACK_MB,
      ...(Number.isFinite(memoryBytes) && { maxOldGenerationSizeMb: Math.ceil((memoryBytes * 1.5) / MIB) + 128 }),
    },
  });
  let told = false;
  let lost: Loss | undefined;
  const losers: ((loss: Loss) => void)[] = [];
  const lose = (loss: Loss): void => {
    if (told || lost !== undefined) return;
    lost = loss;
    for (const listener of losers) listener(loss);
  };
  worker.on("error", (error: Error & { code?: string }) =>
    lose({ memory: error.code === "ERR_WORKER_OUT_OF_MEMORY", message: error.message }),
  );
  worker.on("messageerror", (error) => lose({ memory: false, message: error.message }));
  worker.on("exit", (code) => lose({ memory: false, message: `the worker exited with code ${code}` }));
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    post: (said) => worker.postMessage(said),
    onMessage: (listener) => void worker.on("message", (said: readonly FromWorker[]) => listener(said)),
    onLost: (listener) => void (lost === undefined ? losers.push(listener) : listener(lost)),
    hold: (alive) => void (alive ? worker.ref() : worker.unref()),
    end: async () => {
      told = true;
      await worker.terminate();
    },
  };
}
