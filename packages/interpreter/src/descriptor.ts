// Property descriptors as objects of a program (ECMAScript 6.2.6).

import { describe } from "./convert.js";
import { throwTypeError } from "./errors.js";
import { Descriptor, Has, OBJECT_ROOT, OwnProperty, get, hasProperty, isCallable, newObject } from "./object.js";
import { R } from "./run-state.js";
import { DATA, Flag, addProperty, childShape } from "./shape.js";
import { Accessor, GuestObject, Kind, type Value } from "./values.js";

/** ToPropertyDescriptor. */
export function toPropertyDescriptor(v: Value): Descriptor {
  if (typeof v !== "object" || v === null) throwTypeError(`Property description must be an object: ${describe(v)}`);
  const desc = new Descriptor(0, 0, undefined);
  readFlag(v, "enumerable", desc, Has.ENUMERABLE, Flag.ENUMERABLE);
  readFlag(v, "configurable", desc, Has.CONFIGURABLE, Flag.CONFIGURABLE);
  if (hasProperty(v, "value")) {
    desc.has |= Has.VALUE;
    desc.value = get(v, "value");
  }
  readFlag(v, "writable", desc, Has.WRITABLE, Flag.WRITABLE);
  if (hasProperty(v, "get")) {
    desc.has |= Has.GET;
    desc.get = accessorFunction(get(v, "get"), "Getter");
  }
  if (hasProperty(v, "set")) {
    desc.has |= Has.SET;
    desc.set = accessorFunction(get(v, "set"), "Setter");
  }
  if ((desc.has & (Has.GET | Has.SET)) !== 0 && (desc.has & (Has.VALUE | Has.WRITABLE)) !== 0) {
    throwTypeError("Invalid property descriptor. Cannot both specify accessors and a value or writable attribute");
  }
  return desc;
}

function readFlag(o: GuestObject, key: string, desc: Descriptor, has: number, flag: number): void {
  if (!hasProperty(o, key)) return;
  desc.has |= has;
  if (get(o, key)) desc.flags |= flag;
}

function accessorFunction(v: Value, what: string): GuestObject | undefined {
  if (v !== undefined && !isCallable(v)) throwTypeError(`${what} must be a function: ${describe(v)}`);
  return v;
}

const DATA_SHAPE = ["value", "writable", "enumerable", "configurable"].reduce((shape, key) => childShape(shape, key, DATA), OBJECT_ROOT);
const ACCESSOR_SHAPE = ["get", "set", "enumerable", "configurable"].reduce((shape, key) => childShape(shape, key, DATA), OBJECT_ROOT);

/** FromPropertyDescriptor of a property that is there. */
export function fromOwnProperty(own: OwnProperty | undefined): Value {
  if (own === undefined) return undefined;
  R.mem -= 88;
  const enumerable = (own.flags & Flag.ENUMERABLE) !== 0;
  const configurable = (own.flags & Flag.CONFIGURABLE) !== 0;
  if ((own.flags & Flag.ACCESSOR) !== 0) {
    const a = own.slot as Accessor;
    return new GuestObject(ACCESSOR_SHAPE, Kind.ORDINARY, undefined, a.get, a.set, enumerable, configurable);
  }
  return new GuestObject(DATA_SHAPE, Kind.ORDINARY, undefined, own.slot, (own.flags & Flag.WRITABLE) !== 0, enumerable, configurable);
}

/** FromPropertyDescriptor: only the fields that are present. */
export function fromPropertyDescriptor(desc: Descriptor): GuestObject {
  const o = newObject();
  if ((desc.has & Has.VALUE) !== 0) addProperty(o, "value", desc.value, DATA);
  if ((desc.has & Has.WRITABLE) !== 0) addProperty(o, "writable", (desc.flags & Flag.WRITABLE) !== 0, DATA);
  if ((desc.has & Has.GET) !== 0) addProperty(o, "get", desc.get, DATA);
  if ((desc.has & Has.SET) !== 0) addProperty(o, "set", desc.set, DATA);
  if ((desc.has & Has.ENUMERABLE) !== 0) addProperty(o, "enumerable", (desc.flags & Flag.ENUMERABLE) !== 0, DATA);
  if ((desc.has & Has.CONFIGURABLE) !== 0) addProperty(o, "configurable", (desc.flags & Flag.CONFIGURABLE) !== 0, DATA);
  return o;
}
