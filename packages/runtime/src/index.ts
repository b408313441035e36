export * from "./types.js";
export { createRuntime } from "./runtime.js";
export { formatExecution, diagnosticText } from "./report.js";
export { flattenRules } from "./permission/rules.js";
export { ruleText } from "./permission/text.js";
export { canonicalJson } from "./permission/canonical.js";
export type { Plan, PlannedCall } from "./plan/plan.js";
export type { StaticDecision } from "./permission/judge.js";
