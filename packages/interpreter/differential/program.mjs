// Programs: a few scenarios, each in a block of its own with fresh variables, and the log of what they did as the result.

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { async, generator } from "./concurrency.mjs";
import { many, t, words } from "./grammar.mjs";
import { any, bigintExpression, functionExpression, statement, statements } from "./language.mjs";
import { library } from "./library.mjs";
import { array, number, string } from "./values.mjs";

const PRELUDE = readFileSync(new URL("prelude.js", import.meta.url), "utf8");

export const ZONES = [
  "UTC",
  "America/New_York",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "America/Sao_Paulo",
  "Asia/Tokyo",
  "America/St_Johns",
  "Pacific/Chatham",
];
/** The frozen time: in a year with leap day, away from midnight in all zones. */
export const NOW = Date.UTC(2024, 4, 17, 9, 41, 3, 250);

const FAMILIES = {
  language: many(statement(4, "a", 0, false), "\n", 1, 5),
  shallow: statements(2, "", 0, false),
  generator,
  async,
  bigint: t`L(() => ${bigintExpression(3)});`,
  expression: t`L(() => ${any(4, "")});`,
  ...library,
};
const WEIGHTS = { language: 6, shallow: 2, generator: 3, async: 4, arrays: 3, texts: 3, regexes: 2, dates: 2 };

export const families = Object.keys(FAMILIES);

/** Programs of the named families, as `{ zone, scenarios }`. */
export function programs(names = families) {
  const scenario = fc.oneof(
    { withCrossShrink: false },
    ...names.map((name) => ({ weight: WEIGHTS[name] ?? 1, arbitrary: FAMILIES[name] })),
  );
  const block = t`let n = ${number}, m = ${number}, s = ${string}, a = ${array}, q, o = ${words`{a:1,b:"x",x:{y:2}} {k1:1,2:2,1:1,a:-0} {}`}, f = ${functionExpression(1)};
${scenario}
log(n, m, s, a, o);`;
  return fc.record({ zone: fc.constantFrom(...ZONES), scenarios: fc.array(block, { minLength: 1, maxLength: 4 }) });
}

/** The text that both engines run. */
export function textOf({ scenarios }) {
  return `${PRELUDE}
${scenarios.map((text) => `try {\n${text}\n} catch (e) {\n  LOG.push("uncaught " + show(e));\n}\nawait ticks(12);\nfuel = 300;\nnested = 0;`).join("\n")}
await ticks(30);
return LOG.join("\\n");`;
}
