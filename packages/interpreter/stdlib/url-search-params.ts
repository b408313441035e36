// URLSearchParams (URL Standard). The list of pairs is the host's, live with its URL.

import { newArray, newElements } from "../src/array.js";
import { call3, getMethod, protoFromNewTarget } from "../src/call.js";
import { describe, toStr } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { NativeIterator, forOf, listFromIterable, nextCode } from "../src/iterate.js";
import { get, getOwn, isCallable, newKind, ownKeys } from "../src/object.js";
import {
  type PropertySpec,
  alias,
  define,
  defineConstructor,
  defineGlobal,
  functionProperty,
  getter,
  method,
  ref,
  value,
  variadic,
} from "../src/realm.js";
import { R, allocate, charge, chargeText } from "../src/run-state.js";
import { DATA, Flag, rootOf } from "../src/shape.js";
import { TextBuilder, throwStringLength } from "../src/text.js";
import { type Code, type GuestObject, HOLE, Kind, SYM, type Value, isObject } from "../src/values.js";
import { attribute } from "./web-idl.js";

export class ParamsData {
  readonly host: URLSearchParams;
  /** The URL whose query it is: the host writes it anew at each change. */
  readonly url: URL | null;
  constructor(host: URLSearchParams, url: URL | null) {
    this.host = host;
    this.url = url;
  }
}

/** The `searchParams` of a URL. */
export function newParams(host: URLSearchParams, url: URL): GuestObject {
  return newKind(rootOf(Intrinsic.URLSearchParamsPrototype), Kind.HOST_DATA, new ParamsData(host, url));
}

function paramsData(t: Value): ParamsData {
  if (isObject(t) && t.kind === Kind.HOST_DATA && t.d instanceof ParamsData) return t.d;
  throwTypeError("Value of 'this' must be of type URLSearchParams");
}

const thisParams = (t: Value): URLSearchParams => paramsData(t).host;

/** Characters between a pair's start and the next `=` that make a step. */
const SEARCHED = 64;

/**
 * Charges for reading a query, before it is read. Some hosts look for the `=` of each pair also behind its end, so that pairs without one
 * cost the way to the next.
 */
export function chargeQuery(text: string): void {
  chargeText(4 * text.length);
  allocate(16 * text.length);
  let searched = 0;
  let equals = text.length;
  for (let i = text.length - 1; i >= 0; i--) {
    const c = text.charCodeAt(i);
    if (c === 0x3d) equals = i;
    else if (c === 0x26) searched += equals - i;
  }
  charge(Math.min(2 ** 30, Math.floor(searched / SEARCHED)));
}

/** Characters that one may become in a query: `%E2%82%AC`. */
const MAX_GROWTH = 9;

/** Charges for a change by `added` characters, before it is made. */
function chargeChange({ host, url }: ParamsData, added: number): void {
  charge(1 + host.size);
  if (url === null) return;
  const length = url.href.length + MAX_GROWTH * added;
  if (length > R.stringLength) throwStringLength();
  chargeText(4 * length);
  allocate(4 * length);
}

function append(host: URLSearchParams, name: string, v: string): void {
  charge(1 + ((name.length + v.length) >> 4));
  allocate(80);
  host.append(name, v);
}

function construct(init: Value): URLSearchParams {
  if (init === undefined) return new URLSearchParams();
  if (isObject(init) || isCallable(init)) {
    const host = new URLSearchParams();
    const iterator = getMethod(init, SYM.iterator);
    if (iterator !== undefined) {
      forOf(init, (pair) => {
        if (!isObject(pair)) throwTypeError("Each query pair must be an iterable [name, value] tuple");
        const items = listFromIterable(pair);
        if (items.length !== 2) throwTypeError("Each query pair must be an iterable [name, value] tuple");
        append(host, toStr(items[0]), toStr(items[1]));
      });
      return host;
    }
    for (const key of ownKeys(init)) {
      const own = getOwn(init, key);
      if (own === undefined || (own.flags & Flag.ENUMERABLE) === 0) continue;
      if (typeof key === "symbol") throwTypeError("Cannot convert a Symbol value to a string");
      append(host, key, toStr(get(init, key)));
    }
    return host;
  }
  const text = toStr(init);
  chargeQuery(text);
  return new URLSearchParams(text);
}

defineConstructor(Intrinsic.URLSearchParams, {
  name: "URLSearchParams",
  length: 0,
  prototype: Intrinsic.URLSearchParamsPrototype,
  call: null,
  construct(args, newTarget) {
    const shape = protoFromNewTarget(newTarget, Intrinsic.URLSearchParamsPrototype);
    R.mem -= 200;
    return newKind(shape, Kind.HOST_DATA, new ParamsData(construct(args[0]), null));
  },
});

/** A method with at least `length` arguments, all texts. Work on the list is charged by its length. */
function texts(name: string, length: number, f: (host: URLSearchParams, a: string, b: string | undefined) => Value): PropertySpec {
  return variadic(
    name,
    length,
    (t, args) => {
      const data = paramsData(t);
      if (args.length < length)
        throwTypeError(`The ${length === 1 ? '"name" argument' : '"name" and "value" arguments'} must be specified`);
      const a = toStr(args[0]);
      const b = args.length > 1 && args[1] !== undefined ? toStr(args[1]) : length > 1 ? "undefined" : undefined;
      chargeChange(data, a.length + (b?.length ?? 0));
      charge(data.host.size * (a.length >> 8)); // the names are compared with it
      return f(data.host, a, b);
    },
    DATA,
  );
}

define(Intrinsic.URLSearchParamsPrototype, {
  props: [
    ref("constructor", Intrinsic.URLSearchParams),
    texts("append", 2, (host, name, v) => void append(host, name, v!)),
    texts("delete", 1, (host, name, v) => void (v === undefined ? host.delete(name) : host.delete(name, v))),
    method("entries", 0, (t) => iterate(t, Mode.ENTRIES), DATA),
    method(
      "forEach",
      1,
      (t, callback, thisArg) => {
        const host = thisParams(t);
        if (!isCallable(callback)) throwTypeError(`${describe(callback)} is not a function`);
        for (const [key, v] of host) {
          charge(1);
          call3(callback, thisArg, v, key, t);
        }
        return undefined;
      },
      DATA,
    ),
    texts("get", 1, (host, name) => host.get(name)),
    texts("getAll", 1, (host, name) => {
      const out = newElements();
      for (const v of host.getAll(name)) out.push(v);
      return newArray(out);
    }),
    texts("has", 1, (host, name, v) => (v === undefined ? host.has(name) : host.has(name, v))),
    method("keys", 0, (t) => iterate(t, Mode.KEYS), DATA),
    texts("set", 2, (host, name, v) => void host.set(name, v!)),
    attribute(getter("size", (t) => thisParams(t).size)),
    method(
      "sort",
      0,
      (t) => {
        const data = paramsData(t);
        const { host } = data;
        charge(host.size * (1 + Math.ceil(Math.log2(host.size + 1))));
        chargeChange(data, 0);
        host.sort();
        return undefined;
      },
      DATA,
    ),
    method(
      "toString",
      0,
      (t) => {
        // Pair by pair, so that limits are seen before the whole is made.
        const out = new TextBuilder();
        for (const [key, v] of thisParams(t)) {
          allocate(2 * MAX_GROWTH * (key.length + v.length));
          if (out.length > 0) out.add("&");
          out.add(new URLSearchParams([[key, v]]).toString());
        }
        return out.done();
      },
      DATA,
    ),
    method("values", 0, (t) => iterate(t, Mode.VALUES), DATA),
    alias(SYM.iterator, Intrinsic.URLSearchParamsPrototype, "entries"),
    value(SYM.toStringTag, "URLSearchParams", Flag.CONFIGURABLE),
  ],
});

const enum Mode {
  KEYS,
  VALUES,
  ENTRIES,
}

class ParamsIterator extends NativeIterator {
  private readonly entries: Iterator<[string, string]>;
  private readonly mode: Mode;
  constructor(host: URLSearchParams, mode: Mode) {
    super();
    this.entries = host.entries();
    this.mode = mode;
  }
  get nextCode(): Code {
    return NEXT;
  }
  step(): Value {
    const next = this.entries.next(); // live, as the host's is
    if (next.done === true) return HOLE;
    const [key, v] = next.value;
    if (this.mode === Mode.KEYS) return key;
    return this.mode === Mode.VALUES ? v : newArray([key, v]);
  }
}

const NEXT: Code = nextCode("URLSearchParams Iterator", ParamsIterator);

function iterate(t: Value, mode: Mode): GuestObject {
  R.mem -= 200;
  return newKind(rootOf(Intrinsic.URLSearchParamsIteratorPrototype), Kind.ITERATOR, new ParamsIterator(thisParams(t), mode));
}

define(Intrinsic.URLSearchParamsIteratorPrototype, {
  proto: Intrinsic.IteratorPrototype,
  props: [functionProperty("next", NEXT), value(SYM.toStringTag, "URLSearchParams Iterator", Flag.CONFIGURABLE)],
});

defineGlobal("URLSearchParams", Intrinsic.URLSearchParams);
