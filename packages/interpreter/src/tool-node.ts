// The tool tree as the core knows it: its nodes are told from other objects (a tree is never a thenable, whatever its tools are called),
// and a call of a tool that is not there says what is.

import { type ErrorData, makeError, throwValue } from "./errors.js";
import { Intrinsic } from "./intrinsics.js";
import { nearestNames } from "./nearest.js";
import type { LazySlots } from "./lazy-slots.js";
import { charge } from "./run-state.js";
import { HIDDEN, addProperty } from "./shape.js";
import { type GuestObject, Kind, type Slot, type Value } from "./values.js";
import { pathText } from "./boundary/path.js";

/** The `d` of a node of the tool tree. Its names are those of the tree, without aliases. */
export class ToolNode implements LazySlots {
  /** From `tools` on: `["github"]`. */
  readonly keys: readonly string[];
  /** The whole tree's node. */
  readonly root: ToolNode;
  /** By name; a tool is null. */
  readonly inner: ReadonlyMap<string, ToolNode | null>;
  constructor(
    keys: readonly string[],
    inner: ReadonlyMap<string, ToolNode | null>,
    root: ToolNode | null,
    private readonly slots: LazySlots,
  ) {
    this.keys = keys;
    this.inner = inner;
    this.root = root ?? this;
  }

  makeLazy(o: GuestObject, slot: number): Slot {
    return this.slots.makeLazy(o, slot);
  }

  get names(): string[] {
    return [...this.inner.keys()];
  }

  get path(): string {
    return pathText("tools", this.keys);
  }
}

/** The node, if `v` is a tool tree or a part of it. */
export function toolNodeOf(v: Value): ToolNode | undefined {
  return typeof v === "object" && v !== null && v.kind === Kind.HOST_DATA && v.d instanceof ToolNode ? v.d : undefined;
}

const MAX_LISTED = 12;
/** Steps for looking at one name of a tree: how near it is. */
const LOOK_COST = 16;

/**
 * Throws the error of a call of what is no tool of `node`: catchable, and the diagnostic `unknown-tool` if nobody catches it.
 * `written` is the callee as the program has it.
 */
export function throwUnknownTool(node: ToolNode, written: string, args: readonly Value[]): never {
  throwValue(unknownTool(node, lastName(written), written, args));
}

/** The same for a server that is not there: something of it was to be read. */
export function unknownServer(root: ToolNode, name: string): GuestObject {
  return unknownTool(root, name, pathText("tools", [name]), []);
}

function unknownTool(node: ToolNode, name: string | undefined, written: string, args: readonly Value[]): GuestObject {
  const isRoot = node.root === node;
  charge(LOOK_COST * (node.inner.size + node.root.inner.size));
  const called = name === undefined ? written : pathText("tools", [...node.keys, name]);
  const hints: string[] = [];
  const meant = name === undefined ? [] : suggestions(node, name, args);
  if (meant.length > 1) hints.push(`Also near: ${meant.slice(1).join(", ")}.`);
  else if (meant.length === 0 && isRoot) hints.push(`Tools are grouped by server: tools.<server>.<name>({ … }).`);
  if (node.names.length > 0) hints.push(`${isRoot ? "Servers" : `Tools of ${node.path}`}: ${listed(node.names)}.`);
  else if (isRoot) hints.push("There are no tools in this run.");
  const said = meant.length > 0 ? `; did you mean ${meant[0]}?` : ".";
  const error = makeError(Intrinsic.ErrorPrototype, `There is no tool ${called}${said}`);
  addProperty(error, "name", "UnknownToolError", HIDDEN);
  (error.d as ErrorData).diagnostic = { kind: "unknown-tool", hints };
  return error;
}

/** What may have been meant: near names here, the same name elsewhere, or a tool whose path was given as a text. */
function suggestions(node: ToolNode, name: string, args: readonly Value[]): string[] {
  const near = nearestNames(name, node.names, 3).map((found) => pathText("tools", [...node.keys, found]));
  if (near.length > 0) return near;
  const elsewhere: string[] = [];
  for (const [server, inner] of node.root.inner) {
    if (inner?.inner.has(name) && elsewhere.length < 3) elsewhere.push(pathText("tools", [server, name]));
  }
  if (elsewhere.length > 0) return elsewhere;
  const first = args[0];
  if (typeof first !== "string") return [];
  for (const [server, inner] of node.root.inner) {
    const rest = first.startsWith(`${server}.`) ? first.slice(server.length + 1) : undefined;
    if (rest !== undefined && inner?.inner.get(rest) === null) return [`${pathText("tools", [server, rest])}({ … })`];
  }
  return [];
}

/** What of the tree a name alone means: a server of it, or a tool under the name alone or as `mcp__server__name` and `server_name` write it. */
export function toolNamed(root: ToolNode, name: string): string | undefined {
  if (root.inner.has(name)) return pathText("tools", [name]);
  const wanted = lettersOf(name);
  const bare: string[] = [];
  for (const [server, inner] of root.inner) {
    if (inner === null) continue;
    for (const tool of inner.inner.keys()) {
      const path = pathText("tools", [server, tool]);
      if (wanted === lettersOf(server + tool) || wanted === lettersOf(`mcp${server}${tool}`)) return path;
      if (tool === name && bare.length < 3) bare.push(path);
    }
  }
  return bare.length === 0 ? undefined : bare.join(" or ");
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map((name) => (name.length > 60 ? `${name.slice(0, 59)}…` : name));
  return shown.join(", ") + (names.length > MAX_LISTED ? `, … (${names.length} in all)` : "");
}

/** The name at the end of a callee as written; undefined for computed ones. */
export function lastName(written: string): string | undefined {
  const found = /(?:\.\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])$/u.exec(written.trim());
  return found === null ? undefined : (found[1] ?? found[2] ?? found[3]);
}
