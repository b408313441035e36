// Where MCP clients keep their servers, and how such a file becomes ours.

import { homedir } from "node:os";
import { join } from "node:path";
import type { ServerConfig } from "@airlock/mcp-bridge";
import { UsageError } from "../exit.js";
import { readConfigSource, type ConfigSource } from "./source.js";

export interface ClientFile {
  client: string;
  path: string;
}

/** Files of the person's clients. */
export function personalFiles(home = homedir(), platform = process.platform): ClientFile[] {
  const support =
    platform === "darwin"
      ? join(home, "Library/Application Support")
      : platform === "win32"
        ? (process.env.APPDATA ?? join(home, "AppData/Roaming"))
        : (process.env.XDG_CONFIG_HOME ?? join(home, ".config"));
  return [
    { client: "Claude Desktop", path: join(support, "Claude/claude_desktop_config.json") },
    { client: "Claude Code", path: join(home, ".claude.json") },
    { client: "Cursor", path: join(home, ".cursor/mcp.json") },
    { client: "Windsurf", path: join(home, ".codeium/windsurf/mcp_config.json") },
    { client: "VS Code", path: join(support, "Code/User/mcp.json") },
    { client: "Gemini CLI", path: join(home, ".gemini/settings.json") },
    { client: "LM Studio", path: join(home, ".lmstudio/mcp.json") },
  ];
}

/** Files of clients in a project. `.mcp.json` is read where it stands. */
export function projectFiles(root: string): ClientFile[] {
  return [
    { client: "Cursor", path: join(root, ".cursor/mcp.json") },
    { client: "VS Code", path: join(root, ".vscode/mcp.json") },
    { client: "Gemini CLI", path: join(root, ".gemini/settings.json") },
  ];
}

export interface Imported {
  file: ClientFile;
  servers: { [name: string]: ServerConfig };
  /** What was left out of it, in words. */
  notes: string[];
}

/** The servers of those files that are there. A broken file is a note: it is another program's. */
export function importServers(files: readonly ClientFile[]): Imported[] {
  return files.flatMap((file) => {
    let source: ConfigSource | undefined;
    try {
      source = readConfigSource(file.path);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return [{ file, servers: {}, notes: [error.message] }];
    }
    if (source === undefined) return [];
    const { mcpServers, servers = mcpServers } = source.value;
    // Without a prototype: a server may be called `__proto__`.
    const imported: Imported = { file, servers: Object.create(null) as Imported["servers"], notes: [] };
    for (const [name, value] of Object.entries(isRecord(servers) ? servers : {})) {
      const { config, dropped } = ours(value);
      if (config === undefined) imported.notes.push(`"${name}" has neither a command nor a url`);
      else imported.servers[name] = config;
      if (dropped.length > 0) imported.notes.push(`"${name}": ${dropped.join(", ")} left out`);
    }
    return [imported];
  });
}

const KEPT = new Set(["command", "args", "env", "cwd", "url", "headers", "disabled", "description"]);
/** Said by `command` or `url`, or of no use here. */
const SILENT = new Set(["type", "transport", "gallery", "version"]);

function ours(value: unknown): { config?: ServerConfig; dropped: string[] } {
  if (!isRecord(value)) return { dropped: [] };
  const given: { [key: string]: unknown } = { ...value };
  const address = given.url ?? given.serverUrl ?? given.httpUrl;
  delete given.serverUrl;
  delete given.httpUrl;
  if (address !== undefined) given.url = address;
  const kept = Object.fromEntries(Object.entries(given).filter(([key]) => KEPT.has(key)));
  const dropped = Object.keys(given).filter((key) => !KEPT.has(key) && !SILENT.has(key));
  if (typeof kept.command === "string") return { config: kept as unknown as ServerConfig, dropped };
  if (typeof kept.url === "string") return { config: kept as unknown as ServerConfig, dropped };
  return { dropped: [] };
}

function isRecord(value: unknown): value is { [key: string]: unknown } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
