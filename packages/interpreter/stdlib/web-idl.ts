// Conventions of Web IDL that the web's globals share.

import { type PropertySpec } from "../src/realm.js";
import { Flag } from "../src/shape.js";

/** An attribute: accessors of Web IDL are enumerable. */
export function attribute(spec: PropertySpec): PropertySpec {
  return { ...spec, flags: spec.flags | Flag.ENUMERABLE };
}
