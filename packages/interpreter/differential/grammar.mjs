// Texts from grammars: each production is an arbitrary of a text, so that fast-check shrinks programs by their parts.

import fc from "fast-check";

const arbitrary = (part) => (typeof part === "string" || typeof part === "number" ? fc.constant(String(part)) : part);

/** A template of productions. */
export function t(strings, ...parts) {
  return fc.tuple(...parts.map(arbitrary)).map((texts) =>
    strings.raw
      .reduce((out, s, i) => out + texts[i - 1] + s)
      .replaceAll("\\`", "`")
      .replaceAll("\\$", "$"),
  );
}

/** One of the words of a template that are separated by white space. */
export function words(strings) {
  return fc.constantFrom(...strings.raw[0].trim().split(/\s+/));
}

/** One of these productions; `[weight, production]` for other weights than 1. The first is what others shrink to. */
export function one(...parts) {
  return fc.oneof(
    { withCrossShrink: true },
    ...parts.map((part) =>
      Array.isArray(part) ? { weight: part[0], arbitrary: arbitrary(part[1]) } : { weight: 1, arbitrary: arbitrary(part) },
    ),
  );
}

export function many(part, separator = ", ", minLength = 0, maxLength = 4) {
  return fc.array(arbitrary(part), { minLength, maxLength }).map((texts) => texts.join(separator));
}

export function maybe(part) {
  return one("", part);
}

/** A production that is made once for its arguments, and only when asked for. */
export function rule(make) {
  const made = new Map();
  return (...args) => {
    const key = JSON.stringify(args);
    if (!made.has(key)) made.set(key, make(...args));
    return made.get(key);
  };
}
