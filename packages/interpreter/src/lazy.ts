// Packages that few programs need: loaded, in the middle of a synchronous parse, when the first one does. (Node 20.19 requires ES modules, too.)

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

let patterns: typeof import("@eslint-community/regexpp") | undefined;
let typeScript: typeof import("@sveltejs/acorn-typescript") | undefined;

export function regexpp(): typeof import("@eslint-community/regexpp") {
  return (patterns ??= require("@eslint-community/regexpp") as typeof import("@eslint-community/regexpp"));
}

export function acornTypeScript(): typeof import("@sveltejs/acorn-typescript") {
  return (typeScript ??= require("@sveltejs/acorn-typescript") as typeof import("@sveltejs/acorn-typescript"));
}
