// Intl (ECMA-402 8): the services that are there, over the host's data, for the locales that a program names.

import { throwRangeError } from "../src/errors.js";
import { toStr } from "../src/convert.js";
import { Intrinsic } from "../src/intrinsics.js";
import { define, defineGlobal, method, ref, value } from "../src/realm.js";
import { Flag } from "../src/shape.js";
import { SYM } from "../src/values.js";
import { host, readLocales } from "./intl-options.js";
import { guestOf } from "./intl-service.js";

const KEYS = ["calendar", "collation", "currency", "numberingSystem", "timeZone", "unit"] as const;

define(Intrinsic.Intl, {
  props: [
    ref("Collator", Intrinsic.IntlCollator),
    ref("DateTimeFormat", Intrinsic.IntlDateTimeFormat),
    ref("ListFormat", Intrinsic.IntlListFormat),
    ref("NumberFormat", Intrinsic.IntlNumberFormat),
    ref("PluralRules", Intrinsic.IntlPluralRules),
    ref("RelativeTimeFormat", Intrinsic.IntlRelativeTimeFormat),
    ref("Segmenter", Intrinsic.IntlSegmenter),
    method("getCanonicalLocales", 1, (_t, locales) => guestOf(readLocales(locales))),
    method("supportedValuesOf", 1, (_t, v) => {
      const key = toStr(v);
      const known = KEYS.find((k) => k === key);
      if (known === undefined) throwRangeError(`Invalid key : ${key.slice(0, 100)}`);
      return guestOf(host(() => Intl.supportedValuesOf(known)));
    }),
    value(SYM.toStringTag, "Intl", Flag.CONFIGURABLE),
  ],
});

defineGlobal("Intl", Intrinsic.Intl);
