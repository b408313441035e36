// A value as a person reads it in the log: the form of Node's `util.inspect`, made from our own objects. No code of the program runs:
// accessors are shown as such, proxies by their target, and names are read from data properties only. All is bounded.

import { bigintText, isArray } from "../src/convert.js";
import { peek, stackText } from "../src/error-text.js";
import { getOwn, slotOf } from "../src/object.js";
import { type PromiseData, PromiseState } from "../src/promise.js";
import { charge, chargeText } from "../src/run-state.js";
import { Flag, arrayIndex, lookup, protoOf, tableOf } from "../src/shape.js";
import {
  Accessor,
  FunctionFlag,
  type FunctionObject,
  type GuestObject,
  HOLE,
  type Key,
  Kind,
  SYM,
  type SparseData,
  type Value,
  isFunction,
} from "../src/values.js";
import { formatKind, proxyTarget } from "./inspect-kinds.js";

const MAX_DEPTH = 4;
export const MAX_ITEMS = 100;
const MAX_STRING = 10_000;
const MAX_TEXT = 200_000;
const BREAK_LENGTH = 80;
const COMPACT = 3;

/** The text of a value. A string stands in quotes; the log shows strings of its own arguments bare. */
export function inspect(v: Value, depth: number = MAX_DEPTH): string {
  return new Inspection(depth).format(v, 0);
}

export class Inspection {
  readonly maxDepth: number;
  /** The objects that are being shown, outermost first. */
  private readonly seen: GuestObject[] = [];
  private readonly circular = new Map<GuestObject, number>();
  private indentation = 0;
  private currentDepth = 0;
  private written = 0;
  constructor(maxDepth: number) {
    this.maxDepth = maxDepth;
  }

  format(v: Value, depth: number): string {
    charge(1);
    switch (typeof v) {
      case "string":
        return this.count(quote(v));
      case "number":
        return this.count(Object.is(v, -0) ? "-0" : `${v}`);
      case "bigint":
        return this.count(`${bigintText(v, 10)}n`);
      case "symbol":
        return this.count(v.toString());
      case "object":
        if (v !== null) return this.object(v, depth);
        return this.count("null");
      default:
        return this.count(String(v));
    }
  }

  private count(text: string): string {
    this.written += text.length;
    chargeText(text.length);
    return text;
  }

  private object(o: GuestObject, depth: number): string {
    let target = o;
    for (let i = 0; target.kind === Kind.PROXY; i++) {
      const next = i > 10 ? null : proxyTarget(target);
      if (next === null) return "<Revoked Proxy>";
      target = next;
    }
    if (this.seen.includes(target)) {
      let index = this.circular.get(target);
      if (index === undefined) this.circular.set(target, (index = this.circular.size + 1));
      return this.count(`[Circular *${index}]`);
    }
    if (this.written > MAX_TEXT) return "…";
    return this.raw(target, depth);
  }

  private raw(o: GuestObject, depth: number): string {
    const name = constructorName(o);
    const tag = peek(o, SYM.toStringTag);
    const prefix = (fallback: string, size?: number): string => {
      const own =
        name === null
          ? `[${fallback}${size === undefined ? "" : `(${size})`}: null prototype] `
          : `${name}${size === undefined ? "" : `(${size})`} `;
      return typeof tag === "string" && tag !== "" && tag !== name && tag !== fallback ? `${own}[${tag.slice(0, 100)}] ` : own;
    };
    let braces: [string, string] = ["{", "}"];
    let base = "";
    let isList = false;
    let entries: ((depth: number) => string[]) | null = null;
    let keys: Key[];
    const array: boolean = isArray(o);
    if (array) {
      isList = true;
      const length = o.kind === Kind.ARRAY ? (o.d as Value[]).length : (o.d as SparseData).length;
      keys = this.keysOf(o, true);
      const shown = name === "Array" && (typeof tag !== "string" || tag === "") ? "" : prefix("Array", length);
      braces = [`${shown}[`, "]"];
      if (length === 0 && keys.length === 0) return this.count(`${braces[0]}]`);
      entries = (d) => this.arrayItems(o, length, d);
    } else {
      keys = this.keysOf(o, false);
      const kind = formatKind(this, o, prefix, name);
      if (kind !== undefined) {
        if (kind.braces !== undefined) braces = kind.braces;
        base = kind.base ?? "";
        isList = kind.isList ?? false;
        entries = kind.entries ?? null;
      } else if (isFunction(o)) {
        base = functionBase(o, name);
      } else if (o.kind === Kind.ERROR) {
        base = this.errorBase(o);
        keys = keys.concat(hiddenErrorKeys(o, keys));
      } else if (o.kind === Kind.ARGUMENTS) {
        braces[0] = "[Arguments] {";
      } else if (o.kind === Kind.PROMISE) {
        braces[0] = `${prefix("Promise")}{`;
        entries = (d) => [this.promiseState(o.d as PromiseData, d)];
      } else {
        const shown = prefix("Object");
        braces[0] = `${shown === "Object " ? "" : shown}{`;
      }
      if (keys.length === 0 && entries === null) return this.count(base !== "" ? base : `${braces[0]}}`);
      if (keys.length === 0 && kind?.isEmpty === true) return this.count(`${braces[0]}${braces[1]}`);
    }
    if (depth > this.maxDepth) {
      if (base !== "" && o.kind === Kind.ERROR) return this.count(base);
      return this.count(`[${array ? "Array" : (name ?? "Object: null prototype")}]`);
    }
    this.seen.push(o);
    this.currentDepth = depth;
    this.indentation += 2;
    const output: string[] = entries === null ? [] : entries(depth + 1);
    const shownKeys = keys.length > MAX_ITEMS ? MAX_ITEMS : keys.length;
    for (let i = 0; i < shownKeys; i++) {
      if (this.written > MAX_TEXT) {
        output.push("…");
        break;
      }
      output.push(this.property(o, keys[i], depth + 1));
    }
    if (keys.length > shownKeys)
      output.push(`... ${keys.length - shownKeys} more ${keys.length - shownKeys > 1 ? "properties" : "property"}`);
    this.indentation -= 2;
    this.seen.pop();
    const index = this.circular.get(o);
    if (index !== undefined) {
      const reference = `<ref *${index}>`;
      if (base === "") braces[0] = `${reference} ${braces[0]}`;
      else base = `${reference} ${base}`;
    }
    return this.layout(output, base, braces, isList, depth, isList ? o : null);
  }

  // Parts --------------------------------------------------------------------------------------------------------------------------

  /** The keys to show: enumerable ones, without the elements of arrays. */
  private keysOf(o: GuestObject, isList: boolean): Key[] {
    const keys: Key[] = [];
    const symbols: Key[] = [];
    const indexes: string[] = [];
    charge(1);
    if (o.kind === Kind.STRING || o.kind === Kind.TYPED_ARRAY) isList = true;
    const table = tableOf(o.shape);
    charge(table.size >> 2);
    for (const [key, entry] of table) {
      if (typeof key === "object" || (entry & Flag.ENUMERABLE) === 0) continue;
      if (typeof key === "symbol") symbols.push(key);
      else if (arrayIndex(key) < 0) keys.push(key);
      else if (!isList) indexes.push(key);
    }
    indexes.sort((a, b) => Number(a) - Number(b));
    return [...indexes, ...keys, ...symbols];
  }

  private property(o: GuestObject, key: Key, depth: number): string {
    const own = getOwn(o, key);
    const name = typeof key === "symbol" ? `[${key.toString()}]` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
    this.count(name);
    const hidden = own !== undefined && (own.flags & Flag.ENUMERABLE) === 0 && typeof key === "string";
    return `${hidden ? `[${name}]` : name}: ${this.slot(own?.slot, depth)}`;
  }

  private slot(v: Value | Accessor, depth: number): string {
    if (v instanceof Accessor) return this.count(v.get === undefined ? "[Setter]" : v.set === undefined ? "[Getter]" : "[Getter/Setter]");
    return this.format(v, depth);
  }

  /** Elements with their holes; at most MAX_ITEMS. */
  private arrayItems(o: GuestObject, length: number, depth: number): string[] {
    const out: string[] = [];
    const at = (i: number): Value | Accessor => {
      if (o.kind === Kind.ARRAY) return i < (o.d as Value[]).length ? (o.d as Value[])[i] : HOLE;
      const own = getOwn(o, String(i));
      return own === undefined ? HOLE : own.slot;
    };
    let i = 0;
    while (i < length && out.length < MAX_ITEMS) {
      if (this.written > MAX_TEXT) break;
      charge(1);
      if (at(i) !== HOLE) {
        out.push(this.slot(at(i), depth));
        i++;
        continue;
      }
      const from = i;
      if (o.kind === Kind.ARRAY) while (i < length && at(i) === HOLE) i++;
      else i = this.nextIndex(o, i, length);
      charge(i - from);
      out.push(`<${i - from} empty item${i - from > 1 ? "s" : ""}>`);
    }
    if (i < length) out.push(`... ${length - i} more item${length - i > 1 ? "s" : ""}`);
    return out;
  }

  /** The first element of a sparse array at or after `from`. */
  private nextIndex(o: GuestObject, from: number, length: number): number {
    let next = length;
    const table = tableOf(o.shape);
    charge(table.size);
    for (const key of table.keys()) {
      if (typeof key !== "string") continue;
      const i = arrayIndex(key);
      if (i >= from && i < next) next = i;
    }
    return next;
  }

  /** Items of a collection: each is made by `item` as long as there is room. */
  items<T>(all: Iterable<T>, size: number, item: (one: T) => string): string[] {
    const out: string[] = [];
    for (const one of all) {
      if (out.length >= MAX_ITEMS || this.written > MAX_TEXT) break;
      charge(1);
      out.push(item(one));
    }
    if (size > out.length) out.push(`... ${size - out.length} more item${size - out.length > 1 ? "s" : ""}`);
    return out;
  }

  private promiseState(p: PromiseData, depth: number): string {
    if (p.state === PromiseState.PENDING) return this.count("<pending>");
    const text = this.format(p.value, depth);
    return p.state === PromiseState.REJECTED ? `<rejected> ${text}` : text;
  }

  private errorBase(e: GuestObject): string {
    const own = getOwn(e, "stack");
    const text = own !== undefined && typeof own.slot === "string" ? own.slot : stackText(e);
    const shown = text.length > MAX_STRING ? `${text.slice(0, MAX_STRING)}…` : text;
    const framed = shown.includes("\n    at ") || this.indentation === 0 ? shown : `[${shown}]`;
    return this.indentation === 0 ? framed : framed.replaceAll("\n", `\n${" ".repeat(this.indentation)}`);
  }

  // Layout -------------------------------------------------------------------------------------------------------------------------

  /** One line if it fits, columns for long lists, else one line for each part. */
  private layout(
    parts: string[],
    base: string,
    braces: [string, string],
    isList: boolean,
    depth: number,
    list: GuestObject | null,
  ): string {
    let output = parts;
    const entries = output.length;
    if (isList && entries > 6) output = this.columns(output, list);
    if (this.currentDepth - depth < COMPACT && entries === output.length) {
      const start = output.length + this.indentation + braces[0].length + base.length + 10;
      let total = output.length + start;
      for (const part of output) total += part.length;
      if (total <= BREAK_LENGTH && !base.includes("\n")) {
        const joined = output.join(", ");
        if (!joined.includes("\n")) return `${base === "" ? "" : `${base} `}${braces[0]} ${joined} ${braces[1]}`;
      }
    }
    const indent = `\n${" ".repeat(this.indentation)}`;
    return `${base === "" ? "" : `${base} `}${braces[0]}${indent}  ${output.join(`,${indent}  `)}${indent}${braces[1]}`;
  }

  /** Arranges the items of a list in columns, if they are short enough. */
  private columns(output: string[], list: GuestObject | null): string[] {
    const hasRest = output[output.length - 1].startsWith("... ");
    const n = hasRest ? output.length - 1 : output.length;
    const gap = 2;
    let total = 0;
    let widest = 0;
    for (let i = 0; i < n; i++) {
      if (output[i].includes("\n")) return output;
      total += output[i].length + gap;
      widest = Math.max(widest, output[i].length);
    }
    const width = widest + gap;
    if (!(width * 3 + this.indentation < BREAK_LENGTH && (total / width > 5 || widest <= 6))) return output;
    const bias = Math.sqrt(width - total / output.length);
    const biased = Math.max(width - 3 - bias, 1);
    const columns = Math.min(
      Math.round(Math.sqrt(2.5 * biased * n) / biased),
      Math.floor((BREAK_LENGTH - this.indentation) / width),
      COMPACT * 4,
      15,
    );
    if (columns <= 1) return output;
    const widths: number[] = [];
    for (let i = 0; i < columns; i++) {
      let w = 0;
      for (let j = i; j < n; j += columns) w = Math.max(w, output[j].length);
      widths.push(w + gap);
    }
    const numeric =
      list !== null && list.kind === Kind.ARRAY
        ? (list.d as Value[]).slice(0, n).every((v) => typeof v === "number" || typeof v === "bigint")
        : list?.kind === Kind.TYPED_ARRAY;
    const rows: string[] = [];
    for (let i = 0; i < n; i += columns) {
      const end = Math.min(i + columns, n);
      let row = "";
      for (let j = i; j < end - 1; j++) row += numeric ? `${output[j]}, `.padStart(widths[j - i]) : `${output[j]}, `.padEnd(widths[j - i]);
      row += numeric ? output[end - 1].padStart(widths[end - 1 - i] - gap) : output[end - 1];
      rows.push(row);
    }
    if (hasRest) rows.push(output[n]);
    return rows;
  }
}

/** Own data of an error that is not enumerable but worth showing. */
function hiddenErrorKeys(e: GuestObject, shown: Key[]): Key[] {
  return ["cause", "errors"].filter((key) => !shown.includes(key) && lookup(e.shape, key) >= 0);
}

function functionBase(fn: FunctionObject, constructor: string | null): string {
  const { flags } = fn.d.code;
  const own = peek(fn, "name");
  const name = typeof own === "string" ? own : "";
  if ((flags & FunctionFlag.CLASS) !== 0) {
    const parent = protoOf(fn.shape);
    const parentName = parent !== null && isFunction(parent) ? peek(parent, "name") : "";
    return `[class ${name === "" ? "(anonymous)" : name}${typeof parentName === "string" && parentName !== "" ? ` extends ${parentName}` : ""}]`;
  }
  const type = `${(flags & FunctionFlag.ASYNC) !== 0 ? "Async" : ""}${(flags & FunctionFlag.GENERATOR) !== 0 ? "Generator" : ""}Function`;
  return `[${type}${name === "" ? " (anonymous)" : `: ${name.slice(0, 200)}`}]${constructor === null ? " [null prototype]" : ""}`;
}

/** The name of the class that `o` is of: the first `constructor` on its chain that is a data property of a function with a name. */
export function constructorName(o: GuestObject): string | null {
  let steps = 0;
  for (let p: GuestObject | null = o; p !== null && p.kind !== Kind.PROXY && steps++ < 1000; p = protoOf(p.shape)) {
    const entry = lookup(p.shape, "constructor");
    if (entry < 0 || (entry & Flag.ACCESSOR) !== 0) continue;
    const c = slotOf(p, entry);
    if (c instanceof Accessor || !isFunction(c)) continue;
    const name = peek(c, "name");
    if (typeof name === "string" && name !== "") return name.slice(0, 200);
  }
  return null;
}

const ESCAPES: Record<string, string> = { "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\\": "\\\\" };

/** A string in the quotes that need the fewest escapes. */
export function quote(s: string): string {
  const rest = s.length - MAX_STRING;
  const text = rest > 0 ? s.slice(0, MAX_STRING) : s;
  const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes("`") && !text.includes("${") ? "`" : "'";
  let out = "";
  for (const c of text) {
    const code = c.codePointAt(0)!;
    if (c === mark) out += `\\${c}`;
    else if (ESCAPES[c] !== undefined) out += ESCAPES[c];
    else if (code < 32 || (code >= 127 && code <= 159)) out += `\\x${code.toString(16).toUpperCase().padStart(2, "0")}`;
    else if (code >= 0xd800 && code <= 0xdfff) out += `\\u${code.toString(16)}`;
    else out += c;
  }
  return `${mark}${out}${mark}${rest > 0 ? `... ${rest} more character${rest > 1 ? "s" : ""}` : ""}`;
}
