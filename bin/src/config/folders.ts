// Where things are: the person's folders, and the project that the command was started in.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import envPaths from "env-paths";

const paths = envPaths("airlock", { suffix: "" });

/** `airlock.jsonc`, `tool/`, `tools/` of the person. `AIRLOCK_CONFIG_DIR` names another folder. */
export function configFolder(): string {
  return resolve(process.env.AIRLOCK_CONFIG_DIR || paths.config);
}

/** Trust, saved approvals, sessions. `AIRLOCK_DATA_DIR` names another folder. */
export function dataFolder(): string {
  return resolve(process.env.AIRLOCK_DATA_DIR || paths.data);
}

export const CONFIG_NAME = "airlock.jsonc";
export const MCP_NAME = ".mcp.json";

/**
 * The nearest folder upwards with `airlock.jsonc`, `.mcp.json`, `.airlock/` or `.git`; without one, where we are. The home folder is no
 * project, unless we are in it.
 */
export function projectFolder(from: string): string {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (folder === homedir() && folder !== resolve(from)) break;
    if ([CONFIG_NAME, MCP_NAME, ".airlock", ".git"].some((name) => existsSync(join(folder, name)))) return folder;
    if (folder === dirname(folder)) break;
  }
  return resolve(from);
}
