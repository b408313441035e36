// `new` and `super(…)`.

import { construct } from "../call.js";
import { throwReferenceError, throwTypeError } from "../errors.js";
import { getPrototypeOf, isConstructor } from "../object.js";
import { R } from "../run-state.js";
import { type Frame, type FunctionObject, GuestObject, Kind, TDZ, type Value } from "../values.js";
import { calleeText } from "./calls.js";
import type { Context } from "./context.js";
import { elementsOf, expression } from "./expressions.js";
import { type estree } from "./nodes.js";
import { NAME_CALLEE, NAME_NEW_TARGET, NAME_THIS, type Resolved } from "./scope.js";
import { type Ev } from "./unit.js";
import { envAt, readBinding } from "./variables.js";

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
  const target = readBinding(c.resolve(NAME_NEW_TARGET)!, node, c);
  const { list } = elementsOf(node.arguments, c);
  const bind = bindThis(c.resolve(NAME_THIS)!);
  const site = c.site(node);
  return (f) => {
    const self = callee(f) as FunctionObject;
    const parent = getPrototypeOf(self);
    const args = list(f);
    R.site = site;
    if (!isConstructor(parent)) throwTypeError("Super constructor is not a constructor");
    const nt = target(f) as GuestObject;
    let instance: GuestObject;
    if (parent.kind === Kind.FUNCTION) {
      const p = parent as FunctionObject;
      const code = p.d.code;
      switch (args.length) {
        case 0:
          instance = code.k0!(p, nt) as GuestObject;
          break;
        case 1:
          instance = code.k1!(p, nt, args[0]) as GuestObject;
          break;
        case 2:
          instance = code.k2!(p, nt, args[0], args[1]) as GuestObject;
          break;
        default:
          instance = code.kN!(p, nt, args) as GuestObject;
      }
    } else instance = construct(parent, args, nt);
    bind(f, instance);
    if (self.d.init !== null) self.d.init(instance);
    return instance;
  };
}

function bindThis(r: Resolved): (f: Frame, v: Value) => void {
  const { binding, hops } = r;
  const i = binding.slot;
  if (!binding.captured) {
    return (f, v) => {
      if (f[i] !== TDZ) throwReferenceError("Super constructor may only be called once");
      f[i] = v;
    };
  }
  return (f, v) => {
    const e = envAt(f, hops);
    if (e[i] !== TDZ) throwReferenceError("Super constructor may only be called once");
    e[i] = v;
  };
}
