// airlock demo: a real program over servers of ours and of npm, in a folder that is gone afterwards; then the same task for the agent.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { memoryStore, parseTranscript, runAgent, scripted, type AgentEvent, type Transcript } from "@airlock/agent";
import { createCatalog } from "@airlock/catalog";
import type { ServerConfig } from "@airlock/mcp-bridge";
import { createRuntime, type PermissionMap, type Runtime } from "@airlock/runtime";
import { EXIT, UsageError } from "../exit.js";
import { interruption } from "../interrupt.js";
import { tellExecution } from "../outcome.js";
import { Progress } from "../progress.js";
import { count, duration, ink, print, shown } from "../terminal.js";

const TASK = "Which open bugs concern services that have alerts right now? Write a report, remember the services, and tell #incidents.";
const PERMISSION: PermissionMap = { "*": "allow", "chat.post_message": { "*#incidents*": "deny", "*incidents*": "deny" } };

export async function demo(): Promise<number> {
  const interrupted = interruption();
  const folder = mkdtempSync(join(tmpdir(), "airlock-demo-"));
  const { connectServers } = await import("@airlock/mcp-bridge");
  const startedAt = performance.now();
  const connections = await connectServers(servers(folder), { signal: interrupted.signal });
  const runtime = createRuntime({ catalog: createCatalog(connections.tools), permission: PERMISSION, isolation: "worker", root: folder });
  try {
    title("Servers");
    for (const { server, tools, failure } of connections.servers)
      print(failure === undefined ? `${server.padEnd(8)} ${count(tools, "tool")}` : shown(`${server}: ${failure.message} ${failure.hint}`));
    print(ink.dim(`started in ${duration(performance.now() - startedAt)}`));

    const program = readFileSync(demoFile("report.js"), "utf8");
    title("A program");
    print(
      program
        .trimEnd()
        .split("\n")
        .map((line, index) => `${ink.dim(String(index + 1).padStart(3))}  ${line}`)
        .join("\n"),
    );
    title("Its calls");
    const progress = new Progress({ output: process.stdout });
    const execution = await runtime.execute(program, { signal: interrupted.signal, onEvent: progress.onEvent });
    progress.stop();
    title("Its result");
    const code = tellExecution(execution, { name: "report.js", interruption: interrupted });
    if (code !== EXIT.completed) return code;
    print(
      ink.dim(
        `${count(execution.calls.length, "call")} in ${duration(execution.stats.wallMs)}, of which the program itself took ${duration(execution.stats.computeMs)}`,
      ),
    );

    title("The same task for the agent (its model is a transcript: no key is needed)");
    return await askAgent(runtime, program);
  } finally {
    await runtime.close();
    await connections.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function askAgent(runtime: Runtime, program: string): Promise<number> {
  const interrupted = interruption();
  const progress = new Progress({ output: process.stdout });
  print(`> ${TASK}\n`);
  const onEvent = (event: AgentEvent): void => {
    if (event.type === "text") process.stdout.write(shown(event.delta));
    else if (event.type === "tool.call")
      progress.line(ink.dim(`  execute: a program of ${String(event.input.code).split("\n").length} lines, the one above`));
    else if (event.type === "execution") progress.onEvent(event.event);
    else if (event.type === "tool.result" || event.type === "tool.error") {
      const text = event.result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
      progress.line(ink.dim(`  the model reads: ${shown(text)}\n`));
    }
  };
  const result = await runAgent({
    runtime,
    provider: scripted(transcript(program)),
    store: memoryStore(),
    prompt: TASK,
    signal: interrupted.signal,
    onEvent,
  });
  progress.stop();
  if (result.reason === "stop") return EXIT.completed;
  print(`The agent ended: ${result.reason}${result.error === undefined ? "" : `: ${shown(result.error.message)}`}`);
  return interrupted.exitCode ?? EXIT.failed;
}

function transcript(program: string): Transcript {
  const read = parseTranscript(readFileSync(demoFile("transcript.json"), "utf8"));
  for (const event of read.steps.flatMap(({ events }) => events ?? [])) if ("tool" in event) event.code = program.trimEnd().split("\n");
  return read;
}

/** Development dependencies of this package: the demo is for the repository. */
function servers(folder: string): { [name: string]: ServerConfig } {
  const fixtures = installed("@airlock/fixtures").replace(/index\.js$/, "main.js");
  const fixture = (name: string): ServerConfig => ({ command: process.execPath, args: [fixtures, name] });
  return {
    issues: fixture("issues"),
    metrics: fixture("metrics"),
    chat: fixture("chat"),
    files: { command: process.execPath, args: [installed("@modelcontextprotocol/server-filesystem/dist/index.js"), folder], cwd: folder },
    memory: {
      command: process.execPath,
      args: [installed("@modelcontextprotocol/server-memory/dist/index.js")],
      env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
    },
  };
}

function installed(specifier: string): string {
  try {
    return fileURLToPath(import.meta.resolve(specifier));
  } catch {
    throw new UsageError(`The demo needs ${specifier}, which is only installed in Airlock's repository.`);
  }
}

function demoFile(name: string): string {
  return fileURLToPath(new URL(`../../../demo/${name}`, import.meta.url));
}

function title(text: string): void {
  print(`\n${ink.bold(text)}\n`);
}
