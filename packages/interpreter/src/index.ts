export * from "./api.js";
export { DEFAULT_LIMITS, resolveLimits } from "./limits.js";
export { hostRegExp, hostRegExpEngine, type HostRegExp } from "./regexp/host.js";
