// %AsyncIteratorPrototype% (ECMAScript 27.1.5).

import { call0, getMethod } from "../src/call.js";
import { caught } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { newPromise, react, rejectPromise, resolvePromise, toPromise } from "../src/promise.js";
import { define, method } from "../src/realm.js";
import { SYM } from "../src/values.js";

define(Intrinsic.AsyncIteratorPrototype, {
  props: [
    method(SYM.asyncIterator, 0, (t) => t),
    method(SYM.asyncDispose, 0, (t) => {
      const promise = newPromise();
      try {
        const f = getMethod(t, "return");
        if (f === undefined) resolvePromise(promise, undefined);
        else {
          react(toPromise(call0(f, t)), {
            onFulfilled: () => resolvePromise(promise, undefined),
            onRejected: (reason) => rejectPromise(promise, reason),
          });
        }
      } catch (e) {
        rejectPromise(promise, caught(e));
      }
      return promise;
    }),
  ],
});
