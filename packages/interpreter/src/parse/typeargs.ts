// Whether a text could hold type arguments. `f<string>(x)` is valid JavaScript (two comparisons) and means something else, so only a
// text for which this says no may be read as JavaScript first.

/** True if some `<` could open type arguments or parameters: a `>` follows it with only what types are written with between. */
export function mayHaveTypeArguments(text: string): boolean {
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    if (text[at + 1] !== "=" && closes(text, at + 1)) return true;
  }
  return false;
}

/** Longest type arguments looked at; what is longer counts as type arguments, which only costs time. */
const FARTHEST = 500;

function closes(text: string, from: number): boolean {
  let depth = 0;
  const end = Math.min(text.length, from + FARTHEST);
  for (let i = from; i < end; i++) {
    const char = text[i];
    switch (char) {
      case ">":
        if (text[i - 1] === "=") continue;
        if (depth === 0) return true;
        continue;
      case "(":
      case "[":
      case "{":
        depth++;
        continue;
      case ")":
      case "]":
      case "}":
        if (--depth < 0) return false;
        continue;
      case ";":
      case "+":
      case "*":
      case "%":
      case "^":
      case "~":
      case "!":
      case "#":
      case "@":
        if (depth === 0) return false;
        continue;
      case "&":
      case "|":
        if (depth === 0 && text[i + 1] === char) return false;
        continue;
      case "=":
        if (depth === 0 && text[i + 1] === "=") return false;
        continue;
      case '"':
      case "'":
      case "`": {
        const close = text.indexOf(char, i + 1);
        if (close < 0) return false;
        i = close;
        continue;
      }
      default:
    }
  }
  return end < text.length;
}
