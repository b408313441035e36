// console: entries for the run's log, with texts as Node writes them. No code of the program runs: no getter, no trap, no toString.

import { describe } from "../src/convert.js";
import { errorHeader, isError } from "../src/error-text.js";
import { Intrinsic } from "../src/intrinsics.js";
import { type PropertySpec, currentRealm, define, defineGlobal, value, variadic } from "../src/realm.js";
import { R, chargeText } from "../src/run-state.js";
import { DATA, Flag } from "../src/shape.js";
import { SYM, type Value, isObject } from "../src/values.js";
import { plainJson } from "./console-json.js";
import { tableText } from "./console-table.js";
import { inspect } from "./inspect.js";

type Level = Parameters<typeof R.run.log>[0];

class ConsoleState {
  indent = "";
  readonly counts = new Map<string, number>();
  readonly timers = new Map<string, number>();
}
const MAX_LABELS = 10_000;
const MAX_INDENT = 200;

const state = (): ConsoleState => currentRealm().slot(ConsoleState, () => new ConsoleState());

/** The lines of longer texts are not indented. */
const MAX_INDENTED = 1_000_000;

function write(level: Level, text: string, args: Value[]): void {
  const { indent } = state();
  chargeText(text.length);
  R.run.log(level, indent === "" || text.length > MAX_INDENTED ? text : indent + text.replaceAll("\n", `\n${indent}`), args);
}

const logs = (name: string, level: Level): PropertySpec => entry(name, (args) => write(level, formatLog(args), args));

function entry(name: string, f: (args: Value[]) => void): PropertySpec {
  return variadic(name, 0, (_t, args) => void f(args), DATA);
}

function labelOf(v: Value): string {
  if (v === undefined) return "default";
  return typeof v === "string" ? v.slice(0, 1000) : inspect(v, 0);
}

function group(args: Value[]): void {
  if (args.length > 0) write("log", formatLog(args), args);
  const s = state();
  if (s.indent.length < MAX_INDENT) s.indent += "  ";
}

function elapsed(name: string, label: string): string | null {
  const start = state().timers.get(label);
  if (start === undefined) {
    write("warn", `Warning: No such label '${label}' for console.${name}()`, [label]);
    return null;
  }
  return `${label}: ${duration(R.run.now() - start)}`;
}

function duration(ms: number): string {
  if (ms < 1000) return `${Number(ms.toFixed(3))}ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(3))}s`;
  return `${Math.floor(ms / 60_000)}:${((ms % 60_000) / 1000).toFixed(3).padStart(6, "0")} (m:ss.mmm)`;
}

define(Intrinsic.Console, {
  props: [
    logs("log", "log"),
    logs("info", "info"),
    logs("debug", "debug"),
    logs("warn", "warn"),
    logs("error", "error"),
    entry("dir", (args) => write("log", inspect(args[0]), args.slice(0, 1))),
    entry("table", (args) => write("log", tableText(args[0], args[1]) ?? formatLog(args), args)),
    entry("trace", (args) => write("log", args.length === 0 ? "Trace" : `Trace: ${formatLog(args)}`, args)),
    entry("assert", (args) => {
      if (args.length > 0 && args[0]) return;
      const rest = args.slice(1);
      if (typeof rest[0] === "string") write("error", `Assertion failed: ${formatLog(rest)}`, rest);
      else write("error", rest.length === 0 ? "Assertion failed" : `Assertion failed ${formatLog(rest)}`, rest);
    }),
    entry("group", group),
    entry("groupCollapsed", group),
    entry("groupEnd", () => {
      const s = state();
      s.indent = s.indent.slice(2);
    }),
    entry("count", (args) => {
      const label = labelOf(args[0]);
      const { counts } = state();
      const n = (counts.get(label) ?? 0) + 1;
      if (counts.size < MAX_LABELS || counts.has(label)) counts.set(label, n);
      write("info", `${label}: ${n}`, [label, n]);
    }),
    entry("countReset", (args) => {
      const label = labelOf(args[0]);
      if (!state().counts.delete(label)) write("warn", `Warning: Count for '${label}' does not exist`, [label]);
    }),
    entry("time", (args) => {
      const label = labelOf(args[0]);
      const { timers } = state();
      if (timers.has(label)) write("warn", `Warning: Label '${label}' already exists for console.time()`, [label]);
      else if (timers.size < MAX_LABELS) timers.set(label, R.run.now());
    }),
    entry("timeLog", (args) => {
      const text = elapsed("timeLog", labelOf(args[0]));
      const rest = args.slice(1);
      if (text !== null) write("log", rest.length === 0 ? text : `${text} ${rest.map(bare).join(" ")}`, rest);
    }),
    entry("timeEnd", (args) => {
      const label = labelOf(args[0]);
      const text = elapsed("timeEnd", label);
      if (text !== null) write("info", text, [label]);
      state().timers.delete(label);
    }),
    value(SYM.toStringTag, "console", Flag.CONFIGURABLE),
  ],
});

defineGlobal("console", Intrinsic.Console);

// Formatting -----------------------------------------------------------------------------------------------------------------------

const bare = (v: Value): string => (typeof v === "string" ? v : inspect(v));

/** The text of a console call's arguments: a format string's directives are filled, what is left follows after spaces. */
export function formatLog(args: readonly Value[]): string {
  const first = args[0];
  if (args.length === 1) return bare(first);
  let next = 0;
  let out = "";
  if (typeof first === "string") {
    next = 1;
    let done = 0;
    for (let i = first.indexOf("%"); i >= 0 && i + 1 < first.length; i = first.indexOf("%", i)) {
      if ((R.fuel -= 2) < 0) R.run.outOfFuel();
      R.mem -= 32;
      const c = first[i + 1];
      if (c === "%") {
        out += `${first.slice(done, i)}%`;
      } else if (next < args.length && "sdifjoOc".includes(c)) {
        out += first.slice(done, i) + directive(c, args[next++]);
      } else {
        i++;
        continue;
      }
      i += 2;
      done = i;
    }
    out += first.slice(done);
  }
  for (; next < args.length && out.length <= R.stringLength; next++) {
    const text = bare(args[next]);
    chargeText(text.length);
    out += (next > 0 ? " " : "") + text;
  }
  return out;
}

function directive(c: string, v: Value): string {
  switch (c) {
    case "s":
      if (typeof v === "string") return v;
      if (isObject(v)) return isError(v) ? errorHeader(v) : inspect(v, 0);
      return inspect(v, 0);
    case "d":
      if (typeof v === "bigint") return inspect(v);
      return isObject(v) || typeof v === "symbol" ? "NaN" : inspect(Number(v));
    case "i":
      if (typeof v === "bigint") return inspect(v);
      return isObject(v) || typeof v === "symbol" ? "NaN" : inspect(parseInt(String(v)));
    case "f":
      return isObject(v) || typeof v === "symbol" ? "NaN" : inspect(parseFloat(String(v)));
    case "j":
      return plainJson(v) ?? describe(v);
    case "c":
      return "";
    default:
      return inspect(v);
  }
}
