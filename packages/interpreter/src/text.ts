// Making texts within the limits: the length is checked and the work is charged before the text is made.

import { throwRangeError } from "./errors.js";
import { R } from "./run-state.js";

/** To be called before a text of `n` UTF-16 units is made. A catchable RangeError over `stringLength`. */
export function prepareText(n: number): void {
  if (n > R.stringLength) throwStringLength();
  if ((R.fuel -= (n >> 4) + 1) < 0) R.run.outOfFuel();
  if ((R.mem -= 32 + 2 * n) < 0) R.run.outOfMemory();
}

export function throwStringLength(): never {
  throwRangeError(`Invalid string length: a string may have at most ${R.stringLength} characters here`);
}

/** Gathers a text piece by piece, within the limits. */
export class TextBuilder {
  private text = "";
  get length(): number {
    return this.text.length;
  }
  add(piece: string): void {
    const n = this.text.length + piece.length;
    if (n > R.stringLength) throwStringLength();
    if ((R.fuel -= (piece.length >> 4) + 1) < 0) R.run.outOfFuel();
    if ((R.mem -= 2 * piece.length + 16) < 0) R.run.outOfMemory();
    this.text += piece;
  }
  done(): string {
    return this.text;
  }
}
