// The one implementation of retries. The SDKs' own are off.

import { setTimeout as sleep } from "node:timers/promises";
import type { ProviderEvent, RetryEvent } from "./events.js";
import type { ProviderFailure } from "./messages.js";
import type { Provider, ProviderRequest } from "./provider.js";

export interface RetryOptions {
  /** Default 4. */
  retries?: number;
  /** The first wait, doubled each time. Default 1 s. */
  baseMs?: number;
  /** The longest wait where the provider names none. Default 30 s. */
  maxMs?: number;
  /** The longest wait that a provider may ask for; beyond it the failure is reported at once. Default 5 min. */
  maxAskedMs?: number;
  /** In [0, 1), for the jitter. Default `Math.random`. */
  random?: () => number;
}

/**
 * A provider's stream, asked again after a failure that may pass, as long as the failed answer had said nothing. A failure after the
 * first words is passed on: the caller keeps what came. The stream always ends with a `stop` or a `provider.error`, or, after an
 * abort, with neither.
 */
export async function* streamWithRetry(
  provider: Provider,
  request: ProviderRequest,
  signal: AbortSignal,
  options: RetryOptions = {},
): AsyncGenerator<ProviderEvent | RetryEvent> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    const failure = yield* once(provider, request, signal);
    if (failure === undefined || signal.aborted) return;
    const delayMs = failure.spoken ? undefined : waitFor(failure.error, attempt, options);
    if (delayMs === undefined) {
      yield { type: "provider.error", error: failure.error };
      return;
    }
    yield { type: "retry", attempt, delayMs, error: failure.error };
    await sleep(delayMs, undefined, { signal }).catch(() => {});
  }
}

/** One attempt. Its failure is returned, so that the caller decides. */
async function* once(
  provider: Provider,
  request: ProviderRequest,
  signal: AbortSignal,
): AsyncGenerator<ProviderEvent, { error: ProviderFailure; spoken: boolean } | undefined> {
  let spoken = false;
  try {
    for await (const event of provider.stream(request, signal)) {
      if (signal.aborted) return undefined;
      if (event.type === "provider.error") return { error: event.error, spoken };
      yield event;
      if (event.type === "stop") return undefined;
      if (event.type !== "usage") spoken = true;
    }
  } catch (error) {
    // A provider that breaks its contract must not break the session.
    return {
      error: {
        message: `internal error of the provider ${provider.name}: ${error instanceof Error ? error.message : String(error)}`,
        retryable: false,
      },
      spoken,
    };
  }
  if (signal.aborted) return undefined;
  return { error: { message: "the connection closed before the answer was complete", retryable: true }, spoken };
}

/** Milliseconds until the next attempt; undefined: none. */
function waitFor(error: ProviderFailure, attempt: number, options: RetryOptions): number | undefined {
  const { retries = 4, baseMs = 1000, maxMs = 30_000, maxAskedMs = 300_000, random = Math.random } = options;
  if (!error.retryable || attempt > retries) return undefined;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs <= maxAskedMs ? error.retryAfterMs : undefined;
  const backoff = Math.min(maxMs, baseMs * 2 ** (attempt - 1));
  return Math.round(backoff * (0.75 + random() * 0.25));
}
