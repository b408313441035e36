import type { Outcome, RunOptions } from "@airlock/interpreter";
export function run(source: string, options: RunOptions): Promise<Outcome>;
