// Permission rules from the command line, and the approvals that a person saved.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Rule } from "@airlock/runtime";
import { dataFolder } from "./config/folders.js";
import { UsageError } from "./exit.js";
import { say } from "./terminal.js";

export interface RuleFlags {
  allow?: string[];
  deny?: string[];
  yes?: boolean;
}

/** `--yes`, then `--allow`, then `--deny`, each PERMISSION or PERMISSION=PATTERN. */
export function flagRules({ allow = [], deny = [], yes = false }: RuleFlags): Rule[] {
  const everything: Rule[] = yes ? [{ permission: "*", pattern: "*", action: "allow", source: "flag" }] : [];
  return [...everything, ...allow.map((text) => flagRule(text, "allow")), ...deny.map((text) => flagRule(text, "deny"))];
}

function flagRule(text: string, action: "allow" | "deny"): Rule {
  const equals = text.indexOf("=");
  const permission = (equals < 0 ? text : text.slice(0, equals)).trim().replace(/^tools\./, "");
  const pattern = equals < 0 ? "*" : text.slice(equals + 1);
  if (permission === "" || pattern === "")
    throw new UsageError(
      `--${action} ${JSON.stringify(text)}: write PERMISSION or PERMISSION=PATTERN, for example --${action} 'github.list_*' or --${action} 'edit=src/*'.`,
    );
  return { permission, pattern, action, source: "flag" };
}

interface Saved {
  permission: string;
  pattern: string;
  /** The project's folder that it holds in. */
  root: string;
}

const file = (): string => join(dataFolder(), "approvals.json");

/** The approvals that were saved in this project. */
export function savedRules(root: string): Rule[] {
  return readSaved()
    .filter((saved) => saved.root === root)
    .map(({ permission, pattern }) => ({ permission, pattern, action: "allow", source: "saved" }));
}

export function saveRule(root: string, { permission, pattern }: Rule): void {
  const all = readSaved();
  if (all.some((saved) => saved.root === root && saved.permission === permission && saved.pattern === pattern)) return;
  writePrivately(file(), `${JSON.stringify([...all, { permission, pattern, root }], null, 2)}\n`);
}

function readSaved(): Saved[] {
  const value = readJson(file());
  if (value === undefined) return [];
  if (Array.isArray(value))
    return value.filter(
      (one: unknown): one is Saved =>
        one !== null &&
        typeof one === "object" &&
        ["permission", "pattern", "root"].every((key) => typeof Reflect.get(one, key) === "string"),
    );
  say(`${file()} is not a list of approvals; it is left out.`);
  return [];
}

/** Undefined if there is no such file, or it is broken (which is said). */
export function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    say(`${path} is not valid JSON; it is left out.`);
    return undefined;
  }
}

/** Whole or not at all, and for nobody else to read. */
export function writePrivately(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, text, { mode: 0o600 });
  renameSync(fresh, path);
}
