// Looking into a JSON Schema beside a value: which parts of it say something about a place in the value.

import type { JsonSchema } from "@airlock/catalog";

export function isRecord(value: unknown): value is { [key: string]: unknown } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** A schema with its local references and all its branches, each once. At most 64 parts. */
export function branches(schema: unknown, root: JsonSchema): { [key: string]: unknown }[] {
  const found = new Set<{ [key: string]: unknown }>();
  const pending = [schema];
  while (pending.length > 0 && found.size < MAX_PARTS) {
    const part = pending.pop();
    if (!isRecord(part) || found.has(part)) continue;
    found.add(part);
    if (typeof part.$ref === "string" && part.$ref.startsWith("#/")) pending.push(atPointer(root, part.$ref));
    for (const key of ["anyOf", "oneOf", "allOf"]) {
      const inner = part[key];
      if (Array.isArray(inner)) pending.push(...inner.slice(0, MAX_PARTS));
    }
  }
  return [...found];
}

/** The parts that the schemas in `parts` have for a property, or (with a number) for an item. */
export function partsAt(parts: readonly unknown[], key: string | number, root: JsonSchema): unknown[] {
  const found: unknown[] = [];
  for (const part of parts) {
    for (const branch of branches(part, root)) {
      const holder =
        typeof key === "number"
          ? branch.items
          : isRecord(branch.properties) && Object.hasOwn(branch.properties, key)
            ? branch.properties[key]
            : undefined;
      if (isRecord(holder)) found.push(...branches(holder, root));
      if (found.length >= MAX_PARTS) return found;
    }
  }
  return found;
}

/** Whether a place takes a text and no object or array. */
export function wantsText(parts: readonly unknown[]): boolean {
  const types = new Set<unknown>();
  for (const part of parts) {
    if (!isRecord(part)) continue;
    for (const type of Array.isArray(part.type) ? part.type : [part.type]) if (type !== undefined) types.add(type);
  }
  return types.has("string") && !types.has("object") && !types.has("array");
}

function atPointer(root: unknown, pointer: string): unknown {
  let node = root;
  for (const token of pointer.slice(2).split("/")) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isRecord(node) || !Object.hasOwn(node, key)) return undefined;
    node = node[key];
  }
  return node;
}

const MAX_PARTS = 64;
