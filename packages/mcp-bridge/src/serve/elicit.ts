// The runtime's questions, put to the person behind an MCP client by elicitation.

import type { Answer, Question, Reply, RuntimeOptions } from "@airlock/runtime";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { ElicitRequestFormParams, RequestId } from "@modelcontextprotocol/sdk/types.js";

const NO_TIMEOUT = 2_147_483_647;
const INPUT_LENGTH = 2_000;
const DIFF_LENGTH = 4_000;

/**
 * The runtime's `ask` for a client; undefined if the client cannot ask anyone, so that the gate denies.
 * `requestOf` names the request that a question belongs to: over HTTP the question must go down that request's stream.
 */
export function elicitation(server: Server, requestOf: (question: Question) => RequestId | undefined): RuntimeOptions["ask"] {
  if (server.getClientCapabilities()?.elicitation?.form === undefined) return undefined;
  return async (question, signal) => {
    // The event that ties the question to its request may come just after.
    await Promise.resolve();
    const relatedRequestId = requestOf(question);
    const stop = new AbortController();
    const onAbort = () => stop.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const { action, content } = await server.elicitInput(form(question), {
        signal: stop.signal,
        timeout: NO_TIMEOUT,
        ...(relatedRequestId === undefined ? {} : { relatedRequestId }),
      });
      if (action === "accept") return answer(question, content ?? {});
      return action === "decline" ? { reply: "reject" } : { reply: "reject", message: "The question was dismissed without an answer." };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return { reply: "reject", message: `The MCP client could not ask: ${error instanceof Error ? error.message : String(error)}` };
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  };
}

const WORDS: { [reply in Reply]: string } = { once: "Allow once", always: "Always allow", reject: "Reject" };

/** One choice for each part of the question, and room for words to the model. */
function form(question: Question): ElicitRequestFormParams {
  const choices = question.requests.map((request, index) => {
    const replies: Reply[] = request.always.length > 0 ? ["once", "always", "reject"] : ["once", "reject"];
    const what = `${request.permission}: ${request.patterns.map((pattern) => cut(pattern, 200)).join(", ")}`;
    return [
      answerKey(question, index),
      { type: "string" as const, title: cut(what, 300), enum: replies, enumNames: replies.map((reply) => WORDS[reply]) },
    ] as const;
  });
  return {
    mode: "form",
    message: questionText(question),
    requestedSchema: {
      type: "object",
      properties: {
        ...Object.fromEntries(choices),
        message: { type: "string", title: "If you reject: what should be done instead?", description: "Optional" },
      },
      required: choices.map(([key]) => key),
    },
  };
}

function questionText({ path, input, line, location, requests }: Question): string {
  const always = requests.flatMap((request) => request.always.map((pattern) => `${request.permission} ${pattern}`));
  const diffs = requests.flatMap(({ metadata }) => (typeof metadata.diff === "string" ? [cut(metadata.diff, DIFF_LENGTH)] : []));
  return [
    `A program wants to call ${path} with`,
    cut(JSON.stringify(input, null, 2), INPUT_LENGTH),
    ...diffs,
    ...(line === undefined ? [] : [`Program${location ? `, line ${location.line}` : ""}: ${cut(line.trim(), 300)}`]),
    ...(always.length === 0 ? [] : [`"Always allow" would also allow: ${cut(always.join("; "), 500)}`]),
  ].join("\n");
}

function answer(question: Question, content: { [key: string]: unknown }): Answer {
  const message = typeof content.message === "string" && content.message !== "" ? content.message : undefined;
  const replies = question.requests.map((_, index) => {
    const chosen = content[answerKey(question, index)];
    const reply: Reply = chosen === "once" || chosen === "always" ? chosen : "reject";
    return { reply, ...(reply === "reject" && message !== undefined ? { message } : {}) };
  });
  return replies.length === 1 ? replies[0] : { replies };
}

function answerKey({ requests }: Question, index: number): string {
  return requests.length === 1 ? "answer" : `answer_${index + 1}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
