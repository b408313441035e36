// First in, first out. A ring: taking costs the same however many wait, and a queue that fills and empties allocates nothing.

const CAPACITY = 16;
/** Above it, an empty queue lets go of its room. */
const MAX_KEPT = 4096;

export class Queue<T> {
  length = 0;
  private items = room<T>(CAPACITY);
  private head = 0;

  push(item: T): void {
    if (this.length === this.items.length) {
      this.items = doubled(this.items, this.head);
      this.head = 0;
    }
    this.items[(this.head + this.length++) & (this.items.length - 1)] = item;
  }

  /** The item that has waited longest; undefined if none waits. */
  shift(): T | undefined {
    const { items, head } = this;
    if (this.length === 0) return undefined;
    const item = items[head];
    items[head] = undefined;
    this.head = (head + 1) & (items.length - 1);
    if (--this.length === 0 && items.length > MAX_KEPT) this.clear();
    return item;
  }

  clear(): void {
    this.items = room<T>(CAPACITY);
    this.head = this.length = 0;
  }
}

/** The same for pairs: what waits is no object of its own. */
export class PairQueue<A, B> {
  length = 0;
  private firsts = room<A>(CAPACITY);
  private seconds = room<B>(CAPACITY);
  private head = 0;

  push(first: A, second: B): void {
    if (this.length === this.firsts.length) {
      this.firsts = doubled(this.firsts, this.head);
      this.seconds = doubled(this.seconds, this.head);
      this.head = 0;
    }
    const at = (this.head + this.length++) & (this.firsts.length - 1);
    this.firsts[at] = first;
    this.seconds[at] = second;
  }

  /** The first part of the pair that has waited longest; undefined if none waits. */
  get first(): A | undefined {
    return this.firsts[this.head];
  }

  /** Takes that pair out; its second part. */
  shift(): B | undefined {
    const { firsts, seconds, head } = this;
    if (this.length === 0) return undefined;
    const second = seconds[head];
    firsts[head] = seconds[head] = undefined;
    this.head = (head + 1) & (firsts.length - 1);
    if (--this.length === 0 && firsts.length > MAX_KEPT) this.clear();
    return second;
  }

  clear(): void {
    this.firsts = room<A>(CAPACITY);
    this.seconds = room<B>(CAPACITY);
    this.head = this.length = 0;
  }
}

function doubled<T>(items: readonly (T | undefined)[], head: number): (T | undefined)[] {
  const larger = room<T>(items.length * 2);
  for (let i = 0; i < items.length; i++) larger[i] = items[(head + i) & (items.length - 1)];
  return larger;
}

function room<T>(size: number): (T | undefined)[] {
  return new Array<T | undefined>(size).fill(undefined);
}
