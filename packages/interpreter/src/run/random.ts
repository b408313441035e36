// The default `Math.random` of a run: the same numbers for the same seed.

/** sfc32 by Chris Doty-Humphrey (PractRand), seeded with any number; its results are in [0, 1) with 53 bits. */
export function seededRandom(seed: number): () => number {
  const bits = new Uint32Array(new Float64Array([seed]).buffer);
  let a = bits[0];
  let b = bits[1];
  let c = 0x9e3779b9;
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  return () => ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 0x20000000000000;
}

/** A seed for a run that was given none. */
export function newSeed(): number {
  return Math.floor(Math.random() * 0x100000000);
}
