// One run of one program: the realm, the limits, the loop and the calls put together.

import { isMainThread, resourceLimits } from "node:worker_threads";
import type { Diagnostic, Json, Limits, LogEntry, Outcome, RunOptions, SourceLocation, Stats } from "../api.js";
import { copyIn } from "../boundary/copy-in.js";
import { Outward } from "../boundary/copy-out.js";
import { Notes, Refusal } from "../boundary/refusal.js";
import type { CompiledProgram } from "../compile/index.js";
import { type ErrorData, FatalEnd, GuestThrow, captureSites } from "../errors.js";
import { isError } from "../error-text.js";
import { Intrinsic } from "../intrinsics.js";
import { dataDescriptor, defineOwn, newObject } from "../object.js";
import { frameOf } from "../parse/index.js";
import { type PromiseObject, installJobs, react } from "../promise.js";
import { Realm, intrinsic } from "../realm.js";
import { R, type RunControl, type RunState } from "../run-state.js";
import { DATA, type Shape, addProperty, tableOf, trimSharedShapes } from "../shape.js";
import { unknownServer, toolNodeOf } from "../tool-node.js";
import { type GuestObject, type Value } from "../values.js";
import { wellKnown } from "../well-known.js";
import { AWAIT_HINT, Calls, type CallsOwner } from "./calls.js";
import { Meter } from "./control.js";
import {
  abortedDiagnostic,
  diagnostic,
  internalDiagnostic,
  isExhaustion,
  isStackOverflow,
  limitDiagnostic,
  oneLine,
  thrownDiagnostic,
} from "./diagnostics.js";
import { hintFor } from "./hints.js";
import { Logs } from "./logs.js";
import { type Arrival, Loop, type LoopOwner } from "./loop.js";
import { loopAround, undefinedName } from "./names.js";
import { newSeed, seededRandom } from "./random.js";
import { stalledDiagnostic, waitingAt } from "./stalled.js";
import { NEVER, copyState, isInside, newState, outerState } from "./state.js";
import { Call } from "./tool-call.js";
import { toolTree } from "./tree.js";
import { WallClock } from "./wall-clock.js";

/** Options for hosts that run programs in threads of their own, or keep guest time. */
export interface HostOptions {
  /** The size of the host's stack. Default: of this thread. */
  stackBytes?: number;
  /** Called when a timer fires, with the guest time that it was set for. */
  onTimer?: (time: number) => void;
  /** Called with a function that calls tool functions one after another, none of them from inside guest code: what they send can go together. */
  together?: (start: () => void) => void;
}

/** What is run. */
export interface ProgramToRun {
  compiled: CompiledProgram;
  /** How stack traces name the program. */
  filename: string;
  isCached: boolean;
}

/** The part of the host's stack that guest code may use; the rest is for the host's functions that it calls, and for estimates that are too low. */
const STACK_SHARE = 0.6;
const MAIN_STACK_BYTES = 984 * 1024;
const WORKER_STACK_MB = 4;
/** What entering a run from inside another one adds to the stack. */
const ENTRY_WEIGHT = 6_000;
const MAX_WARNINGS = 100;
const MAX_DEPTH_LIMIT = 1 << 24;

function ownStackBytes(): number {
  return isMainThread ? MAIN_STACK_BYTES : (resourceLimits.stackSizeMb ?? WORKER_STACK_MB) * 1024 * 1024;
}

export class Execution implements RunControl, LoopOwner, CallsOwner {
  readonly limits: Limits;
  readonly wall = new WallClock();
  readonly meter: Meter;
  readonly timeZone: string;
  readonly random: () => number;
  readonly now: () => number;
  readonly outcome: Promise<Outcome>;
  /** No guest code runs any more. */
  isDone = false;
  private readonly program: ProgramToRun;
  private readonly options: RunOptions & HostOptions;
  private readonly seed: number;
  private readonly loop: Loop;
  private readonly calls: Calls;
  private readonly logs: Logs;
  private readonly warnings: Diagnostic[] = [];
  private droppedWarnings = 0;
  private state: RunState | null;
  private main: PromiseObject | null = null;
  private tree: GuestObject | null = null;
  /** The program's value, once it is there. */
  private result: { value: Json } | null = null;
  private ending: Diagnostic | null = null;
  private resolve: (outcome: Outcome) => void = () => {};
  private readonly abort = (): void => this.aborted();

  constructor(program: ProgramToRun, options: RunOptions & HostOptions, limits: Limits) {
    this.program = program;
    this.options = options;
    this.limits = limits;
    this.timeZone = options.timeZone ?? "UTC";
    this.seed = options.seed ?? newSeed();
    this.random = options.random ?? seededRandom(this.seed);
    this.now = options.now ?? Date.now;
    this.meter = new Meter(
      limits,
      this.wall,
      (site) => this.locate(site),
      () => this.busyAt(),
    );
    this.loop = new Loop(this, limits.pendingPromises);
    this.calls = new Calls(this);
    this.logs = new Logs(limits, (entry) => this.logged(entry));
    this.state = newState(
      new Realm(),
      this,
      Math.min(limits.callDepth, MAX_DEPTH_LIMIT) + 1,
      Math.floor((options.stackBytes ?? ownStackBytes()) * STACK_SHARE),
      {
        stringLength: Math.min(limits.stringLength, 2 ** 29 - 24),
        arrayLength: Math.min(limits.arrayLength, 2 ** 32 - 1),
      },
    );
    this.outcome = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  /** Runs the program's first stretch; the rest follows as things arrive. */
  start(): Promise<Outcome> {
    const { signal } = this.options;
    if (signal?.aborted === true) this.end(abortedDiagnostic(signal.reason));
    else {
      signal?.addEventListener("abort", this.abort, { once: true });
      this.loop.first(() => this.begin());
    }
    return this.outcome;
  }

  private begin(): void {
    this.meter.start();
    const { options } = this;
    const realm = R.realm as Realm; // of this run
    const global = intrinsic(Intrinsic.Global);
    realm.globals = R.globals = global.more;
    this.tree = toolTree({
      tools: options.tools ?? {},
      aliases: options.aliases ?? {},
      issue: (leaf, input) => this.calls.issue(leaf, input),
    });
    const argument = newObject();
    this.define(global, argument, "tools", this.tree);
    addProperty(argument, "console", intrinsic(Intrinsic.Console), DATA);
    const notes = new Notes();
    for (const [name, given] of Object.entries(options.globals ?? {})) {
      this.define(global, argument, name, copyIn(given, { root: name, notes, maxBytes: this.limits.memoryBytes }));
    }
    for (const text of notes.texts) this.warn(diagnostic("invalid-input", text));
    this.main = this.program.compiled.start(argument);
    react(this.main, {
      onFulfilled: (v) => this.fulfilled(v),
      onRejected: (reason) => {
        const { origin } = this.main!.d;
        this.ending = this.explained(
          thrownDiagnostic(reason, typeof origin === "number" ? origin : -1, (site) => this.locate(site)),
          reason,
        );
        this.loop.drop();
      },
    });
  }

  private define(global: GuestObject, argument: GuestObject, name: string, v: Value): void {
    if (!defineOwn(global, name, dataDescriptor(v)))
      throw new Refusal("cannot be given: that name has a fixed value in every program", name);
    addProperty(argument, name, v, DATA);
  }

  // Entering guest code ------------------------------------------------------------------------------------------------------------

  enter(f: () => void, now: number): number {
    const { state } = this;
    if (state === null || this.isDone) return now;
    const outer = outerState();
    const outerStack = isInside() ? R.stack + ENTRY_WEIGHT : 0;
    copyState(R, state);
    R.stack = outerStack;
    R.depth = 0;
    const outerJobs = installJobs(this.loop.jobs);
    this.meter.enter(now);
    let left = now;
    try {
      f();
    } catch (e) {
      this.ending ??= this.endOf(e);
    } finally {
      left = this.meter.leave();
      copyState(state, R);
      copyState(R, outer);
      installJobs(outerJobs);
    }
    this.ending ??= this.meter.stopped;
    if (this.ending !== null) this.end(this.ending);
    return left;
  }

  /** Why guest code came to an end by an exception. The run's state is installed. */
  private endOf(e: unknown): Diagnostic {
    try {
      if (e instanceof FatalEnd) return e.diagnostic;
      if (e instanceof GuestThrow)
        return this.explained(
          thrownDiagnostic(e.value, e.site, (site) => this.locate(site)),
          e.value,
        );
      if (e instanceof Refusal)
        return diagnostic("invalid-input", `The global ${e.message}`, undefined, e.hint === undefined ? [] : [e.hint]);
      if (isStackOverflow(e)) return limitDiagnostic("callDepth", this.limits, { depth: R.depth, location: this.locate(R.site) });
      if (isExhaustion(e)) return limitDiagnostic("memoryBytes", this.limits, { location: this.locate(R.site) });
      return internalDiagnostic(e, this.locate(R.site));
    } catch (inner) {
      return internalDiagnostic(inner);
    }
  }

  broken(e: unknown): void {
    this.end(internalDiagnostic(e));
  }

  // The program's end ----------------------------------------------------------------------------------------------------------------

  /** The program has returned: its value is copied out first, in budget. */
  private fulfilled(v: Value): void {
    const notes = new Notes();
    const outward = new Outward({ root: "result", maxBytes: this.limits.resultBytes, limit: "resultBytes", keepTexts: false });
    try {
      this.result = { value: outward.copy(v, notes) };
    } catch (e) {
      this.loop.drop();
      if (e instanceof Refusal) this.ending = this.refusedResult(e);
      else if (e instanceof GuestThrow) {
        this.ending = this.explained(
          thrownDiagnostic(e.value, e.site, (site) => this.locate(site)),
          e.value,
        );
        this.ending.hints.push(`It was thrown while the result was read, at ${outward.where}.`);
      } else throw e;
      return;
    }
    for (const text of notes.texts) this.warn(diagnostic("invalid-result", text));
    this.unseenRejections();
    this.loop.drop();
  }

  private refusedResult(e: Refusal): Diagnostic {
    const made = diagnostic(
      e.limit === undefined ? "invalid-result" : "limit",
      e.limit === undefined ? `The result cannot be given out: ${e.message}` : `The ${e.message.slice(0, -1)} (limit ${e.limit}).`,
      this.returnedAt(),
      e.hint === undefined ? [] : [e.hint],
    );
    if (e.limit !== undefined) made.limit = e.limit;
    return made;
  }

  private returnedAt(): SourceLocation | undefined {
    const origin = this.main?.d.origin;
    return typeof origin === "number" ? this.locate(origin) : undefined;
  }

  /** Rejections that nobody handled become warnings. */
  private unseenRejections(): void {
    for (const promise of this.loop.jobs.unhandled) {
      if (this.warnings.length >= MAX_WARNINGS) {
        this.droppedWarnings++;
        continue;
      }
      const { origin, value } = promise.d;
      if (origin instanceof Call)
        this.warn(
          diagnostic("uncaught", `${origin.path} failed, and nothing awaited it: ${oneLine(value)}`, origin.location, [AWAIT_HINT]),
        );
      else {
        const at = thrownDiagnostic(value, typeof origin === "number" ? origin : -1, (site) => this.locate(site)).location;
        this.warn(
          diagnostic("uncaught", `A promise was rejected and nothing handled it: ${oneLine(value)}`, at, [
            "Write await before the call that gave the promise, in a try if its failure does not matter.",
          ]),
        );
      }
    }
  }

  /** Adds what else may have led to a failure. */
  private explained(made: Diagnostic, reason: Value): Diagnostic {
    const name = isError(reason) ? made.name : undefined;
    if (name !== undefined) made.hints.push(...hintFor(made.message));
    if (name === "ReferenceError") made.hints.push(...this.undefinedName(made.message, (reason as GuestObject).d as ErrorData));
    if (made.kind === "uncaught" && name === "TypeError" && (reason as GuestObject & { d: ErrorData }).d.diagnostic === null) {
      for (const call of this.calls.unawaited()) {
        const where = call.location === undefined ? "" : ` (line ${call.location.line})`;
        made.hints.push(`${call.path}${where} was called without await: what it gave is a promise, not the result.`);
        break;
      }
    }
    return made;
  }

  private undefinedName(message: string, { sites: [site] }: ErrorData): string[] {
    const name = /^([\p{ID_Start}$_][\p{ID_Continue}$]*) is not defined$/u.exec(message)?.[1];
    const { sites, parsed } = this.program.compiled;
    if (name === undefined || site < 0 || site >= sites.length) return [];
    return undefinedName(
      name,
      sites[site].offset,
      parsed,
      [...tableOf(intrinsic(Intrinsic.Global).shape).keys()].filter((key) => typeof key === "string"),
      toolNodeOf(this.tree),
    );
  }

  /** Ends the run with a failure. */
  end(error: Diagnostic): void {
    this.finish((known) => ({ status: "failed", error: this.framed(error), ...known }));
  }

  private complete(value: Json): void {
    this.finish((known) => ({ status: "completed", value, ...known }));
  }

  private finish(outcome: (known: { logs: LogEntry[]; warnings: Diagnostic[]; stats: Stats }) => Outcome): void {
    if (this.isDone) return;
    this.isDone = true;
    this.options.signal?.removeEventListener("abort", this.abort);
    const wallMs = this.wall.elapsed(performance.now());
    this.loop.stop();
    this.calls.stop(new Error("The run that made this call has ended."));
    this.program.compiled.reset();
    wellKnown.reset();
    trimSharedShapes();
    const stats = this.stats(wallMs);
    // Lets go of the realm.
    this.state = this.main = this.tree = null;
    if (this.logs.isCut) {
      const cut = diagnostic("limit", `The log was cut after ${this.limits.logBytes} bytes (limit logBytes).`, undefined, [
        "Log less: counts and samples instead of whole lists.",
      ]);
      cut.limit = "logBytes";
      this.warnings.push(cut);
    }
    if (this.droppedWarnings > 0) this.warnings.push(diagnostic("uncaught", `There were ${this.droppedWarnings} more warnings.`));
    this.resolve(outcome({ logs: this.logs.entries, warnings: this.warnings.map((warning) => this.framed(warning)), stats }));
  }

  private stats(wallMs: number): Stats {
    const { meter, seed, program } = this;
    const state = this.state!;
    let peakDepth = state.sites.length - 1;
    while (peakDepth > 0 && state.sites[peakDepth] === NEVER) peakDepth--;
    return {
      steps: meter.steps(state.fuel),
      computeMs: meter.computeMs,
      wallMs,
      allocatedBytes: meter.allocatedBytes(state.mem),
      peakDepth: Math.max(0, peakDepth - 1), // the program's own frame is not below itself
      toolCalls: this.calls.issued,
      seed,
      cachedProgram: program.isCached,
    };
  }

  private aborted(): void {
    const made = abortedDiagnostic(this.options.signal?.reason);
    // In the middle of guest code (a tool function did it) the run ends at its next step.
    if (isInside() && R.run === this) this.meter.stop(made);
    else this.end(made);
  }

  // What the loop and the calls ask for ------------------------------------------------------------------------------------------------

  /** Nothing is left to do: the program waits, or it is over. */
  idle(): void {
    if (this.result !== null) {
      if (this.calls.open === 0) this.complete(this.result.value);
      return;
    }
    if (this.calls.open > 0 || this.loop.timerCount > 0) return;
    this.end(stalledDiagnostic(this.main!, (site) => this.locate(site)));
  }

  between(): void {
    if (this.result !== null && !this.isTail) {
      this.isTail = true;
      this.calls.tail();
    }
    if (!this.isDone) this.calls.startQueued();
  }
  private isTail = false;

  deadline(): number {
    return Math.min(this.wall.deadline(this.limits.wallMs), this.calls.deadline);
  }

  wake(now: number): void {
    if (this.wall.elapsed(now) > this.limits.wallMs) {
      if (this.result === null)
        this.end(
          limitDiagnostic("wallMs", this.limits, {
            location: this.main === null ? undefined : waitingAt(this.main, (site) => this.locate(site)),
          }),
        );
      else this.giveUpTail();
      return;
    }
    this.calls.expire(now);
  }

  /** The value is there; what was not awaited has taken too long. */
  private giveUpTail(): void {
    this.warn(limitDiagnostic("wallMs", this.limits, {}));
    this.calls.giveUp();
    this.complete(this.result!.value);
  }

  arrive(arrival: Arrival, isLast: boolean): void {
    this.loop.arrive(arrival, isLast);
  }

  dropped(): void {
    if (this.calls.open === 0) this.loop.pump();
    else this.loop.arm();
  }

  together(start: () => void): void {
    const { together } = this.options;
    if (together === undefined) start();
    else together(start);
  }

  rearm(at?: number): void {
    this.loop.arm(at);
  }

  warn(made: Diagnostic): void {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push(made);
    else this.droppedWarnings++;
  }

  // What guest code asks for (RunControl) ----------------------------------------------------------------------------------------------

  outOfFuel(): void {
    this.meter.outOfFuel();
  }
  outOfMemory(): void {
    this.meter.outOfMemory();
  }
  tooDeep(): never {
    return this.meter.tooDeep();
  }

  tooManyPromises(): never {
    return this.meter.exceeded("pendingPromises");
  }

  siteText(site: number): string {
    const location = this.locate(site);
    if (location === undefined) return "";
    const place = `${this.program.filename}:${location.line}:${location.column}`;
    const { name } = this.program.compiled.sites[site];
    return name === "" ? place : `${name} (${place})`;
  }

  log(level: LogEntry["level"], text: string, args: Value[]): void {
    this.logs.add(level, text, args);
  }

  private logged(entry: LogEntry): void {
    const { onLog } = this.options;
    if (onLog === undefined) return;
    try {
      this.meter.outside(() => onLog(entry));
    } catch {
      // A listener's fault is none of the program's.
    }
  }

  setTimer(callback: () => void, ms: number, repeat: boolean): number {
    if (this.loop.timerCount >= this.limits.timers) this.meter.exceeded("timers");
    const { onTimer } = this.options;
    let time = onTimer === undefined ? 0 : this.now();
    const onFire = onTimer === undefined ? undefined : () => this.meter.outside(() => onTimer((time += ms)));
    return this.loop.setTimer(callback, ms, repeat, onFire);
  }

  clearTimer(id: number): void {
    this.loop.clearTimer(id);
  }

  /** `tools.nosuch.name(…)`: the server is not there. */
  explainNullish(site: number): GuestObject | undefined {
    const { sites, parsed } = this.program.compiled;
    const offset = sites[site]?.offset ?? 0;
    const before =
      /(?:^|[^.\w$])tools\s*(?:\.\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])\s*\.?\s*\[?\s*$/u.exec(
        parsed.source.slice(Math.max(0, offset - 200), offset),
      );
    const name = before === null ? undefined : (before[1] ?? before[2] ?? before[3]);
    const root = toolNodeOf(this.tree);
    return name === undefined || root === undefined || root.inner.has(name) ? undefined : unknownServer(root, name);
  }

  shapeGiven(path: string): Shape | undefined {
    return this.calls.answered.get(path)?.shape;
  }

  // Places -----------------------------------------------------------------------------------------------------------------------------

  /** Where a program is that does not come to an end: the loop around what it does, or else that. */
  private busyAt(): SourceLocation | undefined {
    const { sites, parsed } = this.program.compiled;
    for (const site of captureSites()) {
      const loop = site >= 0 && site < sites.length ? loopAround(parsed.body, sites[site].offset) : undefined;
      if (loop !== undefined) return parsed.locate(loop);
    }
    return this.locate(R.site);
  }

  locate(site: number): SourceLocation | undefined {
    const { sites, parsed } = this.program.compiled;
    return site >= 0 && site < sites.length ? parsed.locate(sites[site].offset) : undefined;
  }

  private framed(made: Diagnostic): Diagnostic {
    if (made.location !== undefined && made.frame === undefined) made.frame = frameOf(this.program.compiled.parsed.source, made.location);
    return made;
  }
}
