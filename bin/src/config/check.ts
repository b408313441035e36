// A configuration against its JSON Schema (`airlock.schema.json`): each mistake with file, line, what is wrong, and the nearest key.

import { readFileSync } from "node:fs";
import { createCatalog, nearestNames, type SchemaError } from "@airlock/catalog";
import type { Json } from "@airlock/interpreter";
import { UsageError } from "../exit.js";
import { shownLine } from "../terminal.js";
import type { ConfigSource } from "./source.js";

interface SchemaNode {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: { [key: string]: SchemaNode };
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  definitions?: { [name: string]: SchemaNode };
  minimum?: number;
}

/** The schema that `$schema` names. */
export const schemaUrl = new URL("../../../airlock.schema.json", import.meta.url);

let schema: SchemaNode | undefined;

/** @throws UsageError that lists up to ten mistakes */
export async function checkConfig(source: ConfigSource): Promise<void> {
  schema ??= JSON.parse(readFileSync(schemaUrl, "utf8")) as SchemaNode;
  const catalog = createCatalog([{ server: "airlock", name: "configuration", inputSchema: { ...schema }, execute: async () => null }]);
  const [registration] = catalog.registrations;
  const validation = await catalog.validateInput(registration, source.value as Json);
  if (validation.ok) return;
  const mistakes = [...new Set(deepest(validation.errors).map((error) => mistake(source, error)))];
  const shownMistakes = mistakes.slice(0, 10).map((text) => `${source.path}, ${text}`);
  if (mistakes.length > 10) shownMistakes.push(`${source.path}: ${mistakes.length - 10} more mistakes`);
  throw new UsageError(shownMistakes.join("\n"));
}

/** Of the errors about one place the last (that no form fits); none about a place that has an error further in. */
function deepest(errors: readonly SchemaError[]): SchemaError[] {
  const byPlace = new Map<string, SchemaError>();
  for (const error of errors)
    byPlace.set(
      error.keyword === "additionalProperties" ? `${error.instancePath}/${String(error.params?.additionalProperty)}` : error.instancePath,
      error,
    );
  return [...byPlace].flatMap(([place, error]) => ([...byPlace.keys()].some((other) => other.startsWith(`${place}/`)) ? [] : [error]));
}

function mistake(source: ConfigSource, { instancePath, keyword, params }: SchemaError): string {
  const keys = instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const node = nodeAt(keys);
  const name = `"${shownLine(keys.join("."), 120)}"`;
  if (keyword === "additionalProperties") {
    const key = String(params?.additionalProperty);
    const known = Object.keys(node?.properties ?? {});
    const [near] = nearestNames(key, known, 1);
    const place = source.place([...keys, key], "key");
    return `${place}: there is no key "${shownLine(key, 80)}"${keys.length > 0 ? ` in ${name}` : ""}; ${near === undefined ? `there are ${known.join(", ")}` : `did you mean "${near}"?`}`;
  }
  const place = source.place(keys);
  if (keyword === "required") return `${place}: ${name} needs the key "${String(params?.missingProperty)}"`;
  const value = valueAt(source.value, keys);
  const got =
    value !== null && typeof value === "object"
      ? Array.isArray(value)
        ? "a list"
        : "an object"
      : shownLine(JSON.stringify(value) ?? "nothing", 80);
  const choices = (node?.anyOf ?? [node]).flatMap((form) => resolved(form)?.enum ?? []).filter((choice) => typeof choice === "string");
  const [near] = typeof value === "string" ? nearestNames(value, choices, 1) : [];
  return `${place}: ${name} is ${got}, but must be ${wanted(node)}${near === undefined ? "" : `; did you mean "${near}"?`}`;
}

function nodeAt(keys: readonly string[]): SchemaNode | undefined {
  let node: SchemaNode | undefined = schema;
  for (const key of keys) {
    const forms: (SchemaNode | undefined)[] = (node?.anyOf ?? [node]).map(resolved);
    node = forms
      .map(
        (form) =>
          form?.properties?.[key] ??
          (typeof form?.additionalProperties === "object" ? form.additionalProperties : undefined) ??
          form?.items,
      )
      .find((inner) => inner !== undefined);
    node = resolved(node);
  }
  return node;
}

function resolved(node: SchemaNode | undefined): SchemaNode | undefined {
  return node?.$ref === undefined ? node : schema?.definitions?.[node.$ref.split("/").at(-1) ?? ""];
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (inner !== null && typeof inner === "object" ? Reflect.get(inner, key) : undefined), value);
}

function wanted(given: SchemaNode | undefined): string {
  const node = resolved(given);
  if (node?.anyOf !== undefined) return [...new Set(node.anyOf.map(wanted))].join(" or ");
  if (node?.enum !== undefined) return node.enum.map((choice) => JSON.stringify(choice)).join(" or ");
  const types = [node?.type ?? "a value"].flat().map((type) => TYPES[type] ?? type);
  return types.join(" or ") + (node?.minimum === undefined ? "" : ` of ${node.minimum} or more`);
}

const TYPES: { readonly [type: string]: string } = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};
