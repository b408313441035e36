// The loop of the agent: ask the model, run its calls, hand back the results, until it is done. Everything it does is a record in the
// store and an event for the observer; the README draws the order.

import type { Execution, Runtime } from "@airlock/runtime";
import { collector } from "./collect.js";
import type { AgentEvent, FinishReason } from "./events.js";
import { newId } from "./ids.js";
import {
  addUsage,
  callsOf,
  noUsage,
  text,
  textOf,
  type AssistantMessage,
  type ProviderFailure,
  type ToolCallPart,
  type ToolResult,
  type Usage,
  type UserMessage,
} from "./messages.js";
import { systemPrompt } from "./prompt.js";
import type { Provider } from "./provider.js";
import { streamWithRetry, type RetryOptions } from "./retry.js";
import { conversation, openCalls, UnknownSessionError, type SessionStore } from "./store.js";
import { classic } from "./tools/classic.js";
import { codeMode } from "./tools/code-mode.js";
import type { CallOutcome, Toolset } from "./tools/toolset.js";

export interface RunAgentOptions {
  runtime: Runtime;
  provider: Provider;
  store: SessionStore;
  /** Goes on with this session. Default: a new one. */
  sessionId?: string;
  prompt: string | UserMessage["parts"];
  /** Default true: the model gets `execute` alone. With false it gets each tool by itself. */
  codeMode?: boolean;
  /** Answers of the model in this run. Default 50. */
  maxSteps?: number;
  signal?: AbortSignal;
  /** Called in order. If it throws, the run is aborted, and `runAgent` rejects with what it threw. */
  onEvent?: (event: AgentEvent) => void;
  /** In place of the standard system prompt. */
  system?: string;
  /** Name of the agent, for permission rules and records. */
  agent?: string;
  /** What the model reads of an execution. Default: the runtime's `formatExecution`. */
  formatExecution?: (execution: Execution) => string;
  retry?: RetryOptions;
  /** How long an aborted call may take to report what it did. Default 5 s. */
  graceMs?: number;
}

export interface AgentResult {
  sessionId: string;
  reason: FinishReason;
  /** The last answer's text. */
  text: string;
  steps: number;
  usage: Usage;
  /** With reason `error`. */
  error?: ProviderFailure;
}

/** So often may an answer be cut in the middle of a call before the run gives up. */
const cutsInARow = 2;

/**
 * Runs one prompt to its end. Failures of the provider, refusals and an abort are reasons in the result, not exceptions; after each of
 * them the session is whole: every call has a result.
 * @throws UnknownSessionError, SessionBusyError, and what the store or `onEvent` throws
 * @example const { text } = await runAgent({ runtime, provider, store: memoryStore(), prompt: "…" })
 */
export async function runAgent(options: RunAgentOptions): Promise<AgentResult> {
  const { store } = options;
  const sessionId = options.sessionId ?? (await store.create()).id;
  if ((await store.get(sessionId)) === undefined) throw new UnknownSessionError(sessionId);
  const unlock = await store.lock(sessionId);
  try {
    return await new Run(options, sessionId).run();
  } finally {
    await unlock();
  }
}

class Run {
  readonly #options: RunAgentOptions;
  readonly #sessionId: string;
  readonly #signal: AbortSignal;
  readonly #stop = new AbortController();
  #observerFailed: { error: unknown } | undefined;
  #step = 0;
  #usage = noUsage;
  #text = "";
  #error: ProviderFailure | undefined;

  constructor(options: RunAgentOptions, sessionId: string) {
    this.#options = options;
    this.#sessionId = sessionId;
    this.#signal = options.signal ? AbortSignal.any([options.signal, this.#stop.signal]) : this.#stop.signal;
  }

  async run(): Promise<AgentResult> {
    const { provider, store, prompt, codeMode: inCode = true } = this.#options;
    const sessionId = this.#sessionId;
    const runId = newId("run");
    for (const entry of openCalls(await store.records(sessionId))) await store.append(sessionId, entry);
    await store.append(sessionId, { type: "run.started", runId, provider: provider.name, model: provider.model, codeMode: inCode });
    const parts = typeof prompt === "string" ? [text(prompt)] : prompt;
    await store.append(sessionId, { type: "message", messageId: newId("msg"), message: { role: "user", parts } });

    const reason = await this.#steps();
    await store.append(sessionId, { type: "run.ended", runId, reason });
    const outcome = { reason, steps: this.#step, usage: this.#usage, ...(this.#error ? { error: this.#error } : {}) };
    this.#emit({ type: "finish", ...outcome });
    if (this.#observerFailed) throw this.#observerFailed.error;
    return { sessionId, text: this.#text, ...outcome };
  }

  async #steps(): Promise<FinishReason> {
    const { runtime, maxSteps = 50, codeMode: inCode = true } = this.#options;
    let cuts = 0;
    while (!this.#signal.aborted) {
      if (this.#step >= maxSteps) return "max-steps";
      this.#step++;
      // Of this moment: servers may have changed their tools since the last step.
      const toolset = inCode ? codeMode(runtime, this.#options) : classic(runtime);
      const messageId = newId("msg");
      const { provider } = this.#options;
      this.#emit({ type: "step.start", messageId, provider: provider.name, model: provider.model });
      const message = await this.#ask(toolset, messageId);
      const rejected = await this.#answerCalls(toolset, messageId, message);
      this.#emit({ type: "step.end", messageId, reason: message.stop, usage: message.usage });
      this.#usage = addUsage(this.#usage, message.usage);

      if (this.#signal.aborted) return "aborted";
      if (rejected) return "rejected";
      if (message.stop === "error") {
        this.#error = message.error;
        return "error";
      }
      if (message.stop === "context-overflow" || message.stop === "refusal") return message.stop;
      cuts = message.stop === "max-tokens" ? cuts + 1 : 0;
      // The reason alone does not tell: local servers say "stop" after calls.
      if (callsOf(message).length === 0) return cuts > 0 ? "max-tokens" : "stop";
      if (cuts > cutsInARow) return "max-tokens";
    }
    return "aborted";
  }

  /** One answer of the model, recorded as far as it came. */
  async #ask(toolset: Toolset, messageId: string): Promise<AssistantMessage> {
    const { provider, store, system, retry } = this.#options;
    const request = {
      system: systemPrompt(toolset, system),
      messages: conversation(await store.records(this.#sessionId)),
      tools: toolset.definitions,
      sessionId: this.#sessionId,
    };
    const answer = collector(provider.name, provider.model);
    for await (const event of streamWithRetry(provider, request, this.#signal, retry)) {
      if (event.type !== "retry") answer.add(event);
      if (event.type !== "opaque" && event.type !== "stop") this.#emit(event);
      if (this.#signal.aborted) break;
    }
    const message = answer.message(this.#signal.aborted);
    await store.append(this.#sessionId, { type: "message", messageId, message });
    this.#text = textOf(message.parts) || this.#text;
    return message;
  }

  /** Gives each call a result, in the records and as an event. True: a person refused, and the run ends. */
  async #answerCalls(toolset: Toolset, messageId: string, message: AssistantMessage): Promise<boolean> {
    const calls = callsOf(message);
    const whole =
      message.stop !== "error" && message.stop !== "aborted" && message.stop !== "refusal" && message.stop !== "context-overflow";
    if (toolset.concurrent && whole) {
      // Settled one and all before the first failure of the store is passed on.
      const settled = await Promise.allSettled(calls.map((call) => this.#answerCall(toolset, messageId, message, call)));
      return settled.map((each) => (each.status === "fulfilled" ? each.value : raise(each.reason))).includes(true);
    }
    let rejected = false;
    for (const call of calls) {
      if (!whole) await this.#settle(messageId, call, ended("interrupted", notRun(message)));
      else if (rejected)
        await this.#settle(messageId, call, ended("interrupted", "This call did not run, because the call before it was refused."));
      else rejected = await this.#answerCall(toolset, messageId, message, call);
    }
    return rejected;
  }

  async #answerCall(toolset: Toolset, messageId: string, message: AssistantMessage, call: ToolCallPart): Promise<boolean> {
    if (call.malformed === undefined) this.#emit({ type: "tool.call", callId: call.callId, name: call.name, input: call.input });
    const problem = call.malformed === undefined ? toolset.refuse(call) : malformed(call, call.malformed, message);
    let outcome: CallOutcome;
    if (problem !== undefined) outcome = ended("error", problem);
    else if (this.#signal.aborted) outcome = ended("interrupted", notRun(message));
    else {
      await this.#options.store.append(this.#sessionId, { type: "tool.started", messageId, callId: call.callId });
      outcome = await this.#run(toolset, messageId, call);
    }
    await this.#settle(messageId, call, outcome);
    return outcome.rejected;
  }

  /** An aborted call gets a while to report what it had done; then its end is recorded without it. */
  async #run(toolset: Toolset, messageId: string, call: ToolCallPart): Promise<CallOutcome> {
    const { agent, graceMs = 5000 } = this.#options;
    const signal = this.#signal;
    let open = true;
    const running = toolset
      .run(call, {
        sessionId: this.#sessionId,
        messageId,
        signal,
        onEvent: (event) => void (open && this.#emit({ type: "execution", callId: call.callId, event })),
        ...(agent === undefined ? {} : { agent }),
      })
      .catch((error: unknown) =>
        ended(
          "error",
          `internal error while the call ran: ${error instanceof Error ? error.message : String(error)}. What it did is unknown.`,
        ),
      );
    let timer: NodeJS.Timeout | undefined;
    let onAbort = (): void => {};
    const late = new Promise<CallOutcome>((resolve) => {
      onAbort = () => {
        timer = setTimeout(
          () => resolve(ended("interrupted", "Interrupted while it ran. What it did is unknown; check before you repeat it.")),
          graceMs,
        );
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
    });
    try {
      const outcome = await Promise.race([running, late]);
      return signal.aborted && outcome.state === "error" ? { ...outcome, state: "interrupted" } : outcome;
    } finally {
      open = false;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  async #settle(messageId: string, { callId, name }: ToolCallPart, { state, content, calls }: CallOutcome): Promise<void> {
    const result: ToolResult = { callId, name, state, content };
    await this.#options.store.append(this.#sessionId, { type: "tool.result", messageId, result, calls });
    this.#emit({ type: state === "completed" ? "tool.result" : "tool.error", callId, name, result });
  }

  #emit(event: DistributiveOmit<AgentEvent, "sessionId" | "step">): void {
    if (this.#observerFailed) return;
    try {
      this.#options.onEvent?.({ sessionId: this.#sessionId, step: this.#step, ...event });
    } catch (error) {
      this.#observerFailed = { error };
      this.#stop.abort();
    }
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function ended(state: CallOutcome["state"], why: string): CallOutcome {
  return { state, content: [text(why)], calls: [], rejected: false };
}

function notRun(message: AssistantMessage): string {
  const why =
    message.stop === "aborted"
      ? "the person ended the run"
      : message.stop === "error"
        ? "the connection to the model failed in the middle of the answer"
        : "the answer was not complete";
  return `This call did not run: ${why}.`;
}

function malformed(call: ToolCallPart, input: string, message: AssistantMessage): string {
  if (message.stop === "max-tokens")
    return `The answer reached its length limit in the middle of this call's input, so nothing ran. Make the input shorter, or do the work in several calls.`;
  const hint = call.name === "execute" ? ` Send { "code": "…" }, with the program as one JSON string.` : "";
  return `The input of ${call.name} is not a JSON object (${whyNot(input)}), so nothing ran.${hint || " Send the call again."}`;
}

function whyNot(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    return value === null ? "it is null" : Array.isArray(value) ? "it is an array" : `it is a ${typeof value}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function raise(reason: unknown): never {
  throw reason;
}
