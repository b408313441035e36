// Intl.Collator (ECMA-402 10), and what String.prototype.localeCompare needs of it.

import { type Value } from "../src/values.js";
import { LOCALE_MATCHER, coerceOptions, flag, hostService, readLocales, readOptions, text } from "./intl-options.js";

const OPTIONS = [
  text("usage", "sort", "search"),
  LOCALE_MATCHER,
  text("collation"),
  flag("numeric"),
  text("caseFirst", "upper", "lower", "false"),
  text("sensitivity", "base", "accent", "case", "variant"),
  flag("ignorePunctuation"),
];

const DEFAULT = new Intl.Collator("en-US");

/** A host collator for what a guest gave as locales and options. */
export function collator(locales: Value, options: Value): Intl.Collator {
  if (locales === undefined && options === undefined) return DEFAULT;
  const list = readLocales(locales);
  return hostService("Collator", list, readOptions(coerceOptions(options), OPTIONS), (l, o) => new Intl.Collator(l, o as Intl.CollatorOptions));
}
