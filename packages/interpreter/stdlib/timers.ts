// Timers and queueMicrotask (HTML 8.6, 8.7). When a timer fires is the run's matter.

import { call0, callN } from "../src/call.js";
import { describe, toNumber } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { isCallable } from "../src/object.js";
import { type Job, currentJobs } from "../src/promise.js";
import { type PropertySpec, defineGlobal, method, variadic } from "../src/realm.js";
import { R } from "../src/run-state.js";
import { DATA } from "../src/shape.js";
import { type Value } from "../src/values.js";

const MAX_DELAY = 2 ** 31 - 1;

const CALL: Job = {
  onFulfilled(callback) {
    call0(callback, undefined);
  },
};

function setter(name: string, repeat: boolean): PropertySpec {
  return variadic(
    name,
    1,
    (_t, args) => {
      const callback = args[0];
      if (typeof callback === "string") throwTypeError(`${name} takes a function; code as a string is not run here`);
      if (!isCallable(callback)) throwTypeError(`${name}: the callback must be a function, but it is ${describe(callback)}`);
      const delay = args.length > 1 ? toNumber(args[1]) : 0;
      const ms = delay >= 1 && delay <= MAX_DELAY ? Math.trunc(delay) : delay > MAX_DELAY ? MAX_DELAY : 0;
      const rest = args.slice(2);
      R.mem -= 200;
      return R.run.setTimer(
        rest.length === 0 ? () => void call0(callback, undefined) : () => void callN(callback, undefined, rest.slice()),
        ms,
        repeat,
      );
    },
    DATA,
  );
}

function clearer(name: string): PropertySpec {
  return method(
    name,
    1,
    (_t, id) => {
      const n = typeof id === "string" ? Number(id) : id;
      if (typeof n === "number") R.run.clearTimer(n);
      return undefined;
    },
    DATA,
  );
}

defineGlobal("setTimeout", setter("setTimeout", false));
defineGlobal("clearTimeout", clearer("clearTimeout"));
defineGlobal("setInterval", setter("setInterval", true));
defineGlobal("clearInterval", clearer("clearInterval"));
defineGlobal(
  "queueMicrotask",
  method(
    "queueMicrotask",
    1,
    (_t: Value, callback: Value) => {
      if (!isCallable(callback)) throwTypeError(`queueMicrotask: the callback must be a function, but it is ${describe(callback)}`);
      R.mem -= 64;
      currentJobs().push(CALL, callback);
      return undefined;
    },
    DATA,
  ),
);
