// Rules: from the configuration's nested map to triples, their order, and the answer for one permission and pattern.

import { homedir } from "node:os";
import type { Action, PermissionMap, Rule } from "../types.js";
import { namesOf } from "./groups.js";
import { isBare, matches } from "./wildcard.js";

/** What the rules say about one thing. Without a rule nothing matched, which asks. */
export interface Verdict {
  action: Action;
  rule?: Rule;
}

/** One thing to judge: a permission, and the spellings of one object (a path, absolute and from the root). Any of them may match. */
export interface Subject {
  permission: string;
  spellings: readonly string[];
}

const ORDER: Readonly<Record<NonNullable<Rule["source"]>, number>> = { default: 0, user: 1, project: 2, saved: 3, flag: 4 };
const STRICTNESS: Readonly<Record<Action, number>> = { allow: 0, ask: 1, deny: 2 };

/**
 * The triples of a nested map, in its order.
 *
 * @example flattenRules({ bash: { "git *": "allow" } }) // [{ permission: "bash", pattern: "git *", action: "allow", source: "user" }]
 * @throws TypeError for an action that is none of allow, deny, ask.
 */
export function flattenRules(permission: PermissionMap | readonly Rule[], source: NonNullable<Rule["source"]> = "user"): Rule[] {
  const rules: Rule[] = [];
  if (isRuleList(permission)) {
    for (const rule of permission) rules.push(checked({ source, ...rule, pattern: expandHome(rule.pattern) }));
    return rules;
  }
  for (const [name, entry] of Object.entries(permission)) {
    if (typeof entry === "string") {
      rules.push(checked({ permission: name, pattern: "*", action: entry, source }));
    } else if (entry !== null && typeof entry === "object") {
      for (const [pattern, action] of Object.entries(entry))
        rules.push(checked({ permission: name, pattern: expandHome(pattern), action, source }));
    } else {
      throw new TypeError(`The permission "${name}" must be "allow", "deny", "ask", or a map of patterns to them.`);
    }
  }
  return rules;
}

/** `~` and `$HOME` at the start of a path, as people write them in rules. */
export function expandHome(pattern: string, home: string = homedir()): string {
  for (const name of ["~", "$HOME"]) {
    if (pattern === name) return home;
    if (pattern.startsWith(`${name}/`)) return home + pattern.slice(name.length);
  }
  return pattern;
}

/** The stricter of two answers. The first stays on a tie. */
export function stricter(a: Verdict, b: Verdict): Verdict {
  return STRICTNESS[b.action] > STRICTNESS[a.action] ? b : a;
}

/** An ordered list of rules that answers questions and takes saved approvals. */
export class RuleSet {
  private entries: Entry[];

  constructor(rules: readonly Rule[]) {
    this.entries = rules.map(entryOf).toSorted((a, b) => a.rank - b.rank);
  }

  get rules(): readonly Rule[] {
    return this.entries.map((entry) => entry.rule);
  }

  /** Adds an approval behind the earlier ones, before the flags. False if it is there already. */
  save(rule: Rule): boolean {
    const entry = entryOf({ ...rule, source: "saved" });
    const known = this.entries.some(
      (one) =>
        one.rank === entry.rank &&
        one.rule.permission === rule.permission &&
        one.rule.pattern === rule.pattern &&
        one.rule.action === rule.action,
    );
    if (known) return false;
    this.entries = [...this.entries, entry].toSorted((a, b) => a.rank - b.rank);
    return true;
  }

  /** The last match; a deny that is the last match among the user's and the project's rules beats what comes after them. */
  judge(subject: Subject): Verdict {
    return this.lastMatch(subject, () => true) ?? { action: "ask" };
  }

  /** The same among only the rules that name the permission (it is more than a bare `*`); undefined if none matches. */
  judgeNamed(subject: Subject): Verdict | undefined {
    return this.lastMatch(subject, (entry) => !isBare(entry.rule.permission));
  }

  /** The actions that are possible for a permission, whatever the pattern: one if the rules leave no choice. */
  possible(permission: string, named = false): { verdicts: Verdict[]; closed: boolean } {
    const names = namesOf(permission);
    const entries = this.entries.filter((entry) => (!named || !isBare(entry.rule.permission)) && matchesAny(entry.rule.permission, names));
    const barring = entries.findLast((entry) => CONFIGURED.has(entry.rank));
    if (barring !== undefined && barring.rule.action === "deny" && isBare(barring.rule.pattern))
      return { verdicts: [{ action: "deny", rule: barring.rule }], closed: true };
    const verdicts: Verdict[] = [];
    for (const entry of entries.toReversed()) {
      verdicts.push({ action: entry.rule.action, rule: entry.rule });
      if (!isBare(entry.rule.pattern)) continue;
      // A configured deny of some pattern, further up, can still beat an allow of everything.
      if (entry.rule.action === "allow" && !CONFIGURED.has(entry.rank)) {
        for (const other of entries)
          if (other.rule.action === "deny" && CONFIGURED.has(other.rank)) verdicts.push({ action: "deny", rule: other.rule });
      }
      return { verdicts, closed: true };
    }
    return { verdicts, closed: false };
  }

  private lastMatch(subject: Subject, keep: (entry: Entry) => boolean): Verdict | undefined {
    const names = namesOf(subject.permission);
    let last: Entry | undefined;
    for (let index = this.entries.length - 1; index >= 0; index--) {
      const entry = this.entries[index];
      if (!keep(entry) || !matchesAny(entry.rule.permission, names) || !matchesAny(entry.rule.pattern, subject.spellings)) continue;
      last ??= entry;
      // Behind the user's and the project's rules only an allow can be beaten, and only by their own last match.
      if (last.rank <= ORDER.project || last.rule.action === "deny") break;
      if (entry.rank > ORDER.project) continue;
      if (CONFIGURED.has(entry.rank) && entry.rule.action === "deny") last = entry;
      break;
    }
    return last === undefined ? undefined : { action: last.rule.action, rule: last.rule };
  }
}

interface Entry {
  rule: Rule;
  rank: number;
}

const DENY_FLAG = 5;
const CONFIGURED: ReadonlySet<number> = new Set([ORDER.user, ORDER.project]);

function entryOf(rule: Rule): Entry {
  const rank = rule.source === "flag" && rule.action === "deny" ? DENY_FLAG : ORDER[rule.source ?? "user"];
  return { rule, rank };
}

function matchesAny(pattern: string, texts: readonly string[]): boolean {
  return texts.some((text) => matches(pattern, text));
}

function isRuleList(permission: PermissionMap | readonly Rule[]): permission is readonly Rule[] {
  return Array.isArray(permission);
}

function checked(rule: Rule): Rule {
  if (!Object.hasOwn(STRICTNESS, rule.action))
    throw new TypeError(
      `The permission "${rule.permission}" has the action "${String(rule.action)}"; it must be "allow", "deny" or "ask".`,
    );
  return rule;
}
