// A realm for test262 files: a run of its own kind, with generous limits, that evaluates Scripts one after the other and drains jobs.

import { R } from "../dist/src/run-state.js";
import { Realm, nativeCode, nativeFunction, currentRealm, globalObject } from "../dist/src/realm.js";
import { FunctionData } from "../dist/src/values.js";
import { GuestThrow, throwSyntaxError } from "../dist/src/errors.js";
import { Jobs, installJobs } from "../dist/src/promise.js";
import { compileScript } from "../dist/src/compile/index.js";
import { parseScript } from "../dist/src/parse/index.js";
import { deleteProperty, get, newObject, definePropertyOrThrow, dataDescriptor } from "../dist/src/object.js";
import { toStr } from "../dist/src/convert.js";
import { setFunctionMaker } from "../dist/src/function-maker.js";
import { detachBuffer } from "../dist/src/buffer.js";
import "../dist/stdlib/index.js";

export class TimeOut extends Error {}
export class Refused extends Error {}

const DEPTH = 10_000;

export class TestRealm {
  constructor(deadline) {
    this.realm = new Realm();
    this.jobs = new Jobs();
    this.prints = [];
    this.timers = [];
    const started = Date.now();
    this.control = {
      outOfFuel() {
        R.fuel = 20_000;
        if (Date.now() > deadline) throw new TimeOut();
      },
      tooDeep() {
        throw new Refused("too deep");
      },
      outOfMemory() {
        R.mem = 1 << 30;
      },
      now: () => Date.now(),
      random: Math.random,
      timeZone: "UTC",
      siteText: () => "test",
      log: (_level, text) => this.prints.push(text),
      setTimer: (callback, ms) => (this.timers.push({ callback, at: started + ms }), this.timers.length),
      clearTimer: () => {},
    };
    R.fuel = 20_000;
    R.mem = 1 << 30;
    R.depth = R.stack = 0;
    R.depthMax = DEPTH;
    R.stackMax = 500_000_000;
    R.sites = new Int32Array(DEPTH + 2);
    R.epoch = 0;
    R.intact = true;
    R.arrayLength = 4294967295;
    R.stringLength = 2 ** 29 - 25;
    R.texts = false;
    R.newTarget = undefined;
    R.realm = this.realm;
    R.intrinsics = this.realm.intrinsics;
    R.globals = null;
    R.run = this.control;
    installJobs(this.jobs);
    this.define("print", 1, (_t, v) => {
      this.prints.push(toStr(v));
      return undefined;
    });
    // For the harness files: a detach, and functions from text.
    const $262 = newObject();
    const detach = nativeFunction(
      new FunctionData(
        nativeCode("detachArrayBuffer", 1, (_t, buffer) => {
          detachBuffer(buffer.d);
          return null;
        }),
        null,
        null,
        null,
      ),
    );
    definePropertyOrThrow($262, "detachArrayBuffer", dataDescriptor(detach, 5));
    definePropertyOrThrow(globalObject(), "$262", dataDescriptor($262, 5));
    setFunctionMaker(this.realm, makeFunction);
  }

  /** Makes a host function of the harness a global. */
  define(name, length, f) {
    const fn = nativeFunction(new FunctionData(nativeCode(name, length, f), null, null, null));
    definePropertyOrThrow(globalObject(), name, dataDescriptor(fn, 5));
    return fn;
  }

  evaluate(script) {
    R.depth = R.stack = 0;
    script.evaluate();
    this.drain();
  }

  drain() {
    for (;;) {
      while (this.jobs.step()) R.depth = R.stack = 0;
      if (this.timers.length === 0) return;
      this.timers.sort((a, b) => a.at - b.at);
      R.depth = R.stack = 0;
      this.timers.shift().callback();
    }
  }
}

const HEADS = { function: "function", generator: "function*", async: "async function", asyncGenerator: "async function*" };

/** A function from text; `this` of a plain call is the global object, as in code that is not strict. */
function makeFunction(sort, parameters, body) {
  const global = globalObject();
  let compiled;
  try {
    compiled = script(`globalThis["%made"] = (${HEADS[sort]} anonymous(${parameters.join(",")}\n) {\n${body}\n})`);
  } catch (e) {
    throwSyntaxError(e.message);
  }
  compiled.evaluate();
  const fn = get(global, "%made");
  deleteProperty(global, "%made");
  const { code } = fn.d;
  for (const entry of ["c0", "c1", "c2", "c3", "cN"]) {
    const f = code[entry];
    code[entry] = (callee, t, ...rest) => f(callee, t === undefined ? global : t, ...rest);
  }
  return fn;
}

/** Parses and compiles; throws what the parser throws. */
export function script(text) {
  return compileScript(parseScript(text));
}

/** What a guest exception is, for a report. */
export function describeThrow(e) {
  const v = e.value;
  if (typeof v !== "object" || v === null) return String(typeof v === "symbol" ? v.toString() : v);
  try {
    const ctor = get(v, "constructor");
    const name = toStr(typeof ctor === "object" && ctor !== null ? get(ctor, "name") : get(v, "name"));
    return `${name}: ${toStr(get(v, "message"))}`;
  } catch {
    return "an object";
  }
}

/** The name of a thrown object's constructor. */
export function nameOfThrown(e) {
  const v = e.value;
  if (typeof v !== "object" || v === null) return typeof v;
  const ctor = get(v, "constructor");
  return typeof ctor === "object" && ctor !== null ? toStr(get(ctor, "name")) : "?";
}

export { GuestThrow, newObject, currentRealm };
