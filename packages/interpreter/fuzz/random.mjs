// Numbers and choices that a seed decides.

export class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }
  /** In [0, 1). */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  /** An integer in [0, n). */
  below(n) {
    return Math.floor(this.next() * n);
  }
  chance(p) {
    return this.next() < p;
  }
  pick(list) {
    return list[this.below(list.length)];
  }
  many(most, make) {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}

/** The generator of one program of a series. */
export function randomFor(seed, index) {
  return new Random(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(index + 1, 0xc2b2ae35));
}
