// The catalog: an immutable snapshot of the tools that exist, and the questions one can ask it.

import { createHash } from "node:crypto";
import type { Diagnostic, Json } from "@airlock/interpreter";
import { aliasesOf, aliasTable } from "./aliases.js";
import { declarationsOf, type DeclaredTool } from "./declarations.js";
import { listingOf } from "./listing.js";
import { nearestNames } from "./nearest.js";
import { formatPath, pathReadings } from "./paths.js";
import { schemaFacts } from "./schema/facts.js";
import { ToolIndex, type SearchOptions } from "./search.js";
import { signatureOf } from "./signature.js";
import { escapeText } from "./text.js";
import type { Catalog, DeclarationOptions, ListingOptions, Registration, SearchResult, Tool, Validation } from "./types.js";
import { validate } from "./validate/validate.js";

const MAX_NEAREST = 3;

/**
 * A snapshot of tools. Nothing of it depends on their order, but that of two tools with the same server and name the first is kept.
 * A `Tool` object keeps its registration id in later snapshots: a changed tool has to be another object.
 *
 * @example const catalog = createCatalog([{ server: "github", name: "get_issue", inputSchema: { type: "object" }, execute: … }])
 */
export function createCatalog(tools: Iterable<Tool>): Catalog {
  const servers = new Map<string, Map<string, Registration>>();
  const collisions: Collision[] = [];
  for (const tool of tools) {
    let named = servers.get(tool.server);
    if (named === undefined) servers.set(tool.server, (named = new Map()));
    if (named.has(tool.name)) collisions.push({ server: tool.server, name: tool.name });
    else named.set(tool.name, register(tool));
  }
  return new Snapshot(
    [...servers.values()].flatMap((named) => [...named.values()]),
    collisions,
  );
}

/** A path that names no tool. */
export class UnknownToolError extends Error {
  override readonly name = "UnknownToolError";
  readonly nearest: readonly string[];
  constructor(path: string, nearest: readonly string[]) {
    super(`There is no tool ${escapeText(path.slice(0, 200))}${nearest.length > 0 ? `; did you mean ${nearest.join(" or ")}?` : ""}`);
    this.nearest = nearest;
  }
}

interface Collision {
  server: string;
  name: string;
}

const registered = new WeakMap<Tool, Registration>();
let lastId = 0;

function register(tool: Tool): Registration {
  const known = registered.get(tool);
  const path = formatPath(tool.server, tool.name);
  if (known?.path === path) return known;
  const registration = Object.freeze({ id: `t${++lastId}`, tool, path });
  registered.set(tool, registration);
  return registration;
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

class Snapshot implements Catalog {
  readonly registrations: readonly Registration[];
  readonly #servers = new Map<string, Map<string, Registration>>();
  readonly #collisions: readonly Collision[];
  readonly #index: ToolIndex;
  #version: string | undefined;
  #warnings: readonly Diagnostic[] | undefined;
  #aliases: Readonly<Record<string, string>> | undefined;
  #serverAliases: ReadonlyMap<string, string> | undefined;
  readonly #nameAliases = new Map<string, ReadonlyMap<string, string>>();

  constructor(registrations: readonly Registration[], collisions: readonly Collision[]) {
    const sorted = registrations.toSorted((a, b) => byCodeUnit(a.tool.server, b.tool.server) || byCodeUnit(a.tool.name, b.tool.name));
    this.registrations = Object.freeze(sorted);
    for (const registration of sorted) {
      const { server, name } = registration.tool;
      let named = this.#servers.get(server);
      if (named === undefined) this.#servers.set(server, (named = new Map()));
      named.set(name, registration);
    }
    this.#collisions = collisions;
    this.#index = new ToolIndex(this.registrations);
  }

  get version(): string {
    this.#version ??= this.#hash();
    return this.#version;
  }

  #hash(): string {
    const hash = createHash("sha256");
    for (const { path, id } of this.registrations) hash.update(`${path}\0${id}\n`);
    return hash.digest("hex").slice(0, 16);
  }

  get warnings(): readonly Diagnostic[] {
    this.#warnings ??= Object.freeze([
      ...this.#collisions.map(({ server, name }) =>
        warning(`There are two tools ${escapeText(`${server}.${name}`)}; the first one was taken`),
      ),
      ...this.registrations.flatMap(({ tool }) => schemaWarnings(tool)),
    ]);
    return this.#warnings;
  }

  get aliases(): Readonly<Record<string, string>> {
    this.#aliases ??= aliasTable(new Map([...this.#servers].map(([server, named]) => [server, [...named.keys()]])));
    return this.#aliases;
  }

  get(server: string, name: string): Registration | undefined {
    return this.#servers.get(server)?.get(name);
  }

  resolve(path: string): { tool: Tool } | { nearest: string[] } {
    const found = this.#find(path);
    return found === undefined ? { nearest: this.#nearest(path) } : { tool: found.tool };
  }

  signature(path: string): string {
    return signatureOf(this.#known(path).tool);
  }

  listing(options: ListingOptions = {}): string {
    const servers = [...this.#servers].map(([server, named]) => ({ server, tools: [...named.values()].map(({ tool }) => tool) }));
    const pinned = new Set((options.pinned ?? []).flatMap((path) => this.#find(path)?.tool ?? []));
    return listingOf(servers, pinned, options);
  }

  search(query: string, options: SearchOptions = {}): SearchResult {
    const server = options.server === undefined ? undefined : this.#server(options.server.replace(/^tools\./, ""), options.server);
    return this.#index.search(query, { ...options, server }, this.#find(query.trim()));
  }

  declarations(paths?: string[], options: DeclarationOptions = {}): string {
    const entries = paths === undefined ? this.registrations.map(declared) : paths.flatMap((path) => this.#declaredAs(path));
    const distinct = new Map(entries.map((entry) => [JSON.stringify([entry.serverKey, entry.nameKey]), entry]));
    const sorted = [...distinct.values()].toSorted((a, b) => byCodeUnit(a.serverKey, b.serverKey) || byCodeUnit(a.nameKey, b.nameKey));
    return declarationsOf(sorted, options);
  }

  validateInput(registration: Registration, input: Json): Promise<Validation> {
    return validate(registration, "input", input);
  }

  validateOutput(registration: Registration, output: Json): Promise<Validation> {
    return validate(registration, "output", output);
  }

  filter(keep: (registration: Registration) => boolean): Catalog {
    const kept = this.registrations.filter(keep);
    const names = new Set(kept.map(({ path }) => path));
    return new Snapshot(
      kept,
      this.#collisions.filter(({ server, name }) => names.has(formatPath(server, name))),
    );
  }

  #known(path: string): Registration {
    const found = this.#find(path);
    if (found === undefined) throw new UnknownToolError(path, this.#nearest(path));
    return found;
  }

  /** Exact names in any reading of the path come before aliases. */
  #find(path: string): Registration | undefined {
    const readings = this.#readings(path);
    for (const { server, name } of readings) {
      const exact = this.get(server, name);
      if (exact !== undefined) return exact;
    }
    for (const reading of readings) {
      const server = this.#server(reading.server);
      const found = this.get(server, reading.name) ?? this.get(server, this.#aliasesOf(server).get(reading.name) ?? "");
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #readings(path: string): { server: string; name: string }[] {
    return pathReadings(path, this.#servers.keys());
  }

  /** The exact name of a server given by name or alias; the last given name if there is none. */
  #server(...names: string[]): string {
    this.#serverAliases ??= aliasesOf([...this.#servers.keys()]);
    for (const name of names) {
      if (this.#servers.has(name)) return name;
      const server = this.#serverAliases.get(name);
      if (server !== undefined) return server;
    }
    return names[names.length - 1];
  }

  #aliasesOf(server: string): ReadonlyMap<string, string> {
    let aliases = this.#nameAliases.get(server);
    if (aliases === undefined) this.#nameAliases.set(server, (aliases = aliasesOf([...(this.#servers.get(server)?.keys() ?? [])])));
    return aliases;
  }

  #nearest(path: string): string[] {
    const reading = this.#readings(path)[0] ?? { server: "", name: path.replace(/^tools\W*/, "") };
    const found = new Set<string>();
    const server = this.#servers.has(reading.server)
      ? reading.server
      : (nearestNames(reading.server, this.#servers.keys(), 1)[0] ?? this.#server(reading.server));
    const exact = this.get(server, reading.name);
    if (exact !== undefined) found.add(exact.path);
    for (const name of nearestNames(reading.name, this.#servers.get(server)?.keys() ?? [], MAX_NEAREST))
      found.add(formatPath(server, name));
    for (const { tool, path: same } of this.registrations) if (tool.name === reading.name) found.add(same);
    if (found.size === 0) for (const near of this.#nearestAnywhere(path, reading.name)) found.add(near);
    return [...found].slice(0, MAX_NEAREST);
  }

  /** By the name alone, or by server and name in one: `mcp__github__create_issue`. */
  #nearestAnywhere(path: string, name: string): string[] {
    const paths = new Map<string, string>();
    for (const { tool, path: written } of this.registrations) {
      paths.set(`${tool.server} ${tool.name}`, written);
      if (!paths.has(tool.name)) paths.set(tool.name, written);
    }
    const texts = [path.replace(/^(?:mcp_+|tools\W*)/, ""), name];
    return texts.flatMap((text) => nearestNames(text, paths.keys(), MAX_NEAREST)).map((key) => paths.get(key) ?? key);
  }

  #declaredAs(path: string): DeclaredTool[] {
    const found = this.#find(path);
    if (found === undefined) return [];
    const entries = [declared(found)];
    for (const { server, name } of this.#readings(path)) {
      const isAlias =
        this.#server(server) === found.tool.server &&
        (name === found.tool.name || this.#aliasesOf(found.tool.server).get(name) === found.tool.name);
      if (isAlias) entries.push({ serverKey: server, nameKey: name, tool: found.tool });
    }
    return entries;
  }
}

const declared = ({ tool }: Registration): DeclaredTool => ({ serverKey: tool.server, nameKey: tool.name, tool });

function warning(message: string): Diagnostic {
  return { kind: "unsupported", message, hints: [] };
}

function schemaWarnings(tool: Tool): Diagnostic[] {
  return (["input", "output"] as const).flatMap((direction) => {
    const { refused, document } = schemaFacts(tool, direction);
    const about = `The ${direction} schema of ${escapeText(`${tool.server}.${tool.name}`)}`;
    if (refused !== undefined)
      return [warning(`${about} was not taken: ${escapeText(refused)}. Its type is unknown, and nothing is checked against it`)];
    return (document?.remarks ?? []).map((remark) => warning(`${about}: ${escapeText(remark)}`));
  });
}
