// The configuration: the person's file, then the project's, put together. What a project brings waits for trust, but for its deny rules.

import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { Limits } from "@airlock/interpreter";
import type { ServerConfig } from "@airlock/mcp-bridge";
import { flattenRules, type PermissionMap, type Rule, type TextMode } from "@airlock/runtime";
import { UsageError } from "../exit.js";
import { checkConfig } from "./check.js";
import { CONFIG_NAME, configFolder, MCP_NAME, projectFolder } from "./folders.js";
import { readConfigSource, type ConfigSource } from "./source.js";

/** `airlock.jsonc` as its schema says. */
interface ConfigFile {
  code_mode?: boolean;
  model?: string;
  permission?: PermissionMap;
  mcpServers?: { [name: string]: ServerConfig };
  limits?: { [K in keyof Limits]?: number | false };
  catalog?: { budgetTokens?: number; pinned?: string[] };
  tools?: string | string[];
  text?: TextMode;
}

/** What holds for a run. */
export interface Settings {
  codeMode?: boolean;
  model?: string;
  rules: Rule[];
  servers: { [name: string]: ServerConfig };
  limits: Partial<Limits>;
  listing: { budgetTokens?: number; pinned?: string[] };
  /** Files and folders of tool modules. */
  tools: string[];
  text?: TextMode;
}

export interface LoadedConfig {
  /** The project's folder. */
  root: string;
  user: Settings;
  project: Settings;
  /** Those that are there, the person's first. */
  files: ConfigSource[];
  /** Of `files`, what a project's trust is about. */
  projectFiles: ConfigSource[];
}

/**
 * Reads all configuration of a folder. With `given`, that file takes the place of the person's and of the project's; of the project's
 * then only the deny rules hold.
 *
 * @throws UsageError for a file that is not as it should be
 */
export async function loadConfig(cwd: string, given?: string): Promise<LoadedConfig> {
  const root = projectFolder(cwd);
  const user = given === undefined ? readConfigSource(join(configFolder(), CONFIG_NAME)) : readGiven(resolve(cwd, given));
  const isItself = (path: string): boolean => user !== undefined && resolve(path) === user.path;
  const own = isItself(join(root, CONFIG_NAME)) ? undefined : readConfigSource(join(root, CONFIG_NAME));
  const mcp = given !== undefined ? undefined : readConfigSource(join(root, MCP_NAME));
  for (const source of [user, own]) if (source !== undefined && !isClientFile(source)) await checkConfig(source);

  const userSettings =
    user === undefined
      ? settingsOf({}, root, "user")
      : settingsOf(isClientFile(user) ? { mcpServers: user.value.mcpServers } : user.value, dirname(user.path), "user");
  if (given === undefined) userSettings.tools.push(...folders(configFolder()));
  const project = settingsOf(own?.value ?? {}, root, "project");
  if (given !== undefined) {
    const denies = project.rules.filter(({ action }) => action === "deny");
    return {
      root,
      user: userSettings,
      project: { ...settingsOf({}, root, "project"), rules: denies },
      files: [user, own].filter((file) => file !== undefined),
      projectFiles: [],
    };
  }
  project.servers = { ...(mcp === undefined ? {} : serversOf(mcp.value, root)), ...project.servers };
  project.tools.push(...folders(join(root, ".airlock")), ...(own === undefined ? [] : folders(root)));
  const projectFiles = [own, mcp].filter((file) => file !== undefined);
  return { root, user: userSettings, project, files: [...(user === undefined ? [] : [user]), ...projectFiles], projectFiles };
}

/** What holds together. Of a project that is not trusted, only the deny rules. */
export function settle({ user, project }: LoadedConfig, trusted: boolean): Settings {
  if (!trusted) return { ...user, rules: [...user.rules, ...project.rules.filter(({ action }) => action === "deny")] };
  return {
    ...user,
    ...project,
    rules: [...user.rules, ...project.rules],
    servers: { ...user.servers, ...project.servers },
    limits: { ...user.limits, ...project.limits },
    listing: { ...user.listing, ...project.listing },
    tools: [...user.tools, ...project.tools],
  };
}

function readGiven(path: string): ConfigSource {
  const source = readConfigSource(path);
  if (source === undefined) throw new UsageError(`There is no configuration file ${path}.`);
  return source;
}

/** Files of other programs may hold more than servers; the rest is theirs. */
function isClientFile({ path }: ConfigSource): boolean {
  return /^(\.?mcp|mcp_config|claude_desktop_config)\.json$/.test(basename(path));
}

function settingsOf(value: { [key: string]: unknown }, folder: string, source: "user" | "project"): Settings {
  // Checked against the schema.
  const file = value as ConfigFile;
  const limits = Object.entries(file.limits ?? {}).flatMap(([name, limit]) =>
    limit === undefined ? [] : [[name, limit === false ? Infinity : limit]],
  );
  return {
    rules: flattenRules(file.permission ?? {}, source),
    servers: serversOf(value, source === "project" ? folder : undefined),
    limits: Object.fromEntries(limits) as Partial<Limits>,
    listing: { ...file.catalog },
    tools: [file.tools ?? []].flat().map((path) => resolve(folder, path)),
    ...(file.code_mode === undefined ? {} : { codeMode: file.code_mode }),
    ...(file.model === undefined ? {} : { model: file.model }),
    ...(file.text === undefined ? {} : { text: file.text }),
  };
}

/** Relative commands of a project count from its folder, wherever we were started in it. */
function serversOf({ mcpServers = {} }: { mcpServers?: unknown }, folder: string | undefined): { [name: string]: ServerConfig } {
  if (mcpServers === null || typeof mcpServers !== "object") return {};
  const entries = Object.entries(mcpServers as { [name: string]: ServerConfig });
  if (folder === undefined) return Object.fromEntries(entries);
  return Object.fromEntries(
    entries.map(([name, config]) => [
      name,
      config !== null && typeof config === "object" && "command" in config ? { ...config, cwd: from(folder, config.cwd) } : config,
    ]),
  );
}

function from(folder: string, cwd: string | undefined): string {
  return cwd === undefined ? folder : isAbsolute(cwd) || cwd.startsWith("${") ? cwd : resolve(folder, cwd);
}

function folders(parent: string): string[] {
  return ["tool", "tools"].map((name) => join(parent, name)).filter((path) => existsSync(path));
}
