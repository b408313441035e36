// Proxy (ECMAScript 28.2).

import { Intrinsic } from "../src/intrinsics.js";
import { createData, newObject } from "../src/object.js";
import { proxyCreate, revokeProxy } from "../src/proxy.js";
import { closureCode, defineConstructor, defineGlobal, method, nativeClosure } from "../src/realm.js";
import { GuestObject } from "../src/values.js";

defineConstructor(Intrinsic.Proxy, {
  name: "Proxy",
  length: 2,
  call: null,
  construct: (args) => proxyCreate(args[0], args[1]),
  props: [
    method("revocable", 2, (_t, target, handler) => {
      const proxy = proxyCreate(target, handler);
      const result = newObject();
      createData(result, "proxy", proxy);
      createData(result, "revoke", nativeClosure(REVOKE, proxy));
      return result;
    }),
  ],
});
defineGlobal("Proxy", Intrinsic.Proxy);

/** The revoker's `data` is its proxy, until it was called. */
const REVOKE = closureCode("", 0, (fn) => {
  const proxy = fn.d.data;
  fn.d.data = null;
  if (proxy instanceof GuestObject) revokeProxy(proxy);
  return undefined;
});
