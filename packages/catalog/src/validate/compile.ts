// Validation by ajv: one instance for each schema, so that no schema changes another's, and all of it goes when the tool goes.

import { createRequire } from "node:module";
import type { ErrorObject, ValidateFunction } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import type { Json } from "@airlock/interpreter";
import { SchemaRefused } from "../schema/intake.js";
import type { CleanDocument, CleanNode, CleanSchema } from "../schema/clean.js";
import { formats } from "./formats.js";
import { patternFor, type Pattern } from "./pattern.js";

/** Comparisons for one value. Schemas that refer to the same part again and again can need exponentially many. */
const FUEL = 5_000_000;
/** Time in patterns for one value, in ms. Each text is limited in steps; this limits many texts. */
const PATTERN_MS = 1_000;
/** Values up to this many parts get all their errors listed, larger ones the first. */
const MAX_PARTS_FOR_ALL = 5_000;
const FUEL_FOR_ALL = 100_000;

export type Check = { ok: true } | { ok: false; errors: ErrorObject[] } | { ok: false; tooLong: true };

/** Checks values against one schema of a document. */
export interface Checker {
  check(value: Json): Check;
  /** Patterns of the schema that our engine can't read: they are not checked. */
  readonly unreadable: readonly string[];
}

/**
 * Compiles a schema.
 *
 * @throws {SchemaRefused} if ajv can't take it
 */
export function compileChecker(document: CleanDocument, schema: CleanSchema = document.root): Checker {
  const quick = new Compiled(document, schema, {});
  // Made when a value fails: most never do.
  let first: Compiled | undefined;
  let all: Compiled | undefined;
  return {
    unreadable: quick.unreadable,
    check(value) {
      const result = quick.run(value, FUEL);
      if (result.ok || "tooLong" in result) return result;
      if (isSmall(value)) {
        all ??= new Compiled(document, schema, { allErrors: true, verbose: true });
        const full = all.run(value, FUEL_FOR_ALL);
        if (!full.ok && "errors" in full) return full;
      }
      first ??= new Compiled(document, schema, { verbose: true });
      return first.run(value, FUEL);
    },
  };
}

const require = createRequire(import.meta.url);
let ajv2020: typeof Ajv2020 | undefined;

/** Loads ajv, which is 70 files, before a call has to wait for it. */
export function loadValidation(): void {
  ajvClass();
  formats();
}

/** Loaded with the first schema that is used. */
function ajvClass(): typeof Ajv2020 {
  return (ajv2020 ??= (require("ajv/dist/2020.js") as { Ajv2020: typeof Ajv2020 }).Ajv2020);
}

/** Thrown out of ajv's code; never leaves this file. */
class OutOfFuel extends Error {}

class Compiled {
  readonly unreadable: string[] = [];
  readonly #validate: ValidateFunction;
  #fuel = 0;
  #patternMs = 0;

  constructor(document: CleanDocument, schema: CleanSchema, options: { allErrors?: boolean; verbose?: boolean }) {
    const ajv = new (ajvClass())({
      strict: false,
      logger: false,
      meta: false,
      validateSchema: false,
      addUsedSchema: false,
      inlineRefs: false,
      ownProperties: true,
      ...options,
      messages: true,
      multipleOfPrecision: 10,
      formats: formats(),
      // Optimised code is hardly faster and takes three times as long to make.
      code: { optimize: false, regExp: Object.assign((source: string) => this.#pattern(source), { code: "ownPattern" }) },
    });
    ajv.addKeyword({ keyword: "meter", errors: false, validate: (cost: number) => this.#spend(cost) });
    ajv.addKeyword({
      keyword: "distinctItems",
      type: "array",
      errors: false,
      validate: (_: unknown, items: Json[]) => this.#areDistinct(items),
    });
    const root: CleanNode = typeof schema === "boolean" ? { allOf: [schema] } : schema;
    try {
      this.#validate = ajv.compile({ ...root, $defs: document.defs });
    } catch (error) {
      throw new SchemaRefused(`it can't be compiled (${error instanceof Error ? error.message.slice(0, 200) : "unknown error"})`);
    }
  }

  run(value: Json, fuel: number): Check {
    this.#fuel = fuel;
    this.#patternMs = 0;
    try {
      if (this.#validate(value)) return { ok: true };
      return { ok: false, errors: this.#validate.errors ?? [] };
    } catch {
      return { ok: false, tooLong: true }; // out of fuel, out of regex steps, or out of stack
    } finally {
      this.#validate.errors = null;
    }
  }

  #spend(cost: number): true {
    this.#fuel -= cost;
    if (this.#fuel < 0) throw new OutOfFuel();
    return true;
  }

  /** ajv's own `uniqueItems` compares each item with each other. */
  #areDistinct(items: readonly Json[]): boolean {
    const seen = new Set<string>();
    for (const item of items) {
      const text = canonical(item);
      this.#spend(1 + text.length / 16);
      seen.add(text);
    }
    return seen.size === items.length;
  }

  #pattern(source: string): Pattern {
    const pattern = patternFor(source);
    if (pattern === undefined) {
      this.unreadable.push(source);
      return { test: () => true, toString: () => `/${source}/unreadable` };
    }
    return {
      toString: () => pattern.toString(),
      test: (text) => {
        this.#spend(1 + text.length / 16);
        const before = performance.now();
        const found = pattern.test(text);
        this.#patternMs += performance.now() - before;
        if (this.#patternMs > PATTERN_MS) throw new OutOfFuel();
        return found;
      },
    };
  }
}

/** JSON text with sorted keys: the same for equal values. */
function canonical(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  return `{${Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(",")}}`;
}

function isSmall(value: Json): boolean {
  let parts = 0;
  const visit = (part: Json): void => {
    if (++parts > MAX_PARTS_FOR_ALL || typeof part !== "object" || part === null) return;
    for (const inner of Object.values(part)) visit(inner);
  };
  visit(value);
  return parts <= MAX_PARTS_FOR_ALL;
}
