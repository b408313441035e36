// Whether code runs inside a call of a program: a run started there must not wait for a place that its own caller holds.

import { AsyncLocalStorage } from "node:async_hooks";

const storage = new AsyncLocalStorage<true>();

export function insideCall<T>(work: () => T): T {
  return storage.run(true, work);
}

export function isInsideCall(): boolean {
  return storage.getStore() === true;
}
