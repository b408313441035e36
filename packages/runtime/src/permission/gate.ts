// The gate: every call passes it. It judges by the rules, asks where they say so, and takes the answers.

import { randomUUID } from "node:crypto";
import type { PermissionRequest, Tool } from "@airlock/catalog";
import type { Json, SourceLocation } from "@airlock/interpreter";
import type { Stopping } from "../call/stopping.js";
import type { Answer, CallRecord, Question, Reply, ReplyBy, Rule } from "../types.js";
import { judge, type Judgement, type Part } from "./judge.js";
import { Moments } from "./moments.js";
import type { RuleSet } from "./rules.js";
import * as text from "./text.js";

export interface GateOptions {
  rules: RuleSet;
  ask?: (question: Question, signal: AbortSignal) => Promise<Answer>;
  onSaved?: (rule: Rule) => void;
  /** The folder that relative paths of foreign tools count from. */
  root: string;
}

/** A call that wants to pass. */
export interface Applicant {
  callId: string;
  path: string;
  tool: Tool;
  input: Json;
  location?: SourceLocation;
  line?: string;
  /** A plain reject ends what waits in the same scope: the session, or else the run. */
  scope: string;
  /** The end of the call or of its run. */
  end: Stopping;
  pauseClocks(): () => void;
  emit(event: GateEvent): void;
}

export type GateEvent = { type: "asked"; question: Question } | { type: "replied"; questionId: string; answer: Answer; by: ReplyBy };

/** `fatal`: a plain reject, which ends the run. */
export type Decision = CallRecord["decision"] & { fatal?: boolean };

export class Gate {
  private readonly waiting = new Set<Waiting>();
  private readonly moments = new Moments<Waiting>((batch) => this.askTogether(batch));

  constructor(private readonly options: GateOptions) {}

  /** Says that a call is on its way, so that its question can be asked together with others. To be ended by the returned function. */
  enter(scope: string): () => void {
    return this.moments.enter(scope);
  }

  judge(tool: Tool, input: Json, requests: readonly PermissionRequest[] | undefined): Judgement {
    return judge(this.options.rules, tool, input, requests, this.options.root);
  }

  /**
   * The decision about one call. Never rejects and never hangs: without anybody to ask, an ask is a denial; a question ends with its run.
   * `leave` is called once the call no longer holds back the questions of its moment.
   */
  async permit(applicant: Applicant, requests: readonly PermissionRequest[] | undefined, leave: () => void): Promise<Decision> {
    const judgement = this.judge(applicant.tool, applicant.input, requests);
    const settled = this.settledBy(judgement, applicant);
    if (settled !== undefined) return settled;
    return new Promise<Decision>((resolve) => {
      this.wait(applicant, requests, judgement, resolve);
      leave();
    });
  }

  private settledBy({ parts, verdict }: Judgement, applicant: Applicant): Decision | undefined {
    if (verdict.action === "allow") {
      const rules = parts.flatMap((part) => part.verdict.rule ?? []);
      const rule = rules.find((one) => one.source === "saved") ?? rules[0];
      return rule === undefined
        ? { action: "allow", by: "default" }
        : { action: "allow", by: rule.source === "saved" ? "saved" : "rule", rule };
    }
    if (verdict.action === "deny") {
      const part = parts.find((one) => one.verdict === verdict) ?? parts[0];
      return { action: "deny", by: "rule", rule: verdict.rule, message: text.deniedByRule(applicant.path, part) };
    }
    if (this.options.ask !== undefined) return undefined;
    const open = parts.filter((part) => part.verdict.action === "ask");
    const rule = open[0]?.verdict.rule;
    return { action: "deny", by: rule === undefined ? "default" : "rule", rule, message: text.nobodyToAsk(applicant.path, open) };
  }

  private wait(
    applicant: Applicant,
    requests: readonly PermissionRequest[] | undefined,
    judgement: Judgement,
    resolve: (decision: Decision) => void,
  ): void {
    const controller = new AbortController();
    const resume = applicant.pauseClocks();
    let forget = (): void => {};
    const parts = judgement.parts.filter((part) => part.verdict.action === "ask");
    const waiting: Waiting = {
      applicant,
      parts,
      requests,
      signal: controller.signal,
      questionId: undefined,
      settle: (decision, answer, by) => {
        if (!this.waiting.delete(waiting)) return;
        forget();
        resume();
        if (waiting.questionId !== undefined) applicant.emit({ type: "replied", questionId: waiting.questionId, answer, by });
        resolve(decision);
        if (by !== "person") controller.abort(new Error(CLOSED[by]));
      },
    };
    const end = (): void =>
      waiting.settle({ action: "reject", by: "default", message: "The run ended before an answer." }, { reply: "reject" }, "end");
    this.waiting.add(waiting);
    if (applicant.end.isStopped) return end();
    forget = applicant.end.onStop(end);
    this.moments.add(applicant.scope, waiting);
  }

  private askTogether(batch: Waiting[]): void {
    const open = batch.filter((one) => this.waiting.has(one));
    const id = `batch_${randomUUID()}`;
    for (const waiting of open) {
      const { applicant } = waiting;
      const question: Question = {
        id: `question_${randomUUID()}`,
        callId: applicant.callId,
        path: applicant.path,
        input: applicant.input,
        location: applicant.location,
        line: applicant.line,
        requests: waiting.parts.map((part) => part.request),
        batch: id,
        batchSize: open.length,
      };
      waiting.questionId = question.id;
      applicant.emit({ type: "asked", question });
      this.put(question, waiting).then(
        (answer) => this.take(waiting, answer),
        (error: unknown) => this.fail(waiting, error instanceof Error ? error.message : String(error)),
      );
    }
  }

  private async put(question: Question, waiting: Waiting): Promise<Answer> {
    const { ask } = this.options;
    if (ask === undefined) throw new Error("there is nobody to ask");
    return ask(question, waiting.signal);
  }

  private take(waiting: Waiting, answer: Answer): void {
    if (!this.waiting.has(waiting)) return;
    const replies = repliesOf(answer, waiting.parts.length);
    if (typeof replies === "string") return this.fail(waiting, replies);
    const { path, scope } = waiting.applicant;
    const saved = replies.flatMap(({ reply }, index) => (reply === "always" ? this.save(waiting.parts[index]) : []));
    const rejects = replies.filter(({ reply }) => reply === "reject");
    const message = rejects.flatMap((one) => one.message?.trim() || []).join(" ");
    if (rejects.length === 0) {
      waiting.settle({ action: "allow", by: "person" }, answer, "person");
    } else if (rejects.some((one) => !one.message?.trim())) {
      waiting.settle({ action: "reject", by: "person", message: text.rejected(path), fatal: true }, answer, "person");
      for (const other of this.waiting) {
        if (other.applicant.scope !== scope) continue;
        other.settle(
          { action: "reject", by: "person", message: text.rejectedWithAnother(other.applicant.path, path), fatal: true },
          { reply: "reject" },
          "reject",
        );
      }
    } else {
      waiting.settle({ action: "reject", by: "person", message: text.rejectedWith(path, message) }, answer, "person");
    }
    if (saved.length > 0) this.settleAllowed();
  }

  private fail(waiting: Waiting, why: string): void {
    waiting.settle(
      { action: "deny", by: "default", message: text.askingFailed(waiting.applicant.path, why) },
      { reply: "reject", message: why },
      "person",
    );
  }

  private save(part: Part): Rule[] {
    const added: Rule[] = [];
    for (const pattern of part.request.always) {
      const rule: Rule = { permission: part.request.permission, pattern, action: "allow", source: "saved" };
      if (!this.options.rules.save(rule)) continue;
      added.push(rule);
      try {
        this.options.onSaved?.(rule);
      } catch (error) {
        process.emitWarning(`The approval ${text.ruleText(rule)} holds for now but could not be kept: ${String(error)}`);
      }
    }
    return added;
  }

  /** "Always" settles every waiting question that it now allows. */
  private settleAllowed(): void {
    for (const other of this.waiting) {
      const decision = this.settledBy(this.judge(other.applicant.tool, other.applicant.input, other.requests), other.applicant);
      if (decision?.action === "allow") other.settle(decision, { reply: "once" }, "saved");
    }
  }
}

interface Waiting {
  applicant: Applicant;
  parts: Part[];
  requests: readonly PermissionRequest[] | undefined;
  /** Aborted once the question no longer needs an answer. */
  signal: AbortSignal;
  questionId: string | undefined;
  settle(decision: Decision, answer: Answer, by: ReplyBy): void;
}

const CLOSED: Readonly<Record<Exclude<ReplyBy, "person">, string>> = {
  saved: "An approval for another question allows this call.",
  reject: "Another question was rejected, and this one with it.",
  end: "The run has ended.",
};
const REPLIES: ReadonlySet<Reply> = new Set(["once", "always", "reject"]);

/** One reply for each part, or why the answer can't be used. */
function repliesOf(answer: Answer, count: number): { reply: Reply; message?: string }[] | string {
  if (answer === null || typeof answer !== "object") return "the answer is no object";
  const replies = "replies" in answer ? answer.replies : Array.from({ length: count }, () => answer);
  if (!Array.isArray(replies) || replies.length !== count) return `the answer does not have one reply for each of ${count} parts`;
  const wrong = replies.find((one) => !REPLIES.has(one?.reply));
  return wrong === undefined ? replies : `"${String(wrong?.reply)}" is no reply`;
}
