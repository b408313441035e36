// Names that a program uses and does not have: what they are elsewhere, what may have been meant.

import { type AnyNode, isNode } from "../parse/ast.js";
import { nearestNames } from "../nearest.js";
import { type ToolNode, toolNamed } from "../tool-node.js";

const NO_MODULES = "there are no modules and no host objects here: call tools.<server>.<name>(input) instead";

/** What programs know from hosts and libraries. */
const ELSEWHERE: Record<string, string> = {
  fetch: "fetch is not available: a program reaches the network through tools only",
  XMLHttpRequest: "XMLHttpRequest is not available: a program reaches the network through tools only",
  WebSocket: "WebSocket is not available: a program reaches the network through tools only",
  axios: "axios is not available: a program reaches the network through tools only",
  require: `require is not available: ${NO_MODULES}`,
  module: "There are no modules: write return and the value",
  exports: "There are no modules: write return and the value",
  fs: "fs is not available: read and write files through tools",
  path: "path is not available: join paths with templates, `${folder}/${name}`",
  os: `os is not available: ${NO_MODULES}`,
  child_process: "child_process is not available: run commands through tools, if there is one for it",
  exec: "exec is not available: run commands through tools, if there is one for it",
  process: "process is not available: a program has no environment variables, arguments or exit code; write return and the value to end it",
  Buffer: "Buffer is not available: use TextEncoder, TextDecoder, Uint8Array, btoa and atob",
  __dirname: `__dirname is not available: ${NO_MODULES}`,
  __filename: `__filename is not available: ${NO_MODULES}`,
  global: "global is not available: the global object is globalThis",
  window: "window is not available: a program runs in no browser; the global object is globalThis",
  document: "document is not available: a program runs in no browser; take markup apart with string methods and regular expressions",
  DOMParser: "DOMParser is not available: a program runs in no browser; take markup apart with string methods and regular expressions",
  localStorage: "localStorage is not available: variables live as long as the program; keep data through tools",
  alert: "alert is not available: use console.log, or return the value",
  prompt: "prompt is not available: a program cannot ask; return what you need to know",
  setImmediate: "setImmediate is not available: use queueMicrotask or setTimeout(f, 0)",
  sleep: "sleep is not available: write await new Promise((resolve) => setTimeout(resolve, milliseconds))",
  delay: "delay is not available: write await new Promise((resolve) => setTimeout(resolve, milliseconds))",
  performance: "performance is not available: use Date.now()",
  _: "lodash is not available: use the methods of arrays, Object and Map (Object.groupBy, toSorted, flatMap)",
  lodash: "lodash is not available: use the methods of arrays, Object and Map (Object.groupBy, toSorted, flatMap)",
  moment: "moment is not available: use Date and Intl.DateTimeFormat",
  dayjs: "dayjs is not available: use Date and Intl.DateTimeFormat",
  print: "print is not JavaScript: use console.log",
  len: "len is not JavaScript: use .length, or .size of a Map or Set",
  str: "str is not JavaScript: use String(value)",
  int: "int is not JavaScript: use Number(text) or Math.trunc(number)",
  dict: "dict is not JavaScript: use { … } or new Map()",
  None: "None is not JavaScript: use null",
  True: "True is not JavaScript: use true",
  False: "False is not JavaScript: use false",
  nil: "nil is not JavaScript: use null",
  range: "range is not JavaScript: use Array.from({ length: n }, (_, i) => i)",
  json: "json is not available: use JSON",
  mcp: "Tools are called as tools.<server>.<name>(input)",
  tool: "Tools are called as tools.<server>.<name>(input)",
  callTool: "Tools are called as tools.<server>.<name>(input)",
  call_tool: "Tools are called as tools.<server>.<name>(input)",
  default_api: "Tools are called as tools.<server>.<name>(input)",
};

/** What is to be said of `name`, which is not defined at `offset`. `others` are the global names, `tools` the tool tree. */
export function undefinedName(
  name: string,
  offset: number,
  program: { body: readonly unknown[]; locate(offset: number): { line: number } },
  others: Iterable<string>,
  tools: ToolNode | undefined,
): string[] {
  const hints: string[] = [];
  const path = pathTo(program.body, offset);
  const property = path.findLast((node) => node.type === "Property");
  const declared = declarations(program.body);
  const known = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
  if (known !== undefined) hints.push(`${known}.`);
  if (property?.shorthand === true && (property.key as AnyNode).name === name)
    hints.push(`{ ${name} } stands for { ${name}: ${name} }, and there is no variable ${name}: write ${name}: and its value.`);
  const elsewhere = declared.get(name);
  if (elsewhere !== undefined)
    hints.push(
      `${name} is declared in line ${program.locate(elsewhere).line}, inside another function or block: it is not visible here. Declare it outside, or return it.`,
    );
  if (hints.length === 0) {
    const tool = tools === undefined ? undefined : toolNamed(tools, name);
    if (tool !== undefined) return [`Tools are reached through tools: write ${tool}.`];
    const near = nearestNames(
      name,
      new Set([...declared.keys(), ...others].filter((other) => !/^(?:undefined|NaN|Infinity)$/.test(other))),
      3,
    );
    if (near.length > 0) hints.push(`Did you mean ${near.join(" or ")}?`);
  }
  return hints;
}

// Places in the tree ---------------------------------------------------------------------------------------------------------------

/** The nodes around an offset, outermost first. */
export function pathTo(body: readonly unknown[], offset: number): AnyNode[] {
  const path: AnyNode[] = [];
  let inner = around(body, offset);
  while (inner !== undefined) {
    path.push(inner);
    inner = around(Object.values(inner), offset);
  }
  return path;
}

function around(parts: readonly unknown[], offset: number): AnyNode | undefined {
  for (const part of parts) {
    if (Array.isArray(part)) {
      const found = around(part, offset);
      if (found !== undefined) return found;
    } else if (isNode(part) && part.start <= offset && offset < part.end) return part;
  }
  return undefined;
}

/** Where the innermost loop around an offset begins, within the function that it stands in. */
export function loopAround(body: readonly unknown[], offset: number): number | undefined {
  let found: number | undefined;
  for (const { type, start } of pathTo(body, offset)) {
    if (/^(?:For|ForIn|ForOf|While|DoWhile)Statement$/.test(type)) found = start;
    else if (/Function/.test(type)) found = undefined;
  }
  return found;
}

/** The variables, functions, classes and parameters of a program, each with its first place. */
function declarations(body: readonly unknown[]): Map<string, number> {
  const found = new Map<string, number>();
  const todo: unknown[] = [...body];
  const names = (pattern: unknown): void => {
    if (!isNode(pattern)) return;
    if (pattern.type === "Identifier") {
      if (!found.has(pattern.name as string)) found.set(pattern.name as string, pattern.start);
    } else if (pattern.type === "Property") names(pattern.value);
    else for (const part of [pattern.left, pattern.argument, pattern.properties, pattern.elements].flat()) names(part);
  };
  while (todo.length > 0) {
    const node = todo.pop();
    if (Array.isArray(node)) todo.push(...(node as unknown[]));
    if (!isNode(node)) continue;
    if (node.type === "VariableDeclarator" || /^(?:Function|Class)Declaration$/.test(node.type)) names(node.id);
    if (Array.isArray(node.params)) for (const parameter of node.params as unknown[]) names(parameter);
    todo.push(...Object.values(node));
  }
  return found;
}

/** How the variable `name` got its value: the last declaration of it before `offset`. */
export function declaratorOf(body: readonly unknown[], name: string, offset: number): AnyNode | undefined {
  let best: AnyNode | undefined;
  const todo: unknown[] = [...body];
  while (todo.length > 0) {
    const node = todo.pop();
    if (Array.isArray(node)) todo.push(...(node as unknown[]));
    if (!isNode(node) || node.start > offset) continue;
    if (node.type === "VariableDeclarator" && (best === undefined || node.start > best.start) && binds(node.id as AnyNode, name))
      best = node;
    todo.push(...Object.values(node));
  }
  return best;
}

function binds(pattern: AnyNode, name: string): boolean {
  if (pattern.type === "Identifier") return pattern.name === name;
  return pattern.type === "ObjectPattern" && propertyFor(pattern, name) !== undefined;
}

/** The key of an object pattern whose value is the variable `name`. */
export function propertyFor(pattern: AnyNode, name: string): string | undefined {
  for (const property of pattern.properties as AnyNode[]) {
    if (property.type !== "Property" || property.computed === true) continue;
    const value = property.value as AnyNode;
    const bound = value.type === "AssignmentPattern" ? (value.left as AnyNode) : value;
    if (bound.type === "Identifier" && bound.name === name)
      return String((property.key as AnyNode).name ?? (property.key as AnyNode).value);
  }
  return undefined;
}
