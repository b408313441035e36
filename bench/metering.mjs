// What metering costs: programs of calls and of loops on the interpreter as it is and on a copy of its build without steps and depth; and
// our patterns against the host's over a log.
//   node bench/metering.mjs [--rounds 9]
// Both builds take turns, each sample in a process of its own: the CPU time of the best of five runs there. The host's compiler takes its
// decisions anew in each process, and they differ by more than counting costs, so the medians of the rounds are compared, and the least too.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(import.meta.url);
const interpreter = fileURLToPath(new URL("../packages/interpreter/", import.meta.url));

const PROGRAMS = {
  "calls: fib": "const fib = (n) => n < 2 ? n : fib(n - 1) + fib(n - 2); return fib(27)",
  "calls: small functions":
    "const add = (a, b) => a + b; const twice = (x) => add(x, x); let n = 0; for (let i = 0; i < 4e5; i++) n = (n + twice(i)) % 1000; return n",
  "calls: methods":
    "class P { constructor(x) { this.x = x } get() { return this.x } add(o) { return new P(this.get() + o.get()) } } let p = new P(0); const one = new P(1); for (let i = 0; i < 2e5; i++) p = p.add(one); return p.x",
  "loops: counting": "let n = 0; for (let i = 0; i < 3e6; i++) n = (n + i) & 65535; return n",
  "loops: sieve":
    "const n = 5e5, s = new Array(n).fill(true); for (let i = 2; i * i < n; i++) if (s[i]) for (let j = i * i; j < n; j += i) s[j] = false; let c = 0; for (let i = 2; i < n; i++) if (s[i]) c++; return c",
  "loops: while": "let a = 1, b = 1, i = 0; while (i < 2e6) { const t = (a + b) % 9973; a = b; b = t; i++ } return a",
  "loops: nested": "let n = 0; for (let i = 0; i < 1500; i++) for (let j = 0; j < 1500; j++) n ^= i * j; return n",
};
const NO_LIMITS = { steps: Infinity, computeMs: Infinity, wallMs: Infinity };

const [mode, build, name] = process.argv.slice(2);
if (mode === "sample") {
  const { run } = await import(pathToFileURL(join(build, "src", "index.js")).href);
  // Other programs first: what a host that lives long has seen.
  for (const program of Object.values(PROGRAMS))
    await run(program.replace(/\de\d/g, "2e3").replace("fib(27)", "fib(12)"), { limits: NO_LIMITS });
  let best = Infinity;
  for (let i = 0; i < 5; i++) {
    const before = process.cpuUsage();
    const outcome = await run(PROGRAMS[name], { limits: NO_LIMITS });
    const { user, system } = process.cpuUsage(before);
    if (outcome.status !== "completed") throw new Error(outcome.error.message);
    best = Math.min(best, (user + system) / 1000);
  }
  process.stdout.write(String(best));
} else if (mode === "patterns") await patterns();
else {
  const rounds = Number(process.argv[process.argv.indexOf("--rounds") + 1] || 9) || 9;
  const folder = mkdtempSync(join(tmpdir(), "airlock-metering-"));
  const { steps, depths } = unmetered(folder);
  console.log(`Without metering: ${steps} places that count steps, ${depths} that count depth and stack, taken out.`);
  console.log(
    "| program | metered ms, median (least) | without ms, median (least) | ratio of medians | of least |\n|---|---:|---:|---:|---:|",
  );
  for (const program of Object.keys(PROGRAMS)) {
    const samples = [[], []];
    for (let i = 0; i < rounds; i++) {
      [join(interpreter, "dist"), join(folder, "dist")].forEach((of, k) => {
        samples[k].push(Number(execFileSync(process.execPath, [here, "sample", of, program], { encoding: "utf8" })));
      });
    }
    const [metered, without] = samples
      .map((all) => all.sort((a, b) => a - b))
      .map((all) => ({ least: all[0], median: all[all.length >> 1] }));
    const told = ({ median, least }) => `${median.toFixed(1)} (${least.toFixed(1)})`;
    const ratio = (key) => (metered[key] / without[key]).toFixed(2);
    console.log(`| ${program} | ${told(metered)} | ${told(without)} | ${ratio("median")} | ${ratio("least")} |`);
  }
  rmSync(folder, { recursive: true });
  console.log(execFileSync(process.execPath, [here, "patterns"], { encoding: "utf8" }));
}

/** A copy of the build whose compiled calls and loops count neither steps nor depth. */
function unmetered(folder) {
  cpSync(join(interpreter, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(interpreter, "package.json"), join(folder, "package.json"));
  symlinkSync(join(interpreter, "node_modules"), join(folder, "node_modules"));
  let steps = 0;
  let depths = 0;
  const compile = join(folder, "dist", "src", "compile");
  for (const file of readdirSync(compile)) {
    const path = join(compile, file);
    if (!file.endsWith(".js") || !statSync(path).isFile()) continue;
    const changed = readFileSync(path, "utf8")
      .replace(/if \(--R\.fuel < 0\)\s*(?:R\.run\.outOfFuel\(\)|refuel\(\w+\));/g, () => (steps++, ""))
      .replace(
        /R\.sites\[\+\+R\.depth\] = R\.site;\s*if \(R\.depth > R\.depthMax \|\| \(R\.stack \+= weight\) > R\.stackMax\)\s*R\.run\.tooDeep\(\);/g,
        () => (depths++, ""),
      )
      .replace(/R\.depth--;\s*R\.stack -= weight;/g, "");
    writeFileSync(path, changed);
  }
  if (steps < 10 || depths < 10) throw new Error(`the build is not as this benchmark knows it: ${steps} and ${depths} places`);
  return { steps, depths };
}

/** Ordinary patterns over a log of 13 KB with 200 hits. */
async function patterns() {
  const { compilePattern } = await import(pathToFileURL(join(interpreter, "dist", "src", "regexp", "index.js")).href);
  const lines = Array.from(
    { length: 200 },
    (_, i) =>
      `2025-03-${String(1 + (i % 28)).padStart(2, "0")} 12:0${i % 10}:00 ${["INFO", "WARN", "ERROR"][i % 3]} user${i}@a.example took ${i * 7} ms, job #${i}`,
  );
  const log = lines.join("\n");
  const meter = {
    fuel: 2 ** 30,
    outOfFuel() {
      this.fuel = 2 ** 30;
    },
  };
  console.log(
    `\n| pattern over a log of ${(log.length / 1000).toFixed(1)} KB | hits | ours ms | host ms | ratio |\n|---|---:|---:|---:|---:|`,
  );
  for (const [source, flags] of [
    ["\\d{4}-\\d\\d-\\d\\d", "g"],
    ["(\\w+)@(\\w+)\\.example", "g"],
    ["took (\\d+) ms", "g"],
    ["(?:INFO|WARN|ERROR)", "g"],
    ["^\\S+ \\S+ (?<level>[A-Z]+)", "gm"],
    ["user(\\d+)", "gi"],
    ["#\\d+$", "gm"],
  ]) {
    const ours = compilePattern(source, flags);
    const host = new RegExp(source, flags);
    const count = () => {
      let n = 0;
      for (let at = 0, found; (found = ours.match(log, at, meter)) !== null; n++) at = found[1] === found[0] ? found[1] + 1 : found[1];
      return n;
    };
    const hostCount = () => {
      let n = 0;
      host.lastIndex = 0;
      while (host.exec(log) !== null) n++;
      return n;
    };
    const least = (f) => {
      let best = Infinity;
      for (let i = 0; i < 60; i++) {
        const from = performance.now();
        for (let k = 0; k < 5; k++) f();
        best = Math.min(best, (performance.now() - from) / 5);
      }
      return best;
    };
    if (count() !== hostCount()) throw new Error(`other hits for ${source}`);
    const [a, b] = [least(count), least(hostCount)];
    console.log(
      `| \`/${source.replaceAll("|", "\\|")}/${flags}\` | ${hostCount()} | ${a.toFixed(3)} | ${b.toFixed(3)} | ${(a / b).toFixed(1)} |`,
    );
  }
}
