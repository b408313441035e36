// A program that waits for what never comes: where it waits.

import type { Diagnostic, SourceLocation } from "../api.js";
import { Activation } from "../compile/activation.js";
import { type PromiseObject, PromiseState, isPromise } from "../promise.js";
import { type Located, diagnostic } from "./diagnostics.js";

/** The place of the await at which the program stands: from its own promise inwards, the last one that is known. */
export function waitingAt(main: PromiseObject, locate: Located): SourceLocation | undefined {
  let location: SourceLocation | undefined;
  let promise: PromiseObject | undefined = main;
  for (let i = 0; i < 1_000 && promise !== undefined && promise.d.state === PromiseState.PENDING; i++) {
    const { origin }: { origin: unknown } = promise.d;
    if (!(origin instanceof Activation)) break;
    location = locate(origin.site) ?? location;
    promise = isPromise(origin.out) ? origin.out : undefined;
  }
  return location;
}

export function stalledDiagnostic(main: PromiseObject, locate: Located): Diagnostic {
  return diagnostic(
    "stalled",
    "The program waits for a promise that nothing can settle: no tool call, timer or other work is left.",
    waitingAt(main, locate),
    ["Every path of a new Promise(…) must call resolve or reject, and each awaited promise must come from a call that ends."],
  );
}
