// Guest time with `startTime`: it stands still while the program computes and moves with tool results and timers.

import type { ToolFunction, ToolTree } from "@airlock/interpreter";

export interface GuestClock {
  now(): number;
  /** A timer has fired that was set for this time. */
  onTimer(at: number): void;
  /** The tools, each of whose results moves the clock by the time that the call took. */
  tools: ToolTree;
}

/** Two calls at once move it as far as the longer one: a call's result lies its duration after the time of its start. */
export function guestClock(startTime: number, tools: ToolTree): GuestClock {
  let time = startTime;
  const timed =
    (tool: ToolFunction): ToolFunction =>
    async (input, call) => {
      const began = time;
      const host = performance.now();
      try {
        return await tool(input, call);
      } finally {
        time = Math.max(time, began + Math.round(performance.now() - host));
      }
    };
  const wrap = (tree: ToolTree): ToolTree => {
    const copy = Object.create(null) as ToolTree;
    for (const [name, inner] of Object.entries(tree)) copy[name] = typeof inner === "function" ? timed(inner) : wrap(inner);
    return copy;
  };
  const onTimer = (at: number): void => void (time = Math.max(time, at));
  return { now: () => time, onTimer, tools: wrap(tools) };
}
