// URL (URL Standard) over the host's parser, which sees texts only. The host's URL is in `d` and never a value of a program.

import { protoFromNewTarget } from "../src/call.js";
import { toStr } from "../src/convert.js";
import { GuestThrow, makeErrorWith, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { newKind } from "../src/object.js";
import { type PropertySpec, define, defineConstructor, defineGlobal, getter, method, ref, value, variadic } from "../src/realm.js";
import { allocate, chargeText } from "../src/run-state.js";
import { DATA, Flag, type Shape, rootOf } from "../src/shape.js";
import { prepareText } from "../src/text.js";
import { type GuestObject, Kind, SYM, type Value, isObject } from "../src/values.js";
import { chargeQuery, newParams } from "./url-search-params.js";
import { attribute } from "./web-idl.js";

export class UrlData {
  readonly host: URL;
  /** The `searchParams` object, made when first read. */
  params: GuestObject | null = null;
  constructor(host: URL) {
    this.host = host;
  }
}

function thisUrl(t: Value): UrlData {
  if (isObject(t) && t.kind === Kind.HOST_DATA && t.d instanceof UrlData) return t.d;
  throwTypeError("Value of 'this' must be of type URL");
}

/** Longer texts are no URL here, as in browsers. */
const MAX_URL = 2 ** 21;

function parse(url: string, base: string | undefined): URL | null {
  const length = url.length + (base?.length ?? 0);
  if (length > MAX_URL) return null;
  chargeText(4 * length);
  allocate(600 + 4 * length);
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}

function parseArgs(args: readonly Value[]): { url: string; host: URL | null } {
  if (args.length === 0) throwTypeError('The "url" argument must be specified');
  const url = toStr(args[0]);
  const base = args[1] === undefined ? undefined : toStr(args[1]);
  return { url, host: parse(url, base) };
}

function newUrl(host: URL, shape: Shape): GuestObject {
  return newKind(shape, Kind.HOST_DATA, new UrlData(host));
}

defineConstructor(Intrinsic.URL, {
  name: "URL",
  length: 1,
  prototype: Intrinsic.URLPrototype,
  call: null,
  construct(args, newTarget) {
    const { url, host } = parseArgs(args);
    if (host === null)
      throw new GuestThrow(
        makeErrorWith(Intrinsic.TypeErrorPrototype, `Invalid URL: ${JSON.stringify(url.slice(0, 200))}`, [
          ["code", "ERR_INVALID_URL"],
          ["input", url],
        ]),
      );
    return newUrl(host, protoFromNewTarget(newTarget, Intrinsic.URLPrototype));
  },
  props: [
    variadic("canParse", 1, (_t, args) => parseArgs(args).host !== null, DATA),
    variadic(
      "parse",
      1,
      (_t, args) => {
        const { host } = parseArgs(args);
        return host === null ? null : newUrl(host, rootOf(Intrinsic.URLPrototype));
      },
      DATA,
    ),
  ],
});

function href(t: Value): string {
  const text = thisUrl(t).host.href;
  prepareText(text.length);
  return text;
}

function searchParamsOf(host: URL): URLSearchParams {
  chargeQuery(host.search);
  return host.searchParams;
}

type Part = "hash" | "host" | "hostname" | "href" | "origin" | "password" | "pathname" | "port" | "protocol" | "search" | "username";

function part(name: Part): PropertySpec {
  const read = (t: Value): string => {
    const text = thisUrl(t).host[name];
    prepareText(text.length); // escapes may have made it longer than what the program gave
    return text;
  };
  if (name === "origin") return attribute(getter(name, read));
  return attribute(
    getter(name, read, (t, v) => {
      const { host, params } = thisUrl(t);
      const text = toStr(v);
      const length = text.length + host.href.length;
      chargeText(4 * length);
      allocate(4 * length);
      // The host reads the query anew for the object that is there.
      if (params !== null && (name === "search" || name === "href")) chargeQuery(text);
      try {
        if (length > MAX_URL && name !== "href") return; // as any value that is not valid
        host[name] = length > MAX_URL ? "" : text;
      } catch {
        throwTypeError(`Invalid URL: ${JSON.stringify(text.slice(0, 200))}`); // only `href` throws
      }
    }),
  );
}

define(Intrinsic.URLPrototype, {
  props: [
    ref("constructor", Intrinsic.URL),
    part("href"),
    part("origin"),
    part("protocol"),
    part("username"),
    part("password"),
    part("host"),
    part("hostname"),
    part("port"),
    part("pathname"),
    part("search"),
    attribute(
      getter("searchParams", (t) => {
        const data = thisUrl(t);
        return (data.params ??= newParams(searchParamsOf(data.host), data.host)); // the host keeps both in step
      }),
    ),
    part("hash"),
    method("toJSON", 0, href, DATA),
    method("toString", 0, href, DATA),
    value(SYM.toStringTag, "URL", Flag.CONFIGURABLE),
  ],
});

defineGlobal("URL", Intrinsic.URL);
