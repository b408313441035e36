// Intl.RelativeTimeFormat (ECMA-402 17).

import { toNumber, toStr } from "../src/convert.js";
import { Intrinsic } from "../src/intrinsics.js";
import { method } from "../src/realm.js";
import { charge } from "../src/run-state.js";
import { type Value } from "../src/values.js";
import { LOCALE_MATCHER, coerceOptions, host, hostService, readLocales, readOptions, text } from "./intl-options.js";
import { type ServiceData, defineService, guestOf } from "./intl-service.js";

const OPTIONS = [LOCALE_MATCHER, text("numberingSystem"), text("style", "long", "short", "narrow"), text("numeric", "always", "auto")];

function formatted<T>(
  data: ServiceData<Intl.RelativeTimeFormat>,
  v: Value,
  unit: Value,
  f: (host: Intl.RelativeTimeFormat, n: number, unit: Intl.RelativeTimeFormatUnit) => T,
): T {
  const n = toNumber(v);
  const name = toStr(unit).slice(0, 100) as Intl.RelativeTimeFormatUnit; // the host refuses others with a RangeError
  charge(8);
  return host(() => f(data.host, n, name));
}

defineService<Intl.RelativeTimeFormat>({
  name: "RelativeTimeFormat",
  id: Intrinsic.IntlRelativeTimeFormat,
  prototype: Intrinsic.IntlRelativeTimeFormatPrototype,
  callable: false,
  make(locales, options) {
    const list = readLocales(locales);
    return hostService(
      "RelativeTimeFormat",
      list,
      readOptions(coerceOptions(options), OPTIONS),
      (l, o) => new Intl.RelativeTimeFormat(l, o as Intl.RelativeTimeFormatOptions),
    );
  },
  supported: (list) => Intl.RelativeTimeFormat.supportedLocalesOf(list),
  resolved: (f) => f.resolvedOptions(),
  props: (self) => [
    method("format", 2, (t, v, unit) => formatted(self(t, "format"), v, unit, (f, n, u) => f.format(n, u))),
    method("formatToParts", 2, (t, v, unit) => guestOf(formatted(self(t, "formatToParts"), v, unit, (f, n, u) => f.formatToParts(n, u)))),
  ],
});
