// Arguments of console calls as data for the host. Lenient: what JSON lacks becomes a short text, nothing fails, no code of the program
// runs. Made in a budget of bytes, of which it says how many it used.

import type { Json } from "../api.js";
import type { BufferData } from "../buffer.js";
import { bigintText } from "../convert.js";
import { peek } from "../error-text.js";
import { getOwn } from "../object.js";
import { charge, enterNative, leaveNative } from "../run-state.js";
import { Flag, arrayIndex, tableOf } from "../shape.js";
import { type TypedArrayObject, readElement, typedLength } from "../typed-array-exotic.js";
import {
  Accessor,
  FunctionFlag,
  type FunctionObject,
  type GuestObject,
  HOLE,
  Kind,
  type Slot,
  type SparseData,
  type Value,
} from "../values.js";
import { put } from "./copy-out.js";

const MAX_LEVELS = 20;
const WEIGHT = 8_000;
const CUT = "…";

/** The arguments as JSON, and about how many bytes that is. Over `maxBytes` the rest is left out. */
export function copyLogged(args: readonly Value[], maxBytes: number): { args: Json[]; bytes: number } {
  const copy = new LogCopy(maxBytes);
  enterNative(WEIGHT);
  const copied = args.map((v) => copy.value(v));
  leaveNative(WEIGHT);
  return { args: copied, bytes: maxBytes - copy.left };
}

class LogCopy {
  left: number;
  private readonly open: GuestObject[] = [];
  constructor(maxBytes: number) {
    this.left = maxBytes;
  }

  value(v: Slot): Json {
    if (this.left <= 0) return CUT;
    charge(1);
    if (v instanceof Accessor) return this.short("[Getter]");
    switch (typeof v) {
      case "string":
        return this.text(v);
      case "number":
        this.left -= 8;
        return Number.isFinite(v) ? v + 0 : this.short(String(v));
      case "boolean":
        this.left -= 5;
        return v;
      case "undefined":
        this.left -= 4;
        return null;
      case "bigint":
        return this.text(bigintText(v, 10));
      case "symbol":
        return this.text(v.toString());
      case "object":
        if (v === null || (v as unknown) === HOLE) {
          this.left -= 4;
          return null;
        }
        return this.object(v);
    }
  }

  private text(v: string): string {
    const kept = v.length > this.left ? `${v.slice(0, this.left)}${CUT}` : v;
    this.left -= v.length + 2;
    return kept;
  }

  private short(v: string): string {
    this.left -= v.length;
    return v;
  }

  private object(o: GuestObject): Json {
    switch (o.kind) {
      case Kind.FUNCTION: {
        const { code } = (o as FunctionObject).d;
        const name = peek(o, "name");
        const shown = typeof name === "string" && name !== "" ? name.slice(0, 100) : "(anonymous)";
        return this.short((code.flags & FunctionFlag.CLASS) !== 0 ? `[class ${shown}]` : `[Function: ${shown}]`);
      }
      case Kind.PROMISE:
        return this.short("[Promise]");
      case Kind.PROXY:
        return this.short("[Proxy]");
      case Kind.DATE:
        this.left -= 26;
        return Number.isNaN(o.d as number) ? null : new Date(o.d as number).toISOString();
      case Kind.NUMBER:
      case Kind.STRING:
      case Kind.BOOLEAN:
      case Kind.BIGINT:
      case Kind.SYMBOL:
        return this.value(o.d as Value);
    }
    if (this.open.includes(o)) return this.short("[Circular]");
    if (this.open.length >= MAX_LEVELS) return this.short("[Object]");
    this.open.push(o);
    const copied = this.container(o);
    this.open.pop();
    return copied;
  }

  private container(o: GuestObject): Json {
    this.left -= 2;
    switch (o.kind) {
      case Kind.ARRAY: {
        const d = o.d as Value[];
        return this.list(d.length, (i) => (i < d.length ? d[i] : undefined));
      }
      case Kind.SPARSE_ARRAY:
        return this.list((o.d as SparseData).length, (i) => getOwn(o, String(i))?.slot);
      case Kind.TYPED_ARRAY: {
        const { d } = o as TypedArrayObject;
        return this.list(typedLength(d), (i) => readElement(d, i));
      }
      case Kind.ARRAY_BUFFER: {
        const { bytes, length } = o.d as BufferData;
        const view = new Uint8Array(bytes, 0, length);
        return this.list(length, (i) => view[i]);
      }
      case Kind.SET: {
        const values = (o.d as Set<Value>).values();
        return this.list((o.d as Set<Value>).size, () => values.next().value);
      }
      case Kind.MAP:
        return this.map(o.d as Map<Value, Value>);
    }
    const out: { [key: string]: Json } = {};
    if (o.kind === Kind.ERROR) {
      put(out, "name", this.value(peek(o, "name")));
      put(out, "message", this.value(peek(o, "message")));
    }
    return this.properties(o, out);
  }

  private list(n: number, item: (i: number) => Slot): Json {
    const out: Json[] = [];
    for (let i = 0; i < n; i++) {
      if (this.left <= 0) {
        out.push(CUT);
        break;
      }
      this.left--;
      out.push(this.value(item(i)));
    }
    return out;
  }

  private map(map: Map<Value, Value>): Json {
    const pairs: Json[] = [];
    const out: { [key: string]: Json } = {};
    charge(map.size);
    const isRecord = [...map.keys()].every((key) => typeof key === "string");
    for (const [key, v] of map) {
      if (this.left <= 0) break;
      if (isRecord) put(out, this.text(key as string), this.value(v));
      else pairs.push([this.value(key), this.value(v)]);
    }
    return isRecord ? out : pairs;
  }

  private properties(o: GuestObject, out: { [key: string]: Json }): Json {
    const table = tableOf(o.shape);
    const indexes: string[] = [];
    const names: string[] = [];
    charge(table.size);
    for (const [key, entry] of table) {
      if (typeof key !== "string" || (entry & Flag.ENUMERABLE) === 0) continue;
      (o.shape.hasIndexKeys && arrayIndex(key) >= 0 ? indexes : names).push(key);
    }
    indexes.sort((a, b) => Number(a) - Number(b));
    for (const key of [...indexes, ...names]) {
      if (this.left <= 0) break;
      const slot = getOwn(o, key)?.slot;
      if (slot === undefined) continue;
      put(out, this.text(key), this.value(slot));
    }
    return out;
  }
}
