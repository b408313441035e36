// `new` and `super(…)`.

import { construct } from "../call.js";
import { throwReferenceError, throwTypeError } from "../errors.js";
import { isConstructor } from "../object.js";
import { R } from "../run-state.js";
import { protoOf } from "../shape.js";
import { type Frame, type FunctionObject, type GuestObject, Kind, TDZ, type Value } from "../values.js";
import { calleeText } from "./calls.js";
import type { Context } from "./context.js";
import { elementsOf, expression } from "./expressions.js";
import { type estree } from "./nodes.js";
import { NAME_CALLEE, NAME_NEW_TARGET, NAME_THIS, type Resolved } from "./scope.js";
import { type Ev } from "./unit.js";
import { envAt, localOfBinding, readBinding } from "./variables.js";

export function newExpression(node: estree.NewExpression, c: Context): Ev {
  const callee = expression(node.callee, c);
  const { evs, spread, list } = elementsOf(node.arguments, c);
  const site = c.site(node);
  const text = calleeText(node, c);
  const other = (fn: Value, args: Value[]): Value => {
    if (!isConstructor(fn)) throwTypeError(`${text} is not a constructor`);
    return construct(fn, args);
  };
  if (spread === null && evs.length <= 3) {
    const [a0, a1, a2] = evs;
    switch (evs.length) {
      case 0:
        return (f) => {
          const fn = callee(f);
          R.site = site;
          if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION) {
            const k = (fn as FunctionObject).d.code.k0;
            if (k !== null) return k(fn as FunctionObject, fn);
          }
          return other(fn, []);
        };
      case 1:
        return (f) => {
          const fn = callee(f);
          const a = a0(f);
          R.site = site;
          if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION) {
            const k = (fn as FunctionObject).d.code.k1;
            if (k !== null) return k(fn as FunctionObject, fn, a);
          }
          return other(fn, [a]);
        };
      case 2:
        return (f) => {
          const fn = callee(f);
          const a = a0(f);
          const b = a1(f);
          R.site = site;
          if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION) {
            const k = (fn as FunctionObject).d.code.k2;
            if (k !== null) return k(fn as FunctionObject, fn, a, b);
          }
          return other(fn, [a, b]);
        };
      default:
        return (f) => {
          const fn = callee(f);
          const a = a0(f);
          const b = a1(f);
          const d = a2(f);
          R.site = site;
          if (typeof fn === "object" && fn !== null && fn.kind === Kind.FUNCTION) {
            const k = (fn as FunctionObject).d.code.k3;
            if (k !== null) return k(fn as FunctionObject, fn, a, b, d);
          }
          return other(fn, [a, b, d]);
        };
    }
  }
  return (f) => {
    const fn = callee(f);
    const args = list(f);
    R.site = site;
    return other(fn, args);
  };
}

export function superCall(node: estree.CallExpression, c: Context): Ev {
  const callee = readBinding(c.resolve(NAME_CALLEE)!, node, c);
  const calleeSlot = localOfBinding(c.resolve(NAME_CALLEE)!, node, c);
  const target = readBinding(c.resolve(NAME_NEW_TARGET)!, node, c);
  const targetSlot = localOfBinding(c.resolve(NAME_NEW_TARGET)!, node, c);
  const { evs, spread, list } = elementsOf(node.arguments, c);
  const finish = bindInstance(c.resolve(NAME_THIS)!);
  const site = c.site(node);
  const other = (parent: GuestObject | null, args: Value[], nt: GuestObject): Value => {
    if (parent === null || !isConstructor(parent)) throwTypeError("Super constructor is not a constructor");
    return construct(parent, args, nt);
  };
  // A class constructor is no proxy: its shape says its prototype.
  if (spread === null && evs.length <= 2) {
    const [a0, a1] = evs;
    switch (evs.length) {
      case 0:
        return (f) => {
          const self = (calleeSlot >= 0 ? f[calleeSlot] : callee(f)) as FunctionObject;
          const parent = protoOf(self.shape);
          R.site = site;
          const nt = (targetSlot >= 0 ? f[targetSlot] : target(f)) as GuestObject;
          const k = parent !== null && parent.kind === Kind.FUNCTION ? (parent as FunctionObject).d.code.k0 : null;
          return finish(f, self, k === null ? other(parent, [], nt) : k(parent as FunctionObject, nt));
        };
      case 1:
        return (f) => {
          const self = (calleeSlot >= 0 ? f[calleeSlot] : callee(f)) as FunctionObject;
          const parent = protoOf(self.shape);
          const a = a0(f);
          R.site = site;
          const nt = (targetSlot >= 0 ? f[targetSlot] : target(f)) as GuestObject;
          const k = parent !== null && parent.kind === Kind.FUNCTION ? (parent as FunctionObject).d.code.k1 : null;
          return finish(f, self, k === null ? other(parent, [a], nt) : k(parent as FunctionObject, nt, a));
        };
      default:
        return (f) => {
          const self = (calleeSlot >= 0 ? f[calleeSlot] : callee(f)) as FunctionObject;
          const parent = protoOf(self.shape);
          const a = a0(f);
          const b = a1(f);
          R.site = site;
          const nt = (targetSlot >= 0 ? f[targetSlot] : target(f)) as GuestObject;
          const k = parent !== null && parent.kind === Kind.FUNCTION ? (parent as FunctionObject).d.code.k2 : null;
          return finish(f, self, k === null ? other(parent, [a, b], nt) : k(parent as FunctionObject, nt, a, b));
        };
    }
  }
  return (f) => {
    const self = (calleeSlot >= 0 ? f[calleeSlot] : callee(f)) as FunctionObject;
    const parent = protoOf(self.shape);
    const args = list(f);
    R.site = site;
    const nt = (targetSlot >= 0 ? f[targetSlot] : target(f)) as GuestObject;
    const k = parent !== null && parent.kind === Kind.FUNCTION ? (parent as FunctionObject).d.code.kN : null;
    return finish(f, self, k === null ? other(parent, args, nt) : k(parent as FunctionObject, nt, args));
  };
}

/** BindThisValue and InitializeInstanceElements. */
function bindInstance(r: Resolved): (f: Frame, self: FunctionObject, o: Value) => Value {
  const { binding, hops } = r;
  const i = binding.slot;
  if (!binding.captured) {
    return (f, self, o) => {
      if (f[i] !== TDZ) throwReferenceError("Super constructor may only be called once");
      f[i] = o;
      if (self.d.init !== null) self.d.init(o as GuestObject);
      return o;
    };
  }
  return (f, self, o) => {
    const e = envAt(f, hops);
    if (e[i] !== TDZ) throwReferenceError("Super constructor may only be called once");
    e[i] = o;
    if (self.d.init !== null) self.d.init(o as GuestObject);
    return o;
  };
}
