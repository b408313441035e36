// The edge where foreign schemas enter: a bounded copy with known keywords only, so that nothing behind it meets a surprise.
//
// Gone after intake: other drafts' writings, keywords that tools of the trade would act on (`tsType`, `$async`, `$id`), references to files and
// addresses, malformed keywords, cycles. A schema that can't be taken at all throws `SchemaRefused`.

import type { Json } from "@airlock/interpreter";
import { targetOf, type CleanDocument, type CleanNode, type CleanSchema, type JsonType } from "./clean.js";
import { References, type Resource } from "./refs.js";

/** Subschemas inside each other. Real tool lists reach 12. */
const MAX_DEPTH = 64;
/** Subschemas in all. Real tool lists reach 900; ajv compiles about 10 in a millisecond. */
const MAX_NODES = 4_000;
/** Values in `enum`, `const` and `default`, and names in `required`, in all. */
const MAX_VALUES = 40_000;
/** UTF-16 units of names and values in all: ajv writes them into code. */
const MAX_TEXT = 500_000;
/** Schemas that apply to one value. */
const MAX_APPLIED = 20_000;
const MAX_PATTERN = 2_000;
const MAX_REMARKS = 5;

/** A schema that can't be taken: the tool stays, its type is `unknown`, and nothing is validated. */
export class SchemaRefused extends Error {
  override readonly name = "SchemaRefused";
}

/**
 * A schema as the rest of the catalog takes it.
 *
 * @throws {SchemaRefused} for a reference that leaves the document or leads nowhere, a reference loop, too deep or too large a schema, no schema at all
 */
export function takeSchema(schema: unknown): CleanDocument {
  try {
    return new Intake(schema).take();
  } catch (error) {
    if (error instanceof SchemaRefused) throw error;
    throw new SchemaRefused("it can't be read"); // a getter or proxy that throws
  }
}

const TYPES: ReadonlySet<unknown> = new Set<JsonType>(["string", "number", "integer", "boolean", "null", "array", "object"]);
const isType = (value: unknown): value is JsonType => TYPES.has(value);

type Key<T> = {
  [K in keyof CleanNode]-?: NonNullable<CleanNode[K]> extends T ? (T extends NonNullable<CleanNode[K]> ? K : never) : never;
}[keyof CleanNode];

const SCHEMA_KEYS: readonly Key<CleanSchema>[] = [
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "unevaluatedItems",
  "contains",
  "not",
  "if",
  "then",
  "else",
];
const LIST_KEYS: readonly Key<CleanSchema[]>[] = ["allOf", "anyOf", "oneOf", "prefixItems"];
const MAP_KEYS: readonly Key<Record<string, CleanSchema>>[] = ["properties", "patternProperties", "dependentSchemas"];
const COUNT_KEYS: readonly Key<number>[] = [
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "minContains",
  "maxContains",
];
const NUMBER_KEYS: readonly Key<number>[] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const TEXT_KEYS: readonly Key<string>[] = ["format", "title", "description"];

/** The pattern under which a property `__proto__` is validated. */
export const PROTO_PATTERN = "^__proto__$";

class Intake {
  readonly #source: unknown;
  readonly #references: References;
  readonly #defs: CleanSchema[] = [];
  readonly #defNames: string[] = [];
  readonly #defIndexes = new Map<unknown, number>();
  readonly #waiting: { index: number; schema: object; resource: Resource }[] = [];
  readonly #remarks = new Set<string>();
  #nodes = 0;
  #values = 0;
  #text = 0;

  constructor(source: unknown) {
    this.#source = source;
    this.#references = new References(source);
  }

  take(): CleanDocument {
    const root = this.#schema(this.#source, this.#references.whole, 0);
    if (root === undefined) throw new SchemaRefused("it is no JSON Schema");
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#defs[next.index] = this.#schema(next.schema, next.resource, 0) ?? true;
    }
    const document: CleanDocument = { root, defs: this.#defs, defNames: this.#defNames, remarks: [...this.#remarks] };
    refuseLoops(document);
    return document;
  }

  #remark(text: string): void {
    if (this.#remarks.size < MAX_REMARKS) this.#remarks.add(text);
  }

  /** Undefined if the value is no schema. */
  #schema(value: unknown, outer: Resource, depth: number): CleanSchema | undefined {
    if (typeof value === "boolean") return value;
    if (!isRecord(value)) return undefined;
    if (++this.#nodes > MAX_NODES) throw new SchemaRefused(`it has more than ${MAX_NODES} parts`);
    if (depth > MAX_DEPTH) throw new SchemaRefused(`it is deeper than ${MAX_DEPTH}`);
    const resource = this.#references.enter(value, outer);
    const read = (keyword: string): unknown => (Object.hasOwn(value, keyword) ? value[keyword] : undefined);
    const inner = (part: unknown): CleanSchema | undefined => this.#schema(part, resource, depth + 1);
    const node: CleanNode = {};

    const ref = [read("$ref"), read("$dynamicRef"), read("$recursiveRef")].find(isString);
    if (ref !== undefined) node.$ref = this.#reference(ref, resource);
    for (const key of SCHEMA_KEYS) this.#put(node, key, read(key), inner);
    for (const key of LIST_KEYS) {
      this.#put(node, key, read(key), (part) =>
        Array.isArray(part) && part.length > 0 ? part.map((item) => inner(item) ?? this.#odd(key)) : undefined,
      );
    }
    for (const key of MAP_KEYS) this.#put(node, key, read(key), (part) => this.#map(part, (item) => inner(item) ?? this.#odd(key)));
    if (node.properties !== undefined && Object.hasOwn(node.properties, "__proto__")) {
      // ajv passes over a property of this name; a pattern it takes.
      (node.patternProperties ??= Object.create(null) as Record<string, CleanSchema>)[PROTO_PATTERN] = node.properties["__proto__"];
    }
    for (const key of COUNT_KEYS) this.#put(node, key, read(key), count);
    for (const key of NUMBER_KEYS)
      this.#put(node, key, read(key), (part) =>
        typeof part === "number" && Number.isFinite(part) ? part : typeof part === "boolean" ? null : undefined,
      );
    for (const key of TEXT_KEYS) this.#put(node, key, read(key), (part) => (typeof part === "string" ? part : undefined));
    this.#put(node, "multipleOf", read("multipleOf"), (part) =>
      typeof part === "number" && part > 0 && Number.isFinite(part) ? part : undefined,
    );
    this.#put(node, "pattern", read("pattern"), (part) => (typeof part === "string" && part.length <= MAX_PATTERN ? part : undefined));
    this.#put(node, "required", read("required"), (part) =>
      Array.isArray(part)
        ? [
            ...new Set(
              this.#count(part)
                .filter(isString)
                .map((name) => this.#countText(name)),
            ),
          ]
        : typeof part === "boolean"
          ? null
          : undefined,
    );
    if (read("uniqueItems") === true) node.distinctItems = true;
    if (read("deprecated") === true) node.deprecated = true;
    this.#items(node, read, inner);
    this.#dependencies(node, read, inner);
    this.#olderLimits(node, read);
    const valuesBefore = this.#values;
    this.#typesAndValues(node, read);
    node.meter = 1 + (this.#values - valuesBefore) + (node.required?.length ?? 0) + Object.keys(node.properties ?? {}).length;
    return node;
  }

  /** Sets a keyword if it is there. `take` gives undefined for a malformed value (remarked), null for one that is left out in silence. */
  #put<K extends keyof CleanNode>(
    node: CleanNode,
    key: K,
    value: unknown,
    take: (value: unknown) => CleanNode[K] | null | undefined,
  ): CleanNode[K] | undefined {
    if (value === undefined) return undefined;
    const taken = take(value);
    if (taken === undefined) this.#remark(`its keyword "${key}" is malformed and was left out`);
    if (taken === undefined || taken === null) return undefined;
    node[key] = taken;
    return taken;
  }

  #odd(key: string): CleanSchema {
    this.#remark(`its keyword "${key}" is malformed and was left out`);
    return true;
  }

  #count<T>(list: T[]): T[] {
    this.#values += list.length;
    if (this.#values > MAX_VALUES) throw new SchemaRefused(`it has more than ${MAX_VALUES} values`);
    return list;
  }

  #countText(text: string): string {
    this.#text += text.length;
    if (this.#text > MAX_TEXT) throw new SchemaRefused(`its names and values have more than ${MAX_TEXT} characters`);
    return text;
  }

  #map<T>(value: unknown, take: (value: unknown, key: string) => T): Record<string, T> | undefined {
    if (!isRecord(value)) return undefined;
    const map: Record<string, T> = Object.create(null);
    for (const key of Object.keys(value)) map[this.#countText(key)] = take(value[key], key);
    return map;
  }

  #reference(ref: string, from: Resource): string {
    const target = this.#references.resolve(ref, from);
    if (target === undefined)
      throw new SchemaRefused(`its $ref ${JSON.stringify(ref.slice(0, 100))} is not in it, and none is followed elsewhere`);
    if (typeof target.schema !== "boolean" && !isRecord(target.schema))
      throw new SchemaRefused(`its $ref ${JSON.stringify(ref.slice(0, 100))} is no schema`);
    let index = typeof target.schema === "boolean" ? undefined : this.#defIndexes.get(target.schema);
    if (index === undefined) {
      index = this.#defs.push(true) - 1;
      this.#defNames.push(target.name);
      if (typeof target.schema === "boolean") this.#defs[index] = target.schema;
      else {
        this.#defIndexes.set(target.schema, index);
        this.#waiting.push({ index, schema: target.schema, resource: target.resource });
      }
    }
    return `#/$defs/${index}`;
  }

  /** Draft-07 writes tuples as `items: […]`, with `additionalItems` for the rest. */
  #items(node: CleanNode, read: (keyword: string) => unknown, inner: (part: unknown) => CleanSchema | undefined): void {
    const items = read("items");
    if (!Array.isArray(items)) {
      this.#put(node, "items", items, inner);
      return;
    }
    if (items.length > 0) node.prefixItems ??= items.map((item) => inner(item) ?? this.#odd("items"));
    this.#put(node, "items", read("additionalItems"), inner);
  }

  /** Draft-07's `dependencies` is 2019's `dependentRequired` and `dependentSchemas` in one. */
  #dependencies(node: CleanNode, read: (keyword: string) => unknown, inner: (part: unknown) => CleanSchema | undefined): void {
    const names = (part: unknown): string[] | undefined => (Array.isArray(part) ? this.#count(part).filter(isString) : undefined);
    this.#put(node, "dependentRequired", read("dependentRequired"), (part) => this.#map(part, (item) => names(item) ?? []));
    const older = read("dependencies");
    if (!isRecord(older)) return;
    for (const key of Object.keys(older)) {
      const required = names(older[key]);
      const schema = required === undefined ? inner(older[key]) : undefined;
      if (required !== undefined) (node.dependentRequired ??= Object.create(null) as Record<string, string[]>)[key] = required;
      if (schema !== undefined) (node.dependentSchemas ??= Object.create(null) as Record<string, CleanSchema>)[key] = schema;
    }
  }

  /** Draft-04: `exclusiveMinimum: true` beside `minimum`. */
  #olderLimits(node: CleanNode, read: (keyword: string) => unknown): void {
    if (read("exclusiveMinimum") === true && node.minimum !== undefined) {
      node.exclusiveMinimum = node.minimum;
      delete node.minimum;
    }
    if (read("exclusiveMaximum") === true && node.maximum !== undefined) {
      node.exclusiveMaximum = node.maximum;
      delete node.maximum;
    }
  }

  #typesAndValues(node: CleanNode, read: (keyword: string) => unknown): void {
    const type = read("type");
    const types = (Array.isArray(type) ? type.slice(0, 20) : [type]).filter(isType);
    if (type !== undefined && types.length === 0) this.#remark('its keyword "type" is malformed and was left out');
    if (types.length > 0) node.type = types.length === 1 ? types[0] : [...new Set(types)];
    const choices = read("enum");
    if (choices !== undefined && !(Array.isArray(choices) && choices.length > 0)) this.#odd("enum");
    else if (Array.isArray(choices)) node.enum = this.#count(choices).map((item) => this.#value(item, 0));
    const constant = read("const");
    if (constant !== undefined) {
      const value = this.#value(constant, 0);
      if (node.enum === undefined) node.enum = [value];
      else node.allOf = [...(node.allOf ?? []), { enum: [value] }];
    }
    if (read("nullable") === true && types.length > 0 && !types.includes("null")) {
      // OpenAPI's writing.
      node.type = [...types, "null"];
      if (node.enum !== undefined && !node.enum.includes(null)) node.enum.push(null);
    }
    const preset = read("default");
    if (preset !== undefined && typeof preset !== "object") node.default = this.#value(preset, 0);
    else if (Array.isArray(preset) && preset.length === 0) node.default = [];
    else if (preset === null) node.default = null;
  }

  #value(value: unknown, depth: number): Json {
    if (typeof value === "string") return this.#countText(value);
    if (typeof value === "boolean" || value === null) return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (depth > MAX_DEPTH) throw new SchemaRefused(`it has a value deeper than ${MAX_DEPTH}`);
    if (Array.isArray(value)) return this.#count(value).map((item) => this.#value(item, depth + 1));
    if (!isRecord(value)) throw new SchemaRefused("it has a value that is not JSON");
    const keys = this.#count(Object.keys(value));
    return Object.fromEntries(keys.map((key) => [this.#countText(key), this.#value(value[key], depth + 1)]));
  }
}

const isString = (value: unknown): value is string => typeof value === "string";
const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Refuses references that lead back to themselves at the same place of the value, where a validator would never come back, and those that
 * multiply: thirty definitions that each name the next one twice are a billion checks.
 */
function refuseLoops(document: CleanDocument): void {
  const costs = new Map<CleanSchema, number>();
  /** How many schemas apply to a value where this one does. */
  const cost = (schema: CleanSchema | undefined): number => {
    if (schema === undefined || typeof schema === "boolean") return 0;
    const known = costs.get(schema);
    if (known === Infinity) throw new SchemaRefused("its references lead in a circle");
    if (known !== undefined) return known;
    costs.set(schema, Infinity);
    let sum = 1;
    if (schema.$ref !== undefined) sum += cost(targetOf(document, schema.$ref));
    for (const list of [schema.allOf, schema.anyOf, schema.oneOf]) for (const part of list ?? []) sum += cost(part);
    for (const part of [schema.not, schema.if, schema.then, schema.else]) sum += cost(part);
    for (const part of Object.values(schema.dependentSchemas ?? {})) sum += cost(part);
    if (sum > MAX_APPLIED) throw new SchemaRefused("its references multiply");
    costs.set(schema, sum);
    return sum;
  };
  cost(document.root);
  document.defs.forEach(cost);
}
