// The tool calls of one run: issued by the program, started as `concurrentCalls` allows, settled by the host, told to the program in order
// of arrival. Everything that crosses is copied here.

import { type Diagnostic, type Json, type Limits, type SourceLocation, ToolError } from "../api.js";
import { type InwardOptions, copyIn, dataOf } from "../boundary/copy-in.js";
import { Outward } from "../boundary/copy-out.js";
import { Notes, Refusal } from "../boundary/refusal.js";
import { ErrorData, FatalEnd, GuestThrow, areActive, captureSites, makeError, type NativeErrorPrototype } from "../errors.js";
import { Intrinsic } from "../intrinsics.js";
import { newObject } from "../object.js";
import { fulfillPromise, newPromise, rejectPromise, resolvePromise } from "../promise.js";
import { Queue } from "../queue.js";
import { R } from "../run-state.js";
import { HIDDEN, addProperty, childShape, lookup, rootOf } from "../shape.js";
import { GuestObject, Kind, type Value } from "../values.js";
import { types } from "node:util";
import { bounded, diagnostic } from "./diagnostics.js";
import type { Meter } from "./control.js";
import type { Arrival } from "./loop.js";
import { Call, CallList, CallState, HostCall, Lane } from "./tool-call.js";
import type { Leaf } from "./tree.js";
import type { WallClock } from "./wall-clock.js";

/** What a run does for its calls. */
export interface CallsOwner {
  readonly limits: Limits;
  readonly meter: Meter;
  readonly wall: WallClock;
  locate(site: number): SourceLocation | undefined;
  warn(made: Diagnostic): void;
  /** Tells the program in its turn. With `isLast`, nothing else can arrive in this turn of the host's. */
  arrive(arrival: Arrival, isLast: boolean): void;
  /** A call that the program will not hear of has settled. */
  dropped(): void;
  /** Runs `start`, which calls tool functions one after another. */
  together(start: () => void): void;
  /** Ends the run. */
  end(made: Diagnostic): void;
  /** The moments at which the run wants to be woken have changed. */
  rearm(at?: number): void;
}

/** The part of a run's memory that one result may bring. */
const VALUE_SHARE = 4;
/** The part of it that one input may have: it is copied on its way out of a worker. */
const INPUT_SHARE = 8;

export class Calls {
  issued = 0;
  readonly owner: CallsOwner;
  /** All whose end the program has not been told. */
  private readonly untold = new CallList();
  private readonly queue = new Queue<Call>();
  /** The lanes of those that have started and not settled: their clocks run. */
  private readonly running: Lane[] = [];
  private readonly idle: Lane[] = [];
  /** The tools that have given an object, by path: hints show its layout. */
  readonly answered = new Map<string, Leaf>();
  /** The copier of inputs, with the notes that it writes, while none is being copied. */
  private copier: { outward: Outward; notes: Notes } | null = null;
  /** How results are copied. */
  private readonly inward: InwardOptions;
  /** The sites of the call before: calls from one place share them. */
  private sites: readonly number[] = [];
  private isOver = false;
  private isStarting = false;
  /** The program has its result: what settles now is only waited for. */
  private isTail = false;
  constructor(owner: CallsOwner) {
    this.owner = owner;
    this.inward = { root: "result", notes: new Notes(), maxBytes: owner.limits.memoryBytes / VALUE_SHARE };
  }

  /** A call from the program: the promise of its result. */
  issue(leaf: Leaf, argument: Value): Value {
    const { owner } = this;
    if (++this.issued > owner.limits.toolCalls) owner.meter.exceeded("toolCalls");
    R.mem -= 600;
    const promise = newPromise();
    const sites = areActive(this.sites) ? this.sites : (this.sites = captureSites());
    let input: Json;
    try {
      input = this.copyInput(leaf, argument, sites[0]);
    } catch (e) {
      if (e instanceof GuestThrow) rejectPromise(promise, e.value);
      else if (e instanceof Refusal) rejectPromise(promise, invalidInput(leaf, e));
      else throw e;
      return promise;
    }
    const call = new Call(this, this.issued, leaf, input, promise, sites);
    promise.d.origin = call;
    this.untold.add(call);
    // The host's functions get enough of the stack: from deep inside the program they are called later. None overtakes another.
    if (this.queue.length === 0 && this.running.length < owner.limits.concurrentCalls && R.stack * 2 <= R.stackMax) this.startNow(call);
    else this.queue.push(call);
    return promise;
  }

  private startNow(call: Call): void {
    const before = this.running.length;
    const now = this.owner.meter.outside(() => this.start(call));
    this.startClocks(before, now);
  }

  private copyInput(leaf: Leaf, argument: Value, site: number): Json {
    const copier = this.copier ?? { outward: this.newOutward(), notes: new Notes() };
    this.copier = null; // code of the input may issue another call
    const { outward, notes } = copier;
    const input = outward.copy(argument === undefined ? newObject() : argument, notes);
    this.copier = copier;
    if (!notes.isEmpty) {
      for (const text of notes.take()) this.owner.warn(diagnostic("invalid-input", `${leaf.path}: ${text}`, this.owner.locate(site)));
    }
    return input;
  }

  private newOutward(): Outward {
    return new Outward({ root: "input", maxBytes: this.owner.limits.memoryBytes / INPUT_SHARE, limit: "memoryBytes", keepTexts: true });
  }

  /** Starts what waits, as far as there is room. Called when no guest code is active. */
  startQueued(): void {
    if (!this.canStart || this.isStarting) return; // what answers at once makes room for the next turn below
    const before = this.running.length;
    this.isStarting = true;
    this.owner.together(() => {
      while (this.canStart) this.start(this.queue.shift()!);
    });
    this.isStarting = false;
    if (this.running.length > before) this.startClocks(before, performance.now());
  }

  private get canStart(): boolean {
    return this.queue.length > 0 && this.running.length < this.owner.limits.concurrentCalls && !this.isOver;
  }

  /** For the calls from that place on: what their functions did before they gave a promise nobody could have ended. */
  private startClocks(from: number, now: number): void {
    const deadline = now + this.owner.limits.toolMs;
    for (let i = from; i < this.running.length; i++) this.running[i].call!.startClock(now, deadline);
    if (this.running.length > from) this.owner.rearm(deadline);
  }

  private start(call: Call): void {
    const lane = this.idle.pop() ?? new Lane(this);
    lane.call = call;
    lane.deadline = Infinity;
    lane.place = this.running.push(lane) - 1;
    call.lane = lane;
    call.state = CallState.RUNNING;
    const input = call.content as Json;
    call.content = undefined;
    let returned: unknown;
    try {
      const { call: tool } = call.leaf;
      returned = tool(input, new HostCall(call));
      if (types.isPromise(returned)) {
        void promiseThen.call(returned, lane.answered, lane.failed);
        return;
      }
    } catch (e) {
      this.settled(lane, CallState.FAILED, e);
      return;
    }
    if (isThenable(returned)) Promise.resolve(returned).then(lane.answered, lane.failed);
    else this.settled(lane, CallState.ANSWERED, returned);
  }

  /** The host has answered; the lane is free for another call. */
  settled(lane: Lane, state: CallState, value: unknown): void {
    const call = lane.call!; // one answer for each start
    lane.call = null;
    this.idle.push(lane);
    if (call.lane === lane) this.settle(call, lane, state, value);
  }

  private settle(call: Call, lane: Lane, state: CallState, value: unknown): void {
    if (this.isOver) return;
    const last = this.running.pop()!;
    if (last !== lane) this.running[(last.place = lane.place)] = last;
    call.lane = null;
    call.state = state;
    call.content = value;
    call.close();
    if (this.isTail) {
      this.untold.delete(call);
      this.tell(call);
      this.startQueued();
      this.owner.dropped();
      return;
    }
    this.owner.arrive(call, this.running.length === 0);
  }

  /** Ends the calls that have taken too long. */
  expire(now: number): void {
    for (const lane of this.running.slice()) {
      const call = lane.call;
      if (call?.lane !== lane || call.wakeAt > now) continue;
      const { toolMs } = this.owner.limits;
      const error = new ToolError(`${call.path} did not answer within ${toolMs} ms (limit toolMs).`, {
        name: "TimeoutError",
        diagnostic: { kind: "limit", limit: "toolMs", hints: ["Whether it took effect is unknown. Ask for less at once, or try again."] },
      });
      call.close({ reason: error });
      this.settle(call, lane, CallState.FAILED, error);
    }
  }

  /** When the next call will have taken too long. */
  get deadline(): number {
    let first = Infinity;
    for (const { call } of this.running) first = Math.min(first, call!.wakeAt);
    return first;
  }

  /** Calls whose end the program, or the run's own end, still waits for. */
  get open(): number {
    return this.untold.size;
  }

  /** Calls that nothing in the program waits for, as far as is known. */
  *unawaited(): Iterable<Call> {
    for (const call of this.untold) if (!call.promise.d.handled) yield call;
  }

  // Telling the program --------------------------------------------------------------------------------------------------------------

  deliver(call: Call): void {
    const { state, content, leaf, promise } = call;
    call.state = CallState.TOLD;
    call.content = undefined;
    this.untold.delete(call);
    if (state === CallState.FAILED) {
      rejectPromise(promise, this.errorOf(call, content));
      return;
    }
    const { notes } = this.inward;
    let copied: Value;
    try {
      copied = copyIn(content, this.inward);
    } catch (e) {
      if (!(e instanceof Refusal)) throw e;
      notes.take();
      rejectPromise(promise, this.refusedResult(call, e));
      return;
    }
    if (!notes.isEmpty) {
      for (const text of notes.take()) this.owner.warn(diagnostic("invalid-output", `${call.path}: ${text}`, call.location));
    }
    if (typeof copied === "object" && copied !== null && copied.kind === Kind.ORDINARY) {
      if (leaf.shape !== copied.shape) {
        if (leaf.shape === undefined) this.answered.set(leaf.path, leaf);
        leaf.shape = copied.shape;
        leaf.hasThen = lookup(copied.shape, "then") >= 0;
      }
      // What plain objects inherit from has none while the realm is as made.
      if (R.intact && !leaf.hasThen) {
        fulfillPromise(promise, copied);
        return;
      }
    }
    resolvePromise(promise, copied);
  }

  private refusedResult(call: Call, e: Refusal): GuestObject {
    const isRange = e.limit === "stringLength" || e.limit === "arrayLength";
    const made = callError(
      call,
      isRange ? "RangeError" : "InvalidOutputError",
      `${call.path} gave a result that cannot cross: ${e.message} The call itself did run.`,
    );
    (made.d as ErrorData).diagnostic =
      e.limit === undefined ? { kind: "invalid-output" } : { kind: "limit", limit: e.limit, hints: ["Ask the tool for less at once."] };
    return made;
  }

  /** What a tool threw, as an error of the program: name, message and plain data; nothing else of the host's. */
  private errorOf(call: Call, thrown: unknown): GuestObject {
    if (isToolError(thrown)) {
      const { message, name, data } = thrown;
      if (thrown.fatal) throw this.fatalEnd(call, thrown);
      const made = callError(call, String(name), String(message));
      (made.d as ErrorData).diagnostic = { kind: "tool-failed", ...thrown.diagnostic };
      if (data !== undefined) this.addData(made, data);
      return made;
    }
    const { name, message } = readThrown(thrown, call.path);
    const made = callError(call, name, message);
    (made.d as ErrorData).diagnostic = { kind: "tool-failed" };
    return made;
  }

  private addData(error: GuestObject, data: Json): void {
    try {
      addProperty(
        error,
        "data",
        copyIn(data, { root: "data", notes: new Notes(), maxBytes: this.owner.limits.memoryBytes / VALUE_SHARE }),
        HIDDEN,
      );
    } catch (e) {
      if (!(e instanceof Refusal)) throw e;
    }
  }

  private fatalEnd(call: Call, error: ToolError): FatalEnd {
    const { kind = "tool-failed", hints = [], limit, name } = error.diagnostic;
    const made = diagnostic(kind, String(error.message), call.location, hints);
    if (limit !== undefined) made.limit = limit;
    if (name !== undefined) made.name = name;
    else if (kind === "tool-failed") made.name = String(error.name);
    return this.owner.meter.stop(made);
  }

  // The end --------------------------------------------------------------------------------------------------------------------------

  /** The program has its result. What it did not await is still waited for, each call with a warning. */
  tail(): void {
    this.isTail = true;
    for (const call of this.untold) {
      if (this.isOver) break;
      if (call.state !== CallState.ANSWERED && call.state !== CallState.FAILED) continue;
      this.untold.delete(call);
      this.tell(call);
    }
  }

  /** The run waits no longer. */
  giveUp(): void {
    for (const call of this.untold) {
      this.owner.warn(
        diagnostic(
          "uncaught",
          `${call.path} ${left(call)} and had not answered when the run ended: whether it took effect is unknown.`,
          call.location,
          [hintFor(call)],
        ),
      );
    }
  }

  /** Says how a call ended that nobody heard of. */
  private tell(call: Call): void {
    const { content } = call;
    if (call.state === CallState.ANSWERED) {
      this.owner.warn(
        diagnostic(
          "uncaught",
          `${call.path} ${left(call)}, and the program ended before it answered. The run waited for it.`,
          call.location,
          [hintFor(call)],
        ),
      );
      return;
    }
    if (isToolError(content) && content.fatal) return this.owner.end(this.fatalEnd(call, content).diagnostic);
    const { name, message } = isToolError(content) ? content : readThrown(content, call.path);
    this.owner.warn(
      diagnostic(
        "uncaught",
        `${call.path} failed, and nothing awaited ${call.promise.d.handled ? "the function that awaits it" : "it"}: ${name}: ${message}`,
        call.location,
        [hintFor(call)],
      ),
    );
  }

  /** The run is over: what is still open is told to stop, what it gives is ignored. */
  stop(reason: unknown): void {
    this.isOver = true;
    this.queue.clear();
    for (const call of this.untold) call.close({ reason });
    this.untold.clear();
  }
}

/** How the program left a call that it did not wait for: what stands around its await was itself not awaited, or there is none. */
function left(call: Call): string {
  return call.promise.d.handled ? "was awaited in a function that nothing awaits" : "was called without await";
}

function hintFor(call: Call): string {
  return call.promise.d.handled ? CALLBACK_HINT : AWAIT_HINT;
}

const CALLBACK_HINT =
  "Await that function's calls too. forEach, filter and the like do not wait for async callbacks: write for…of, or await Promise.all(list.map(async (item) => …)).";
export const AWAIT_HINT = "Write await before the call, or collect the promises and use await Promise.all(…).";

const promiseThen = Promise.prototype.then;

function isThenable(v: unknown): v is PromiseLike<unknown> {
  if (typeof v !== "object" || v === null || types.isProxy(v)) return false;
  return types.isPromise(v) || typeof dataOf(v, "then") === "function";
}

// Errors ---------------------------------------------------------------------------------------------------------------------------

const MAX_MESSAGE = 16_384;
const NATIVE: { readonly [name: string]: NativeErrorPrototype | undefined } = {
  __proto__: null as never,
  Error: Intrinsic.ErrorPrototype,
  EvalError: Intrinsic.EvalErrorPrototype,
  RangeError: Intrinsic.RangeErrorPrototype,
  ReferenceError: Intrinsic.ReferenceErrorPrototype,
  SyntaxError: Intrinsic.SyntaxErrorPrototype,
  TypeError: Intrinsic.TypeErrorPrototype,
  URIError: Intrinsic.URIErrorPrototype,
};

/** An error that says it was made where the call was made. */
function callError(call: Call, name: string, message: string): GuestObject {
  return errorFrom(call.sites, name, message);
}

function errorFrom(sites: readonly number[], name: string, message: string): GuestObject {
  const proto = NATIVE[name];
  const text = bounded(message, MAX_MESSAGE);
  R.mem -= 300 + 2 * text.length;
  const shape = childShape(rootOf(proto ?? Intrinsic.ErrorPrototype), "message", HIDDEN);
  const error = new GuestObject(shape, Kind.ERROR, new ErrorData(sites), text, undefined, undefined, undefined);
  if (proto === undefined) addProperty(error, "name", bounded(name, 100), HIDDEN);
  return error;
}

function invalidInput(leaf: Leaf, e: Refusal): GuestObject {
  const error = makeError(Intrinsic.ErrorPrototype, bounded(`${leaf.path} was not called, its input is wrong: ${e.message}`, MAX_MESSAGE));
  addProperty(error, "name", "InvalidInputError", HIDDEN);
  const hints = e.hint === undefined ? [] : [e.hint];
  (error.d as ErrorData).diagnostic = e.limit === undefined ? { kind: "invalid-input", hints } : { kind: "limit", limit: e.limit, hints };
  return error;
}

function isToolError(thrown: unknown): thrown is ToolError {
  let holder = thrown;
  while (typeof holder === "object" && holder !== null && !types.isProxy(holder)) {
    if (holder === ToolError.prototype) return true;
    holder = Object.getPrototypeOf(holder);
  }
  return false;
}

/** Name and message of what a tool threw, read without running anything of it. */
function readThrown(thrown: unknown, path: string): { name: string; message: string } {
  if (typeof thrown === "string") return { name: "Error", message: thrown === "" ? `${path} failed without a message` : thrown };
  const read = (key: string): string | undefined => {
    if ((typeof thrown !== "object" || thrown === null) && typeof thrown !== "function") return undefined;
    const v = dataOf(thrown, key);
    return typeof v === "string" && v !== "" ? v : undefined;
  };
  const isFunction = typeof thrown === "function";
  return {
    name: (isFunction ? undefined : read("name")) ?? "Error",
    message: (isFunction ? undefined : read("message")) ?? `${path} failed without a message`,
  };
}
