// The sum of doubles as if it were made without rounding, then rounded once. Shewchuk's growing expansions, with the sum's overflow
// counted apart in units of 2^1024 (as in Python's fsum and in the proposal's text).

const MAX = Number.MAX_VALUE;
const TWO_1023 = 2 ** 1023;
const MAX_ULP = 2 ** 971;

/** Math.sumPrecise of a list of numbers; -0 for none. */
export function exactSum(numbers: readonly number[]): number {
  let infinity = 0;
  let onlyMinusZero = true;
  let nan = false;
  for (const n of numbers) {
    if (!Object.is(n, -0)) onlyMinusZero = false;
    if (n !== n) nan = true;
    else if (n === Infinity || n === -Infinity) {
      if (infinity !== 0 && infinity !== n) nan = true;
      infinity = n;
    }
  }
  if (nan) return NaN;
  if (infinity !== 0) return infinity;
  if (onlyMinusZero) return -0;
  return finiteSum(numbers);
}

function finiteSum(numbers: readonly number[]): number {
  const partials: number[] = []; // ascending in size, not overlapping
  let overflow = 0; // in units of 2^1024
  for (let x of numbers) {
    let used = 0;
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      let high = x + y;
      let low: number;
      if (Math.abs(high) === Infinity) {
        const sign = high > 0 ? 1 : -1;
        overflow += sign;
        x = x - sign * TWO_1023 - sign * TWO_1023;
        if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
        high = x + y;
      }
      low = y - (high - x);
      if (low !== 0) partials[used++] = low;
      x = high;
    }
    partials.length = used;
    if (x !== 0) partials.push(x);
  }
  let n = partials.length - 1;
  let high = 0;
  let low = 0;
  if (overflow !== 0) {
    const next = n >= 0 ? partials[n] : 0;
    n--;
    if (Math.abs(overflow) > 1 || (overflow > 0 && next > 0) || (overflow < 0 && next < 0)) return overflow > 0 ? Infinity : -Infinity;
    // One unit of 2^1024 and a number of the other sign: halves keep both in range.
    high = overflow * TWO_1023 + next / 2;
    low = next / 2 - (high - overflow * TWO_1023);
    low *= 2;
    if (Math.abs(2 * high) === Infinity) {
      // Exactly between the largest number and 2^1024: what is left decides.
      if (high > 0) return 2 * (high - TWO_1023) === 0 && low === -(MAX_ULP / 2) && n >= 0 && partials[n] < 0 ? MAX : Infinity;
      return 2 * (high + TWO_1023) === 0 && low === MAX_ULP / 2 && n >= 0 && partials[n] > 0 ? -MAX : -Infinity;
    }
    if (low !== 0) {
      partials[n + 1] = low;
      n++;
      low = 0;
    }
    high *= 2;
  } else if (n >= 0) {
    high = partials[n--];
  }
  while (n >= 0) {
    const x = high;
    const y = partials[n--];
    high = x + y;
    low = y - (high - x);
    if (low !== 0) break;
  }
  // A tie that the next partial breaks.
  if (n >= 0 && ((low < 0 && partials[n] < 0) || (low > 0 && partials[n] > 0))) {
    const y = low * 2;
    const x = high + y;
    if (y === x - high) high = x;
  }
  return high;
}
