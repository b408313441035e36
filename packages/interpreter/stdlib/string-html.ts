// The methods of String that make HTML elements (ECMAScript B.2.2).

import { toStr } from "../src/convert.js";
import { Intrinsic } from "../src/intrinsics.js";
import { type PropertySpec, extend, method } from "../src/realm.js";
import { TextBuilder, prepareText, thisText } from "../src/text.js";
import { type Value } from "../src/values.js";

function createHtml(t: Value, name: string, tag: string, attribute: string, v: Value): string {
  const s = thisText(t, name);
  const out = new TextBuilder();
  out.add(`<${tag}`);
  if (attribute !== "") {
    const raw = toStr(v);
    prepareText(raw.length); // read once; the escaped text is charged as it is added
    let quotes = 0;
    for (let at = raw.indexOf('"'); at >= 0; at = raw.indexOf('"', at + 1)) quotes++;
    prepareText(raw.length + 5 * quotes);
    out.add(` ${attribute}="${raw.replaceAll('"', "&quot;")}"`);
  }
  out.add(">");
  out.add(s);
  out.add(`</${tag}>`);
  return out.done();
}

const html = (name: string, tag: string, attribute = ""): PropertySpec =>
  method(name, attribute === "" ? 0 : 1, (t, v) => createHtml(t, name, tag, attribute, v));

extend(Intrinsic.StringPrototype, [
  html("anchor", "a", "name"),
  html("big", "big"),
  html("blink", "blink"),
  html("bold", "b"),
  html("fixed", "tt"),
  html("fontcolor", "font", "color"),
  html("fontsize", "font", "size"),
  html("italics", "i"),
  html("link", "a", "href"),
  html("small", "small"),
  html("strike", "strike"),
  html("sub", "sub"),
  html("sup", "sup"),
]);
