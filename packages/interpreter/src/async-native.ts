// Native code that awaits: a host generator whose `yield` is the specification's Await. For what is not hot; guest code never sees it.

import { GuestThrow, caught } from "./errors.js";
import { type PromiseObject, awaitValue, newPromise, rejectPromise, resolvePromise } from "./promise.js";
import { R } from "./run-state.js";
import { type Value } from "./values.js";

/** Yields what it awaits, is resumed with the value (or by a GuestThrow), and returns what the promise is resolved with. */
export type AsyncBody = Generator<Value, Value, Value>;

/** Runs `body` up to its first await now, the rest as jobs. The promise of what it returns or throws. */
export function runAsync(body: AsyncBody): PromiseObject {
  const promise = newPromise();
  advance(body, promise, () => body.next(undefined));
  return promise;
}

function advance(body: AsyncBody, promise: PromiseObject, resume: () => IteratorResult<Value, Value>): void {
  const { depth, stack } = R;
  for (;;) {
    let result: IteratorResult<Value, Value>;
    try {
      result = resume();
    } catch (e) {
      const reason = caught(e);
      R.depth = depth;
      R.stack = stack;
      rejectPromise(promise, reason);
      return;
    }
    if (result.done === true) {
      resolvePromise(promise, result.value);
      return;
    }
    try {
      awaitValue(result.value, {
        onFulfilled: (v) => advance(body, promise, () => body.next(v)),
        onRejected: (reason) => advance(body, promise, () => body.throw(new GuestThrow(reason))),
      });
      return;
    } catch (e) {
      const thrown = new GuestThrow(caught(e));
      R.depth = depth;
      R.stack = stack;
      resume = () => body.throw(thrown);
    }
  }
}
