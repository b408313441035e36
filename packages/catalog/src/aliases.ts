// Second names for tools and servers whose names no program can write after a dot.

import { isIdentifier } from "./paths.js";

/**
 * The aliases of some names: `resolve-library-id` → `resolve_library_id` and `resolveLibraryId`. Only names with characters that no
 * identifier has get any; an alias that is itself a name, or that two names would have, is left out.
 *
 * @returns alias → name
 */
export function aliasesOf(names: readonly string[]): Map<string, string> {
  const taken = new Set(names);
  const aliases = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const name of names) {
    for (const alias of writings(name)) {
      if (taken.has(alias) || ambiguous.has(alias)) continue;
      const other = aliases.get(alias);
      if (other === undefined) aliases.set(alias, name);
      else if (other !== name) {
        aliases.delete(alias);
        ambiguous.add(alias);
      }
    }
  }
  return aliases;
}

/** The snake-case and the camel-case writing of a name that is no identifier. */
function writings(name: string): Set<string> {
  const found = new Set<string>();
  if (isIdentifier(name)) return found;
  const parts = name.split(/[^\p{ID_Continue}$]+/u).filter((part) => part !== "");
  if (parts.length === 0) return found;
  const camel = parts.map((part, i) => (i === 0 ? part : part[0].toUpperCase() + part.slice(1))).join("");
  for (const writing of [parts.join("_"), camel]) {
    const alias = isIdentifier(writing) ? writing : `_${writing}`;
    if (isIdentifier(alias)) found.add(alias);
  }
  return found;
}

/**
 * The aliases of a whole catalog as the interpreter wants them: `server.alias` → `server.name`, for server aliases also
 * `serverAlias.name` and `serverAlias.alias`.
 */
export function aliasTable(servers: ReadonlyMap<string, readonly string[]>): Readonly<Record<string, string>> {
  const table = new Map<string, string>();
  const ambiguous = new Set<string>();
  const add = (alias: string, target: string): void => {
    const other = table.get(alias);
    if (other !== undefined && other !== target) ambiguous.add(alias);
    table.set(alias, target);
  };
  const serverAliases = new Map<string, string[]>();
  for (const [alias, server] of aliasesOf([...servers.keys()])) serverAliases.set(server, [...(serverAliases.get(server) ?? []), alias]);
  for (const [server, names] of servers) {
    const short = serverAliases.get(server) ?? [];
    for (const name of short.length > 0 ? names : []) for (const alias of short) add(`${alias}.${name}`, `${server}.${name}`);
    for (const [alias, name] of aliasesOf(names)) {
      for (const written of [server, ...short]) add(`${written}.${alias}`, `${server}.${name}`);
    }
  }
  for (const alias of ambiguous) table.delete(alias);
  const record: Record<string, string> = Object.create(null);
  for (const [alias, target] of table) record[alias] = target;
  return Object.freeze(record);
}
