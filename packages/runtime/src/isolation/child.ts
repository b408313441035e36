// A child process as a channel. It can die as a whole (an allocation that V8 can't survive) and the host goes on.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Channel, LaneOptions, Loss } from "./channel.js";
import type { FromWorker } from "./messages.js";

export function laneProcess({ memoryBytes, interpreter }: LaneOptions): Channel {
  const settings = { memoryBytes: Number.isFinite(memoryBytes) ? memoryBytes : null, interpreter };
  const child = fork(fileURLToPath(new URL("./process.js", import.meta.url)), [JSON.stringify(settings)], {
    env: {},
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let told = false;
  let lost: Loss | undefined;
  const losers: ((loss: Loss) => void)[] = [];
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lose = (loss: Loss): void => {
    if (told || lost !== undefined) return;
    lost = loss;
    for (const listener of losers) listener(loss);
  };
  child.on("error", (error) => lose({ memory: false, message: error.message }));
  // V8 ends the process by an abort when an allocation is hopeless.
  child.on("exit", (code, signal) =>
    lose({ memory: signal === "SIGABRT" || code === 134, message: `the process ended with ${signal ?? `code ${code}`}` }),
  );
  return {
    post: (said) => {
      if (child.connected) child.send([...said], undefined, {}, () => {});
    },
    onMessage: (listener) =>
      void child.on("message", (message) => {
        const said = message as unknown as readonly FromWorker[];
        const [first] = said;
        if (first.type === "lost") lose({ memory: first.memory, message: first.message });
        else listener(said);
      }),
    onLost: (listener) => void (lost === undefined ? losers.push(listener) : listener(lost)),
    hold: (alive) => {
      if (alive) {
        child.ref();
        child.channel?.ref();
      } else {
        child.unref();
        child.channel?.unref();
      }
    },
    end: async () => {
      told = true;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      child.ref();
      child.kill("SIGKILL");
      await exited;
    },
  };
}
