// How the log shows the kinds of builtin objects that are more than their properties.

import { getPrototypeOf } from "../src/object.js";
import { type GuestObject, Kind, type Value } from "../src/values.js";
import type { Inspection } from "./inspect.js";
import type { CompiledRegExp } from "./regexp-object.js";

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
      return { base: `/${c.text}/${c.pattern.flags.hasIndices ? "d" : ""}${[...c.flags].filter((f) => f !== "d").sort().join("")}` };
    }
    case Kind.NUMBER:
    case Kind.BOOLEAN:
    case Kind.BIGINT:
    case Kind.SYMBOL:
    case Kind.STRING: {
      if (getPrototypeOf(o) === null && name === null) return undefined;
      return { base: `[${BOXES[o.kind]}: ${inspection.format(o.d as Value, 0)}]` };
    }
    case Kind.GENERATOR:
    case Kind.ASYNC_GENERATOR:
      return { braces: [`Object [${o.kind === Kind.GENERATOR ? "Generator" : "AsyncGenerator"}] {`, "}"] };
  }
  return undefined;
}

const BOXES: Record<number, string> = { [Kind.NUMBER]: "Number", [Kind.BOOLEAN]: "Boolean", [Kind.BIGINT]: "BigInt", [Kind.SYMBOL]: "Symbol", [Kind.STRING]: "String" };
