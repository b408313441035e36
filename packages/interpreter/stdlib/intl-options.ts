// What all services of Intl share (ECMA-402 9.2): locales and options are read from guest values in the specification's order and handed
// to the host as plain primitives. The default locale is en-US, never the host's.

import { describe, lengthOf, toBoolean, toNumber, toObject, toStr } from "../src/convert.js";
import { throwRangeError, throwTypeError } from "../src/errors.js";
import { get, hasProperty } from "../src/object.js";
import { allocate, charge } from "../src/run-state.js";
import { type GuestObject, type Value, isObject } from "../src/values.js";

export const DEFAULT_LOCALE = "en-US";
const MAX_LOCALES = 100;
const MAX_LOCALE = 300;

export type HostOptions = Record<string, string | number | boolean>;

/** An option of a service. `values` are the only ones allowed; `min` and `max` bound a number. */
export interface OptionSpec {
  name: string;
  type: "string" | "boolean" | "number";
  values?: readonly string[];
  min?: number;
  max?: number;
}

export const text = (name: string, ...values: string[]): OptionSpec => ({ name, type: "string", ...(values.length > 0 ? { values } : {}) });
export const flag = (name: string): OptionSpec => ({ name, type: "boolean" });
export const number = (name: string, min: number, max: number): OptionSpec => ({ name, type: "number", min, max });

export const LOCALE_MATCHER = text("localeMatcher", "lookup", "best fit");

/** CanonicalizeLocaleList. */
export function readLocales(v: Value): string[] {
  if (v === undefined) return [];
  const seen: string[] = [];
  const add = (item: Value): void => {
    if (typeof item !== "string" && !isObject(item)) throwTypeError("Incorrect locale information provided");
    const tag = canonicalLocale(toStr(item));
    if (!seen.includes(tag)) seen.push(tag);
  };
  if (typeof v === "string") {
    add(v);
    return seen;
  }
  const o = toObject(v);
  const length = lengthOf(o);
  for (let i = 0; i < length; i++) {
    charge(1 + seen.length);
    const key = String(i);
    if (hasProperty(o, key)) add(get(o, key));
    if (seen.length > MAX_LOCALES) throwRangeError("Too many locales");
  }
  return seen;
}

function canonicalLocale(tag: string): string {
  if (tag.length > MAX_LOCALE) throwRangeError(`Incorrect locale information provided`);
  return host(() => Intl.getCanonicalLocales(tag)[0]);
}

/** The locales as the host is asked: ours last, so that the host's own default is never used. */
export function withDefault(locales: string[]): string[] {
  return locales.length === 0 ? [DEFAULT_LOCALE] : [...locales, DEFAULT_LOCALE];
}

/** Runs host Intl code on primitives; its RangeErrors and TypeErrors become guest errors. */
export function host<T>(f: () => T): T {
  try {
    return f();
  } catch (e) {
    if (e instanceof RangeError) throwRangeError(e.message);
    if (e instanceof TypeError) throwTypeError(e.message);
    throw e;
  }
}

/** GetOptionsObject: only undefined and objects. */
export function optionsObject(v: Value): GuestObject | undefined {
  if (v === undefined || isObject(v)) return v;
  throwTypeError("Incorrect options: not an object");
}

/** CoerceOptionsToObject. */
export function coerceOptions(v: Value): GuestObject | undefined {
  return v === undefined ? undefined : toObject(v);
}

/** GetOption and GetNumberOption for each of `specs`, in order; absent ones are left out. */
export function readOptions(o: GuestObject | undefined, specs: readonly OptionSpec[], out: HostOptions = {}): HostOptions {
  if (o === undefined) return out;
  for (const spec of specs) {
    const v = readOption(o, spec);
    if (v !== undefined) out[spec.name] = v;
  }
  return out;
}

export function readOption(o: GuestObject, spec: OptionSpec): string | number | boolean | undefined {
  const v = get(o, spec.name);
  return v === undefined ? undefined : optionValue(v, spec);
}

/** The conversion and the check of a present option. */
export function optionValue(v: Value, spec: OptionSpec): string | number | boolean {
  if (spec.type === "boolean") return toBoolean(v);
  if (spec.type === "number") {
    const n = toNumber(v);
    if (!(n >= spec.min! && n <= spec.max!)) throwRangeError(`${spec.name} value is out of range.`);
    return Math.floor(n);
  }
  const s = toStr(v);
  if (s.length > 1000 || (spec.values !== undefined && !spec.values.includes(s)))
    throwRangeError(`Value ${describe(s)} out of range for options property ${spec.name}`);
  return s;
}

/**
 * A formatter takes much memory that no measurement of the heap sees. So only these are held, the last used last; objects of programs
 * know how theirs is made again.
 */
const MAX_CACHED = 64;
const cached = new Map<string, object>();
const recipes = new WeakMap<object, () => object>();

/** How a host formatter that `hostService` gave is had again. */
export function recipeOf<T extends object>(service: T): () => T {
  return recipes.get(service) as () => T;
}

/** A host formatter for these locales and options; kept for a while, as making one is slow. */
export function hostService<T extends object>(
  service: string,
  locales: string[],
  options: HostOptions,
  make: (locales: string[], options: HostOptions) => T,
): T {
  const key = JSON.stringify([service, locales, options]);
  const recipe = (): T => {
    let made = cached.get(key) as T | undefined;
    if (made === undefined) {
      charge(200);
      made = host(() => make(withDefault(locales), options));
      recipes.set(made, recipe);
      if (cached.size >= MAX_CACHED) cached.delete(cached.keys().next().value!);
    } else cached.delete(key);
    cached.set(key, made);
    return made;
  };
  allocate(200 + 2 * key.length);
  return recipe();
}
