// From the results of a run to tables. Also a command: node bench/report.mjs [results.json] [wall|cpu|least]

import { readFileSync } from "node:fs";
import { CORE, WORKLOADS } from "./workloads.mjs";

export const MODES = ["cold", "first", "warm", "again", "polluted-first", "polluted"];

const ABOUT = {
  cold: "Cold: loading the engine and its first run, in a fresh process",
  first: "First run in a fresh process, the engine loaded",
  warm: "Warm: one source again and again",
  again: "Compiled again: each run has a source that was not there before",
  "polluted-first": "First run in a process that has run ten other programs",
  polluted: "After ten other programs, one source again and again",
};

/** The median over the repetitions of one cell, or undefined. */
export function figure(results, engine, workload, mode, metric = results.metric) {
  const cells = results.cells[engine]?.[workload];
  const list = cells?.[mode === "again" && results.compilesEachTime.includes(engine) ? "warm" : mode];
  return list?.length ? median(list.map((entry) => entry[metric])) : undefined;
}

export function geometricMean(list) {
  return list.length === 0 ? undefined : Math.exp(list.reduce((sum, value) => sum + Math.log(value), 0) / list.length);
}

export function markdown(results) {
  const engines = Object.keys(results.cells);
  const names = WORKLOADS.map((workload) => workload.name).filter((name) =>
    engines.some((engine) => results.cells[engine][name] !== undefined),
  );
  const parts = [
    `# Benchmark of ${results.when.slice(0, 10)}`,
    `${results.machine}; Node ${results.node}; load ${results.load.map((load) => load.toFixed(1)).join(", ")}; ${results.reps} repetitions, medians of the ${results.metric === "cpu" ? "processor time of the process" : results.metric === "least" ? "least wall time" : "wall time"}.`,
    `Versions: ${Object.entries(results.versions)
      .map(([engine, version]) => `${engine} ${version}`)
      .join(", ")}.`,
    ...results.notes.map((note) => `Note: ${note}.`),
  ];
  const ours = engines.filter((engine) => engine.startsWith("airlock"));
  const others = engines.filter((engine) => !engine.startsWith("airlock"));
  for (const mode of MODES) {
    const isMeasured = (name) => engines.some((engine) => results.cells[engine][name]?.[mode] !== undefined);
    const rows = names.filter((name) => name !== "memory" && isMeasured(name));
    if (rows.length === 0) continue;
    parts.push(`## ${ABOUT[mode]}`);
    parts.push(
      table(
        ["ms", ...engines],
        rows.map((name) => [name, ...engines.map((engine) => timeText(results, engine, name, mode))]),
      ),
    );
    for (const our of ours) {
      if (others.length === 0) continue;
      const ratio = (other, name) => {
        const a = figure(results, our, name, mode);
        const b = figure(results, other, name, mode);
        return a !== undefined && b !== undefined ? a / b : undefined;
      };
      const means = others.map((other) => geometricMean(CORE.map((name) => ratio(other, name)).filter((value) => value !== undefined)));
      const lines = rows.map((name) => [name, ...others.map((other) => ratioText(ratio(other, name)))]);
      lines.push([`mean of ${CORE.length}`, ...means.map(ratioText)]);
      parts.push(
        `The time of ${our} where the other engine's is 1 (the mean is the geometric one of ${CORE.join(", ")}):`,
        table(["", ...others], lines),
      );
    }
  }
  const peaks = engines.map((engine) => figure(results, engine, "memory", "memory"));
  if (peaks.some((peak) => peak !== undefined))
    parts.push(
      "## Peak memory of the process with array-pipeline",
      table(["", ...engines], [["MB", ...peaks.map((peak) => peak?.toFixed(0) ?? "")]]),
    );
  const failures = engines.flatMap((engine) =>
    Object.entries(results.failures[engine]).flatMap(([name, modes]) =>
      Object.entries(modes).map(
        ([mode, { status, message }]) => `- ${engine}, ${name} (${mode}): ${status}: ${message.replaceAll("\n", " ")}`,
      ),
    ),
  );
  if (failures.length > 0) parts.push("## Without a figure", failures.join("\n"));
  return parts.join("\n\n") + "\n";
}

function timeText(results, engine, name, mode) {
  const time = figure(results, engine, name, mode);
  if (time !== undefined)
    return time >= 100 ? time.toFixed(0) : time >= 10 ? time.toFixed(1) : time >= 0.1 ? time.toFixed(2) : time.toFixed(3);
  return Object.values(results.failures[engine]?.[name] ?? {})[0]?.status ?? "";
}

function ratioText(ratio) {
  if (ratio === undefined) return "";
  return ratio >= 100 ? ratio.toFixed(0) : ratio >= 10 ? ratio.toFixed(1) : ratio >= 0.1 ? ratio.toFixed(2) : ratio.toFixed(3);
}

function table(head, rows) {
  return [line(head), line(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

function line(cells) {
  return `| ${cells.join(" | ")} |`;
}

function median(list) {
  return list.toSorted((a, b) => a - b)[(list.length - 1) >> 1];
}

if (process.argv[1] !== undefined && import.meta.url.endsWith("/" + process.argv[1].split(/[\\/]/).at(-1))) {
  const results = JSON.parse(readFileSync(process.argv[2] ?? new URL("results/latest.json", import.meta.url), "utf8"));
  if (process.argv[3] !== undefined) results.metric = process.argv[3];
  console.log(markdown(results));
}
