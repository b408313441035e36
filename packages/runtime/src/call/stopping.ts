// Telling work that it need not go on. An AbortSignal for each call would cost more than most calls do: it is made when it is first asked for.

export class Stopping {
  private stopped: { reason: unknown } | undefined;
  private controller: AbortController | undefined;
  private listeners: Set<(reason: unknown) => void> | undefined;

  get isStopped(): boolean {
    return this.stopped !== undefined;
  }

  throwIfStopped(): void {
    if (this.stopped !== undefined) throw this.stopped.reason;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.stopped !== undefined) this.controller.abort(this.stopped.reason);
    }
    return this.controller.signal;
  }

  /** Calls `listener` with the reason, at once if it is known already. The returned function takes it away. */
  onStop(listener: (reason: unknown) => void): () => void {
    if (this.stopped !== undefined) listener(this.stopped.reason);
    else (this.listeners ??= new Set()).add(listener);
    return () => void this.listeners?.delete(listener);
  }

  /** The first reason stays. */
  stop(reason: unknown): void {
    if (this.stopped !== undefined) return;
    this.stopped = { reason };
    this.controller?.abort(reason);
    this.listeners?.forEach((listener) => listener(reason));
  }

  /** What `work` comes to, or the reason to stop as a rejection if that is first. */
  before<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onStop(reject);
      work.then(resolve, reject);
    });
  }
}
