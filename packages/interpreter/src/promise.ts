// Promises and the job queue (ECMAScript 27.2, 9.5). Programs see promise objects of Kind.PROMISE, whose `d` is a PromiseData.

import { call1, call2, construct } from "./call.js";
import { GuestThrow, makeError, throwTypeError } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { get, isCallable, isConstructor } from "./object.js";
import { PairQueue } from "./queue.js";
import { closureCode, intrinsic, nativeClosure } from "./realm.js";
import { R } from "./run-state.js";
import { lookup, rootOf } from "./shape.js";
import { toolNodeOf } from "./tool-node.js";
import { type FunctionObject, GuestObject, Kind, type Value } from "./values.js";

export const enum PromiseState {
  PENDING,
  FULFILLED,
  REJECTED,
}

/** A job: what runs when it is its turn, with the value that it was queued with. */
export interface Job {
  onFulfilled(value: Value): void;
}

/** What happens when a promise settles: a host continuation; it runs as a job of its own. */
export interface Reaction extends Job {
  onRejected(reason: Value): void;
}

export class PromiseData {
  state: PromiseState = PromiseState.PENDING;
  value: Value = undefined;
  /** What waits for it. Most promises have one waiter. */
  reactions: Reaction | Reaction[] | null = null;
  handled = false;
  /**
   * What settles it, for diagnostics: the host's call; the activation of an async function while it runs or waits; the site at which that
   * function threw.
   */
  origin: unknown = null;
  constructor() {
    if (++J.pending > J.maxPending) R.run.tooManyPromises?.();
  }
}

export interface PromiseObject extends GuestObject {
  kind: Kind.PROMISE;
  d: PromiseData;
}

export interface PromiseCapability {
  promise: GuestObject;
  resolve: Value;
  reject: Value;
}

const PROMISE_ROOT = rootOf(Intrinsic.PromisePrototype);

/** True for a promise as made in an intact realm: its `then` and `constructor` are the builtin ones. */
export function isPristinePromise(p: PromiseObject): boolean {
  return p.shape === PROMISE_ROOT && R.intact;
}

export function isPromise(v: Value): v is PromiseObject {
  return typeof v === "object" && v !== null && v.kind === Kind.PROMISE;
}

/** The queue and the books of promises of one run; installed as R.jobs by run.ts. */
export class Jobs extends PairQueue<Job, Value> {
  /** Rejected promises that nobody handles yet, in order. */
  readonly unhandled = new Set<PromiseObject>();
  pending = 0;
  readonly maxPending: number;
  constructor(maxPending = Infinity) {
    super();
    this.maxPending = maxPending;
  }

  /** Runs one job. False: there is none. */
  step(): boolean {
    const job = this.first;
    if (job === undefined) return false;
    if (--R.fuel < 0) R.run.outOfFuel();
    job.onFulfilled(this.shift());
    return true;
  }
}

let J = new Jobs();
/** The current run's jobs. */
export function currentJobs(): Jobs {
  return J;
}
export function installJobs(jobs: Jobs): Jobs {
  const before = J;
  J = jobs;
  return before;
}

/** A pending promise of the intrinsic %Promise%. */
export function newPromise(): PromiseObject {
  if ((R.mem -= 288) < 0) R.run.outOfMemory();
  return new GuestObject(PROMISE_ROOT, Kind.PROMISE, new PromiseData(), undefined, undefined, undefined, undefined) as PromiseObject;
}

export function fulfillPromise(p: PromiseObject, value: Value): void {
  settle(p, PromiseState.FULFILLED, value);
}

export function rejectPromise(p: PromiseObject, reason: Value): void {
  if (!p.d.handled) J.unhandled.add(p);
  settle(p, PromiseState.REJECTED, reason);
}

function settle(p: PromiseObject, state: PromiseState, value: Value): void {
  const d = p.d;
  const reactions = d.reactions;
  J.pending--;
  d.state = state;
  d.value = value;
  d.reactions = null;
  if (reactions === null) return;
  if (!Array.isArray(reactions)) queueReaction(reactions, state, value);
  else for (const r of reactions) queueReaction(r, state, value);
}

function queueReaction(r: Reaction, state: PromiseState, value: Value): void {
  R.mem -= 64;
  J.push(state === PromiseState.FULFILLED ? r : new RejectedJob(r), value);
}

class RejectedJob implements Job {
  private readonly reaction: Reaction;
  constructor(reaction: Reaction) {
    this.reaction = reaction;
  }
  onFulfilled(reason: Value): void {
    this.reaction.onRejected(reason);
  }
}

/** PerformPromiseThen with host continuations. */
export function react(p: PromiseObject, r: Reaction): void {
  const d = p.d;
  R.mem -= 64;
  if (d.state === PromiseState.PENDING) {
    const { reactions } = d;
    if (reactions === null) d.reactions = r;
    else if (Array.isArray(reactions)) reactions.push(r);
    else d.reactions = [reactions, r];
  } else {
    if (d.state === PromiseState.REJECTED && !d.handled) J.unhandled.delete(p);
    queueReaction(r, d.state, d.value);
  }
  d.handled = true;
}

/** The resolve function's work: fulfils with a plain value, follows a thenable. Must be called at most once for a promise. */
export function resolvePromise(p: PromiseObject, resolution: Value): void {
  if (resolution === (p as Value)) {
    rejectPromise(p, makeError(Intrinsic.TypeErrorPrototype, "Chaining cycle detected for promise"));
    return;
  }
  if (typeof resolution !== "object" || resolution === null || toolNodeOf(resolution) !== undefined) {
    fulfillPromise(p, resolution);
    return;
  }
  if (isPromise(resolution) && isPristinePromise(resolution)) {
    follow(p, resolution);
    return;
  }
  if (hasNoThen(resolution)) {
    fulfillPromise(p, resolution);
    return;
  }
  let then: Value;
  try {
    then = get(resolution, "then");
  } catch (e) {
    if (!(e instanceof GuestThrow)) throw e;
    rejectPromise(p, e.value);
    return;
  }
  if (!isCallable(then)) {
    fulfillPromise(p, resolution);
    return;
  }
  callThen(p, resolution, then);
}

/** True if that is known without asking the object: what plain ones inherit from has none while the realm is as made. */
function hasNoThen(o: GuestObject): boolean {
  return o.kind === Kind.ORDINARY && o.shape.protoId === Intrinsic.ObjectPrototype && R.intact && lookup(o.shape, "then") < 0;
}

/** A job that calls `then` of a builtin promise; nobody sees the functions it would be given. */
function follow(p: PromiseObject, resolution: PromiseObject): void {
  R.mem -= 64;
  J.push(new FollowJob(p, get(resolution, "then") as GuestObject), resolution); // the builtin one, as the promise is pristine
}

class Follow implements Reaction {
  private readonly promise: PromiseObject;
  constructor(promise: PromiseObject) {
    this.promise = promise;
  }
  onFulfilled(value: Value): void {
    resolvePromise(this.promise, value);
  }
  onRejected(reason: Value): void {
    rejectPromise(this.promise, reason);
  }
}

/** NewPromiseResolveThenableJob. */
function callThen(p: PromiseObject, thenable: GuestObject, then: GuestObject): void {
  R.mem -= 64;
  J.push(new ThenableJob(p, then), thenable);
}

class ThenableJob implements Job {
  protected readonly promise: PromiseObject;
  private readonly then: GuestObject;
  constructor(promise: PromiseObject, then: GuestObject) {
    this.promise = promise;
    this.then = then;
  }
  onFulfilled(thenable: GuestObject): void {
    const [resolve, reject] = resolvingFunctions(this.promise);
    try {
      call2(this.then, thenable, resolve, reject);
    } catch (e) {
      if (!(e instanceof GuestThrow)) throw e;
      call1(reject, undefined, e.value);
    }
  }
}

class FollowJob extends ThenableJob {
  override onFulfilled(resolution: PromiseObject): void {
    if (isPristinePromise(resolution)) react(resolution, new Follow(this.promise));
    else super.onFulfilled(resolution);
  }
}

class Resolving {
  promise: PromiseObject | null;
  constructor(promise: PromiseObject) {
    this.promise = promise;
  }
}

const RESOLVE = closureCode("", 1, (fn, v) => {
  const r = fn.d.data as Resolving;
  const p = r.promise;
  if (p === null) return undefined;
  r.promise = null;
  resolvePromise(p, v);
  return undefined;
});
const REJECT = closureCode("", 1, (fn, v) => {
  const r = fn.d.data as Resolving;
  const p = r.promise;
  if (p === null) return undefined;
  r.promise = null;
  rejectPromise(p, v);
  return undefined;
});

/** CreateResolvingFunctions. */
export function resolvingFunctions(p: PromiseObject): [FunctionObject, FunctionObject] {
  const shared = new Resolving(p);
  return [nativeClosure(RESOLVE, shared), nativeClosure(REJECT, shared)];
}

class CapabilityParts {
  resolve: Value = undefined;
  reject: Value = undefined;
}

const EXECUTOR = closureCode("", 2, (fn, resolve, reject) => {
  const parts = fn.d.data as CapabilityParts;
  if (parts.resolve !== undefined || parts.reject !== undefined)
    throwTypeError("Promise executor has already been invoked with non-undefined arguments");
  parts.resolve = resolve;
  parts.reject = reject;
  return undefined;
});

/** NewPromiseCapability. */
export function newCapability(c: Value): PromiseCapability {
  if (c === R.intrinsics[Intrinsic.Promise] && c !== undefined) {
    const promise = newPromise();
    const [resolve, reject] = resolvingFunctions(promise);
    return { promise, resolve, reject };
  }
  if (!isConstructor(c)) throwTypeError("Promise resolve or reject function is not callable");
  const parts = new CapabilityParts();
  const promise = construct(c, [nativeClosure(EXECUTOR, parts)]);
  if (!isCallable(parts.resolve) || !isCallable(parts.reject)) throwTypeError("Promise resolve or reject function is not callable");
  return { promise, resolve: parts.resolve, reject: parts.reject };
}

/** PromiseResolve(C, v). */
export function promiseResolve(c: Value, v: Value): GuestObject {
  if (isPromise(v) && get(v, "constructor") === c) return v;
  const capability = newCapability(c);
  call1(capability.resolve, undefined, v);
  return capability.promise;
}

/** PromiseResolve(%Promise%, v), as `await` does it. */
export function toPromise(v: Value): PromiseObject {
  if (isPromise(v) && (isPristinePromise(v) || get(v, "constructor") === intrinsic(Intrinsic.Promise))) return v;
  const p = newPromise();
  resolvePromise(p, v);
  return p;
}

/** Await: runs `r` as a job when `v` is settled. Throws what reading `v` throws. */
export function awaitValue(v: Value, r: Reaction): void {
  if (typeof v === "object" && v !== null && (v.kind === Kind.PROMISE || !hasNoThen(v))) {
    react(toPromise(v), r);
    return;
  }
  // Nobody sees the promise that it would be.
  R.mem -= 64;
  J.push(r, v);
}
