// Which rule decides about a tool: for `airlock tools --why` and `airlock check`.

import type { CallContext, PermissionRequest, Registration } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import type { Explanation, Rule } from "../types.js";
import { groupOf, ownPermission } from "./groups.js";
import { hidingRule, judge, judgeStatically } from "./judge.js";
import type { RuleSet } from "./rules.js";
import { ruleText } from "./text.js";

/**
 * The rules' answer for a tool. With an input it is the answer for that call: `permissions()` is asked then, and nothing is run.
 * Without, it is what holds for every input, or "depends".
 */
export async function explain(rules: RuleSet, { path, tool }: Registration, input: Json | undefined, root: string): Promise<Explanation> {
  const hidden = hidingRule(rules, tool);
  let action: Explanation["action"];
  let parts: Explanation["parts"];
  if (input === undefined) {
    const decision = judgeStatically(rules, tool);
    action = decision.action;
    parts = [
      {
        permission: tool.permissions === undefined ? ownPermission(tool) : (groupOf(tool) ?? "as its input needs"),
        action,
        rules: decision.rules,
      },
    ];
  } else {
    const requests: PermissionRequest[] | undefined = await tool.permissions?.(input, dryContext(path));
    const judgement = judge(rules, tool, input, requests, root);
    action = judgement.verdict.action;
    parts = judgement.parts.map(({ request, verdict }) => ({
      permission: request.permission,
      pattern: request.patterns.join(", "),
      action: verdict.action,
      rules: verdict.rule === undefined ? [] : [verdict.rule],
    }));
  }
  return { path, action, ...(hidden !== undefined && { hidden }), parts, text: textOf(path, action, hidden, parts) };
}

function textOf(path: string, action: Explanation["action"], hidden: Rule | undefined, parts: Explanation["parts"]): string {
  const lines = [`${path}: ${ANSWER[action]}${hidden === undefined ? "" : " and hidden from the catalog"}`];
  for (const part of parts) {
    const about = `"${part.permission}"${part.pattern === undefined ? "" : ` for ${part.pattern}`}`;
    if (part.rules.length === 0) lines.push(`  ${about}: ${part.action}, no rule matches`);
    else if (part.rules.length === 1) lines.push(`  ${about}: ${part.action} by ${ruleText(part.rules[0])}`);
    else lines.push(`  ${about}: ${part.action}; the last of these that matches:`, ...part.rules.map((rule) => `    ${ruleText(rule)}`));
  }
  if (parts.length === 0) lines.push("  this call needs no permission");
  return lines.join("\n");
}

function dryContext(path: string): CallContext {
  return { callId: "explain", path, signal: new AbortController().signal, metadata: () => {}, log: () => {} };
}

const ANSWER: Readonly<Record<Explanation["action"], string>> = {
  allow: "allowed",
  deny: "denied",
  ask: "asks",
  depends: "depends on the input",
};
