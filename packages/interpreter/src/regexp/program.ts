import { contains, type CharSet } from "./charset.js";
import type { Scan } from "./scan.js";

/** A compiled pattern, as the matcher runs it: `code` in the words of `Op` (ops.ts), and what its operands number. */
export interface Program {
  readonly code: Int32Array;
  /** 256 bytes for each set: whether a code unit below 256 is in it. */
  readonly tables: Uint8Array;
  /** For each set, what is in it from 256 on. */
  readonly highs: readonly HighSet[];
  /** For each set, as a filter of what comes next: whether the end of the input passes. */
  readonly atEnd: Uint8Array;
  readonly strings: readonly StringTable[];
  /** Captures, then the registers of loops and lookarounds. Scratch space of the running match. */
  readonly registers: Int32Array;
  readonly captureCount: number;
  readonly unicode: boolean;
  readonly scan: CompiledScan;
  /** No match is shorter, in code units. */
  readonly min: number;
}

export interface CompiledScan {
  readonly kind: Scan["kind"];
  /** A step is charged for each 2 ** costShift units that are passed over. */
  readonly costShift: number;
  readonly prefix: string;
  /** What a match can start with, for the kinds "first" and "skip". */
  readonly set: number;
  /** For the kind "skip". */
  readonly offset: number;
  readonly shifts: Uint8Array;
  readonly highShift: number;
}

/** The part of a set from U+0100 on. */
export class HighSet {
  readonly all: boolean;
  private bits: Uint8Array | null = null;

  /** `max` is the greatest character that will be asked for. */
  constructor(
    private readonly set: CharSet,
    max: number,
  ) {
    const last = set.length - 2;
    this.all = last >= 0 && set[last] <= 256 && set[last + 1] >= max;
  }

  has(point: number): boolean {
    if (this.all) return true;
    if (point > 0xffff || this.set.length <= 8) return contains(this.set, point);
    const bits = (this.bits ??= bitmap(this.set));
    return (bits[point >> 3] & (1 << (point & 7))) !== 0;
  }
}

/** One bit for each code unit. */
function bitmap(set: CharSet): Uint8Array {
  const bits = new Uint8Array(8192);
  for (let i = 0; i < set.length && set[i] <= 0xffff; i += 2) {
    const to = Math.min(set[i + 1], 0xffff);
    for (let point = set[i]; point <= to; point++) {
      if ((point & 7) === 0 && point + 7 <= to) {
        bits[point >> 3] = 255;
        point += 7;
      } else bits[point >> 3] |= 1 << (point & 7);
    }
  }
  return bits;
}

/** Strings by their length in code units, longest first. */
export interface StringTable {
  readonly lengths: readonly number[];
  readonly members: ReadonlySet<string>;
  readonly ignoreCase: boolean;
}
