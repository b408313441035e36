// Host side of the sandbox cases: two namespaces of tools and nothing else.
import { types } from "node:util";

export function makeFixtureTools() {
  let calls = 0;
  const shared = { list: [1, 2], inner: { x: 1 }, keep: true };
  const stackHook = Error.prepareStackTrace;
  class Secret {
    #p = 1;
    a = 1;
    get live() {
      return this.#p;
    }
    secretMethod() {
      return this.#p;
    }
  }
  const plain = (v, seen = new Set()) => {
    if (v === null || ["string", "number", "boolean", "undefined"].includes(typeof v)) return true;
    if (typeof v !== "object" || types.isProxy(v) || seen.has(v)) return false;
    seen.add(v);
    const p = Object.getPrototypeOf(v);
    if (p !== null && p !== Object.prototype && p !== Array.prototype) return false;
    return Reflect.ownKeys(v).every((k) => {
      const d = Object.getOwnPropertyDescriptor(v, k);
      return "value" in d && (k === "length" || plain(d.value, seen));
    });
  };
  const accessors = (v) =>
    v && typeof v === "object" ? Object.values(Object.getOwnPropertyDescriptors(v)).filter((d) => d.get || d.set).length : 0;
  const nest = (n) => {
    let d = {};
    for (let i = 0; i < n; i++) d = { d };
    return d;
  };
  const laughs = () => {
    let a = ["ha"];
    for (let i = 0; i < 30; i++) a = [a, a];
    return a;
  };
  const trap = () => {
    throw new Error("trap");
  };
  const throwing = () => new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap, has: trap, getOwnPropertyDescriptor: trap });

  const give = {
    function: () => () => 1,
    "function-in-object": () => ({ fn: () => 1 }),
    bound: () => trap.bind(null),
    "async-function": () => async () => 1,
    class: () => Secret,
    "class-instance": () => new Secret(),
    error: () => Object.assign(new TypeError("given"), { secret: 1 }),
    map: () => new Map([[1, 2]]),
    set: () => new Set([1]),
    date: () => new Date(0),
    regexp: () => /x/g,
    url: () => new URL("http://example.test/"),
    array: () => [1, 2],
    "null-proto": () => Object.assign(Object.create(null), { a: 1 }),
    arguments: () =>
      (function () {
        return arguments;
      })(1),
    promise: () => ({ inner: Promise.resolve(1) }),
    buffer: () => Buffer.from("abc"),
    uint8array: () => new Uint8Array([1, 2]),
    arraybuffer: () => new ArrayBuffer(4),
    getter: () => ({
      get live() {
        return {};
      },
    }),
    proxy: () =>
      new Proxy(
        { a: 1 },
        {
          set(t, k, v) {
            t[k] = v;
            t.trapped = true;
            return true;
          },
        },
      ),
    "throwing-proxy": throwing,
    cyclic: () => {
      const c = {};
      c.me = c;
      return c;
    },
    deep: () => nest(50000),
    "billion-laughs": laughs,
    "huge-string": () => "h".repeat(2 ** 28),
    sparse: () => {
      const a = [];
      a.length = 2 ** 32 - 1;
      return a;
    },
    "many-keys": () => Object.fromEntries(Array.from({ length: 1000000 }, (v, i) => ["k" + i, i])),
    nan: () => NaN,
    "neg-zero": () => -0,
    infinity: () => Infinity,
    bigint: () => 10n,
    undefined: () => undefined,
    symbol: () => Symbol("s"),
    holes: () => [1, , 3],
    "symbol-key": () => ({ a: 1, [Symbol.for("zz")]: 1 }),
    "lone-surrogate": () => "\ud800",
    "proto-key": () => JSON.parse('{"__proto__":{"zzPK":1},"a":1}'),
    thenable: () => ({
      inner: {
        then(a) {
          a("hijacked");
        },
      },
    }),
    shared: () => shared,
  };
  const fail = {
    error: () => {
      throw new Error("tool failed");
    },
    type: () => {
      throw new TypeError("tool failed");
    },
    range: () => {
      throw new RangeError("tool failed");
    },
    custom: () => {
      throw Object.assign(new Error("tool failed"), {
        code: "E_X",
        secret: "zz",
        hostObject: globalThis,
        config: { headers: {} },
        request: {},
      });
    },
    frozen: () => {
      throw Object.freeze(new Error("tool failed"));
    },
    cause: () => {
      throw new Error("outer", { cause: new TypeError("inner", { cause: new RangeError("core") }) });
    },
    aggregate: () => {
      throw new AggregateError([new Error("one"), new TypeError("two")], "many");
    },
    string: () => {
      throw "text";
    },
    undefined: () => {
      throw undefined;
    },
    null: () => {
      throw null;
    },
    function: () => {
      throw () => 1;
    },
    "object-getter": () => {
      throw {
        fn: () => 1,
        get message() {
          return () => 1;
        },
      };
    },
    proxy: () => {
      throw new Proxy(new Error("p"), {});
    },
    "throwing-proxy": () => {
      throw throwing();
    },
    symbol: () => {
      throw Symbol("s");
    },
    promise: () => {
      throw Promise.resolve(1);
    },
    "reads-stack": () => {
      const e = new Error("tool failed");
      void e.stack;
      throw e;
    },
  };
  const probe = {
    echo: async (input) => input.value,
    describe: async function (input) {
      const value = input.value;
      return {
        type:
          value === null
            ? "null"
            : typeof value === "object"
              ? Array.isArray(value)
                ? "array"
                : (value.constructor?.name ?? "bare")
              : typeof value,
        plain: plain(value),
        isArray: Array.isArray(value),
        proxy: types.isProxy(value),
        accessors: accessors(input) + accessors(value),
        symbols: value && typeof value === "object" ? Object.getOwnPropertySymbols(value).length : 0,
        admin: Boolean(value && value.admin),
        argc: arguments.length,
        thisType: this && this.zz ? "program" : "other",
        json: plain(value) ? value : null,
      };
    },
    fail: (input) => {
      if (input.kind === "sync") throw new TypeError("sync failure");
      return (async () => fail[input.kind]())();
    },
    give: async (input) => give[input.kind](),
    hostHas: async ({ name, tag, hook }) => {
      if (hook) return Error.prepareStackTrace !== stackHook;
      if (tag) return Symbol.toStringTag in {};
      const values = [
        {},
        [],
        () => 0,
        async () => 0,
        "x",
        1,
        true,
        /x/,
        new Map(),
        new Set(),
        new Date(0),
        new Error("x"),
        Promise.resolve(),
        [][Symbol.iterator](),
        JSON,
        Math,
        console,
        Object,
        globalThis,
      ];
      return values.some((v) => name in Object(v));
    },
    count: async () => ++calls,
    slow: (input) => new Promise((done) => setTimeout(done, input.ms)),
    never: () => new Promise(() => {}),
    keepAndChange: async (input) => {
      const kept = input.value;
      queueMicrotask(() => {
        kept.n = 99;
      });
      return null;
    },
  };
  const odd = Object.create(null);
  const names = [
    "constructor",
    "__proto__",
    "then",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "prototype",
    "name",
    "length",
    "call",
    "apply",
    "bind",
    "toJSON",
    "catch",
    "arguments",
    "a*/b",
    'a"b',
    "a'b",
    "a`${1}b",
    "a\nb",
    "a\u2028b",
    "a.b",
    "a-b",
    "0a",
    "",
    " ",
    "class",
    "await",
    "\u202Eabc",
    "a\\u0062",
    "same-name",
    "same_name",
    "x.y",
    "x_y",
    "Case",
    "case",
    "\u00e9",
    "e\u0301",
  ];
  for (const n of names) Object.defineProperty(odd, n, { value: async () => ({ called: n }), enumerable: true });
  return { tools: { probe, odd }, calls: () => calls };
}
