// What a command works with: configuration, trust, tool modules, servers, the catalog of their tools, and a runtime over it.

import { existsSync } from "node:fs";
import { createCatalog, type Catalog } from "@airlock/catalog";
import type { McpConnections, ServerFailure } from "@airlock/mcp-bridge";
import { createRuntime, type Rule, type Runtime, type RuntimeOptions } from "@airlock/runtime";
import { loadConfig, settle, type LoadedConfig, type Settings } from "./config/config.js";
import { UsageError } from "./exit.js";
import { interruption } from "./interrupt.js";
import { flagRules, savedRules, saveRule, type RuleFlags } from "./rules.js";
import { colors, count, say, shown, shownLine } from "./terminal.js";
import { loadModules } from "./tool-modules.js";
import { broughtBy, giveTrust, trustOf, type Brought } from "./trust.js";

export interface SessionFlags extends RuleFlags {
  config?: string;
  tools?: string[];
  trust?: boolean;
  /** Seconds that a run may take. */
  timeout?: number;
}

export interface SessionOptions {
  /** Asks whether a folder is trusted; absent where there is nobody to ask. */
  confirm?(lines: readonly string[], question: string): Promise<boolean>;
  /** The servers' tools changed. */
  onChange?(): void;
}

export interface Session {
  readonly config: LoadedConfig;
  readonly settings: Settings;
  readonly rules: readonly Rule[];
  readonly trust: TrustState;
  /** As of now. */
  readonly catalog: Catalog;
  readonly connections: McpConnections | undefined;
  readonly failures: readonly ServerFailure[];
  readonly moduleFailures: readonly { path: string; message: string }[];
  /** The same rules and tools for each; `ask` as the caller can. */
  createRuntime(ask?: RuntimeOptions["ask"], options?: Partial<RuntimeOptions>): Runtime;
  close(): Promise<void>;
}

export type TrustState = "nothing to trust" | "trusted" | "not trusted";

/**
 * Opens all that the flags and the configuration of this folder name. What does not start is said on stderr, and stops nothing.
 *
 * @throws UsageError for a wrong configuration or a path in `--tools` that is not there; the reason of an interruption while servers start
 */
export async function openSession(flags: SessionFlags, options: SessionOptions = {}): Promise<Session> {
  const given = flagRules(flags);
  const config = await loadConfig(process.cwd(), flags.config);
  const trust = await decideTrust(config, flags, options);
  interruption().signal.throwIfAborted();
  const settings = settle(config, trust !== "not trusted");
  const rules = [...settings.rules, ...savedRules(config.root), ...given];
  const absent = flags.tools?.find((path) => !existsSync(path));
  if (absent !== undefined) throw new UsageError(`--tools ${shownLine(absent)}: there is no such file or folder.`);
  const modules = await loadModules([...settings.tools, ...(flags.tools ?? [])]);
  for (const { path, message } of modules.failures) say(colors.yellow(`Tool module ${shownLine(path)} can't be used: ${message}`));

  let connections: McpConnections | undefined;
  let catalog: Catalog;
  const refresh = (): void => {
    catalog = createCatalog([...modules.tools, ...(connections?.tools ?? [])]);
  };
  if (Object.values(settings.servers).some((server) => server?.disabled !== true)) {
    // Only where it is needed: it brings the whole SDK.
    const { connectServers } = await import("@airlock/mcp-bridge");
    const waiting = new Set<string>();
    const tellWaiting = setTimeout(() => say(colors.dim(`Waiting for MCP servers to start: ${shownLine([...waiting].join(", "))}`)), 3_000);
    connections = await connectServers(settings.servers, {
      signal: interruption().signal,
      onStatus: ({ server, state }) => void (state === "starting" ? waiting.add(server) : waiting.delete(server)),
      onChange: () => {
        refresh();
        options.onChange?.();
      },
    }).finally(() => clearTimeout(tellWaiting));
  }
  refresh();
  for (const { message, hint } of connections?.failures ?? []) {
    const gap = message.includes("\n") ? "\n" : " ";
    say(colors.yellow(shown(hint === "" ? message : `${message}${gap}${hint}`)));
  }

  const runtimes: Runtime[] = [];
  return {
    config,
    settings,
    rules,
    trust,
    get catalog() {
      return catalog;
    },
    connections,
    get failures() {
      return connections?.failures ?? [];
    },
    moduleFailures: modules.failures,
    createRuntime(ask, more = {}) {
      const runtime = createRuntime({
        catalog: () => catalog,
        permission: rules,
        isolation: "worker",
        limits: { ...settings.limits, ...(flags.timeout === undefined ? {} : { wallMs: flags.timeout * 1_000 }) },
        listing: settings.listing,
        search: catalog.registrations.length > 0,
        root: config.root,
        unavailable: () => connections?.failures ?? [],
        onSaved: (rule) => saveRule(config.root, rule),
        ...(settings.text === undefined ? {} : { text: settings.text }),
        ...(ask === undefined ? {} : { ask }),
        ...more,
      });
      runtimes.push(runtime);
      return runtime;
    },
    async close() {
      await Promise.all([...runtimes.map((runtime) => runtime.close()), connections?.close()]);
    },
  };
}

async function decideTrust(config: LoadedConfig, flags: SessionFlags, { confirm }: SessionOptions): Promise<TrustState> {
  const brought = broughtBy(config);
  if (brought.lines.length === 0) return "nothing to trust";
  const state = trustOf(brought);
  if (state === "trusted") return "trusted";
  if (flags.trust === true || (await confirm?.(question(brought, state), "Trust this folder?")) === true) {
    giveTrust(brought);
    return "trusted";
  }
  const what = state === "changed" ? "has changed since you trusted it" : "is not trusted yet";
  const how = confirm === undefined ? "Look at it, then run once in a terminal, or with --trust." : "Its deny rules hold all the same.";
  say(
    colors.yellow(
      `The folder ${shownLine(brought.path)} ${what}: ${brought.summary} of it ${brought.lines.length === 1 ? "does" : "do"} not take effect. ${how}`,
    ),
  );
  return "not trusted";
}

function question({ path, lines }: Brought, state: "changed" | "unknown"): string[] {
  const head =
    state === "changed"
      ? `What the folder ${shownLine(path)} brings has changed:`
      : `The folder ${shownLine(path)} brings ${count(lines.length, "thing")} that can act on this machine:`;
  const most = 30;
  return [head, ...lines.slice(0, most).map((line) => `  ${line}`), ...(lines.length > most ? [`  and ${lines.length - most} more`] : [])];
}
