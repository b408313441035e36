// Validates and decodes what goes into a tool and what comes out of it.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Json } from "@airlock/interpreter";
import { schemaFacts, type Direction } from "../schema/facts.js";
import { SchemaRefused } from "../schema/intake.js";
import { cutText, escapeText } from "../text.js";
import type { Registration, SchemaError, StandardSchema, Tool, Validation } from "../types.js";
import { compileChecker, type Checker } from "./compile.js";
import { explain, fieldOf, sentences, type Recheck } from "./explain.js";

const MAX_MESSAGE = 1_500;

/** A compiled schema, or why there is none. */
type Compiled = { checker: Checker } | { refused: string };

const compiled = new WeakMap<Tool, { input?: Compiled; output?: Compiled }>();

/** Never rejects. A tool without a schema that can be taken takes and gives anything. */
export async function validate(registration: Registration, direction: Direction, value: Json): Promise<Validation> {
  const { tool } = registration;
  const facts = schemaFacts(tool, direction);
  if (facts.standard !== undefined)
    return explained(tool, direction, await validateStandard(subjectOf(tool, direction), direction, facts.standard, value));
  if (facts.document === undefined) return { ok: true, value };
  const { document } = facts;
  const schema = compiledSchema(tool, direction);
  if (schema === undefined || "refused" in schema) return { ok: true, value };
  const result = schema.checker.check(value);
  if (result.ok) return { ok: true, value };
  const subject = subjectOf(tool, direction);
  if ("tooLong" in result) {
    const message = `${subject} can't be checked: its schema needs too many steps for this value`;
    return { ok: false, errors: [{ instancePath: "", keyword: "", message }], message };
  }
  const recheck: Recheck = (part, inner) => {
    const again = compileChecker(document, part).check(inner);
    return again.ok || "tooLong" in again ? [] : again.errors;
  };
  return explained(tool, direction, {
    ok: false,
    ...explain(subject, direction === "input" ? "input " : "", document, result.errors, recheck),
  });
}

/** What messages are about. */
function subjectOf(tool: Tool, direction: Direction): string {
  const plainName = escapeText(`${tool.server}.${tool.name}`);
  return direction === "input" ? plainName : `The result of ${plainName}`;
}

/** Compiles on first use; undefined where there is nothing to compile. */
export function compiledSchema(tool: Tool, direction: Direction): Compiled | undefined {
  const { document, standard } = schemaFacts(tool, direction);
  if (document === undefined || standard !== undefined) return undefined;
  let entry = compiled.get(tool);
  if (entry === undefined) compiled.set(tool, (entry = {}));
  return (entry[direction] ??= compile(document));
}

function compile(document: Parameters<typeof compileChecker>[0]): Compiled {
  try {
    return { checker: compileChecker(document) };
  } catch (error) {
    if (error instanceof SchemaRefused) return { refused: error.message };
    throw error;
  }
}

/** The tool's own words for a wrong input, if it has any. */
function explained(tool: Tool, direction: Direction, validation: Validation): Validation {
  if (validation.ok || direction === "output" || tool.explainInvalid === undefined) return validation;
  try {
    const message: unknown = tool.explainInvalid(validation.errors);
    return typeof message === "string" && message !== "" ? { ...validation, message: cutText(message, MAX_MESSAGE) } : validation;
  } catch {
    return validation;
  }
}

async function validateStandard(subject: string, direction: Direction, schema: StandardSchema, value: Json): Promise<Validation> {
  try {
    const result = await schema["~standard"].validate(value);
    // The decoded value is what the tool's author asked for: a Date, for example. It goes to the tool, not to the program.
    if (result.issues === undefined) return { ok: true, value: result.value as Json };
    const errors = result.issues.slice(0, 20).map(issueError);
    const whole = direction === "input" ? "input" : "as a whole";
    const texts = errors.map(({ instancePath, message }) => `${instancePath === "" ? whole : fieldOf(instancePath)}: ${message}`);
    return { ok: false, errors, message: sentences(subject, texts) };
  } catch (error) {
    const message = cutText(
      `${subject} can't be checked: its schema failed (${error instanceof Error ? escapeText(error.message) : "unknown error"})`,
      MAX_MESSAGE,
    );
    return { ok: false, errors: [{ instancePath: "", keyword: "", message }], message };
  }
}

function issueError(issue: StandardSchemaV1.Issue): SchemaError {
  const keys = (issue.path ?? []).map((part) => String(typeof part === "object" ? part.key : part));
  const instancePath = keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { instancePath, keyword: "", message: escapeText(cutText(issue.message, 300)) };
}
