// The entry file of a child process: starts the worker thread inside of it, whose stack can be set, and hands messages through.
// The process's main thread never runs a program, so it always hears the host, and notices when the host is gone.

import { laneThread } from "./thread.js";
import type { FromWorker } from "./messages.js";

const settings = JSON.parse(process.argv[2] ?? "{}") as { memoryBytes: number | null; interpreter?: string };
const channel = laneThread({ memoryBytes: settings.memoryBytes ?? Infinity, interpreter: settings.interpreter });

const say = (said: readonly FromWorker[]): void => {
  process.send?.(said, undefined, {}, () => {});
};
channel.onMessage(say);
channel.onLost(({ memory, message }) => {
  process.send?.([{ type: "lost", memory, message }] satisfies FromWorker[], undefined, {}, () => process.exit(1));
});
process.on("message", (message) => channel.post(message as never));
process.on("disconnect", () => process.exit(0));
