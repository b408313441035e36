// What the constructors of Intl have in common: objects of Kind.HOST_DATA with a host formatter in `d`, supportedLocalesOf,
// resolvedOptions, and parts as guest objects.

import { newArray, newElements } from "../src/array.js";
import { protoFromNewTarget } from "../src/call.js";
import { describe } from "../src/convert.js";
import { throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { createData, newKind, newObject } from "../src/object.js";
import {
  type PropertySpec,
  closureCode,
  define,
  defineConstructor,
  getter,
  intrinsic,
  method,
  nativeClosure,
  ref,
  value,
} from "../src/realm.js";
import { R, charge } from "../src/run-state.js";
import { Flag } from "../src/shape.js";
import { type GuestObject, Kind, SYM, type Value, isObject } from "../src/values.js";
import { LOCALE_MATCHER, coerceOptions, readLocales, readOptions, recipeOf } from "./intl-options.js";

/** The data of a service's object. */
export class ServiceData<T extends object> {
  readonly service: Service<T>;
  private readonly recipe: () => T;
  /** The function that the object's `format` or `compare` gives, made when first read. */
  bound: GuestObject | null = null;
  constructor(service: Service<T>, host: T) {
    this.service = service;
    this.recipe = recipeOf(host);
  }

  get host(): T {
    return this.recipe();
  }
}

export interface Service<T extends object> {
  name: string;
  id: Intrinsic;
  prototype: Intrinsic;
  /** A call without `new` makes an object too. */
  callable: boolean;
  make(locales: Value, options: Value): T;
  supported(locales: string[]): string[];
  resolved(host: T): object;
  props(self: (t: Value, method: string) => ServiceData<T>): PropertySpec[];
}

export function defineService<T extends object>(service: Service<T>): void {
  const { name, id, prototype } = service;
  const construct = (args: Value[], newTarget: GuestObject): Value => {
    const shape = protoFromNewTarget(newTarget, prototype);
    R.mem -= 300;
    return newKind(shape, Kind.HOST_DATA, new ServiceData(service, service.make(args[0], args[1])));
  };
  const self = (t: Value, called: string): ServiceData<T> => {
    if (isObject(t) && t.kind === Kind.HOST_DATA && t.d instanceof ServiceData && t.d.service === service) return t.d as ServiceData<T>;
    throwTypeError(`Method Intl.${name}.prototype.${called} called on incompatible receiver ${describe(t)}`);
  };
  defineConstructor(id, {
    name,
    length: 0,
    prototype,
    call: service.callable ? (_t, args) => construct(args, intrinsic(id)) : null,
    construct,
    props: [
      method("supportedLocalesOf", 1, (_t, locales, options) => {
        const list = readLocales(locales);
        readOptions(coerceOptions(options), [LOCALE_MATCHER]);
        return guestOf(service.supported(list));
      }),
    ],
  });
  define(prototype, {
    props: [
      ref("constructor", id),
      ...service.props(self),
      method("resolvedOptions", 0, (t) => {
        const { host } = self(t, "resolvedOptions");
        charge(20);
        return guestOf(service.resolved(host));
      }),
      value(SYM.toStringTag, `Intl.${name}`, Flag.CONFIGURABLE),
    ],
  });
}

/** An accessor that gives a function bound to the object, always the same one. */
export function boundGetter<T extends object>(
  name: string,
  length: number,
  self: (t: Value, method: string) => ServiceData<T>,
  f: (data: ServiceData<T>, a: Value, b: Value) => Value,
): PropertySpec {
  const code = closureCode("", length, (fn, a, b) => f(fn.d.data as ServiceData<T>, a, b));
  return getter(name, (t) => {
    const data = self(t, name);
    return (data.bound ??= nativeClosure(code, data));
  });
}

/** Plain host data (what Intl gives: texts, numbers, flags, lists, records) as guest values. */
export function guestOf(v: unknown): Value {
  if (Array.isArray(v)) {
    const d = newElements();
    charge(v.length);
    for (const item of v as unknown[]) d.push(guestOf(item));
    return newArray(d);
  }
  if (typeof v === "object" && v !== null) {
    const o = newObject();
    for (const [key, item] of Object.entries(v)) createData(o, key, guestOf(item));
    return o;
  }
  return v as Value; // a primitive
}
