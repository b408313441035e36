// Search over the tools of a snapshot: BM25 by minisearch over words of names, descriptions and field names.

import MiniSearch from "minisearch";
import { splitWords } from "./nearest.js";
import { plainFieldNames } from "./schema/facts.js";
import { signatureOf } from "./signature.js";
import { oneLine } from "./text.js";
import type { Registration, SearchItem, SearchResult } from "./types.js";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
const MAX_QUERY = 500;
const MAX_TERMS = 24;
const MAX_INDEXED = 1_000;
const MAX_FIELDS = 60;
const DESCRIPTION = 300;

interface Entry {
  id: number;
  name: string;
  title: string;
  server: string;
  description: string;
  fields: string;
}

export interface SearchOptions {
  server?: string;
  limit?: number;
  offset?: number;
}

/** The index of one snapshot, built on the first query that needs it. */
export class ToolIndex {
  readonly #registrations: readonly Registration[];
  #index: MiniSearch<Entry> | undefined;

  /** @param registrations sorted by server and name: equal scores keep this order */
  constructor(registrations: readonly Registration[]) {
    this.#registrations = registrations;
  }

  /**
   * The best tools first. An empty query lists all, by path. `server` is an exact server name.
   *
   * @param exact the tool that the query names by its path: then it comes alone
   */
  search(query: string, options: SearchOptions, exact: Registration | undefined): SearchResult {
    const limit = bounded(options.limit, DEFAULT_LIMIT, 1, MAX_LIMIT);
    const offset = bounded(options.offset, 0, 0, Number.MAX_SAFE_INTEGER);
    const isWanted = ({ tool }: Registration): boolean => options.server === undefined || tool.server === options.server;
    const found = this.#found(query, isWanted, exact);
    const items = found.slice(offset, offset + limit).map(({ registration, score }) => item(registration, score));
    const remaining = Math.max(0, found.length - offset - items.length);
    return { items, remaining, next: remaining > 0 ? { offset: offset + items.length } : null };
  }

  #found(
    query: string,
    isWanted: (registration: Registration) => boolean,
    exact: Registration | undefined,
  ): { registration: Registration; score: number }[] {
    if (exact !== undefined) return isWanted(exact) ? [{ registration: exact, score: 1 }] : [];
    const text = terms(query.slice(0, MAX_QUERY)).slice(0, MAX_TERMS).join(" ");
    if (text === "")
      return query.trim() === "" ? this.#registrations.filter(isWanted).map((registration) => ({ registration, score: 0 })) : [];
    this.#index ??= build(this.#registrations);
    const results = this.#index.search(text, { filter: ({ id }) => isWanted(this.#registrations[Number(id)]) });
    const hits = results.map(({ id, score }) => ({ at: Number(id), score: Math.round(score * 1000) / 1000 }));
    hits.sort((a, b) => b.score - a.score || a.at - b.at);
    return hits.map(({ at, score }) => ({ registration: this.#registrations[at], score }));
  }
}

function item({ tool, path }: Registration, score: number): SearchItem {
  return { path, description: oneLine(tool.description ?? tool.title, DESCRIPTION), signature: signatureOf(tool), score };
}

function build(registrations: readonly Registration[]): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    fields: ["name", "title", "server", "description", "fields"],
    tokenize: (text) => text.split(" "),
    processTerm: (term) => (term === "" ? null : term),
    searchOptions: {
      boost: { name: 3, title: 2, server: 1.5, fields: 0.7 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.25 },
    },
  });
  index.addAll(registrations.map(({ tool }, id) => entry(tool, id)));
  return index;
}

function entry(tool: Registration["tool"], id: number): Entry {
  return {
    id,
    name: words(tool.name),
    title: words(tool.title ?? tool.annotations?.title),
    server: words(tool.server),
    description: words(tool.description),
    fields: words(plainFieldNames(tool, MAX_FIELDS).join(" ")),
  };
}

function words(text: unknown): string {
  return typeof text === "string" ? [...new Set(terms(text.slice(0, MAX_INDEXED)))].join(" ") : "";
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

/** In nearly every description: they would cost time and tell nothing. */
const STOP_WORDS = new Set(
  "a an and are as at be by can for from if in into is it its of on or so than that the their them then there these they this to use used using was when where which will with you your".split(
    " ",
  ),
);

/** Lower-case words without the most frequent ones, plurals as singulars; scripts without spaces give pairs of characters. */
export function terms(text: string): string[] {
  const spaced = /[^\0-\x7f]/.test(text) ? text.normalize("NFKC").replace(UNSPACED, (run) => ` ${pairs(run)} `) : text;
  return splitWords(spaced)
    .filter((word) => !STOP_WORDS.has(word))
    .map(singular);
}

function pairs(run: string): string {
  const characters = [...run];
  if (characters.length === 1) return run;
  return characters
    .slice(1)
    .map((character, i) => characters[i] + character)
    .join(" ");
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  return word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

function bounded(value: number | undefined, preset: number, least: number, most: number): number {
  return value === undefined || !Number.isFinite(value) ? preset : Math.min(most, Math.max(least, Math.floor(value)));
}
