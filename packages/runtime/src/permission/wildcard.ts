// The wildcards of permission rules: `*` is any characters (also none, also `/`), `?` is one. No escape, case-sensitive.

/**
 * Whether `text` matches the whole of `pattern`. A trailing ` *` may also be absent from the text: `git status *` matches `git status`.
 * Two pointers with one point to go back to: no regex, at most pattern × text steps, whatever the pattern.
 *
 * @example matches("git *", "git push") // true
 */
export function matches(pattern: string, text: string): boolean {
  if (matchesExactly(pattern, text)) return true;
  return pattern.endsWith(" *") && matchesExactly(pattern.slice(0, -2), text);
}

/** True for `*`, `**` …: a pattern that says nothing about what it matches. */
export function isBare(pattern: string): boolean {
  for (const character of pattern) if (character !== "*") return false;
  return pattern.length > 0;
}

function matchesExactly(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  // Where to go on if the characters after the last star do not fit: the star, and the next text position that it may swallow.
  let star = -1;
  let afterStar = 0;
  while (t < text.length) {
    const unit = pattern.charCodeAt(p);
    if (unit === STAR) {
      star = p++;
      afterStar = t;
    } else if (p < pattern.length && unit === ANY_ONE) {
      p += 1;
      t += lengthAt(text, t);
    } else if (p < pattern.length && unit === text.charCodeAt(t)) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      afterStar += 1;
      t = afterStar;
    } else {
      return false;
    }
  }
  while (pattern.charCodeAt(p) === STAR) p += 1;
  return p === pattern.length;
}

/** 2 for a character outside the basic plane: `?` is one character, not half of one. */
function lengthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

const STAR = 0x2a;
const ANY_ONE = 0x3f;
