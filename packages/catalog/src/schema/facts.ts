// What the catalog knows of a tool's schemas, worked out once for each tool, on first use.

import type { JsonSchema, StandardSchema, Tool } from "../types.js";
import { takeSchema, SchemaRefused } from "./intake.js";
import type { CleanDocument, CleanNode } from "./clean.js";
import { isStandardSchema, toJsonSchema } from "./standard.js";

export type Direction = "input" | "output";

/** One schema of a tool. */
export interface SchemaFacts {
  /** Validates by itself. */
  standard?: StandardSchema;
  /** Absent if the tool declares none, or none that can be taken: its type is `unknown` then. */
  document?: CleanDocument;
  /** Why the schema was not taken. */
  refused?: string;
}

const known = new WeakMap<Tool, { input?: SchemaFacts; output?: SchemaFacts }>();

/** The facts of a tool's input or output schema. Never throws. */
export function schemaFacts(tool: Tool, direction: Direction): SchemaFacts {
  let facts = known.get(tool);
  if (facts === undefined) known.set(tool, (facts = {}));
  return (facts[direction] ??= learn(direction === "input" ? tool.inputSchema : tool.outputSchema, direction));
}

/** The names of the input's fields as they stand in a JSON Schema, at most `limit`: a look that needs no intake. Never throws. */
export function plainFieldNames(tool: Tool, limit: number): string[] {
  try {
    const schema: unknown = tool.inputSchema;
    const properties: unknown = typeof schema === "object" && schema !== null ? Reflect.get(schema, "properties") : undefined;
    return typeof properties === "object" && properties !== null ? Object.keys(properties).slice(0, limit) : [];
  } catch {
    return []; // a getter or proxy that throws
  }
}

function learn(schema: JsonSchema | StandardSchema | undefined, direction: Direction): SchemaFacts {
  if (schema === undefined && direction === "output") return {};
  const standard = isStandardSchema(schema) ? schema : undefined;
  const source = standard === undefined ? schema : toJsonSchema(standard, direction);
  if (standard !== undefined && source === undefined) return { standard };
  try {
    const document = takeSchema(source);
    if (direction === "input") document.root = asInput(document.root);
    return { standard, document };
  } catch (error) {
    if (error instanceof SchemaRefused) return { standard, refused: error.message };
    throw error;
  }
}

/** An input is an object also where the schema forgets to say so. */
function asInput(root: boolean | CleanNode): boolean | CleanNode {
  if (root === true) return { type: "object", additionalProperties: true };
  if (root === false || root.type !== undefined || root.enum !== undefined) return root;
  const isObject = root.properties !== undefined || root.required !== undefined || root.additionalProperties !== undefined;
  const isChoice =
    root.$ref !== undefined || root.allOf !== undefined || root.anyOf !== undefined || root.oneOf !== undefined || root.if !== undefined;
  return isObject || !isChoice ? { ...root, type: "object", ...(isObject ? {} : { additionalProperties: true }) } : root;
}
