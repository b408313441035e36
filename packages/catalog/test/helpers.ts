// Tools in one line, and TypeScript's opinion of a text.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createCatalog, type Catalog, type Tool, type Validation } from "../dist/src/index.js";
import type { Json } from "@airlock/interpreter";

export const anything = { type: "object" } as const;

/** `tool("github.list_issues", schema)`; the name starts after the first dot. */
export function tool(
  path: string,
  inputSchema: unknown = anything,
  more: Omit<Partial<Tool>, "outputSchema"> & { outputSchema?: unknown } = {},
): Tool {
  const dot = path.indexOf(".");
  return {
    server: path.slice(0, dot),
    name: path.slice(dot + 1),
    inputSchema: inputSchema as Tool["inputSchema"],
    execute: async () => null,
    ...more,
    outputSchema: more.outputSchema as Tool["outputSchema"],
  };
}

export const signature = (schema: unknown, outputSchema?: unknown): string =>
  createCatalog([tool("s.t", schema, { outputSchema })]).signature("s.t");

/** The type of an output schema, as the signature shows it. */
export const type = (schema: unknown): string => signature(anything, schema).slice("tools.s.t(): Promise<".length, -1);

export async function checkInput(schema: unknown, input: Json, more: Partial<Tool> = {}): Promise<Validation> {
  return checkIn(createCatalog([tool("s.t", schema, more)]), input);
}

export function checkIn(catalog: Catalog, input: Json): Promise<Validation> {
  return catalog.validateInput(catalog.registrations[0], input);
}

/** The message for a wrong input; fails if the input is right. */
export async function message(schema: unknown, input: Json): Promise<string> {
  const result = await checkInput(schema, input);
  if (result.ok) throw new Error("the input is valid");
  return result.message;
}

/** TypeScript's errors about some files, one in a line. */
export function typeErrors(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "airlock-types-"));
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const config = {
      compilerOptions: { strict: true, noEmit: true, lib: ["es2023"], types: [], target: "es2022", module: "esnext" },
      files: Object.keys(files),
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    execFileSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], { stdio: "pipe" });
    return [];
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return String(error.stdout).trim().split("\n");
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
