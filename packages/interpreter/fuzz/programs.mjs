// The programs of a fuzz run: by a seed and a number.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Grammar, LIST_MEMBERS } from "./generate.mjs";
import { mutate } from "./mutate.mjs";
import { randomFor } from "./random.mjs";

/** Programs of the repository that are mutated. */
export async function corpusOf() {
  const all = [];
  for (const file of ["hostile.mjs", "contained.mjs"]) {
    for (const group of Object.values(await import(new URL(file, import.meta.url)))) {
      for (const [, program] of Array.isArray(group) ? group.map(([kind, text]) => [kind, text]) : Object.entries(group))
        all.push(String(program));
    }
  }
  // What the tests run: texts in quotes that are programs.
  const tests = fileURLToPath(new URL("../test/", import.meta.url));
  for (const file of readdirSync(tests)) {
    if (!file.endsWith(".test.ts")) continue;
    for (const found of readFileSync(tests + file, "utf8").matchAll(/"((?:\\.|[^"\\\n]){30,1500})"/g)) {
      if (/[;(){}]/.test(found[1])) all.push(found[1].replaceAll('\\"', '"').replaceAll("\\n", "\n"));
    }
  }
  return all;
}

export class Programs {
  static async create(seed, run) {
    const programs = new Programs();
    programs.seed = seed;
    const members = await run(LIST_MEMBERS);
    if (members.status === "failed") throw new Error(members.error.message);
    programs.members = members.value;
    programs.corpus = await corpusOf();
    return programs;
  }

  /** The program `index` of this seed. */
  at(index) {
    const r = randomFor(this.seed, index);
    const grammar = new Grammar(r, this.members);
    if (r.chance(0.55)) {
      const program = grammar.program();
      return r.chance(0.15) ? mutate(r, program, this.corpus, grammar) : program;
    }
    return mutate(r, r.pick(this.corpus), this.corpus, grammar);
  }
}
