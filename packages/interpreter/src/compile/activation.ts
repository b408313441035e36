// Activations of functions that suspend: async functions, generators, async generators. A compiled body is re-entrant: it gives SUSPEND
// when it waits, and goes on where it was when it is called again with the same frame.

import { protoFromNewTarget } from "../call.js";
import { GuestThrow, caught, throwTypeError } from "../errors.js";
import { Intrinsic } from "../intrinsics.js";
import { type Stepper, setGeneratorNext } from "../iterate.js";
import { iterResult, newKind } from "../object.js";
import { nativeCode } from "../realm.js";
import { type PromiseObject, type Reaction, awaitValue, newPromise, rejectPromise, resolvePromise, toPromise, react } from "../promise.js";
import { R } from "../run-state.js";
import { type Frame, type FunctionObject, HOLE, Kind, RESULT, type Value } from "../values.js";
import { ACTIVATION } from "./scope.js";
import { type Ev, RETURN_UNDEFINED, SUSPEND } from "./unit.js";

export const enum ActivationKind {
  ASYNC,
  GENERATOR,
  ASYNC_GENERATOR,
}

/** How an activation is resumed. */
export const enum Mode {
  NEXT,
  THROW,
  RETURN,
}

/** Why it gave SUSPEND. */
export const enum Pause {
  AWAIT,
  YIELD,
  /** A result object of an inner iterator goes out as it is. */
  YIELD_RESULT,
}

const enum State {
  START,
  SUSPENDED,
  RUNNING,
  /** An async generator that waits for the value of a `return` after its end. */
  AWAITING_RETURN,
  DONE,
}

/** `return(v)` on its way through the frames of a generator: `catch` does not see it, `finally` runs. */
export class ReturnSignal {
  readonly value: Value;
  constructor(value: Value) {
    this.value = value;
  }
}

interface Request {
  mode: Mode;
  value: Value;
  promise: PromiseObject;
}

export class Activation implements Reaction, Stepper {
  readonly kind: ActivationKind;
  readonly frame: Frame;
  readonly body: Ev;
  readonly weight: number;
  state: State = State.START;
  mode: Mode = Mode.NEXT;
  /** What comes in with a resumption. */
  value: Value = undefined;
  /** What goes out with SUSPEND, and why. */
  out: Value = undefined;
  pause: Pause = Pause.AWAIT;
  /** Of an async function. */
  promise: PromiseObject | null = null;
  /** Of an async generator. */
  queue: Request[] | null = null;
  /** Where it was called or waits, for stack traces. */
  site: number;
  constructor(kind: ActivationKind, frame: Frame, body: Ev, weight: number) {
    this.kind = kind;
    this.frame = frame;
    this.body = body;
    this.weight = weight;
    this.site = R.site;
  }

  onFulfilled(value: Value): void {
    this.mode = Mode.NEXT;
    this.value = value;
    this.goOn();
  }
  onRejected(reason: Value): void {
    this.mode = Mode.THROW;
    this.value = reason;
    this.goOn();
  }

  /** A generator's next value for a loop of ours, without a result object of its own. */
  step(received: Value): Value {
    if (this.state === State.RUNNING) throwTypeError("Generator is already running");
    const isDone = this.state === State.DONE;
    this.mode = Mode.NEXT;
    this.value = received;
    const v = isDone ? undefined : stepGenerator(this);
    if (v !== SUSPEND) {
      this.out = v;
      return HOLE;
    }
    return this.pause === Pause.YIELD ? this.out : RESULT; // checked by `yield*`
  }

  private goOn(): void {
    R.site = this.site;
    if (this.kind === ActivationKind.ASYNC) runAsync(this);
    else runAsyncGenerator(this);
  }
}

/** Runs the body from where it is. Its completion, with guest exceptions going through. */
function enter(a: Activation): Value {
  if (--R.fuel < 0) R.run.outOfFuel();
  const { depth, stack } = R;
  R.sites[++R.depth] = R.site;
  if (R.depth > R.depthMax || (R.stack += a.weight + 200) > R.stackMax) R.run.tooDeep();
  try {
    return a.body(a.frame);
  } finally {
    R.depth = depth;
    R.stack = stack;
  }
}

/** The call of a function that suspends. `pre` binds the parameters. */
export function startActivation(
  kind: ActivationKind,
  fn: FunctionObject,
  f: Frame,
  pre: ((f: Frame) => void) | null,
  body: Ev,
  weight: number,
): Value {
  const a = new Activation(kind, f, body, weight);
  R.mem -= 300;
  f[ACTIVATION] = a as unknown as Value;
  if (kind === ActivationKind.ASYNC) {
    const { site } = a;
    const promise = newPromise();
    a.promise = promise;
    promise.d.origin = a;
    if (pre !== null) {
      try {
        pre(f);
      } catch (e) {
        rejectAsync(promise, e);
        return promise;
      }
    }
    runAsync(a);
    R.site = site;
    return promise;
  }
  if (--R.fuel < 0) R.run.outOfFuel();
  if (pre !== null) pre(f);
  if (kind === ActivationKind.GENERATOR) return newKind(protoFromNewTarget(fn, Intrinsic.GeneratorPrototype), Kind.GENERATOR, a);
  a.queue = [];
  return newKind(protoFromNewTarget(fn, Intrinsic.AsyncGeneratorPrototype), Kind.ASYNC_GENERATOR, a);
}

// Async functions ------------------------------------------------------------------------------------------------------------------

function rejectAsync(promise: PromiseObject, e: unknown): void {
  const reason = caught(e);
  promise.d.origin = (e as GuestThrow).site; // `caught` lets nothing else pass
  rejectPromise(promise, reason);
}

function runAsync(a: Activation): void {
  const promise = a.promise!;
  for (;;) {
    let v: Value;
    try {
      v = enter(a);
    } catch (e) {
      rejectAsync(promise, e);
      return;
    }
    if (v !== SUSPEND) {
      promise.d.origin = R.site; // of a program: where it returned
      resolvePromise(promise, v === RETURN_UNDEFINED ? undefined : v);
      return;
    }
    a.site = R.site;
    try {
      awaitValue(a.out, a);
      return;
    } catch (e) {
      a.value = caught(e);
      a.mode = Mode.THROW;
    }
  }
}

// Generators -----------------------------------------------------------------------------------------------------------------------

/** The code of %GeneratorPrototype%.next. */
export const GENERATOR_NEXT = nativeCode("next", 1, (t, v) => resumeGenerator(t, Mode.NEXT, v, "next"));
setGeneratorNext(GENERATOR_NEXT);

/** GeneratorResume and GeneratorResumeAbrupt: the result object. */
export function resumeGenerator(o: Value, mode: Mode, value: Value, name: string): Value {
  if (typeof o !== "object" || o === null || o.kind !== Kind.GENERATOR) throwTypeError(`${name} method called on incompatible receiver`);
  const a = o.d as Activation;
  if (a.state === State.RUNNING) throwTypeError("Generator is already running");
  if (a.state === State.START && mode !== Mode.NEXT) a.state = State.DONE;
  if (a.state === State.DONE) {
    if (mode === Mode.THROW) throw new GuestThrow(value);
    return iterResult(mode === Mode.RETURN ? value : undefined, true);
  }
  a.mode = mode;
  a.value = value;
  const done = stepGenerator(a);
  if (done === SUSPEND) return a.pause === Pause.YIELD_RESULT ? a.out : iterResult(a.out, false);
  return iterResult(done, true);
}

/** Runs a generator to its next yield: SUSPEND then, with the value in `out`; else its final value. */
export function stepGenerator(a: Activation): Value {
  const { site, depth, stack } = R;
  a.state = State.RUNNING;
  let v: Value;
  try {
    // As `enter` does it, without a call more.
    if (--R.fuel < 0) R.run.outOfFuel();
    R.sites[++R.depth] = site;
    if (R.depth > R.depthMax || (R.stack += a.weight + 200) > R.stackMax) R.run.tooDeep();
    v = a.body(a.frame);
  } catch (e) {
    a.state = State.DONE;
    if (!(e instanceof ReturnSignal)) throw e;
    v = e.value;
  } finally {
    R.depth = depth;
    R.stack = stack;
  }
  R.site = site;
  if (v === SUSPEND) {
    a.state = State.SUSPENDED;
    return SUSPEND;
  }
  a.state = State.DONE;
  return v === RETURN_UNDEFINED ? undefined : v;
}

// Async generators -----------------------------------------------------------------------------------------------------------------

/** `next`, `throw` and `return` of async generators: always a promise. */
export function enqueueAsyncGenerator(o: Value, mode: Mode, value: Value, name: string): Value {
  const promise = newPromise();
  if (typeof o !== "object" || o === null || o.kind !== Kind.ASYNC_GENERATOR) {
    try {
      throwTypeError(`${name} method called on incompatible receiver`);
    } catch (e) {
      rejectPromise(promise, caught(e));
    }
    return promise;
  }
  const a = o.d as Activation;
  R.mem -= 64;
  a.queue!.push({ mode, value, promise });
  if (a.state === State.START && mode !== Mode.NEXT) a.state = State.DONE;
  if (a.state === State.START || a.state === State.SUSPENDED) {
    a.mode = mode;
    a.value = value;
    runAsyncGenerator(a);
  } else if (a.state === State.DONE) drain(a);
  return promise;
}

function runAsyncGenerator(a: Activation): void {
  for (;;) {
    a.state = State.RUNNING;
    let v: Value;
    try {
      v = enter(a);
    } catch (e) {
      a.state = State.DONE;
      const request = a.queue!.shift()!;
      if (e instanceof ReturnSignal) resolvePromise(request.promise, iterResult(e.value, true));
      else rejectPromise(request.promise, caught(e));
      drain(a);
      return;
    }
    if (v !== SUSPEND) {
      a.state = State.DONE;
      resolvePromise(a.queue!.shift()!.promise, iterResult(v === RETURN_UNDEFINED ? undefined : v, true));
      drain(a);
      return;
    }
    if (a.pause === Pause.AWAIT) {
      a.site = R.site;
      try {
        awaitValue(a.out, a);
        return;
      } catch (e) {
        a.value = caught(e);
        a.mode = Mode.THROW;
        continue;
      }
    }
    a.state = State.SUSPENDED;
    resolvePromise(a.queue!.shift()!.promise, iterResult(a.out, false));
    if (a.queue!.length === 0) return;
    const next = a.queue![0];
    a.mode = next.mode;
    a.value = next.value;
  }
}

/** AsyncGeneratorDrainQueue: answers the requests that came after the end. */
function drain(a: Activation): void {
  for (;;) {
    const request = a.queue![0];
    if (request === undefined) return;
    if (request.mode === Mode.RETURN) {
      a.state = State.AWAITING_RETURN;
      let p: PromiseObject;
      try {
        p = toPromise(request.value);
      } catch (e) {
        a.state = State.DONE;
        a.queue!.shift();
        rejectPromise(request.promise, caught(e));
        continue;
      }
      react(p, {
        onFulfilled(v) {
          a.state = State.DONE;
          a.queue!.shift();
          resolvePromise(request.promise, iterResult(v, true));
          drain(a);
        },
        onRejected(reason) {
          a.state = State.DONE;
          a.queue!.shift();
          rejectPromise(request.promise, reason);
          drain(a);
        },
      });
      return;
    }
    a.queue!.shift();
    if (request.mode === Mode.THROW) rejectPromise(request.promise, request.value);
    else resolvePromise(request.promise, iterResult(undefined, true));
  }
}
