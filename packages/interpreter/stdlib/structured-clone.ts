// structuredClone (HTML 2.7): a deep copy of values that are data; cycles and shared parts stay. Accessors of the program are read.

import { newArray, newElements } from "../src/array.js";
import { BufferData, type BufferObject, allocateBuffer, detachBuffer, isArrayBuffer, newBuffer } from "../src/buffer.js";
import { describe, lengthOf, toStr } from "../src/convert.js";
import { ErrorData, throwTypeError } from "../src/errors.js";
import { Intrinsic } from "../src/intrinsics.js";
import { listFromIterable } from "../src/iterate.js";
import { createData, get, getOwn, newKind, newObject, set } from "../src/object.js";
import { defineGlobal, variadic } from "../src/realm.js";
import { R, charge, enterNative, leaveNative } from "../src/run-state.js";
import { DATA, HIDDEN, addProperty, rootOf } from "../src/shape.js";
import { stackText } from "../src/error-text.js";
import { isOutOfBounds, isTypedArray } from "../src/typed-array-exotic.js";
import { typedArrayOver } from "../src/typed-array.js";
import { Accessor, type GuestObject, HOLE, Kind, type Value, isObject } from "../src/values.js";
import { copyBytes } from "./array-buffer.js";
import { cloneDataView } from "./data-view.js";
import { throwDomException } from "./dom-exception.js";
import { enumerableKeys } from "./json-write.js";
import { type CompiledRegExp, newRegExp } from "./regexp-object.js";

const LEVEL_WEIGHT = 700;

class Cloner {
  private readonly memory = new Map<GuestObject, GuestObject>();
  private readonly transferred: ReadonlySet<GuestObject>;
  constructor(transferred: ReadonlySet<GuestObject>) {
    this.transferred = transferred;
  }

  clone(v: Value): Value {
    if (typeof v === "symbol") throwDomException("DataCloneError", `${v.toString()} could not be cloned.`);
    if (!isObject(v)) return v;
    const known = this.memory.get(v);
    if (known !== undefined) return known;
    charge(1);
    R.mem -= 64;
    enterNative(LEVEL_WEIGHT);
    const copy = this.object(v);
    leaveNative(LEVEL_WEIGHT);
    return copy;
  }

  private keep(v: GuestObject, copy: GuestObject): GuestObject {
    this.memory.set(v, copy);
    return copy;
  }

  private object(v: GuestObject): GuestObject {
    switch (v.kind) {
      case Kind.ORDINARY:
      case Kind.ARGUMENTS:
        return this.members(v, this.keep(v, newObject()));
      case Kind.ARRAY:
      case Kind.SPARSE_ARRAY:
        return this.array(v);
      case Kind.BOOLEAN:
        return this.keep(v, newKind(rootOf(Intrinsic.BooleanPrototype), Kind.BOOLEAN, v.d));
      case Kind.NUMBER:
        return this.keep(v, newKind(rootOf(Intrinsic.NumberPrototype), Kind.NUMBER, v.d));
      case Kind.BIGINT:
        return this.keep(v, newKind(rootOf(Intrinsic.BigIntPrototype), Kind.BIGINT, v.d));
      case Kind.STRING:
        return this.keep(v, newKind(rootOf(Intrinsic.StringPrototype), Kind.STRING, v.d));
      case Kind.DATE:
        return this.keep(v, newKind(rootOf(Intrinsic.DatePrototype), Kind.DATE, v.d));
      case Kind.REGEXP:
        return this.keep(v, newRegExp(v.d as CompiledRegExp));
      case Kind.MAP:
        return this.map(v);
      case Kind.SET:
        return this.set(v);
      case Kind.ERROR:
        return this.error(v);
      case Kind.ARRAY_BUFFER:
        return this.buffer(v as BufferObject);
      case Kind.TYPED_ARRAY:
        return this.typed(v);
      case Kind.DATA_VIEW:
        return this.keep(
          v,
          cloneDataView(v, (b) => this.clone(b) as BufferObject),
        );
    }
    return throwDomException("DataCloneError", `${describe(v)} could not be cloned.`);
  }

  private members(v: GuestObject, copy: GuestObject): GuestObject {
    for (const key of enumerableKeys(v)) {
      charge(1);
      const own = getOwn(v, key);
      if (own === undefined) continue;
      createData(copy, key, this.clone(own.slot instanceof Accessor ? get(v, key) : own.slot));
    }
    return copy;
  }

  private array(v: GuestObject): GuestObject {
    const copy = newArray(newElements());
    this.keep(v, copy);
    if (v.kind === Kind.ARRAY && v.shape.count === 0) {
      const d = v.d as Value[];
      const n = d.length;
      charge(n >> 2);
      if ((R.mem -= 8 * n) < 0) R.run.outOfMemory();
      for (let i = 0; i < n; i++) {
        const item = v.kind === Kind.ARRAY && i < d.length ? d[i] : HOLE;
        copy.d.push(
          typeof item === "object" && item !== HOLE
            ? this.clone(item)
            : item === HOLE || typeof item !== "symbol"
              ? item
              : this.clone(item),
        );
      }
      return copy;
    }
    set(copy, "length", lengthOf(v));
    return this.members(v, copy);
  }

  private map(v: GuestObject): GuestObject {
    const out = new Map<Value, Value>();
    const copy = this.keep(v, newKind(rootOf(Intrinsic.MapPrototype), Kind.MAP, out));
    const { size } = v.d as Map<Value, Value>;
    charge(size);
    if ((R.mem -= 150 * size) < 0) R.run.outOfMemory();
    const entries = [...(v.d as Map<Value, Value>)];
    for (const [key, item] of entries) out.set(this.clone(key), this.clone(item));
    return copy;
  }

  private set(v: GuestObject): GuestObject {
    const out = new Set<Value>();
    const copy = this.keep(v, newKind(rootOf(Intrinsic.SetPrototype), Kind.SET, out));
    const { size } = v.d as Set<Value>;
    charge(size);
    if ((R.mem -= 60 * size) < 0) R.run.outOfMemory();
    const items = [...(v.d as Set<Value>)];
    for (const item of items) out.add(this.clone(item));
    return copy;
  }

  private error(v: GuestObject): GuestObject {
    const name = get(v, "name");
    const prototype = ERRORS[name === undefined ? "Error" : toStr(name)] ?? Intrinsic.ErrorPrototype;
    const data = new ErrorData((v.d as ErrorData).sites);
    data.stack = stackText(v);
    const copy = this.keep(v, newKind(rootOf(prototype), Kind.ERROR, data));
    const message = getOwn(v, "message");
    if (message !== undefined && !(message.slot instanceof Accessor)) addProperty(copy, "message", toStr(message.slot), HIDDEN);
    if (getOwn(v, "cause") !== undefined) addProperty(copy, "cause", this.clone(get(v, "cause")), HIDDEN);
    return copy;
  }

  private buffer(v: BufferObject): GuestObject {
    const { d } = v;
    if (this.transferred.has(v)) {
      const moved = new BufferData(d.bytes, d.length, d.max);
      return this.keep(v, newBuffer(moved));
    }
    if (d.detached) throwDomException("DataCloneError", "An ArrayBuffer is detached and could not be cloned.");
    const copy = allocateBuffer(d.length, d.max);
    copyBytes(d, 0, copy.d, 0, d.length);
    return this.keep(v, copy);
  }

  private typed(v: GuestObject): GuestObject {
    if (!isTypedArray(v)) throw new Error("unreachable");
    if (isOutOfBounds(v.d))
      throwDomException("DataCloneError", "A typed array is out of the bounds of its buffer and could not be cloned.");
    const { type, buffer, offset, fixed } = v.d;
    const copy = typedArrayOver(type, this.clone(buffer) as BufferObject, offset, fixed);
    return this.keep(v, copy);
  }
}

const ERRORS: Record<string, Intrinsic | undefined> = {
  EvalError: Intrinsic.EvalErrorPrototype,
  RangeError: Intrinsic.RangeErrorPrototype,
  ReferenceError: Intrinsic.ReferenceErrorPrototype,
  SyntaxError: Intrinsic.SyntaxErrorPrototype,
  TypeError: Intrinsic.TypeErrorPrototype,
  URIError: Intrinsic.URIErrorPrototype,
};

function transferList(options: Value): GuestObject[] {
  if (options === undefined || options === null) return [];
  if (!isObject(options)) throwTypeError("structuredClone: the options must be an object");
  const list = get(options, "transfer");
  if (list === undefined) return [];
  const out: GuestObject[] = [];
  for (const item of listFromIterable(list)) {
    if (!isObject(item)) throwTypeError("structuredClone: the transfer list must hold objects");
    if (!isArrayBuffer(item) || item.d.detached || item.d.immutable) throwDomException("DataCloneError", "Value not transferable");
    if (out.includes(item)) throwDomException("DataCloneError", "An ArrayBuffer stands twice in the transfer list");
    charge(out.length);
    out.push(item);
  }
  return out;
}

defineGlobal(
  "structuredClone",
  variadic(
    "structuredClone",
    1,
    (_t, args) => {
      if (args.length === 0) throwTypeError("The value argument must be specified");
      const transfer = transferList(args[1]);
      const copy = new Cloner(new Set(transfer)).clone(args[0]);
      for (const b of transfer) if (isArrayBuffer(b)) detachBuffer(b.d);
      return copy;
    },
    DATA,
  ),
);
