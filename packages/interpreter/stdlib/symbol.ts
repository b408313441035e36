// Symbol (ECMAScript 20.4).

import { toStr } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { currentRealm, define, defineConstructor, defineGlobal, getter, method, ref, value } from "../src/realm.js";
import { R } from "../src/run-state.js";
import { Flag } from "../src/shape.js";
import { Kind, SYM, type Value } from "../src/values.js";
import { prepareText } from "../src/text.js";

/** GlobalSymbolRegistry of a realm, both ways. */
class Registry {
  readonly byKey = new Map<string, symbol>();
  readonly keys = new Map<symbol, string>();
}
const REGISTRY = {};
const registry = (): Registry => currentRealm().slot(REGISTRY, () => new Registry());

/** True for symbols made by Symbol.for. */
export function isRegisteredSymbol(v: symbol): boolean {
  return registry().keys.has(v);
}

function symbolFor(key: Value): symbol {
  const text = toStr(key);
  const { byKey, keys } = registry();
  let s = byKey.get(text);
  if (s === undefined) {
    R.mem -= 120;
    s = Symbol(text);
    byKey.set(text, s);
    keys.set(s, text);
  }
  return s;
}

defineConstructor(Intrinsic.Symbol, {
  name: "Symbol",
  length: 0,
  prototype: Intrinsic.SymbolPrototype,
  call(_t, args) {
    R.mem -= 32;
    return args[0] === undefined ? Symbol() : Symbol(toStr(args[0]));
  },
  construct() {
    throwTypeError("Symbol is not a constructor");
  },
  props: [
    method("for", 1, (_t, key) => symbolFor(key)),
    method("keyFor", 1, (_t, v) => {
      if (typeof v !== "symbol") throwTypeError("Symbol.keyFor needs a symbol");
      return registry().keys.get(v);
    }),
    ...Object.entries(SYM).map(([name, symbol]) => value(name, symbol, 0)),
  ],
});
defineGlobal("Symbol", Intrinsic.Symbol);

function thisSymbolValue(t: Value, name: string): symbol {
  if (typeof t === "symbol") return t;
  if (typeof t === "object" && t !== null && t.kind === Kind.SYMBOL) return t.d as symbol;
  throwTypeError(`Symbol.prototype${name} requires that 'this' be a Symbol`);
}

define(Intrinsic.SymbolPrototype, {
  props: [
    ref("constructor", Intrinsic.Symbol),
    method("toString", 0, (t) => {
      const s = thisSymbolValue(t, ".toString");
      prepareText((s.description ?? "").length + 8);
      return s.toString();
    }),
    method("valueOf", 0, (t) => thisSymbolValue(t, ".valueOf")),
    getter("description", (t) => thisSymbolValue(t, ".description").description),
    value(SYM.toStringTag, "Symbol", Flag.CONFIGURABLE),
    method(SYM.toPrimitive, 1, (t) => thisSymbolValue(t, " [ @@toPrimitive ]"), Flag.CONFIGURABLE),
  ],
});
