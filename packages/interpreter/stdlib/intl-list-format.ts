// Intl.ListFormat (ECMA-402 13).

import { describe } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { forOf } from "../src/iterate.js";
import { method } from "../src/realm.js";
import { R, chargeText } from "../src/run-state.js";
import { prepareText } from "../src/text.js";
import { type Value } from "../src/values.js";
import { LOCALE_MATCHER, hostService, optionsObject, readLocales, readOptions, text } from "./intl-options.js";
import { defineService, guestOf } from "./intl-service.js";

const OPTIONS = [LOCALE_MATCHER, text("type", "conjunction", "disjunction", "unit"), text("style", "long", "short", "narrow")];

/** StringListFromIterable. */
function textsOf(v: Value): string[] {
  const out: string[] = [];
  if (v === undefined) return out;
  let total = 0;
  forOf(v, (item) => {
    if (typeof item !== "string") throwTypeError(`Iterable yielded ${describe(item)} which is not a string`);
    chargeText(item.length);
    total += item.length + 8;
    R.mem -= 16;
    out.push(item);
  });
  prepareText(total);
  return out;
}

defineService<Intl.ListFormat>({
  name: "ListFormat",
  id: Intrinsic.IntlListFormat,
  prototype: Intrinsic.IntlListFormatPrototype,
  callable: false,
  make(locales, options) {
    const list = readLocales(locales);
    return hostService(
      "ListFormat",
      list,
      readOptions(optionsObject(options), OPTIONS),
      (l, o) => new Intl.ListFormat(l, o as Intl.ListFormatOptions),
    );
  },
  supported: (list) => Intl.ListFormat.supportedLocalesOf(list),
  resolved: (f) => (f as unknown as { resolvedOptions(): object }).resolvedOptions(), // the host's types lack it
  props: (self) => [
    method("format", 1, (t, list) => {
      const f = self(t, "format").host;
      return f.format(textsOf(list));
    }),
    method("formatToParts", 1, (t, list) => {
      const f = self(t, "formatToParts").host;
      return guestOf(f.formatToParts(textsOf(list)));
    }),
  ],
});
