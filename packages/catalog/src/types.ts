// The contract of a tool and of a catalog.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Diagnostic, Json, LogEntry, SourceLocation } from "@airlock/interpreter";

export type JsonSchema = { readonly [keyword: string]: unknown } | boolean;
export type StandardSchema = StandardSchemaV1;

/** MCP's hints about a tool. They are claims of the server: they count only for servers that the configuration trusts. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

export interface Tool {
  server: string;
  serverDescription?: string;
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonSchema | StandardSchema;
  outputSchema?: JsonSchema | StandardSchema;
  annotations?: ToolAnnotations;
  /** True for tools of servers that are not ours (MCP): a wrong output is a warning, not a failure. Default false. */
  foreign?: boolean;
  /** True if the configuration marks the tool's server as trusted: only then do its `annotations` count. */
  trusted?: boolean;
  authority?: "none" | "read" | "write" | "run" | "network";
  /** What has to be allowed before the tool runs. May read (for a diff), must not change anything. */
  permissions?(input: Json, context: CallContext): Promise<PermissionRequest[]> | PermissionRequest[];
  execute(input: Json, context: CallContext): Promise<ToolResult | Json>;
  /** Pure; classic mode and the terminal use it, programs get the value. */
  toModel?(value: Json): { title?: string; text: string; attachments?: Attachment[] };
  explainInvalid?(errors: SchemaError[]): string;
}

/** MCP's CallToolResult fits. */
export interface ToolResult {
  structuredContent?: Json;
  content?: ContentBlock[];
  isError?: boolean;
  complete?: boolean;
}

export type ContentBlock =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; data: string; mimeType: string }
  | { type: "resource_link"; uri: string; name?: string; title?: string; description?: string; mimeType?: string }
  | { type: "resource"; resource: { uri: string; mimeType?: string; text?: string; blob?: string } };

export interface Attachment {
  /** The id of a media handle. */
  media: string;
  mimeType: string;
  bytes: number;
}

export interface PermissionRequest {
  permission: string;
  patterns: string[];
  /** Patterns that "always" would save. */
  always: string[];
  metadata: { [key: string]: Json };
}

export interface CallContext {
  callId: string;
  path: string;
  location?: SourceLocation;
  signal: AbortSignal;
  sessionId?: string;
  messageId?: string;
  agent?: string;
  /** Reports progress; resets the call's `toolMs`. */
  metadata(update: object): void;
  log(entry: LogEntry): void;
}

export interface SchemaError {
  /** JSON Pointer of the wrong place in the value, "" for the whole. */
  instancePath: string;
  /** The schema keyword that failed, or "" for a Standard Schema. */
  keyword: string;
  message: string;
  params?: { [key: string]: unknown };
}

export interface SearchItem {
  path: string;
  description: string;
  signature: string;
  score: number;
}

export interface SearchResult {
  items: SearchItem[];
  remaining: number;
  next: { offset: number } | null;
}

export type Validation = { ok: true; value: Json } | { ok: false; errors: SchemaError[]; message: string };

/** A tool as the catalog holds it. The registration id is new for each registration: a replaced tool has another id. */
export interface Registration {
  id: string;
  tool: Tool;
  /** `tools.server.name`, as a program writes it. */
  path: string;
}

export interface ListingOptions {
  /** Estimated tokens of the whole text. Default 2,000. Only pinned tools can make it longer. */
  budgetTokens?: number;
  /** Paths of tools whose signatures are always shown. */
  pinned?: string[];
  /** What a program writes to search, named only where the listing is partial. False: there is no search. Default `search("words")`. */
  search?: string | false;
}

export interface DeclarationOptions {
  /** The result of tools that declare none. The type-check uses "any", so that it does not stop what it can't judge. Default "unknown". */
  missingOutput?: "unknown" | "any";
}

/** An immutable snapshot of the tools. */
export interface Catalog {
  readonly version: string;
  readonly registrations: readonly Registration[];
  /** Problems found while the snapshot was made: collisions, schemas that can't be taken. */
  readonly warnings: readonly Diagnostic[];
  /** `server.alias` → `server.name`, also for server aliases: `serverAlias.name`, `serverAlias.alias`. */
  readonly aliases: Readonly<Record<string, string>>;
  listing(options?: ListingOptions): string;
  search(query: string, options?: { server?: string; limit?: number; offset?: number }): SearchResult;
  resolve(path: string): { tool: Tool } | { nearest: string[] };
  signature(path: string): string;
  declarations(paths?: string[], options?: DeclarationOptions): string;
  /** The registration of exactly this server and name. */
  get(server: string, name: string): Registration | undefined;
  /** Validates and decodes an input or an output against the tool's schema; compiled on first use, patterns run on our own engine. */
  validateInput(registration: Registration, input: Json): Promise<Validation>;
  validateOutput(registration: Registration, output: Json): Promise<Validation>;
  /** A snapshot with only the tools for which `keep` is true; registration ids stay. */
  filter(keep: (registration: Registration) => boolean): Catalog;
}
