// Names of tools that every provider takes: `[a-zA-Z0-9_-]{1,64}`, unique, and mapped back exactly.

import { createHash } from "node:crypto";
import type { Registration } from "@airlock/catalog";

const longest = 64;

/**
 * `server_name` for each tool, mapped to it. A name that several tools would get, or that is too long, ends in a hash of the tool's
 * path: so a tool's name depends on the set of tools, never on their order.
 */
export function wireNames<T extends Pick<Registration, "path"> & { tool: { server: string; name: string } }>(
  registrations: readonly T[],
): Map<string, T> {
  const plain = registrations.map(({ tool }) => legal(`${tool.server}_${tool.name}`));
  const count = new Map<string, number>();
  for (const name of plain) count.set(name, (count.get(name) ?? 0) + 1);
  const some = marked((name) => name.length > longest || name === "" || count.get(name)! > 1, 8);
  // A plain name may happen to be another's marked one: then all are marked.
  return some.size === registrations.length ? some : marked(() => true, 16);

  function marked(doubtful: (name: string) => boolean, digits: number): Map<string, T> {
    const name = (i: number): string =>
      doubtful(plain[i]) ? `${plain[i].slice(0, longest - digits - 1)}_${hash(registrations[i], digits)}` : plain[i];
    return new Map(registrations.map((registration, i) => [name(i), registration]));
  }
}

function legal(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]+/g, "_");
}

function hash({ path, tool }: Pick<Registration, "path"> & { tool: { server: string; name: string } }, digits: number): string {
  return createHash("sha256")
    .update(JSON.stringify([path, tool.server, tool.name]))
    .digest("hex")
    .slice(0, digits);
}
