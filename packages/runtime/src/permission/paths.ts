// Path arguments of tools that are not ours, found by their schema: such a call is also judged as an edit of the path.

import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonSchema, Tool } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import { branches, isRecord } from "../schema.js";
import { expandHome } from "./rules.js";

/** A path that a call names, with all its spellings: absolute, and from the root where it lies below it. */
export interface PathArgument {
  path: string;
  spellings: readonly string[];
}

/**
 * The paths in the input of a foreign tool that is not known to be read-only. Empty for tools of ours: they state their permissions.
 * Paths are normalised first, so `src/../secrets` is judged as `secrets`.
 */
export function pathArguments(tool: Tool, input: Json, root: string): PathArgument[] {
  if (tool.foreign !== true || isKnownReadOnly(tool) || "~standard" in Object(tool.inputSchema)) return [];
  const schema = tool.inputSchema as JsonSchema;
  const found = new Map<string, PathArgument>();
  const aboutFiles = FILE_WORDS.test(`${tool.name} ${tool.description ?? ""}`.replaceAll("_", " "));
  const take = (text: string, named: boolean): void => {
    const path = pathOf(text, root);
    if (path === undefined || (!named && !FILE_URL.test(text))) return;
    if (!found.has(path)) found.set(path, { path: shown(path, root), spellings: spellingsOf(path, root) });
  };
  walk(schema, input, { schema, aboutFiles, take, steps: MAX_STEPS }, false);
  return [...found.values()];
}

/** Hints of a server count only if the configuration trusts it. */
export function isKnownReadOnly(tool: Tool): boolean {
  return tool.trusted === true && tool.annotations?.readOnlyHint === true;
}

/** Whether a property holds a path, by its name, format and description. */
export function isPathProperty(name: string, schema: unknown, aboutFiles: boolean): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const last = words.at(-1) ?? "";
  if (PATH_WORDS.has(last) || (aboutFiles && ENDS_OF_A_MOVE.has(last))) return true;
  if (NEVER_PATHS.has(last) || !isRecord(schema)) return false;
  if (typeof schema.format === "string" && PATH_FORMATS.has(schema.format)) return true;
  return typeof schema.description === "string" && PATH_DESCRIPTION.test(schema.description.slice(0, 300));
}

interface Walk {
  schema: JsonSchema;
  aboutFiles: boolean;
  take(text: string, named: boolean): void;
  steps: number;
}

/** Goes through schema and value side by side. `named` says that the property above is a path. */
function walk(schema: unknown, value: Json, state: Walk, named: boolean): void {
  if (state.steps-- <= 0) throw new RangeError("The input is too large to be searched for paths.");
  if (typeof value === "string") return state.take(value, named);
  if (value === null || typeof value !== "object") return;
  const parts = branches(schema, state.schema);
  if (parts.length === 0) parts.push({});
  if (Array.isArray(value)) {
    for (const item of value) for (const part of parts) walk(isRecord(part.items) ? part.items : {}, item, state, named);
    return;
  }
  for (const part of parts) {
    const properties = isRecord(part.properties) ? part.properties : {};
    for (const [name, inner] of Object.entries(value)) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      walk(known ?? {}, inner, state, known !== undefined && isPathProperty(name, known, state.aboutFiles));
    }
  }
}

function pathOf(text: string, root: string): string | undefined {
  if (text === "" || text.length > MAX_PATH || text.includes("\0")) return undefined;
  if (FILE_URL.test(text)) {
    try {
      return fileURLToPath(text);
    } catch {
      return resolve(root, text);
    }
  }
  if (OTHER_URL.test(text)) return undefined;
  return resolve(root, expandHome(text));
}

function spellingsOf(path: string, root: string): string[] {
  const short = shown(path, root);
  return short === path ? [path] : [path, short];
}

/** From the root if it lies below it, else absolute. */
function shown(path: string, root: string): string {
  const short = relative(root, path);
  return short === "" ? "." : isAbsolute(short) || short === ".." || short.startsWith("../") || short.startsWith("..\\") ? path : short;
}

const PATH_WORDS: ReadonlySet<string> = new Set(
  "path paths pathname file files filename filenames filepath filepaths dir dirs dirname directory directories folder folders cwd".split(
    " ",
  ),
);
const ENDS_OF_A_MOVE: ReadonlySet<string> = new Set(["source", "src", "destination", "dest", "target", "from", "to", "output", "input"]);
const NEVER_PATHS: ReadonlySet<string> = new Set([
  "id",
  "ids",
  "uuid",
  "key",
  "token",
  "type",
  "content",
  "contents",
  "pattern",
  "patterns",
  "query",
  "search",
  "code",
  "text",
]);
const PATH_FORMATS: ReadonlySet<string> = new Set(["path", "file-path", "directory-path", "uri-file"]);
const FILE_WORDS = /\b(files?|director(?:y|ies)|folders?)\b/i;
const PATH_DESCRIPTION =
  /\b(?:absolute|relative|local|file|directory|folder|full file) path\b|\bpath (?:to|of) (?:an? |the )?(?:\w+ ){0,3}(?:file|directory|folder|archive)\b/i;
const FILE_URL = /^file:/i;
const OTHER_URL = /^[a-z][a-z0-9+.-]+:\/\//i;
const MAX_STEPS = 2_000_000;
const MAX_PATH = 4096;
