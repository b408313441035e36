// What host and worker say to each other: plain data only, one run at a time.

import {
  ParsedText,
  ToolError,
  type Diagnostic,
  type Json,
  type Limits,
  type LogEntry,
  type Outcome,
  type SourceLocation,
} from "@airlock/interpreter";
import { isRecord } from "../schema.js";
import { put, type Plain } from "../call/plain.js";

/** The names of a tool tree: an array of pairs, so that every name is possible. The leaves are numbered in its order. */
export type TreeNames = [name: string, inner: TreeNames | null][];

export type ToWorker =
  | {
      type: "run";
      run: number;
      source: string;
      tree: TreeNames;
      aliases?: Record<string, string>;
      globals?: Record<string, unknown>;
      limits: Limits;
      seed?: number;
      startTime?: number;
      timeZone?: string;
    }
  | { type: "abort"; run: number; reason: string }
  | { type: "result"; run: number; call: number; result: Carried }
  | { type: "failure"; run: number; call: number; failure: CarriedError }
  | { type: "progress" | "pause" | "resume"; run: number; call: number }
  | { type: "ping" };

export type FromWorker =
  | { type: "ready" }
  | { type: "pong" }
  | { type: "call"; run: number; call: number; tool: number; callId: string; path: string; location?: SourceLocation; input: Carried }
  | { type: "cancel"; run: number; call: number; reason: CarriedError }
  | { type: "log"; run: number; entry: LogEntry }
  | { type: "outcome"; run: number; outcome: Outcome }
  /** The interpreter itself failed. */
  | { type: "broken"; run: number; message: string }
  /** Said by a process about the worker inside of it. */
  | { type: "lost"; memory: boolean; message: string };

/** Plain data, and the texts of parsed texts with the places where they belong. */
export interface Carried {
  value: unknown;
  texts?: { path: string[]; text: string }[];
}

export interface CarriedError {
  name: string;
  message: string;
  diagnostic: Partial<Diagnostic>;
  data?: Json;
  fatal: boolean;
}

export function carry(value: unknown): Carried {
  if (!holdsText(value)) return { value };
  const texts: { path: string[]; text: string }[] = [];
  return { value: withoutTexts(value, [], texts), texts };
}

export function uncarry({ value, texts = [] }: Carried): Plain | ParsedText {
  let whole = value as Plain | ParsedText;
  for (const { path, text } of texts) {
    const parsed = new ParsedText(text);
    const last = path.at(-1);
    if (last === undefined) {
      whole = parsed;
      continue;
    }
    let holder: unknown = whole;
    for (const key of path.slice(0, -1)) holder = (holder as { [key: string]: unknown })[key];
    put(holder as { [key: string]: unknown }, last, parsed);
  }
  return whole;
}

export function carryError(thrown: unknown): CarriedError {
  if (thrown instanceof ToolError)
    return { name: thrown.name, message: thrown.message, diagnostic: { ...thrown.diagnostic }, data: thrown.data, fatal: thrown.fatal };
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message, diagnostic: {}, fatal: false };
  return { name: "Error", message: typeof thrown === "string" ? thrown : "The call was stopped.", diagnostic: {}, fatal: false };
}

export function uncarryError({ name, message, diagnostic, data, fatal }: CarriedError): ToolError {
  return new ToolError(message, { name, diagnostic, data, fatal });
}

/** Whether there is a parsed text in it: large results seldom have one, so nothing is made to find out. */
function holdsText(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  if (value instanceof ParsedText) return true;
  if (Array.isArray(value)) return value.some(holdsText);
  for (const key of Object.keys(value)) if (holdsText((value as { [key: string]: unknown })[key])) return true;
  return false;
}

/** A copy with null where parsed texts were. */
function withoutTexts(value: unknown, path: string[], texts: { path: string[]; text: string }[]): unknown {
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  if (value instanceof ParsedText) {
    texts.push({ path: [...path], text: value.text });
    return null;
  }
  const copy: { [key: string]: unknown } | unknown[] = Array.isArray(value) ? [] : {};
  for (const [key, item] of Object.entries(value)) {
    path.push(key);
    put(copy as { [key: string]: unknown }, key, withoutTexts(item, path, texts));
    path.pop();
  }
  return copy;
}

export function isMessage(value: unknown): value is { type: string } {
  return isRecord(value) && typeof value.type === "string";
}
