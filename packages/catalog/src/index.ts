export * from "./types.js";
export { createCatalog, UnknownToolError } from "./catalog.js";
export { formatPath, isIdentifier, parsePath, type ToolName } from "./paths.js";
export { nearestNames } from "./nearest.js";
export { escapeText, estimateTokens, oneLine, quoteText } from "./text.js";
export { isStandardSchema, toJsonSchema } from "./schema/standard.js";
export { loadValidation } from "./validate/compile.js";
