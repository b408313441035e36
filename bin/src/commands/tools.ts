// airlock tools [QUERY]: list, search, signatures, declarations, what they cost, why a call is allowed or not, what was left out.

import { estimateTokens, nearestNames, type Catalog, type Registration } from "@airlock/catalog";
import type { Runtime } from "@airlock/runtime";
import { findPerson } from "../ask.js";
import { EXIT, UsageError } from "../exit.js";
import { interruption } from "../interrupt.js";
import { openSession, type Session, type SessionFlags } from "../session.js";
import { count, ink, print, printJson, printResult, say, shown, shownLine } from "../terminal.js";

export interface ToolsFlags extends SessionFlags {
  server?: string;
  json?: boolean;
  declarations?: boolean;
  cost?: boolean;
  why?: string;
  skipped?: boolean;
}

export async function tools(query: string | undefined, flags: ToolsFlags): Promise<number> {
  interruption();
  const person = findPerson();
  const session = await openSession(flags, person === undefined ? {} : { confirm: person.confirm });
  try {
    const runtime = session.createRuntime(undefined, { search: false, isolation: "none" });
    const { snapshot } = runtime.instructions();
    checkServer(snapshot, flags.server);
    if (flags.why !== undefined) await tellWhy(runtime, flags.why, flags.json);
    else if (flags.skipped) tellSkipped(session, snapshot, flags.json);
    else if (flags.cost) tellCost(runtime, snapshot, flags.json);
    else tellTools(snapshot, query, flags);
    return EXIT.completed;
  } finally {
    await session.close();
  }
}

function checkServer(snapshot: Catalog, server: string | undefined): void {
  const servers = [...new Set(snapshot.registrations.map(({ tool }) => tool.server))];
  if (server === undefined || servers.includes(server)) return;
  const [near] = nearestNames(server, servers, 1);
  throw new UsageError(`There is no server "${server}" with tools.`, [
    near === undefined ? `Servers: ${servers.length === 0 ? "none" : servers.join(", ")}.` : `Did you mean "${near}"?`,
  ]);
}

function tellTools(snapshot: Catalog, query: string | undefined, { server, json, declarations }: ToolsFlags): void {
  const scope = server === undefined ? {} : { server };
  const found = query === undefined ? undefined : snapshot.search(query, { ...scope, limit: 20 });
  const registrations =
    found === undefined
      ? snapshot.registrations.filter(({ tool }) => server === undefined || tool.server === server)
      : found.items.flatMap(({ path }) => registrationOf(snapshot, path));
  if (declarations) return printResult(snapshot.declarations(registrations.map(({ path }) => path)));
  if (json) return printJson(registrations.map((registration) => toolDocument(snapshot, registration)));
  if (registrations.length === 0)
    return print(
      query === undefined
        ? "There are no tools. Name servers in airlock.jsonc, or run: airlock init"
        : `Nothing is found for ${shownLine(query)}.`,
    );
  if (found !== undefined) {
    for (const { signature, description } of found.items)
      print(`${shown(signature)}${description === "" ? "" : `\n    ${shown(description)}`}`);
    if (found.remaining > 0) say(`${found.remaining} more; use more words, or --server.`);
    return;
  }
  for (const [name, group] of grouped(registrations)) {
    print(`${ink.bold(shownLine(name, 100))} (${count(group.length, "tool")})${about(group[0].tool.serverDescription)}`);
    for (const { path, tool } of group) print(`  ${shown(snapshot.signature(path))}${about(tool.description ?? tool.title)}`);
  }
}

function registrationOf(snapshot: Catalog, path: string): Registration[] {
  const resolved = snapshot.resolve(path);
  const registration = "tool" in resolved ? snapshot.get(resolved.tool.server, resolved.tool.name) : undefined;
  return registration === undefined ? [] : [registration];
}

function about(description: string | undefined): string {
  const line = description?.trim().split("\n")[0] ?? "";
  return line === "" ? "" : ink.dim(`  ${shownLine(line, 120)}`);
}

function toolDocument(snapshot: Catalog, { path, tool }: Registration): { [key: string]: unknown } {
  const { server, name, title, description, inputSchema, outputSchema, annotations } = tool;
  return { path, server, name, title, description, signature: snapshot.signature(path), inputSchema, outputSchema, annotations };
}

async function tellWhy(runtime: Runtime, path: string, json: boolean | undefined): Promise<void> {
  try {
    const explanation = await runtime.explain(path);
    if (json) printJson(explanation);
    else printResult(explanation.text);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

function tellSkipped(session: Session, snapshot: Catalog, json: boolean | undefined): void {
  const hidden = session.catalog.registrations
    .filter(({ tool }) => snapshot.get(tool.server, tool.name) === undefined)
    .map(({ path }) => path);
  const servers = (session.connections?.servers ?? []).flatMap(({ server, warnings, noise }) =>
    [
      ...warnings,
      ...(noise === undefined || noise.lines === 0 ? [] : [`${count(noise.lines, "line")} on stdout that were no MCP messages`]),
    ].map((message) => ({ server, message })),
  );
  const warnings = snapshot.warnings.map(({ message }) => message);
  if (json) return printJson({ servers: session.failures, modules: session.moduleFailures, lists: servers, tools: warnings, hidden });
  const lines = [
    ...session.failures.map(({ message, hint }) => `${message} ${hint}`.trim()),
    ...session.moduleFailures.map(({ path, message }) => `Tool module ${path}: ${message}`),
    ...servers.map(({ server, message }) => `${server}: ${message}`),
    ...warnings,
    ...hidden.map((path) => `${path} is hidden: the rules deny it whatever its input (airlock tools --why ${path})`),
  ];
  print(lines.length === 0 ? "Nothing was left out." : lines.map((line) => shownLine(line, 1_000)).join("\n"));
}

/** What a model reads of the tools: each by itself, or the description of `execute` with the listing. Estimated tokens. */
function tellCost(runtime: Runtime, snapshot: Catalog, json: boolean | undefined): void {
  const { description, catalog } = runtime.instructions();
  const servers = [...grouped(snapshot.registrations)].map(([server, group]) => ({
    server,
    tools: group.length,
    direct: group.reduce(
      (sum, { tool }) =>
        sum + estimateTokens(JSON.stringify({ name: tool.name, description: tool.description, inputSchema: tool.inputSchema })),
      0,
    ),
  }));
  const direct = servers.reduce((sum, one) => sum + one.direct, 0);
  const codeMode = estimateTokens(description) + estimateTokens(catalog);
  if (json) return printJson({ servers, direct, codeMode });
  for (const one of servers) print(`${String(one.direct).padStart(8)}  ${shownLine(one.server, 60)} (${count(one.tools, "tool")})`);
  print(`${String(direct).padStart(8)}  tokens, about, for all tools one by one in each request`);
  print(`${String(codeMode).padStart(8)}  tokens, about, for execute with its listing instead`);
}

function grouped(registrations: readonly Registration[]): Map<string, Registration[]> {
  const groups = new Map<string, Registration[]>();
  for (const registration of registrations)
    groups.set(registration.tool.server, [...(groups.get(registration.tool.server) ?? []), registration]);
  return groups;
}
