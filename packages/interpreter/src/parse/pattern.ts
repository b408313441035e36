// The grammar check of regular expressions' literals, for parsing without the engine.

import type { RegExpValidator } from "@eslint-community/regexpp";
import { regexpp } from "../lazy.js";

let validator: RegExpValidator | undefined;

/** What is wrong with a pattern and its flags, or undefined. Nothing is compiled. */
export function checkPattern(source: string, flags: string): string | undefined {
  validator ??= new (regexpp().RegExpValidator)({ ecmaVersion: 2025 });
  try {
    validator.validateFlags(flags);
    validator.validatePattern(source, 0, source.length, { unicode: flags.includes("u"), unicodeSets: flags.includes("v") });
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.replace(/^Invalid regular expression: (?:\/.*\/\w*: )?/s, "");
  }
}
