#!/usr/bin/env node
// airlock: the command line.

import module from "node:module";
import { EXIT, UsageError } from "./exit.js";
import { Interrupted, interruption } from "./interrupt.js";
import { colors, printJson, say, shown } from "./terminal.js";

// A reader that has seen enough (`| head`) is no failure of ours.
process.stdout.on("error", (error) => process.exit("code" in error && error.code === "EPIPE" ? EXIT.completed : EXIT.failed));

interruption();
// Node 22 and later keep the compiled code of what is loaded from here on.
if ("enableCompileCache" in module && typeof module.enableCompileCache === "function") module.enableCompileCache();
const { cli } = await import("./cli.js");
const argv = process.argv.slice(2);
const code = await cli(argv).catch(failed);
// What a tool module left open (a timer, a socket) must not keep us; what was written must be out.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => stream.write("", () => resolve()))));
process.exit(code);

function failed(error: unknown): number {
  if (error instanceof Interrupted) {
    say(`Nothing was run: ${error.message}`);
    return error.exitCode;
  }
  if (error instanceof UsageError) {
    if (argv.includes("--json")) printJson({ status: "failed", error: { kind: "usage", message: error.message, hints: error.hints } });
    say([`${colors.red("airlock:")} ${shown(error.message)}`, ...error.hints.map((hint) => `  ${shown(hint)}`)].join("\n"));
    return EXIT.usage;
  }
  say(`${colors.red("airlock:")} internal error: ${shown(error instanceof Error ? (error.stack ?? error.message) : String(error))}`);
  return EXIT.failed;
}
