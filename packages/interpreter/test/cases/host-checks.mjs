// What must hold of the host after any program: its intrinsics are as they were, and what came out is plain, bounded data.

/** Every object that is reached from the global object and a few literals, with its own properties and its prototype. */
export function snapshotIntrinsics() {
  const seen = new Map();
  const queue = [
    globalThis,
    async () => 0,
    function* () {},
    async function* () {},
    [][Symbol.iterator](),
    new Map().entries(),
    new Set().values(),
    ""[Symbol.iterator](),
    /x/[Symbol.matchAll]("x"),
  ];
  for (let i = 0; i < queue.length; i++) {
    const o = queue[i];
    if ((typeof o !== "object" || o === null) && typeof o !== "function") continue;
    if (seen.has(o)) continue;
    const proto = Object.getPrototypeOf(o);
    const own = new Map(Reflect.ownKeys(o).map((key) => [key, Object.getOwnPropertyDescriptor(o, key)]));
    seen.set(o, { proto, own, extensible: Object.isExtensible(o) });
    // The process and its modules change by themselves; the language's own objects do not.
    if (o === process || seen.size > 3000) continue;
    queue.push(proto);
    for (const d of own.values()) if (d !== undefined) queue.push(d.value, d.get, d.set);
  }
  return seen;
}

const MOVING = new Set(["lastIndex", "performance", "process", "fetch", "crypto", "navigator"]);

/** The first difference as text, or null. */
export function changedIntrinsic(before) {
  for (const [o, { proto, own, extensible }] of before) {
    if (o === process) continue;
    const name = typeof o === "function" ? `function ${o.name}` : Object.prototype.toString.call(o);
    if (Object.getPrototypeOf(o) !== proto) return `${name}: its prototype changed`;
    if (Object.isExtensible(o) !== extensible) return `${name}: extensibility changed`;
    const keys = Reflect.ownKeys(o);
    for (const key of keys) if (!own.has(key)) return `${name}: new property ${String(key)}`;
    for (const [key, was] of own) {
      if (MOVING.has(key)) continue;
      const is = Object.getOwnPropertyDescriptor(o, key);
      if (is === undefined) return `${name}: property ${String(key)} is gone`;
      for (const part of ["value", "get", "set", "writable", "enumerable", "configurable"]) {
        if (was !== undefined && !Object.is(was[part], is[part]) && isIntrinsicPart(o, is[part]))
          return `${name}: ${part} of ${String(key)} changed`;
      }
    }
  }
  return null;
}

/** State of builtin modules' objects (counters, maps of timers) is not part of the language. */
function isIntrinsicPart(o, value) {
  return typeof o === "function" || typeof value === "function" || typeof value === "boolean" || o === globalThis;
}

/** Null for plain data of at most `maxBytes` as JSON, else what is wrong with it. */
export function notPlain(value, maxBytes) {
  const wrong = look(value, "value", 0);
  if (wrong !== null) return wrong;
  const size = JSON.stringify(value)?.length ?? 0;
  return size > maxBytes ? `has ${size} bytes` : null;
}

function look(v, path, depth) {
  if (v === null || ["string", "number", "boolean", "undefined"].includes(typeof v)) return null;
  if (typeof v !== "object") return `${path} is a ${typeof v}`;
  if (depth > 250) return `${path} is too deep`;
  const proto = Object.getPrototypeOf(v);
  if (proto !== Object.prototype && proto !== Array.prototype) return `${path} has a prototype of its own`;
  for (const key of Reflect.ownKeys(v)) {
    if (typeof key === "symbol") return `${path} has a symbol key`;
    const d = Object.getOwnPropertyDescriptor(v, key);
    if (!("value" in d)) return `${path}.${key} is an accessor`;
    const wrong = look(d.value, `${path}.${key}`, depth + 1);
    if (wrong !== null) return wrong;
  }
  return null;
}
