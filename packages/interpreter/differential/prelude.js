// What every generated program begins with: a log of all observable effects, and one canonical text for any value.
const LOG = [];
let fuel = 300;
let nested = 0;
const burn = () => {
  if (--fuel < 0) throw new RangeError("~out of fuel");
};
const tagOf = (v) => {
  try {
    const tag = Object.prototype.toString.call(v);
    // V8 takes what has a proxy of an array as prototype for an array.
    return Array.isArray(v) ? "[object Array]" : tag === "[object Array]" ? "[object Object]" : tag;
  } catch (e) {
    return "[tag threw]";
  }
};
const quote = (s) => {
  let out = '"';
  const n = s.length > 400 ? 400 : s.length;
  for (let i = 0; i < n; i++) {
    const c = s.charCodeAt(i);
    out += c < 32 || c === 34 || c === 92 || c > 126 ? "\\" + c.toString(16) + ";" : s[i];
  }
  return out + (n < s.length ? "..." + s.length : "") + '"';
};
// Messages that both engines word alike; of others the error's name is enough.
const MESSAGES = [
  "is not defined",
  "Cannot set properties of undefined",
  "Cannot set properties of null",
  "is not a constructor",
  "Assignment to constant variable",
  "before initialization",
  "Invalid array length",
  "Invalid time value",
  "Cannot convert a Symbol value to a",
  "Cannot mix BigInt and other types",
  "Reduce of empty array with no initial value",
  "Converting circular structure to JSON",
  "Invalid count value",
  "cannot be invoked without 'new'",
  "read only property",
  "object is not extensible",
  "Cannot convert object to primitive value",
  "Do not know how to serialize a BigInt",
];
const messageOf = (m) => {
  if (typeof m !== "string") return show(m);
  if (m[0] === "~" || m === "") return m;
  for (const part of ["is not iterable", "is not async iterable", "is not a function", "Cannot read properties of", "Cannot destructure"])
    if (m.includes(part)) return "«not what is asked»";
  for (const part of MESSAGES) if (m.includes(part)) return "«" + part + "»";
  return "«other»";
};
const showKey = (k) => (typeof k === "symbol" ? "@" + String(k.description) : quote(k));
// Engines differ in how many properties these have.
const BUILTINS = new Map();
for (const name of Object.getOwnPropertyNames(globalThis)) {
  const v = globalThis[name];
  if ((typeof v !== "function" && typeof v !== "object") || v === null) continue;
  BUILTINS.set(v, name);
  if (typeof v === "function" && v.prototype) BUILTINS.set(v.prototype, name + ".prototype");
}
const show = (v, depth = 0, seen = []) => {
  if (BUILTINS.has(v)) return "(" + BUILTINS.get(v) + ")";
  switch (typeof v) {
    case "undefined":
      return "undefined";
    case "number":
      return v === 0 && 1 / v < 0 ? "-0" : String(v);
    case "string":
      return quote(v);
    case "bigint":
      return String(v) + "n";
    case "symbol":
      return "@" + String(v.description);
    case "boolean":
      return v ? "true" : "false";
    case "function":
      return depth > 4 ? "function" : "function " + showOwn(v, depth, seen);
  }
  if (v === null) return "null";
  for (let i = 0; i < seen.length; i++) if (seen[i] === v) return "(" + (seen.length - i) + " up)";
  if (depth > 5) return "...";
  const inner = [...seen, v];
  const tag = tagOf(v);
  let head = tag === "[object Object]" ? "" : tag === "[object Array]" ? "A" : tag;
  switch (tag) {
    case "[object Error]":
      if (Object.hasOwn(v, "message")) head += show(v.name, depth + 1, inner) + ":" + messageOf(v.message);
      else head += show(v.name, depth + 1, inner);
      break;
    case "[object Date]":
      try {
        head += show(Date.prototype.getTime.call(v));
      } catch (e) {}
      break;
    case "[object RegExp]":
      try {
        head += "/" + quote(v.source) + "/" + v.flags;
      } catch (e) {}
      break;
    case "[object Map]":
      try {
        Map.prototype.forEach.call(v, (x, k) => {
          head += " " + show(k, depth + 1, inner) + "=>" + show(x, depth + 1, inner);
        });
      } catch (e) {}
      break;
    case "[object Set]":
      try {
        Set.prototype.forEach.call(v, (x) => {
          head += " " + show(x, depth + 1, inner);
        });
      } catch (e) {}
      break;
    case "[object Number]":
    case "[object String]":
    case "[object Boolean]":
    case "[object BigInt]":
    case "[object Symbol]":
      try {
        head += show(v.valueOf(), depth + 1, inner);
      } catch (e) {}
      break;
    case "[object ArrayBuffer]":
      head += v.byteLength;
      break;
  }
  return head + showOwn(v, depth, inner);
};
const showOwn = (v, depth, seen) => {
  let out = "{";
  let n = 0;
  let keys;
  try {
    keys = Reflect.ownKeys(v);
  } catch (e) {
    return "{keys threw}";
  }
  const isError = tagOf(v) === "[object Error]";
  for (const key of keys) {
    if (isError && key === "message") continue;
    if (++n > 40) {
      out += " ..." + keys.length;
      break;
    }
    let d;
    try {
      d = Reflect.getOwnPropertyDescriptor(v, key);
    } catch (e) {
      out += " " + showKey(key) + " threw";
      continue;
    }
    if (d === undefined) {
      out += " " + showKey(key) + " gone";
      continue;
    }
    // A stack is the engine's: a text, or in newer ones accessors.
    if (key === "stack" && !d.enumerable && (typeof d.value === "string" || (isError && d.get !== undefined))) continue;
    out += " " + showKey(key) + (d.configurable ? "" : "!") + (d.enumerable ? "" : "~");
    if ("value" in d) out += (d.writable ? ":" : "=") + show(d.value, depth + 1, seen);
    else out += (d.get === undefined ? "" : " get") + (d.set === undefined ? "" : " set");
  }
  return out + "}";
};
const log = (...args) => {
  burn();
  LOG.push(args.map((v) => show(v)).join(" "));
};
/** Runs a thunk and logs what it gives or throws. */
const L = (f) => {
  let v;
  try {
    v = f();
  } catch (e) {
    log("threw", e);
    return;
  }
  log(v);
};
/** Logs the moment of an evaluation. */
const T = (k, v) => {
  log("T" + k);
  return v;
};
const obj = (k, number, string) => ({
  valueOf() {
    log("valueOf " + k);
    return number;
  },
  toString() {
    log("toString " + k);
    return string;
  },
});
const prim = (k, v) => ({
  [Symbol.toPrimitive](hint) {
    log("toPrimitive " + k + " " + hint);
    if (v === "~throw") throw new Error("~prim");
    return v;
  },
});
/** An iterable that logs what is asked of it. */
const iter = (k, values, mode = 0) => ({
  [Symbol.iterator]() {
    log("iterator " + k);
    let i = 0;
    return {
      next(...args) {
        log("next " + k, ...args);
        if (mode === 1 && i === 1) throw new Error("~next " + k);
        return i < values.length ? { value: values[i++], done: false } : { value: "end", done: true };
      },
      return(...args) {
        log("return " + k, ...args);
        if (mode === 2) throw new Error("~return " + k);
        return mode === 3 ? 7 : { value: args[0], done: mode !== 5 };
      },
      throw(...args) {
        log("throw " + k, ...args);
        if (mode === 4) return { value: 0, done: true };
        throw args[0];
      },
    };
  },
});
const aiter = (k, values, mode = 0) => ({
  [Symbol.asyncIterator]() {
    log("asyncIterator " + k);
    let i = 0;
    return {
      next(...args) {
        log("next " + k, ...args);
        if (mode === 1 && i === 1) return Promise.reject(new Error("~next " + k));
        return mode === 6
          ? { value: values[i++], done: i > values.length }
          : Promise.resolve(i < values.length ? { value: values[i++], done: false } : { value: "end", done: true });
      },
      return(...args) {
        log("return " + k, ...args);
        if (mode === 2) throw new Error("~return " + k);
        return mode === 3 ? 7 : Promise.resolve({ value: args[0], done: true });
      },
    };
  },
});
const thenable = (k, v, mode = 0) => ({
  then(yes, no) {
    log("then " + k);
    if (mode === 1) return no(v);
    if (mode === 2) throw v;
    if (mode === 3) {
      yes(v);
      yes("again");
      throw new Error("~late");
    }
    if (mode === 4) return void Promise.resolve().then(() => yes(v));
    yes(v);
  },
});
/** A proxy that logs each trap and does what the target would do. */
const spies = new WeakSet();
const spy = (k, target) => {
  const handler = {};
  for (const name of [
    "get",
    "set",
    "has",
    "deleteProperty",
    "ownKeys",
    "getOwnPropertyDescriptor",
    "defineProperty",
    "getPrototypeOf",
    "setPrototypeOf",
    "isExtensible",
    "preventExtensions",
    "apply",
    "construct",
  ]) {
    handler[name] = (...args) => {
      burn();
      LOG.push(
        k +
          " " +
          name +
          (/^(get|set|has|deleteProperty|getOwnPropertyDescriptor|defineProperty)$/.test(name) ? " " + showKey(args[1]) : ""),
      );
      // A proxy in its own chain of prototypes.
      if (++nested > 30) {
        nested = 0;
        throw new RangeError("~too deep");
      }
      const v = Reflect[name](...args);
      nested--;
      return v;
    };
  }
  const made = new Proxy(target, handler);
  spies.add(made);
  return made;
};
/** What for…in goes through: in which order it asks a proxy is up to engines. */
const plain = (v) => {
  for (let p = v; (typeof p === "object" && p !== null) || typeof p === "function"; p = Object.getPrototypeOf(p))
    if (spies.has(p)) return {};
  return v;
};
const holes = (n) => {
  const a = [1, , 3];
  a.length = n;
  return a;
};
const ticks = async (n, v) => {
  for (let i = 0; i < n; i++) await undefined;
  return v;
};
/** A consistent order: what engines do with others is their own affair. */
const order = (x, y) => (x === y ? 0 : x < y ? -1 : 1);
const by = (key) => (x, y) => order(key(x), key(y));
const size = (x) => (typeof x === "number" && x - x === 0 ? x : typeof x === "string" ? x.length : -1);
/** What may be sorted: how often an order asks objects for their texts, and short lists at all, is up to engines. */
const sortable = (list) => {
  const out = [];
  for (let i = 0; i < list.length; i++) {
    if (!(i in list)) out.length++;
    else if (list[i] === null || /^(undefined|number|string|boolean|bigint)$/.test(typeof list[i])) out.push(list[i]);
  }
  return out;
};
const tag = (strings, ...values) => {
  log("tag", strings, strings.raw, values);
  return strings.join("|") + values.length;
};
class C0 {
  constructor(x) {
    this.x = x;
  }
  m(...r) {
    return this.x;
  }
  get g() {
    log("get g");
    return this.x;
  }
  set g(v) {
    log("set g", v);
    this.x = v;
  }
}
