// What a schema is after intake: plain, bounded, JSON Schema 2020-12 with known keywords only, references by number.

import type { Json } from "@airlock/interpreter";

export type JsonType = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

export type CleanSchema = boolean | CleanNode;

/**
 * One place of a schema. Valid for ajv as it is, but for `meter`: what one visit of this place costs, in comparisons.
 * Objects with foreign keys have no prototype.
 */
export interface CleanNode {
  meter?: number;
  /** `#/$defs/N`, N being the index in `CleanDocument.defs`. */
  $ref?: string;
  $defs?: CleanSchema[];
  type?: JsonType | JsonType[];
  enum?: Json[];
  properties?: Record<string, CleanSchema>;
  patternProperties?: Record<string, CleanSchema>;
  additionalProperties?: CleanSchema;
  unevaluatedProperties?: CleanSchema;
  propertyNames?: CleanSchema;
  required?: string[];
  dependentRequired?: Record<string, string[]>;
  dependentSchemas?: Record<string, CleanSchema>;
  minProperties?: number;
  maxProperties?: number;
  items?: CleanSchema;
  prefixItems?: CleanSchema[];
  unevaluatedItems?: CleanSchema;
  contains?: CleanSchema;
  minItems?: number;
  maxItems?: number;
  minContains?: number;
  maxContains?: number;
  distinctItems?: boolean;
  allOf?: CleanSchema[];
  anyOf?: CleanSchema[];
  oneOf?: CleanSchema[];
  not?: CleanSchema;
  if?: CleanSchema;
  then?: CleanSchema;
  else?: CleanSchema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  title?: string;
  description?: string;
  default?: Json;
  deprecated?: boolean;
}

export interface CleanDocument {
  root: CleanSchema;
  /** The targets of references, in order of first use. */
  defs: CleanSchema[];
  /** The last name in the reference to each of `defs`: a hint for naming its type. */
  defNames: string[];
  /** What was left out, for the person who looks after the server. */
  remarks: string[];
}

/** The schema that a reference means. */
export function targetOf(document: CleanDocument, ref: string): CleanSchema {
  return document.defs[defIndex(ref)];
}

/** The number in `#/$defs/N`. */
export function defIndex(ref: string): number {
  return Number(ref.slice("#/$defs/".length));
}
