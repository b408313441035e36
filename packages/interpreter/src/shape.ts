// Shapes: our own hidden classes. A shape says which keys an object has, in which slots, with which attributes, and its prototype.
//
// Three sorts. Tree shapes are shared and immutable: adding a property moves the object to a child. Dictionary shapes are owned by one
// object and change in place; objects used as prototypes have one. Template shapes belong to intrinsic objects that are as the realm
// made them: shared by all realms, immutable, values included; the first write to such an object gives it a dictionary of its own.

import type { Intrinsic } from "./intrinsics.js";
import { R } from "./run-state.js";
import { type AnyKey, GuestObject, Kind, PrivateName, type Slot } from "./values.js";

export const enum Flag {
  WRITABLE = 1,
  ENUMERABLE = 2,
  CONFIGURABLE = 4,
  ACCESSOR = 8,
  /** The slot's value is made when it is first read. Entries with this flag are in no cache. */
  LAZY = 16,
}
export const DATA = Flag.WRITABLE | Flag.ENUMERABLE | Flag.CONFIGURABLE;
/** Attributes of builtin methods: writable and configurable, not enumerable. */
export const HIDDEN = Flag.WRITABLE | Flag.CONFIGURABLE;

// A table entry packs slot and flags: `slot << 5 | flags`. -1: no such key.
export const ENTRY_SHIFT = 5;
export const FLAGS_MASK = 31;

const MAX_TREE_PROPERTIES = 128;
/** How many shapes are looked at one by one before there is a table. */
const WALK_LIMIT = 12;
const MAX_SHARED_WEIGHT = 20_000;
/** Longer keys make no shape that is shared: only a dictionary holds them. */
export const MAX_TREE_KEY = 256;
/** A shape with its place among its parent's transitions. */
const SHAPE_BYTES = 300;
/** One entry of a table. */
const TABLE_ENTRY_BYTES = 40;

export class Shape {
  /** The prototype, if it is no intrinsic. */
  proto: GuestObject | null;
  /** The intrinsic that is the prototype, or 0. Resolved in the current realm. */
  protoId: Intrinsic | 0;
  parent: Shape | null;
  key: AnyKey | null;
  entry: number;
  /** Slots used. */
  count: number;
  table: Map<AnyKey, number> | null;
  transitions: Map<AnyKey, Shape | Shape[]> | null;
  dict: boolean;
  template: boolean;
  extensible: boolean;
  hasIndexKeys: boolean;
  usedAsProto: boolean;
  /** The intrinsic whose own shape this is, or 0. */
  intrinsicId: Intrinsic | 0;
  /** For the shape of a prototype that is no intrinsic: the root shape of its children. */
  childRoot: Shape | null;
  /** True if every realm can meet this shape: the prototype is an intrinsic or null. Caches may keep it after the run. */
  shared: boolean;
  constructor(proto: GuestObject | null, protoId: Intrinsic | 0) {
    this.proto = proto;
    this.protoId = protoId;
    this.parent = null;
    this.key = null;
    this.entry = -1;
    this.count = 0;
    this.table = null;
    this.transitions = null;
    this.dict = false;
    this.template = false;
    this.extensible = true;
    this.hasIndexKeys = false;
    this.usedAsProto = false;
    this.intrinsicId = 0;
    this.childRoot = null;
    this.shared = proto === null;
  }
}

/** How much the shapes weigh that all realms share: one each, more with long keys and tables. */
let sharedWeight = 0;
const roots: (Shape | undefined)[] = [];
export const NULL_ROOT = new Shape(null, 0);

/** The empty shape of objects whose prototype is the intrinsic `id`. */
export function rootOf(id: Intrinsic): Shape {
  return (roots[id] ??= new Shape(null, id));
}

/** Forgets the shared trees when many programs have grown them; objects and caches keep the shapes they have. */
export function trimSharedShapes(): void {
  if (sharedWeight < MAX_SHARED_WEIGHT) return;
  sharedWeight = 0;
  NULL_ROOT.transitions = null;
  for (const root of roots) if (root !== undefined) root.transitions = null;
}

/** The empty shape of objects with the prototype `proto`, which is marked as a prototype by this. */
export function rootFor(proto: GuestObject | null): Shape {
  if (proto === null) return NULL_ROOT;
  let shape = proto.shape;
  if (shape.intrinsicId !== 0) {
    shape.usedAsProto = true;
    return rootOf(shape.intrinsicId);
  }
  if (!shape.usedAsProto) {
    if (proto.kind !== Kind.PROXY) shape = toDictionary(proto);
    else proto.shape = shape = copyShape(shape);
    shape.usedAsProto = true;
  }
  return (shape.childRoot ??= new Shape(proto, 0));
}

export function protoOf(shape: Shape): GuestObject | null {
  return shape.protoId === 0 ? shape.proto : (R.intrinsics[shape.protoId] ?? R.realm.intrinsic(shape.protoId));
}

export function lookup(shape: Shape, key: AnyKey): number {
  // The next table above is enough: a table for each shape on the way to a large one would be quadratic.
  let s: Shape | null = shape;
  for (let steps = 0; s !== null && s.table === null && steps < WALK_LIMIT; steps++) {
    if (s.key === key) return s.entry;
    s = s.parent;
  }
  if (s === null) return -1;
  const entry = (s.table ?? tableOf(shape)).get(key);
  return entry === undefined ? -1 : entry;
}

/** The keys and entries of a shape, in order of creation. */
export function tableOf(shape: Shape): Map<AnyKey, number> {
  if (shape.table !== null) return shape.table;
  const chain: Shape[] = [];
  let s: Shape | null = shape;
  while (s !== null && s.table === null) {
    if (s.key !== null) chain.push(s);
    s = s.parent;
  }
  const { count } = shape;
  if ((R.mem -= TABLE_ENTRY_BYTES * count) < 0) R.run.outOfMemory();
  if (shape.shared) sharedWeight += count >> 3;
  const table = new Map(s?.table ?? null);
  for (let i = chain.length - 1; i >= 0; i--) table.set(chain[i].key!, chain[i].entry);
  shape.table = table;
  return table;
}

/** True for the canonical text of an integer in [0, 2^32 - 2]. */
export function isIndexKey(key: AnyKey): boolean {
  return typeof key === "string" && arrayIndex(key) >= 0;
}

/** The array index that `key` is the canonical text of, or -1. */
export function arrayIndex(key: string): number {
  const n = key.length;
  if (n === 0 || n > 10) return -1;
  let c = key.charCodeAt(0);
  if (c < 48 || c > 57) return -1;
  if (c === 48) return n === 1 ? 0 : -1;
  let index = c - 48;
  for (let i = 1; i < n; i++) {
    c = key.charCodeAt(i);
    if (c < 48 || c > 57) return -1;
    index = index * 10 + (c - 48);
  }
  return index <= 4294967294 ? index : -1;
}

/** The child of a tree shape with one more property. */
export function childShape(shape: Shape, key: AnyKey, flags: number): Shape {
  const transitions = (shape.transitions ??= new Map());
  const found = transitions.get(key);
  if (found !== undefined) {
    if (found instanceof Shape) {
      if ((found.entry & FLAGS_MASK) === flags) return found;
    } else {
      for (const s of found) if ((s.entry & FLAGS_MASK) === flags) return s;
    }
  }
  const child = new Shape(shape.proto, shape.protoId);
  child.parent = shape;
  child.key = key;
  child.entry = (shape.count << ENTRY_SHIFT) | flags;
  child.count = shape.count + 1;
  child.hasIndexKeys = shape.hasIndexKeys || isIndexKey(key);
  child.shared = shape.shared && !(key instanceof PrivateName);
  if (child.shared) sharedWeight += typeof key === "string" ? 1 + (key.length >> 6) : 1;
  R.mem -= SHAPE_BYTES;
  if (found === undefined) transitions.set(key, child);
  else if (found instanceof Shape) transitions.set(key, [found, child]);
  else found.push(child);
  return child;
}

function copyShape(shape: Shape): Shape {
  const copy = new Shape(shape.proto, shape.protoId);
  copy.table = new Map(tableOf(shape));
  copy.count = shape.count;
  copy.dict = true;
  copy.extensible = shape.extensible;
  copy.hasIndexKeys = shape.hasIndexKeys;
  copy.usedAsProto = shape.usedAsProto;
  copy.intrinsicId = shape.intrinsicId;
  copy.childRoot = shape.childRoot;
  copy.shared = false;
  return copy;
}

/** Gives `o` a shape of its own. A write to an object as the realm made it ends the realm's intactness. */
export function toDictionary(o: GuestObject): Shape {
  const shape = o.shape;
  if (shape.dict) return shape;
  const own = (o.shape = copyShape(shape));
  if ((R.mem -= 64 + TABLE_ENTRY_BYTES * own.count) < 0) R.run.outOfMemory();
  if (shape.template) R.realm.detached(own.intrinsicId);
  return own;
}

/** To be called after the layout, an attribute or the prototype of an object has changed. */
export function layoutChanged(shape: Shape): void {
  if (shape.usedAsProto) R.realm.newEpoch();
}

export function load(o: GuestObject, slot: number): Slot {
  switch (slot) {
    case 0:
      return o.s0;
    case 1:
      return o.s1;
    case 2:
      return o.s2;
    case 3:
      return o.s3;
    default:
      return o.more![slot - 4];
  }
}

export function store(o: GuestObject, slot: number, v: Slot): void {
  switch (slot) {
    case 0:
      o.s0 = v;
      return;
    case 1:
      o.s1 = v;
      return;
    case 2:
      o.s2 = v;
      return;
    case 3:
      o.s3 = v;
      return;
  }
  const more = o.more;
  if (more !== null && slot - 4 < more.length) more[slot - 4] = v;
  else storeBeyond(o, slot, v);
}

/** Stores in a slot that there is no room for yet. Apart, since the host puts the function above into those that call it. */
function storeBeyond(o: GuestObject, slot: number, v: Slot): void {
  const { more } = o;
  if (more === null) {
    const fresh: Slot[] = [undefined]; // a literal that starts with no number: PACKED_ELEMENTS
    for (let i = 1; i <= slot - 4; i++) fresh.push(undefined);
    fresh[slot - 4] = v;
    o.more = fresh;
    R.mem -= 32;
  } else {
    while (more.length < slot - 4) more.push(undefined);
    more.push(v);
    R.mem -= 8;
  }
}

/** Adds a property that `o` does not have. The caller has checked that it is extensible. */
export function addProperty(o: GuestObject, key: AnyKey, v: Slot, flags: number): void {
  let shape = o.shape;
  if (!shape.dict) {
    if (
      !shape.template &&
      shape.count < MAX_TREE_PROPERTIES &&
      shape.extensible &&
      !(typeof key === "string" && key.length > MAX_TREE_KEY)
    ) {
      const child = childShape(shape, key, flags);
      store(o, shape.count, v);
      o.shape = child;
      return;
    }
    shape = toDictionary(o);
  }
  const slot = shape.count++;
  shape.table!.set(key, (slot << ENTRY_SHIFT) | flags);
  if (!shape.hasIndexKeys && isIndexKey(key)) shape.hasIndexKeys = true;
  store(o, slot, v);
  if ((R.mem -= TABLE_ENTRY_BYTES) < 0) R.run.outOfMemory();
  layoutChanged(shape);
}

/** Changes the attributes of an existing property. */
export function changeFlags(o: GuestObject, key: AnyKey, entry: number, flags: number): void {
  if ((entry & FLAGS_MASK) === flags) return;
  const shape = toDictionary(o);
  shape.table!.set(key, (entry & ~FLAGS_MASK) | flags);
  layoutChanged(shape);
}

/** Writes the value of an existing property (layout and attributes stay). */
export function writeSlot(o: GuestObject, entry: number, v: Slot): void {
  if (o.shape.template) toDictionary(o);
  store(o, entry >> ENTRY_SHIFT, v);
}

/** Removes an existing property. */
export function removeProperty(o: GuestObject, key: AnyKey, entry: number): void {
  let shape = o.shape;
  if (!shape.dict && !shape.template && shape.key === key && shape.parent !== null && shape.parent.extensible) {
    store(o, entry >> ENTRY_SHIFT, undefined);
    o.shape = shape.parent;
    return;
  }
  shape = toDictionary(o);
  shape.table!.delete(key);
  store(o, entry >> ENTRY_SHIFT, undefined);
  if (shape.count > 16 && shape.count > 2 * shape.table!.size) compact(o, shape);
  layoutChanged(shape);
}

/** Gives the properties new slots without gaps. A lazy one keeps its slot, by which its value is made. */
function compact(o: GuestObject, shape: Shape): void {
  const values: Slot[] = [];
  const table = shape.table!;
  const taken = new Set<number>();
  for (const entry of table.values()) if ((entry & Flag.LAZY) !== 0) taken.add(entry >> ENTRY_SHIFT);
  const moved = new Map<AnyKey, number>();
  let free = 0;
  for (const [key, entry] of table) {
    let slot = entry >> ENTRY_SHIFT;
    const v = load(o, slot);
    if ((entry & Flag.LAZY) === 0) {
      while (taken.has(free)) free++;
      slot = free++;
    }
    while (values.length <= slot) values.push(undefined);
    values[slot] = v;
    moved.set(key, (slot << ENTRY_SHIFT) | (entry & FLAGS_MASK));
  }
  shape.table = moved;
  shape.count = values.length;
  o.more = null;
  values.forEach((v, i) => store(o, i, v));
}

/** Gives `o` the prototype `proto`; checks (cycles, extensibility) are the caller's. */
export function changeProto(o: GuestObject, proto: GuestObject | null): void {
  const shape = o.shape;
  const root = rootFor(proto);
  if (shape.dict || shape.template) {
    const own = toDictionary(o);
    own.proto = root.proto;
    own.protoId = root.protoId;
    layoutChanged(own);
    return;
  }
  const chain: Shape[] = [];
  for (let s: Shape | null = shape; s !== null; s = s.parent) {
    if (s.key !== null) chain.push(s);
    else if (s.parent !== null || s.table !== null) {
      // An integrity-level shape: no chain to replay.
      const own = toDictionary(o);
      own.proto = root.proto;
      own.protoId = root.protoId;
      return;
    }
  }
  let s = root;
  for (let i = chain.length - 1; i >= 0; i--) s = childShape(s, chain[i].key!, chain[i].entry & FLAGS_MASK);
  o.shape = s;
}

const LEVEL_KEYS = [new PrivateName("prevent"), new PrivateName("seal"), new PrivateName("freeze")];

/** 0: prevent extensions, 1: seal, 2: freeze. For ordinary objects and named properties of exotic ones. */
export function applyIntegrity(o: GuestObject, level: 0 | 1 | 2): void {
  const shape = o.shape;
  const mapped = (flags: number): number => {
    if (level === 0) return flags;
    if (level === 1 || (flags & Flag.ACCESSOR) !== 0) return flags & ~Flag.CONFIGURABLE;
    return flags & ~(Flag.CONFIGURABLE | Flag.WRITABLE);
  };
  const fill = (table: Map<AnyKey, number>): Map<AnyKey, number> => {
    const out = new Map<AnyKey, number>();
    for (const [key, entry] of table) {
      const flags = entry & FLAGS_MASK;
      out.set(key, (entry & ~FLAGS_MASK) | (key instanceof PrivateName ? flags : mapped(flags)));
    }
    return out;
  };
  if (shape.dict || shape.template) {
    const own = toDictionary(o);
    own.table = fill(own.table!);
    own.extensible = false;
    layoutChanged(own);
    return;
  }
  const transitions = (shape.transitions ??= new Map());
  let next = transitions.get(LEVEL_KEYS[level]);
  if (!(next instanceof Shape)) {
    next = copyShape(shape);
    next.table = fill(next.table!);
    next.dict = false;
    next.extensible = false;
    next.parent = shape;
    next.shared = shape.shared;
    transitions.set(LEVEL_KEYS[level], next);
  }
  o.shape = next;
}

/** A plain object's shape with these keys as data properties, for literals. */
export function literalShape(root: Shape, keys: readonly string[]): Shape {
  let shape = root;
  for (const key of keys) shape = childShape(shape, key, DATA);
  return shape;
}
