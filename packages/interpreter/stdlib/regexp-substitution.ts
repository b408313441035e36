// GetSubstitution (ECMAScript 22.1.3.19.1).

import { toStr } from "../src/convert.js";
import { get } from "../src/object.js";
import { TextBuilder } from "../src/text.js";
import { type GuestObject, type Value } from "../src/values.js";

/**
 * The replacement that `template` means for a match. `captures` holds the groups from the first on (texts or undefined), `named` the
 * groups object.
 */
export function getSubstitution(
  matched: string,
  text: string,
  position: number,
  captures: readonly Value[],
  named: GuestObject | undefined,
  template: string,
): string {
  let dollar = template.indexOf("$");
  if (dollar < 0) return template;
  const out = new TextBuilder();
  // Without a ">" behind it, `$<` means itself: looked for once, not for each.
  const lastClose = named === undefined ? -1 : template.lastIndexOf(">");
  let done = 0;
  while (dollar >= 0 && dollar + 1 < template.length) {
    out.add(template.slice(done, dollar));
    const c = template[dollar + 1];
    done = dollar + 2;
    if (c === "$") out.add("$");
    else if (c === "&") out.add(matched);
    else if (c === "`") out.add(text.slice(0, position));
    else if (c === "'") out.add(text.slice(Math.min(position + matched.length, text.length)));
    else if (c >= "0" && c <= "9") done = addCapture(out, captures, template, dollar);
    else if (c === "<" && named !== undefined && lastClose > dollar) done = addNamed(out, named, template, dollar);
    else {
      out.add("$");
      done = dollar + 1;
    }
    dollar = template.indexOf("$", done);
  }
  out.add(template.slice(done));
  return out.done();
}

/** `$n` and `$nn`; text that names no group stays. The end of what was read. */
function addCapture(out: TextBuilder, captures: readonly Value[], template: string, dollar: number): number {
  const first = template.charCodeAt(dollar + 1) - 48;
  const second = template.charCodeAt(dollar + 2) - 48; // NaN at the end
  let index = first;
  let end = dollar + 2;
  if (second >= 0 && second <= 9) {
    const two = 10 * first + second;
    if (two >= 1 && two <= captures.length) {
      index = two;
      end = dollar + 3;
    }
  }
  if (index < 1 || index > captures.length) {
    out.add(template.slice(dollar, end));
    return end;
  }
  const capture = captures[index - 1];
  if (capture !== undefined) out.add(toStr(capture));
  return end;
}

/** `$<name>`. */
function addNamed(out: TextBuilder, named: GuestObject, template: string, dollar: number): number {
  const close = template.indexOf(">", dollar + 2);
  if (close < 0) {
    out.add("$<");
    return dollar + 2;
  }
  const capture = get(named, template.slice(dollar + 2, close));
  if (capture !== undefined) out.add(toStr(capture));
  return close + 1;
}
