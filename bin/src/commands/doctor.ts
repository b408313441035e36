// airlock doctor: is everything there that a run needs? Each thing with what to do about it.

import { accessSync, constants, mkdirSync } from "node:fs";
import { createCatalog } from "@airlock/catalog";
import { createRuntime } from "@airlock/runtime";
import { loadConfig, settle, type LoadedConfig } from "../config/config.js";
import { configFolder, dataFolder } from "../config/folders.js";
import { EXIT, UsageError } from "../exit.js";
import { interruption } from "../interrupt.js";
import { count, duration, ink, print, printJson, shownLine } from "../terminal.js";
import { loadModules, moduleFiles } from "../tool-modules.js";
import { broughtBy, trustOf } from "../trust.js";

export interface DoctorFlags {
  config?: string;
  json?: boolean;
}

interface Finding {
  what: string;
  state: "ok" | "warning" | "problem";
  text: string;
  hint?: string;
}

export async function doctor(flags: DoctorFlags): Promise<number> {
  interruption();
  const findings: Finding[] = [];
  const tell = (finding: Finding): void => {
    findings.push(finding);
    if (flags.json) return;
    const mark = { ok: ink.green("✓"), warning: ink.yellow("!"), problem: ink.red("✗") }[finding.state];
    print(
      `${mark} ${finding.what}: ${[...finding.text.split("\n"), ...(finding.hint ? [finding.hint] : [])].map((line) => shownLine(line, 500)).join("\n    ")}`,
    );
  };
  tell(node());
  tell(folder());
  tell(await interpreter());
  const config = await configuration(flags.config, tell);
  if (config !== undefined) await examine(config, tell);
  tell(models());
  if (flags.json) printJson({ findings });
  if (config === undefined) return EXIT.usage;
  return findings.some(({ state }) => state === "problem") ? EXIT.failed : EXIT.completed;
}

function node(): Finding {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const fits = major > 20 || (major === 20 && minor >= 19);
  return {
    what: "Node",
    state: fits ? "ok" : "problem",
    text: process.version,
    ...(fits ? {} : { hint: "Airlock needs Node 20.19 or later." }),
  };
}

function folder(): Finding {
  const path = dataFolder();
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK);
    return { what: "Data folder", state: "ok", text: path };
  } catch (error) {
    return {
      what: "Data folder",
      state: "problem",
      text: `${path}: ${error instanceof Error ? error.message : String(error)}`,
      hint: "Trust, approvals and sessions can't be kept. AIRLOCK_DATA_DIR names another folder.",
    };
  }
}

async function interpreter(): Promise<Finding> {
  const runtime = createRuntime({ catalog: createCatalog([]), permission: {}, isolation: "worker" });
  const startedAt = performance.now();
  const execution = await runtime.execute("[1, 2, 3].map((x) => x * 2)");
  await runtime.close();
  const works = execution.status === "completed" && JSON.stringify(execution.value) === "[2,4,6]";
  return {
    what: "Interpreter",
    state: works ? "ok" : "problem",
    text: works
      ? `runs a program in a worker (${duration(performance.now() - startedAt)})`
      : execution.status === "failed"
        ? execution.error.message
        : "gives a wrong result",
  };
}

async function configuration(given: string | undefined, tell: (finding: Finding) => void): Promise<LoadedConfig | undefined> {
  try {
    const config = await loadConfig(process.cwd(), given);
    const files = config.files.map(({ path }) => path);
    tell({
      what: "Configuration",
      state: "ok",
      text: files.length === 0 ? "no files" : files.join(", "),
      ...(files.length === 0 ? { hint: `airlock init writes one to ${configFolder()}.` } : {}),
    });
    return config;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    tell({
      what: "Configuration",
      state: "problem",
      text: error.message,
      ...(error.hints.length > 0 ? { hint: error.hints.join(" ") } : {}),
    });
    return undefined;
  }
}

async function examine(config: LoadedConfig, tell: (finding: Finding) => void): Promise<void> {
  const brought = broughtBy(config);
  const trust = brought.lines.length === 0 ? "trusted" : trustOf(brought);
  if (brought.lines.length > 0) {
    tell({
      what: "Trust",
      state: trust === "trusted" ? "ok" : "warning",
      text:
        trust === "trusted"
          ? `${brought.path} (${brought.summary})`
          : `${brought.path} ${trust === "changed" ? "has changed since you trusted it" : "is not trusted yet"}: ${brought.summary}`,
      ...(trust === "trusted" ? {} : { hint: "Look at it, then run a command in a terminal, or with --trust." }),
    });
  }
  const settings = settle(config, trust === "trusted");
  if (moduleFiles(settings.tools).length > 0) {
    const { tools, failures } = await loadModules(settings.tools);
    tell({
      what: "Tool modules",
      state: failures.length > 0 ? "problem" : "ok",
      text: [count(tools.length, "tool"), ...failures.map(({ path, message }) => `${path}: ${message}`)].join("; "),
    });
  }
  if (Object.keys(settings.servers).length === 0) return tell({ what: "Servers", state: "ok", text: "none configured" });
  const { connectServers } = await import("@airlock/mcp-bridge");
  const startedAt = performance.now();
  const connections = await connectServers(settings.servers, { signal: interruption().signal });
  const took = duration(performance.now() - startedAt);
  try {
    for (const { server, tools, protocol, info, warnings, noise, failure } of connections.servers) {
      const what = `Server ${shownLine(server, 60)}`;
      if (failure !== undefined) tell({ what, state: "problem", text: failure.message, hint: failure.hint });
      else {
        const remarks = [
          ...warnings,
          ...(noise === undefined || noise.lines === 0 ? [] : [`${count(noise.lines, "line")} on stdout that were no MCP messages`]),
        ];
        const name = info === undefined ? "" : ` (${info.name} ${info.version})`;
        tell({
          what,
          state: remarks.length > 0 ? "warning" : "ok",
          text: `${count(tools, "tool")} over ${protocol ?? "?"}${name}, all servers in ${took}`,
          ...(remarks.length > 0 ? { hint: remarks.join("; ") } : {}),
        });
      }
    }
    for (const { message } of createCatalog(connections.tools).warnings) tell({ what: "Tools", state: "warning", text: message });
  } finally {
    await connections.close();
  }
}

function models(): Finding {
  const keys = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "AIRLOCK_LOCAL_BASE_URL"].filter((name) => process.env[name]);
  return keys.length > 0
    ? { what: "Models", state: "ok", text: `${keys.join(", ")} set` }
    : {
        what: "Models",
        state: "ok",
        text: "no key is set",
        hint: "Only airlock agent needs one: ANTHROPIC_API_KEY, OPENAI_API_KEY, or AIRLOCK_LOCAL_BASE_URL.",
      };
}
