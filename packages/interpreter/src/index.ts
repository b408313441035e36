export * from "./api.js";
export { DEFAULT_LIMITS, resolveLimits } from "./limits.js";
