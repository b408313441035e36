// SUPPORT.md says what is there, and all that it says is so: its programs are run, and its tables of the library are compared with a realm.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Json, run } from "@airlock/interpreter";
import { value } from "./program.js";

const page = readFileSync(new URL("../../../SUPPORT.md", import.meta.url), "utf8");

/** The text under a heading, up to the next of its level. */
function section(title: string): string {
  const from = page.indexOf(`## ${title}\n`);
  if (from < 0) throw new Error(`There is no section "${title}".`);
  const to = page.indexOf("\n## ", from + 3);
  return page.slice(from, to < 0 ? undefined : to);
}

/** The rows of the tables in a text: cells without the marks of code. */
function rowsOf(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:---|What |Name )/.test(line))
    .map((line) =>
      line
        .slice(2, line.lastIndexOf("|"))
        .split(/(?<!\\)\|/)
        .map((cell) => codeOf(cell.trim().replaceAll("\\|", "|"))),
    );
}

function codeOf(cell: string): string {
  const code = /^(`+)( ?)([^]*?)\2\1$/.exec(cell);
  return code === null || code[3].includes("` `") ? cell : code[3];
}

describe.each(["The language", "TypeScript", "Forms of a program", "Different from other hosts"])("%s", (title) => {
  test.each(rowsOf(section(title)))("%s", async (_what, program, result) => {
    expect(await value(program)).toEqual(JSON.parse(result));
  });
});

describe("Refused before the run", () => {
  test.each(rowsOf(section("Refused before the run")))("%s %s", async (_what, program, said) => {
    const outcome = await run(program);
    expect(outcome).toMatchObject({ status: "failed", error: { kind: "unsupported" }, stats: { steps: 0 } });
    if (outcome.status === "failed") expect([outcome.error.message, ...outcome.error.hints].join(" ")).toContain(said);
  });
});

test("what is not there", async () => {
  const names = [...section("Not there").matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  const code = `return [${names.map((name) => (name === "require" ? `typeof globalThis.require` : `typeof ${name}`)).join(", ")}]`;
  expect(await value(code)).toEqual(names.map(() => "undefined"));
});

/** What has no global name. */
const ELSEWHERE: Record<string, string> = {
  TypedArray: "Object.getPrototypeOf(Int8Array)",
  Generator: "{ prototype: Object.getPrototypeOf(function* () {}).prototype }",
  AsyncGenerator: "{ prototype: Object.getPrototypeOf(async function* () {}).prototype }",
};

/** All names of a realm's library, in guest code: own ones and those of instances, by name of the object. */
const LIBRARY = `
  const nameOf = (key) => (typeof key === "symbol" ? "[" + key.description.replace("Symbol.", "") + "]" : key);
  const names = (o, not) => Reflect.ownKeys(o).map(nameOf).filter((name) => !not.includes(name)).sort();
  const members = (v) => {
    if (v === globalThis || v === null || (typeof v !== "object" && typeof v !== "function")) return [[], []];
    const own = typeof v === "function" ? names(v, ["length", "name", "prototype"]) : names(v, ["prototype"]);
    return [own, v.prototype === undefined ? [] : names(v.prototype, ["constructor"])];
  };
  const found = {};
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!["tools", "input"].includes(name)) found[name] = members(globalThis[name]);
  for (const name of Object.getOwnPropertyNames(Intl)) if (Intl[name].prototype !== undefined) found["Intl." + name] = members(Intl[name]);
  for (const [name, v] of Object.entries({ ${Object.entries(ELSEWHERE)
    .map(([name, code]) => `${name}: ${code}`)
    .join(", ")} })) found[name] = v.constructor === Object ? [[], members(v)[1]] : members(v);
  return found;`;

test("the library is what the tables list, name by name", async () => {
  const listed: Record<string, [string[], string[]]> = {};
  for (const [names, own, ofInstances] of rowsOf(section("The library"))) {
    const split = (cell: string): string[] => cell.split(" ").filter((name) => name !== "");
    for (const name of split(names.replaceAll("`", ""))) listed[name] = [split(own).sort(), split(ofInstances).sort()];
  }
  const there = (await value(LIBRARY)) as Record<string, [string[], string[]]>;
  // Constants whose names tell nothing are listed as one.
  const shortened = (names: string[]): string[] => {
    const others = names.filter((name) => !name.endsWith("_ERR"));
    return others.length === names.length ? names : [...others, "*_ERR"].sort();
  };
  const found = Object.fromEntries(Object.entries(there).map(([name, lists]) => [name, lists.map(shortened)]));
  expect(listed as Json).toEqual(found);
});
