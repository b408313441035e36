// TypeScript's parameter properties.

import type { Pattern, estree } from "./nodes.js";

/** `constructor(public x)` is `constructor(x) { this.x = x }`; in a derived class the assignment comes after `super(…)`. */
export function assignParameterProperties(fn: estree.FunctionExpression): void {
  const added: estree.Statement[] = [];
  const params = fn.params as Pattern[];
  params.forEach((p, i) => {
    if (p.type !== "TSParameterProperty") return;
    params[i] = p.parameter;
    const id = p.parameter.type === "Identifier" ? p.parameter : p.parameter.left;
    const at = { start: id.start, end: id.end };
    added.push({
      type: "ExpressionStatement",
      ...at,
      expression: {
        type: "AssignmentExpression",
        operator: "=",
        ...at,
        left: {
          type: "MemberExpression",
          ...at,
          object: { type: "ThisExpression", ...at },
          property: id,
          computed: false,
          optional: false,
        },
        right: id,
      },
    });
  });
  if (added.length === 0) return;
  const body = fn.body.body;
  const call = body.findIndex(
    (s) => s.type === "ExpressionStatement" && s.expression.type === "CallExpression" && s.expression.callee.type === "Super",
  );
  body.splice(call + 1, 0, ...added);
}
