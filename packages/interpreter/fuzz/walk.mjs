// The heap of a run: every slot that a program can see holds a primitive or an object of ours, and what our objects keep inside is of the
// classes that are known here. Nothing of the host's is to be reached.

import { types } from "node:util";

const HOST_SYMBOLS = new Set(
  Object.getOwnPropertyNames(Symbol)
    .map((name) => Symbol[name])
    .filter((v) => typeof v === "symbol"),
);

/** Classes of what objects keep inside; programs never get at it. What is in them is walked. */
const INSIDE = new Set(
  `Object Array Map Set FunctionData Activation PromiseData BoundData ErrorData SparseData ProxyData TypedData BufferData DataViewData RegExp
  ArrayIterator MapIterator SetIterator StringIterator RegExpStringIterator ParamsIterator SegmentIterator Mapped Filtered FlatMapped Taken Dropped Chunked Windowed Concatenated Zipped Wrapped IteratorRecord
  ThenReaction CapabilityReaction Follow Finally Element Group Target Resolving CapabilityParts SignalData TargetData EventData ControllerData ServiceData UrlData ParamsData DecoderData EncoderData CryptoData
  StackData ConsoleState SegmentsData Source KeyWalk Disposal Definition Accessor Ending ReturnSignal GuestThrow ToolNode ToolData Operands Registry Awaited Awaiting Waiting`.split(
    /\s+/,
  ),
);
/** Classes whose objects end the walk: code, tables, buffers, the host's parsers. */
const LEAVES = new Set(
  `Code Shape Sentinel Completion PrivateName CompiledRegExp Call Execution Jobs Realm WeakMap WeakSet URL URLSearchParams TextDecoder ArrayBuffer DataView Uint8Array Int8Array Uint8ClampedArray Int16Array Uint16Array
  Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array Generator`.split(/\s+/),
);

const ARRAY = 25;
const FUNCTION = 1;

/** What is wrong with the heap below `roots`, as a text; null if nothing is. */
export function walkHeap(roots, GuestObject, mostObjects = 60_000) {
  const seen = new Set();
  const queue = [];
  let wrong = null;
  const fail = (text) => {
    wrong ??= text;
  };

  const value = (v, where, sentinels = false) => {
    if (typeof v === "symbol" && (HOST_SYMBOLS.has(v) || Symbol.keyFor(v) !== undefined))
      return fail(`${where} holds a symbol of the host's: ${String(v)}`);
    if (typeof v === "function") return fail(`${where} holds a function of the host's: ${v.name}`);
    if (typeof v !== "object" || v === null) return;
    if (v instanceof GuestObject) {
      if (!seen.has(v)) {
        seen.add(v);
        queue.push(v);
      }
      return;
    }
    const name = className(v);
    if (sentinels && name === "Sentinel") return;
    fail(`${where} holds an object of the host's: ${name}`);
  };

  const slot = (v, where) => {
    if (v !== null && typeof v === "object" && className(v) === "Accessor") {
      value(v.get, `${where} (getter)`);
      value(v.set, `${where} (setter)`);
    } else value(v, where, true);
  };

  /** What an object keeps; `pending` instead of recursion, as chains of iterators and the like are long. */
  const pending = [];
  const inside = (v, where) => {
    pending.push(v, where);
    while (pending.length > 0) {
      const at = pending.pop();
      look(pending.pop(), at);
    }
  };
  const look = (v, where) => {
    if (typeof v === "symbol") return value(v, where);
    if (typeof v !== "object" || v === null) return; // functions are code of ours here: what they call is not data
    if (v instanceof GuestObject) return value(v, where);
    if (types.isProxy(v) || types.isPromise(v) || types.isNativeError(v) || v === globalThis || v === process)
      return fail(`${where} keeps ${types.isProxy(v) ? "a proxy" : className(v)}`);
    if (seen.has(v)) return;
    seen.add(v);
    const name = className(v);
    if (
      LEAVES.has(name) ||
      types.isGeneratorObject(v) ||
      types.isMapIterator(v) ||
      types.isSetIterator(v) ||
      Object.prototype.toString.call(v) === "[object URLSearchParams Iterator]"
    )
      return;
    if (!INSIDE.has(name)) return fail(`${where} keeps an object of a class that is not known: ${name}`);
    const inner = where.length > 100 ? where : `${where}, a ${name}`;
    if (Array.isArray(v)) for (const item of v) pending.push(item, inner);
    else if (types.isMap(v)) for (const [k, item] of v) pending.push(k, inner, item, inner);
    else if (types.isSet(v)) for (const item of v) pending.push(item, inner);
    else {
      for (const key of Reflect.ownKeys(v)) {
        const d = Object.getOwnPropertyDescriptor(v, key);
        if ("value" in d) pending.push(d.value, `${inner} (${String(key)})`);
      }
    }
  };

  for (const root of roots) value(root, "a root");
  for (let n = 0; queue.length > 0 && n < mostObjects; n++) {
    const o = queue.pop();
    const where = `an object of kind ${o.kind}`;
    const { shape } = o;
    if (Object.getPrototypeOf(o) !== GuestObject.prototype || Object.getPrototypeOf(GuestObject.prototype) !== null)
      fail(`${where} has another host prototype`);
    if (Reflect.ownKeys(o).join() !== "shape,kind,d,s0,s1,s2,s3,more")
      fail(`${where} has other fields: ${Reflect.ownKeys(o).map(String).join()}`);
    if (className(shape) !== "Shape") fail(`${where} has no shape`);
    value(shape.proto, `${where} (prototype)`);
    for (let s = shape; s !== null; s = s.table === null ? s.parent : null) {
      if (s.key !== null) key(s.key, where);
      if (s.table !== null) for (const k of s.table.keys()) key(k, where);
    }
    slot(o.s0, `${where}, slot 0`);
    slot(o.s1, `${where}, slot 1`);
    slot(o.s2, `${where}, slot 2`);
    slot(o.s3, `${where}, slot 3`);
    if (o.more !== null) o.more.forEach((v, i) => slot(v, `${where}, slot ${i + 4}`));
    if (o.kind === ARRAY) for (const item of o.d) value(item, `${where}, an element`, true);
    else if (types.isMap(o.d)) for (const [k, item] of o.d) for (const one of [k, item]) value(one, `${where}, an entry`);
    else if (types.isSet(o.d)) for (const item of o.d) value(item, `${where}, an item`);
    else if (o.kind === FUNCTION) {
      environment(o.d.env, where);
      value(o.d.home, `${where}, its home`);
      inside(o.d.data, `${where}, its data`);
    } else inside(o.d, `${where}, its data`);
  }
  return wrong;

  function key(k, where) {
    if (typeof k === "symbol") value(k, `${where}, a key`);
    else if (typeof k !== "string" && className(k) !== "PrivateName") fail(`${where} has a key that is none: ${String(k)}`);
  }

  /** `[parent, v1, v2, …]` */
  function environment(env, where) {
    while (Array.isArray(env) && !seen.has(env)) {
      seen.add(env);
      for (let i = 1; i < env.length; i++)
        if (className(env[i]) !== "PrivateName" && !Array.isArray(env[i])) variable(env[i], `${where}, a captured variable`);
      env = env[0];
    }
  }

  function variable(v, where) {
    if (v !== null && typeof v === "object" && !(v instanceof GuestObject)) inside(v, where);
    else value(v, where, true);
  }
}

function className(v) {
  if (typeof v !== "object" || v === null) return typeof v;
  const proto = Object.getPrototypeOf(v);
  if (proto === null) return "Object";
  const constructor = Object.getOwnPropertyDescriptor(proto, "constructor")?.value;
  return typeof constructor === "function" ? constructor.name : "unknown";
}
