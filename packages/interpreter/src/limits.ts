import type { Limits } from "./api.js";

/** The only home of the defaults. What each means stands at `Limits`. */
export const DEFAULT_LIMITS: Readonly<Limits> = Object.freeze({
  steps: 500_000_000,
  computeMs: 10_000,
  wallMs: 300_000,
  memoryBytes: 268_435_456,
  callDepth: 10_000,
  stringLength: 33_554_432,
  arrayLength: 10_000_000,
  toolCalls: 1_000,
  concurrentCalls: 16,
  toolMs: 60_000,
  logBytes: 262_144,
  resultBytes: 4_194_304,
  sourceBytes: 262_144,
  astDepth: 500,
  pendingPromises: 100_000,
  timers: 10_000,
  mediaBytes: 20_971_520,
  mediaCount: 32,
});

/** The defaults with `limits` over them. Throws a RangeError for an unknown name or a value that is no positive number. */
export function resolveLimits(limits: Partial<Limits> = {}): Limits {
  const all: Limits = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      throw new RangeError(`There is no limit "${name}". Limits: ${Object.keys(DEFAULT_LIMITS).join(", ")}.`);
    if (typeof value !== "number" || !(value >= 0))
      throw new RangeError(`The limit "${name}" must be a number of 0 or more, or Infinity; got ${String(value)}.`);
    all[name as keyof Limits] = value;
  }
  return all;
}
