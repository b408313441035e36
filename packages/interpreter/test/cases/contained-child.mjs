// Runs the programs of fuzz/contained.mjs in this process, looks at the host after each, and prints a line of JSON for each.

import { CONTAINED } from "../../fuzz/contained.mjs";
import { run } from "@airlock/interpreter";
import { changedIntrinsic, snapshotIntrinsics } from "./host-checks.mjs";

const LIMITS = { computeMs: 400, wallMs: 2_000, toolMs: 300, memoryBytes: 67_108_864 };
const shared = { x: 1 };
class Instance {
  own = 1;
  get live() {
    return {};
  }
}
const trap = () => {
  throw new Error("trap");
};
const tools = {
  t: {
    give: () => 1,
    echo: (input) => input,
    never: () => new Promise(() => {}),
    fail: () => {
      throw Object.assign(new Error("failed"), { secret: "s", host: globalThis });
    },
    failFrozen: () => {
      throw Object.freeze(new Error("frozen"));
    },
    describe(...args) {
      return [
        typeof args[0],
        args.length,
        typeof this === "object" && this !== null && "zz" in this ? "program" : "other",
        Object.getPrototypeOf(args[0]) === Object.prototype,
      ];
    },
    giveFunction: () => () => 1,
    giveInstance: () => new Instance(),
    giveGetter: () => ({
      plain: 1,
      get live() {
        return {};
      },
    }),
    giveProxy: () => new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap }),
    giveCycle: () => {
      const o = {};
      o.o = o;
      return o;
    },
    giveShared: () => shared,
    giveMap: () => new Map([["a", 1]]),
    giveDate: () => new Date(0),
    giveDeep: () => {
      let o = {};
      for (let i = 0; i < 50_000; i++) o = { o };
      return o;
    },
  },
};

const escaped = [];
process.on("unhandledRejection", (reason) => escaped.push(String(reason)));
process.on("uncaughtException", (error) => escaped.push(String(error)));
await run("return 1", { tools });
for (const name of Object.getOwnPropertyNames(globalThis)) void globalThis[name];
const before = snapshotIntrinsics();

for (const [, program] of CONTAINED) {
  let logged = 0;
  const outcome = await run(program, { tools, limits: LIMITS, onLog: () => logged++ });
  const atEnd = logged;
  const got = outcome.status === "failed" ? `!${outcome.error.kind}` : outcome.value;
  const next = await run("return [({}).zz, [].zz, 'aXb'.split('X'), [...[1]]]");
  await new Promise((done) => setTimeout(done, 5));
  const host = changedIntrinsic(before);
  const faults = [...escaped.splice(0)];
  if (host !== null) faults.push(host);
  if (JSON.stringify(next.value) !== '[null,null,["a","b"],[1]]') faults.push(`the next run: ${JSON.stringify(next.error ?? next.value)}`);
  if (logged !== atEnd) faults.push("logged after the end");
  process.stdout.write(`${JSON.stringify({ got, faults, message: outcome.error?.message })}\n`);
}
process.exit(0);
