// Trust in a folder: what a project brings runs on this machine, so it waits until the person has said yes to just this content.

import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "./config/folders.js";
import type { LoadedConfig } from "./config/config.js";
import { readJson, writePrivately } from "./rules.js";
import { ruleText } from "@airlock/runtime";
import { count, shownLine } from "./terminal.js";
import { moduleContents, moduleFiles } from "./tool-modules.js";

export interface Brought {
  /** The folder, as trust is kept for it. */
  path: string;
  hash: string;
  /** What it brings, a line each. Empty: there is nothing to trust. */
  lines: string[];
  /** The same in a few words. */
  summary: string;
}

/** What the project brings that could act: servers, tool modules, rules that are no deny, limits, the model. */
export function broughtBy({ root, project, projectFiles }: LoadedConfig): Brought {
  const servers = Object.entries(project.servers).map(
    ([name, config]) =>
      `server ${shownLine(name, 60)}: ${shownLine("url" in config ? String(config.url) : [config?.command, ...(config?.args ?? [])].join(" "))}`,
  );
  const modules = moduleFiles(project.tools);
  const rules = project.rules.filter(({ action }) => action !== "deny");
  const others = [
    ...Object.keys(project.limits).map((name) => `limit ${name}`),
    ...(project.model === undefined ? [] : [`model ${shownLine(project.model, 80)}`]),
  ];
  const hash = createHash("sha256");
  for (const { path, text } of projectFiles) hash.update(`${path}\0${text}\0`);
  for (const [path, text] of moduleContents(modules)) hash.update(`${path}\0${text}\0`);
  const parts = [
    ...(servers.length > 0 ? [count(servers.length, "server")] : []),
    ...(modules.length > 0 ? [count(modules.length, "tool module")] : []),
    ...(rules.length > 0 ? [count(rules.length, "allow or ask rule")] : []),
    ...others,
  ];
  return {
    path: realpathSync(root),
    hash: hash.digest("hex"),
    lines: [
      ...servers,
      ...modules.map((path) => `tool module ${shownLine(path)}`),
      ...rules.map((rule) => `rule ${shownLine(ruleText(rule))}`),
      ...others,
    ],
    summary: parts.join(", "),
  };
}

const file = (): string => join(dataFolder(), "trust.json");

/** "changed": this folder was trusted with another content. */
export function trustOf({ path, hash }: Brought): "trusted" | "changed" | "unknown" {
  const known = readTrust()[path];
  return known === undefined ? "unknown" : known === hash ? "trusted" : "changed";
}

export function giveTrust({ path, hash }: Brought): void {
  writePrivately(file(), `${JSON.stringify({ ...readTrust(), [path]: hash }, null, 2)}\n`);
}

function readTrust(): { [path: string]: string } {
  const value = readJson(file());
  if (value === null || typeof value !== "object" || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
