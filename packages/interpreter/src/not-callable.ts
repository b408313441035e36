// Why something cannot be called, in words that say what to do.

import { type ErrorData, makeError, throwValue } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { parsedTextOf } from "./parsed-text.js";
import { R } from "./run-state.js";
import { notCallable } from "./run/hints.js";
import { lastName, throwUnknownTool, toolNodeOf } from "./tool-node.js";
import { Kind, type Value } from "./values.js";

/** A call of `fn`, which is no function: `t` is the receiver, `written` the callee as the program has it. */
export function throwNotCallable(fn: Value, t: Value, args: readonly Value[], written: string): never {
  if (typeof t === "object" && t !== null) {
    const node = toolNodeOf(t);
    if (node !== undefined) throwUnknownTool(node, written, args);
    if (t.kind === Kind.PROMISE)
      throwHinted(`${written} is not a function: it was called on a promise`, "Write await before the call that gave the promise.");
    if (R.texts && parsedTextOf(t) !== undefined) {
      throwHinted(
        `${written} is not a function: this value was parsed from a tool's text; it is an object now`,
        "Use its fields. String(value) gives the text.",
      );
    }
  }
  const error = makeError(Intrinsic.TypeErrorPrototype, `${written} is not a function`);
  (error.d as ErrorData).explain = () => notCallable(written, fn, t, lastName(written));
  throwValue(error);
}

function throwHinted(message: string, hint: string): never {
  const error = makeError(Intrinsic.TypeErrorPrototype, message);
  (error.d as ErrorData).diagnostic = { hints: [hint] };
  throwValue(error);
}
