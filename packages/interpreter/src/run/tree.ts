// The tool tree as a program sees it: frozen objects of frozen functions, with own keys only. Aliases stand on a frozen object behind
// each node, so that they answer where the tree lacks the key and are never listed.

import type { ToolFunction, ToolTree } from "../api.js";
import { pathText } from "../boundary/path.js";
import type { LazySlots } from "../lazy-slots.js";
import { functionShape } from "../realm.js";
import { ENTRY_SHIFT, Flag, NULL_ROOT, type Shape, applyIntegrity, rootFor, store, toDictionary } from "../shape.js";
import { ToolNode } from "../tool-node.js";
import { Code, FunctionData, FunctionFlag, type FunctionObject, GuestObject, Kind, LAZY, type Value } from "../values.js";

/** A tool as the host gave it. */
export interface Leaf {
  name: string;
  /** As a program writes it: `tools.github.create_issue`. */
  path: string;
  call: ToolFunction;
  /** The layout of the object that it gave last. */
  shape: Shape | undefined;
  /** Whether objects of that layout have a property `then`. */
  hasThen: boolean;
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

type Tools = ToolTree | ReadonlyMap<string, unknown>;

/** Throws a TypeError for a tree with anything but functions at its leaves. */
export function checkTree(tools: Tools, path = "tools"): void {
  for (const name of namesIn(tools)) {
    const item = itemOf(tools, name);
    if (typeof item === "function") continue;
    if (typeof item !== "object" || item === null) throw new TypeError(`${path}.${name} is neither a function nor an object of functions.`);
    checkTree(item as ToolTree, `${path}.${name}`);
  }
}

/** Makes the tree in the current realm. The tree has been checked. */
export function toolTree(options: TreeOptions): GuestObject {
  const root = new Branch(options.tools, [], null, options.issue);
  const aliases = resolveAliases(root, options.aliases);
  for (const [name, part] of root.parts) part.behind(aliases.get(name));
  root.behind(aliases.get(""));
  return root.object();
}

/** A node of the tree. The objects of its names are made when they are first read: a program uses few of the tools that it is given. */
class Branch {
  readonly node: ToolNode;
  /** The nodes below this one. */
  readonly parts = new Map<string, Branch>();
  private readonly names: string[] = [];
  /** What the host gave for each of the names. */
  private readonly items: (ToolFunction | Branch)[] = [];
  private readonly made: (GuestObject | undefined)[] = [];
  private index: Map<string, number> | undefined;
  private proto = NULL_ROOT;

  constructor(
    tools: Tools,
    keys: readonly string[],
    root: ToolNode | null,
    private readonly issue: TreeOptions["issue"],
  ) {
    const inner = new Map<string, ToolNode | null>();
    const slots = lazily(this.names, Flag.ENUMERABLE, (i) => this.at(i));
    this.node = new ToolNode(keys, inner, root, slots);
    for (const name of namesIn(tools)) {
      const item = itemOf(tools, name) as ToolFunction | ToolTree; // the tree has been checked
      this.names.push(name);
      if (typeof item === "function") {
        this.items.push(item);
        inner.set(name, null);
      } else {
        const part = new Branch(item, [...keys, name], this.node.root, issue);
        this.items.push(part);
        this.parts.set(name, part);
        inner.set(name, part.node);
      }
    }
  }

  has(name: string): boolean {
    return this.node.inner.has(name);
  }

  /** The object of a name. */
  get(name: string): GuestObject | undefined {
    this.index ??= new Map(this.names.map((each, i) => [each, i]));
    const i = this.index.get(name);
    return i === undefined ? undefined : this.at(i);
  }

  private at(i: number): GuestObject {
    return (this.made[i] ??= this.make(this.names[i], this.items[i]));
  }

  private make(name: string, item: ToolFunction | Branch): GuestObject {
    if (item instanceof Branch) return item.object();
    return toolFunction(
      { name, path: pathText("tools", [...this.node.keys, name]), call: item, shape: undefined, hasThen: false },
      this.issue,
    );
  }

  /** Other names, which answer where the node has no such name of its own. */
  behind(aliases: ReadonlyMap<string, Target> | undefined): void {
    const others = [...(aliases ?? [])].filter(([alias, target]) => !this.has(alias) && (typeof target !== "string" || this.has(target)));
    if (others.length === 0) return;
    const names = others.map(([alias]) => alias);
    const slots = lazily(names, 0, (i) => {
      const target = others[i][1];
      return typeof target === "string" ? this.get(target)! : target; // its name is there
    });
    this.proto = rootFor(frozen(names, NULL_ROOT, 0, new ToolNode(this.node.keys, this.node.inner, this.node.root, slots)));
  }

  /** A node and what is below it. */
  object(): GuestObject {
    return frozen(this.names, this.proto, Flag.ENUMERABLE, this.node);
  }
}

/** Slots that are made by `make` when they are first read. */
function lazily(names: readonly string[], flags: number, make: (i: number) => GuestObject): LazySlots {
  return {
    makeLazy(o, slot) {
      const v = make(slot);
      store(o, slot, v);
      o.shape.table!.set(names[slot], (slot << ENTRY_SHIFT) | flags);
      return v;
    },
  };
}

function namesIn(tools: Tools): string[] {
  return tools instanceof Map ? [...tools.keys()].map(String) : Object.keys(tools);
}

function itemOf(tools: Tools, name: string): unknown {
  return tools instanceof Map ? tools.get(name) : (tools as ToolTree)[name];
}

/** A frozen object with these properties, in this order, and a layout of its own, which never changes. The node makes their values. */
function frozen(names: readonly string[], root: Shape, flags: number, node: ToolNode): GuestObject {
  const o = new GuestObject(root, Kind.HOST_DATA, node, undefined, undefined, undefined, undefined);
  const shape = toDictionary(o);
  for (const name of names) {
    const slot = shape.count++;
    shape.table!.set(name, (slot << ENTRY_SHIFT) | flags | Flag.LAZY);
    store(o, slot, LAZY);
  }
  shape.hasIndexKeys = true; // keys that are indexes are listed first
  shape.extensible = shape.dict = false;
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
      const value = from.server === to.server ? to.name : root.parts.get(to.server)!.get(to.name);
      if (value !== undefined) add(from.server, from.name, value);
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
    if (root.parts.has(server)) return { server, name: path.slice(dot + 1) };
    if (dot === 0) break;
  }
  return undefined;
}

/** The tool of the tree that a path names. */
function split(root: Branch, path: string): { server: string; name: string } | undefined {
  for (let dot = path.lastIndexOf("."); dot >= 0; dot = path.lastIndexOf(".", dot - 1)) {
    const server = path.slice(0, dot);
    const name = path.slice(dot + 1);
    if (root.parts.get(server)?.has(name)) return { server, name };
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
  code.c1 = code.c2 = code.c3 = (fn: FunctionObject, _t: Value, a: Value) => issueFrom(fn, a);
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
