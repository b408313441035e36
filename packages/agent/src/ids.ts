// Ids: a prefix, the time, a counter and chance, so that ids of one process sort by the time of their making.

import { randomBytes } from "node:crypto";

let lastTime = 0;
let counter = 0;

/** `newId("ses")` → `ses_0mb3k2x1q0001f3a9c2e1`. */
export function newId(prefix: "ses" | "msg" | "rec" | "run" | "call"): string {
  const time = Math.max(Date.now(), lastTime);
  counter = time === lastTime ? counter + 1 : 0;
  lastTime = time;
  return `${prefix}_${time.toString(36).padStart(9, "0")}${counter.toString(36).padStart(4, "0")}${randomBytes(4).toString("hex")}`;
}
