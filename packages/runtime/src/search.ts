// `tools.catalog.search`: finding tools from inside a program, where the listing does not show them all.

import { createCatalog, type Catalog, type Tool } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";

/** What a program writes to search; named in a partial listing. */
export const SEARCH_CALL = 'tools.catalog.search({ query: "words" })';

/**
 * The snapshot and, in it, a tool that searches it: an ordinary call through the pipeline, which needs no permission but can be denied by name.
 * It finds only what the snapshot holds. A catalog that has a `catalog.search` of its own stays as it is.
 */
export function withSearch(snapshot: Catalog): Catalog {
  if (snapshot.get("catalog", "search") !== undefined) return snapshot;
  const tool: Tool = {
    server: "catalog",
    serverDescription: "The tools that programs can call.",
    name: "search",
    description: "Finds tools by words in their names, descriptions and parameters. Gives paths and signatures.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string" },
        server: { type: "string" },
        limit: { type: "integer", minimum: 1, maximum: 100 },
        offset: { type: "integer", minimum: 0 },
      },
      required: ["query"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: {
            type: "object",
            properties: { path: TEXT, description: TEXT, signature: TEXT },
            required: ["path", "description", "signature"],
          },
        },
        remaining: { type: "integer" },
        next: { anyOf: [{ type: "object", properties: { offset: { type: "integer" } }, required: ["offset"] }, { type: "null" }] },
      },
      required: ["items", "remaining", "next"],
    },
    annotations: { readOnlyHint: true },
    authority: "none",
    permissions: () => [],
    execute: async (input) => {
      const { query, ...options } = input as { query: string; server?: string; limit?: number; offset?: number };
      const { items, remaining, next } = snapshot.search(query, options);
      return { items: items.map(({ path, description, signature }) => ({ path, description, signature })), remaining, next } as Json;
    },
  };
  own.add(tool);
  return createCatalog([...snapshot.registrations.map((registration) => registration.tool), tool]);
}

/** Whether a tool was made here: it belongs to its snapshot and is never stale. */
export function isSearchTool(tool: Tool): boolean {
  return own.has(tool);
}

const own = new WeakSet<Tool>();
const TEXT = { type: "string" };
