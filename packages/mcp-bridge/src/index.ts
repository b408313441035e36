export { connectServers, type ConnectOptions, type McpConnections, type ServerReport, type ServerStatus } from "./connect.js";
export { type HttpConfig, type ServerConfig, type StdioConfig } from "./config.js";
export { type ServerState } from "./connection.js";
export { OutcomeUnknownError, ServerAnswerError, ServerUnavailableError } from "./errors.js";
export { describeFailures, type ServerFailure } from "./failure.js";
export { type ListingLimits } from "./listing.js";
export { serveMcp, type ServedMcp, type ServeOptions } from "./serve/serve.js";
export { type ServedRuntime } from "./serve/session.js";
