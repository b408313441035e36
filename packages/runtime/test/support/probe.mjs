// Runs one hostile probe under its own limits in this process, then a plain program, and reports as a line of JSON.
//   node probe.mjs ISOLATION PROGRAM TIME_MS MEMORY_MB

import { createCatalog } from "@airlock/catalog";
import { createRuntime } from "../../dist/src/index.js";

const [isolation, program, timeMs, memoryMb] = process.argv.slice(2);
const escaped = [];
process.on("unhandledRejection", (reason) => escaped.push(String(reason)));
process.on("uncaughtException", (error) => escaped.push(String(error)));
const tool = (name, execute) => ({ server: "t", name, inputSchema: {}, execute });
const runtime = createRuntime({
  catalog: createCatalog([tool("ping", async () => 1), tool("never", () => new Promise(() => {}))]),
  permission: { "*": "allow" },
  isolation,
  workers: 2,
  limits: { computeMs: Number(timeMs), wallMs: Number(timeMs) + 1_000, toolMs: Number(timeMs), memoryBytes: Number(memoryMb) * 1_048_576 },
});
await runtime.execute("return 1");
const outcome = await runtime.execute(program);
const after = await runtime.execute("return 1");
await runtime.close();
const ended = outcome.status === "failed" ? (outcome.error.limit ?? outcome.error.kind) : `returned ${JSON.stringify(outcome.value)}`;
process.stdout.write(
  `${JSON.stringify({ ended, after: after.value, escaped, peakMb: Math.round(process.resourceUsage().maxRSS / 1024) })}\n`,
);
process.exit(0);
