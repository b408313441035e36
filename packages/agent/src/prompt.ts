// The system prompt. Its parts go from the most stable to the least, so that a change of the tools leaves the cache of the rest.

import type { Toolset } from "./tools/toolset.js";

const standard = `You work on what the person asks, with the tools you are given. Look things up rather than guess. \
Do what was asked and nothing beyond it; if something essential is missing or a call was refused, say so. \
When you are done, answer in a few plain sentences, with the facts that your calls brought.`;

export function systemPrompt(toolset: Toolset, own: string | undefined): string[] {
  return [own ?? standard, ...toolset.system];
}
