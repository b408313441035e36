// What the passes throw inside this folder. `index.ts` makes it a ProgramError with location and frame.

import type { Diagnostic, Limits } from "../api.js";

export interface FailureDetails {
  kind?: Extract<Diagnostic["kind"], "syntax" | "unsupported" | "limit">;
  hints?: string[];
  limit?: keyof Limits;
}

/** A program refused at an offset. It is a SyntaxError because acorn-typescript's trial parses catch only those. */
export class Failure extends SyntaxError {
  readonly offset: number;
  readonly details: FailureDetails;
  /** Acorn's own wording, to be put into ours by `explain`. */
  readonly raw: boolean;
  constructor(offset: number, message: string, details?: FailureDetails) {
    super(message);
    this.offset = offset;
    this.details = details ?? {};
    this.raw = details === undefined;
  }
}

export function unsupported(offset: number, message: string, ...hints: string[]): Failure {
  return new Failure(offset, message, { kind: "unsupported", hints });
}

export function syntax(offset: number, message: string, ...hints: string[]): Failure {
  return new Failure(offset, message, { kind: "syntax", hints });
}

export function tooDeep(offset: number): Failure {
  return new Failure(offset, "The program is nested too deeply.", {
    kind: "limit",
    limit: "astDepth",
    hints: ["Put inner parts into variables or functions of their own."],
  });
}
