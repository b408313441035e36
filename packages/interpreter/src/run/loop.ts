// The event loop of one run. Settled calls and timers wait in one queue, in order of arrival; one is delivered when the job queue is
// empty, then the job queue drains. So the order of arrival alone decides what the program sees.

import { performance } from "node:perf_hooks";
import { Jobs } from "../promise.js";
import { Queue } from "../queue.js";

/** What a run does for its loop. */
export interface LoopOwner {
  /** Runs `f` with the run's state installed. */
  enter(f: () => void, now: number): number;
  /** No further guest code may run. */
  readonly isDone: boolean;
  /** Nothing is left to do now. */
  idle(): void;
  /** When the run wants to be woken at the latest, by `performance.now()`; Infinity: never. */
  deadline(): number;
  /** The time that `deadline` asked for has come. */
  wake(now: number): void;
  /** Between two stretches of guest code. */
  between(): void;
  /** An exception of the host's own: a fault of ours. */
  broken(e: unknown): void;
  /** What goes up with the work that guest code does. */
  readonly meter: { readonly refills: number };
}

/** Something that happened and is to be told to the program. */
export interface Arrival {
  /** When, by `performance.now()`. */
  at: number;
  /** Called with the run's state installed. */
  deliver(): void;
}

class Timer implements Arrival {
  isCleared = false;
  constructor(
    readonly id: number,
    /** When it is due. */
    public at: number,
    readonly ms: number,
    readonly repeat: boolean,
    readonly fire: (timer: Timer) => void,
  ) {}

  deliver(): void {
    if (!this.isCleared) this.fire(this);
  }
}

/** How long a drain may keep the host's loop waiting. */
const SLICE_MS = 10;
const LOOK_EVERY = 16;
const NOW = Promise.resolve();
const promiseThen = Promise.prototype.then;
const MAX_WAIT = 2 ** 31 - 1;

export class Loop {
  readonly jobs: Jobs;
  private readonly owner: LoopOwner;
  private readonly arrivals = new Queue<Arrival>();
  /** By time, the next one last. */
  private timers: Timer[] = [];
  private readonly active = new Map<number, Timer>();
  private nextId = 1;
  /** The time at which this turn's cause came: timers of one turn are set by it, so that their order is that of their delays. */
  private turn = performance.now();
  private alarm: NodeJS.Timeout | undefined;
  private alarmAt = Infinity;
  /** Fires when the host's loop has had its turn. */
  private pause: NodeJS.Immediate | undefined;
  private sliceEnd = 0;
  private isWaiting = false;
  private isPumping = false;
  /** What has arrived is to be delivered when the host's own reactions to it have run. */
  private isSoon = false;
  private arrivedAt = 0;
  constructor(owner: LoopOwner, pendingPromises: number) {
    this.owner = owner;
    this.jobs = new Jobs(pendingPromises);
  }

  /** Queues what happens now. It is delivered when the run is not busy: at once, or with what else happens in this turn of the host's. */
  arrive(arrival: Arrival, isLast: boolean): void {
    if (!this.isSoon) this.arrivedAt = performance.now();
    arrival.at = this.arrivedAt;
    this.arrivals.push(arrival);
    if (this.isSoon || this.isPumping) return;
    if (isLast) this.pump(this.arrivedAt);
    else {
      this.isSoon = true;
      void promiseThen.call(NOW, this.soon);
    }
  }

  private readonly soon = (): void => {
    this.isSoon = false;
    this.pump();
  };

  /** Runs what there is to run, then waits. */
  pump(now = performance.now()): void {
    if (this.isPumping || this.isWaiting || this.owner.isDone) return;
    if (!this.startSlice(now)) return;
    this.isPumping = true;
    try {
      while (!this.owner.isDone) {
        if (this.jobs.length === 0 && this.arrivals.length === 0) {
          this.owner.idle();
          break;
        }
        now = this.owner.enter(this.stretch, now);
        if (this.owner.isDone) break;
        this.owner.between();
        if (now > this.sliceEnd) {
          this.isWaiting = true;
          break;
        }
      }
    } catch (e) {
      this.owner.broken(e);
    } finally {
      this.isPumping = false;
    }
    if (!this.owner.isDone && !this.isWaiting) this.arm(Infinity);
  }

  /** The first stretch, as `pump` would run it. */
  first(f: () => void): void {
    const now = performance.now();
    this.turn = now;
    this.startSlice(now);
    this.isPumping = true;
    try {
      this.owner.enter(() => {
        f();
        this.drain();
      }, now);
      if (!this.owner.isDone) this.owner.between();
    } catch (e) {
      this.owner.broken(e);
    } finally {
      this.isPumping = false;
    }
    this.pump();
  }

  /** Jobs, then some of what has arrived, each with the jobs that it leads to, as long as that is little work. */
  private readonly stretch = (): void => {
    const { jobs, arrivals } = this;
    const { meter } = this.owner;
    const seen = meter.refills;
    this.drain();
    for (let n = 0; n < LOOK_EVERY && jobs.length === 0 && meter.refills === seen; n++) {
      const next = arrivals.shift();
      if (next === undefined) return;
      this.turn = Math.max(this.turn, next.at);
      next.deliver();
      this.drain();
    }
  };

  /** Jobs until there are none, the time is up, or the run is done. */
  private drain(): void {
    const { jobs, owner } = this;
    const { meter } = owner;
    let seen = meter.refills;
    for (let n = 1; jobs.step(); n++) {
      if (n % LOOK_EVERY !== 0 && meter.refills === seen) continue;
      if (owner.isDone || performance.now() > this.sliceEnd) return;
      seen = meter.refills;
    }
  }

  /** A slice lasts until the host's loop has turned. False: it has lasted SLICE_MS already, the rest waits for that turn. */
  private startSlice(now: number): boolean {
    if (this.pause !== undefined) {
      this.isWaiting = now > this.sliceEnd;
      return !this.isWaiting;
    }
    this.sliceEnd = now + SLICE_MS;
    this.pause = setImmediate(() => {
      this.pause = undefined;
      if (!this.isWaiting) return;
      this.isWaiting = false;
      this.takeDue(performance.now());
      this.pump();
    });
    return true;
  }

  // Timers -------------------------------------------------------------------------------------------------------------------------

  get timerCount(): number {
    return this.active.size;
  }

  /** `onFire` is called before the callback. */
  setTimer(callback: () => void, ms: number, repeat: boolean, onFire?: () => void): number {
    const delay = Math.max(1, ms);
    const timer = new Timer(this.nextId++, this.turn + delay, delay, repeat, (fired) => {
      if (repeat) {
        fired.at += delay;
        this.insert(fired);
      } else this.active.delete(fired.id);
      onFire?.();
      callback();
    });
    this.active.set(timer.id, timer);
    this.insert(timer);
    return timer.id;
  }

  clearTimer(id: number): void {
    const timer = this.active.get(id);
    if (timer === undefined) return;
    timer.isCleared = true;
    this.active.delete(id);
    const at = this.timers.indexOf(timer);
    if (at >= 0) this.timers.splice(at, 1);
  }

  private insert(timer: Timer): void {
    let low = 0;
    let high = this.timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timers[middle].at > timer.at) low = middle + 1;
      else high = middle;
    }
    this.timers.splice(low, 0, timer);
  }

  /** Moves the timers that are due into the queue of arrivals. Only in turns of the host's loop of their own: what settles at once comes first. */
  private takeDue(now: number): void {
    while (this.timers.length > 0 && this.timers[this.timers.length - 1].at <= now) this.arrivals.push(this.timers.pop()!);
  }

  // Waiting ------------------------------------------------------------------------------------------------------------------------

  /** Sets the one timer of the host for what comes first. One that fires too early only looks again. */
  arm(changed = -Infinity): void {
    if (this.owner.isDone) return;
    // The alarm that is set comes early enough for what was known before.
    if (
      this.alarm !== undefined &&
      this.alarmAt <= changed &&
      (this.timers.length === 0 || this.alarmAt <= this.timers[this.timers.length - 1].at)
    )
      return;
    const next = this.timers.length === 0 ? Infinity : this.timers[this.timers.length - 1].at;
    const at = Math.min(next, this.owner.deadline());
    if (this.alarm !== undefined && this.alarmAt <= at) return;
    clearTimeout(this.alarm);
    this.alarm = undefined;
    this.alarmAt = at;
    if (at === Infinity) return;
    this.alarm = setTimeout(() => this.ring(), Math.min(MAX_WAIT, Math.max(0, Math.ceil(at - performance.now()))));
  }

  private ring(): void {
    this.alarm = undefined;
    this.alarmAt = Infinity;
    if (this.owner.isDone) return;
    this.owner.wake(performance.now());
    if (this.owner.isDone) return;
    this.takeDue(performance.now());
    this.pump();
    this.arm();
  }

  /** Drops all guest work; what the run still waits for may go on. */
  drop(): void {
    this.jobs.clear();
    this.arrivals.clear();
    this.timers = [];
    this.active.clear();
  }

  /** The end: nothing of the host's loop is held any more. */
  stop(): void {
    this.drop();
    clearTimeout(this.alarm);
    clearImmediate(this.pause);
    this.alarm = this.pause = undefined;
  }
}
