// How much a run holds. Guest code counts what it allocates, by estimate; when that counter is used up, the live heap is measured after a
// forced collection, and the measurement decides. The heap is shared with the host (unless the run is isolated), so what has come since
// the last measurement counts as the run's only as far as its own allocations can account for it.

import v8 from "node:v8";
import vm from "node:vm";

/** Real bytes that one counted byte may stand for. */
const SLACK = 3;
const MAX_GRANT = 2 ** 29;
/** Allocations that the counter may have noticed late. */
const NOISE = 16_777_216;

export class MemoryMeter {
  private readonly limit: number;
  private granted = 0;
  private counted = 0;
  private last = 0;
  /** What the run is taken to hold. */
  private own = 0;
  constructor(limit: number) {
    this.limit = limit;
    if (limit !== Infinity) this.last = heapBytes();
  }

  /** The first bytes to allocate before a measurement. */
  grant(): number {
    return this.give(this.limit / 2);
  }

  /** Bytes allocated so far, with `left` of the last grant. */
  allocated(left: number): number {
    return this.counted + this.granted - left;
  }

  /** Measures. The next grant, or -1 if the run holds too much. `left` is below 0 by what has been asked for and is not there. */
  measure(left: number): number {
    const fresh = this.granted - left;
    this.counted += fresh;
    this.granted = 0;
    if (this.limit === Infinity) return this.give(MAX_GRANT);
    collectGarbage();
    const live = heapBytes();
    this.own = Math.max(0, this.own + Math.min(live - this.last, fresh * SLACK));
    this.last = live;
    const limit = Math.min(this.limit, this.own + roomInHeap(live));
    const wanted = Math.max(0, -left - NOISE);
    if (this.own + wanted > limit) return -1;
    return this.give(Math.max(limit / 16, (limit - this.own) / 2));
  }

  private give(bytes: number): number {
    this.granted = Math.floor(Math.min(Math.max(bytes, 4096), MAX_GRANT));
    return this.granted;
  }
}

function heapBytes(): number {
  const { used_heap_size: heap, external_memory: external } = v8.getHeapStatistics();
  return heap + external;
}

/** What may still be added before the host's own heap would be at risk. */
function roomInHeap(live: number): number {
  return 0.8 * v8.getHeapStatistics().heap_size_limit - live;
}

let collector: (() => void) | null | undefined;

/** A full collection. The collector comes from a context of its own, so that the host's global object stays as it was. */
function collectGarbage(): void {
  if (collector === undefined) {
    try {
      v8.setFlagsFromString("--expose-gc");
      collector = vm.runInNewContext("gc") as () => void;
      v8.setFlagsFromString("--no-expose-gc");
    } catch {
      collector = null;
    }
  }
  collector?.();
}
