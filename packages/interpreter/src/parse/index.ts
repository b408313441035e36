// Text to tree. What a program may look like, and what of TypeScript is left in the tree, stand in `forms.ts` and `ast.ts`.

import { type Diagnostic, ProgramError, type SourceLocation } from "../api.js";
import type { AnyNode, Statement } from "./ast.js";
import { explain } from "./explain.js";
import { Failure, syntax } from "./failure.js";
import { type ProgramForm, shape } from "./forms.js";
import { A_COMMAND, isCommandExpression } from "./guess.js";
import { frameOf, locator } from "./lines.js";
import { normalize } from "./normalize.js";
import { type CheckPattern, parseJavaScript, type ParserMode, parseTypeScript } from "./parser.js";
import { checkPattern } from "./pattern.js";
import { fenced, hasFence, isFenced } from "./source.js";
import { mayHaveTypeArguments } from "./typeargs.js";

export type { estree, Statement, TSEnumDeclaration, TSEnumMember, TSParameterProperty } from "./ast.js";
export { PROGRAM_ARGUMENT, type ProgramForm } from "./forms.js";
export { frameOf, locator } from "./lines.js";
export { checkPattern } from "./pattern.js";

export interface ParsedProgram {
  /** ESTree as acorn makes it, without types; `start` and `end` are offsets in `source`. */
  body: Statement[];
  /** The text as sent. */
  source: string;
  kind: "program" | "script";
  form: ProgramForm;
  /** The 1-based line and column of an offset in `source`. */
  locate(offset: number): SourceLocation;
  /** Whether the program itself, outside its functions, awaits. */
  hasTopLevelAwait: boolean;
}

export interface ParseProgramOptions {
  filename?: string;
  /** Most bytes of the text in UTF-8. */
  sourceBytes: number;
  /** Most levels of the tree. */
  astDepth: number;
  /** What is wrong with a regular expression's pattern and flags, or undefined. Default: the grammar's check. */
  checkPattern?: CheckPattern;
}

/**
 * Parses a program: JavaScript or TypeScript in any of the accepted forms. The result is always a function's body whose `return` gives
 * the result. Throws a ProgramError: "syntax", "unsupported", or "limit" (`sourceBytes`, `astDepth`).
 *
 *     parseProgram("const x: number = 1; x + 1", { sourceBytes: 262_144, astDepth: 500 }).body.at(-1)   // a ReturnStatement
 */
export function parseProgram(source: string, options: ParseProgramOptions): ParsedProgram {
  const mode: ParserMode = { kind: "program", checkPattern: options.checkPattern ?? checkPattern };
  let text = source;
  return orProgramError(
    "program",
    source,
    () => text,
    () => {
      checkSize(source, options.sourceBytes);
      if (isFenced(source)) text = fenced(source) ?? source;
      let parsed: { body: AnyNode[]; typed: boolean };
      try {
        parsed = parseText(text, mode);
      } catch (failure) {
        const inner = text === source && hasFence(source) ? fenced(source) : undefined;
        if (inner === undefined) throw failure;
        text = inner;
        parsed = parseText(text, mode);
      }
      if (parsed.body.length === 1 && isCommandExpression(text)) throw syntax(parsed.body[0].start, A_COMMAND.message, A_COMMAND.hint);
      if (parsed.body.length === 0)
        throw syntax(0, "The program is empty.", "Send the body of an async function, e.g. return await tools.<server>.<name>({ … }).");
      const normalized = normalize(parsed.body, { source, astDepth: options.astDepth, kind: "program", typed: parsed.typed });
      const { body, form } = shape(normalized.body);
      return {
        body: body as unknown as Statement[],
        source,
        kind: "program",
        form,
        locate: locator(source),
        hasTopLevelAwait: normalized.hasTopLevelAwait,
      };
    },
  );
}

/**
 * Parses a Script of the language, strict, without any of a program's forms: for conformance tests.
 * Throws a ProgramError "syntax" on every early error.
 */
export function parseScript(source: string, options: Partial<ParseProgramOptions> = {}): ParsedProgram {
  const mode: ParserMode = { kind: "script", checkPattern: options.checkPattern ?? checkPattern };
  return orProgramError(
    "script",
    source,
    () => source,
    () => {
      const root = parseJavaScript(source, mode);
      if (root instanceof Failure) throw root;
      const { body } = normalize(root.body as AnyNode[], { source, astDepth: options.astDepth ?? Infinity, kind: "script", typed: false });
      return {
        body: body as unknown as Statement[],
        source,
        kind: "script",
        form: "body",
        locate: locator(source),
        hasTopLevelAwait: false,
      };
    },
  );
}

/** JavaScript first where that cannot mean something else, TypeScript next, JavaScript last: the plugin refuses some valid JavaScript. */
function parseText(text: string, mode: ParserMode): { body: AnyNode[]; typed: boolean } {
  const first = mayHaveTypeArguments(text) ? undefined : parseJavaScript(text, mode);
  if (first && !(first instanceof Failure)) return { body: first.body as AnyNode[], typed: false };
  if (first?.details.kind === "limit") throw first;
  const second = parseTypeScript(text, mode);
  if (!(second instanceof Failure)) return { body: second.body as AnyNode[], typed: true };
  if (second.details.kind === "limit") throw second;
  const third = first ?? parseJavaScript(text, mode);
  if (!(third instanceof Failure)) return { body: third.body as AnyNode[], typed: false };
  throw second.offset > third.offset ? second : third;
}

function checkSize(source: string, most: number): void {
  if (source.length * 3 <= most) return;
  const bytes = Buffer.byteLength(source);
  if (bytes > most)
    throw new Failure(0, `The program has ${bytes} bytes; at most ${most} are allowed.`, {
      kind: "limit",
      limit: "sourceBytes",
      hints: ["Split the work into several programs, and read data with tools instead of writing it into the code."],
    });
}

/** Runs a parse whose failure becomes the program's diagnostic. */
function orProgramError<T>(kind: ParsedProgram["kind"], source: string, text: () => string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new ProgramError(diagnosticOf(source, text(), error, kind));
  }
}

function diagnosticOf(source: string, text: string, failure: Failure, parsed: ParsedProgram["kind"]): Diagnostic {
  const { offset, message, hints, limit, ...said } = explain(text, failure);
  const kind = parsed === "script" && failure.raw ? "syntax" : said.kind;
  const location = locator(source)(Math.min(offset, source.length));
  const diagnostic: Diagnostic = { kind, message, location, frame: frameOf(source, location), hints };
  if (limit) diagnostic.limit = limit;
  return diagnostic;
}
