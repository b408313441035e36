// A stable merge sort from the bottom up. The comparison may run code of the program; the list must belong to the caller.

import { R } from "./run-state.js";

/** Sorts `list` in place; `compare` gets the later element first, as V8's does, and gives a number as `Array.prototype.sort`'s callback does. Charges one step for each comparison. */
export function mergeSort<T>(list: T[], compare: (a: T, b: T) => number): void {
  const n = list.length;
  // Runs of 2 first, then merges of neighbours of doubling width.
  for (let i = 0; i + 1 < n; i += 2) {
    if (--R.fuel < 0) R.run.outOfFuel();
    const a = list[i];
    const b = list[i + 1];
    if (compare(b, a) < 0) {
      list[i] = b;
      list[i + 1] = a;
    }
  }
  if (n <= 2) return;
  const spare = list.slice(0, (n >> 1) + 1);
  for (let width = 2; width < n; width *= 2) {
    for (let start = 0; start + width < n; start += 2 * width)
      merge(list, spare, start, start + width, Math.min(start + 2 * width, n), compare);
  }
}

function merge<T>(list: T[], spare: T[], start: number, middle: number, end: number, compare: (a: T, b: T) => number): void {
  if (--R.fuel < 0) R.run.outOfFuel();
  if (compare(list[middle], list[middle - 1]) >= 0) return; // in order already
  const left = middle - start;
  while (spare.length < left) spare.push(list[0]);
  for (let i = 0; i < left; i++) spare[i] = list[start + i];
  let i = 0;
  let j = middle;
  let to = start;
  while (i < left && j < end) {
    if (--R.fuel < 0) R.run.outOfFuel();
    if (compare(list[j], spare[i]) < 0) list[to++] = list[j++];
    else list[to++] = spare[i++];
  }
  while (i < left) list[to++] = spare[i++];
}
