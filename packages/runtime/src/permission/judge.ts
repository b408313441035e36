// What the rules say about one call: the parts that must all pass, each with its verdict.

import type { PermissionRequest, Tool } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import type { Action, Rule } from "../types.js";
import { canonicalJson } from "./canonical.js";
import { groupOf, ownPermission } from "./groups.js";
import { isKnownReadOnly, isPathProperty, pathArguments } from "./paths.js";
import { stricter, type RuleSet, type Verdict } from "./rules.js";

/** One thing that has to be allowed, and what the rules say about it. */
export interface Part {
  request: PermissionRequest;
  verdict: Verdict;
}

/** The parts of a call, and the strictest of their verdicts. Without parts nothing has to be allowed. */
export interface Judgement {
  parts: Part[];
  verdict: Verdict;
}

/**
 * Judges one call. `requests` is what the tool's `permissions()` gave; undefined if it has none: then `server.name` over the input judges it.
 * `root` is the folder that relative paths of foreign tools count from.
 */
export function judge(
  rules: RuleSet,
  tool: Tool,
  input: Json,
  requests: readonly PermissionRequest[] | undefined,
  root: string,
): Judgement {
  const own: PermissionRequest = { permission: ownPermission(tool), patterns: [canonicalJson(input)], always: ["*"], metadata: {} };
  const parts: Part[] = [];
  if (requests === undefined) {
    parts.push({ request: own, verdict: rules.judge({ permission: own.permission, spellings: own.patterns }) });
    for (const { path, spellings } of pathArguments(tool, input, root)) {
      const verdict = rules.judgeNamed({ permission: "edit", spellings });
      if (verdict !== undefined)
        parts.push({ request: { permission: "edit", patterns: [path], always: savable(path), metadata: {} }, verdict });
    }
  } else {
    for (const request of requests) {
      // A request without patterns is about everything that it could be about.
      const patterns = request.patterns.length > 0 ? request.patterns : ["*"];
      const verdicts = patterns.map((pattern) => rules.judge({ permission: request.permission, spellings: [pattern] }));
      parts.push({ request, verdict: verdicts.reduce(stricter) });
    }
    const verdict = rules.judgeNamed({ permission: own.permission, spellings: own.patterns });
    if (verdict !== undefined) parts.push({ request: own, verdict });
  }
  return { parts, verdict: parts.length === 0 ? { action: "allow" } : parts.map((part) => part.verdict).reduce(stricter) };
}

/** The answer that holds whatever the input is, or "depends" with the answers that are possible. */
export interface StaticDecision {
  action: Action | "depends";
  /** All answers that are possible, the mildest first. */
  possible: Action[];
  /** The rules that can decide, the last first. */
  rules: Rule[];
}

/** What the rules say about a tool before its input is known. */
export function judgeStatically(rules: RuleSet, tool: Tool): StaticDecision {
  const own = ownPermission(tool);
  const group = groupOf(tool);
  let main: Possible;
  const extras: Possible[] = [];
  if (tool.permissions === undefined) {
    main = rules.possible(own);
    if (mayNamePaths(tool)) extras.push(rules.possible("edit", true));
  } else {
    main = group === undefined ? UNKNOWN : rules.possible(group);
    extras.push(rules.possible(own, true));
  }
  let actions = new Set<Action>(main.verdicts.map((verdict) => verdict.action));
  // Where no rule is sure to match, the answer can be that of no match: to ask.
  if (!main.closed) actions.add("ask");
  // `permissions()` may find that a call needs nothing.
  if (tool.permissions !== undefined && !actions.has("allow")) actions.add("allow");
  for (const extra of extras) {
    const combined = new Set<Action>(extra.closed ? [] : actions);
    for (const a of actions) for (const b of extra.verdicts) combined.add(stricter({ action: a }, b).action);
    if (combined.size > 0) actions = combined;
  }
  const possible = (["allow", "ask", "deny"] as const).filter((action) => actions.has(action));
  const deciding = [main, ...extras].flatMap((one) => one.verdicts.flatMap((verdict) => verdict.rule ?? []));
  return { action: possible.length === 1 ? possible[0] : "depends", possible, rules: [...new Set(deciding)] };
}

/**
 * The rule that hides a tool from the catalog, or undefined. Hidden is only what no input can make allowed:
 * the last rule for its permission has the pattern `*` and denies.
 */
export function hidingRule(rules: RuleSet, tool: Tool): Rule | undefined {
  const group = groupOf(tool);
  const candidates =
    tool.permissions === undefined
      ? [rules.possible(ownPermission(tool))]
      : [rules.possible(ownPermission(tool), true), ...(group === undefined ? [] : [rules.possible(group)])];
  for (const { verdicts, closed } of candidates) {
    if (closed && verdicts.length === 1 && verdicts[0].action === "deny") return verdicts[0].rule;
  }
  return undefined;
}

type Possible = ReturnType<RuleSet["possible"]>;

const UNKNOWN: Possible = { verdicts: [{ action: "allow" }, { action: "ask" }, { action: "deny" }], closed: true };

/** A path with a wildcard character in it can't be saved: the saved rule would allow more than this path. */
function savable(path: string): string[] {
  return /[*?]/.test(path) ? [] : [path];
}

function mayNamePaths(tool: Tool): boolean {
  if (tool.foreign !== true || isKnownReadOnly(tool)) return false;
  const schema: unknown = tool.inputSchema;
  const pending: unknown[] = [schema];
  for (let seen = 0; pending.length > 0 && seen < 2_000; seen++) {
    const node = pending.pop();
    if (node === null || typeof node !== "object") continue;
    const properties: unknown = Reflect.get(node, "properties");
    if (properties !== null && typeof properties === "object") {
      for (const [name, inner] of Object.entries(properties)) if (isPathProperty(name, inner, true)) return true;
    }
    pending.push(...Object.values(node));
  }
  return pending.length > 0;
}
