// What tools give and throw: plain data, and everything that is none.

import { ParsedText, ToolError } from "../dist/src/index.js";

const SECRET = "zz-host-secret";
const NAMES = [
  "a",
  "b",
  "c",
  "length",
  "then",
  "toJSON",
  "__proto__",
  "constructor",
  "media",
  "mimeType",
  "bytes",
  "0",
  "1",
  "-1",
  "",
  "x y",
  "message",
  "name",
  "stack",
];

/** A value of the host's, of any sort. */
export function hostValue(r, depth = 0) {
  if (depth > 4) return r.pick([1, "x", null]);
  const inner = () => hostValue(r, depth + 1);
  switch (r.below(depth === 0 ? 40 : 34)) {
    case 0:
      return undefined;
    case 1:
      return null;
    case 2:
      return r.chance(0.5);
    case 3:
      return r.pick([0, -0, 1, -1, NaN, Infinity, 2 ** 53, 1e300, 0.1]);
    case 4:
      return r.pick(["", "x", "\ud800", "</script>", '{"a":1}', "[1,2]", "\u0000\u202e", "x".repeat(70_000)]);
    case 5:
      return r.pick([0n, -1n, 2n ** 64n, 10n ** 60n]);
    case 6:
      return r.pick([Symbol("s"), Symbol.iterator, Symbol.for("zz")]);
    case 7:
      return r.pick([
        () => SECRET,
        class Secret {
          x = 1;
        },
        async () => 1,
        function* () {},
        Function,
        setTimeout,
      ]);
    case 8:
    case 9:
    case 10:
    case 11:
    case 12:
      return object(r, inner);
    case 13:
    case 14:
    case 15:
      return r.many(5, inner);
    case 16: {
      const a = r.many(4, inner);
      a.length += r.below(4);
      return a;
    }
    case 17:
      return Object.assign(Object.create(null), object(r, inner));
    case 18:
      return new (class Instance {
        own = inner();
        #hidden = SECRET;
        get secret() {
          return this.#hidden;
        }
      })();
    case 19:
      return new Proxy(r.chance(0.5) ? {} : [], traps(r));
    case 20: {
      const o = object(r, inner);
      Object.defineProperty(o, "getter", {
        enumerable: true,
        get: () => {
          throw new Error(SECRET);
        },
      });
      return o;
    }
    case 21: {
      const o = object(r, inner);
      o.self = o;
      return o;
    }
    case 22:
      return new Map(r.many(3, () => [inner(), inner()]));
    case 23:
      return new Set(r.many(3, inner));
    case 24:
      return new Date(r.pick([0, NaN, 8.64e15]));
    case 25:
      return r.pick([
        new Uint8Array(4),
        new Float64Array([NaN, 1]),
        new BigInt64Array(2),
        new ArrayBuffer(9),
        Buffer.from("abc"),
        new Uint8Array(70_000),
        new DataView(new ArrayBuffer(2)),
      ]);
    case 26:
      return Object.assign(new (r.pick([Error, TypeError, AggregateError]))("given"), { own: 1, inner: inner() });
    case 27:
      return r.pick([
        new URL("http://a.test/"),
        new URLSearchParams("a=1"),
        /x/g,
        new Number(1),
        new String("s"),
        Object(1n),
        Object(Symbol("s")),
      ]);
    case 28:
      return {
        then(f) {
          f("resolved");
        },
      };
    case 29:
      return Promise.resolve(1);
    case 30:
      return Object.freeze(object(r, inner));
    case 31:
      return Object.defineProperty([1, 2], 0, { get: () => SECRET, enumerable: true });
    case 32:
      return (function () {
        return arguments;
      })(1, inner());
    case 33:
      return new ParsedText(r.pick(['{"a":[1,{"b":2}]}', "[1,2]", "no json", '"text"']));
    case 34: {
      let o = 1;
      for (let i = 0; i < 300; i++) o = r.chance(0.5) ? [o] : { o };
      return o;
    }
    case 35: {
      let o = ["ha"];
      for (let i = 0; i < 30; i++) o = [o, o];
      return o;
    }
    case 36:
      return Object.fromEntries(Array.from({ length: r.pick([200, 5_000]) }, (_, i) => [`k${i}`, i]));
    case 37:
      return Object.assign([], { length: r.pick([2 ** 32 - 1, 1e6]) });
    case 38:
      return r.pick([globalThis, process, Function.prototype, Object.prototype, import.meta]);
    default:
      return "h".repeat(r.pick([1e6, 2 ** 26]));
  }
}

function object(r, inner) {
  const o = {};
  for (const name of r.many(5, () => r.pick(NAMES)))
    Object.defineProperty(o, name, { value: inner(), writable: true, enumerable: r.chance(0.9), configurable: true });
  if (r.chance(0.1)) o[Symbol("s")] = SECRET;
  return o;
}

function traps(r) {
  const trap = () => {
    throw new Error("trap");
  };
  return r.chance(0.5) ? { get: trap, ownKeys: trap, getPrototypeOf: trap, has: trap, getOwnPropertyDescriptor: trap } : {};
}

/** What a tool throws. */
export function hostThrown(r) {
  return r.pick([
    () => new Error("tool failed"),
    () => Object.freeze(new TypeError("frozen")),
    () => Object.assign(new Error("with extras"), { secret: SECRET, host: globalThis }),
    () => new ToolError("told", { name: "OwnError", data: { a: [1] } }),
    () => new ToolError("odd data", { data: hostValue(r) }),
    () => new ToolError("the end", { fatal: true, diagnostic: { kind: "rejected" } }),
    () => new Proxy(new Error("p"), traps(r)),
    () => ({
      get message() {
        return SECRET;
      },
      name: () => 1,
    }),
    () => hostValue(r),
  ])();
}

/** The tools of a fuzzed run. `check` is told each input. */
export function fuzzTools(r, check) {
  const give = (input) => {
    check(input);
    if (r.chance(0.2)) throw hostThrown(r);
    return hostValue(r);
  };
  return {
    f: {
      give,
      later: async (input) => give(input),
      slow: (input, call) =>
        new Promise((resolve, reject) => {
          check(input);
          const timer = setTimeout(() => resolve(hostValue(r)), r.below(5));
          call.signal.addEventListener("abort", () => {
            clearTimeout(timer);
            reject(new Error("stopped"));
          });
        }),
      echo: (input) => {
        check(input);
        return input;
      },
      never: () => new Promise(() => {}),
    },
    "odd-names": { then: give, constructor: give, __proto__: give, "a*/b\n": give, "": give },
  };
}
