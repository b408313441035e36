// First in, first out. A ring: taking costs the same however many wait, and a queue that fills and empties allocates nothing.

const CAPACITY = 16;
/** Above it, an empty queue lets go of its room. */
const MAX_KEPT = 4096;

export class Queue<T> {
  length = 0;
  private items = room<T>(CAPACITY);
  private head = 0;

  push(item: T): void {
    if (this.length === this.items.length) this.grow();
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

  private grow(): void {
    const { items, head } = this;
    const larger = room<T>(items.length * 2);
    for (let i = 0; i < items.length; i++) larger[i] = items[(head + i) & (items.length - 1)];
    this.items = larger;
    this.head = 0;
  }
}

function room<T>(size: number): (T | undefined)[] {
  return new Array<T | undefined>(size).fill(undefined);
}
