// Formats that a schema may ask for. The checks are ajv-formats'; some of them need time that grows with the square of the text, so long texts pass unchecked.

import { createRequire } from "node:module";
import type { Format } from "ajv";
import { patternFor } from "./pattern.js";

/** UTF-16 units. Longer than any real address, date or id. */
const MAX_CHECKED = 1_024;

const require = createRequire(import.meta.url);
let known: Readonly<Record<string, Format>> | undefined;

/** By name: `date-time`, `uri`, `email`, `uuid`, … Unknown formats are not checked, as JSON Schema wants it. */
export function formats(): Readonly<Record<string, Format>> {
  return (known ??= read());
}

function read(): Readonly<Record<string, Format>> {
  const { fullFormats } = require("ajv-formats/dist/formats.js") as typeof import("ajv-formats/dist/formats.js");
  return Object.fromEntries(
    Object.entries(fullFormats).map(([name, format]) => [name, name === "regex" ? isPattern : bounded(format as Format)]),
  );
}

function isPattern(text: string): boolean {
  return text.length > MAX_CHECKED || patternFor(text) !== undefined;
}

/** Formats of numbers stay as they are. */
function bounded(format: Format): Format {
  const check = typeof format === "object" && !(format instanceof RegExp) ? format.validate : format;
  if (typeof format === "object" && "type" in format && format.type === "number") return format;
  if (check instanceof RegExp) return (text: string) => text.length > MAX_CHECKED || check.test(text);
  if (typeof check === "function") return (text: string) => text.length > MAX_CHECKED || (check as (text: string) => boolean)(text);
  return true;
}
