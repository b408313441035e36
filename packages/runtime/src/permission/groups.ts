// Which permission a tool of ours is judged by, and the other names that people write for it.

import type { Tool } from "@airlock/catalog";

/** Other names of a permission: what is judged by `edit` is judged by rules for `write` as well. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ["edit", ["write", "apply_patch"]],
  ["shell", ["bash"]],
  ["fetch", ["webfetch"]],
]);

/** Tools of ours by their own name, and the group that judges them. Tools of other servers are never put in a group by their name. */
const GROUP_OF_TOOL: ReadonlyMap<string, string> = new Map([
  ["write", "edit"],
  ["edit", "edit"],
  ["multi_edit", "edit"],
  ["apply_patch", "edit"],
  ["read", "read"],
  ["list", "read"],
  ["ls", "read"],
  ["glob", "read"],
  ["grep", "read"],
  ["shell", "shell"],
  ["bash", "shell"],
  ["fetch", "fetch"],
  ["webfetch", "fetch"],
  ["task", "task"],
]);

const CANONICAL: ReadonlyMap<string, string> = new Map(
  [...OTHER_NAMES].flatMap(([name, others]) => others.map((other) => [other, name] as const)),
);

/** The one name of a permission: `bash` is `shell`, `write` is `edit`. */
export function canonicalPermission(name: string): string {
  return CANONICAL.get(name) ?? name;
}

/** All names of a permission, the canonical one first. */
export function namesOf(permission: string): readonly string[] {
  const name = canonicalPermission(permission);
  return [name, ...(OTHER_NAMES.get(name) ?? [])];
}

/** The permission of a call that says nothing else. */
export function ownPermission(tool: Tool): string {
  return `${tool.server}.${tool.name}`;
}

/**
 * The group that judges a tool, as far as that is known without an input: for tools of ours that state their permissions.
 * Undefined: its own `server.name` judges it, or only `permissions()` can tell.
 */
export function groupOf(tool: Tool): string | undefined {
  if (tool.permissions === undefined || tool.foreign === true) return undefined;
  return GROUP_OF_TOOL.get(tool.name);
}
