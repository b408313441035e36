// Inline caches of sites that copy and define properties of fresh objects: spread in object literals, rest in patterns, literals with
// constant keys after a spread. They know the layouts that were met, so that a copy is a list of moves between slots.

import { R } from "../run-state.js";
import {
  DATA,
  ENTRY_SHIFT,
  FLAGS_MASK,
  Flag,
  MAX_TREE_KEY,
  type Shape,
  childShape,
  load,
  lookup,
  protoOf,
  store,
  tableOf,
} from "../shape.js";
import { FIRST_EXOTIC, type GuestObject, type Key, Kind, PrivateName, type Value } from "../values.js";
import { OBJECT_ROOT, createData, get, getOwn, ownKeys } from "../object.js";
import { toObject } from "../convert.js";
import { nobodyMinds } from "./cache.js";

const MAX_MISSES = 24;
/** Larger layouts are copied key by key. */
const MAX_MOVES = 100;

/** How the data of an object with the layout `source` come into one with the layout `target`, which has `after` then. */
interface Plan {
  source: Shape;
  target: Shape;
  after: Shape;
  from: number[];
  to: number[];
}

/** CopyDataProperties at one site, where always the same keys are left out. */
export class CopyCache {
  private readonly excluded: readonly Key[] | null;
  private first: Plan | null = null;
  private second: Plan | null = null;
  private misses = 0;
  constructor(excluded: readonly Key[] | null) {
    this.excluded = excluded;
  }

  /** `target` is an ordinary object that nobody else has. */
  copy(target: GuestObject, source: Value): void {
    if (typeof source === "object" && source !== null && source.kind < Kind.ARRAY) {
      let plan = this.first;
      if (plan === null || plan.source !== source.shape || plan.target !== target.shape) {
        plan = this.second;
        if (plan === null || plan.source !== source.shape || plan.target !== target.shape) plan = this.miss(target.shape, source.shape);
      }
      if (plan !== null) return move(plan, target, source);
    }
    copyDataProperties(target, source, this.excluded);
  }

  private miss(target: Shape, source: Shape): Plan | null {
    if (this.misses > MAX_MISSES) return null;
    this.misses++;
    const plan = planOf(target, source, this.excluded);
    if (plan === null) return null;
    if (this.first === null) this.first = plan;
    else this.second = plan;
    return plan;
  }

  /** Lets go of what belongs to a realm. */
  reset(): void {
    if (this.first !== null && !isShared(this.first)) this.first = null;
    if (this.second !== null && !isShared(this.second)) this.second = null;
    this.misses = 0;
  }
}

/** Object.assign of plain data between two layouts, while the prototypes are as they were then. */
export class AssignCache {
  private readonly plans: (Plan & { epoch: number })[] = [];
  private misses = 0;

  /** False: nothing was done, as this is no plain case. */
  assign(target: GuestObject, source: GuestObject): boolean {
    if (R.texts || target.kind >= FIRST_EXOTIC || target.kind === Kind.FUNCTION || source.kind >= FIRST_EXOTIC) return false;
    const { plans } = this;
    for (let i = 0; i < plans.length; i++) {
      const plan = plans[i];
      if (plan.source === source.shape && plan.target === target.shape && plan.epoch === R.epoch) {
        move(plan, target, source);
        return true;
      }
    }
    if (++this.misses > MAX_ASSIGN_MISSES) return false;
    const plan = planOf(target.shape, source.shape, null);
    if (plan === null) return false;
    for (const key of tableOf(source.shape).keys())
      if (!(key instanceof PrivateName) && lookup(target.shape, key) < 0 && !nobodyMinds(protoOf(target.shape), key)) return false;
    plans[plans.length < MAX_ASSIGN_PLANS ? plans.length : this.misses % MAX_ASSIGN_PLANS] = { ...plan, epoch: R.epoch };
    move(plan, target, source);
    return true;
  }

  /** Lets go of what belongs to a realm. */
  reset(): void {
    this.plans.length = this.misses = 0;
  }
}
const MAX_ASSIGN_PLANS = 8;
const MAX_ASSIGN_MISSES = 200;

function isShared({ source, target, after }: Plan): boolean {
  return source.shared && target.shared && after.shared;
}

function planOf(target: Shape, source: Shape, excluded: readonly Key[] | null): Plan | null {
  if (source.dict || source.template || source.hasIndexKeys || source.count > MAX_MOVES) return null;
  if (target.dict || target.template || !target.extensible) return null;
  const plan: Plan = { source, target, after: target, from: [], to: [] };
  const entries = [...tableOf(source)];
  // Texts come before symbols.
  for (const wanted of ["string", "symbol"]) {
    for (const [key, entry] of entries) {
      if (typeof key !== wanted || key instanceof PrivateName || (entry & Flag.ENUMERABLE) === 0 || excluded?.includes(key)) continue;
      if ((entry & (Flag.ACCESSOR | Flag.LAZY)) !== 0) return null;
      let there = lookup(plan.after, key);
      if (there < 0) {
        if (plan.after.count >= MAX_MOVES || (typeof key === "string" && key.length > MAX_TREE_KEY)) return null;
        plan.after = childShape(plan.after, key, DATA);
        there = plan.after.entry;
      } else if ((there & FLAGS_MASK) !== DATA) return null;
      plan.from.push(entry >> ENTRY_SHIFT);
      plan.to.push(there >> ENTRY_SHIFT);
    }
  }
  return plan;
}

function move(plan: Plan, target: GuestObject, source: GuestObject): void {
  const { from, to } = plan;
  if ((R.fuel -= plan.source.count) < 0) R.run.outOfFuel();
  for (let i = 0; i < from.length; i++) store(target, to[i], load(source, from[i]));
  target.shape = plan.after;
  if ((R.mem -= 8 * plan.source.count) < 0) R.run.outOfMemory();
}

/** CopyDataProperties. */
export function copyDataProperties(target: GuestObject, source: Value, excluded: readonly Key[] | null): void {
  if (source === undefined || source === null) return;
  const from = toObject(source);
  if (from.kind < Kind.ARRAY && fastCopy(target, from, excluded)) return;
  const left = excluded === null ? null : new Set(excluded);
  for (const key of ownKeys(from)) {
    if (left !== null && left.has(key)) continue;
    const own = getOwn(from, key);
    if (own === undefined || (own.flags & Flag.ENUMERABLE) === 0) continue;
    createData(target, key, get(from, key));
  }
}

/** Plain data of an unshared-shape object into an empty plain one: the shape itself can be taken. */
function fastCopy(target: GuestObject, from: GuestObject, excluded: readonly Key[] | null): boolean {
  const shape = from.shape;
  if (
    excluded !== null ||
    target.shape !== OBJECT_ROOT ||
    shape.dict ||
    shape.template ||
    shape.protoId !== OBJECT_ROOT.protoId ||
    !shape.extensible
  )
    return false;
  for (let s: typeof shape | null = shape; s !== null; s = s.parent) {
    if (s.key === null) {
      if (s.parent !== null || s.table !== null) return false;
      continue;
    }
    if (typeof s.key === "object" || (s.entry & 31) !== (Flag.WRITABLE | Flag.ENUMERABLE | Flag.CONFIGURABLE)) return false;
  }
  if (shape.hasIndexKeys) return false;
  if ((R.fuel -= shape.count) < 0) R.run.outOfFuel();
  target.s0 = from.s0;
  target.s1 = from.s1;
  target.s2 = from.s2;
  target.s3 = from.s3;
  if (from.more !== null) for (let i = 4; i < shape.count; i++) store(target, i, from.more[i - 4]);
  target.shape = shape;
  R.mem -= 8 * shape.count;
  return true;
}

/** CreateDataProperty of one name on ordinary objects that nobody else has. */
export class DefineCache {
  private readonly key: string;
  private before: Shape | null = null;
  private after: Shape | null = null;
  private slot = 0;
  constructor(key: string) {
    this.key = key;
  }

  define(o: GuestObject, v: Value): void {
    const { shape } = o;
    if (shape === this.before) {
      store(o, this.slot, v);
      o.shape = this.after!;
      return;
    }
    const { key } = this;
    createData(o, key, v);
    const after = o.shape;
    if (shape.dict || after.dict || shape.template) return;
    const entry = lookup(after, key);
    if ((entry & FLAGS_MASK) !== DATA) return;
    this.before = shape;
    this.after = after;
    this.slot = entry >> ENTRY_SHIFT;
  }

  /** Lets go of what belongs to a realm. */
  reset(): void {
    if (this.before !== null && !(this.before.shared && this.after!.shared)) this.before = this.after = null;
  }
}
