// A child process in which Node's own engine runs programs: each in a context of its own, with a frozen clock, seeded random and the
// zone of the program. Programs come in and answers go out over the process channel.

import { format } from "node:util";
import { createContext, Script } from "node:vm";
import { seededRandom } from "./random.mjs";

// A program may leave rejected promises behind, and throw in jobs of its own.
process.on("unhandledRejection", () => {});
process.on("uncaughtException", () => {});

const SETUP = new Script(`(now, random) => {
  const Host = Date;
  const Frozen = function Date(...args) {
    return new.target === undefined ? new Host(now).toString() : Reflect.construct(Host, args.length === 0 ? [now] : args, new.target === Frozen ? Host : new.target);
  };
  Object.defineProperties(Frozen, { ...Object.getOwnPropertyDescriptors(Host), now: { value: () => now, writable: true, configurable: true } });
  Host.prototype.constructor = Frozen;
  Object.defineProperty(globalThis, "Date", { value: Frozen, writable: true, configurable: true });
  Math.random = random;
  // V8 alone has it; for…in over a class of errors would find it.
  Object.defineProperty(Error, "stackTraceLimit", { enumerable: false });
  return Object.getPrototypeOf(async function () {}).constructor;
}`);

process.on("message", async ({ id, text, zone, now, seed }) => {
  process.env.TZ = zone;
  const logs = [];
  const context = createContext({
    structuredClone,
    queueMicrotask,
    console: Object.fromEntries(
      ["log", "info", "debug", "warn", "error"].map((level) => [level, (...args) => logs.push(`${level} ${format(...args)}`)]),
    ),
  });
  let answer;
  try {
    const AsyncFunction = SETUP.runInContext(context)(now, seededRandom(seed));
    const program = new AsyncFunction(`"use strict";\n${text}`);
    answer = { text: [String(await program()), ...logs].join("\n") };
  } catch (error) {
    answer = { error: `${error?.name}: ${error?.message}`, syntax: error?.name === "SyntaxError" };
  }
  process.send({ id, ...answer });
});
