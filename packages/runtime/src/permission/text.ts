// The words about permission that a model, a program or a person reads.

import type { Rule } from "../types.js";
import type { Part } from "./judge.js";

/** A rule as it stands in a configuration, and whose it is: `"bash": { "rm *": "deny" } (project)`. */
export function ruleText(rule: Rule): string {
  const entry = rule.pattern === "*" ? JSON.stringify(rule.action) : `{ ${JSON.stringify(rule.pattern)}: ${JSON.stringify(rule.action)} }`;
  return `${JSON.stringify(rule.permission)}: ${entry} (${SOURCE[rule.source ?? "user"]})`;
}

export function deniedByRule(path: string, part: Part): string {
  const what = part.request.permission;
  const rule = part.verdict.rule;
  return `${path} was denied: ${rule === undefined ? `"${what}" is not allowed` : `the rule ${ruleText(rule)} forbids it`}.`;
}

export function nobodyToAsk(path: string, parts: readonly Part[]): string {
  const names = [...new Set(parts.map((part) => `"${part.request.permission}"`))].join(" and ");
  return `${path} was denied: it needs permission for ${names}, and there is nobody to ask.`;
}

export function askingFailed(path: string, why: string): string {
  return `${path} was denied: the question whether it may run could not be answered (${why}).`;
}

export function rejectedWith(path: string, message: string): string {
  return `${path} was rejected by the user: ${message}`;
}

export function rejected(path: string): string {
  return `The user rejected ${path}. The run has ended.`;
}

export function rejectedWithAnother(path: string, other: string): string {
  return `The user rejected ${other}, and ${path} with it. The run has ended.`;
}

const SOURCE: Readonly<Record<NonNullable<Rule["source"]>, string>> = {
  default: "default",
  user: "user",
  project: "project",
  saved: "saved approval",
  flag: "command line",
};
