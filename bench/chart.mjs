// The chart of the README: node bench/chart.mjs [results.json] [out.svg] [mode]
//
// One row for each workload, one dot for each engine, on a logarithmic axis: the time where that of quickjs-emscripten is 1.

import { readFileSync, writeFileSync } from "node:fs";
import { figure } from "./report.mjs";
import { WORKLOADS } from "./workloads.mjs";

const [input, output, mode = "warm"] = process.argv.slice(2);
const BASE = "quickjs-emscripten";
const COLORS = {
  airlock: "#d9480f",
  "airlock-worker": "#f08c00",
  native: "#868e96",
  [BASE]: "#1c7ed6",
  "isolated-vm": "#2b8a3e",
  sval: "#9c36b5",
  ses: "#0b7285",
};
const ROW = 20;
const LEFT = 130;
const WIDTH = 760;
const TOP = 56;

const results = JSON.parse(readFileSync(input ?? new URL("results/latest.json", import.meta.url), "utf8"));
const engines = Object.keys(COLORS).filter((engine) => results.cells[engine] !== undefined);
const measured = WORKLOADS.filter(
  ({ name }) => figure(results, BASE, name, mode) !== undefined && figure(results, "airlock", name, mode) !== undefined,
).map(({ name }) => ({
  name,
  dots: engines.flatMap((engine) => {
    const time = figure(results, engine, name, mode);
    return time === undefined ? [] : [{ engine, ratio: time / figure(results, BASE, name, mode) }];
  }),
}));
const svg = draw(measured);
if (output === undefined) console.log(svg);
else writeFileSync(output, svg);

function draw(rows) {
  const ratios = rows.flatMap(({ dots }) => dots.map(({ ratio }) => ratio));
  const low = Math.floor(Math.log10(Math.min(...ratios, 0.1)));
  const high = Math.ceil(Math.log10(Math.max(...ratios, 10)));
  const x = (ratio) => round(LEFT + ((Math.log10(ratio) - low) / (high - low)) * (WIDTH - LEFT - 24));
  const y = (row) => TOP + row * ROW + ROW / 2;
  const bottom = TOP + rows.length * ROW;
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 46}" font-family="system-ui, sans-serif" font-size="12" role="img">`,
    `<title>Time of each workload, ${mode}, that of ${BASE} being 1</title>`,
    `<style>text{fill:#343a40}.axis{stroke:#dee2e6}.one{stroke:#868e96}@media (prefers-color-scheme:dark){text{fill:#ced4da}.axis{stroke:#495057}}</style>`,
  ];
  let at = LEFT;
  for (const engine of engines) {
    out.push(`<circle cx="${at}" cy="20" r="5" fill="${COLORS[engine]}"/><text x="${at + 9}" y="24">${engine}</text>`);
    at += 26 + engine.length * 7;
  }
  for (let power = low; power <= high; power++) {
    const ratio = 10 ** power;
    out.push(`<line class="${power === 0 ? "one" : "axis"}" x1="${x(ratio)}" x2="${x(ratio)}" y1="${TOP - 6}" y2="${bottom}"/>`);
    out.push(
      `<text x="${x(ratio)}" y="${bottom + 16}" text-anchor="middle">${power === 0 ? "1" : ratio < 1 ? `1/${round(1 / ratio)}` : `${ratio}×`}</text>`,
    );
  }
  rows.forEach(({ name, dots }, row) => {
    const ends = dots.map(({ ratio }) => x(ratio));
    out.push(`<text x="${LEFT - 10}" y="${y(row) + 4}" text-anchor="end">${name}</text>`);
    out.push(`<line class="axis" x1="${Math.min(...ends)}" x2="${Math.max(...ends)}" y1="${y(row)}" y2="${y(row)}"/>`);
    // Ours last, so that it lies on top.
    for (const { engine, ratio } of dots.toReversed())
      out.push(
        `<circle cx="${x(ratio)}" cy="${y(row)}" r="5" fill="${COLORS[engine]}"><title>${engine}: ${ratio.toPrecision(2)}</title></circle>`,
      );
  });
  out.push(
    `<text x="${(LEFT + WIDTH) / 2}" y="${bottom + 38}" text-anchor="middle">time, ${mode}, where that of ${BASE} is 1 (less is better)</text>`,
    "</svg>",
  );
  return out.join("\n") + "\n";
}

function round(n) {
  return Math.round(n * 10) / 10;
}
