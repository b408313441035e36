// Whether code runs inside a call of a program: a run started there must not wait for a place that its own caller holds.

import { AsyncLocalStorage } from "node:async_hooks";

const storage = new AsyncLocalStorage<true>();
/** Following what leads to what makes every promise of the host dearer. Where nothing has places, nobody asks. */
let isFollowed = false;

/** To be called before there are places. */
export function followCalls(): void {
  isFollowed = true;
}

export function insideCall<T>(work: () => T): T {
  return isFollowed ? storage.run(true, work) : work();
}

export function isInsideCall(): boolean {
  return storage.getStore() === true;
}
