// What a program may not use, refused before anything runs: each with what to do instead.

import type { AnyNode } from "./ast.js";
import { type Failure, unsupported } from "./failure.js";

const NO_MODULES =
  "There are no modules here: delete this and call tools.<server>.<name>(input) for what the module did; the language's own objects need no import.";

/** The refusal of a node by its type, or undefined. */
export function refusedNode(node: AnyNode): Failure | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return unsupported(node.start, `"import" is not available: no module ${moduleName(node.source)}can be loaded.`, NO_MODULES);
    case "ImportExpression":
      return unsupported(node.start, `import() is not available: no module ${moduleName(node.source)}can be loaded.`, NO_MODULES);
    case "ExportAllDeclaration":
      return unsupported(node.start, "A program cannot export from another module.", NO_MODULES);
    case "ExportNamedDeclaration":
      return node.source ? unsupported(node.start, "A program cannot export from another module.", NO_MODULES) : undefined;
    case "TSImportEqualsDeclaration":
      return unsupported(node.start, "import … = is not available: no module can be loaded.", NO_MODULES);
    case "TSExportAssignment":
      return unsupported(node.start, "export = is not supported.", "Write return and the value, or export default.");
    case "TSNamespaceExportDeclaration":
      return unsupported(node.start, "export as namespace is not supported.", "Delete this line.");
    case "TSModuleDeclaration":
      return unsupported(node.start, "Namespaces are not supported.", "Write an object with functions: const name = { … }.");
    case "MetaProperty":
      return (node.meta as AnyNode).name === "import"
        ? unsupported(
            node.start,
            "import.meta is not available: a program is not a module.",
            "Use constants, or what tools and input give.",
          )
        : undefined;
    case "WithStatement":
      return unsupported(node.start, '"with" is not supported.', "Read the properties by name, or destructure: const { a, b } = object.");
    default:
      return undefined;
  }
}

/** The refusal of a call of an undeclared name, or undefined. */
export function refusedCall(call: AnyNode, source: string): Failure | undefined {
  switch ((call.callee as AnyNode).name) {
    case "require":
      return unsupported(
        call.start,
        `require is not available: no module ${moduleName((call.arguments as AnyNode[])[0])}can be loaded.`,
        NO_MODULES,
      );
    case "eval":
      return call.type === "CallExpression"
        ? unsupported(
            call.start,
            "eval is not available: code cannot be made from text.",
            "Write the code itself; for data, use JSON.parse(text).",
          )
        : undefined;
    case "Function": {
      if ((call.arguments as AnyNode[]).length === 0) return undefined;
      const written = source.slice(call.start, (call.callee as AnyNode).end);
      return unsupported(call.start, `${written}() is not available: code cannot be made from text.`, "Write a function: (a, b) => …");
    }
    default:
      return undefined;
  }
}

function moduleName(source: unknown): string {
  const value = (source as AnyNode | undefined)?.value;
  return typeof value === "string" ? `${JSON.stringify(value)} ` : "";
}
