// Intl.Collator (ECMA-402 10), and what String.prototype.localeCompare needs of it.

import { toStr } from "../src/convert.js";
import { Intrinsic } from "../src/intrinsics.js";
import { chargeText } from "../src/run-state.js";
import { type Value } from "../src/values.js";
import { boundGetter, defineService } from "./intl-service.js";
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

let usual: Intl.Collator | undefined;

/** A host collator for what a guest gave as locales and options. */
export function collator(locales: Value, options: Value): Intl.Collator {
  if (locales === undefined && options === undefined) return (usual ??= new Intl.Collator("en-US"));
  const list = readLocales(locales);
  return hostService(
    "Collator",
    list,
    readOptions(coerceOptions(options), OPTIONS),
    (l, o) => new Intl.Collator(l, o as Intl.CollatorOptions),
  );
}

defineService<Intl.Collator>({
  name: "Collator",
  id: Intrinsic.IntlCollator,
  prototype: Intrinsic.IntlCollatorPrototype,
  callable: true,
  make: collator,
  supported: (list) => Intl.Collator.supportedLocalesOf(list),
  resolved: (c) => c.resolvedOptions(),
  props: (self) => [
    boundGetter("compare", 2, self, ({ host: c }, a, b) => {
      const x = toStr(a);
      const y = toStr(b);
      chargeText(x.length + y.length);
      return c.compare(x, y);
    }),
  ],
});
