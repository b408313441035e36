// A program's plan for a person: its calls with what the rules say, before anything runs.

import { ruleText, type Plan, type PlannedCall } from "@airlock/runtime";
import { colors, shownLine, type Colors } from "./terminal.js";

export function planText(plan: Plan, paint: Colors = colors): string {
  const lines = plan.calls.map(
    (call) =>
      `${String(call.location.line).padStart(5)}  ${shownLine(call.path, 120)}${call.called ? "" : " (given on)"}  ${decisionText(call, paint)}`,
  );
  if (plan.calls.length === 0) lines.push(plan.dynamic ? "Calls are not known before the run." : "The program calls no tools.");
  if (plan.dynamic) lines.push("Some tools are reached by a computed name: there may be more calls than these.");
  return lines.join("\n");
}

function decisionText({ decision }: PlannedCall, paint: Colors): string {
  const { action, possible, rules } = decision;
  const word =
    action === "allow"
      ? paint.green("allowed")
      : action === "deny"
        ? paint.red("denied")
        : action === "ask"
          ? paint.yellow("asks")
          : paint.yellow(`depends on the input (${possible.join(", ")})`);
  const [rule, ...others] = rules;
  const by =
    rule === undefined ? "no rule matches" : `${shownLine(ruleText(rule), 120)}${others.length > 0 ? ` and ${others.length} more` : ""}`;
  return `${word}  ${paint.dim(by)}`;
}

/** A call that is made for sure and that the rules deny for sure. */
export function isBarred(plan: Plan): boolean {
  return plan.calls.some(({ called, decision }) => called && decision.action === "deny");
}

export function planDocument(plan: Plan): { [key: string]: unknown } {
  return { calls: plan.calls, complete: !plan.dynamic, problems: plan.problems };
}
