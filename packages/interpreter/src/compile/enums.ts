// TypeScript's enums: an object with the members, and for numbers the way back.

import { describe } from "../convert.js";
import { throwTypeError } from "../errors.js";
import { createData, newObject } from "../object.js";
import { type Frame, GuestObject, type Value } from "../values.js";
import type { Context } from "./context.js";
import { expression } from "./expressions.js";
import { openScope } from "./functions.js";
import type { TSEnumDeclaration } from "./nodes.js";
import { inScope } from "./statements.js";
import type { Ev } from "./unit.js";
import { initialise, readVariable } from "./variables.js";

export function enumeration(node: TSEnumDeclaration, c: Context): Ev {
  const scope = c.unit.analysis.scopeOf(node)!;
  const inner = c.within(scope);
  const existing = readVariable(node.id.name, { start: node.end, end: node.end }, c);
  const put = initialise(node.id.name, c);
  const members = node.members.map((m) => {
    const name = m.id.type === "Identifier" ? m.id.name : String(m.id.value);
    return { name, value: m.initializer ? expression(m.initializer, inner) : null, bind: initialise(name, inner) };
  });
  const open: ((f: Frame) => void)[] = [];
  openScope(scope, open);
  const object = c.newSlot();
  const fill: Ev = (f) => {
    const o = f[object] as GuestObject;
    let next: Value = 0;
    for (const m of members) {
      let v: Value = next;
      if (m.value !== null) v = m.value(f);
      else if (typeof v !== "number") throwTypeError(`Enum member '${m.name}' needs a value: the one before it is ${describe(v)}`);
      m.bind(f, v);
      createData(o, m.name, v);
      if (typeof v === "number") {
        createData(o, String(v), m.name);
        next = v + 1;
      } else next = undefined;
    }
    return undefined;
  };
  const scoped = inScope(scope, open, fill);
  return (f) => {
    const before = existing(f);
    const o = before instanceof GuestObject ? before : newObject();
    f[object] = o;
    put(f, o);
    return scoped(f);
  };
}
