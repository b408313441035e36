// Acorn's errors in our words: what is wrong, where it began, and what to write instead.

import type { Limits } from "../api.js";
import type { Failure } from "./failure.js";

export interface Explanation {
  offset: number;
  kind: "syntax" | "unsupported" | "limit";
  message: string;
  hints: string[];
  limit?: keyof Limits;
}

export function explain(_text: string, failure: Failure): Explanation {
  const { kind = "syntax", hints = [], limit } = failure.details;
  return { offset: failure.offset, kind, message: failure.message, hints, ...(limit ? { limit } : {}) };
}
