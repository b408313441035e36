// The programs that are measured. `kind` says what is measured of them:
// run (one run's time), many (the time of each of `count` runs, one after another), memory (the process's peak). `records`: it asks for the
// large answer, which is made ahead; the others' processes do not hold those 20 MB, which the host's collector would have to go through.

import { readFileSync } from "node:fs";

const run = (name, about) => ({ name, about, kind: "run", file: name });

export const WORKLOADS = [
  run("empty", "`return 1`"),
  run("fib", "fib(27): calls"),
  run("loops", "sieve to 2,000,000 and a Mandelbrot set"),
  run("array-pipeline", "200,000 records: filter, map, reduce, sort"),
  run("group-count", "200,000 records counted by computed keys and in a Map"),
  run("strings", "2,000,000 characters: built, split, counted, matched, replaced"),
  { ...run("json", "5 MB from a tool, to text and back, summed up"), records: true },
  run("sequential-calls", "20,000 tool calls one after another"),
  run("parallel-calls", "5,000 tool calls at once"),
  run("modern-mix", "classes, generators, destructuring, errors"),
  run("nbody", "floating point in properties"),
  { ...run("typical", "three calls, filter, join, summary; time of one execute"), kind: "many", count: 2_000 },
  run("deep-recursion", "5,000 frames, twenty times"),
  { ...run("memory", "peak memory of array-pipeline (MB)"), kind: "memory", file: "array-pipeline" },
  run("class-heavy", "fields, private names, accessors, super"),
  run("try-catch-loops", "errors thrown, caught, passed by"),
  run("generators", "lazy pipelines, delegation, trees"),
  run("closures", "counters, currying, composition, memoisation"),
  run("regex-text", "20,000 log lines by pattern"),
  run("map-set", "maps and sets with text, number and object keys"),
  run("date-format", "20,000 dates written, 20,000 parsed"),
  run("json-round-trip", "11,000 small documents to text and back"),
  run("join-10000", "two tables of 10,000 rows joined and grouped"),
  run("string-building", "concatenation, templates, join, pad, char codes"),
  run("sort-comparators", "20,000 records by several keys"),
  run("destructuring", "patterns with defaults and rests"),
  run("typed-arrays", "checksums, a matrix product, views"),
  run("promise-all-5000", "5,000 async functions at once, 20,000 awaits"),
  { ...run("fresh-2000", "a small program in a fresh runtime, 2,000 times; time of one execute"), kind: "many", count: 2_000 },
];

export const sourceOf = (workload) => readFileSync(new URL(`workloads/${workload.file}.js`, import.meta.url), "utf8");

/** The computing workloads whose speed is told as one figure: their geometric mean. */
export const CORE = ["fib", "loops", "array-pipeline", "group-count", "strings", "json", "modern-mix", "nbody"];
