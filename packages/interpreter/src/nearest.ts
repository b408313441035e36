// Names that a misspelt name may have meant.

const MAX_NAME = 100;
const MAX_EDITS = 6;

/**
 * Up to `limit` of the candidates that are likely meant by `name`, the likeliest first: the same letters in another writing
 * (`listIssues`, `list_issues`), then few letters changed, then the same words.
 *
 * @example nearestNames("channel_id", ["channel", "limit"], 1) // ["channel"]
 */
export function nearestNames(name: string, candidates: Iterable<string>, limit: number): string[] {
  if (name.length > MAX_NAME) return [];
  const wanted = letters(name);
  const words = new Set(splitWords(name));
  const found: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    if (candidate === name || candidate.length > MAX_NAME) continue;
    const distance = distanceTo(wanted, words, candidate);
    if (distance !== undefined) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return found.slice(0, limit).map(({ candidate }) => candidate);
}

/** 0 is the same letters; below 1 are misspellings, above shared words; undefined is unlike. */
function distanceTo(wanted: string, words: ReadonlySet<string>, candidate: string): number | undefined {
  const got = letters(candidate);
  if (wanted === "" || got === "") return undefined;
  if (got === wanted) return 0;
  const longer = Math.max(wanted.length, got.length);
  const allowed = longer <= 2 ? 0 : Math.min(MAX_EDITS, Math.max(1, Math.floor(longer * 0.34)));
  const changed = editDistance(wanted, got, allowed);
  if (changed !== undefined) return changed / longer;
  const others = new Set(splitWords(candidate));
  let shared = 0;
  for (const word of words) if (others.has(word)) shared++;
  const all = words.size + others.size - shared;
  return shared > 0 && shared / all >= 0.5 ? 2 - shared / all : undefined;
}

/** Lower-case letters and digits only. */
function letters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORDS = /[A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z0-9]+/g;

/** The lower-case words of `camelCase`, `snake_case`, `kebab-case`, `HTTPServer`. */
export function splitWords(name: string): string[] {
  if (ASCII.test(name)) return (name.match(ASCII_WORDS) ?? []).map((word) => word.toLowerCase());
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Insertions, deletions, changes and swaps of neighbours between two texts; undefined if more than `allowed`. */
function editDistance(a: string, b: string, allowed: number): number | undefined {
  if (Math.abs(a.length - b.length) > allowed) return undefined;
  const far = allowed + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    // What is further from the diagonal than `allowed` costs more than `allowed`.
    const from = Math.max(1, i - allowed);
    const to = Math.min(b.length, i + allowed);
    const row = new Array<number>(b.length + 1).fill(far);
    if (i <= allowed) row[0] = i;
    let least = row[0];
    for (let j = from; j <= to; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, beforeLast[j - 2] + 1);
      row[j] = cost;
      least = Math.min(least, cost);
    }
    if (least > allowed) return undefined;
    beforeLast = last;
    last = row;
  }
  return last[b.length] <= allowed ? last[b.length] : undefined;
}
