// Questions of the same moment are asked together: what waits is held back while other calls of the same run are on their way here.

interface Moment<T> {
  preparing: number;
  /** A look is under way. */
  isLooked: boolean;
  waiting: T[];
  /** Set once a flush is under way. */
  cap?: NodeJS.Timeout;
}

/** Collects items by scope and hands them on as one batch once no call of the scope is being prepared, at the latest after `capMs`. */
export class Moments<T> {
  private readonly scopes = new Map<string, Moment<T>>();

  constructor(
    private readonly deliver: (batch: T[]) => void,
    private readonly capMs = 50,
  ) {}

  /** Says that a call is being prepared that may have a question. The returned function ends that; calling it again does nothing. */
  enter(scope: string): () => void {
    const moment = this.of(scope);
    moment.preparing += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      moment.preparing -= 1;
      if (moment.preparing > 0 || moment.isLooked) return;
      moment.isLooked = true;
      // Calls of one program step arrive in one turn of the event loop: let all of them come in before looking.
      setImmediate(() => this.look(scope, moment));
    };
  }

  add(scope: string, item: T): void {
    const moment = this.of(scope);
    moment.waiting.push(item);
    moment.cap ??= setTimeout(() => this.flush(scope, moment), this.capMs);
  }

  private of(scope: string): Moment<T> {
    let moment = this.scopes.get(scope);
    if (moment === undefined) this.scopes.set(scope, (moment = { preparing: 0, isLooked: false, waiting: [] }));
    return moment;
  }

  private look(scope: string, moment: Moment<T>): void {
    moment.isLooked = false;
    if (moment.preparing === 0) this.flush(scope, moment);
  }

  private flush(scope: string, moment: Moment<T>): void {
    clearTimeout(moment.cap);
    moment.cap = undefined;
    if (moment.preparing === 0 && this.scopes.get(scope) === moment) this.scopes.delete(scope);
    if (moment.waiting.length > 0) this.deliver(moment.waiting.splice(0));
  }
}
