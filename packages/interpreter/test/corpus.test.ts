// Programs of the kind that models write, with recorded outcomes: value, logs, and calls.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Json, type LogEntry, run } from "@airlock/interpreter";
import { programOf, worlds } from "../../../test/support/corpus.js";
import { sharedPath } from "../../../test/support/shared.js";

interface Special {
  path: string;
  kind: string;
  entries?: Json;
  values?: Json;
}

interface Expected {
  value?: Json;
  special?: Special[];
  error?: { name: string; message: string };
  logs: { level: string; args: Json[] }[];
  calls: [string, string][];
  concurrent?: boolean;
}

const corpus = sharedPath("corpus", "programs") === undefined ? undefined : sharedPath("corpus");

/** The recorded value with what plain JSON lost, as the boundary gives it out. */
function restored({ value, special = [] }: Expected): Json {
  const root: { $: Json } = { $: structuredClone(value ?? null) };
  for (const { path, kind, entries, values } of special) {
    const replacement = kind === "Map" ? mapOf(entries as Json[]) : kind === "Set" ? values : kind === "RegExp" ? {} : undefined;
    if (replacement === undefined) continue;
    const keys = path.split(/\.|\[|\]/).filter((part) => part !== "");
    const last = keys.pop()!;
    let holder: Json = root as unknown as Json;
    for (const key of keys) holder = (holder as { [key: string]: Json })[key];
    (holder as { [key: string]: Json })[last] = replacement;
  }
  return root.$;
}

function mapOf(pairs: Json[]): Json {
  return pairs.every((pair) => typeof (pair as Json[])[0] === "string") ? Object.fromEntries(pairs as [string, Json][]) : pairs;
}

function loggedOf(arg: Json): Json {
  if (arg === null || typeof arg !== "object" || Array.isArray(arg)) return arg;
  if ("$map" in arg) return mapOf(arg.$map as Json[]);
  if ("$set" in arg) return arg.$set;
  if ("$undefined" in arg) return null;
  if ("$bigint" in arg) return arg.$bigint;
  if ("$number" in arg) return arg.$number;
  return arg;
}

function expectLog(got: LogEntry, wanted: Expected["logs"][number]): void {
  expect(got.level).toBe(wanted.level === "table" ? "log" : wanted.level);
  wanted.args.forEach((arg, i) => {
    if (arg !== null && typeof arg === "object" && "$error" in arg) expect(got.args[i]).toMatchObject(arg.$error as object);
    else if (!(arg !== null && typeof arg === "object" && "$unserialisable" in arg)) expect(got.args[i]).toEqual(loggedOf(arg));
  });
}

describe.skipIf(corpus === undefined)("the corpus", async () => {
  if (corpus === undefined) return;
  const { createTools, buildTools } = await worlds(corpus);
  test.each(readdirSync(join(corpus, "programs")))("%s", async (file) => {
    const expected = JSON.parse(readFileSync(join(corpus, "expected", file.replace(/\.\w+$/, ".json")), "utf8")) as Expected;
    const world = createTools();
    const calls: [string, string][] = [];
    const tools = buildTools({
      catalog: world.catalog,
      call(server, name, input) {
        calls.push([server, name]);
        return world.call(server, name, input);
      },
    });
    const outcome = await run(programOf(readFileSync(join(corpus, "programs", file), "utf8")), { tools });
    if (expected.error !== undefined) {
      expect(outcome.status).toBe("failed");
      if (outcome.status === "failed") expect({ name: outcome.error.name, message: outcome.error.message }).toEqual(expected.error);
    } else {
      if (outcome.status === "failed") expect(outcome.error).toBeUndefined();
      else expect(outcome.value).toEqual(restored(expected));
    }
    expect(outcome.logs.length).toBe(expected.logs.length);
    expected.logs.forEach((wanted, i) => expectLog(outcome.logs[i], wanted));
    if (expected.concurrent === true) {
      calls.sort();
      expected.calls.sort();
    }
    expect(calls).toEqual(expected.calls);
  });
});
