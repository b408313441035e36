// Runs test262 files, one message each: `{ path }` in, `{ path, status, reason? }` out. A process of its own, so that a crash costs one file.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GuestThrow, TestRealm, TimeOut, describeThrow, nameOfThrown, script } from "./realm.mjs";
import { readFile } from "./scope.mjs";

const dir = process.argv[2];
const FILE_MS = 10_000;
const harness = new Map();

function harnessScript(name) {
  let s = harness.get(name);
  if (s === undefined) harness.set(name, (s = script(readFileSync(join(dir, "harness", name), "utf8"))));
  return s;
}

function run(path) {
  const text = readFileSync(join(dir, "test", path), "utf8");
  const meta = readFile(text);
  if (meta.out !== undefined) return { path, status: "out-of-scope", reason: meta.out };
  const negative = meta.negative;
  let test;
  try {
    test = script(text);
  } catch (e) {
    if (negative?.phase === "parse" && negative.type === "SyntaxError" && e.name === "ProgramError") return { path, status: "passed" };
    return { path, status: "failed", reason: `does not parse: ${e.message}` };
  }
  if (negative?.phase === "parse") return { path, status: "failed", reason: "parses, but is to be refused" };
  const realm = new TestRealm(Date.now() + FILE_MS);
  const isAsync = meta.flags.includes("async");
  try {
    for (const name of ["assert.js", "sta.js", ...(isAsync ? ["doneprintHandle.js"] : []), ...meta.includes]) realm.evaluate(harnessScript(name));
  } catch (e) {
    return { path, status: "failed", reason: `harness: ${reasonOf(e)}` };
  }
  try {
    realm.evaluate(test);
  } catch (e) {
    if (e instanceof GuestThrow && negative?.phase === "runtime") {
      const name = nameOfThrown(e);
      return name === negative.type ? { path, status: "passed" } : { path, status: "failed", reason: `threw ${name}, not ${negative.type}` };
    }
    return { path, status: "failed", reason: reasonOf(e) };
  } finally {
    test.reset();
    for (const s of harness.values()) s.reset();
  }
  if (negative !== undefined) return { path, status: "failed", reason: `did not throw ${negative.type}` };
  if (!isAsync) return { path, status: "passed" };
  const said = realm.prints.find((p) => p.startsWith("Test262:"));
  if (said === "Test262:AsyncTestComplete") return { path, status: "passed" };
  return { path, status: "failed", reason: said ?? "never called $DONE" };
}

function reasonOf(e) {
  if (e instanceof GuestThrow) return describeThrow(e);
  if (e instanceof TimeOut) return `more than ${FILE_MS / 1000} s`;
  return `host error: ${e?.stack?.split("\n").slice(0, 4).join(" | ") ?? e}`;
}

process.on("message", ({ paths }) => {
  for (const path of paths) {
    let result;
    process.send({ started: path });
    try {
      result = run(path);
    } catch (e) {
      result = { path, status: "failed", reason: reasonOf(e) };
    }
    process.send({ result });
  }
  process.send({ idle: true });
});
process.send({ idle: true });
