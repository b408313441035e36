// How the log shows the kinds of builtin objects that are more than their properties.

import { type BufferData } from "../src/buffer.js";
import { getPrototypeOf } from "../src/object.js";
import { ELEMENT_NAMES, type TypedData, readElement, typedLength } from "../src/typed-array-exotic.js";
import { type GuestObject, Kind, type Value } from "../src/values.js";
import type { Inspection } from "./inspect.js";
import type { CompiledRegExp } from "./regexp-object.js";
import { ParamsData } from "./url-search-params.js";
import { UrlData } from "./url.js";

const MAX_BYTES = 50;

/** What stands before the properties of an object. */
export interface KindFormat {
  base?: string;
  braces?: [string, string];
  isList?: boolean;
  isEmpty?: boolean;
  entries?: (depth: number) => string[];
}

/** What a proxy stands for; null once it is revoked. */
export function proxyTarget(o: GuestObject): GuestObject | null {
  return (o.d as { target: GuestObject | null }).target;
}

type Prefix = (fallback: string, size?: number) => string;

export function formatKind(inspection: Inspection, o: GuestObject, prefix: Prefix, name: string | null): KindFormat | undefined {
  switch (o.kind) {
    case Kind.MAP: {
      const map = o.d as Map<Value, Value>;
      return {
        braces: [`${prefix("Map", map.size)}{`, "}"],
        isEmpty: map.size === 0,
        entries: (d) => inspection.items(map, map.size, ([k, v]) => `${inspection.format(k, d)} => ${inspection.format(v, d)}`),
      };
    }
    case Kind.SET: {
      const set = o.d as Set<Value>;
      return {
        braces: [`${prefix("Set", set.size)}{`, "}"],
        isEmpty: set.size === 0,
        entries: (d) => inspection.items(set, set.size, (v) => inspection.format(v, d)),
      };
    }
    case Kind.WEAK_MAP:
    case Kind.WEAK_SET:
      return { braces: [`${prefix(o.kind === Kind.WEAK_MAP ? "WeakMap" : "WeakSet")}{`, "}"], entries: () => ["<items unknown>"] };
    case Kind.DATE: {
      const time = o.d as number;
      return { base: Number.isNaN(time) ? "Invalid Date" : new Date(time).toISOString() };
    }
    case Kind.REGEXP: {
      const c = o.d as CompiledRegExp;
      return { base: `/${c.text}/${[...c.flags].toSorted().join("")}` };
    }
    case Kind.NUMBER:
    case Kind.BOOLEAN:
    case Kind.BIGINT:
    case Kind.SYMBOL:
    case Kind.STRING: {
      if (getPrototypeOf(o) === null && name === null) return undefined;
      return { base: `[${BOXES[o.kind]}: ${inspection.format(o.d as Value, 0)}]` };
    }
    case Kind.TYPED_ARRAY: {
      const d = o.d as TypedData;
      const length = typedLength(d);
      const indexes = {
        *[Symbol.iterator]() {
          for (let i = 0; i < length; i++) yield i;
        },
      };
      return {
        braces: [`${prefix(`${ELEMENT_NAMES[d.type]}Array`, length)}[`, "]"],
        isList: true,
        isEmpty: length === 0,
        entries: (depth) => inspection.items(indexes, length, (i) => inspection.format(readElement(d, i), depth)),
      };
    }
    case Kind.ARRAY_BUFFER: {
      const d = o.d as BufferData;
      const bytes = new Uint8Array(d.bytes, 0, Math.min(d.length, MAX_BYTES));
      const rest = d.length - bytes.length;
      const contents = `<${[...bytes].map((b) => b.toString(16).padStart(2, "0")).join(" ")}${rest > 0 ? ` ... ${rest} more bytes` : ""}>`;
      return { braces: [`${prefix("ArrayBuffer")}{`, "}"], entries: () => [`[Uint8Contents]: ${contents}`, `byteLength: ${d.length}`] };
    }
    case Kind.HOST_DATA:
      if (o.d instanceof UrlData) {
        const { href } = o.d.host;
        return { braces: [`${prefix("URL")}{`, "}"], entries: (depth) => [`href: ${inspection.format(href, depth)}`] };
      }
      if (o.d instanceof ParamsData) {
        const params = o.d.host;
        return {
          braces: [`${prefix("URLSearchParams")}{`, "}"],
          isEmpty: params.size === 0,
          entries: (depth) =>
            inspection.items(params, params.size, ([k, v]) => `${inspection.format(k, depth)} => ${inspection.format(v, depth)}`),
        };
      }
      return undefined;
    case Kind.GENERATOR:
    case Kind.ASYNC_GENERATOR:
      return { braces: [`Object [${o.kind === Kind.GENERATOR ? "Generator" : "AsyncGenerator"}] {`, "}"] };
  }
  return undefined;
}

const BOXES: Record<number, string> = {
  [Kind.NUMBER]: "Number",
  [Kind.BOOLEAN]: "Boolean",
  [Kind.BIGINT]: "BigInt",
  [Kind.SYMBOL]: "Symbol",
  [Kind.STRING]: "String",
};
