// Runs programs of a seed in this process, one after the other, and tells the parent of each; or one program of a file.
//   node child.mjs SEED FROM STEP            until it is told to stop or finds a fault
//   node child.mjs --file PROGRAM.js SEED INDEX

import "./collect.mjs";

const { Checker } = await import("./check.mjs");
const { Programs } = await import("./programs.mjs");
const { readFileSync } = await import("node:fs");

const args = process.argv.slice(2);
const checker = await Checker.create();
const HOST_EVERY = 20;

try {
  await main();
} catch (error) {
  console.error(error);
  process.exit(2);
}

async function main() {
  if (args[0] === "--file") {
    const { fault } = await checker.check(readFileSync(args[1], "utf8"), Number(args[2]), Number(args[3]));
    process.send?.({ fault: fault ?? checker.host() }, () => process.exit(0));
    if (process.send === undefined) {
      console.log(fault ?? checker.host() ?? "no fault");
      process.exit(0);
    }
  } else {
    const [seed, from, step] = args.map(Number);
    const programs = await Programs.create(seed, checker.run);
    for (let index = from, n = 1; ; index += step, n++) {
      process.send({ start: index });
      const program = programs.at(index);
      const { fault, status } = await checker.check(program, seed, index);
      const found = fault ?? (n % HOST_EVERY === 0 ? checker.host() : null);
      process.send({ end: index, status, fault: found, program: found === null ? undefined : program });
      if (found !== null) break;
      if (n % 50 === 0) await new Promise((done) => setImmediate(done));
      // A process that has run for long is replaced, so that what one program leaves behind is not taken for another's.
      if (n >= 2_000) break;
    }
    process.disconnect();
  }
}
