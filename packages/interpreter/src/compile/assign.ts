// Assignment and update: `=`, the compound and logical forms, `++` and `--`.

import { ARRAY_ROOT } from "../array.js";
import { toKey, toNumeric } from "../convert.js";
import { decrement, increment } from "../operators.js";
import { R } from "../run-state.js";
import { load, store } from "../shape.js";
import { type Env, HOLE, type Key, Kind, type PrivateName, type Value } from "../values.js";
import type { Context } from "./context.js";
import { throwNullish } from "./explain.js";
import { expression, namedExpression, term } from "./expressions.js";
import { unparenthesized, type Expression, type estree } from "./nodes.js";
import { APPLY, ASSIGN_LOCAL, ASSIGN_MEMBER } from "./operators.gen.js";
import { assignPattern } from "./patterns.js";
import {
  getElement,
  getNamed,
  getSuper,
  privateName,
  privateNameSlot,
  privateRead,
  privateWrite,
  setElement,
  setSuper,
  staticName,
  superBase,
} from "./property.js";
import { NAME_THIS } from "./scope.js";
import type { Ev } from "./unit.js";
import { assignToGlobal, assignVariable, isConstant, localOf, plainLocal, readBinding, readVariable } from "./variables.js";

export function assignment(node: estree.AssignmentExpression, c: Context): Ev {
  const target = unparenthesized(node.left as Expression);
  if (target.type === "Identifier") return assignIdentifier(node, target, c);
  if (target.type === "MemberExpression") return assignMember(node, target, c);
  const value = expression(node.right, c);
  const assign = assignPattern(node.left as estree.Pattern, c);
  return (f) => {
    const v = value(f);
    assign(f, v);
    return v;
  };
}

/** The slot of the local that `local = …` writes without looking, or -1. */
export function assignedLocal({ operator, left }: estree.AssignmentExpression, c: Context): number {
  if (operator !== "=" || left.type !== "Identifier" || isConstant(left.name, c)) return -1;
  return plainLocal(left.name, left.start, c);
}

/** What `variable = …` assigns. `(x) = function () {}` names nothing. */
export function assignedValue({ start, left, right }: estree.AssignmentExpression, c: Context): Ev {
  return left.start === start ? namedExpression(right, (left as estree.Identifier).name, c) : expression(right, c);
}

function assignIdentifier(node: estree.AssignmentExpression, target: estree.Identifier, c: Context): Ev {
  const slot = plainLocal(target.name, target.start, c);
  const r = c.resolve(target.name);
  const constant = isConstant(target.name, c);
  const operator = node.operator;
  if (operator === "=") {
    const value = assignedValue(node, c);
    if (slot >= 0 && !constant) return (f) => (f[slot] = value(f));
    if (r === undefined) return assignToGlobal(target.name, target, value, c);
    const assign = assignVariable(target.name, target, c);
    return (f) => {
      const v = value(f);
      assign(f, v);
      return v;
    };
  }
  if (operator === "&&=" || operator === "||=" || operator === "??=") {
    const read = readVariable(target.name, target, c);
    const value = namedExpression(node.right, target.name, c);
    const assign = assignVariable(target.name, target, c);
    return (f) => {
      const old = read(f);
      if (!goesOn(operator, old)) return old;
      const v = value(f);
      assign(f, v);
      return v;
    };
  }
  const op = operator.slice(0, -1);
  if (slot >= 0 && !constant) {
    const right = term(node.right, op, c);
    const form = ASSIGN_LOCAL[op][right.shape];
    return form === undefined ? ASSIGN_LOCAL[op].X(slot, expression(node.right, c) as never) : form(slot, right.value as never);
  }
  const read = readVariable(target.name, target, c);
  const value = expression(node.right, c);
  const assign = assignVariable(target.name, target, c);
  const apply = APPLY[op];
  return (f) => {
    const v = apply(read(f), value(f));
    assign(f, v);
    return v;
  };
}

function goesOn(operator: string, old: Value): boolean {
  return operator === "&&=" ? !!old : operator === "||=" ? !old : old === undefined || old === null;
}

function assignMember(node: estree.AssignmentExpression, target: estree.MemberExpression, c: Context): Ev {
  const site = c.site(target.property);
  if (target.object.type === "Super") return assignSuper(node, target, site, c);
  const operator = node.operator;
  const object = expression(target.object, c);
  // Locals are read without a closure.
  const self = localOf(target.object, c);
  const local = localOf(node.right, c);
  if (target.property.type === "PrivateIdentifier") {
    const name = privateName(target.property, c);
    const value = expression(node.right, c);
    const cache = c.unit.privateCache();
    const write = privateWrite(site, c, cache);
    const nameSlot = privateNameSlot(target.property, c);
    if (operator === "=") {
      return (f) => {
        const o = self >= 0 ? f[self] : object(f);
        const n = nameSlot >= 0 ? ((f[0] as unknown as Env)[nameSlot] as unknown as PrivateName) : name(f);
        const v = local >= 0 ? f[local] : value(f);
        if (typeof o === "object" && o !== null && o.shape === cache.shape && n === cache.name) store(o, cache.slot, v);
        else write(o, n, v);
        return v;
      };
    }
    const read = privateRead(site, c);
    return compound(operator, value, (f) => {
      const o = object(f);
      const n = name(f);
      return { get: () => read(o, n), set: (v) => write(o, n, v) };
    });
  }
  const name = staticName(target);
  if (name !== undefined) {
    const cache = c.unit.setCache(name);
    if (operator === "=") {
      const value = expression(node.right, c);
      return (f) => {
        const o = self >= 0 ? f[self] : object(f);
        const v = local >= 0 ? f[local] : value(f);
        if (typeof o === "object" && o !== null && o.shape === cache.shape) {
          store(o, cache.slot, v);
          return v;
        }
        R.site = site;
        cache.set(o, v);
        return v;
      };
    }
    const op = operator.slice(0, -1);
    const forms = ASSIGN_MEMBER[op];
    if (forms !== undefined && name !== "length") {
      const at = { site, object: target.object as Expression, c };
      const right = term(node.right, op, c);
      const form = forms[`${self >= 0 ? "L" : "X"}${right.shape}`];
      const o = self >= 0 ? self : object;
      if (form !== undefined) return form(o as never, c.unit.getCache(name), cache, right.value as never, at);
      return forms[self >= 0 ? "LX" : "XX"](o as never, c.unit.getCache(name), cache, expression(node.right, c) as never, at);
    }
    const value = expression(node.right, c);
    const st = c.newSlot();
    const read = getNamed((f) => f[st], name, target, c);
    if (operator === "&&=" || operator === "||=" || operator === "??=") {
      return (f) => {
        const o = object(f);
        f[st] = o;
        const old = read(f);
        if (!goesOn(operator, old)) return old;
        const v = value(f);
        R.site = site;
        cache.set(o, v);
        return v;
      };
    }
    const apply = APPLY[op];
    return (f) => {
      const o = object(f);
      f[st] = o;
      const old = read(f);
      const v = apply(old, value(f));
      if (typeof o === "object" && o !== null && o.shape === cache.shape) {
        store(o, cache.slot, v);
        return v;
      }
      R.site = site;
      cache.set(o, v);
      return v;
    };
  }
  const key = expression(target.property as Expression, c);
  const value = expression(node.right, c);
  if (operator === "=") {
    return (f) => {
      const o = object(f);
      const k = key(f);
      const v = value(f);
      // Elements of an array as made: nothing of the program's can be in the way.
      if (typeof k === "number" && typeof o === "object" && o !== null && o.kind === Kind.ARRAY && o.shape === ARRAY_ROOT) {
        const d = o.d as Value[];
        if (k >>> 0 === k) {
          if (k < d.length) {
            if (d[k] !== HOLE) {
              d[k] = v;
              return v;
            }
          } else if (k === d.length && R.intact && k < R.arrayLength) {
            R.mem -= 8;
            d.push(v);
            return v;
          }
        }
      }
      setElement(o, k, v, site);
      return v;
    };
  }
  return compound(operator, value, (f) => {
    const o = object(f);
    let k: Value = key(f);
    return {
      get: () => {
        if (typeof k !== "number") {
          if (o === undefined || o === null) getElement(o, k, site);
          R.site = site;
          k = toKey(k);
        }
        return getElement(o, k, site);
      },
      set: (v) => setElement(o, k, v, site),
    };
  });
}

interface Reference {
  get(): Value;
  set(v: Value): void;
}

function compound(operator: string, value: Ev, reference: (f: Value[]) => Reference): Ev {
  if (operator === "&&=" || operator === "||=" || operator === "??=") {
    return (f) => {
      const r = reference(f);
      const old = r.get();
      if (!goesOn(operator, old)) return old;
      const v = value(f);
      r.set(v);
      return v;
    };
  }
  const apply = APPLY[operator.slice(0, -1)];
  return (f) => {
    const r = reference(f);
    const v = apply(r.get(), value(f));
    r.set(v);
    return v;
  };
}

function superReference(target: estree.MemberExpression, site: number, c: Context): (f: Value[]) => Reference & { convert(): void } {
  const self = readBinding(c.resolve(NAME_THIS)!, target, c);
  const base = superBase(target, c);
  const name = staticName(target);
  const key = name === undefined ? expression(target.property as Expression, c) : null;
  return (f) => {
    const t = self(f);
    const raw = key === null ? name! : key(f);
    const b = base(f);
    let k: Key | undefined = typeof raw === "string" ? raw : undefined;
    const convert = (): Key => {
      R.site = site;
      return (k ??= toKey(raw));
    };
    return {
      convert,
      get: () => getSuper(b, convert(), t, site),
      set: (v) => setSuper(b, convert(), v, t, site),
    };
  };
}

function assignSuper(node: estree.AssignmentExpression, target: estree.MemberExpression, site: number, c: Context): Ev {
  const reference = superReference(target, site, c);
  const value = expression(node.right, c);
  if (node.operator !== "=") return compound(node.operator, value, reference);
  return (f) => {
    const r = reference(f);
    const v = value(f);
    r.set(v);
    return v;
  };
}

// Update ---------------------------------------------------------------------------------------------------------------------------

export function update(node: estree.UpdateExpression, c: Context): Ev {
  const target = unparenthesized(node.argument);
  const up = node.operator === "++";
  const step = up ? increment : decrement;
  const by = up ? 1 : -1;
  if (target.type === "Identifier") {
    const slot = plainLocal(target.name, target.start, c);
    if (slot >= 0 && !isConstant(target.name, c)) return updateLocal(slot, up, node.prefix);
    const read = readVariable(target.name, target, c);
    const assign = assignVariable(target.name, target, c);
    const prefix = node.prefix;
    return (f) => {
      const v = read(f);
      const old = typeof v === "number" ? v : toNumeric(v);
      const next = step(old);
      assign(f, next);
      return prefix ? next : old;
    };
  }
  if (target.type !== "MemberExpression") throw new Error("an update of what is no reference");
  const prefix = node.prefix;
  const site = c.site(target.property);
  if (target.object.type === "Super") return updateReference(superReference(target, site, c), step, prefix);
  const object = expression(target.object, c);
  if (target.property.type === "PrivateIdentifier") {
    const name = privateName(target.property, c);
    const read = privateRead(site, c);
    const write = privateWrite(site, c);
    return (f) => {
      const o = object(f);
      const n = name(f);
      const v = read(o, n);
      const old = typeof v === "number" ? v : toNumeric(v);
      const next = typeof old === "number" ? old + by : step(old);
      write(o, n, next);
      return prefix ? next : old;
    };
  }
  const name = staticName(target);
  if (name !== undefined) {
    const cache = c.unit.setCache(name);
    const get = c.unit.getCache(name);
    return (f) => {
      const o = object(f);
      if (o === undefined || o === null) throwNullish(o, name, site, f, target.object as Expression, c);
      const v = typeof o !== "object" ? get.getValue(o) : o.shape === get.shape ? (load(o, get.slot) as Value) : get.find(o.shape, o, o);
      const old = typeof v === "number" ? v : toNumeric(v);
      const next = typeof old === "number" ? old + by : step(old);
      if (typeof o === "object" && o !== null && o.shape === cache.shape) store(o, cache.slot, next);
      else {
        R.site = site;
        cache.set(o, next);
      }
      return prefix ? next : old;
    };
  }
  const key = expression(target.property as Expression, c);
  return (f) => {
    const o = object(f);
    let k = key(f);
    if (typeof k !== "number") {
      if (o === undefined || o === null) getElement(o, k, site);
      R.site = site;
      k = toKey(k);
    }
    const v = getElement(o, k, site);
    const old = typeof v === "number" ? v : toNumeric(v);
    const next = typeof old === "number" ? old + by : step(old);
    setElement(o, k, next, site);
    return prefix ? next : old;
  };
}

function updateReference(reference: (f: Value[]) => Reference, step: (n: number | bigint) => number | bigint, prefix: boolean): Ev {
  return (f) => {
    const r = reference(f);
    const old = toNumeric(r.get());
    const next = step(old);
    r.set(next);
    return prefix ? next : old;
  };
}

function updateLocal(slot: number, up: boolean, prefix: boolean): Ev {
  if (up) {
    if (prefix) {
      return (f) => {
        const v = f[slot];
        return (f[slot] = typeof v === "number" ? v + 1 : increment(toNumeric(v)));
      };
    }
    return (f) => {
      const v = f[slot];
      if (typeof v === "number") {
        f[slot] = v + 1;
        return v;
      }
      const old = toNumeric(v);
      f[slot] = increment(old);
      return old;
    };
  }
  if (prefix) {
    return (f) => {
      const v = f[slot];
      return (f[slot] = typeof v === "number" ? v - 1 : decrement(toNumeric(v)));
    };
  }
  return (f) => {
    const v = f[slot];
    if (typeof v === "number") {
      f[slot] = v - 1;
      return v;
    }
    const old = toNumeric(v);
    f[slot] = decrement(old);
    return old;
  };
}
