// How much a run holds. Guest code counts what it allocates, by estimate, and rather too much: a text that is put together counts as a whole,
// as it may be made flat any time. When that counter is used up, the heap is measured, after a forced
// collection where that matters, and the measurement decides. The heap is shared with the host (unless the run is isolated), so what has come since
// the last measurement counts as the run's only as far as its own allocations can account for it.

import v8 from "node:v8";
import vm from "node:vm";

/** Real bytes that one counted byte may stand for. */
const SLACK = 3;
const MAX_GRANT = 2 ** 29;
/** Allocations that the counter may have noticed late. */
const NOISE = 16_777_216;
/** Bytes in buffers from which they matter. */
const LARGE_BUFFERS = 2_097_152;
/** The part of the host's heap that may be in use. */
const HEAP_SHARE = 0.8;

export class MemoryMeter {
  private readonly limit: number;
  private readonly noise: number;
  private granted = 0;
  private counted = 0;
  /** Counted since the last collection. */
  private fresh = 0;
  /** The heap after the last collection, and what of it is taken to be the run's. */
  private last = 0;
  private own = 0;
  constructor(limit: number) {
    this.limit = limit;
    this.noise = Math.min(NOISE, limit / 4);
    if (limit !== Infinity) this.last = heapBytes();
  }

  /** The next bytes to allocate before a measurement. */
  grant(): number {
    this.granted = Math.floor(Math.min(Math.max(this.limit / 8, 4096), MAX_GRANT));
    return this.granted;
  }

  /** Bytes allocated so far, with `left` of the last grant. */
  allocated(left: number): number {
    return this.counted + this.granted - left;
  }

  /** Measures. The next grant, or -1 if the run holds too much. `left` is below 0 by what has been asked for and is not there. */
  measure(left: number): number {
    const used = this.granted - left;
    this.counted += used;
    this.fresh += used;
    this.granted = 0;
    if (this.limit === Infinity) return this.grant();
    const wanted = Math.max(0, -left - this.noise);
    // What is in use is an upper bound of what is held. Only if that is too much is it worth a collection.
    if (!this.isOver(wanted)) return this.grant();
    collectGarbage();
    // Dead buffers are swept in the background: their bytes are gone for certain once another collection starts.
    if (this.isOver(wanted) && v8.getHeapStatistics().external_memory > LARGE_BUFFERS) collectGarbage();
    const live = heapBytes();
    this.own = Math.max(0, this.own + Math.min(live - this.last, this.fresh * SLACK));
    this.last = live;
    this.fresh = 0;
    return this.isOver(wanted) ? -1 : this.grant();
  }

  /** Whether the host's heap is so full that the run must not go on unmeasured. */
  get isHeapFull(): boolean {
    return this.limit !== Infinity && roomInHeap(heapBytes()) < 0;
  }

  private isOver(wanted: number): boolean {
    const heap = heapBytes();
    const own = this.own + Math.min(heap - this.last, this.fresh * SLACK);
    return own + wanted > Math.min(this.limit, own + roomInHeap(heap));
  }
}

function heapBytes(): number {
  const { used_heap_size: heap, external_memory: external } = v8.getHeapStatistics();
  return heap + external;
}

const heapLimit = v8.getHeapStatistics().heap_size_limit;

/** What may still be added before the host's own heap would be at risk. */
function roomInHeap(live: number): number {
  return HEAP_SHARE * heapLimit - live;
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
