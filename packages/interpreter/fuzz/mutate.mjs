// Mutations of program texts: of their parts as the parser sees them, of their tokens, of their values.

import { parse } from "acorn";

const TOKEN =
  /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\d[\w.]*|[\p{ID_Start}$_][\p{ID_Continue}$]*|=>|\.\.\.|\?\?=|\*\*=|>>>|===|!==|[-+*/%&|^<>=!?]=|&&|\|\||\?\?|\?\.|\+\+|--|\*\*|<<|>>|\s+|[^]/gu;
const NUMBERS = ["0", "-0", "1", "-1", "1e9", "2**31", "2**32-1", "2**53-1", "1e308", "NaN", "Infinity", "1n", "0.5", "65536", "1e7"];
const DICTIONARY = [
  "await ",
  "yield ",
  "new ",
  "delete ",
  "typeof ",
  "void ",
  "...",
  "=>",
  "async ",
  "?.",
  "??",
  "**",
  "[Symbol.iterator]",
  ".constructor",
  ".__proto__",
  ".prototype",
  ".then",
  ".call",
  ".apply",
  ".bind(null)",
  ".toString()",
  "(()=>{})",
  "[]",
  "{}",
  "tools",
  "globalThis",
  "Reflect",
  "Proxy",
  "super",
  "this",
  "arguments",
  "new.target",
  "import.meta",
  "import('x')",
  "eval('1')",
  "Function('return this')()",
  "static",
  "get ",
  "set ",
  "#p",
  "label:",
  "continue",
  "break",
  "return ",
  "throw ",
  "try{",
  "}catch{}",
  "finally{}",
  "for(;;)",
  "while(1)",
  "if(1)",
  "switch(1){default:}",
  "using x=null",
  ";",
  ",",
  "(",
  ")",
  "{",
  "}",
  "[",
  "]",
  "`${",
  "}`",
  "'",
  '"',
  "\\u{61}",
  "\u2028",
  "/a/g",
  "@",
  "#!",
  "<a>",
  ": any",
  "as any",
  "!",
];

/** The source ranges of all expressions, statements and the like of a program; none if it does not parse. */
const parts = new Map();
function partsOf(source) {
  let found = parts.get(source);
  if (found !== undefined) return found;
  found = [];
  try {
    const queue = [parse(source, { ecmaVersion: "latest", allowAwaitOutsideFunction: true, allowReturnOutsideFunction: true })];
    for (let node; (node = queue.pop()) !== undefined;) {
      if (typeof node.start === "number" && node.end > node.start && node.type !== "Program")
        found.push({
          type: /Expression|Literal|Identifier/.test(node.type)
            ? "expression"
            : /Statement|Declaration$/.test(node.type)
              ? "statement"
              : node.type,
          start: node.start,
          end: node.end,
        });
      for (const key in node) {
        const v = node[key];
        if (Array.isArray(v)) queue.push(...v.filter((item) => item !== null && typeof item === "object"));
        else if (v !== null && typeof v === "object" && typeof v.type === "string") queue.push(v);
      }
    }
  } catch {
    // Not a program: only its tokens can be changed.
  }
  if (parts.size > 2_000) parts.clear();
  parts.set(source, found);
  return found;
}

export function mutate(r, source, corpus, grammar) {
  let text = source;
  for (let n = 1 + r.below(4); n > 0; n--) text = once(r, text, corpus, grammar);
  return text.slice(0, 100_000);
}

function once(r, source, corpus, grammar) {
  const own = partsOf(source);
  const choice = r.below(12);
  if (own.length > 0 && choice < 7) {
    const part = r.pick(own);
    const put = (text) => source.slice(0, part.start) + text + source.slice(part.end);
    const text = source.slice(part.start, part.end);
    switch (choice) {
      case 0:
      case 1: {
        // A part of the same sort from another program.
        const other = r.pick(corpus);
        const same = partsOf(other).filter(({ type }) => type === part.type);
        return same.length === 0 ? source : put(other.slice(...Object.values(r.pick(same)).slice(1)));
      }
      case 2: {
        const same = own.filter(({ type }) => type === part.type);
        const other = r.pick(same);
        return put(source.slice(other.start, other.end));
      }
      case 3:
        return put(part.type === "expression" ? `(${grammar.expression(2)})` : part.type === "statement" ? grammar.statement(2) : text);
      case 4:
        return put(part.type === "statement" ? `${text}\n${text}` : `[${text}, ${text}]`);
      case 5:
        return put(
          part.type === "statement"
            ? r.pick([
                `try { ${text} } catch { ${text} }`,
                `for (let i = 0; i < 3; i++) { ${text} }`,
                `await (async () => { ${text} })();`,
                `{ ${text} }`,
              ])
            : `(${r.pick(["await ", "typeof ", "", "...", "new "])}${text})`,
        );
      default:
        return put("");
    }
  }
  const tokens = source.match(TOKEN) ?? [source];
  const i = r.below(tokens.length);
  switch (r.below(6)) {
    case 0:
      tokens.splice(i, 1 + r.below(3));
      break;
    case 1:
      tokens.splice(i, 0, tokens[r.below(tokens.length)]);
      break;
    case 2:
      tokens[i] = r.pick(DICTIONARY);
      break;
    case 3: {
      const numbers = tokens.flatMap((t, k) => (/^\d/.test(t) ? [k] : []));
      if (numbers.length > 0) tokens[r.pick(numbers)] = r.pick(NUMBERS);
      break;
    }
    case 4: {
      const j = r.below(tokens.length);
      [tokens[i], tokens[j]] = [tokens[j], tokens[i]];
      break;
    }
    default: {
      const other = r.pick(corpus);
      const at = r.below(other.length);
      tokens.splice(i, r.below(4), other.slice(at, at + r.below(60)));
    }
  }
  return tokens.join("");
}
