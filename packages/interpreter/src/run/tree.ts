// The tool tree as a program sees it: frozen objects of frozen functions, with own keys only. Aliases stand on a frozen object behind
// each node, so that they answer where the tree lacks the key and are never listed.

import type { ToolFunction, ToolTree } from "../api.js";
import { pathText } from "../boundary/path.js";
import { functionShape } from "../realm.js";
import { ENTRY_SHIFT, Flag, NULL_ROOT, type Shape, applyIntegrity, rootFor, store, toDictionary } from "../shape.js";
import { ToolNode } from "../tool-node.js";
import { Code, FunctionData, FunctionFlag, type FunctionObject, GuestObject, Kind, type Value } from "../values.js";

/** A tool as the host gave it. */
export interface Leaf {
  name: string;
  /** As a program writes it: `tools.github.create_issue`. */
  path: string;
  call: ToolFunction;
}

/** What a tree is made with. */
export interface TreeOptions {
  tools: ToolTree;
  aliases: Readonly<Record<string, string>>;
  /** How a call of a tool is made. */
  issue(leaf: Leaf, input: Value): Value;
}

/** What an alias stands for: a name of the same node, or an object. */
type Target = string | GuestObject;

interface Branch {
  node: ToolNode;
  entries: Map<string, Value>;
  inner: Map<string, Branch | null>;
}

/** Throws a TypeError for a tree with anything but functions at its leaves. */
export function checkTree(tools: ToolTree | ReadonlyMap<string, unknown>, path = "tools"): void {
  for (const [name, item] of entriesOf(tools)) {
    if (typeof item === "function") continue;
    if (typeof item !== "object" || item === null) throw new TypeError(`${path}.${name} is neither a function nor an object of functions.`);
    checkTree(item as ToolTree, `${path}.${name}`);
  }
}

/** Makes the tree in the current realm. The tree has been checked. */
export function toolTree(options: TreeOptions): GuestObject {
  const root = branch(options.tools, [], null, options.issue);
  const aliases = resolveAliases(root, options.aliases);
  for (const [name, inner] of root.inner) {
    if (inner !== null) root.entries.set(name, objectOf(inner, aliases.get(name)));
  }
  return objectOf(root, aliases.get(""));
}

function branch(
  tools: ToolTree | ReadonlyMap<string, unknown>,
  keys: readonly string[],
  root: ToolNode | null,
  issue: TreeOptions["issue"],
): Branch {
  const inner = new Map<string, Branch | null>();
  const names = new Map<string, ToolNode | null>();
  const node = new ToolNode(keys, names, root);
  const entries = new Map<string, Value>();
  for (const [name, item] of entriesOf(tools)) {
    const path = [...keys, name];
    if (typeof item === "function") {
      entries.set(name, toolFunction({ name, path: pathText("tools", path), call: item as ToolFunction }, issue));
      inner.set(name, null);
      names.set(name, null);
    } else {
      const part = branch(item as ToolTree, path, node.root, issue);
      entries.set(name, undefined); // made later, as it may get aliases
      inner.set(name, part);
      names.set(name, part.node);
    }
  }
  return { node, entries, inner };
}

function entriesOf(tools: ToolTree | ReadonlyMap<string, unknown>): [string, unknown][] {
  if (!(tools instanceof Map)) return Object.entries(tools);
  return [...tools].map(([name, item]) => [String(name), item]);
}

/** A node and what is below it. */
function objectOf(part: Branch, aliases: ReadonlyMap<string, Target> | undefined): GuestObject {
  for (const [name, inner] of part.inner) {
    if (inner !== null && part.entries.get(name) === undefined) part.entries.set(name, objectOf(inner, undefined));
  }
  const others = new Map<string, Value>();
  for (const [alias, target] of aliases ?? []) {
    const found = typeof target === "string" ? part.entries.get(target) : target;
    if (found !== undefined && !part.entries.has(alias)) others.set(alias, found);
  }
  const behind = others.size === 0 ? null : frozen(others, NULL_ROOT, 0, new ToolNode(part.node.keys, part.node.inner, part.node.root));
  return frozen(part.entries, behind === null ? NULL_ROOT : rootFor(behind), Flag.ENUMERABLE, part.node);
}

/** A frozen object with these properties and a layout of its own. */
function frozen(entries: ReadonlyMap<string, Value>, root: Shape, flags: number, node: ToolNode): GuestObject {
  const o = new GuestObject(root, Kind.HOST_DATA, node, undefined, undefined, undefined, undefined);
  const shape = toDictionary(o);
  for (const [name, v] of entries) {
    const slot = shape.count++;
    shape.table!.set(name, (slot << ENTRY_SHIFT) | flags);
    store(o, slot, v);
  }
  shape.hasIndexKeys = true; // keys that are indexes are listed first
  shape.extensible = false;
  return o;
}

/**
 * `server.alias` → `server.name`, by server: alias → name. Under "": other names of servers. A server's name may contain dots, so the
 * longest one that fits is meant; where none fits, what stands before the first dot is another name of the target's server.
 */
function resolveAliases(root: Branch, aliases: Readonly<Record<string, string>>): Map<string, Map<string, Target>> {
  const found = new Map<string, Map<string, Target>>();
  const add = (server: string, alias: string, target: Target): void => {
    const known = found.get(server) ?? new Map<string, Target>();
    known.set(alias, target);
    found.set(server, known);
  };
  for (const [alias, target] of Object.entries(aliases)) {
    const to = split(root, target);
    if (to === undefined) continue;
    const from = splitServer(root, alias);
    if (from !== undefined) {
      const value = from.server === to.server ? to.name : root.inner.get(to.server)!.entries.get(to.name);
      if (value !== undefined) add(from.server, from.name, value as Target); // entries are objects
      continue;
    }
    const dot = alias.indexOf(".");
    if (dot > 0) add("", alias.slice(0, dot), to.server);
  }
  return found;
}

/** The server of the tree that a path starts with, and the rest. */
function splitServer(root: Branch, path: string): { server: string; name: string } | undefined {
  for (let dot = path.lastIndexOf("."); dot >= 0; dot = path.lastIndexOf(".", dot - 1)) {
    const server = path.slice(0, dot);
    if (root.inner.get(server)) return { server, name: path.slice(dot + 1) };
    if (dot === 0) break;
  }
  return undefined;
}

/** The tool of the tree that a path names. */
function split(root: Branch, path: string): { server: string; name: string } | undefined {
  for (let dot = path.lastIndexOf("."); dot >= 0; dot = path.lastIndexOf(".", dot - 1)) {
    const server = path.slice(0, dot);
    const name = path.slice(dot + 1);
    if (root.inner.get(server)?.inner.has(name)) return { server, name };
    if (dot === 0) break;
  }
  return undefined;
}

// Tool functions -------------------------------------------------------------------------------------------------------------------

class ToolData {
  constructor(
    readonly leaf: Leaf,
    readonly issue: TreeOptions["issue"],
  ) {}
}

function issueFrom(fn: FunctionObject, input: Value): Value {
  const { leaf, issue } = fn.d.data as ToolData;
  return issue(leaf, input);
}

function toolCode(name: string): Code {
  const code = new Code(name, 1, FunctionFlag.NATIVE | FunctionFlag.TOOL);
  code.c0 = (fn) => issueFrom(fn, undefined);
  code.c1 = (fn, _t, a) => issueFrom(fn, a);
  code.c2 = (fn, _t, a) => issueFrom(fn, a);
  code.c3 = (fn, _t, a) => issueFrom(fn, a);
  code.cN = (fn, _t, args) => issueFrom(fn, args[0]);
  return code;
}

function toolFunction(leaf: Leaf, issue: TreeOptions["issue"]): FunctionObject {
  const { name } = leaf;
  const data = new FunctionData(toolCode(name), null, null, new ToolData(leaf, issue));
  const fn = new GuestObject(functionShape(), Kind.FUNCTION, data, 1, name, undefined, undefined) as FunctionObject;
  applyIntegrity(fn, 2);
  return fn;
}
