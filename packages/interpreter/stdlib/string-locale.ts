// The methods of String that depend on a locale (ECMA-402 20.1), over the host's Intl on primitives.

import { toStr } from "../src/convert.js";
import { Intrinsic } from "../src/intrinsics.js";
import { extend, method } from "../src/realm.js";
import { R, chargeText } from "../src/run-state.js";
import { prepareText, thisText, throwStringLength } from "../src/text.js";
import { type Value } from "../src/values.js";
import { collator } from "./intl-collator.js";
import { DEFAULT_LOCALE, readLocales } from "./intl-options.js";

function localeCase(t: Value, name: string, locales: Value, change: (s: string, locale: string) => string): string {
  const s = thisText(t, name);
  const list = readLocales(locales);
  prepareText(s.length);
  const out = change(s, list.length === 0 ? DEFAULT_LOCALE : list[0]);
  if (out.length > R.stringLength) throwStringLength();
  return out;
}

extend(Intrinsic.StringPrototype, [
  method("localeCompare", 1, compare),
  method("toLocaleLowerCase", 0, (t, locales) => localeCase(t, "toLocaleLowerCase", locales, (s, l) => s.toLocaleLowerCase(l))),
  method("toLocaleUpperCase", 0, (t, locales) => localeCase(t, "toLocaleUpperCase", locales, (s, l) => s.toLocaleUpperCase(l))),
]);

function compare(t: Value, that: Value, locales: Value, options: Value): number {
  const s = thisText(t, "localeCompare");
  const other = toStr(that);
  const c = collator(locales, options);
  chargeText(s.length + other.length);
  return c.compare(s, other);
}
