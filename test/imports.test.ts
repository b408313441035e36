// The house is built in one direction: interpreter ← catalog ← runtime ← mcp-bridge ← agent ← bin.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const ORDER = ["interpreter", "catalog", "runtime", "mcp-bridge", "agent"];
const PARTS = [
  ...ORDER.map((name) => ({ name, folder: `packages/${name}`, may: ORDER.slice(0, ORDER.indexOf(name)) })),
  { name: "bin", folder: "bin", may: ORDER },
  { name: "fixtures", folder: "fixtures", may: [] as string[] },
];

function sources(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? sources(join(folder, entry.name)) : /\.(ts|mts|js|mjs)$/.test(entry.name) ? [join(folder, entry.name)] : [],
  );
}

/** What a file imports, statically or not. */
function imports(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*["']([^"'\n]+)["']/g)].map(([, specifier]) => specifier);
}

describe.each(PARTS)("$name", ({ folder, may }) => {
  const files = ["src", "stdlib"].flatMap((name) => sources(join(root, folder, name)));

  test("imports only packages to its left, by their public entry", () => {
    expect(files.length).toBeGreaterThan(0);
    const wrong = files.flatMap((file) => {
      const own = imports(readFileSync(file, "utf8")).filter((specifier) => specifier.startsWith("@airlock/"));
      return own
        .filter((specifier) => !may.includes(specifier.slice("@airlock/".length)))
        .map((specifier) => `${relative(root, file)} imports ${specifier}`);
    });
    expect(wrong).toEqual([]);
  });

  test("never reaches into another package by a path", () => {
    const home = join(root, folder);
    const wrong = files.flatMap((file) => {
      const relatives = imports(readFileSync(file, "utf8")).filter((specifier) => specifier.startsWith("."));
      return relatives
        .filter((specifier) => relative(home, resolve(dirname(file), specifier)).startsWith(".."))
        .map((specifier) => `${relative(root, file)} imports ${specifier}`);
    });
    expect(wrong).toEqual([]);
  });

  test("depends on them alone, and on exact versions of others", () => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as {
      dependencies?: Record<string, string>;
      devDependencies?: Record<string, string>;
    };
    const own = Object.keys(dependencies).filter((name) => name.startsWith("@airlock/"));
    expect(own.filter((name) => !may.includes(name.slice("@airlock/".length)))).toEqual([]);
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([name, version]) => !name.startsWith("@airlock/") && !/^\d+\.\d+\.\d+/.test(version),
    );
    expect(loose).toEqual([]);
  });
});

test("the search for imports finds them in every form", () => {
  expect(imports(`import a from "x"; export * from 'y'; await import("z"); import "w"; require("v")`)).toEqual(["x", "y", "z", "w", "v"]);
});
