// The limits on what a program itself does: steps, its own time, memory, depth; and the flag that it has to end.
//
// Guest code is given fuel in chunks. When a chunk is used up it comes here: clocks and abort are looked at, and a run that has to end
// ends, by a FatalEnd that no guest code sees. A run that has been told to end once never gets fuel again.

import { performance } from "node:perf_hooks";
import type { Diagnostic, Limits, SourceLocation } from "../api.js";
import { FatalEnd } from "../errors.js";
import { R } from "../run-state.js";
import { MemoryMeter } from "./memory.js";
import { type Located, limitDiagnostic } from "./diagnostics.js";
import type { WallClock } from "./wall-clock.js";

/** Steps between two looks at the clocks. */
const LOOK = 20_000;
/**
 * Steps granted at once. Few, and a prime: so the code of every hot loop and call comes past its empty counter before the host compiles
 * it for good, and the host need not undo that later.
 */
const CHUNK = 509;

export class Meter {
  private readonly limits: Limits;
  private readonly wall: WallClock;
  private readonly locate: Located;
  private readonly memory: MemoryMeter;
  private used = 0;
  private granted = 0;
  private lookAt = LOOK;
  private computed = 0;
  private since = 0;
  private end: FatalEnd | null = null;
  /** How often the clocks were looked at since fuel was used up: work worth looking at them for. */
  refills = 0;
  private readonly busyAt: () => SourceLocation | undefined;
  /** `busyAt` says where work is going on that has taken too long. */
  constructor(limits: Limits, wall: WallClock, locate: Located, busyAt: () => SourceLocation | undefined) {
    this.limits = limits;
    this.wall = wall;
    this.locate = locate;
    this.busyAt = busyAt;
    this.memory = new MemoryMeter(limits.memoryBytes);
  }

  /** Gives the first fuel and memory; the run's state is installed. */
  start(): void {
    this.grant();
    R.mem = this.memory.grant();
  }

  // Time that the program uses: only while guest code runs, without what the host's functions that it calls take.

  enter(now: number): void {
    this.since = now;
  }

  /** The time. */
  leave(): number {
    const now = performance.now();
    this.computed += now - this.since;
    return now;
  }

  /** Calls a function of the host from inside guest code. The time after it. */
  outside(f: () => void): number {
    const from = performance.now();
    let now = from;
    try {
      f();
    } finally {
      now = performance.now();
      this.since += now - from;
    }
    return now;
  }

  // What guest code calls ----------------------------------------------------------------------------------------------------------

  outOfFuel(): void {
    this.used += this.granted - R.fuel;
    this.granted = R.fuel = 0;
    if (this.end !== null) throw this.end;
    if (this.used > this.limits.steps) this.exceeded("steps");
    if (this.used >= this.lookAt) this.look();
    if (R.mem < 0) this.outOfMemory();
    this.grant();
  }

  private look(): void {
    this.refills++;
    this.lookAt = this.used + LOOK;
    this.checkClocks();
    if (this.memory.isHeapFull) this.outOfMemory();
  }

  private checkClocks(): void {
    const now = performance.now();
    if (this.computed + now - this.since > this.limits.computeMs) this.exceeded("computeMs");
    if (this.wall.elapsed(now) > this.limits.wallMs) this.exceeded("wallMs");
  }

  outOfMemory(): void {
    if (this.end !== null) throw this.end;
    // Copying memory takes time that no step counts.
    this.checkClocks();
    const next = this.memory.measure(R.mem);
    if (next < 0) this.exceeded("memoryBytes");
    R.mem = next;
  }

  tooDeep(): never {
    throw this.stop(limitDiagnostic("callDepth", this.limits, { depth: R.depth, location: this.locate(R.site) }));
  }

  private grant(): void {
    R.fuel = this.granted = Math.max(0, Math.min(CHUNK, this.limits.steps - this.used));
  }

  // Ends ---------------------------------------------------------------------------------------------------------------------------

  /** Ends the run by a limit, from inside guest code. */
  exceeded(limit: keyof Limits): never {
    const location = limit === "steps" || limit === "computeMs" ? this.busyAt() : this.locate(R.site);
    throw this.stop(limitDiagnostic(limit, this.limits, { location }));
  }

  /** Makes the run end at its next step. The first reason stays. */
  stop(diagnostic: Diagnostic): FatalEnd {
    this.end ??= new FatalEnd(diagnostic);
    return this.end;
  }

  get stopped(): Diagnostic | null {
    return this.end === null ? null : this.end.diagnostic;
  }

  // Figures, of a run whose state is `fuel` and `mem` ---------------------------------------------------------------------------------

  /** Work that would have gone over the limit was charged, and not done. */
  steps(fuel: number): number {
    return Math.min(this.used + this.granted - fuel, this.limits.steps);
  }

  get computeMs(): number {
    return this.computed;
  }

  allocatedBytes(mem: number): number {
    return this.memory.allocated(mem);
  }
}
