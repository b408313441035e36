// Sessions as records that are only ever appended. A conversation is read from them, also after a crash.

import type { CallRecord } from "@airlock/runtime";
import { newId } from "./ids.js";
import type { FinishReason } from "./events.js";
import { callsOf, text, type AssistantMessage, type Message, type ToolResult, type UserMessage } from "./messages.js";

export interface Session {
  id: string;
  createdAt: number;
}

export type SessionEntry =
  | { type: "run.started"; runId: string; provider: string; model: string; codeMode: boolean }
  | { type: "message"; messageId: string; message: UserMessage | AssistantMessage }
  /** Written before a call runs: a call with a start and no result was cut off by a crash, its outcome is unknown. */
  | { type: "tool.started"; messageId: string; callId: string }
  /** The end of a call: what the model reads, and the records of the tool calls that it made. */
  | { type: "tool.result"; messageId: string; result: ToolResult; calls: CallRecord[] }
  | { type: "run.ended"; runId: string; reason: FinishReason };

export type SessionRecord = SessionEntry & {
  id: string;
  sessionId: string;
  /** Milliseconds since the epoch. */
  at: number;
};

export interface SessionStore {
  create(): Promise<Session>;
  get(id: string): Promise<Session | undefined>;
  /** The newest first. */
  list(): Promise<Session[]>;
  append(sessionId: string, entry: SessionEntry): Promise<SessionRecord>;
  /** In the order of appending. */
  records(sessionId: string): Promise<SessionRecord[]>;
  /**
   * One run at a time: resolves to the function that gives the session free.
   * @throws SessionBusyError while another run has it.
   */
  lock(sessionId: string): Promise<() => Promise<void>>;
}

export class SessionBusyError extends Error {
  constructor(sessionId: string) {
    super(`session ${sessionId} is busy with another prompt: wait for its end, or abort it`);
    this.name = "SessionBusyError";
  }
}

export class UnknownSessionError extends Error {
  constructor(sessionId: string) {
    super(`there is no session ${sessionId}`);
    this.name = "UnknownSessionError";
  }
}

/** Sessions for as long as the process lives. Records are copied on the way in and out. */
export function memoryStore(now: () => number = Date.now): SessionStore {
  const sessions = new Map<string, { session: Session; records: SessionRecord[] }>();
  const locked = new Set<string>();
  const find = (id: string): { session: Session; records: SessionRecord[] } => {
    const found = sessions.get(id);
    if (found === undefined) throw new UnknownSessionError(id);
    return found;
  };
  return {
    async create() {
      const session = { id: newId("ses"), createdAt: now() };
      sessions.set(session.id, { session, records: [] });
      return { ...session };
    },
    async get(id) {
      const found = sessions.get(id);
      return found && { ...found.session };
    },
    async list() {
      return [...sessions.values()].map(({ session }) => ({ ...session })).reverse();
    },
    async append(sessionId, entry) {
      const record: SessionRecord = structuredClone({ ...entry, id: newId("rec"), sessionId, at: now() });
      find(sessionId).records.push(record);
      return structuredClone(record);
    },
    async records(sessionId) {
      return structuredClone(find(sessionId).records);
    },
    async lock(sessionId) {
      find(sessionId);
      if (locked.has(sessionId)) throw new SessionBusyError(sessionId);
      locked.add(sessionId);
      return async () => void locked.delete(sessionId);
    },
  };
}

/**
 * The conversation that records tell. Every call has a result, in the order of the calls; one without a recorded end reads as
 * interrupted, so the conversation is well-formed whatever happened to the process.
 */
export function conversation(records: readonly SessionRecord[]): Message[] {
  const results = new Map(openCalls(records).map((entry) => [key(entry.messageId, entry.result.callId), entry.result]));
  for (const record of records) if (record.type === "tool.result") results.set(key(record.messageId, record.result.callId), record.result);
  const messages: Message[] = [];
  for (const record of records) {
    if (record.type !== "message") continue;
    messages.push(record.message);
    if (record.message.role !== "assistant") continue;
    const calls = callsOf(record.message);
    if (calls.length > 0) messages.push({ role: "tool", results: calls.map((call) => results.get(key(record.messageId, call.callId))!) });
  }
  return messages;
}

/** The ends that are missing: one `tool.result` entry, marked interrupted, for each call without one. */
export function openCalls(records: readonly SessionRecord[]): Extract<SessionEntry, { type: "tool.result" }>[] {
  const started = new Set<string>();
  const ended = new Set<string>();
  for (const record of records) {
    if (record.type === "tool.started") started.add(key(record.messageId, record.callId));
    if (record.type === "tool.result") ended.add(key(record.messageId, record.result.callId));
  }
  return records.flatMap((record) => {
    if (record.type !== "message" || record.message.role !== "assistant") return [];
    return callsOf(record.message)
      .filter((call) => !ended.has(key(record.messageId, call.callId)))
      .map(({ callId, name }) => {
        const what = started.has(key(record.messageId, callId))
          ? "Interrupted: the process ended while this call was running. What it did is unknown; check before you repeat it."
          : "Interrupted before it began: this call did not run.";
        return {
          type: "tool.result",
          messageId: record.messageId,
          result: { callId, name, state: "interrupted", content: [text(what)] },
          calls: [],
        };
      });
  });
}

function key(messageId: string, callId: string): string {
  return `${messageId} ${callId}`;
}
