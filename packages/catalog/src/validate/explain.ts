// What is wrong with a value, said so that a model can mend it at once: the field, what was wanted, what was got, what was likely meant.

import type { ErrorObject } from "ajv";
import type { Json } from "@airlock/interpreter";
import { nearestNames } from "../nearest.js";
import { cutText, escapeText, quoteText } from "../text.js";
import type { SchemaError } from "../types.js";
import { targetOf, type CleanDocument, type CleanNode, type CleanSchema } from "../schema/clean.js";
import { choices, expected, isOfForm, kind, shown } from "./expected.js";

const MAX_COMPLAINTS = 5;
const MAX_ERRORS = 20;
const MAX_MESSAGE = 1_500;
const MAX_FORMS = 10;
const MAX_NESTED = 4;

/** Validates a value against a part of the document again. */
export type Recheck = (schema: CleanSchema, value: Json) => ErrorObject[];

/** One thing that is wrong, as a predicate: `has no field "x"`, `field "a" should be a string; got null`. */
interface Complaint {
  text: string;
  /** Unknown fields first, then missing ones: together they tell a misspelling. */
  order: number;
}

/**
 * The errors in the catalog's form, and one message.
 *
 * @param subject what the sentence is about, `github.list_issues` or `The result of github.list_issues`
 * @param whole what the checked value is called after the subject: `input `, or nothing if the subject is the value
 * @param errors ajv's, made with `verbose`
 * @example 'github.list_issues field "state" should be one of "open", "closed", "all"; got "merged"'
 */
export function explain(
  subject: string,
  whole: string,
  document: CleanDocument,
  errors: readonly ErrorObject[],
  recheck: Recheck,
): { errors: SchemaError[]; message: string } {
  const explainer = new Explainer(document, recheck, whole);
  const complaints = explainer.complaints(errors, "", 0);
  complaints.sort((a, b) => a.order - b.order);
  const texts = [...new Set(complaints.map(({ text }) => text))];
  return { errors: errors.slice(0, MAX_ERRORS).map(schemaError), message: sentences(subject, texts) };
}

/** Joins predicates about one subject to sentences, in bounded length. */
export function sentences(subject: string, predicates: readonly string[]): string {
  let message = "";
  predicates.slice(0, MAX_COMPLAINTS).forEach((predicate, i) => {
    if (i === 0) message = `${subject} ${predicate}`;
    else message += `${message.endsWith("?") ? "" : "."} ${/^(?:field|input) /.test(predicate) ? "Its" : "It also"} ${predicate}`;
  });
  if (predicates.length > MAX_COMPLAINTS)
    message += `${message.endsWith("?") ? "" : "."} There are ${predicates.length - MAX_COMPLAINTS} more such errors`;
  return cutText(message, MAX_MESSAGE);
}

function schemaError(error: ErrorObject): SchemaError {
  return {
    instancePath: error.instancePath,
    keyword: error.keyword,
    message: cutText(error.message ?? "is wrong", 200),
    params: error.params,
  };
}

class Explainer {
  readonly #document: CleanDocument;
  readonly #recheck: Recheck;

  readonly #whole: string;

  constructor(document: CleanDocument, recheck: Recheck, whole: string) {
    this.#whole = whole;
    this.#document = document;
    this.#recheck = recheck;
  }

  /** `at`: the JSON pointer of the value that was checked. */
  complaints(errors: readonly ErrorObject[], at: string, nested: number): Complaint[] {
    return main(errors).flatMap((error) => {
      const path = at + error.instancePath;
      if ((error.keyword === "anyOf" || error.keyword === "oneOf") && Array.isArray(error.schema)) return this.#forms(error, path, nested);
      return [this.#complaint(error, path)];
    });
  }

  #complaint(error: ErrorObject, path: string): Complaint {
    const params: Record<string, unknown> = error.params;
    const name = (key: string): string => quoteText(cutText(String(params[key]), 80));
    const schema = nodeOf(error.parentSchema);
    const value: Json = jsonOf(error.data);
    const about = path === "" ? "" : `${fieldOf(path)} `;
    const should = (wanted: string, got = shown(value)): Complaint => ({
      text: `${about === "" ? this.#whole : about}should ${wanted}; got ${got}`,
      order: 2,
    });
    switch (error.keyword) {
      case "type":
        return should(
          `be ${expected(this.#document, schema)}${value === null && this.#isOptional(path) ? " or be left out" : ""}`,
          typeof value === "number" ? shown(value) : kind(value),
        );
      case "enum":
        return should(`be ${choices(schema.enum ?? [])}${meant(value, schema.enum)}`, isShort(value) ? shown(value) : kind(value));
      case "required":
        return { text: `${about}needs field ${name("missingProperty")}${this.#wants(schema, params["missingProperty"])}`, order: 1 };
      case "dependentRequired":
        return { text: `${about}needs field ${name("missingProperty")} because it has ${name("property")}`, order: 1 };
      case "additionalProperties":
      case "unevaluatedProperties":
        return {
          text: `${about}has no field ${name(error.keyword === "additionalProperties" ? "additionalProperty" : "unevaluatedProperty")}${this.#others(schema, params, value)}`,
          order: 0,
        };
      case "minimum":
      case "maximum":
      case "exclusiveMinimum":
      case "exclusiveMaximum":
        return should(`be ${COMPARISONS[String(params["comparison"])] ?? ""} ${String(params["limit"])}`);
      case "multipleOf":
        return should(`be a multiple of ${String(params["multipleOf"])}`);
      case "minLength":
      case "maxLength":
        return should(`have at ${error.keyword === "minLength" ? "least" : "most"} ${String(params["limit"])} characters`);
      case "minItems":
      case "maxItems":
        return should(
          `have at ${error.keyword === "minItems" ? "least" : "most"} ${String(params["limit"])} items`,
          Array.isArray(value) ? String(value.length) : kind(value),
        );
      case "minProperties":
      case "maxProperties":
        return should(
          `have at ${error.keyword === "minProperties" ? "least" : "most"} ${String(params["limit"])} fields`,
          String(Object.keys(Object(value)).length),
        );
      case "pattern":
        return should(`match the pattern ${quoteText(cutText(String(params["pattern"]), 100))}`);
      case "format":
        return should(`be a valid ${escapeText(String(params["format"]))}${example(String(params["format"]))}`);
      case "distinctItems":
        return should("have no item twice", kind(value));
      case "propertyNames":
        return { text: `${about}may not have a field of the name ${name("propertyName")}`, order: 0 };
      case "oneOf":
        return should("fit just one of the forms of its schema, not several", shown(value));
      case "false schema":
        return { text: `${about === "" ? this.#whole : about}is not allowed`, order: 0 };
      default:
        return {
          text: `${about === "" ? this.#whole : about}${escapeText(cutText(error.message ?? "is wrong", 200))}; got ${shown(value)}`,
          order: 2,
        };
    }
  }

  /** None of several forms fits: says what is wrong with the form that was meant. */
  #forms(error: ErrorObject, path: string, nested: number): Complaint[] {
    const value: Json = jsonOf(error.data);
    const forms = schemasOf(error.schema);
    if (Array.isArray(error.params["passingSchemas"])) return [this.#complaint(error, path)];
    const fitting = forms.filter((form) => isOfForm(this.#document, form, value)).slice(0, MAX_FORMS);
    if (fitting.length > 0 && nested < MAX_NESTED) {
      const wrong = fitting.map((form) => this.#recheck(form, value)).filter((list) => list.length > 0);
      wrong.sort((a, b) => a.length - b.length);
      if (wrong.length > 0) return this.complaints(wrong[0], path, nested + 1);
    }
    const told = this.#tellingField(forms, value);
    if (told !== undefined) {
      const got = Object.hasOwn(Object(value), told.key) ? shown(jsonOf(Reflect.get(Object(value), told.key))) : "nothing";
      return [
        {
          text: `${fieldOf(`${path}/${told.key.replaceAll("~", "~0").replaceAll("/", "~1")}`)} should be ${choices(told.values)}; got ${got}`,
          order: 2,
        },
      ];
    }
    const wanted = expected(this.#document, { anyOf: forms });
    const left = value === null && this.#isOptional(path) ? " or be left out" : "";
    const got = isShort(value) && wanted.includes('"') ? shown(value) : kind(value);
    return [{ text: `${path === "" ? this.#whole : `${fieldOf(path)} `}should be ${wanted}${left}; got ${got}`, order: 2 }];
  }

  /** The field whose fixed value tells the forms apart, with all its values. */
  #tellingField(forms: readonly CleanSchema[], value: Json): { key: string; values: Json[] } | undefined {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const nodes = forms
      .map((form) => (typeof form === "object" && form.$ref !== undefined ? targetOf(this.#document, form.$ref) : form))
      .map(nodeOf)
      .filter((node) => node.properties !== undefined);
    for (const key of Object.keys(nodes[0]?.properties ?? {})) {
      const fields = nodes.map((node) => nodeOf(node.properties?.[key]).enum);
      if (fields.every((values) => values !== undefined)) return { key, values: fields.flatMap((values) => values ?? []) };
    }
    return undefined;
  }

  #wants(schema: CleanNode, field: unknown): string {
    const inner =
      typeof field === "string" && schema.properties !== undefined && Object.hasOwn(schema.properties, field)
        ? schema.properties[field]
        : undefined;
    const wanted = inner === undefined ? "anything" : expected(this.#document, inner);
    return wanted === "anything" ? "" : ` (${wanted})`;
  }

  /** What an unknown field may have been meant as. */
  #others(schema: CleanNode, params: Record<string, unknown>, value: Json): string {
    const names = Object.keys(schema.properties ?? {});
    const field = String(params["additionalProperty"] ?? params["unevaluatedProperty"]);
    const free = names.filter((name) => !Object.hasOwn(Object(value), name));
    const near = nearestNames(field, free, 1);
    if (near.length > 0) return `; did you mean ${quoteText(near[0])}?`;
    if (names.length === 0) return "; it has none";
    const listed = names
      .slice(0, 15)
      .map((name) => quoteText(cutText(name, 60)))
      .join(", ");
    return `; it has ${listed}${names.length > 15 ? `, … (${names.length} in all)` : ""}`;
  }

  /** Whether the field at a JSON pointer may be missing, as far as the schema says it plainly. */
  #isOptional(path: string): boolean {
    const keys = path
      .split("/")
      .slice(1)
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop();
    if (last === undefined) return false;
    let schema: CleanSchema | undefined = this.#document.root;
    for (let step = 0; ; step++) {
      for (let hops = 0; typeof schema === "object" && schema.$ref !== undefined && schema.properties === undefined && hops < 10; hops++)
        schema = targetOf(this.#document, schema.$ref);
      if (typeof schema !== "object") return false;
      if (step === keys.length) break;
      schema =
        schema.properties !== undefined && Object.hasOwn(schema.properties, keys[step]) ? schema.properties[keys[step]] : schema.items;
    }
    return schema.properties !== undefined && Object.hasOwn(schema.properties, last) && !(schema.required ?? []).includes(last);
  }
}

/** The errors that are not details of another one: ajv lists what is wrong with each form before it says that none fits. */
function main(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (["anyOf", "oneOf", "not", "contains"].includes(error.keyword)) {
      while (kept.length > 0 && isDetail(kept[kept.length - 1], error)) kept.pop();
    }
    if (error.keyword === "if" && kept.some((other) => other.instancePath.startsWith(error.instancePath))) continue;
    if (error.keyword === "propertyNames" && kept.length > 0) kept.pop();
    kept.push(error);
  }
  return kept;
}

function isDetail(error: ErrorObject, of: ErrorObject): boolean {
  return (
    error.instancePath.startsWith(of.instancePath) &&
    (error.schemaPath.startsWith(`${of.schemaPath}/`) || error.schemaPath.startsWith("#/$defs/"))
  );
}

const COMPARISONS: Readonly<Record<string, string>> = { ">=": "at least", "<=": "at most", ">": "more than", "<": "less than" };

const EXAMPLES: Readonly<Record<string, string>> = {
  "date-time": "2025-01-31T12:00:00Z",
  date: "2025-01-31",
  time: "12:00:00Z",
  uri: "https://example.com/",
  email: "name@example.com",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  duration: "P1DT12H",
};

function example(format: string): string {
  return Object.hasOwn(EXAMPLES, format) ? ` such as ${EXAMPLES[format]}` : "";
}

function meant(value: Json, values: readonly Json[] | undefined): string {
  const texts = (values ?? []).filter((choice) => typeof choice === "string");
  const near = typeof value === "string" ? nearestNames(value, texts, 1) : [];
  return near.length > 0 && texts.length > 3 ? ` (perhaps ${quoteText(near[0])})` : "";
}

const isShort = (value: Json): boolean => typeof value !== "object" || value === null;

/** `field "filter.labels[0]"` of a JSON pointer. */
export function fieldOf(pointer: string): string {
  const keys = pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const text = keys.map((key, i) => (/^\d+$/.test(key) ? `[${key}]` : i === 0 ? key : `.${key}`)).join("");
  return `field ${quoteText(cutText(text, 120))}`;
}

// ajv gives back the schemas and values that it was given; its types say `any`.
const nodeOf = (schema: unknown): CleanNode => (typeof schema === "object" && schema !== null ? (schema as CleanNode) : {});
const schemasOf = (schemas: unknown): CleanSchema[] => (Array.isArray(schemas) ? (schemas as CleanSchema[]) : []);
const jsonOf = (value: unknown): Json => (value === undefined ? null : (value as Json));
