// Differential tests: generated programs, run by our interpreter and by Node's engine. Differences are shrunk and printed.
//
//   node packages/interpreter/differential/run.mjs [--programs 20000] [--seed N] [--jobs 2] [--families language,async]

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { check } from "./check.mjs";

const { values } = parseArgs({
  options: {
    programs: { type: "string", default: "20000" },
    seed: { type: "string" },
    jobs: { type: "string", default: "2" },
    families: { type: "string" },
    job: { type: "string" },
  },
});

const options = {
  programs: Number(values.programs),
  seed: values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed),
  families: values.families?.split(","),
};

if (values.job !== undefined) {
  process.send(await check(options, (found) => process.send({ found })));
  process.exit(0);
}

const jobs = Math.max(1, Number(values.jobs));
const started = Date.now();
console.log(`Seed ${options.seed}, ${options.programs} programs, ${jobs} jobs.`);
const signatures = new Map();
const totals = await Promise.all(Array.from({ length: jobs }, (_, job) => runJob(job)));
const total = (name) => totals.reduce((sum, each) => sum + each[name], 0);
const kinds = [...signatures].sort((a, b) => b[1] - a[1]);
console.log(
  `\n${total("programs")} programs, ${total("refused")} of them refused by both, ${total("unanswered")} without an answer (too long or too large), ${total("differences")} differences (${kinds.length} kinds), ${Math.round((Date.now() - started) / 1000)} s.`,
);
process.exitCode = total("differences") > 0 || total("programs") === 0 ? 1 : 0;

/** A process that tests its share: where one job would use seed s, job i uses s + i million. */
function runJob(job) {
  const share = Math.ceil(options.programs / jobs);
  const args = ["--job", String(job), "--programs", String(share), "--seed", String((options.seed + job * 1_000_003) % 2 ** 31)];
  if (options.families !== undefined) args.push("--families", options.families.join(","));
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), args);
    let result;
    child.on("message", (message) => {
      if (message.found === undefined) result = message;
      else report(message.found);
    });
    child.on("exit", (code) => (result === undefined ? reject(new Error(`Job ${job} ended with ${code}.`)) : resolve(result)));
  });
}

function report({ signature, text, zone, seed, difference }) {
  const before = signatures.get(signature) ?? 0;
  signatures.set(signature, before + 1);
  if (before > 0) return;
  console.log(
    `\n──── seed ${seed}, ${zone}\n${text}\n  after  ${difference.before.join(" ⏎ ")}\n  node   ${difference.wanted}\n  ours   ${difference.got}`,
  );
}
