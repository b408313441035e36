// How long a run has lasted, without the time that people took.

export class WallClock {
  private readonly start = performance.now();
  private pausedMs = 0;
  private pausedSince = 0;
  private pauses = 0;

  elapsed(now: number): number {
    return (this.pauses > 0 ? this.pausedSince : now) - this.start - this.pausedMs;
  }

  /** When `ms` will have elapsed, if nothing pauses; Infinity while paused. */
  deadline(ms: number): number {
    return this.pauses > 0 ? Infinity : this.start + this.pausedMs + ms;
  }

  /** Pauses may overlap; each must be resumed once. */
  pause(): void {
    if (this.pauses++ === 0) this.pausedSince = performance.now();
  }

  resume(): void {
    if (--this.pauses === 0) this.pausedMs += performance.now() - this.pausedSince;
  }
}
