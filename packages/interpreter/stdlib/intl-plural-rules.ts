// Intl.PluralRules (ECMA-402 16).

import { toNumber } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { method } from "../src/realm.js";
import { charge } from "../src/run-state.js";
import { readDigitOptions } from "./intl-number-format.js";
import { type HostOptions, LOCALE_MATCHER, coerceOptions, host, hostService, readLocales, readOptions, text } from "./intl-options.js";
import { defineService } from "./intl-service.js";

/** What ECMA-402 has and the host's types lack. */
interface RangeRules {
  selectRange(start: number, end: number): string;
}

defineService<Intl.PluralRules>({
  name: "PluralRules",
  id: Intrinsic.IntlPluralRules,
  prototype: Intrinsic.IntlPluralRulesPrototype,
  callable: false,
  make(locales, v) {
    const list = readLocales(locales);
    const options: HostOptions = {};
    const o = coerceOptions(v);
    if (o !== undefined) {
      readOptions(o, [LOCALE_MATCHER, text("type", "cardinal", "ordinal")], options);
      readDigitOptions(o, options);
    }
    return hostService("PluralRules", list, options, (l, all) => new Intl.PluralRules(l, all as Intl.PluralRulesOptions));
  },
  supported: (list) => Intl.PluralRules.supportedLocalesOf(list),
  resolved: (f) => f.resolvedOptions(),
  props: (self) => [
    method("select", 1, (t, v) => {
      const f = self(t, "select").host;
      charge(4);
      return f.select(toNumber(v));
    }),
    method("selectRange", 2, (t, a, b) => {
      const f = self(t, "selectRange").host;
      if (a === undefined || b === undefined) throwTypeError("start and end must be given");
      const start = toNumber(a);
      const end = toNumber(b);
      charge(8);
      return host(() => (f as unknown as RangeRules).selectRange(start, end));
    }),
  ],
});
