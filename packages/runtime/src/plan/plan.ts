// What a program would do, without running it: its calls with what the permission rules say, and the tools that it names but that are not there.

import type { Catalog, Registration } from "@airlock/catalog";
import { ProgramError, frameOf, parseProgram, type Diagnostic, type Limits, type SourceLocation } from "@airlock/interpreter";
import { hidingRule, judgeStatically, type StaticDecision } from "../permission/judge.js";
import type { RuleSet } from "../permission/rules.js";
import { ruleText } from "../permission/text.js";
import type { Node } from "./scope.js";
import { findToolUses, type ToolUses } from "./uses.js";

/** A place in the program where a tool is called, or given to something that may call it. */
export interface PlannedCall {
  path: string;
  server: string;
  name: string;
  location: SourceLocation;
  /** False: only mentioned, e.g. `ids.map(tools.github.get_issue)`. */
  called: boolean;
  decision: StaticDecision;
}

export interface Plan {
  calls: PlannedCall[];
  /** Some tool is reached by a computed name: the list of calls is then not complete. */
  dynamic: boolean;
  /** What stops the run before it starts: the text is no program, or it calls tools that are not there. */
  problems: Diagnostic[];
}

/** Servers that are not there, and why. */
export type Unavailable = () => readonly { server: string; message: string }[];

/** What a plan is made with. `catalog` is the one before denied tools were hidden: it tells a denied tool from an unknown one. */
export interface PlanServices {
  catalog(): Catalog;
  rules: RuleSet;
  limits: Limits;
  unavailable: Unavailable;
}

/** The static plan of a program against a snapshot of the catalog. */
export function planProgram(code: string, snapshot: Catalog, services: PlanServices): Plan {
  const { rules, limits } = services;
  const plan: Plan = { calls: [], dynamic: false, problems: [] };
  let found: Analysed;
  try {
    found = analyse(code, limits);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    plan.problems.push(error.diagnostic);
    return plan;
  }
  plan.dynamic = found.dynamic;
  for (const { keys, offset, called } of found.uses) {
    const location = found.locate(offset);
    const registration = keys.length === 2 ? find(snapshot, keys[0], keys[1]) : undefined;
    if (registration !== undefined) {
      const { path, tool } = registration;
      plan.calls.push({ path, server: tool.server, name: tool.name, location, called, decision: judgeStatically(rules, tool) });
    } else if (
      plan.problems.length < MAX_PROBLEMS &&
      called &&
      !found.guarded(keys) &&
      !isInherited(keys) &&
      find(snapshot, keys[0], keys[1] ?? "") === undefined
    ) {
      const problem = unknownTool(keys, snapshot, services);
      const meant = keys.length === 1 ? pathInCall(code, offset, snapshot) : undefined;
      if (meant !== undefined) problem.hints.unshift(`Tools are nested: ${meant}({ … }).`);
      plan.problems.push({ ...problem, location, frame: frameOf(code, location) });
    }
  }
  return plan;
}

type Analysed = ToolUses & { locate(offset: number): SourceLocation };

/** More are not told: each costs a search for near names. */
const MAX_PROBLEMS = 20;

const analysed = new Map<string, Analysed>();

/** A program's uses of `tools`; those of the last programs are kept, because programs are run again. */
function analyse(code: string, { sourceBytes, astDepth }: Limits): Analysed {
  const key = `${sourceBytes} ${astDepth} ${code}`;
  let found = analysed.get(key);
  if (found === undefined) {
    const { body, locate } = parseProgram(code, { sourceBytes, astDepth });
    found = { ...findToolUses(body as Node[]), locate };
  }
  analysed.delete(key);
  analysed.set(key, found);
  if (analysed.size > MAX_ANALYSED) analysed.delete(analysed.keys().next().value ?? "");
  return found;
}

/** The tool whose path is the text that a call at `offset` is given first: `tools.callTool("sql.query", …)`. */
function pathInCall(code: string, offset: number, snapshot: Catalog): string | undefined {
  const text = /^[\w$]+\s*\(\s*(?:\{\s*\w+\s*:\s*)?(["'`])([^"'`\\]+)\1/.exec(code.slice(offset, offset + 300))?.[2];
  const found = text === undefined ? undefined : snapshot.resolve(text);
  return found !== undefined && "tool" in found ? snapshot.get(found.tool.server, found.tool.name)?.path : undefined;
}

/** The registration that a program reaches by these names, own or alias. */
export function find(catalog: Catalog, server: string, name: string): Registration | undefined {
  const own = catalog.get(server, name);
  if (own !== undefined) return own;
  const alias = `${server}.${name}`;
  if (!Object.hasOwn(catalog.aliases, alias)) return undefined;
  return named(catalog, catalog.aliases[alias]);
}

/** The diagnostic of a tool that is not there: what is near, where the name exists, or what forbids it. Never a dead end. */
export function unknownTool(
  keys: readonly string[],
  snapshot: Catalog,
  { catalog, rules, unavailable }: Omit<PlanServices, "limits">,
): Diagnostic {
  const [server, name] = keys;
  const everything = catalog();
  const hidden = name === undefined ? undefined : find(everything, server, name);
  if (hidden !== undefined && find(snapshot, server, name) === undefined) {
    const rule = hidingRule(rules, hidden.tool);
    if (rule !== undefined)
      return {
        kind: "denied",
        message: `${hidden.path} was denied: the rule ${ruleText(rule)} forbids it.`,
        hints: ["Do without this tool, or ask the user to allow it."],
      };
  }
  const ofServer = snapshot.registrations.filter(({ tool }) => tool.server === server);
  const known = ofServer.length > 0 || Object.keys(snapshot.aliases).some((alias) => alias.startsWith(`${server}.`));
  const failed = known ? undefined : unavailable().find((one) => one.server === server);
  if (failed !== undefined)
    return {
      kind: "unknown-tool",
      message: `tools.${server} is not there: ${failed.message}`,
      hints: ["Do without this server, or tell the user that it did not start."],
    };
  if (name === undefined) {
    const message = known ? `tools.${server} is a server, not a tool.` : `There is no tool tools.${server}.`;
    return {
      kind: "unknown-tool",
      message,
      hints: known
        ? [`Call one of its tools: ${listed(ofServer)}`]
        : ["A tool is called as tools.<server>.<name>(input).", ...hintsFor(keys, snapshot)],
    };
  }
  const elsewhere = snapshot.registrations.filter(({ tool }) => tool.name === name && tool.server !== server);
  const lacking = known ? `${server} has no tool "${keys.slice(1).join(".")}"` : `There is no server "${server}"`;
  const message =
    elsewhere.length > 0
      ? `${lacking}; ${elsewhere
          .slice(0, MAX_NAMED)
          .map(({ tool }) => `${tool.server}.${tool.name}`)
          .join(", ")} exists.`
      : `${lacking}.`;
  if (elsewhere.length > 0)
    return {
      kind: "unknown-tool",
      message,
      hints: [
        `Did you mean ${elsewhere
          .slice(0, MAX_NAMED)
          .map(({ path }) => path)
          .join(" or ")}?`,
      ],
    };
  const hints = hintsFor(keys, snapshot);
  if (hints.length === 0 && ofServer.length > 0) hints.push(`Tools of ${server}: ${listed(ofServer)}`);
  return { kind: "unknown-tool", message, hints };
}

function hintsFor(keys: readonly string[], snapshot: Catalog): string[] {
  const resolved = snapshot.resolve(`tools.${keys.join(".")}`);
  if ("tool" in resolved) {
    const registration = snapshot.get(resolved.tool.server, resolved.tool.name);
    return registration === undefined ? [] : [`Write ${registration.path}.`];
  }
  if (resolved.nearest.length > 0) return [`Did you mean ${resolved.nearest.slice(0, MAX_NAMED).join(" or ")}?`];
  const servers = [...new Set(snapshot.registrations.map(({ tool }) => tool.server))];
  if (snapshot.registrations.some(({ tool }) => tool.server === keys[0])) return [];
  return servers.length === 0
    ? ["There are no tools in this run."]
    : [`Servers: ${servers.slice(0, 20).join(", ")}${servers.length > 20 ? ` and ${servers.length - 20} more (Object.keys(tools))` : ""}.`];
}

function listed(registrations: readonly Registration[]): string {
  const names = registrations.slice(0, 20).map(({ tool }) => tool.name);
  return names.join(", ") + (registrations.length > 20 ? ` and ${registrations.length - 20} more.` : ".");
}

function named(catalog: Catalog, target: string): Registration | undefined {
  // `server.name`, where both may hold dots: the split that exists.
  for (let dot = target.indexOf("."); dot >= 0; dot = target.indexOf(".", dot + 1)) {
    const registration = catalog.get(target.slice(0, dot), target.slice(dot + 1));
    if (registration !== undefined) return registration;
  }
  return undefined;
}

/** `tools.hasOwnProperty("x")`, `tools.github.toString()`: methods that objects have. */
function isInherited(keys: readonly string[]): boolean {
  return INHERITED.has(keys.at(-1) ?? "");
}

const INHERITED: ReadonlySet<string> = new Set([
  "hasOwnProperty",
  "propertyIsEnumerable",
  "isPrototypeOf",
  "toString",
  "toLocaleString",
  "valueOf",
]);
const MAX_NAMED = 3;
const MAX_ANALYSED = 64;
