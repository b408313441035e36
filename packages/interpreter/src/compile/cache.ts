// Inline caches of property sites. A cache knows two shapes; after many misses the site stops learning.
//
// A hit on a prototype is valid while the realm's epoch is the one it was learnt in. An intrinsic holder is kept by its id and looked up
// in the current realm, so that a cached program hits in a fresh realm and keeps no dead one alive.

import { getV, protoOfPrimitive } from "../convert.js";
import { throwTypeError } from "../errors.js";
import { type Intrinsic } from "../intrinsics.js";
import { callGetter, countLink, createDataOrThrow, getFrom, setOn, slotOf, throwReadOnly } from "../object.js";
import { R } from "../run-state.js";
import { DATA, ENTRY_SHIFT, Flag, type Shape, addProperty, childShape, lookup, protoOf, store } from "../shape.js";
import { BIGINT_ROOT, BOOLEAN_ROOT, NUMBER_ROOT, STRING_ROOT, SYMBOL_ROOT } from "./roots.js";
import { type Accessor, FIRST_EXOTIC, GuestObject, type Key, Kind, type PrivateName, type Slot, type Value } from "../values.js";
import { forgetText, parsedTextOf } from "../parsed-text.js";

const enum Hit {
  NONE,
  /** An own data property of a shape that never changes. */
  OWN,
  /** A data property of `holder` (or of intrinsic `id`), valid in `epoch`. */
  HOLDER,
  /** The same, an accessor. */
  ACCESSOR,
  /** No such property, valid in `epoch`. */
  ABSENT,
}

const MAX_MISSES = 24;

class Entry {
  shape: Shape | null = null;
  hit: Hit = Hit.NONE;
  slot = 0;
  epoch = 0;
  holder: GuestObject | null = null;
  id: Intrinsic | 0 = 0;
}

/** The cache of a site that reads one name. */
export class GetCache {
  readonly key: Key;
  // The first entry stands in the cache itself: one load less.
  shape: Shape | null = null;
  slot = 0;
  private readonly first = new Entry();
  private readonly second = new Entry();
  private third: Entry | null = null;
  private fourth: Entry | null = null;
  private misses = 0;
  constructor(key: Key) {
    this.key = key;
  }

  /** `v[key]` of any value but an object whose shape is cached. */
  getValue(v: Value): Value {
    if (typeof v === "object" && v !== null) return this.find(v.shape, v, v);
    switch (typeof v) {
      case "string":
        if (this.key === "length") return v.length;
        return this.find(STRING_ROOT, null, v);
      case "number":
        return this.find(NUMBER_ROOT, null, v);
      case "boolean":
        return this.find(BOOLEAN_ROOT, null, v);
      case "bigint":
        return this.find(BIGINT_ROOT, null, v);
      case "symbol":
        return this.find(SYMBOL_ROOT, null, v);
    }
    return getV(v, this.key);
  }

  /** `receiver[key]`, looked up from `o` with its shape, or from a primitive's prototype with the root shape of its kind. */
  find(shape: Shape, o: GuestObject | null, receiver: Value): Value {
    let e = this.first;
    if (e.shape !== shape) {
      e = this.second;
      if (e.shape !== shape) {
        if (this.third === null) return this.miss(shape, o, receiver);
        e = this.third;
        if (e.shape !== shape) {
          e = this.fourth!;
          if (e.shape !== shape) return this.miss(shape, o, receiver);
        }
      }
    }
    const { hit, slot } = e;
    let holder = o!;
    if (hit !== Hit.OWN) {
      if (e.epoch !== R.epoch) return this.miss(shape, o, receiver);
      if (hit === Hit.ABSENT) return undefined;
      const known = e.id === 0 ? e.holder! : R.intrinsics[e.id];
      if (known === undefined) return this.miss(shape, o, receiver);
      holder = known;
    }
    // `load`, written out: this is the way of every method call.
    const v = slot > 3 ? holder.more![slot - 4] : slot === 0 ? holder.s0 : slot === 1 ? holder.s1 : slot === 2 ? holder.s2 : holder.s3;
    return hit === Hit.ACCESSOR ? callGetter(v as Accessor, receiver) : (v as Value);
  }

  private miss(shape: Shape, o: GuestObject | null, receiver: Value): Value {
    const key = this.key;
    let p: GuestObject | null = o ?? protoOfPrimitive(receiver);
    if (this.misses > MAX_MISSES) return this.uncached(p, receiver);
    // Own properties of dictionaries may change without a change of shape, unless prototypes are watched.
    if (o !== null && (shape.dict || o.kind === Kind.PROXY) && !shape.usedAsProto) return this.uncached(o, receiver);
    let depth = o === null ? 1 : 0;
    let entry = -1;
    while (p !== null) {
      // Of a typed array's names only those that read as numbers are special.
      if (
        p.kind === Kind.PROXY ||
        (p.kind === Kind.TYPED_ARRAY && (key === "Infinity" || key === "NaN")) ||
        (p.kind === Kind.STRING && key === "length") ||
        ((p.kind === Kind.ARRAY || p.kind === Kind.SPARSE_ARRAY) && key === "length")
      ) {
        return getFrom(p, key, receiver);
      }
      entry = lookup(p.shape, key);
      if (entry >= 0) break;
      p = protoOf(p.shape);
      depth = countLink(depth);
    }
    const e = this.claim(shape);
    e.epoch = R.epoch;
    if (p === null) {
      e.hit = Hit.ABSENT;
      return undefined;
    }
    const slot: Slot = slotOf(p, entry);
    const isAccessor = (entry & Flag.ACCESSOR) !== 0;
    e.slot = entry >> ENTRY_SHIFT;
    if ((entry & Flag.LAZY) !== 0) e.shape = null;
    else if (depth === 0 && !shape.dict && !isAccessor) {
      e.hit = Hit.OWN;
      if (e === this.first) {
        this.shape = shape;
        this.slot = e.slot;
      }
    } else if (depth === 0 && !shape.usedAsProto) e.shape = null;
    else {
      e.hit = isAccessor ? Hit.ACCESSOR : Hit.HOLDER;
      e.id = p.shape.intrinsicId;
      e.holder = e.id === 0 ? p : null;
    }
    return isAccessor ? callGetter(slot as Accessor, receiver) : (slot as Value);
  }

  /** A value that remembers its text has the text's length, where it has none of its own. */
  private uncached(o: GuestObject, receiver: Value): Value {
    const v = getFrom(o, this.key, receiver);
    return v === undefined && R.texts && this.key === "length" ? parsedTextOf(o)?.length : v;
  }

  private claim(shape: Shape): Entry {
    let e = this.first;
    if (e.shape !== null && e.shape !== shape) {
      e = this.second;
      if (e.shape !== null && e.shape !== shape) {
        e = this.third ??= new Entry();
        const fourth = (this.fourth ??= new Entry());
        if (e.shape !== null && e.shape !== shape) {
          e = fourth;
          if (e.shape !== null && e.shape !== shape) this.misses++;
        }
      }
    } else this.shape = null;
    e.shape = shape;
    e.hit = Hit.NONE;
    e.holder = null;
    e.id = 0;
    return e;
  }

  /** Lets go of what belongs to a realm. */
  reset(): void {
    if (this.shape !== null && !keepable(this.shape)) this.shape = null;
    resetEntry(this.first);
    resetEntry(this.second);
    if (this.third !== null) {
      resetEntry(this.third);
      resetEntry(this.fourth!);
    }
    this.misses = 0;
  }
}

function resetEntry(e: Entry): void {
  if (e.shape !== null && (!keepable(e.shape) || e.holder !== null)) {
    e.shape = null;
    e.holder = null;
  }
}

function keepable(shape: Shape): boolean {
  return shape.shared || shape.template;
}

/** Adding a property: from `before` to `after`, valid in `epoch`. */
class Move {
  before: Shape | null = null;
  after: Shape | null = null;
  epoch = 0;

  learn(before: Shape, after: Shape): void {
    this.before = before;
    this.after = after;
    this.epoch = R.epoch;
  }

  reset(): void {
    if (this.before !== null && !keepable(this.before)) this.before = this.after = null;
  }
}

/** A constructor that its subclasses call adds to as many shapes as there are of them: so many are known besides the first. */
const MORE_MOVES = 3;

class Moves {
  readonly first = new Move();
  private readonly others: Move[] = [];

  /** The move from a shape that `first` does not start from. */
  find(before: Shape): Move | null {
    const { others } = this;
    let i = 0;
    while (i < others.length && others[i].before !== before) i++;
    return i < others.length ? others[i] : null;
  }

  learn(before: Shape, after: Shape): void {
    const { first, others } = this;
    let move = first;
    if (first.before !== null && first.before !== before) {
      const known = others.find((other) => other.before === before || other.before === null);
      if (known !== undefined) move = known;
      else if (others.length < MORE_MOVES) others.push((move = new Move()));
    }
    move.learn(before, after);
  }

  reset(): void {
    this.first.reset();
    for (const move of this.others) move.reset();
  }
}

/** The cache of a site that writes one name. */
export class SetCache {
  readonly key: Key;
  /** Own writable data property: shape and slot. */
  shape: Shape | null = null;
  slot = 0;
  private shape2: Shape | null = null;
  private slot2 = 0;
  /** The same of an object that is a prototype (a class with its static properties): valid in `watchedEpoch`. */
  private watched: Shape | null = null;
  private watchedSlot = 0;
  private watchedEpoch = 0;
  private readonly moves = new Moves();
  private misses = 0;
  constructor(key: Key) {
    this.key = key;
  }

  /** `o[key] = v` where `o.shape` is not `this.shape`. Throws if it is refused. */
  set(o: Value, v: Value): void {
    if (typeof o !== "object" || o === null) return this.setPrimitive(o, v);
    const shape = o.shape;
    if (shape === this.shape) return store(o, this.slot, v);
    if (shape === this.shape2) return store(o, this.slot2, v);
    if (shape === this.watched && this.watchedEpoch === R.epoch) return store(o, this.watchedSlot, v);
    const { first } = this.moves;
    const move = first.before === shape ? first : this.moves.find(shape);
    if (move === null || move.epoch !== R.epoch) return this.miss(o, shape, v);
    const after = move.after!;
    store(o, after.count - 1, v);
    o.shape = after;
    R.mem -= 8;
  }

  private miss(o: GuestObject, shape: Shape, v: Value): void {
    const key = this.key;
    if (R.texts) forgetText(o);
    if (
      this.misses <= MAX_MISSES &&
      !shape.template &&
      // Who writes the `prototype` of a function changes what it constructs.
      key !== "prototype" &&
      (o.kind < FIRST_EXOTIC || (o.kind === Kind.ARRAY && key !== "length"))
    ) {
      const entry = lookup(shape, key);
      if (entry >= 0) {
        if ((entry & (Flag.ACCESSOR | Flag.WRITABLE | Flag.LAZY)) === Flag.WRITABLE && this.learn(shape, entry >> ENTRY_SHIFT)) {
          store(o, entry >> ENTRY_SHIFT, v);
          return;
        }
      } else if (!shape.dict && shape.extensible && shape.count < 100 && nobodyMinds(protoOf(shape), key)) {
        this.misses++;
        const after = childShape(shape, key, DATA);
        store(o, shape.count, v);
        o.shape = after;
        this.moves.learn(shape, after);
        return;
      }
    }
    if (!setOn(o, key, v, o)) throwReadOnly(o, key);
  }

  /** Keeps the slot of a writable own property. False: objects of this shape can change without it. */
  private learn(shape: Shape, slot: number): boolean {
    if (shape.dict) {
      if (!shape.usedAsProto) return false;
      this.watched = shape;
      this.watchedSlot = slot;
      this.watchedEpoch = R.epoch;
    } else if (this.shape === null) {
      this.shape = shape;
      this.slot = slot;
    } else {
      this.shape2 = shape;
      this.slot2 = slot;
    }
    this.misses++;
    return true;
  }

  private setPrimitive(o: Value, v: Value): void {
    if (o === undefined || o === null) throwTypeError(`Cannot set properties of ${o} (setting '${String(this.key)}')`);
    if (!setOn(protoOfPrimitive(o), this.key, v, o)) throwReadOnly(o, this.key);
  }

  reset(): void {
    if (this.shape !== null && !keepable(this.shape)) this.shape = null;
    if (this.shape2 !== null && !keepable(this.shape2)) this.shape2 = null;
    this.watched = null;
    this.moves.reset();
    this.misses = 0;
  }
}

/** The cache of a field: defining it moves an instance from one shape to the next, whatever the prototypes hold. */
export class FieldCache {
  readonly key: Key;
  private readonly moves = new Moves();
  constructor(key: Key) {
    this.key = key;
  }

  /** CreateDataPropertyOrThrow. */
  define(o: GuestObject, v: Value): void {
    const { shape } = o;
    const { first } = this.moves;
    const move = first.before === shape ? first : this.moves.find(shape);
    if (move !== null && o.kind === Kind.ORDINARY) {
      store(o, shape.count, v);
      o.shape = move.after!;
      return;
    }
    createDataOrThrow(o, this.key, v);
    if (!shape.dict && !shape.template && o.shape.parent === shape && o.kind === Kind.ORDINARY) this.moves.learn(shape, o.shape);
  }

  reset(): void {
    this.moves.reset();
  }
}

/** The cache of a site that reads or writes a private element. Each evaluation of its class has a name of its own. */
export class PrivateCache {
  name: PrivateName | null = null;
  shape: Shape | null = null;
  slot = 0;
  private shape2: Shape | null = null;
  private slot2 = 0;

  /** The slot of a known layout that is not `this.shape`, or -1. */
  find(shape: Shape, name: PrivateName): number {
    return shape === this.shape2 && name === this.name ? this.slot2 : -1;
  }

  learn(shape: Shape, name: PrivateName, slot: number): void {
    if (shape.dict) return;
    if (name !== this.name) this.shape = this.shape2 = null;
    this.name = name;
    if (this.shape === null) {
      this.shape = shape;
      this.slot = slot;
    } else {
      this.shape2 = shape;
      this.slot2 = slot;
    }
  }

  reset(): void {
    this.name = this.shape = this.shape2 = null;
  }
}

/** The cache of a private field: adding it moves an instance from one shape to the next. */
export class PrivateFieldCache {
  private name: PrivateName | null = null;
  private readonly moves = new Moves();

  /** PrivateFieldAdd. */
  add(o: GuestObject, name: PrivateName, v: Value): void {
    const { shape } = o;
    if (name === this.name) {
      const { first } = this.moves;
      const move = first.before === shape ? first : this.moves.find(shape);
      if (move !== null) {
        store(o, shape.count, v);
        o.shape = move.after!;
        return;
      }
    }
    addPrivate(o, name, v, Flag.WRITABLE);
    if (shape.dict || shape.template || o.shape.parent !== shape) return;
    if (name !== this.name) this.moves.reset();
    this.name = name;
    this.moves.learn(shape, o.shape);
  }

  reset(): void {
    this.name = null;
    this.moves.reset();
  }
}

/** PrivateFieldAdd and PrivateMethodOrAccessorAdd. */
export function addPrivate(o: GuestObject, name: PrivateName, v: Slot, flags: number): void {
  if (lookup(o.shape, name) >= 0) throwTypeError("Cannot initialize a private member twice on the same object");
  if (!o.shape.extensible && o.kind !== Kind.PROXY) throwTypeError("Cannot define a private member on an object that is not extensible");
  addProperty(o, name, v, flags);
}

/** No setter, read-only property or proxy of that name on the chain. */
export function nobodyMinds(proto: GuestObject | null, key: Key): boolean {
  let links = 0;
  for (let p = proto; p !== null; p = protoOf(p.shape)) {
    links = countLink(links);
    if (p.kind >= FIRST_EXOTIC) {
      if (p.kind === Kind.PROXY || p.kind === Kind.TYPED_ARRAY || p.kind === Kind.STRING) return false;
    }
    const entry = lookup(p.shape, key);
    if (entry >= 0) return (entry & Flag.ACCESSOR) === 0 && (entry & Flag.WRITABLE) !== 0;
  }
  return true;
}
