export * from "./events.js";
export * from "./messages.js";
export * from "./provider.js";
export * from "./store.js";
export { createProvider, ModelError, type ModelOptions } from "./model.js";
export { anthropic, type AnthropicOptions } from "./providers/anthropic.js";
export { openaiChat, type OpenAIChatOptions } from "./providers/openai-chat.js";
export { openaiResponses, type OpenAIResponsesOptions } from "./providers/openai-responses.js";
export {
  parseTranscript,
  scripted,
  TranscriptError,
  type Expectation,
  type Transcript,
  type TranscriptEvent,
  type TranscriptStep,
} from "./providers/scripted.js";
export { type RetryOptions } from "./retry.js";
export { runAgent, type AgentResult, type RunAgentOptions } from "./loop.js";
export { wireNames } from "./tools/names.js";
export { wireSchema } from "./tools/schema.js";
