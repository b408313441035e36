// From `provider/model` to a provider.

import { readFileSync } from "node:fs";
import { anthropic } from "./providers/anthropic.js";
import { openaiChat } from "./providers/openai-chat.js";
import { openaiResponses } from "./providers/openai-responses.js";
import { parseTranscript, scripted } from "./providers/scripted.js";
import type { Effort, Provider } from "./provider.js";

export interface ModelOptions {
  /** Where keys and addresses come from. Default `process.env`. */
  env?: { [name: string]: string | undefined };
  /** Goes before the environment's. */
  apiKey?: string;
  /** Goes before the environment's. */
  baseUrl?: string;
  maxOutputTokens?: number;
  effort?: Effort;
}

/** A model that can't be used as named or configured: the message says what to do. */
export class ModelError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ModelError";
  }
}

interface Source {
  example: string;
  key?: string;
  keyOptional?: true;
  url?: string;
  make(model: string, settings: Settings): Provider;
}

interface Settings {
  apiKey: string;
  baseUrl?: string;
  maxOutputTokens?: number;
  effort?: Effort;
}

const sources: { [name: string]: Source } = {
  anthropic: {
    example: "anthropic/claude-sonnet-4-5",
    key: "ANTHROPIC_API_KEY",
    url: "ANTHROPIC_BASE_URL",
    make: (model, settings) => anthropic({ model, ...settings }),
  },
  openai: {
    example: "openai/gpt-5",
    key: "OPENAI_API_KEY",
    url: "OPENAI_BASE_URL",
    make: (model, settings) => openaiResponses({ model, ...settings }),
  },
  local: {
    example: "local/qwen3-coder",
    key: "AIRLOCK_LOCAL_API_KEY",
    keyOptional: true,
    url: "AIRLOCK_LOCAL_BASE_URL",
    make: (model, { apiKey, baseUrl, maxOutputTokens }) => {
      if (!baseUrl)
        throw new ModelError(`local/${model} needs the address of the server: set AIRLOCK_LOCAL_BASE_URL, e.g. http://127.0.0.1:11434/v1`);
      return openaiChat({ model, baseUrl, ...(apiKey ? { apiKey } : {}), ...(maxOutputTokens ? { maxOutputTokens } : {}) });
    },
  },
  scripted: { example: "scripted/FILE.json", make: (file) => scripted(parseTranscript(readTranscript(file)), file) },
};

/**
 * The provider of a model: `anthropic/…`, `openai/…`, `local/…` (Chat Completions at `AIRLOCK_LOCAL_BASE_URL`), `scripted/FILE`.
 * SDKs are loaded at the first request.
 * @throws ModelError for an unknown provider, a missing key or address; TranscriptError for a file that is no transcript
 * @example createProvider("anthropic/claude-sonnet-4-5")
 */
export function createProvider(spec: string, options: ModelOptions = {}): Provider {
  const { source, model } = parseModel(spec);
  const env = options.env ?? process.env;
  const apiKey = (options.apiKey ?? (source.key && env[source.key]) ?? "").trim();
  if (source.key && !source.keyOptional && apiKey === "")
    throw new ModelError(
      `${spec} needs an API key: set ${source.key} in the environment (without any key: --model local/… or scripted/FILE)`,
    );
  const baseUrl = options.baseUrl ?? ((source.url && env[source.url]) || undefined);
  if (baseUrl !== undefined && !(/^https?:/i.test(baseUrl) && URL.canParse(baseUrl)))
    throw new ModelError(`the address of ${spec} is not an http(s) URL: ${baseUrl}`);
  const { maxOutputTokens, effort } = options;
  return source.make(model, {
    apiKey,
    ...(baseUrl ? { baseUrl } : {}),
    ...(maxOutputTokens ? { maxOutputTokens } : {}),
    ...(effort ? { effort } : {}),
  });
}

function parseModel(spec: string): { source: Source; model: string } {
  const slash = spec.indexOf("/");
  const name = spec.slice(0, slash);
  const model = spec.slice(slash + 1);
  const examples = Object.values(sources).map(({ example }) => example);
  if (slash < 1 || model === "") throw new ModelError(`a model is named PROVIDER/MODEL, for example ${examples.join(", ")}; got "${spec}"`);
  if (!Object.hasOwn(sources, name))
    throw new ModelError(`there is no provider "${name}": ${Object.keys(sources).join(", ")} (for example ${examples[0]})`);
  return { source: sources[name], model };
}

function readTranscript(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ModelError(`the transcript ${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
