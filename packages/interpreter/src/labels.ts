// Texts like "row7": programs make them of the same few texts and small numbers again and again, for keys and names. For each small number
// the last one is given again. One text for all of them saves memory, and maps find it faster.

import { R } from "./run-state.js";

/** Numbers from 0 to here. */
const NUMBERS = 64;
/** Longer texts are seldom labels, and of a larger text the host may keep the whole for the sake of 13 characters. */
const MAX_LENGTH = 12;

/** What a realm's program has made. */
export class Labels {
  readonly texts: string[] = [];
  readonly made: string[] = [];
  constructor() {
    for (let n = 0; n < NUMBERS; n++) {
      this.texts.push("");
      this.made.push("");
    }
  }
}

/** `text + n`, made before or by `make`. */
export function numbered(text: string, n: number, make: (a: string, b: string) => string): string {
  if (n >>> 0 !== n || n >= NUMBERS || text.length > MAX_LENGTH || text.length === 0) return make(text, `${n}`);
  const labels = (R.realm.labels ??= new Labels());
  if (labels.texts[n] !== text) {
    labels.made[n] = make(text, `${n}`);
    labels.texts[n] = text;
  }
  return labels.made[n];
}
