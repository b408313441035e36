// sval, an interpreter of syntax trees in JavaScript. It has no limits.

import { createRequire } from "node:module";
import { withDeadline } from "../deadline.mjs";

export const version = createRequire(import.meta.url)("./node_modules/sval/package.json").version;

let Sval;

export async function create() {
  Sval = (await import("sval")).default;
}

export async function run(source, tools, limits) {
  const interpreter = new Sval({ ecmaVer: "latest", sourceType: "script", sandBox: true });
  interpreter.import({ tools });
  interpreter.run(`exports.result = (async () => {${source}\n})()`);
  return withDeadline(interpreter.exports.result, limits.timeMs);
}
