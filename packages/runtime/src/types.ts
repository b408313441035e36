// The contract of the runtime: one execution of a program with its calls.

import type { Catalog, ContentBlock, ListingOptions, PermissionRequest } from "@airlock/catalog";
import type { Diagnostic, Json, Limits, LogEntry, Outcome, SourceLocation } from "@airlock/interpreter";
import type { Plan } from "./plan/plan.js";

export type Action = "allow" | "deny" | "ask";

export interface Rule {
  permission: string;
  pattern: string;
  action: Action;
  /** Where the rule comes from. Default "user". */
  source?: "default" | "user" | "project" | "saved" | "flag";
}

/** The configuration's nested form: `{ "edit": "ask", "bash": { "git status *": "allow" } }`. */
export type PermissionMap = { [permission: string]: Action | { [pattern: string]: Action } };

export interface Question {
  id: string;
  callId: string;
  path: string;
  input: Json;
  location?: SourceLocation;
  /** The program line of the call. */
  line?: string;
  /** The parts that need an answer; each can be answered apart. */
  requests: PermissionRequest[];
  /** Questions of the same moment share a batch. */
  batch: string;
  /** How many questions the batch has. */
  batchSize: number;
}

export type Reply = "once" | "always" | "reject";
export type Answer = { reply: Reply; message?: string } | { replies: { reply: Reply; message?: string }[] };

export interface CallResult {
  title?: string;
  value: Json;
  /** Set if `value` was parsed from this whole text. */
  text?: string;
  attachments: { media: string; mimeType: string; bytes: number }[];
  metadata: { [key: string]: Json };
  complete: boolean;
  truncated?: boolean;
}

export interface CallRecord {
  id: string;
  path: string;
  server: string;
  name: string;
  input: Json;
  state: "pending" | "running" | "completed" | "error" | "interrupted";
  decision: { action: "allow" | "deny" | "reject"; by: "rule" | "saved" | "person" | "default"; rule?: Rule; message?: string };
  result?: CallResult;
  error?: Diagnostic;
  location?: SourceLocation;
  startedAt: number;
  endedAt?: number;
}

export type ExecutionEvent =
  | { type: "call.started"; executionId: string; call: CallRecord }
  | { type: "call.progress"; executionId: string; callId: string; update: object }
  | { type: "call.settled"; executionId: string; call: CallRecord }
  | { type: "log"; executionId: string; entry: LogEntry }
  | { type: "asked"; executionId: string; question: Question }
  | { type: "replied"; executionId: string; questionId: string; answer: Answer; by: ReplyBy };

/** Who settled a question: a person; an "always" for another question; the reject of another question; the end of its run. */
export type ReplyBy = "person" | "saved" | "reject" | "end";

export type Execution = Outcome & { id: string; calls: CallRecord[] };

export type TextMode = "auto" | "string" | "json";

export interface RuntimeOptions {
  catalog: Catalog | (() => Catalog);
  permission: PermissionMap | Rule[];
  ask?: (question: Question, signal: AbortSignal) => Promise<Answer>;
  limits?: Partial<Limits>;
  /** Default "none". */
  isolation?: "none" | "worker" | "process";
  text?: TextMode;
  /** Budget, pinned tools and the words for searching, for `instructions()`. */
  listing?: ListingOptions;
  /** Adds `tools.catalog.search` to what programs can call, and names it in a partial listing. Default false. */
  search?: boolean;
  /** Servers that are not there, and why: a program that names one reads it. */
  unavailable?: () => readonly { server: string; message: string }[];
  /** Called for each rule that "always" adds. */
  onSaved?: (rule: Rule) => void;
  /** Most runs at once with isolation; more wait in order, which counts in no limit. Default 8. */
  workers?: number;
  /** The folder that relative paths in the arguments of foreign tools count from. Default: the process's folder. */
  root?: string;
}

export interface ExecuteOptions {
  input?: Json;
  signal?: AbortSignal;
  /** The snapshot that was shown to the model. Default: that of the last `instructions()`. */
  catalog?: Catalog;
  onEvent?: (event: ExecutionEvent) => void;
  seed?: number;
  /** Milliseconds since the epoch: guest time starts there and moves only with tool results and timers. */
  startTime?: number;
  timeZone?: string;
  sessionId?: string;
  messageId?: string;
  agent?: string;
}

export interface CallOptions {
  signal?: AbortSignal;
  catalog?: Catalog;
  onEvent?: (event: ExecutionEvent) => void;
  sessionId?: string;
  messageId?: string;
  agent?: string;
}

/** The answer of `explain`. */
export interface Explanation {
  path: string;
  /** "depends": on the input. */
  action: Action | "depends";
  /** The rule that keeps the tool out of the catalog. */
  hidden?: Rule;
  /** What has to be allowed, each with its answer and the rule that gives it. Without a rule: nothing matches, which asks. */
  parts: { permission: string; pattern?: string; action: Action | "depends"; rules: Rule[] }[];
  /** The same in words, for a person. */
  text: string;
}

export interface Runtime {
  /** The constant tool description, the listing apart (so that prompt caches hold), and the snapshot that both are about. */
  instructions(): { description: string; catalog: string; snapshot: Catalog };
  execute(code: string, options?: ExecuteOptions): Promise<Execution>;
  /** One direct call (classic mode, MCP clients of ours) through the same pipeline. A failure is in the record, never thrown. */
  call(path: string, input: Json, options?: CallOptions): Promise<CallRecord>;
  /** The content of a media handle that a call of this runtime made; undefined once it is gone. */
  media(id: string): ContentBlock | undefined;
  /** What a program would do, without running it: its calls with what the rules say, and what would stop it before it starts. */
  plan(code: string, options?: { catalog?: Catalog }): Plan;
  /** What the permission rules say about a tool, and which of them decides; with an input, about that call. */
  explain(path: string, input?: Json): Promise<Explanation>;
  /** Ends the workers. Runs that are going on end as aborted. */
  close(): Promise<void>;
}
