export * from "./api.js";
export { run, compile, type Program } from "./run.js";
export type { HostOptions } from "./run/execution.js";
export { nearestNames } from "./nearest.js";
export { frameOf, parseProgram, type ParsedProgram } from "./parse/index.js";
export { DEFAULT_LIMITS, resolveLimits } from "./limits.js";
export { hostRegExp, hostRegExpEngine, type HostRegExp } from "./regexp/host.js";
