// Tool modules: ES modules whose default export is `{ [server]: { description?, tools: { [name]: { description, inputSchema, execute … } } } }`.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { register } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Tool } from "@airlock/catalog";
import { shownLine } from "./terminal.js";

export interface LoadedModules {
  tools: Tool[];
  /** What could not be loaded, and why: the rest stays. */
  failures: { path: string; message: string }[];
}

const EXTENSIONS = new Set([".js", ".mjs", ".ts"]);

/** The modules at these paths: files as they are, of a folder those directly in it that export something by default. */
export function moduleFiles(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => {
    if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => EXTENSIONS.has(extname(name)) && !name.endsWith(".d.ts"));
    return names
      .sort()
      .map((name) => join(path, name))
      .filter(exportsDefault);
  });
  return [...new Set(files)];
}

/** A folder `tools/` may also hold scripts that act when they are loaded: those are none of ours. */
function exportsDefault(path: string): boolean {
  return /\bexport\s+default\b|\bas\s+default\b/.test(readFileSync(path, "utf8"));
}

/** Loads modules side by side; a broken one is a failure and stops no other. */
export async function loadModules(paths: readonly string[]): Promise<LoadedModules> {
  const loaded: LoadedModules = { tools: [], failures: [] };
  const results = await Promise.allSettled(moduleFiles(paths).map(async (path) => ({ path, tools: await loadModule(path) })));
  const files = moduleFiles(paths);
  results.forEach((result, index) => {
    if (result.status === "fulfilled") loaded.tools.push(...result.value.tools);
    else
      loaded.failures.push({
        path: files[index],
        message: shownLine(result.reason instanceof Error ? result.reason.message : String(result.reason), 500),
      });
  });
  return loaded;
}

async function loadModule(path: string): Promise<Tool[]> {
  if (!existsSync(path)) throw new Error("there is no such file");
  if (extname(path) === ".ts") readTypeScript();
  const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
  if (module.default === undefined) throw new Error("it has no default export: export default { server: { tools: { … } } }");
  return toolsOf(module.default);
}

function toolsOf(exported: unknown): Tool[] {
  return entries(exported, "the default export").flatMap(([server, group]) => {
    const { description, tools } = record(group, `"${server}"`);
    return entries(tools, `"${server}".tools`).map(([name, given]): Tool => {
      const tool = record(given, `${server}.${name}`);
      if (typeof tool.execute !== "function") throw new Error(`${server}.${name} has no function execute(input, context)`);
      if (tool.inputSchema === undefined)
        throw new Error(`${server}.${name} has no inputSchema: { type: "object", properties: { … } } or a Standard Schema`);
      return { ...tool, server, name, ...(typeof description === "string" ? { serverDescription: description } : {}) } as Tool;
    });
  });
}

function entries(value: unknown, what: string): [string, unknown][] {
  return Object.entries(record(value, what));
}

function record(value: unknown, what: string): { [key: string]: unknown } {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Error(`${what} is not an object`);
  return value as { [key: string]: unknown };
}

let reading = false;

/** Node 22.18 and later read TypeScript by themselves. */
function readTypeScript(): void {
  if (reading || "typescript" in process.features) return;
  reading = true;
  register("./typescript-hook.js", import.meta.url);
}

/** The text of modules and of what they import by a relative path, for trust. */
export function moduleContents(files: readonly string[]): Map<string, string> {
  const contents = new Map<string, string>();
  const pending = [...files];
  for (let path = pending.pop(); path !== undefined && contents.size < 1_000; path = pending.pop()) {
    if (contents.has(path) || !existsSync(path) || !statSync(path).isFile()) continue;
    const text = readFileSync(path, "utf8");
    contents.set(path, text);
    for (const [, specifier] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g))
      pending.push(resolve(dirname(path), specifier));
  }
  return new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1)));
}
