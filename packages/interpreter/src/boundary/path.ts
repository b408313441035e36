// Where in a value something stands, as a program would write it.

export type PathKey = string | number;

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const LONGEST = 300;

/**
 * The expression of a place: `result.items[3].next`, `tools.context7["resolve-library-id"]`. A long one is cut in the middle.
 *
 *     pathText("result", ["items", 3, "a b"])   // result.items[3]["a b"]
 */
export function pathText(root: string, keys: readonly PathKey[]): string {
  let text = root;
  for (const key of keys) {
    if (typeof key === "number") text += `[${key}]`;
    else if (IDENTIFIER.test(key)) text += `.${key.length > 100 ? `${key.slice(0, 99)}…` : key}`;
    else text += `[${JSON.stringify(key.length > 100 ? `${key.slice(0, 99)}…` : key)}]`;
  }
  return text.length <= LONGEST ? text : `${text.slice(0, 100)} … ${text.slice(-180)}`;
}
