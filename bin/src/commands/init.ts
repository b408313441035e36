// airlock init: a configuration with the servers of the MCP clients that are there. What stands in it already stays.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ServerConfig } from "@airlock/mcp-bridge";
import { applyEdits, modify } from "jsonc-parser";
import { importServers, personalFiles, projectFiles, type Imported } from "../config/clients.js";
import { schemaUrl } from "../config/check.js";
import { CONFIG_NAME, configFolder, projectFolder } from "../config/folders.js";
import { readConfigSource } from "../config/source.js";
import { EXIT } from "../exit.js";
import { writePrivately } from "../rules.js";
import { count, print, printJson, shown, shownLine } from "../terminal.js";

export interface InitFlags {
  project?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** By default the person's configuration, from the person's clients: their files often hold keys, which no project should get. */
export async function init({ project, dryRun, json }: InitFlags): Promise<number> {
  const root = projectFolder(process.cwd());
  const path = join(project ? root : configFolder(), CONFIG_NAME);
  const existing = readConfigSource(path);
  const known = Object.keys((existing?.value.mcpServers as object | undefined) ?? {});
  const found = importServers(project ? projectFiles(root) : personalFiles());
  const { added, notes } = merged(found, known);

  const before = existing?.text ?? template(project === true);
  const text = Object.entries(added).reduce(
    (sum, [name, config]) =>
      applyEdits(sum, modify(sum, ["mcpServers", name], config, { formattingOptions: { insertSpaces: true, tabSize: 2 } })),
    before,
  );
  const written = dryRun !== true && (existing === undefined || text !== existing.text);
  if (written) writePrivately(path, text);
  if (json) {
    printJson({ path, written, added: Object.keys(added), files: found.map(({ file }) => file.path), notes });
    return EXIT.completed;
  }
  for (const { file, servers } of found) print(`${file.client} (${file.path}): ${count(Object.keys(servers).length, "server")}`);
  if (found.length === 0) print(`No files of MCP clients were found${project ? " in this project" : ""}.`);
  for (const note of notes) print(`  ${shownLine(note, 400)}`);
  print(
    written
      ? `${existing === undefined ? "Wrote" : "Added to"} ${path}: ${
          Object.keys(added).length === 0
            ? "no servers"
            : Object.keys(added)
                .map((name) => shownLine(name, 60))
                .join(", ")
        }.`
      : dryRun
        ? `Would write ${path}:\n\n${shown(text)}`
        : `${path} has all of it already.`,
  );
  if (written) print("Next: airlock doctor, then airlock tools.");
  return EXIT.completed;
}

function merged(found: readonly Imported[], known: readonly string[]): { added: { [name: string]: ServerConfig }; notes: string[] } {
  const added = Object.create(null) as { [name: string]: ServerConfig };
  const notes: string[] = [];
  for (const { file, servers, notes: own } of found) {
    notes.push(...own.map((note) => `${file.client}: ${note}`));
    for (const [name, config] of Object.entries(servers)) {
      if (known.includes(name)) notes.push(`${file.client}: "${name}" is in the configuration already`);
      else if (!Object.hasOwn(added, name)) added[name] = config;
      else if (!isDeepStrictEqual(added[name], config))
        notes.push(`${file.client}: "${name}" is another server than the one taken under this name`);
    }
  }
  return { added, notes };
}

/** What a new file holds. The rules ask for everything: nothing runs that nobody has allowed. */
function template(project: boolean): string {
  const schema = existsSync(schemaUrl) ? schemaUrl.href : "";
  const head = project || schema === "" ? "" : `  "$schema": ${JSON.stringify(schema)},\n`;
  return `{\n${head}  // What may run: "allow", "deny" or "ask", the last match wins. What no rule matches is asked.\n  // "permission": { "issues.list_*": "allow", "edit": { "src/*": "allow" } },\n  "permission": {},\n  "mcpServers": {}\n}\n`;
}
