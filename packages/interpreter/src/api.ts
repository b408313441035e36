// The public types of the interpreter: what goes into a run and what comes out.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A position in the text as sent. Both numbers are 1-based; columns count UTF-16 units. */
export interface SourceLocation {
  line: number;
  column: number;
}

/** A tree of host functions. Inner nodes are plain objects (or Maps, for names of any characters), leaves are tools. */
export interface ToolTree {
  [name: string]: ToolTree | ToolFunction;
}

export type ToolFunction = (input: Json, call: ToolCall) => unknown;

/** What a tool function learns about the call that it serves. */
export interface ToolCall {
  callId: string;
  /** The expression a program writes, e.g. `tools.github.create_issue`. */
  path: string;
  location?: SourceLocation;
  signal: AbortSignal;
  /** Calls `listener` with the reason when the call need not go on: what `signal` tells, where one for each call would cost too much. */
  onStop(listener: (reason: unknown) => void): void;
  /** Restarts the call's `toolMs`: to be called on progress. */
  progress(): void;
  /** Stops the run's clocks (`toolMs`, `wallMs`) until the returned function is called: for waiting on a person. */
  pauseClocks(): () => void;
}

export interface RunOptions {
  tools?: ToolTree;
  /** `server.alias` → `server.name`, asked only where the tree lacks the own key. */
  aliases?: Record<string, string>;
  /** Plain data visible by name, e.g. `input`. */
  globals?: Record<string, unknown>;
  /** `Infinity` switches a limit off. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
  onLog?: (entry: LogEntry) => void;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number;
  /** A number in [0, 1). Default: a seeded generator, its seed in the stats. */
  random?: () => number;
  /** Seed of the default generator; ignored with `random`. */
  seed?: number;
  /** IANA name. Default "UTC": never the host's. */
  timeZone?: string;
}

/** Every limit is on by default. None can be caught but `stringLength`, `arrayLength` and `toolMs`. */
export interface Limits {
  /** One step: a call, a loop turn, or a unit of work in a builtin (element, 16 characters, comparison, regex step). */
  steps: number;
  /** Time that the program itself uses; waiting for tools, timers and people does not count. */
  computeMs: number;
  /** Waiting for a person's answer does not count. */
  wallMs: number;
  /** Live memory. */
  memoryBytes: number;
  /** Guest calls below the program's own frame. */
  callDepth: number;
  stringLength: number;
  arrayLength: number;
  toolCalls: number;
  /** More wait in order. */
  concurrentCalls: number;
  /** From the call's start, not its place in the queue; reset by progress. */
  toolMs: number;
  /** Cuts the log with one warning; the run goes on. */
  logBytes: number;
  resultBytes: number;
  sourceBytes: number;
  astDepth: number;
  pendingPromises: number;
  timers: number;
  mediaBytes: number;
  mediaCount: number;
}

export type Outcome = Completed | Failed;

export interface Completed {
  status: "completed";
  value: Json;
  logs: LogEntry[];
  warnings: Diagnostic[];
  stats: Stats;
}

export interface Failed {
  status: "failed";
  error: Diagnostic;
  logs: LogEntry[];
  warnings: Diagnostic[];
  stats: Stats;
}

export type DiagnosticKind =
  | "syntax"
  | "unsupported"
  | "type"
  | "unknown-tool"
  | "stale-tool"
  | "invalid-input"
  | "invalid-output"
  | "denied"
  | "rejected"
  | "tool-failed"
  | "uncaught"
  | "limit"
  | "stalled"
  | "aborted"
  | "invalid-result"
  | "internal";

export interface Diagnostic {
  kind: DiagnosticKind;
  /** The error's name, for "uncaught" and "tool-failed". */
  name?: string;
  message: string;
  limit?: keyof Limits;
  location?: SourceLocation;
  /** The source line with a caret under the column. */
  frame?: string;
  hints: string[];
}

export interface LogEntry {
  level: "log" | "info" | "debug" | "warn" | "error";
  text: string;
  args: Json[];
}

export interface Stats {
  steps: number;
  computeMs: number;
  wallMs: number;
  allocatedBytes: number;
  peakDepth: number;
  toolCalls: number;
  seed: number;
  cachedProgram: boolean;
}

/**
 * What a tool function throws to fail its call with a chosen diagnostic. Other errors cross with their name and message only.
 * `data` must be plain; the program reads it as `error.data`. With `fatal`, the run ends and no `catch` sees it.
 */
export class ToolError extends Error {
  readonly diagnostic: Partial<Diagnostic>;
  readonly data?: Json;
  readonly fatal: boolean;
  /** The tool may have acted: its answer is lost. */
  readonly outcomeUnknown: boolean;
  constructor(
    message: string,
    options: { name?: string; diagnostic?: Partial<Diagnostic>; data?: Json; fatal?: boolean; outcomeUnknown?: boolean } = {},
  ) {
    super(message);
    this.name = options.name ?? "ToolError";
    this.diagnostic = options.diagnostic ?? {};
    this.data = options.data;
    this.fatal = options.fatal ?? false;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

/**
 * A text that is to be a JSON value in the program and remembers its text: `String(v)`, templates and `JSON.parse(v)` use the text.
 * A tool function returns it where a text tool's whole output is one JSON object or array.
 */
export class ParsedText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Thrown by `compile` for a text that is no program. */
export class ProgramError extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.name = "ProgramError";
    this.diagnostic = diagnostic;
  }
}
