// A tool's text that was parsed because it is one JSON object or array. The value remembers its text until it is first written to.

import { type GuestObject } from "./values.js";

const texts = new WeakMap<GuestObject, string>();
let any = false;

export function rememberText(o: GuestObject, text: string): void {
  texts.set(o, text);
  any = true;
}

export function forgetText(o: GuestObject): void {
  if (any) texts.delete(o);
}

/** The text that `o` was parsed from, unless it has been written to since. */
export function parsedTextOf(o: GuestObject): string | undefined {
  return any ? texts.get(o) : undefined;
}
