// What an error says, read without running code of the program.

import { describe } from "./convert.js";
import { type ErrorData } from "./errors.js";
import { Accessor, FIRST_EXOTIC, type GuestObject, Kind, type Key, type Value } from "./values.js";
import { R } from "./run-state.js";
import { ENTRY_SHIFT, load, lookup, protoOf } from "./shape.js";

/** A data property, own or inherited; undefined where an accessor or an exotic object would have to be asked. */
export function peek(o: GuestObject, key: Key): Value {
  for (let p: GuestObject | null = o; p !== null && p.kind < FIRST_EXOTIC; p = protoOf(p.shape)) {
    const entry = lookup(p.shape, key);
    if (entry < 0) continue;
    const slot = load(p, entry >> ENTRY_SHIFT);
    return slot instanceof Accessor ? undefined : slot;
  }
  return undefined;
}

/** `Name: message`. */
export function errorHeader(e: GuestObject): string {
  const name = peek(e, "name");
  const message = peek(e, "message");
  const nameText = name === undefined ? "Error" : primitiveText(name);
  const messageText = message === undefined ? "" : primitiveText(message);
  if (nameText === "") return messageText;
  return messageText === "" ? nameText : `${nameText}: ${messageText}`;
}

function primitiveText(v: Value): string {
  return typeof v === "string" ? v : describe(v);
}

/** The stack trace of an error object: its header and where it was made. Kept from the first read on. */
export function stackText(e: GuestObject): string {
  const data = e.d as ErrorData;
  if (typeof data.stack === "string") return data.stack;
  data.stack = traceText(e, data.sites);
  return data.stack;
}

/** The header of an object that is an error or stands for one, and the places in the program. */
export function traceText(o: GuestObject, sites: readonly number[]): string {
  let text = errorHeader(o);
  for (const site of sites) {
    const where = R.run.siteText(site);
    if (where !== "") text += `\n    at ${where}`;
  }
  R.mem -= 2 * text.length;
  return text;
}

export function isError(v: Value): v is GuestObject {
  return typeof v === "object" && v !== null && v.kind === Kind.ERROR;
}
